package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dormouse/store"
)

var overAPI = store.By{Actor: store.Sync, Session: "apikey_1"}

func TestAnExchangeIsOneChangeThatAnUndoTakesBack(t *testing.T) {
	before := map[string]string{"a.md": "one\n", "b.md": "two\n", "MEMORY.md": "- [a](a.md)\n- [b](b.md)\n"}
	st, dir := replaceStore(t, before)
	done, err := st.Exchange(overAPI, "rename", []store.Replacement{
		{Rel: "a.md", Before: []byte("one\n")},
		{Rel: "p/q/c.md", After: []byte("one\n"), From: []store.Source{{Note: "a.md", Hash: store.HashOf([]byte("one\n"))}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := held(t, dir), (map[string]string{"p/q/c.md": "one\n", "b.md": "two\n", "MEMORY.md": "- [b](b.md)\n"}); !equal(got, want) {
		t.Errorf("after the rename %q", got)
	}
	history, err := st.History("")
	if err != nil || history[0].Op != "rename" || history[0].Renamed()["p/q/c.md"] != "a.md" {
		t.Errorf("%+v %v", history[0], err)
	}
	if _, err := st.Undo(store.By{Actor: store.Human}, done.ID, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if got := held(t, dir); !equal(got, before) {
		t.Errorf("after undo %q", got)
	}
}

func TestANewNoteGetsNoLineAndNoOldOne(t *testing.T) {
	st, dir := replaceStore(t, map[string]string{"a.md": "one\n", "MEMORY.md": "- [a](a.md)\n- [gone](gone.md) — left here\n"})
	if _, err := st.Exchange(overAPI, "remember", []store.Replacement{{Rel: "gone.md", After: []byte("new words\n")}}); err != nil {
		t.Fatal(err)
	}
	if got := held(t, dir)["MEMORY.md"]; got != "- [a](a.md)\n" {
		t.Errorf("the index is %q", got)
	}
}

func TestWithoutAnIndexOneIsMadeThatDoesNotTellOfTheNewNote(t *testing.T) {
	st, dir := replaceStore(t, map[string]string{"a.md": "one\n"})
	if _, err := st.Exchange(overAPI, "remember", []store.Replacement{{Rel: "b.md", After: []byte("two\n")}}); err != nil {
		t.Fatal(err)
	}
	if got := held(t, dir)["MEMORY.md"]; got != "- [a](a.md) — one\n" {
		t.Errorf("the index is %q", got)
	}
}

func TestWhatIsNotAsItWasSaidIsNotExchanged(t *testing.T) {
	before := map[string]string{"a.md": "one\n", "p/b.md": "two\n", "MEMORY.md": "- [a](a.md)\n", "more-notes.md": "# More notes\n\n"}
	for name, tt := range map[string]struct {
		change store.Replacement
		want   error
	}{
		"the index":                         {store.Replacement{Rel: "MEMORY.md", After: []byte("x\n")}, store.ErrNoNote},
		"a page":                            {store.Replacement{Rel: "more-notes.md", Before: []byte("# More notes\n\n"), After: []byte("x\n")}, store.ErrNoNote},
		"a new page":                        {store.Replacement{Rel: "more-notes-x.md", After: []byte("# More notes: x\n")}, store.ErrNoNote},
		"a note in other lines":             {store.Replacement{Rel: "a.md", Before: []byte("one\nmore\n"), After: []byte("one\nless\n")}, store.ErrConflict},
		"a note that is not there":          {store.Replacement{Rel: "c.md", Before: []byte("c\n"), After: []byte("d\n")}, store.ErrConflict},
		"a note that is there, just so":     {store.Replacement{Rel: "a.md", After: []byte("one\n")}, store.ErrExists},
		"a note where a folder is":          {store.Replacement{Rel: "p", After: []byte("x\n")}, store.ErrName},
		"a note below a note":               {store.Replacement{Rel: "a.md/c.md", After: []byte("x\n")}, store.ErrExists},
		"a folder in another case":          {store.Replacement{Rel: "P/c.md", After: []byte("x\n")}, store.ErrName},
		"a path that leads out":             {store.Replacement{Rel: "../c.md", After: []byte("x\n")}, store.ErrName},
		"an absolute path":                  {store.Replacement{Rel: "/c.md", After: []byte("x\n")}, store.ErrName},
		"a hidden folder":                   {store.Replacement{Rel: ".git/c.md", After: []byte("x\n")}, store.ErrName},
		"an index of a folder":              {store.Replacement{Rel: "p/MEMORY.md", After: []byte("x\n")}, store.ErrName},
		"a name of a device":                {store.Replacement{Rel: "con/c.md", After: []byte("x\n")}, store.ErrName},
		"a folder that is a link elsewhere": {store.Replacement{Rel: "link/c.md", After: []byte("x\n")}, store.ErrUnsafe},
	} {
		t.Run(name, func(t *testing.T) {
			st, dir := replaceStore(t, before)
			if name == "a folder that is a link elsewhere" {
				if err := os.Symlink(t.TempDir(), filepath.Join(dir, "link")); err != nil {
					t.Skip("no links here: ", err)
				}
			}
			_, err := st.Exchange(overAPI, "edit", []store.Replacement{{Rel: "new.md", After: []byte("fine\n")}, tt.change})
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v", err)
			}
			_ = os.Remove(filepath.Join(dir, "link"))
			if got := held(t, dir); !equal(got, before) {
				t.Errorf("%q", got)
			}
		})
	}
}
