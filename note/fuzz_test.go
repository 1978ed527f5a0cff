package note

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// The seeds of these targets stand in testdata/fuzz.

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		n := Parse(b)
		lines := bytes.Count(b, []byte("\n")) + 1
		for _, p := range n.Problems {
			if p.Line < 0 || p.Line > lines || p.Text == "" {
				t.Errorf("problem without a place: %+v", p)
			}
		}
		for _, x := range n.Fields {
			if x.Line < 1 || x.Line > lines || x.Start >= 0 && (x.End <= x.Start || x.End > len(b) || lineOf(b, x.Start) != x.Line) {
				t.Errorf("field without a place: %+v", x)
			}
		}
		for _, l := range n.Links() {
			if l.Offset < 0 || l.End > len(b) || lineOf(b, l.Offset) != l.Line || l.Column < 1 || !strings.Contains(string(b[l.Offset:l.End]), l.Target) {
				t.Errorf("link without a place: %+v", l)
			}
		}
		n.Line("f.md")
		n.Editable()
		if !bytes.Equal(b, before) {
			t.Error("the bytes were written to")
		}
	})
}

func FuzzSet(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, key, value string) {
		var seen tally
		checkSet(t, drawnNote{text: string(b)}, key, value, &seen)
		n := Parse(b)
		if out, err := n.Remove(key); err == nil {
			if after := Parse(out); after.exact(n.Fields[n.index(key)].Key) >= 0 || !isSubsequence(out, b) || !bytes.Equal(after.Body(), n.Body()) {
				t.Fatalf("%q -> %q without %s", b, out, key)
			}
		}
		for _, edit := range []func() ([]byte, error){
			func() ([]byte, error) { return n.SetBody(value) },
			func() ([]byte, error) { return n.Append(value) },
			func() ([]byte, error) { return n.SetLine(n.BodyLine(), value) },
		} {
			out, err := edit()
			if err == nil && !bytes.HasPrefix(out, b[:n.afterAt]) {
				t.Fatalf("%q -> %q: the head changed", b, out)
			}
			if err != nil && !errors.Is(err, ErrLocked) && !errors.Is(err, ErrEntangled) && !errors.Is(err, ErrValue) {
				t.Fatal(err)
			}
		}
	})
}

func FuzzIndexEdit(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, file, hook, section string) {
		checkInsert(t, b, Line{File: "new note.md", Title: hook, Hook: hook, Section: section})
		checkIndexEdits(t, b, file, hook)
		x := ReadIndex(b)
		if out, err := x.Remove(file); err == nil && (ReadIndex(out).Has(file) || !isSubsequence(out, b)) {
			t.Fatalf("%q -> %q without %s", b, out, file)
		}
	})
}
