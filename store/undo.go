package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/internal/journal"
)

// Undo takes a change back; 0 is the last one that is not undone, and neither an
// undo nor made outside. An undo can be undone by its ID. What was changed in
// other lines since stays. Errors wrap ErrNoChange, ErrConflict (with the later
// changes), ErrPurged, ErrUndone, ErrFirstLook.
func (s *Store) Undo(by By, id int, room Room) (*Done, error) {
	if !s.j.Exists() {
		return nil, fmt.Errorf("nothing was written here yet: %w", ErrNoChange)
	}
	return s.write(by, opUndo, func(t *tx) error {
		l, err := s.j.Read()
		if err != nil {
			return err
		}
		shown := entries(l.Entries)
		e, err := toUndo(shown, id)
		if err != nil {
			return err
		}
		t.undoes, t.exact = e.ID, true
		for _, c := range slices.Backward(e.Changes) {
			if err := t.takeBackOne(c, e.ID, shown); err != nil {
				return err
			}
		}
		if len(t.changes) == 0 {
			return fmt.Errorf("change %d %w: the files are as they were before it", e.ID, ErrUndone)
		}
		if index, err := t.planned(IndexName); room && index != nil && err == nil {
			if index, err = t.roomFor(index, nil); err != nil {
				return err
			}
			return t.put(IndexName, index)
		}
		return nil
	})
}

// toUndo finds the entry that is meant. The newest comes first.
func toUndo(shown []Entry, id int) (Entry, error) {
	for _, e := range shown {
		own := e.Op != opUndo && e.Op != opPurge && e.Actor != Outside && e.UndoneBy == 0 && !e.Purged && len(e.Changes) > 0
		switch {
		case id == 0 && !own, id > 0 && e.ID != id:
			continue
		case e.Op == opSeen:
			return e, fmt.Errorf("change %d %w, so there is nothing before it", e.ID, ErrFirstLook)
		case e.Op == opPurge || e.Purged:
			return e, fmt.Errorf("change %d can't be undone: its text %w", e.ID, ErrPurged)
		case e.UndoneBy > 0:
			return e, fmt.Errorf("change %d %w, by change %d; undo that to have it again", e.ID, ErrUndone, e.UndoneBy)
		}
		return e, nil
	}
	if id == 0 {
		return Entry{}, fmt.Errorf("nothing is left to undo: %w", ErrNoChange)
	}
	return Entry{}, fmt.Errorf("%d: %w; dormouse history lists them", id, ErrNoChange)
}

// takeBackOne plans a file without what one change did to it.
func (t *tx) takeBackOne(c Change, id int, shown []Entry) error {
	now, err := t.get(c.Path)
	if err != nil {
		return err
	}
	hash := ""
	if now != nil {
		hash = journal.Hash(now)
	}
	if hash == c.Before {
		return nil // somebody took it back already
	}
	before, err := t.s.contentOf(c.Before)
	if err != nil {
		return fmt.Errorf("%s before change %d: %w", c.Path, id, err)
	}
	if hash == c.After {
		return t.put(c.Path, before)
	}
	t.exact = t.exact && c.Path != IndexName
	after, err := t.s.contentOf(c.After)
	if err != nil {
		return fmt.Errorf("%s after change %d: %w", c.Path, id, err)
	}
	if isList(c.Path, now) && now != nil {
		versions, err := t.s.versions(c.Path, shown)
		if err != nil {
			return err
		}
		return t.put(c.Path, revertList(now, before, after, versions))
	}
	if before != nil && after != nil && now != nil {
		if text, ok := merge(string(after), string(before), string(now)); ok {
			return t.put(c.Path, []byte(text))
		}
	}
	hand := "edit the note by hand"
	switch {
	case c.Before == "":
		hand = "forget the note: before the change it did not exist"
	case id > 1:
		hand += fmt.Sprintf(": before the change it was %s@%d", c.Path, id-1)
	}
	return fmt.Errorf("%s %w, by %s; undo that first, or %s", c.Path, ErrConflict, later(shown, c.Path, id), hand)
}

// later names the changes that touched a file after one.
func later(shown []Entry, rel string, id int) string {
	var out []string
	for _, e := range shown {
		if e.ID > id && slices.ContainsFunc(e.Changes, func(c Change) bool { return c.Path == rel }) {
			out = append(out, fmt.Sprintf("change %d (%s, %s)", e.ID, e.Op, e.Actor))
		}
	}
	if len(out) == 0 {
		return "another program"
	}
	return strings.Join(out, ", ")
}

// isList reports whether a file is the index or the page behind it: a list, whose
// lines can be put in and taken out one by one.
func isList(rel string, b []byte) bool { return rel == IndexName || isPage(rel, b) }

// History returns the journal, newest first; with rel only what touched that
// file. A damaged journal gives what can be read of it, and an error that wraps
// ErrBroken.
func (s *Store) History(rel string) ([]Entry, error) {
	l, err := s.j.Read()
	if err != nil {
		return nil, err
	}
	h, err := s.j.Head()
	broken := errors.Join(l.Check(h), err)
	out := entries(l.Entries)
	if rel != "" {
		out = slices.DeleteFunc(out, func(e Entry) bool {
			return !slices.ContainsFunc(e.Changes, func(c Change) bool { return c.Path == rel })
		})
	}
	return out, broken
}

// entries is what people are shown of the journal, newest first.
func entries(log []journal.Entry) []Entry {
	voided, undone := map[int]bool{}, map[int]int{}
	for _, e := range log {
		voided[e.Voids] = true
	}
	// From the newest back: an undo that was undone itself undoes nothing.
	for _, e := range slices.Backward(log) {
		if e.Undoes > 0 && undone[e.ID] == 0 && !voided[e.ID] {
			undone[e.Undoes] = e.ID
		}
	}
	out := make([]Entry, 0, len(log))
	for _, e := range slices.Backward(log) {
		if voided[e.ID] || e.Op == opVoid && len(e.Changes) == 0 {
			continue
		}
		shown := entryOf(e)
		shown.UndoneBy = undone[e.ID]
		out = append(out, shown)
	}
	return out
}

func entryOf(e journal.Entry) Entry {
	return Entry{
		ID: e.ID, Time: e.Time, Actor: Actor(e.Actor), Session: e.Session, Op: e.Op,
		Changes: changesOf(e.Changes), Marks: changesOf(e.Marks), Origin: e.Origin, From: e.From, Undoes: e.Undoes, Purged: e.Stub != "",
	}
}

func changesOf(changes []journal.Change) []Change {
	out := make([]Change, len(changes))
	for i, c := range changes {
		out[i] = Change{c.Path, c.Before, c.After, c.Origin, c.From}
	}
	return out
}

// At returns the bytes of a file as they were after a change (0: as it is now).
// Errors wrap ErrNoChange, ErrNoNote (it did not exist then), ErrPurged,
// ErrNotKept.
func (s *Store) At(rel string, id int) ([]byte, error) {
	if id == 0 {
		return s.Read(rel)
	}
	all, err := s.History("")
	if err != nil && !errors.Is(err, ErrBroken) {
		return nil, err
	}
	if len(all) == 0 || id > all[0].ID || id < 0 {
		return nil, fmt.Errorf("%s@%d: %w; dormouse history lists them", rel, id, ErrNoChange)
	}
	for _, e := range all {
		if e.ID > id {
			continue
		}
		for _, c := range e.Changes {
			if c.Path != rel {
				continue
			}
			if c.After == "" {
				return nil, fmt.Errorf("%s@%d: %w: change %d removed it", rel, id, ErrNoNote, e.ID)
			}
			b, err := s.contentOf(c.After)
			if err != nil {
				return nil, fmt.Errorf("%s@%d: %w", rel, id, err)
			}
			return b, nil
		}
	}
	return nil, fmt.Errorf("%s@%d: %w: nothing is known of it that far back", rel, id, ErrNoNote)
}

// Content returns the bytes that the journal keeps under a hash. Errors wrap
// ErrPurged, ErrNotKept, or tell that there are none.
func (s *Store) Content(hash string) ([]byte, error) { return s.contentOf(hash) }
