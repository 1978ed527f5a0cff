package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
	"dormouse/trust"
)

func newWhy(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "why NOTE",
		Short: "Where a note's text came from, step by step, and whether it may load",
		Long: `Prints how the text came to be, the newest step first: who wrote it, in which session,
and what it was made from. The origin of a text is the lowest of all that went into it; it
is kept in the journal, and nothing that the note says of itself changes it.

Exit status: 0; 1 when the note may not load; 2 for wrong use.`,
		Example: `  dormouse why feedback_tests
  dormouse why feedback_tests --json`,
		Args: oneNote,
		RunE: func(_ *cobra.Command, args []string) error { return runWhy(c, args[0]) },
	}
}

type whyReport struct {
	File    string        `json:"file"`
	Verdict trust.Verdict `json:"verdict"`
	Steps   []whyStep     `json:"steps"`
	Said    []string      `json:"said"` // what the note says of itself, and is not believed
}

type whyStep struct {
	ID      int            `json:"id"`
	Time    time.Time      `json:"time"`
	Actor   store.Actor    `json:"actor"`
	Session string         `json:"session,omitempty"`
	Op      string         `json:"op"`
	Path    string         `json:"path"`
	Origin  trust.Origin   `json:"origin"`
	From    []store.Source `json:"from,omitempty"`
}

func runWhy(c *common, word string) error {
	t, err := c.judge()
	if err != nil {
		return err
	}
	defer release(t.st)
	rel, err := resolve(t.st, word)
	if err != nil {
		return err
	}
	text, err := t.st.Read(rel)
	if err != nil {
		return err
	}
	rep := whyReport{File: rel, Verdict: t.guard.Judge(t.state.Ledger, text), Steps: []whyStep{}, Said: orEmpty(trust.Claims(text))}
	for _, l := range t.state.Ledger.Why(store.HashOf(text)) {
		rep.Steps = append(rep.Steps, whyStep{l.Entry.ID, l.Entry.Time, l.Entry.Actor, l.Entry.Session, l.Entry.Op, l.Path, l.Origin, l.Sources})
	}
	if c.json {
		err = printJSON(c.out, rep)
	} else {
		printWhy(c.people(), &rep)
	}
	if err == nil && !rep.Verdict.Loads {
		err = errFound
	}
	return err
}

func printWhy(out *term.Out, rep *whyReport) {
	verdict := "may load"
	switch {
	case rep.Verdict.Approved:
		verdict = "may load: you approved just this text"
	case !rep.Verdict.Loads:
		verdict = "may not load: " + rep.Verdict.Words()
	}
	out.Line("%s  origin %s; %s", out.In(term.Bold, term.Safe(rep.File)), rep.Verdict.Origin, term.Safe(verdict))
	for _, s := range rep.Steps {
		session := ""
		if s.Session != "" {
			session = " in session " + shortSession(s.Session)
		}
		out.Line("  %d  %s  %s by %s%s, origin %s", s.ID, localTime(s.Time), s.Op, s.Actor, term.Safe(session), s.Origin)
		for _, f := range s.From {
			out.Line("       from %s", term.Safe(sourceWords(f)))
		}
	}
	if len(rep.Steps) == 0 {
		out.Line("  the journal does not know this text: nobody has looked since it was written")
	}
	for _, k := range rep.Said {
		out.Line("  it says %s of itself, which counts for nothing", term.Safe(k))
	}
}

func sourceWords(f store.Source) string {
	var words []string
	if f.Note != "" {
		words = append(words, f.Note)
	}
	if f.Session != "" {
		words = append(words, fmt.Sprintf("session %s, line %d of its transcript", shortSession(f.Session), f.Line))
	}
	if f.Place != "" {
		words = append(words, f.Place)
	}
	if f.Quote != "" {
		words = append(words, fmt.Sprintf("your words %q", f.Quote))
	}
	if len(words) == 0 {
		words = append(words, "another text")
	}
	return strings.Join(words, ", ")
}

type traceOptions struct {
	*common
	reject bool
}

func newTrace(c *common) *cobra.Command {
	o := &traceOptions{common: c}
	cmd := &cobra.Command{
		Use:   "trace NOTE",
		Short: "All that was ever made out of a note, and keep it from loading on request",
		Long: `Lists the notes that descend from any text this note ever held, by merging, rewriting or
extracting, and what of that waits in review. --reject turns all of them down and takes
their lines out of the index, as changes that can be taken back.

Exit status: 0; 1 when it can't be done; 2 for wrong use.`,
		Example: `  dormouse trace imported_tips
  dormouse trace imported_tips --reject`,
		Args: oneNote,
		RunE: func(_ *cobra.Command, args []string) error { return runTrace(o, args[0]) },
	}
	cmd.Flags().BoolVar(&o.reject, "reject", false, "keep all of them from loading")
	return cmd
}

type traceReport struct {
	File     string      `json:"file"`
	Made     []traced    `json:"made"`
	TakenOut *doneReport `json:"taken_out,omitempty"`
}

type traced struct {
	Path   string       `json:"path"`
	Origin trust.Origin `json:"origin"`
	Hash   string       `json:"hash"`
}

func runTrace(o *traceOptions, word string) error {
	t, err := o.judge()
	if err != nil {
		return err
	}
	defer release(t.st)
	rel, err := resolvePast(t.st, word)
	if err != nil {
		return err
	}
	rep := traceReport{File: rel, Made: []traced{}}
	var marks []store.Mark
	for _, l := range t.state.Ledger.Trace(rel) {
		rep.Made = append(rep.Made, traced{l.Path, l.Origin, l.Hash})
		marks = append(marks, store.Mark{Path: l.Path, Hash: l.Hash})
	}
	if o.reject && len(marks) > 0 {
		if rep.TakenOut, err = o.turnDown(t, marks); err != nil {
			return err
		}
	}
	if o.json {
		return printJSON(o.out, rep)
	}
	out := o.people()
	out.Line("%s", out.In(term.Bold, fmt.Sprintf("%s from %s:", count(len(rep.Made), "note"), term.Safe(rel))))
	for _, m := range rep.Made {
		out.Line("  %s  origin %s", term.Safe(m.Path), m.Origin)
	}
	if rep.TakenOut != nil {
		out.Line("they are turned down, and a session is not told of them any more")
		if rep.TakenOut.ID != 0 {
			out.Line("the index can be taken back: %s", o.command(fmt.Sprintf("undo %d", rep.TakenOut.ID)))
		}
	}
	return nil
}

// turnDown rejects texts and takes their lines out.
func (o *traceOptions) turnDown(t *trusting, marks []store.Mark) (*doneReport, error) {
	by := o.by(t.s)
	if by.Actor != store.Human {
		return nil, errors.New("turning notes down is for a person at a terminal, and this runs inside the agent")
	}
	if _, err := t.st.Record(by, trust.OpReject, marks...); err != nil {
		return nil, err
	}
	if err := t.look(o.common); err != nil {
		return nil, err
	}
	done, err := t.guard.Hold(t.st, by, t.state.Held)
	if err != nil {
		return nil, err
	}
	r := doneReport{}
	if done != nil {
		r = o.reportDone(trust.OpHold, store.IndexName, done)
	}
	return &r, nil
}
