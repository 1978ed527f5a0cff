package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/note"
)

// human makes the changes of most tests.
var human = By{Actor: Human}

// loads are the limits of the client that the tests are about.
var loads = Limits{Lines: 200, Units: 25_000, WantLines: 140, WantUnits: 17_500}

// lay makes a memory folder with files and opens the store on it.
func lay(t *testing.T, files map[string]string) *Store {
	t.Helper()
	return open(t, layIn(t, t.TempDir(), files))
}

func layIn(t testing.TB, root string, files map[string]string) Config {
	t.Helper()
	dir := filepath.Join(root, "memory")
	for rel, text := range files {
		path := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Config{Dir: dir, State: filepath.Join(root, "state"), Limits: loads}
}

func open(t testing.TB, c Config) *Store {
	t.Helper()
	s, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // only read
	return s
}

// on is the folder's content: every file with its text.
func on(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

func newNote(t *testing.T, name, description string) New {
	t.Helper()
	b, err := note.New(note.Fields{Name: name, Description: description, Type: "project"}, description+".")
	if err != nil {
		t.Fatal(err)
	}
	return New{File: name + ".md", Bytes: b, Line: note.Line{Title: name, Hook: description, Section: "project"}}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func add(t *testing.T, s *Store, name, description string) *Done {
	t.Helper()
	return must[*Done](t)(s.Add(human, newNote(t, name, description), Refuse))
}

func TestANoteAndItsLineComeAndGoTogether(t *testing.T) {
	s := lay(t, nil)
	done := add(t, s, "db-port", "the database listens on 5433")
	if done.ID != 1 || len(done.Changes) != 2 {
		t.Errorf("done: %+v", done)
	}
	got := on(t, s.Dir())
	if len(got) != 2 || got[IndexName] != "- [db-port](db-port.md) — the database listens on 5433\n" {
		t.Errorf("folder: %q", got)
	}
	info, err := os.Stat(s.Dir())
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of the folder: %v, %v", info.Mode(), err)
	}
	before := on(t, s.Dir())
	must[*Done](t)(s.Forget(human, "db-port.md"))
	if diff := cmp.Diff(map[string]string{IndexName: ""}, on(t, s.Dir())); diff != "" {
		t.Error(diff)
	}
	undone := must[*Done](t)(s.Undo(human, 0, Refuse))
	if diff := cmp.Diff(before, on(t, s.Dir())); diff != "" {
		t.Error(diff)
	}
	must[*Done](t)(s.Undo(human, undone.ID, Refuse))
	if diff := cmp.Diff(map[string]string{IndexName: ""}, on(t, s.Dir())); diff != "" {
		t.Error("undo of the undo:", diff)
	}
}

func TestHistoryTellsWhoDidWhat(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	c := layIn(t, t.TempDir(), map[string]string{"old.md": "old\n"})
	c.Now = func() time.Time { return at }
	s := open(t, c)
	must[*Done](t)(s.Add(By{Actor: Agent, Session: "s-1"}, newNote(t, "a", "about a"), Refuse))
	if err := os.WriteFile(filepath.Join(s.Dir(), "old.md"), []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e := must[*Entry](t)(s.Look()); e == nil || e.Actor != Outside || e.Op != "change" {
		t.Fatalf("look: %+v", e)
	}
	if e := must[*Entry](t)(s.Look()); e != nil {
		t.Errorf("a second look found %+v", e)
	}
	type row struct {
		ID    int
		Actor Actor
		Op    string
		Files string
	}
	var got []row
	for _, e := range must[[]Entry](t)(s.History("")) {
		var files []string
		for _, c := range e.Changes {
			files = append(files, c.Path)
		}
		got = append(got, row{e.ID, e.Actor, e.Op, strings.Join(files, " ")})
		if !e.Time.Equal(at) {
			t.Errorf("time %v", e.Time)
		}
	}
	want := []row{{3, Outside, "change", "old.md"}, {2, Agent, "remember", "a.md MEMORY.md"}, {1, Outside, "seen", "old.md"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b := must[[]byte](t)(s.At("old.md", 2)); string(b) != "old\n" {
		t.Errorf("old.md@2 is %q", b)
	}
	must[*Done](t)(s.Undo(human, 3, Refuse))
	if b := must[[]byte](t)(s.Read("old.md")); string(b) != "old\n" {
		t.Errorf("after undoing the outside change: %q", b)
	}
	if _, err := s.Undo(human, 1, Refuse); !errors.Is(err, ErrFirstLook) {
		t.Errorf("undoing the first look: %v", err)
	}
}
