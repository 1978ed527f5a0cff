package cli

import (
	"fmt"
	"strings"

	"dormouse/internal/term"
	"dormouse/store"
)

func (o *indexOptions) printIndex(out *term.Out, r *indexReport, done *store.Done, show func(string) string) {
	if done != nil {
		o.printFixed(out, r.Fixed, done)
	}
	switch {
	case !r.Exists && r.Notes > 0:
		out.Line("there is no index: the client makes one from the notes, until there is")
	case !r.Exists:
		out.Line("no index and no notes in %s", show(r.Store))
	case r.flaws() == 0:
		out.Line("%s", out.In(term.Green, fmt.Sprintf("the index and %s agree", count(r.Notes, "note"))))
	case done != nil:
		out.Line("%s:", out.In(term.Yellow, count(r.flaws(), "fault")+" left"))
	}
	if r.Locked != "" {
		out.Line("  %s", out.In(term.Yellow, term.Safe(r.Locked)))
	}
	printFlaws(out, "names a note that is not there", r.Dead)
	printFlaws(out, "leads out of the memory folder", r.Escaping)
	printFlaws(out, "no line of the index leads to it", r.Orphans)
	printFlaws(out, "has several lines", r.Duplicates)
	printFlaws(out, "cannot be read", r.Unreadable)
	o.printKeptBack(out, r.Held)
	for _, f := range r.Marked {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("  %s: %s is marked as missing", at(store.IndexName, f.Line), term.Safe(f.File))))
	}
	for _, f := range r.Ignored {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("  ignored: %s (%s)", term.Safe(f.File), f.Why)))
	}
	if done == nil && len(r.Dead)+len(r.Orphans) > 0 && r.Locked == "" {
		out.Line("add the missing lines and mark the dead ones: %s", out.In(term.Cyan, term.Safe(o.command("index --fix"))))
	}
	if done != nil && len(r.Orphans) > 0 && !o.room && r.Locked == "" && done.Full {
		out.Line("make room for the rest: %s", out.In(term.Cyan, term.Safe(o.command("index --fix --make-room"))))
	}
	if len(r.Escaping)+len(r.Duplicates) > 0 {
		out.Line("lines that lead out, and double ones, are yours to remove: %s", term.Safe(o.command("edit "+store.IndexName)))
	}
}

func printFlaws(out *term.Out, what string, flaws []indexFlaw) {
	for _, f := range flaws {
		where := term.Safe(f.File)
		if f.Line > 0 {
			where = fmt.Sprintf("%s: %s", at(store.IndexName, f.Line), where)
		} else {
			where += ":"
		}
		words := what
		if f.Why != "" {
			words += ": " + f.Why
		}
		if len(f.More) > 0 {
			words += ": " + strings.Trim(fmt.Sprint(f.More), "[]")
		}
		out.Line("  %s %s", out.In(term.Yellow, where), term.Safe(words))
	}
}

func (o *indexOptions) printFixed(out *term.Out, fixed *fixedReport, done *store.Done) {
	if done.ID == 0 {
		out.Line("there was nothing to mend")
	} else {
		out.Line("the index is mended")
	}
	printFew(out, "added", fixed.Added)
	printFew(out, "marked as missing", fixed.Marked)
	printFew(out, "there again", fixed.Unmarked)
	o.printDone(out, done)
}

// printFew prints the first lines of a list and how many more there are.
func printFew(out *term.Out, what string, lines []string) {
	const few = 20
	for _, l := range lines[:min(few, len(lines))] {
		out.Line("  %s: %s", what, term.Safe(l))
	}
	if n := len(lines) - few; n > 0 {
		out.Line("  %s: %s", what, count(n, "more line"))
	}
}
