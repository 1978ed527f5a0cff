package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store"
)

func replaceStore(t *testing.T, files map[string]string) (*store.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	st, err := store.Open(store.Config{Dir: dir, State: filepath.Join(t.TempDir(), "state")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st, dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || w != v {
			return false
		}
	}
	return true
}

func TestManyFilesAreReplacedAsOneChangeThatUndoTakesBack(t *testing.T) {
	before := map[string]string{"a.md": "one\ntwo\nthree\n", "b.md": "gone soon\n", "MEMORY.md": "- [a](a.md)\n- [b](b.md)\n"}
	st, dir := replaceStore(t, before)
	by := store.By{Actor: store.Dream}
	done, err := st.Replace(by, []store.Replacement{
		{Rel: "a.md", Before: []byte(before["a.md"]), After: []byte("one\nTWO\nthree\n"), Origin: "outside"},
		{Rel: "b.md", Before: []byte(before["b.md"])},
		{Rel: "c.md", After: []byte("new\n"), From: []store.Source{{Hash: store.HashOf([]byte(before["b.md"])), Note: "b.md"}}},
		{Rel: "MEMORY.md", Before: []byte(before["MEMORY.md"]), After: []byte("- [a](a.md)\n- [c](c.md)\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.md": "one\nTWO\nthree\n", "c.md": "new\n", "MEMORY.md": "- [a](a.md)\n- [c](c.md)\n"}
	if got := held(t, dir); !equal(got, want) {
		t.Fatalf("%q", got)
	}
	history, err := st.History("c.md")
	if err != nil || len(history) == 0 || len(history[0].Changes) != 4 {
		t.Fatalf("%v %v", history, err)
	}
	for _, c := range history[0].Changes {
		if c.Path == "c.md" && (len(c.From) != 1 || c.From[0].Note != "b.md") {
			t.Errorf("c.md was made from %v", c.From)
		}
	}
	if _, err := st.Undo(store.By{Actor: store.Human}, done.ID, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if got := held(t, dir); !equal(got, before) {
		t.Errorf("after undo %q", got)
	}
}

func TestWhatAnotherProgramWroteMeanwhileIsNotLostByAReplacement(t *testing.T) {
	before := map[string]string{"a.md": "one\ntwo\nthree\n", "b.md": "b\n", "MEMORY.md": "- [a](a.md)\n"}
	t.Run("in other lines both stay", func(t *testing.T) {
		st, dir := replaceStore(t, before)
		write(t, dir, "a.md", "one\ntwo\nthree\nfour\n")
		done, err := st.Replace(store.By{Actor: store.Dream}, []store.Replacement{{Rel: "a.md", Before: []byte(before["a.md"]), After: []byte("ONE\ntwo\nthree\n")}})
		if err != nil {
			t.Fatal(err)
		}
		if got := held(t, dir)["a.md"]; got != "ONE\ntwo\nthree\nfour\n" || !strings.Contains(strings.Join(done.Said, " "), "a.md") {
			t.Errorf("%q, %v", got, done.Said)
		}
	})
	for name, change := range map[string]store.Replacement{
		"in the same lines nothing is written":          {Rel: "a.md", Before: []byte(before["a.md"]), After: []byte("ONE\ntwo\nthree\n")},
		"a note that was changed does not go":           {Rel: "a.md", Before: []byte(before["a.md"])},
		"a note that is there by now is not replaced":   {Rel: "b.md", After: []byte("mine\n")},
		"a note that went meanwhile does not come back": {Rel: "c.md", Before: []byte("c\n"), After: []byte("C\n")},
	} {
		t.Run(name, func(t *testing.T) {
			st, dir := replaceStore(t, before)
			write(t, dir, "a.md", "eins\ntwo\nthree\n")
			was := held(t, dir)
			_, err := st.Replace(store.By{Actor: store.Dream}, []store.Replacement{{Rel: "MEMORY.md", Before: []byte(before["MEMORY.md"]), After: []byte("- [b](b.md)\n")}, change})
			if !errors.Is(err, store.ErrConflict) || !strings.Contains(err.Error(), change.Rel) {
				t.Errorf("error %v", err)
			}
			if got := held(t, dir); !equal(got, was) {
				t.Errorf("%q", got)
			}
		})
	}
}
