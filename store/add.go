package store

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/note"
)

// Add writes a new note and its index line as one change. When there is no index
// yet but notes are, the index gets a line for each: the client would no longer
// make one itself. Errors: *FullError, or wrap ErrExists, ErrName, ErrEncoding,
// ErrTooLarge, ErrUnsafe, ErrLockBusy.
func (s *Store) Add(by By, n New, room Room) (*Done, error) {
	if err := ValidName(n.File); err != nil {
		return nil, err
	}
	return s.write(by, opRemember, func(t *tx) error {
		if err := t.free(n.File); err != nil {
			return err
		}
		if err := t.put(n.File, n.Bytes); err != nil {
			return err
		}
		n.Line.File = n.File
		return t.list(room, n.Line)
	})
}

// list puts lines into the index.
func (t *tx) list(room Room, lines ...note.Line) error {
	index, err := t.planned(IndexName)
	if err != nil {
		return err
	}
	asked := len(lines)
	lines = t.listable(lines)
	if len(lines) == 0 && (asked == 0 || index != nil) {
		return nil
	}
	if index == nil {
		if err := t.free(IndexName); err != nil {
			return err // another spelling of it, which some systems take for the same
		}
		// Also where none of the notes may be listed: the client would list it in
		// an index that it makes itself.
		if index, err = t.firstIndex(lines); err != nil {
			return err
		}
	}
	for _, l := range lines {
		x := note.ReadIndex(index)
		if x.Has(l.File) {
			continue // a line was there before the note
		}
		if index, err = x.Insert(t.s.line(l)); err != nil {
			return fmt.Errorf("%s: %w", IndexName, err)
		}
	}
	if room {
		if index, err = t.roomFor(index, lines); err != nil {
			return err
		}
	}
	return t.put(IndexName, index)
}

// firstIndex is an index of the notes that are there, newest first, as the
// client makes one while there is none: as many as it would show.
func (t *tx) firstIndex(but []note.Line) ([]byte, error) {
	files := slices.Clone(t.files)
	slices.SortStableFunc(files, func(a, b File) int { return b.Mod.Compare(a.Mod) })
	index, left := []byte{}, 0
	for _, f := range files {
		b, err := t.get(f.Rel)
		if err != nil || slices.ContainsFunc(but, func(l note.Line) bool { return l.File == f.Rel }) || !t.mayList(f.Rel) {
			continue
		}
		next, err := note.ReadIndex(index).Insert(t.s.line(note.Parse(b).Line(f.Rel)))
		if size := t.s.limits.size(next); err != nil || t.s.limits.passes(size, true, len(but)) {
			left++
			continue
		}
		index = next
	}
	if left > 0 {
		t.done.say("%d older notes got no line in the new index; dormouse index --fix adds what fits", left)
	}
	return index, nil
}

// line is an index line as this folder takes it.
func (s *Store) line(l note.Line) note.Line {
	if s.asLine != nil {
		return s.asLine(l)
	}
	return l
}

func (d *Done) say(format string, args ...any) { d.Said = append(d.Said, fmt.Sprintf(format, args...)) }

// size is how large the client finds an index.
func (l Limits) size(index []byte) IndexSize {
	if l.Measure != nil {
		return l.Measure(index)
	}
	text := strings.TrimSpace(string(index))
	if text == "" {
		return IndexSize{}
	}
	return IndexSize{Lines: strings.Count(text, "\n") + 1, Units: note.Units(text)}
}

// passes reports whether an index with so many lines more is over what loads,
// or, with want set, over what it should be.
func (l Limits) passes(size IndexSize, want bool, more int) bool {
	lines, units := l.Lines, l.Units
	if want && l.WantLines > 0 {
		lines = l.WantLines
	}
	if want && l.WantUnits > 0 {
		units = l.WantUnits
	}
	return lines > 0 && size.Lines+more > lines || units > 0 && size.Units+more*note.LineUnits > units
}

// check refuses a change that would do harm.
func (t *tx) check() error {
	for _, c := range t.changes {
		switch {
		case len(c.after) > note.MaxBytes:
			return fmt.Errorf("%s %w: %d bytes, the limit is %d", c.rel, ErrTooLarge, len(c.after), note.MaxBytes)
		case c.after != nil && !utf8.Valid(c.after) && (c.before == nil || utf8.Valid(c.before)) && t.undoes == 0:
			return fmt.Errorf("%s %w: convert the text first", c.rel, ErrEncoding)
		}
	}
	return t.checkIndex()
}

func (t *tx) checkIndex() error {
	index, err := t.planned(IndexName)
	if err != nil {
		return nil //nolint:nilerr // it is not touched, so its state is another command's matter
	}
	before, err := t.get(IndexName)
	if err != nil {
		return err
	}
	l, size, was := t.s.limits, t.s.limits.size(index), t.s.limits.size(before)
	t.done.Index = size
	grew := size.Lines > was.Lines || size.Units > was.Units
	switch {
	case grew && l.passes(size, false, 0) && t.exact:
		// What was there can always be had again.
		t.done.say("the index has %d lines and %d characters again, and only %d and %d load", size.Lines, size.Units, l.Lines, l.Units)
	case grew && l.passes(size, false, 0):
		could, err := t.candidates(index, nil)
		if err != nil {
			return err
		}
		return &FullError{Lines: size.Lines, Units: size.Units, Limits: l, Could: enough(index, could, l)}
	case grew && l.passes(size, true, 0):
		t.done.say("the index has %d lines and %d characters now; past %d lines or %d characters it no longer loads whole, and %d and %d are a good size",
			size.Lines, size.Units, l.Lines, l.Units, l.WantLines, l.WantUnits)
	}
	return nil
}

func (e *FullError) Error() string {
	what := fmt.Sprintf("it would have %d lines, and %d load", e.Lines, e.Limits.Lines)
	if e.Limits.Lines == 0 || e.Lines <= e.Limits.Lines {
		what = fmt.Sprintf("it would have %d characters, and %d load", e.Units, e.Limits.Units)
	}
	return fmt.Sprintf("the index is full: %s; make room, or forget a note", what)
}
