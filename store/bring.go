package store

import (
	"bytes"
	"fmt"
	"strings"

	"dormouse/note"
)

// Bring brings notes from elsewhere to what they are to hold, as one change of the
// journal under the name of an operation, and takes their index lines along: a new
// note gets one, one that goes loses it, if the gate lets it. Index and pages
// themselves are not brought. Where another program has changed a note since and the
// two changes touch different lines, both are kept; else nothing is written, and the
// error wraps ErrConflict and names every such note. Errors else are those of Add and
// Edit.
func (s *Store) Bring(by By, op string, notes []Replacement, room Room) (*Done, error) {
	for _, n := range notes {
		if n.Rel == IndexName {
			return nil, fmt.Errorf("%s is the index and no note: %w", n.Rel, ErrNoNote)
		}
	}
	return s.write(by, op, func(t *tx) error {
		if err := t.replace(notes); err != nil {
			return err
		}
		for _, n := range notes {
			if err := t.along(n, room); err != nil {
				return err
			}
		}
		return nil
	})
}

// along is what becomes of the index line of a note that was brought.
func (t *tx) along(n Replacement, room Room) error {
	before, err := t.get(n.Rel)
	if err != nil {
		return err
	}
	after, err := t.planned(n.Rel)
	if err != nil || before == nil && after == nil {
		return err
	}
	for _, b := range [][]byte{before, after} {
		if b != nil && isPage(n.Rel, b) {
			return fmt.Errorf("%s is a page of the index and no note: %w", n.Rel, ErrNoNote)
		}
	}
	switch {
	case after == nil:
		if err := t.unlistEverywhere(n.Rel); err != nil {
			return err
		}
		return t.mentions(n.Rel, note.Parse(before).Name())
	case before == nil:
		line := note.Parse(after).Line(n.Rel)
		line.File = n.Rel
		return t.list(room, line)
	case bytes.Equal(before, after):
		return nil
	case !t.mayList(n.Rel):
		return t.unlistEverywhere(n.Rel)
	}
	return t.rehook(n.Rel, note.Parse(before), note.Parse(after))
}

// CanHold tells why a folder can't hold a note of a path that is not there yet; nil if
// it can. A path is relative, with slashes.
func CanHold(rel string) error {
	if strings.Contains(rel, "/") {
		return fmt.Errorf("%s: %w: new notes lie in the folder itself", rel, ErrName)
	}
	return ValidName(rel)
}
