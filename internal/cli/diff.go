package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
)

func newDiff(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "diff [ID | NOTE | NOTE@A | NOTE@A NOTE@B]",
		Short: "Print what a change did, or how two states of a note differ",
		Long: `Prints a unified diff: of the last change, of change ID, of a note's last change, from
a note as it was after change A to now, or between two states. Into a pipe it prints the
exact bytes, so that patch can use it; on a terminal hidden characters show as escapes.

Exit status: 0; 1 when there is no such change or note; 2 for wrong use.`,
		Example: `  dormouse diff
  dormouse diff 12
  dormouse diff feedback_tests
  dormouse diff feedback_tests@3 feedback_tests@12`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usageError{fmt.Errorf("%s takes at most two states of a note, but got %d words", cmd.CommandPath(), len(args))}
			}
			return runDiff(c, args)
		},
	}
}

// diffReport is what diff --json prints.
type diffReport struct {
	Change int        `json:"change,omitempty"` // the change that is shown; 0: two states are compared
	Files  []fileDiff `json:"files"`
}

type fileDiff struct {
	File string `json:"file"`
	Mark string `json:"mark"`           // + made, - removed, ~ changed, = the same
	Diff string `json:"diff"`           // unified; "" when there is none
	Note string `json:"note,omitempty"` // why there is none
}

func runDiff(c *common, args []string) error {
	st, _, _, err := c.openStore()
	if err != nil {
		return err
	}
	defer release(st)
	_, looked := st.Look()
	res, err := diffOf(st, args)
	if err != nil {
		return err
	}
	if c.json {
		if err := printJSON(c.out, res); err != nil {
			return err
		}
	} else {
		printDiff(c.people(), res, isTerminal(c.io.Out))
	}
	return c.said(looked)
}

func diffOf(st *store.Store, args []string) (*diffReport, error) {
	if len(args) == 2 {
		return diffStates(st, args[0], args[1])
	}
	rel := ""
	if len(args) == 1 {
		if id, ok := changeID(args[0]); ok {
			return diffChange(st, id, "")
		}
		v, err := versionOf(st, args[0])
		switch {
		case errors.Is(err, store.ErrNoNote): // gone, but perhaps with a past
			if v.rel, err = resolvePast(st, args[0]); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, err
		case v.id > 0:
			return diffVersions(st, v, version{v.rel, 0})
		}
		rel = v.rel
	}
	return diffChange(st, 0, rel)
}

// diffChange shows one change, 0 being the last; with rel only that file of it.
func diffChange(st *store.Store, id int, rel string) (*diffReport, error) {
	entries, err := st.History(rel)
	if len(entries) == 0 && err != nil {
		return nil, err
	}
	var e *store.Entry
	switch {
	case id > 0:
		e = findEntry(entries, id)
	case len(entries) > 0:
		e = &entries[0]
	}
	switch {
	case e == nil && id > 0:
		return nil, fmt.Errorf("%d: %w; dormouse history lists them", id, store.ErrNoChange)
	case e == nil && rel != "":
		return nil, fmt.Errorf("no change of %s is recorded", rel)
	case e == nil:
		return nil, errors.New("no change is recorded")
	}
	res := &diffReport{Change: e.ID, Files: []fileDiff{}}
	for _, c := range e.Changes {
		if rel != "" && c.Path != rel {
			continue
		}
		from := kept(st, c.Before).labelled(c.Path, fmt.Sprintf("before change %d", e.ID))
		to := kept(st, c.After).labelled(c.Path, fmt.Sprintf("after change %d", e.ID))
		res.Files = append(res.Files, diffContents(c.Path, mark(c), from, to))
	}
	return res, nil
}

// content is one side of a diff.
type content struct {
	label string
	text  string
	none  bool  // there is no such file
	err   error // why its bytes cannot be told
}

// kept is what the journal has under a hash.
func kept(st *store.Store, hash string) content {
	if hash == "" {
		return content{none: true}
	}
	b, err := st.Content(hash)
	return content{text: string(b), err: err}
}

// labelled names a side as patch wants it: the file, and behind a tab what it
// is; no file is /dev/null.
func (c content) labelled(file, what string) content {
	c.label = term.Safe(file) + "\t" + what
	if c.none {
		c.label = "/dev/null"
	}
	return c
}

func diffContents(file, mark string, from, to content) fileDiff {
	d := fileDiff{File: file, Mark: mark}
	if err := cmp.Or(from.err, to.err); err != nil {
		d.Note = err.Error()
		return d
	}
	d.Diff = unified(from.label, to.label, from.text, to.text)
	if d.Diff == "" {
		d.Note = "no difference"
		if from.none != to.none {
			d.Note = "the file is empty"
		}
	}
	return d
}

// diffStates compares two words NOTE@A and NOTE@B; the second may be a note as
// it is now.
func diffStates(st *store.Store, a, b string) (*diffReport, error) {
	from, err := versionOf(st, a)
	if err != nil {
		return nil, err
	}
	to, err := versionOf(st, b)
	if err != nil {
		return nil, err
	}
	return diffVersions(st, from, to)
}

func diffVersions(st *store.Store, from, to version) (*diffReport, error) {
	a, err := contentAt(st, from)
	if err != nil {
		return nil, err
	}
	b, err := contentAt(st, to)
	if err != nil {
		return nil, err
	}
	sign := "~"
	switch {
	case a.none && !b.none:
		sign = "+"
	case b.none && !a.none:
		sign = "-"
	case a.err == nil && b.err == nil && a.text == b.text:
		sign = "="
	}
	return &diffReport{Files: []fileDiff{diffContents(to.rel, sign, a, b)}}, nil
}

// contentAt is a note in one state; that it was not there is a state too.
func contentAt(st *store.Store, v version) (content, error) {
	b, err := bytesAt(st, v)
	c := content{text: string(b)}
	switch {
	case errors.Is(err, store.ErrNoNote):
		c.none = true
	case errors.Is(err, store.ErrPurged), errors.Is(err, store.ErrNotKept):
		c.err = err
	case err != nil:
		return c, err
	}
	what := "now"
	if v.id > 0 {
		what = fmt.Sprintf("after change %d", v.id)
	}
	return c.labelled(v.rel, what), nil
}

func printDiff(out *term.Out, res *diffReport, terminal bool) {
	for _, f := range res.Files {
		if f.Note != "" {
			out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s: %s", term.Safe(f.File), term.Safe(f.Note))))
		}
		if !terminal {
			fmt.Fprint(out, f.Diff) // out remembers the error
			continue
		}
		body := 0 // lines of the head
		for line := range strings.Lines(f.Diff) {
			body++
			text := visible(strings.TrimSuffix(line, "\n"))
			if style := diffStyle(line, body <= 2); style != "" {
				text = out.In(style, text)
			}
			out.Line("%s", text)
		}
	}
}

func diffStyle(line string, head bool) term.Style {
	switch {
	case head:
		return term.Bold
	case line[0] == '@':
		return term.Cyan
	case line[0] == '+':
		return term.Green
	case line[0] == '-':
		return term.Red
	}
	return ""
}
