package store

import (
	"bytes"
	"fmt"
	"strings"
)

// Replacement is what one file is to hold instead of what it held when that was
// decided.
type Replacement struct {
	Rel           string
	Before, After []byte // nil: no file
	// Origin and From are those of this file; see By.
	Origin string
	From   []Source
}

// Replace brings many files to what they are to hold, as one change of the
// journal. Where another program has changed a file since and the two changes
// touch different lines, both are kept; else nothing is written, and the error
// wraps ErrConflict and names every such file. Lines that the gate keeps out of
// index and pages stay away, and Done.Said tells. Errors else are those of Add
// and Edit.
func (s *Store) Replace(by By, files []Replacement) (*Done, error) {
	return s.write(by, opDream, func(t *tx) error { return t.replace(files) })
}

func (t *tx) replace(files []Replacement) error {
	t.made = make(map[string]Replacement, len(files))
	var refused []string
	for _, f := range files {
		if f.Before == nil && f.After != nil && f.Rel != IndexName {
			if err := ValidName(f.Rel); err != nil {
				return err
			}
		}
		now, err := t.get(f.Rel)
		if err != nil {
			return err
		}
		after, ok := meet(f, now)
		if !ok {
			refused = append(refused, f.Rel)
			continue
		}
		if now == nil && after != nil {
			if err := t.free(f.Rel); err != nil {
				return err // another spelling of it, which some systems take for the same
			}
		}
		if !bytes.Equal(after, f.After) {
			t.done.say("another program changed %s meanwhile; both edits were kept", f.Rel)
		}
		t.made[f.Rel] = f
		if err := t.put(f.Rel, after); err != nil {
			return err
		}
	}
	if len(refused) > 0 {
		return fmt.Errorf("%s %w, in the same lines", strings.Join(refused, ", "), ErrConflict)
	}
	return nil
}

// meet is what a file is to hold when it holds now, which need not be what was
// read when the replacement was made.
func meet(f Replacement, now []byte) ([]byte, bool) {
	same := func(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
	switch {
	case same(now, f.Before), same(now, f.After):
		return f.After, true
	case now == nil || f.Before == nil || f.After == nil:
		return nil, false
	}
	text, ok := merge(string(f.Before), string(f.After), string(now))
	return []byte(text), ok
}
