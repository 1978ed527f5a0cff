package cli

import (
	"errors"
	"fmt"

	"dormouse/internal/term"
	"dormouse/store"
)

// doneReport is what a write did, as JSON.
type doneReport struct {
	ID       int               `json:"id"` // of the change; 0: there was nothing to do
	Op       string            `json:"op"`
	File     string            `json:"file,omitempty"`
	Undoes   int               `json:"undoes,omitempty"`
	Changes  []store.Change    `json:"changes"`
	Mentions []store.Mention   `json:"mentions"`
	MovedOut []store.Candidate `json:"moved_out"`
	Index    indexSize         `json:"index"`
	Said     []string          `json:"said"`
}

type indexSize struct {
	Lines int `json:"lines"`
	Chars int `json:"chars"` // UTF-16 units
}

func (c *common) reportDone(op, file string, d *store.Done) doneReport {
	said := make([]string, len(d.Said)) // never null
	for i := range d.Said {
		said[i] = c.hinted(d.Said[i])
	}
	return doneReport{
		ID: d.ID, Op: op, File: file,
		Changes: orEmpty(d.Changes), Mentions: orEmpty(d.Mentions), MovedOut: orEmpty(d.MovedOut), Said: said,
		Index: indexSize{d.Index.Lines, d.Index.Units},
	}
}

// orEmpty makes a list that JSON prints as [] and not as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// printDone says what else a write did: what still names a note, what left the
// index, remarks, and the way back.
func (c *common) printDone(out *term.Out, d *store.Done) {
	for _, m := range d.Mentions {
		out.Line("  still named in %s: %s", term.Safe(at(m.File, m.Line)), term.Safe(m.Text))
	}
	printMoved(out, d.MovedOut)
	for _, s := range d.Said {
		out.Line("  %s", term.Safe(c.hinted(s)))
	}
	if d.ID != 0 {
		out.Line("%s", out.In(term.Faint, "take it back: "+term.Safe(c.command(fmt.Sprintf("undo %d", d.ID)))))
	}
}

// withRoom adds to the refusal of a full index what could go, and the command
// that lets it.
func (c *common) withRoom(err error, words string) error {
	full, ok := errors.AsType[*store.FullError](err)
	if !ok {
		return err
	}
	const most = 3
	could := ""
	for i, c := range full.Could {
		if i == most {
			could += fmt.Sprintf(" and %d more", len(full.Could)-most)
			break
		}
		if i > 0 {
			could += ","
		}
		could += fmt.Sprintf(" %s (%s)", c.File, c.Why)
	}
	if could != "" {
		could = "; least valuable are" + could
	}
	return fmt.Errorf("%w; %s moves lines to a page%s", err, c.command(words+" --make-room"), could)
}

// mark tells what a change did to a file: + made, - removed, ~ changed.
func mark(c store.Change) string {
	switch {
	case c.Before == "":
		return "+"
	case c.After == "":
		return "-"
	}
	return "~"
}

// jsonProblem is an error within a report.
type jsonProblem struct {
	What string `json:"what"`
}

func (c *common) problemsOf(errs ...error) []jsonProblem {
	out := []jsonProblem{}
	for _, err := range errs {
		if err != nil {
			out = append(out, jsonProblem{c.errorText(err)})
		}
	}
	return out
}

// said tells of errors that the report on standard output holds already, and
// ends the command with them.
func (c *common) said(errs ...error) error {
	var found error
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(c.io.Err, "dormouse:", term.Safe(c.errorText(err))) // nowhere left to say it
			found = errFound
		}
	}
	return found
}

// warn tells of a damaged journal beside a command that did its work.
func (c *common) warn(damage error) {
	if errors.Is(damage, store.ErrBroken) {
		fmt.Fprintln(c.io.Err, "dormouse: warning:", term.Safe(c.errorText(damage)+"; "+c.command("history")+" shows what can be read")) // nowhere left to say it
	}
}

// printMoved names the lines that left the index for its page.
func printMoved(out *term.Out, moved []store.Candidate) {
	const few = 5
	for _, m := range moved[:min(few, len(moved))] {
		out.Line("  moved out of the index: %s (%s)", term.Safe(m.Text), term.Safe(m.Why))
	}
	if n := len(moved) - few; n > 0 {
		out.Line("  and %s; the index links to %s, where they all are", count(n, "more line"), store.PageName)
	} else if len(moved) > 0 {
		out.Line("  the index links to %s, where they are now", store.PageName)
	}
}
