package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/note"
	"dormouse/store/internal/folder"
	"dormouse/store/internal/journal"
)

// insist is how long a change is planned anew, again and again, because another
// program was faster.
const insist = 20 * time.Second

// change is a planned change of one file; nil stands for no file.
type change struct {
	rel           string
	before, after []byte
}

// tx is one change of the store on its way: what it read, and what it is to
// write.
type tx struct {
	s       *Store
	by      By
	op      string
	undoes  int
	exact   bool // the index becomes, byte for byte, what it was before
	w       *journal.Writer
	known   *known
	files   []File            // the notes and the index, sorted
	read    map[string][]byte // as it is on the disk; nil: no file
	changes []change
	done    *Done
	past    []Entry                // the journal, newest first, once it was asked for
	made    map[string]Replacement // by file, where each has its own origin

	heldBack bool // the gate kept a note out of the index
}

// write plans a change under the lock and carries it out. When another program
// changes one of the files meanwhile, all of it is taken back and planned anew.
func (s *Store) write(by By, op string, plan func(*tx) error) (*Done, error) {
	unlock, err := s.j.Lock(s.dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	start := time.Now()
	for try := 1; ; try++ {
		done, err := s.attempt(by, op, plan)
		if !errors.Is(err, folder.ErrChanged) || time.Since(start) > insist {
			return done, err
		}
		time.Sleep(rand.N(min(time.Duration(try), 20) * time.Millisecond))
	}
}

func (s *Store) attempt(by By, op string, plan func(*tx) error) (done *Done, err error) {
	t := &tx{s: s, by: by, op: op, read: map[string][]byte{}, done: &Done{}}
	if err := t.open(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.w.Close()) }()
	if err := plan(t); err != nil {
		return nil, err
	}
	if err := errors.Join(t.pass(), t.screen()); err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	if len(t.changes) == 0 {
		t.known.save(s)
		return t.done, nil
	}
	return t.done, t.commit()
}

// open opens the journal, brings to its end what a crash left open, and records
// what other programs changed.
func (t *tx) open() (err error) {
	if t.known, t.w, err = t.s.catchUp(); err != nil {
		return err
	}
	if t.files, _, err = t.s.look(t.known, t.w); err != nil {
		return errors.Join(err, t.w.Close())
	}
	return nil
}

// get returns what a file holds; nil: there is none.
func (t *tx) get(rel string) ([]byte, error) {
	if b, ok := t.read[rel]; ok {
		return b, nil
	}
	if t.s.folder == nil {
		return nil, nil
	}
	b, _, err := t.s.folder.Read(rel, note.MaxBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if b == nil && err == nil {
		b = []byte{}
	}
	t.read[rel] = b
	return b, nil
}

// must is get for a file that has to be there.
func (t *tx) must(rel string) ([]byte, error) {
	b, err := t.get(rel)
	if err == nil && b == nil {
		err = fmt.Errorf("%s: %w", rel, ErrNoNote)
	}
	return b, err
}

// planned returns what a file will hold after the change so far.
func (t *tx) planned(rel string) ([]byte, error) {
	for _, c := range t.changes {
		if c.rel == rel {
			return c.after, nil
		}
	}
	return t.get(rel)
}

// put plans what a file is to hold; nil: it goes.
func (t *tx) put(rel string, after []byte) error {
	before, err := t.get(rel)
	if err != nil {
		return err
	}
	t.changes = slices.DeleteFunc(t.changes, func(c change) bool { return c.rel == rel })
	if (before == nil) == (after == nil) && bytes.Equal(before, after) {
		return nil
	}
	t.changes = append(t.changes, change{rel, before, after})
	return nil
}

// ordered puts what is written before what names it: a new note stands before
// its line, and a line goes before its note.
func (t *tx) ordered() []change {
	rank := func(c change) int {
		switch {
		case c.rel == IndexName:
			return 1
		case c.after == nil:
			return 2
		}
		return 0
	}
	out := slices.Clone(t.changes)
	slices.SortStableFunc(out, func(a, b change) int { return rank(a) - rank(b) })
	return out
}

// tempName is the name of the temporary file of a change's i-th file. It begins
// with a dot, so no reader takes it for a note.
func tempName(rel string, id, i int) string {
	dir := ""
	if at := strings.LastIndexByte(rel, '/'); at >= 0 {
		dir = rel[:at+1]
	}
	return dir + tempPrefix + strconv.Itoa(id) + "-" + strconv.Itoa(i) + tempSuffix
}

const (
	tempPrefix = ".dormouse-"
	tempSuffix = ".tmp"
)

// commit writes the change: first into the journal, with all bytes, then into
// place, file by file.
func (t *tx) commit() error {
	if err := t.s.make(); err != nil {
		return err
	}
	changes := t.ordered()
	from := t.w.State()
	entry := journal.Entry{Time: t.s.now(), Actor: string(t.by.Actor), Session: t.by.Session, Op: t.op, Origin: t.by.Origin, From: t.by.From, Undoes: t.undoes}
	for _, c := range changes {
		entry.Changes = append(entry.Changes, t.keep(c))
	}
	id, err := t.w.Add(entry)
	if err != nil {
		return err
	}
	swaps, err := t.prepare(id, changes, from)
	if err != nil {
		return fmt.Errorf("writing %s: %w", t.s.dir, err)
	}
	if err := t.apply(id, entry, swaps, from); err != nil {
		return err
	}
	t.done.ID, t.done.Changes = id, changesOf(entry.Changes)
	t.s.finish(t.w, t.known, id, entry.Changes)
	return nil
}

// keep puts the bytes of a change into the journal. Those of before are there
// already: each write begins with a look.
func (t *tx) keep(c change) journal.Change {
	out := journal.Change{Path: c.rel, Origin: t.made[c.rel].Origin, From: t.made[c.rel].From}
	if c.before != nil {
		out.Before = journal.Hash(c.before)
		if t.known.files[c.rel].hash != out.Before {
			t.w.Keep(c.before)
		}
	}
	if c.after != nil {
		out.After = t.w.Keep(c.after)
	}
	return out
}

// prepare writes the new contents beside the old ones and brings them, and the
// journal, to the disk at the same time.
func (t *tx) prepare(id int, changes []change, from journal.State) ([]folder.Swap, error) {
	swaps := make([]folder.Swap, len(changes))
	syncs := make([]func() error, len(changes))
	for i, c := range changes {
		swaps[i] = folder.Swap{Rel: c.rel, Temp: tempName(c.rel, id, i), Before: c.before, After: c.after}
		t.s.step("temp")
		t.s.folder.Drop(swaps[i].Temp)
		var err error
		if syncs[i], err = t.s.folder.Prepare(swaps[i]); err != nil {
			for _, sync := range syncs[:i] {
				_ = sync() // closes it
			}
			t.drop(swaps[:i])
			return nil, err
		}
	}
	t.s.step("journal")
	if err := t.w.Flush(from, syncs...); err != nil {
		t.drop(swaps)
		return nil, err
	}
	return swaps, nil
}

func (t *tx) drop(swaps []folder.Swap) {
	for _, sw := range swaps {
		t.s.folder.Drop(sw.Temp)
	}
}

// dropKept removes a temporary file whose bytes the journal has. Should it hold
// what another program wrote, and what could not be put back, the next look takes
// that into the journal first.
func (s *Store) dropKept(temp string) {
	b, _, err := s.folder.Read(temp, note.MaxBytes)
	if err != nil {
		return
	}
	if _, err := s.j.Content(journal.Hash(b)); err == nil {
		s.folder.Drop(temp)
	}
}

// apply puts the new contents into place. If one can't be, those before it are
// taken back.
func (t *tx) apply(id int, entry journal.Entry, swaps []folder.Swap, from journal.State) error {
	for i, sw := range swaps {
		t.s.step("apply " + sw.Rel)
		err := t.s.folder.Apply(sw)
		if err == nil {
			continue
		}
		t.s.dropKept(sw.Temp)
		t.drop(swaps[i+1:])
		left := t.takeBack(id, swaps[:i])
		void := journal.Entry{Time: t.s.now(), Actor: entry.Actor, Session: entry.Session, Op: opVoid, Voids: id}
		for _, k := range left {
			void.Changes = append(void.Changes, entry.Changes[k])
		}
		now := t.w.State()
		_, verr := t.w.Add(void)
		if verr == nil {
			verr = t.w.Flush(now)
		}
		if verr != nil && len(left) == 0 {
			verr = errors.Join(verr, t.w.Rewind(from))
		}
		return errors.Join(fmt.Errorf("writing %w", err), verr)
	}
	t.s.step("sync")
	rels := make([]string, len(swaps))
	for i, sw := range swaps {
		rels[i] = sw.Rel
	}
	return t.s.folder.Sync(rels...)
}

// takeBack undoes what was put into place, last first, and tells which could not
// be, because another program has changed it since.
func (t *tx) takeBack(id int, swaps []folder.Swap) (left []int) {
	for i, sw := range slices.Backward(swaps) {
		back := folder.Swap{Rel: sw.Rel, Temp: tempName(sw.Rel, id, i), Before: sw.After, After: sw.Before}
		sync, err := t.s.folder.Prepare(back)
		if err == nil {
			err = errors.Join(sync(), t.s.folder.Apply(back))
		}
		if err != nil {
			t.s.dropKept(back.Temp)
			left = append(left, i)
		}
	}
	return left
}

// finish tells the journal that a change came to its end, and remembers how the
// files look now. The change stands even where neither can be written any more:
// whoever looks next finds the files as the entry says.
func (s *Store) finish(w *journal.Writer, k *known, id int, changes []journal.Change) {
	s.step("done")
	if w.Done(id) != nil {
		return
	}
	for _, c := range changes {
		k.set(s, c.Path, c.After)
	}
	k.state = w.State()
	s.step("seen")
	k.save(s)
}
