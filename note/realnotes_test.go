package note

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// realFiles reads the notes and indexes that agents wrote in real projects. They
// are not ours to copy, so they stand beside the repository.
func realFiles(t *testing.T) (notes, indexes map[string][]byte) {
	t.Helper()
	data := os.Getenv("DATA")
	if data == "" {
		data = "../../shared/data"
	}
	notes, indexes = map[string][]byte{}, map[string][]byte{}
	root := filepath.Join(data, "notes")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		b, err := os.ReadFile(path)
		if e.Name() == "MEMORY.md" {
			indexes[path] = b
		} else {
			notes[path] = b
		}
		return err
	})
	if err != nil {
		t.Skipf("no real notes in %s (set DATA): %v", root, err)
	}
	if len(notes) == 0 || len(indexes) == 0 {
		t.Fatalf("%d notes and %d indexes in %s", len(notes), len(indexes), root)
	}
	return notes, indexes
}

func TestRealNotesAreReadWhole(t *testing.T) {
	notes, _ := realFiles(t)
	links := 0
	for path, b := range notes {
		n := Parse(b)
		if n.Name() == "" || n.Description() == "" || n.Type() == "" || !n.Editable() || len(n.Body()) == 0 {
			t.Errorf("%s: name %q, description %q, type %q, problems %v", path, n.Name(), n.Description(), n.Type(), n.Problems)
		}
		for _, l := range n.Links() {
			links++
			if s := string(b[l.Offset:l.End]); !strings.Contains(s, l.Target) || lineOf(b, l.Offset) != l.Line {
				t.Errorf("%s: the place of %+v is %q", path, l, s)
			}
		}
	}
	t.Logf("%d notes, %d links", len(notes), links)
}

func TestEditsOfRealNotesChangeOneFieldOnly(t *testing.T) {
	notes, _ := realFiles(t)
	var seen tally
	for path, b := range notes {
		rapid.Check(t, func(rt *rapid.T) {
			key, value := drawKey().Draw(rt, "key"), awkward().Draw(rt, "value")
			checkSet(rt, drawnNote{text: string(b)}, key, value, &seen)
			n := Parse(b)
			if text, ok := n.Text(key); ok && plainOrNeeded(n, key) && !n.Reverts(key, value) {
				rt.Fatalf("%s: setting %s (%q) to %q and back does not give the bytes of before", path, key, text, value)
			}
			out, err := n.SetBody(string(n.Body()) + "more\n")
			if err != nil || !bytes.HasPrefix(out, bytes.TrimRight(b, "\n")) {
				rt.Fatalf("%s: %v", path, err)
			}
		})
	}
	t.Logf("%d notes: %d edits, %d refused, %d set back to the same bytes", len(notes), seen.edits, seen.refused, seen.back)
	if seen.refused > 0 || seen.edits == 0 {
		t.Errorf("%d of %d edits were refused", seen.refused, seen.edits)
	}
}

// plainOrNeeded reports whether a value is written as Set would write it.
func plainOrNeeded(n *Note, key string) bool {
	f, _ := n.Field(key)
	l := n.layout(f)
	return l.comment() == "" && l.text == scalar(f.Value.Text)
}

func TestEditsOfRealIndexesChangeOneLineOnly(t *testing.T) {
	_, indexes := realFiles(t)
	entries, edits := 0, 0
	for path, b := range indexes {
		x := ReadIndex(b)
		entries += x.entries()
		rapid.Check(t, func(rt *rapid.T) {
			l := Line{File: "new-note.md", Title: awkward().Draw(rt, "title"), Hook: awkward().Draw(rt, "hook"), Section: "project"}
			if !checkInsert(rt, b, l) {
				rt.Fatalf("%s: no line was put in", path)
			}
			edits++
			for _, r := range x.rows {
				if r.isEntry() && checkIndexEdits(rt, b, r.files[0], awkward().Draw(rt, "new hook")) {
					edits++
				}
			}
		})
		for _, e := range ParseIndex(string(b)) {
			if got := strings.TrimSpace(string(b[e.Start:e.End])); got != e.Text {
				t.Errorf("%s: the place of %q is %q", path, e.Text, got)
			}
		}
	}
	t.Logf("%d indexes with %d entries, %d edits", len(indexes), entries, edits)
}
