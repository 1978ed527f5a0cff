package syncer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"dormouse/store"
	"dormouse/trust"
)

// Folder is a memory folder as a side. What comes into it is written by the actor
// Sync, so that the store's gate keeps it from sessions until a person approves it;
// all of it is one change that can be undone. The index is no note: a store gives its
// notes their lines by itself.
type Folder struct {
	Store *store.Store
	// Held are the notes that may not load, with the reason: they do not leave.
	Held map[string]string

	// Said are remarks for the person; Changes the numbers in the journal.
	Said    []string
	Changes []int

	texts map[string][]byte
	named map[string]map[string]bool // names of texts, by hash
}

var _ Side = (*Folder)(nil)

// List reads the notes.
func (f *Folder) List(context.Context) ([]File, error) {
	items, err := f.Store.List()
	if err != nil {
		return nil, err
	}
	f.texts = make(map[string][]byte, len(items))
	out := make([]File, 0, len(items))
	for _, it := range items {
		switch {
		case it.Note == nil:
			out = append(out, File{Path: it.Rel, Why: "it can't be read: " + it.Err.Error()})
		case store.IsPage(it.Rel, it.Note.Bytes()):
		default:
			f.texts[it.Rel] = it.Note.Bytes()
			out = append(out, File{Path: it.Rel, Hash: store.HashOf(it.Note.Bytes()), Why: f.Held[it.Rel]})
		}
	}
	return out, nil
}

// Each calls do for each note that may leave, as the list has seen it.
func (f *Folder) Each(do func(rel string, text []byte)) {
	for _, rel := range slices.Sorted(maps.Keys(f.texts)) {
		if f.Held[rel] == "" {
			do(rel, f.texts[rel])
		}
	}
}

// Read returns what the list has seen.
func (f *Folder) Read(_ context.Context, files []File) (map[string][]byte, error) {
	out := make(map[string][]byte, len(files))
	for _, file := range files {
		if text, ok := f.texts[file.Path]; ok {
			out[file.Path] = text
		}
	}
	return out, nil
}

// Holds tells why a new note can't have a path. A name is a text as well: what may load
// here under the name that somebody here gave it does not get another one from a server.
func (f *Folder) Holds(file File) error {
	if err := store.CanHold(file.Path); err != nil {
		return err
	}
	if f.named == nil {
		if err := f.names(); err != nil {
			return err
		}
	}
	if here := f.named[file.Hash]; len(here) > 0 && !here[file.Path] {
		return errors.New("a text that is known here keeps the name that it has here")
	}
	return nil
}

// names notes under which names the texts are known that did not come from elsewhere, or
// that a person approved.
func (f *Folder) names() error {
	history, err := f.Store.History("")
	if err != nil {
		return err
	}
	f.named = map[string]map[string]bool{}
	for _, e := range history {
		if e.Actor == store.Sync {
			continue
		}
		for _, c := range slices.Concat(e.Changes, e.Marks) {
			if c.After == "" {
				continue
			}
			if f.named[c.After] == nil {
				f.named[c.After] = map[string]bool{}
			}
			f.named[c.After][c.Path] = true
		}
	}
	return nil
}

// Apply brings the notes in, all as one change; where that is refused, one by one, so
// that one bad note keeps no other away.
func (f *Folder) Apply(_ context.Context, changes []Change) []Applied {
	out := make([]Applied, len(changes))
	var all []store.Replacement
	var sound []int
	for n, c := range changes {
		list, err := f.replacements(c)
		if err != nil {
			out[n].Err = err
			continue
		}
		out[n].File = applied(c)
		all, sound = append(all, list...), append(sound, n)
	}
	if len(all) == 0 || f.bring(all) == nil {
		return out
	}
	for _, n := range sound {
		list, err := f.replacements(changes[n])
		if err == nil && len(list) > 0 {
			err = f.bring(list)
		}
		if errors.Is(err, store.ErrConflict) {
			err = fmt.Errorf("it %w", ErrChanged)
		}
		if err != nil {
			out[n] = Applied{Err: err}
		}
	}
	return out
}

func applied(c Change) File {
	if c.Text == nil {
		return File{}
	}
	return File{Path: c.Path, Hash: store.HashOf(c.Text)}
}

func (f *Folder) bring(list []store.Replacement) error {
	done, err := f.Store.Bring(By(), trust.OpPull, list, store.MakeRoom)
	if err != nil {
		return err
	}
	f.Said = append(f.Said, done.Said...)
	if done.ID != 0 {
		f.Changes = append(f.Changes, done.ID)
	}
	return nil
}

// By is who writes what comes from another store.
func By() store.By { return store.By{Actor: store.Sync} }

// replacements are a change in the words of a store; none if it is done already.
func (f *Folder) replacements(c Change) ([]store.Replacement, error) {
	if c.Was.Hash == "" {
		return []store.Replacement{{Rel: c.Path, After: c.Text}}, nil
	}
	before, ok := f.texts[c.Was.Path]
	if !ok {
		return nil, fmt.Errorf("it %w", ErrChanged)
	}
	switch {
	case c.Was.Path != c.Path:
		return []store.Replacement{{Rel: c.Was.Path, Before: before}, {Rel: c.Path, After: c.Text}}, nil
	case c.Text != nil && bytes.Equal(before, c.Text):
		return nil, nil
	}
	return []store.Replacement{{Rel: c.Path, Before: before, After: c.Text}}, nil
}

// Keep puts a text into the journal, if it is not there, so that it can be merged with
// later.
func (f *Folder) Keep(path string, text []byte) error {
	if _, err := f.Store.Content(store.HashOf(text)); err == nil {
		return nil
	}
	_, err := f.Store.Record(By(), trust.OpPull, store.Mark{Path: path, Bytes: text})
	return err
}
