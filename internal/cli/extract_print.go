package cli

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/extract/keep"
	"dormouse/internal/term"
)

// printNotes prints what became of the candidates that were not printed yet.
func (x *extraction) printNotes(out *term.Out) {
	for _, r := range x.report.Notes[x.shown:] {
		out.Line("%s %s", out.In(term.Cyan, term.Pad(string(r.Action), 10)), term.Safe(x.paths(r.Text)))
		where := fmt.Sprintf("%s, line %d of session %s", r.Kind, r.Line, shortSession(r.Session))
		if r.File != "" {
			where = r.File + "; " + where
		}
		out.Line("%s %s", strings.Repeat(" ", 10), out.In(term.Faint, term.Safe(where)))
		if (r.Action != keep.Kept || len(r.Against) > 0) && r.Why != "" {
			out.Line("%s %s", strings.Repeat(" ", 10), term.Safe(r.Why))
		}
	}
	x.shown = len(x.report.Notes)
}

func (x *extraction) print(failed error) error {
	x.report.Problems = x.o.problemsOf(failed)
	if x.o.json {
		if err := printJSON(x.o.out, x.report); err != nil {
			return err
		}
		return x.o.said(failed)
	}
	out := x.o.people()
	x.printNotes(out)
	printMoved(out, x.report.MovedOut)
	words := []string{}
	for _, a := range []keep.Action{keep.Kept, keep.Confirmed, keep.Superseded, keep.Forgotten, keep.Review, keep.Waits, keep.Known, keep.Dropped} {
		if n := x.report.Counts[string(a)]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, a))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing worth keeping"}
		if failed != nil {
			words = []string{"nothing was written"}
		}
	}
	out.Line("%s read: %s", count(len(x.report.Sessions), "session"), strings.Join(words, ", "))
	if n := len(x.report.Dropped); n > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s looked worth it and not kept (--json says why)", count(n, "sentence"))))
	}
	if x.report.Skipped > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s read before (--all reads them again)", count(x.report.Skipped, "session"))))
	}
	// A retraction that is left to the person waits nowhere.
	if slices.ContainsFunc(x.report.Notes, func(r extractedRow) bool { return r.Action == keep.Review && (r.Change > 0 || x.o.dry) }) {
		out.Line("%s", out.In(term.Faint, "what waits: "+x.o.command("review")))
	}
	if x.o.dry {
		out.Line("nothing was written")
	}
	return x.o.said(failed)
}
