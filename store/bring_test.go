package store_test

import (
	"errors"
	"strings"
	"testing"

	"dormouse/store"
)

func TestNotesFromElsewhereTakeTheirLinesAlong(t *testing.T) {
	before := map[string]string{
		"a.md": "---\nname: a\ndescription: Old words.\n---\nText.\n", "b.md": "Gone soon.\n",
		"MEMORY.md": "- [a](a.md) — Old words.\n- [b](b.md)\n",
	}
	st, dir := replaceStore(t, before)
	done, err := st.Bring(store.By{Actor: store.Human}, "pull", []store.Replacement{
		{Rel: "a.md", Before: []byte(before["a.md"]), After: []byte(strings.Replace(before["a.md"], "Old", "New", 1))},
		{Rel: "b.md", Before: []byte(before["b.md"])},
		{Rel: "c.md", After: []byte("---\nname: c\ndescription: A third.\n---\nMore.\n")},
	}, store.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	index := held(t, dir)["MEMORY.md"]
	if !strings.Contains(index, "New words.") || strings.Contains(index, "b.md") || !strings.Contains(index, "(c.md)") {
		t.Errorf("the index is %q", index)
	}
	history, err := st.History("")
	if err != nil || history[0].Op != "pull" || len(history[0].Changes) != 4 {
		t.Errorf("%+v %v", history[0], err)
	}
	if _, err := st.Undo(store.By{Actor: store.Human}, done.ID, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if got := held(t, dir); !equal(got, before) {
		t.Errorf("after undo %q", got)
	}
}

func TestWhatCannotBeBroughtLeavesAllAsItIs(t *testing.T) {
	before := map[string]string{"a.md": "one\n", "sub/b.md": "two\n", "MEMORY.md": "- [a](a.md)\n"}
	for name, tt := range map[string]struct {
		change store.Replacement
		want   error
	}{
		"the index":                     {store.Replacement{Rel: "MEMORY.md", After: []byte("x\n")}, store.ErrNoNote},
		"a note that changed meanwhile": {store.Replacement{Rel: "a.md", Before: []byte("eins\n"), After: []byte("uno\n")}, store.ErrConflict},
		"a note that is there":          {store.Replacement{Rel: "a.md", After: []byte("mine\n")}, store.ErrConflict},
		"a name that is none":           {store.Replacement{Rel: "No Name.md", After: []byte("mine\n")}, store.ErrName},
		"a path that leads out":         {store.Replacement{Rel: "../x.md", After: []byte("mine\n")}, store.ErrName},
		"a new note in a folder":        {store.Replacement{Rel: "sub/c.md", After: []byte("mine\n")}, store.ErrName},
	} {
		t.Run(name, func(t *testing.T) {
			st, dir := replaceStore(t, before)
			_, err := st.Bring(store.By{Actor: store.Sync}, "pull", []store.Replacement{{Rel: "d.md", After: []byte("fine\n")}, tt.change}, store.Refuse)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v", err)
			}
			if got := held(t, dir); !equal(got, before) {
				t.Errorf("%q", got)
			}
		})
	}
	t.Run("what lies in a folder already is changed there", func(t *testing.T) {
		st, dir := replaceStore(t, before)
		if _, err := st.Bring(store.By{Actor: store.Sync}, "pull", []store.Replacement{{Rel: "sub/b.md", Before: []byte("two\n"), After: []byte("zwei\n")}}, store.Refuse); err != nil {
			t.Fatal(err)
		}
		if got := held(t, dir)["sub/b.md"]; got != "zwei\n" {
			t.Errorf("%q", got)
		}
	})
}
