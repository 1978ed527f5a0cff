package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"dormouse/note"
)

// DeadMark is what FixIndex writes behind a line that names a note which is not
// there. It takes it away again when the note is back.
const DeadMark = " (missing: there is no such note)"

// FixIndex gives each note without a line one, and marks the lines that name a
// note that is not there. A second run changes nothing. Errors are those of Add.
func (s *Store) FixIndex(by By, room Room) (*Done, error) {
	return s.write(by, opIndex, func(t *tx) error { return t.fixIndex(room) })
}

// Planned is what a file would hold after a change; nil bytes are no file.
type Planned struct {
	Rel           string
	Before, After []byte
}

// PreviewIndex plans what FixIndex would do to the folder as it is now, and
// writes nothing, not even into the journal.
func (s *Store) PreviewIndex(by By, room Room) ([]Planned, *Done, error) {
	files, _, err := s.listing()
	if err != nil {
		return nil, nil, fmt.Errorf("looking through %s: %w", s.dir, err)
	}
	t := &tx{s: s, by: by, op: opIndex, files: files, read: map[string][]byte{}, done: &Done{}}
	if err := t.fixIndex(room); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(t.pass(), t.screen()); err != nil {
		return nil, nil, err
	}
	if err := t.check(); err != nil {
		return nil, nil, err
	}
	var out []Planned
	for _, c := range t.ordered() {
		out = append(out, Planned{c.rel, c.before, c.after})
	}
	return out, t.done, nil
}

func (t *tx) fixIndex(room Room) error {
	index, err := t.get(IndexName)
	if err != nil {
		return err
	}
	if index == nil {
		t.done.say("there is no %s, and nothing to mend in it", IndexName)
		return nil
	}
	index = t.markDead(index)
	if index, err = t.listOrphans(index, room); err != nil {
		return err
	}
	if room {
		if index, err = t.roomFor(index, nil); err != nil {
			return err
		}
	}
	return t.put(IndexName, index)
}

// markDead writes the mark behind each line that stands for a note that is not
// there, and takes it off the others. No other byte changes.
func (t *tx) markDead(index []byte) []byte {
	listed := note.ReadIndex(index).Listed()
	for _, l := range slices.Backward(listed) {
		if !l.Stands || leadsOut(l.Files[0]) {
			continue
		}
		line := index[l.Start:l.End]
		marked := bytes.HasSuffix(line, []byte(DeadMark))
		_, err := t.s.folder.Lstat(l.Files[0])
		dead := missing(err)
		switch {
		case dead && !marked:
			index = slices.Concat(index[:l.End], []byte(DeadMark), index[l.End:])
		case !dead && marked:
			index = slices.Concat(index[:l.End-len(DeadMark)], index[l.End:])
		}
	}
	return index
}

// leadsOut reports whether a link of the index leads out of the folder.
func leadsOut(file string) bool { return !fs.ValidPath(file) }

// listOrphans gives each note that neither the index nor its page names a line,
// as long as the index loads whole.
func (t *tx) listOrphans(index []byte, room Room) ([]byte, error) {
	lines := note.ReadIndex(index).Lines()
	for _, rel := range t.lists()[1:] {
		page, err := t.planned(rel)
		if err != nil || !isPage(rel, page) {
			continue
		}
		for listed, line := range note.ReadIndex(page).Lines() {
			lines[listed] = line
		}
	}
	left := 0
	for _, f := range t.files {
		if _, listed := lines[f.Rel]; listed || f.Rel == IndexName {
			continue
		}
		b, err := t.get(f.Rel)
		if err != nil || b == nil || !t.mayList(f.Rel) {
			continue
		}
		next, err := note.ReadIndex(index).Insert(t.s.line(note.Parse(b).Line(f.Rel)))
		if err != nil {
			t.done.say("%s gets no line: %v", f.Rel, err)
			continue
		}
		if room == Refuse && t.s.limits.passes(t.s.limits.size(next), false, 0) {
			left++
			continue
		}
		index = next
	}
	if left > 0 {
		t.done.Full = true
		t.done.say("%d notes got no line: the index is full", left)
	}
	return index, nil
}

// noteName is a file's name without folder and ending.
func noteName(rel string) string { return strings.TrimSuffix(path.Base(rel), noteSuffix) }

// join resolves a link of one file against the folder's top.
func join(from, link string) string { return path.Join(path.Dir(from), link) }

// lineAt is the n-th line of a text, without white space around it.
func lineAt(text string, n int) string {
	for l := range strings.Lines(text) {
		if n--; n == 0 {
			return strings.TrimSpace(l)
		}
	}
	return ""
}
