package cli

import (
	"fmt"
	"strings"

	"dormouse/internal/term"
	"dormouse/store"
)

func printIndex(out *term.Out, r *indexReport, done *store.Done, room bool) {
	if done != nil {
		printFixed(out, done)
	}
	switch {
	case !r.Exists && r.Notes > 0:
		out.Line("there is no index: the client makes one from the notes, until there is")
	case !r.Exists:
		out.Line("no index and no notes in %s", term.Safe(r.Store))
	case r.flaws() == 0:
		out.Line("%s", out.In(term.Green, fmt.Sprintf("the index and %s agree", count(r.Notes, "note"))))
	}
	if r.Locked != "" {
		out.Line("  %s", out.In(term.Yellow, term.Safe(r.Locked)))
	}
	printFlaws(out, "names a note that is not there", r.Dead)
	printFlaws(out, "leads out of the memory folder", r.Escaping)
	printFlaws(out, "no line of the index leads to it", r.Orphans)
	printFlaws(out, "has several lines", r.Duplicates)
	printFlaws(out, "cannot be read", r.Unreadable)
	for _, f := range r.Marked {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("  %s: %s is marked as missing", at(store.IndexName, f.Line), term.Safe(f.File))))
	}
	for _, f := range r.Ignored {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("  ignored: %s (%s)", term.Safe(f.File), f.Why)))
	}
	if done == nil && len(r.Dead)+len(r.Orphans) > 0 && r.Locked == "" {
		out.Line("add the missing lines and mark the dead ones: %s", out.In(term.Cyan, "dormouse index --fix"))
	}
	if done != nil && len(r.Orphans) > 0 && !room && r.Locked == "" {
		out.Line("make room for the rest: %s", out.In(term.Cyan, "dormouse index --fix --make-room"))
	}
	if len(r.Escaping)+len(r.Duplicates) > 0 {
		out.Line("lines that lead out, and double ones, are yours to remove: dormouse edit MEMORY.md")
	}
}

func printFlaws(out *term.Out, what string, flaws []indexFlaw) {
	for _, f := range flaws {
		where := term.Safe(f.File)
		if f.Line > 0 {
			where = fmt.Sprintf("%s: %s", at(store.IndexName, f.Line), where)
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

func printFixed(out *term.Out, done *store.Done) {
	if done.ID == 0 {
		out.Line("there was nothing to mend")
	} else {
		out.Line("the index is mended")
	}
	printDone(out, done)
}
