package store

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"dormouse/note"
	"dormouse/store/internal/journal"
)

// Source is something that a text was made of.
type Source = journal.Source

// Mark is a content that a record is about: one that was approved, one that
// waits. Without Bytes it is what the journal has under Hash.
type Mark struct {
	Path  string
	Bytes []byte
	Hash  string
}

// HashOf names a content as the journal does: its SHA-256 in hex.
func HashOf(b []byte) string { return journal.Hash(b) }

// Record puts an entry into the journal that changes no file. The bytes of its
// marks are kept like those of any other change.
func (s *Store) Record(by By, op string, marks ...Mark) (*Entry, error) {
	unlock, err := s.j.Lock(s.dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	k, w, err := s.catchUp()
	if err != nil {
		return nil, err
	}
	e, err := s.record(by, op, marks, k, w)
	return e, errors.Join(err, w.Close())
}

func (s *Store) record(by By, op string, marks []Mark, k *known, w *journal.Writer) (*Entry, error) {
	if _, _, err := s.look(k, w); err != nil {
		return nil, err
	}
	e := journal.Entry{Time: s.now(), Actor: string(by.Actor), Session: by.Session, Op: op, Origin: by.Origin, From: by.From}
	for _, m := range marks {
		c := journal.Change{Path: m.Path, After: m.Hash}
		if m.Bytes != nil {
			c.After = w.Keep(m.Bytes)
		}
		e.Marks = append(e.Marks, c)
	}
	from := w.State()
	id, err := w.Add(e)
	if err == nil {
		err = w.Flush(from)
	}
	if err == nil {
		err = w.Done(id)
	}
	if err != nil {
		return nil, err
	}
	e.ID, k.state = id, w.State()
	k.save(s)
	out := entryOf(e)
	return &out, nil
}

// EditIndex changes the index by itself, as one entry of the journal. Where there
// is none, edit gets one of the notes that are there and may be listed; it is
// written if that differs from what the client would make, or edit changes it.
func (s *Store) EditIndex(by By, op string, edit func(index []byte) ([]byte, error)) (*Done, error) {
	return s.EditLists(by, op, func(list string, text []byte) ([]byte, error) {
		if list != IndexName {
			return text, nil
		}
		return edit(text)
	})
}

// EditLists is EditIndex, and the same for the pages behind the index, if there
// are any.
func (s *Store) EditLists(by By, op string, edit func(list string, text []byte) ([]byte, error)) (*Done, error) {
	return s.write(by, op, func(t *tx) error {
		for _, rel := range t.lists()[1:] {
			page, err := t.get(rel)
			if err != nil || !isPage(rel, page) {
				continue
			}
			next, err := edit(rel, page)
			if err == nil {
				err = t.put(rel, append([]byte{}, next...))
			}
			if err != nil {
				return err
			}
		}
		index, err := t.get(IndexName)
		if err != nil {
			return err
		}
		there := index != nil
		if !there {
			if index, err = t.firstIndex(nil); err != nil {
				return err
			}
		}
		next, err := edit(IndexName, index)
		if err != nil || !there && !t.heldBack && string(next) == string(index) {
			return err
		}
		return t.put(IndexName, append([]byte{}, next...)) // empty is not gone
	})
}

// Relist gives a note a line in the index.
func (s *Store) Relist(by By, op, rel string, room Room) (*Done, error) {
	return s.write(by, op, func(t *tx) error {
		b, err := t.must(rel)
		if err != nil {
			return err
		}
		return t.list(room, note.Parse(b).Line(rel))
	})
}

// Rollback makes the folder what the journal says it was at a time, byte for
// byte, as one change that can be undone. With an id it is the time right after
// that change. Errors wrap ErrNoChange, ErrPurged or ErrNotKept.
func (s *Store) Rollback(by By, at time.Time, id int) (*Done, error) {
	if !s.j.Exists() {
		return nil, fmt.Errorf("nothing was written here yet: %w", ErrNoChange)
	}
	return s.write(by, opRollback, func(t *tx) error {
		l, err := s.j.Read()
		if err != nil {
			return err
		}
		n := slices.IndexFunc(l.Entries, func(e journal.Entry) bool { return id == 0 && e.Time.After(at) || id > 0 && e.ID > id })
		if n == 0 {
			return fmt.Errorf("the journal begins later, at %s: %w", l.Entries[0].Time.Format(time.RFC3339), ErrNoChange)
		}
		if n < 0 {
			n = len(l.Entries)
		}
		t.exact = true
		return t.become(fold(l.Entries[:n]), fold(l.Entries))
	})
}

// become plans the folder with the files of another time.
func (t *tx) become(then, now map[string]string) error {
	want := map[string]bool{}
	for rel, hash := range then {
		if hash != "" && now[rel] != hash {
			want[hash] = true
		}
	}
	contents, err := t.s.j.Contents(want)
	if err != nil {
		return err
	}
	for rel, hash := range then {
		if now[rel] == hash {
			continue
		}
		if hash == "" {
			continue // below, with those that came later
		}
		b, ok := contents[hash]
		if !ok {
			if b, err = t.s.contentOf(hash); err != nil {
				return fmt.Errorf("%s: %w", rel, err)
			}
		}
		if err := t.put(rel, b); err != nil {
			return err
		}
	}
	for rel, hash := range now {
		if hash != "" && then[rel] == "" {
			if err := t.put(rel, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// Verify looks for what other programs changed, records it, and checks that the
// journal is what was written: nothing changed, dropped, moved or cut. Errors
// wrap ErrBroken.
func (s *Store) Verify() (*Entry, error) {
	l, err := s.j.Read()
	if err != nil {
		return nil, err
	}
	h, err := s.j.Head()
	if err == nil {
		err = l.Check(h)
	}
	signed, serr := s.j.SignedHead()
	if serr == nil && signed.ID > 0 {
		serr = l.Check(signed)
	}
	if err := errors.Join(err, serr); err != nil {
		return nil, err // a look would write behind what is broken
	}
	if err := errors.Join(s.complete(l), damage(l)); err != nil {
		return nil, err
	}
	return s.Look()
}

// complete checks that the contents that the journal names are kept as they were.
func (s *Store) complete(l *journal.Log) error {
	want := map[string]bool{}
	for _, e := range l.Entries {
		if e.Op == opKnown && e.Actor == string(Human) {
			clear(want) // a person knows of what was missing then
		}
		for _, c := range slices.Concat(e.Changes, e.Marks) {
			want[c.After] = true
		}
	}
	missing, err := s.j.Missing(want)
	if err != nil || len(missing) == 0 {
		return err
	}
	for _, e := range l.Entries {
		for _, c := range slices.Concat(e.Changes, e.Marks) {
			if missing[c.After] {
				return fmt.Errorf("%w: of %d texts the bytes are gone or others, the first is %s of change %d", ErrBroken, len(missing), c.Path, e.ID)
			}
		}
	}
	return nil
}

// Head is where a journal ended when it was last written, or signed.
type Head = journal.Head

// SignedHead is the last head that was signed; the zero Head without one.
func (s *Store) SignedHead() (Head, error) { return s.j.SignedHead() }

// SignHead signs where the journal ends now; that it did stands in the journal
// too, with the signer's key.
func (s *Store) SignHead(by By, signer string, sign func(text string) (signature string, err error)) error {
	if err := s.sign(signer, sign); err != nil {
		return err
	}
	by.From = []Source{{Place: signer}}
	_, err := s.Record(by, opSign)
	return err
}

func (s *Store) sign(signer string, sign func(string) (string, error)) error {
	unlock, err := s.j.Lock(s.dir)
	if err != nil {
		return err
	}
	defer unlock()
	h, err := s.j.Head()
	if err != nil {
		return err
	}
	h.Signer = signer
	if h.Signature, err = sign(h.Signed()); err != nil {
		return err
	}
	return s.j.SetHead(h)
}

// Acknowledge records that a person knows of the damage that the journal tells
// of, so that Verify need not tell of it again.
func (s *Store) Acknowledge(by By) error {
	_, err := s.Record(by, opKnown)
	return err
}

// damage is what the journal itself tells of damage that nobody has acknowledged.
func damage(l *journal.Log) error {
	for _, e := range slices.Backward(l.Entries) {
		switch {
		case e.Op == opKnown && e.Actor == string(Human):
			return nil
		case e.Op == opDamaged && len(e.From) > 0:
			return fmt.Errorf("%w, as was seen before change %d: %s", ErrBroken, e.ID, e.From[0].Place)
		}
	}
	return nil
}

// HasJournal tells whether Dormouse ever wrote here.
func (s *Store) HasJournal() bool { return s.j.Exists() }
