package syncer

import (
	"errors"

	"dormouse/note"
)

// Listing are the changes that an index takes part in.
type Listing struct {
	Lines []note.Line       // of the notes that are there and may be listed
	Fresh map[string]bool   // of these the ones whose text was just written
	Gone  []string          // notes that were removed
	Moved map[string]string // from the path a note had to the one it has
}

// MergeIndex brings an index up to date with the notes beside it: each gets a line if
// it has none, and the line of a note that was written anew says what that one says.
// Every other line stays as it is, so that what somebody else added is still there.
func MergeIndex(index []byte, l Listing) ([]byte, error) {
	edit := func(next []byte, err error) error {
		switch {
		case err == nil:
			index = next
		case errors.Is(err, note.ErrNotListed), errors.Is(err, note.ErrListed), errors.Is(err, note.ErrShared):
			err = nil // it is as it should be, or stands in a sentence of somebody's
		}
		return err
	}
	for old, path := range l.Moved {
		if err := edit(note.ReadIndex(index).Retarget(old, path)); err != nil {
			return nil, err
		}
	}
	for _, rel := range l.Gone {
		if err := edit(note.ReadIndex(index).Remove(rel)); err != nil {
			return nil, err
		}
	}
	for _, line := range l.Lines {
		x := note.ReadIndex(index)
		switch {
		case !x.Has(line.File):
			if err := edit(x.Insert(line)); err != nil {
				return nil, err
			}
		case l.Fresh[line.File]:
			if err := edit(x.SetHook(line.File, line.Hook)); err != nil {
				return nil, err
			}
		}
	}
	return index, nil
}
