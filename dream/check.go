package dream

import (
	"bytes"
	"fmt"
	"strings"

	"dormouse/note"
	"dormouse/store"
)

// check holds the result against the input. What fails here is a fault of ours,
// and then nothing of the dream is handed out.
func check(in *Input, d *desk, r *Result) error {
	notes := map[string]*Note{}
	for i := range in.Notes {
		notes[in.Notes[i].Rel] = &in.Notes[i]
	}
	files := map[string][]byte{}
	for _, f := range r.Files {
		if _, twice := files[f.Rel]; twice {
			return fmt.Errorf("the dream would write %s twice", f.Rel)
		}
		if notes[f.Rel] == nil && !f.List && store.ValidName(f.Rel) != nil {
			return fmt.Errorf("the dream would write %s, which is no name for a note", f.Rel)
		}
		files[f.Rel] = f.Bytes
		if f.masked != nil {
			files[f.Rel] = f.masked
		}
	}
	archive := map[string][]byte{}
	for _, a := range r.Archive {
		archive[a.Rel] = a.Bytes
	}
	for _, row := range d.rows {
		if row.To == "" {
			return fmt.Errorf("the dream lost %s:%d: nothing says where it is", row.File, row.Line)
		}
		text := row.Now
		if text == "" {
			text = row.Claim
		}
		b, ok := files[row.To]
		if row.Gone {
			b, ok = archive[row.To]
		}
		if !ok {
			return fmt.Errorf("the dream lost %s:%d: there is no %s", row.File, row.Line, row.To)
		}
		if row.Field == "" && !holds(b, text) {
			return fmt.Errorf("the dream lost %s:%d: %s does not hold %q", row.File, row.Line, row.To, text)
		}
	}
	for _, f := range r.Files {
		for _, of := range f.Of {
			if n := notes[of]; n != nil && !n.Origin.AtLeast(f.Origin) {
				return fmt.Errorf("%s would be trusted more than %s, of which it was made", f.Rel, of)
			}
		}
	}
	return reachable(r, files)
}

// holds reports whether a file says a statement, white space and line ends aside.
func holds(b []byte, text string) bool {
	if text == "" || bytes.Contains(b, []byte(text)) {
		return true
	}
	return strings.Contains(bare(string(b)), bare(text))
}

// bare is a text's letters and digits.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if letterOrDigit(r) {
			return r
		}
		return -1
	}, s)
}

// reachable checks that every note that a session may be told of has a line in the
// index, or on a page that the index links to.
func reachable(r *Result, files map[string][]byte) error {
	listed := map[string]bool{}
	index := note.ReadIndex(files[store.IndexName])
	for rel := range index.Lines() {
		listed[rel] = true
	}
	for _, f := range r.Files {
		if f.List && f.Rel != store.IndexName {
			if !listed[f.Rel] {
				return fmt.Errorf("the index would not link to %s", f.Rel)
			}
			for rel := range note.ReadIndex(f.Bytes).Lines() {
				listed[rel] = true
			}
		}
	}
	for _, f := range r.Files {
		if !f.List && !listed[f.Rel] && !f.hidden {
			return fmt.Errorf("nothing would lead to %s", f.Rel)
		}
	}
	return nil
}
