package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"dormouse/note"
	"dormouse/store/internal/folder"
	"dormouse/store/internal/journal"
)

// settleTries is how often a crash's leftovers are looked at while others write.
const settleTries = 50

// settle brings the last entry to its end, which a crash left open: all of its
// files are put into place. Where another program has written into one of them
// since, its bytes stay; the index then decides what becomes of a note, so that
// the two agree.
func (s *Store) settle(e journal.Entry, w *journal.Writer) error {
	if s.folder == nil && len(e.Changes) > 0 {
		if err := s.make(); err != nil {
			return err
		}
	}
	for range settleTries {
		err := s.trySettle(e, w)
		if !errors.Is(err, ErrChanged) {
			return err
		}
	}
	return fmt.Errorf("bringing change %d to its end: %w", e.ID, ErrChanged)
}

func (s *Store) trySettle(e journal.Entry, w *journal.Writer) error {
	foreign := false
	for i, c := range e.Changes {
		if err := s.restoreDisplaced(c, tempName(c.Path, e.ID, i)); err != nil {
			return err
		}
		now, err := s.hashNow(c.Path)
		if err != nil {
			return err
		}
		foreign = foreign || now != c.Before && now != c.After
	}
	s.dropLeft(e)
	if !foreign || e.Op == opPurge {
		for i, c := range e.Changes {
			if err := s.bring(c.Path, c.Before, c.After, e, i); err != nil && e.Op != opPurge {
				return err
			}
		}
		return w.Done(e.ID)
	}
	kept, err := s.agree(e)
	if err != nil {
		return err
	}
	return s.void(e, w, kept)
}

// void records that an entry did not come to pass, but for some of its changes.
func (s *Store) void(e journal.Entry, w *journal.Writer, but []journal.Change) error {
	from := w.State()
	if _, err := w.Add(journal.Entry{Time: s.now(), Actor: e.Actor, Session: e.Session, Op: opVoid, Voids: e.ID, Changes: but}); err != nil {
		return err
	}
	return w.Flush(from)
}

// restoreDisplaced puts back what another program wrote between our look and our
// write, and a crash kept us from putting back.
func (s *Store) restoreDisplaced(c journal.Change, temp string) error {
	b, _, err := s.folder.Read(temp, note.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	hash := journal.Hash(b)
	if hash == c.Before || hash == c.After {
		return nil
	}
	now, err := s.hashNow(c.Path)
	if err != nil || now != c.After {
		return err
	}
	if now == "" {
		return s.folder.Apply(folder.Swap{Rel: c.Path, Temp: temp, After: b})
	}
	ours, _, err := s.folder.Read(c.Path, note.MaxBytes)
	if err != nil {
		return err
	}
	return s.folder.Apply(folder.Swap{Rel: c.Path, Temp: temp, Before: ours, After: b})
}

// hashNow is the hash of what a file holds, "" for no file. What can't be read
// is another program's.
func (s *Store) hashNow(rel string) (string, error) {
	b, info, err := s.folder.Read(rel, note.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, ErrTooLarge):
		return journal.Unkept(info.Size(), info.ModTime()), nil
	case errors.Is(err, ErrUnsafe):
		return "unsafe", nil
	case err != nil:
		return "", err
	}
	return journal.Hash(b), nil
}

// dropLeft removes the temporary files of an entry.
func (s *Store) dropLeft(e journal.Entry) {
	for i, c := range e.Changes {
		s.dropKept(tempName(c.Path, e.ID, i))
	}
}

// bring makes the i-th file of an entry, that holds one content, hold the other.
func (s *Store) bring(rel, from, to string, e journal.Entry, i int) error {
	now, err := s.hashNow(rel)
	if err != nil || now == to || now != from {
		return err
	}
	sw := folder.Swap{Rel: rel, Temp: s.freeTemp(rel, e, i)}
	if sw.Before, err = s.contentOf(from); err != nil {
		return err
	}
	if sw.After, err = s.contentOf(to); err != nil {
		return err
	}
	sync, err := s.folder.Prepare(sw)
	if err != nil {
		return err
	}
	if err := errors.Join(sync(), s.folder.Apply(sw)); err != nil {
		s.dropKept(sw.Temp)
		return err
	}
	return s.folder.Sync(rel)
}

// freeTemp is a temporary name for the i-th file of an entry that nothing has:
// what another program's bytes lie under is kept by the next look.
func (s *Store) freeTemp(rel string, e journal.Entry, i int) string {
	for ; ; i += len(e.Changes) {
		if _, err := s.folder.Lstat(tempName(rel, e.ID, i)); err != nil {
			return tempName(rel, e.ID, i)
		}
	}
}

// contentOf is the content of a hash; nil for no file.
func (s *Store) contentOf(hash string) ([]byte, error) {
	if hash == "" {
		return nil, nil
	}
	b, err := s.j.Content(hash)
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// agree settles an entry into whose files another program has written: a new
// note stays if the index has its line, and a forgotten one stays away if it has
// none. It returns the changes that stand.
func (s *Store) agree(e journal.Entry) (kept []journal.Change, err error) {
	var index *note.Index
	if b, _, err := s.folder.Read(IndexName, note.MaxBytes); err == nil {
		index = note.ReadIndex(b)
	}
	for i, c := range e.Changes {
		want := c.Before
		listed := index != nil && index.Has(c.Path)
		if c.Path != IndexName && path.Ext(c.Path) == noteSuffix && (c.Before == "" || c.After == "") && listed == (c.After != "") {
			want = c.After
		}
		now, err := s.hashNow(c.Path)
		if err != nil {
			return nil, err
		}
		if now == c.Before || now == c.After {
			if err := s.bring(c.Path, now, want, e, i); err != nil {
				return nil, err
			}
			if want == c.After {
				kept = append(kept, c)
			}
		}
	}
	return kept, nil
}
