package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"dormouse/note"
)

// Edit replaces a note's bytes if it still holds before, and takes its index line
// along: one that said the old description says the new one. Where another
// program has changed the note and the two edits touch different lines, both are
// kept; else the error wraps ErrConflict.
func (s *Store) Edit(by By, rel string, before, after []byte) (*Done, error) {
	if err := s.isOurs(rel); err != nil {
		return nil, err
	}
	return s.write(by, opEdit, func(t *tx) error {
		now, err := t.must(rel)
		if err != nil {
			return err
		}
		text := after
		if !bytes.Equal(now, before) {
			merged, ok := merge(string(before), string(after), string(now))
			if !ok {
				return fmt.Errorf("%s %w: another program changed the same lines", rel, ErrConflict)
			}
			text = []byte(merged)
			t.done.say("another program changed %s meanwhile; both edits were kept", rel)
		}
		if err := t.put(rel, text); err != nil {
			return err
		}
		return t.rehook(rel, note.Parse(now), note.Parse(text))
	})
}

// rehook changes the index line of a note whose description changed, if the line
// said the old one.
func (t *tx) rehook(rel string, old, new *note.Note) error {
	was, is := old.Line(rel).Hook, new.Line(rel).Hook
	index, err := t.get(IndexName)
	if rel == IndexName || was == is || is == "" || index == nil || err != nil {
		return nil //nolint:nilerr // an index that can't be read keeps its line
	}
	x := note.ReadIndex(index)
	for _, l := range x.Listed() {
		if !l.Stands || l.Files[0] != rel || !says(l.Hook, was) {
			continue
		}
		next, err := x.SetHook(rel, is)
		if err != nil {
			t.done.say("line %d of %s still says the old description: %v", l.Line, IndexName, err)
			return nil
		}
		return t.put(IndexName, next)
	}
	return nil
}

// says reports whether a hook is a description, or what is left of it in a line.
func says(hook, description string) bool {
	hook, description = strings.TrimSpace(hook), strings.Join(strings.Fields(description), " ")
	if start, cut := strings.CutSuffix(hook, "…"); cut && start != "" {
		return strings.HasPrefix(description, strings.TrimSpace(start))
	}
	return hook == description
}

// Forget removes a note and its index line as one change. Done.Mentions has what
// still names it.
func (s *Store) Forget(by By, rel string) (*Done, error) {
	if rel == IndexName {
		return nil, fmt.Errorf("%s is the index and no note: %w", rel, ErrNoNote)
	}
	if err := s.isOurs(rel); err != nil {
		return nil, err
	}
	return s.write(by, opForget, func(t *tx) error {
		b, err := t.must(rel)
		if err != nil {
			return err
		}
		if err := t.put(rel, nil); err != nil {
			return err
		}
		for _, list := range []string{IndexName, PageName} {
			if err := t.unlist(list, rel); err != nil {
				return err
			}
		}
		return t.mentions(rel, note.Parse(b).Name())
	})
}

// unlist takes a note's lines out of the index, or of the page behind it.
func (t *tx) unlist(list, rel string) error {
	b, err := t.planned(list)
	if err != nil || b == nil || list == PageName && !isPage(list, b) {
		return err
	}
	x := note.ReadIndex(b)
	if !x.Has(rel) {
		return nil
	}
	rest, err := x.Remove(rel)
	if err != nil {
		t.done.say("its line in %s stays: %v", list, err)
		return nil
	}
	return t.put(list, rest)
}

// mentions finds what will still name a note that goes.
func (t *tx) mentions(rel, name string) error {
	for _, f := range t.files {
		b, err := t.planned(f.Rel)
		if err != nil || b == nil {
			continue
		}
		text := string(b)
		if f.Rel == IndexName || isPage(f.Rel, b) {
			for _, line := range note.ReadIndex(b).Mentions(rel) {
				t.done.Mentions = append(t.done.Mentions, Mention{f.Rel, line, lineAt(text, line)})
			}
			continue
		}
		if !bytes.Contains(b, []byte(noteName(rel))) && (name == "" || !bytes.Contains(b, []byte(name))) {
			continue
		}
		var lines []int
		for _, l := range note.Parse(b).Links() {
			names := l.File != "" && join(f.Rel, l.File) == rel || l.Wiki && name != "" && l.Target == name
			if names && !slices.Contains(lines, l.Line) {
				lines = append(lines, l.Line)
				t.done.Mentions = append(t.done.Mentions, Mention{f.Rel, l.Line, lineAt(text, l.Line)})
			}
		}
	}
	return nil
}
