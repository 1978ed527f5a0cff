package store

import (
	"fmt"
	"strings"

	"dormouse/note"
)

// Proposal is a text on its way into a file of the store, or one that stands
// there and may get a line in the index.
type Proposal struct {
	By     By
	Op     string
	File   string
	Before []byte // nil: no file
	After  []byte
	// History is the journal, newest first, up to this change.
	History func() []Entry
}

// Gate decides what may be written, and what may be listed. There is no way
// around it into a store that has one.
type Gate interface {
	// Text returns the text to write instead, with remarks for the person, or an
	// error that refuses it.
	Text(Proposal) (text []byte, said []string, err error)
	// Lists reports whether the index may have a line for the note, so that a
	// session is told of it; if not, it says why not.
	Lists(Proposal) (ok bool, why string)
	// Line reports whether a line that stands for no note may come back into the
	// index.
	Line(by By, line string) (ok bool, why string)
}

// proposal is what the gate gets to see of a planned text.
func (t *tx) proposal(rel string, before, after []byte) Proposal {
	by := t.by
	if m, ok := t.made[rel]; ok {
		by.Origin, by.From = m.Origin, m.From
	}
	return Proposal{By: by, Op: t.op, File: rel, Before: before, After: after, History: t.history}
}

// history is the journal as it stands, newest first; it is read once.
func (t *tx) history() []Entry {
	if t.past == nil {
		l, err := t.s.j.Read()
		if err != nil {
			return nil // with no history a text has the lowest origin
		}
		t.past = entries(l.Entries)
	}
	return t.past
}

// pass sends the planned texts through the gate. What comes back by an undo was
// there before, and a purge only takes away.
func (t *tx) pass() error {
	if t.s.gate == nil || t.undoes > 0 || t.op == opPurge || t.op == opRollback {
		return nil
	}
	for i, c := range t.changes {
		if c.after == nil {
			continue
		}
		text, said, err := t.s.gate.Text(t.proposal(c.rel, c.before, c.after))
		if err != nil {
			return fmt.Errorf("%s: %w", c.rel, err)
		}
		t.changes[i].after = text
		t.done.Said = append(t.done.Said, said...)
	}
	return nil
}

// mayList asks the gate whether a note may have a line in the index.
func (t *tx) mayList(rel string) bool {
	if t.s.gate == nil {
		return true
	}
	before, err := t.get(rel)
	if err != nil {
		return false
	}
	after, err := t.planned(rel)
	if err != nil || after == nil || isPage(rel, after) {
		return err == nil
	}
	ok, why := t.s.gate.Lists(t.proposal(rel, before, after))
	if !ok {
		t.heldBack = true
		t.done.say("%s gets no line in the index until it is reviewed: %s", rel, why)
	}
	return ok
}

// listable are the lines that the gate lets into the index.
func (t *tx) listable(lines []note.Line) []note.Line {
	var out []note.Line
	for _, l := range lines {
		if t.mayList(l.File) {
			out = append(out, l)
		}
	}
	return out
}

// screen looks at what an undo or a rollback brings back into the index or its
// page: lines of notes that may not be listed, and lines that may not stand there
// by themselves. A person is told; for anybody else they stay away.
func (t *tx) screen() error {
	if t.s.gate == nil || t.op != opUndo && t.op != opRollback && t.op != opDream {
		return nil
	}
	for _, list := range t.lists() {
		after, err := t.planned(list)
		if err != nil || after == nil || !isList(list, after) {
			continue
		}
		before, err := t.get(list)
		if err != nil {
			return err
		}
		next := t.screened(list, before, after)
		if err := t.put(list, next); err != nil {
			return err
		}
	}
	return nil
}

// screened is a list without the new lines that the gate keeps away.
func (t *tx) screened(list string, before, after []byte) []byte {
	had := lines(string(before))
	drop := map[int]bool{}
	refuse := func(line int, why string) {
		if t.by.Actor == Human {
			t.done.say("line %d of %s is back, and should not reach a session: %s", line, list, why)
			return
		}
		drop[line] = true
		t.done.say("a line of %s stays away until a person has reviewed it: %s", list, why)
	}
	owner := map[int]string{}
	for _, l := range note.ReadIndex(after).Listed() {
		if l.Stands {
			owner[l.Line] = l.Files[0]
		}
	}
	n := 0
	for line := range strings.Lines(string(after)) {
		n++
		if has(had, line) || strings.TrimSpace(line) == "" {
			continue
		}
		if rel, ok := owner[n]; ok {
			if b, err := t.planned(rel); err == nil && b != nil {
				was := b
				if _, ours := t.made[rel]; ours {
					was = nil // it is told what it is made from
				}
				if ok, why := t.s.gate.Lists(t.proposal(rel, was, b)); !ok {
					refuse(n, why)
				}
				continue
			}
		}
		if ok, why := t.s.gate.Line(t.by, strings.TrimSpace(line)); !ok {
			refuse(n, why)
		}
	}
	if len(drop) == 0 {
		return after
	}
	var out []byte
	n = 0
	for line := range strings.Lines(string(after)) {
		if n++; !drop[n] {
			out = append(out, line...)
		}
	}
	return append([]byte{}, out...)
}
