package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestNotesListsWhatCountsAsANote(t *testing.T) {
	dir := t.TempDir()
	at := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	for _, name := range []string{"a.md", "sub/b.md", "sub/deep/c.md", "MEMORY.md", "sub/MEMORY.md", "notes.txt", "D.MD", ".hidden.md", ".git/x.md"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	notes, err := Notes(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range notes {
		got = append(got, n.Rel)
		if !n.Mod.Equal(at) {
			t.Errorf("%s: file time %v, want %v", n.Rel, n.Mod, at)
		}
	}
	slices.Sort(got)
	if want := []string{"a.md", "sub/b.md", "sub/deep/c.md"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestNotesOfNoFolderIsAnError(t *testing.T) {
	if _, err := Notes(filepath.Join(t.TempDir(), "none"), true); err == nil {
		t.Error("no error")
	}
}
