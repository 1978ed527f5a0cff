package store

import (
	"fmt"

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
}

// proposal is what the gate gets to see of a planned text.
func (t *tx) proposal(rel string, before, after []byte) Proposal {
	return Proposal{By: t.by, Op: t.op, File: rel, Before: before, After: after, History: t.history}
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
