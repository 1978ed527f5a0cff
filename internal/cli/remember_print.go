package cli

import (
	"errors"
	"fmt"
	"strings"

	"dormouse/internal/term"
	"dormouse/store"
)

// rememberReport is what became of one note, as JSON.
type rememberReport struct {
	File        string `json:"file"` // relative to the store
	Path        string `json:"path"`
	Name        string `json:"name"`
	Type        string `json:"type"`
	TypeGuessed bool   `json:"type_guessed"`
	TypeWhy     string `json:"type_why"`
	Description string `json:"description"`

	Change  int           `json:"change"` // in the journal; 0: nothing was written
	Updated bool          `json:"updated,omitempty"`
	DryRun  bool          `json:"dry_run,omitempty"`
	Note    string        `json:"note,omitempty"` // with --dry-run: its bytes
	Line    string        `json:"line,omitempty"` // of the index
	Import  *importReport `json:"import,omitempty"`

	Index    rememberIndex     `json:"index"`
	MovedOut []store.Candidate `json:"moved_out"`
	CouldGo  []store.Candidate `json:"could_go,omitempty"` // what would make room

	Loads     bool       `json:"loads"`
	LoadsLine int        `json:"loads_line,omitempty"`
	InTheWay  string     `json:"in_the_way"`
	Same      []sameNote `json:"same"`
	Said      []string   `json:"said"`
	Refused   string     `json:"refused,omitempty"` // why nothing was written
}

// rememberIndex is the index after the write, against what loads of it.
type rememberIndex struct {
	Lines      int `json:"lines"`
	LinesLimit int `json:"lines_limit,omitempty"`
	Units      int `json:"chars"` // UTF-16 units
	UnitsLimit int `json:"chars_limit,omitempty"`
}

// importReport is the line by which every session comes to see the notes.
type importReport struct {
	Path  string `json:"path"`
	Line  string `json:"line"`
	Added bool   `json:"added"` // by this command
}

func newRememberReport() *rememberReport {
	return &rememberReport{MovedOut: []store.Candidate{}, Same: []sameNote{}, Said: []string{}}
}

func (r *rememberReport) say(format string, args ...any) {
	r.Said = append(r.Said, fmt.Sprintf(format, args...))
}

// done takes over what the store did.
func (r *rememberReport) done(d *store.Done) {
	r.Change, r.MovedOut = d.ID, orEmpty(d.MovedOut)
	r.Index.Lines, r.Index.Units = d.Index.Lines, d.Index.Units
	r.Said = append(r.Said, d.Said...) // its hints are completed where they are told
}

// finish proves what was written, prints it all, and ends with err or with what
// is in the way.
func (o *rememberOptions) finish(p *place, reps []*rememberReport, err error) error {
	refused, isRefused := errors.AsType[errRefused](err)
	if err != nil && (len(reps) == 0 || reps[0] == nil) {
		return err
	}
	blocked, perr := o.proveAll(p, reps)
	if isRefused {
		for _, r := range reps {
			if r.Change == 0 {
				r.Refused = o.hinted(refused.why)
			}
		}
	}
	for _, r := range reps {
		for i := range r.Said {
			r.Said[i] = o.hinted(r.Said[i])
		}
	}
	if o.json {
		if jerr := o.printRememberJSON(reps); jerr != nil {
			return jerr
		}
	} else {
		out, show := o.people(), pathPrinter(p.session)
		for _, r := range reps {
			printRemembered(out, r, p, show)
		}
	}
	if said := o.said(err, perr); said != nil {
		return said
	}
	if blocked {
		return errFound
	}
	return nil
}

func (o *rememberOptions) printRememberJSON(reps []*rememberReport) error {
	if o.split {
		return printJSON(o.out, map[string]any{"notes": reps})
	}
	return printJSON(o.out, reps[0])
}

// proveAll fills in what a session would see; blocked tells that one of the
// notes is not seen though it should be.
func (o *rememberOptions) proveAll(p *place, reps []*rememberReport) (blocked bool, err error) {
	limits := p.limits()
	var prove func(string) proof
	for _, r := range reps {
		r.Index.LinesLimit, r.Index.UnitsLimit = limits.Lines, limits.Units
		if r.DryRun || r.Change == 0 {
			continue
		}
		if prove == nil {
			if prove, err = o.prove(p); err != nil {
				return true, fmt.Errorf("the note is written, but what a session here would see cannot be told: %w", err)
			}
		}
		pr := prove(r.File)
		r.Loads, r.LoadsLine, r.InTheWay = pr.loads, pr.line, pr.way
		_, r.Line = lineOf(string(p.index), r.File)
		blocked = blocked || !pr.loads && !pr.asked
	}
	return blocked, nil
}

func printRemembered(out *term.Out, r *rememberReport, p *place, show func(string) string) {
	switch {
	case len(r.Same) > 0:
		printSame(out, r)
		return
	case len(r.CouldGo) > 0:
		out.Line("%s", out.In(term.Bold, "The index is full. What could go:"))
		for _, c := range r.CouldGo {
			out.Line("  %s %s", term.Safe(c.Text), out.In(term.Faint, "("+term.Safe(c.Why)+")"))
		}
		return
	case r.DryRun:
		printPretended(out, r, show)
	case r.Change == 0:
		return
	default:
		word := "Remembered"
		if r.Updated {
			word = "Updated"
		}
		out.Line("%s", out.In(term.Bold, word+" "+term.Safe(r.File))+guessedWords(r))
		if r.Description != "" {
			out.Line("  %s", term.Safe(r.Description))
		}
	}
	printAround(out, r, show)
	if !r.DryRun {
		printProof(out, r, p, show)
	}
}

func guessedWords(r *rememberReport) string {
	switch {
	case r.Type == "":
		return ""
	case r.TypeGuessed && r.TypeWhy != "":
		return fmt.Sprintf(", type %s (guessed: %s)", term.Safe(r.Type), term.Safe(r.TypeWhy))
	case r.TypeGuessed:
		return fmt.Sprintf(", type %s (guessed)", term.Safe(r.Type))
	}
	return ", type " + term.Safe(r.Type)
}

func printSame(out *term.Out, r *rememberReport) {
	out.Line("%s", out.In(term.Bold, "On the same matter there is:"))
	for _, s := range r.Same {
		out.Line("  %s  %s", out.In(term.Cyan, term.Safe(s.File)), term.Safe(s.Description))
		if s.Line > 0 {
			out.Line("    line %d of %s: %s", s.Line, store.IndexName, term.Safe(s.Text))
		}
		if s.Why != "" {
			out.Line("    %s", out.In(term.Faint, term.Safe(s.Why)))
		}
	}
}

func printPretended(out *term.Out, r *rememberReport, show func(string) string) {
	word := "Would write "
	if r.Updated {
		word = "Would change "
	}
	out.Line("%s", out.In(term.Bold, word+show(r.Path))+guessedWords(r))
	if r.Updated && r.Description != "" {
		out.Line("with the description: %s", term.Safe(r.Description))
	}
	for l := range strings.Lines(r.Note) {
		out.Line("  %s", term.Safe(strings.TrimRight(l, "\r\n")))
	}
	if r.Line != "" {
		out.Line("and in %s: %s", store.IndexName, term.Safe(r.Line))
	}
}

// printAround says what else was done.
func printAround(out *term.Out, r *rememberReport, show func(string) string) {
	printMoved(out, r.MovedOut)
	if r.Import != nil && r.Import.Added {
		word := "gets"
		if !r.DryRun {
			word = "got"
		}
		out.Line("%s %s a line that loads these notes in every project: %s", show(r.Import.Path), word, term.Safe(r.Import.Line))
	}
	for _, s := range r.Said {
		out.Line("%s", show(s))
	}
}

// printProof says whether a session sees it, and how to take the note back.
func printProof(out *term.Out, r *rememberReport, p *place, show func(string) string) {
	where, every := store.IndexName, ""
	if p.global != nil {
		where, every = show(p.global.Dir)+"/"+store.IndexName, ", as in every project"
	}
	if r.Loads {
		out.Line("%s", out.In(term.Green, fmt.Sprintf("A session started in %s sees it%s: line %d of %s.", show(p.session.Cwd), every, r.LoadsLine, where)))
	} else {
		out.Line("%s", out.In(term.Yellow, "It is written, but not seen: "+term.Safe(r.InTheWay)+"."))
	}
	size := ""
	if r.Index.Lines > 0 && r.Index.LinesLimit > 0 {
		size = fmt.Sprintf("The index has %d of %d lines, %s of %s characters. ", r.Index.Lines, r.Index.LinesLimit, thousands(r.Index.Units), thousands(r.Index.UnitsLimit))
	}
	out.Line("%s", out.In(term.Faint, size+"Take it back: "+term.Safe(p.c.command(fmt.Sprintf("undo %d", r.Change)))))
}
