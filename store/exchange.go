package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"dormouse/note"
)

// Exchange brings notes to what they are to hold, as one change of the journal under
// the name of an operation, but only while each holds just what it is said to hold:
// else nothing is written, and the error wraps ErrConflict, or ErrExists where no
// note was to be. A new note may lie in a folder, see ValidPath. It gets no line in
// the index, whoever's its text is: its name would stand there too, and is the word
// of whoever writes; and where the gate would let sessions be told of it, its name may
// say no more than its text does, see ErrWords. A note that goes loses its line, and one that changes keeps it
// if the gate lets it. Index and pages are no notes. Errors else are those of Add
// and Edit.
func (s *Store) Exchange(by By, op string, notes []Replacement) (*Done, error) {
	for _, n := range notes {
		if n.Rel == IndexName {
			return nil, fmt.Errorf("%s is the index and no note: %w", n.Rel, ErrNoNote)
		}
	}
	return s.write(by, op, func(t *tx) error {
		t.made = make(map[string]Replacement, len(notes))
		for _, n := range notes {
			if err := t.exchange(n); err != nil {
				return err
			}
		}
		for _, n := range notes {
			if err := t.settleLine(n); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) exchange(n Replacement) error {
	if n.Before == nil && n.After != nil {
		if err := t.room(n.Rel); err != nil {
			return err
		}
	}
	now, err := t.get(n.Rel)
	switch {
	case err != nil:
		return err
	case (n.Before == nil) != (now == nil) || !bytes.Equal(n.Before, now):
		return fmt.Errorf("%s %w", n.Rel, ErrConflict)
	}
	if n.Origin != "" || len(n.From) > 0 {
		t.made[n.Rel] = n
	}
	return t.put(n.Rel, n.After)
}

// settleLine is what becomes of the index line of a note that was exchanged.
func (t *tx) settleLine(n Replacement) error {
	if n.Before != nil || n.After == nil {
		return t.along(n, Refuse)
	}
	if isPage(n.Rel, n.After) {
		return fmt.Errorf("%s is a page of the index and no note: %w", n.Rel, ErrNoNote)
	}
	if t.s.gate != nil && ownWords(n.Rel, n.After) > maxOwnWords && t.mayList(n.Rel) {
		return fmt.Errorf("%s: the name %w", n.Rel, ErrWords)
	}
	if err := t.unlistEverywhere(n.Rel); err != nil {
		return err // a line that was left of a note of that name
	}
	index, err := t.planned(IndexName)
	if err != nil || index != nil {
		return err
	}
	// Without an index the client makes one that lists the new note.
	if err := t.free(IndexName); err != nil {
		return err
	}
	if index, err = t.firstIndex([]note.Line{{File: n.Rel}}); err != nil {
		return err
	}
	return t.put(IndexName, index)
}

// ErrWords refuses a name that says something of its own, for a note that sessions are
// told of: they are told its name as well.
var ErrWords = errors.New("says what the note does not: take words that stand in the note")

// maxOwnWords is how many words of a path need not stand in its note: enough to sort it
// into a folder, too few to ask for anything.
const maxOwnWords = 2

// ownWords counts the words of a path that do not stand in a text.
func ownWords(rel string, text []byte) int {
	said := map[string]bool{}
	for _, w := range wordsOf(string(text)) {
		said[w] = true
	}
	n := 0
	for _, w := range wordsOf(strings.TrimSuffix(rel, noteSuffix)) {
		if !said[w] {
			n++
		}
	}
	return n
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// room refuses the path of a new note that is taken, or that lies above or below a
// note, also by what another system takes for the same.
func (t *tx) room(rel string) error {
	if err := ValidPath(rel); err != nil {
		return err
	}
	want := strings.Split(rel, "/")
	for _, f := range t.files {
		have := strings.Split(f.Rel, "/")
		n := 0
		for n < min(len(want), len(have)) && want[n] == have[n] {
			n++
		}
		switch {
		case n == len(want) || n == len(have):
			return fmt.Errorf("%s: %w: %s is there", rel, ErrExists, f.Rel)
		case sameName(want[n], have[n]):
			return fmt.Errorf("%s: %w: it is written %s there", rel, ErrExists, f.Rel)
		}
	}
	return t.free(rel)
}

// ValidPath tells why a path is none for a new note that may lie in a folder of the
// memory folder: slashes between names, of which the last is a ValidName and the
// others are one without the ending. nil if it is one.
func ValidPath(rel string) error {
	names := strings.Split(rel, "/")
	if len(names) > maxDepth {
		return fmt.Errorf("%q %w: it lies more than %d folders deep", rel, ErrName, maxDepth)
	}
	for i, name := range names {
		if i < len(names)-1 {
			name += noteSuffix
		}
		if err := ValidName(name); err != nil {
			return err
		}
	}
	return nil
}

// Renamed tells, of an entry that took a note over under another name, the old names
// by the new ones.
func (e *Entry) Renamed() map[string]string {
	out := map[string]string{}
	for _, c := range e.Changes {
		if c.Before != "" || c.After == "" || len(c.From) != 1 {
			continue
		}
		from := c.From[0]
		if slices.ContainsFunc(e.Changes, func(o Change) bool { return o.Path == from.Note && o.Before == from.Hash && o.After == "" }) {
			out[c.Path] = from.Note
		}
	}
	return out
}
