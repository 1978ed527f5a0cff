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
		if rel != IndexName && !isPage(rel, text) && !t.mayList(rel) {
			// What it says now may not be told to a session, nor may a line lead there.
			return t.unlistEverywhere(rel)
		}
		return t.rehook(rel, note.Parse(now), note.Parse(text))
	})
}

// rehook changes the line of a note whose description changed, in the index or
// on its page, if the line said the old one.
func (t *tx) rehook(rel string, old, new *note.Note) error {
	was, is := t.s.line(old.Line(rel)), t.s.line(new.Line(rel))
	if rel == IndexName || was.Hook == is.Hook || is.Hook == "" {
		return nil
	}
	for _, list := range t.lists() {
		b, err := t.planned(list)
		if err != nil || b == nil || !isList(list, b) {
			continue // one that can't be read keeps its line
		}
		if err := t.rehookIn(list, b, was, is); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) rehookIn(list string, b []byte, was, is note.Line) error {
	x := note.ReadIndex(b)
	for _, l := range x.Listed() {
		if !l.Stands || l.Files[0] != is.File || !says(l.Hook, written(was)) {
			continue
		}
		if strings.TrimSpace(string(b[l.End:l.Rest])) != "" {
			t.done.say("line %d of %s still says the old description, as more text belongs to it", l.Line, list)
			return nil
		}
		next, err := x.SetHook(is.File, is.Hook)
		if err != nil {
			t.done.say("line %d of %s still says the old description: %v", l.Line, list, err)
			return nil
		}
		return t.put(list, next)
	}
	return nil
}

// written is the hook that a line gets when it is put into an index: without
// what would be a link there.
func written(l note.Line) string {
	b, err := note.ReadIndex(nil).Insert(note.Line{File: l.File, Title: "t", Hook: l.Hook})
	if err != nil {
		return l.Hook
	}
	for _, li := range note.ReadIndex(b).Listed() {
		return li.Hook
	}
	return l.Hook
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
		if err := t.unlistEverywhere(rel); err != nil {
			return err
		}
		return t.mentions(rel, note.Parse(b).Name())
	})
}

func (t *tx) unlistEverywhere(rel string) error {
	for _, list := range t.lists() {
		if err := t.unlist(list, rel); err != nil {
			return err
		}
	}
	return nil
}

// unlist takes a note's lines out of the index, or of the page behind it.
func (t *tx) unlist(list, rel string) error {
	b, err := t.planned(list)
	if err != nil || b == nil || !isList(list, b) {
		return err
	}
	x := note.ReadIndex(b)
	if !x.Has(rel) {
		return nil
	}
	for _, l := range x.Listed() {
		if more := strings.TrimSpace(string(b[l.End:l.Rest])); l.Stands && l.Files[0] == rel && more != "" {
			t.done.say("with its line in %s went what stood below it: %s", list, strings.Join(strings.Fields(more), " "))
		}
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
