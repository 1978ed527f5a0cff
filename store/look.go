package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"dormouse/note"
	"dormouse/store/internal/journal"
)

// What a change was, in the journal.
const (
	opSeen     = "seen"   // what was there before Dormouse first wrote
	opChange   = "change" // by another program
	opRemember = "remember"
	opEdit     = "edit"
	opForget   = "forget"
	opUndo     = "undo"
	opIndex    = "index"
	opDream    = "dream"
	opPurge    = "purge"
	opRollback = "rollback"
	opDamaged  = "damaged" // the journal itself was
	opKnown    = "acknowledge"
	opSign     = "sign"
	opVoid     = "void" // a change that did not come to pass; not shown
)

// Look records what other programs changed since the last look, and returns the
// entry; nil if there is none. The first look records what is there; where
// nothing is, nothing is made.
func (s *Store) Look() (*Entry, error) {
	if !s.j.Exists() {
		if files, _, err := s.listing(); len(files) == 0 || err != nil {
			return nil, err
		}
	}
	unlock, err := s.j.Lock(s.dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	k, w, err := s.catchUp()
	if err != nil {
		return nil, err
	}
	_, e, err := s.look(k, w)
	if err == nil {
		k.save(s)
	}
	return e, errors.Join(err, w.Close())
}

// look compares the folder with what the journal says and records the
// difference, with its bytes.
func (s *Store) look(k *known, w *journal.Writer) ([]File, *Entry, error) {
	files, temps, err := s.listing()
	if err != nil {
		return nil, nil, fmt.Errorf("looking through %s: %w", s.dir, err)
	}
	if err := s.sweep(temps, k, w); err != nil {
		return nil, nil, err
	}
	changes, err := s.compare(files, k, w)
	if err != nil {
		return nil, nil, fmt.Errorf("looking through %s: %w", s.dir, err)
	}
	if len(changes) == 0 {
		return files, nil, nil
	}
	op := opChange
	if w.Last() == 0 {
		op = opSeen
	}
	from := w.State()
	e := journal.Entry{Time: s.now(), Actor: string(Outside), Op: op, Changes: changes}
	if e.ID, err = w.Add(e); err != nil {
		return nil, nil, err
	}
	s.step("look")
	if err := w.Flush(from); err != nil {
		return nil, nil, err
	}
	k.state = w.State()
	out := entryOf(e)
	return files, &out, nil
}

// compare finds the files that do not hold what the journal says, and takes
// their state over.
func (s *Store) compare(files []File, k *known, w *journal.Writer) (changes []journal.Change, err error) {
	now := s.now()
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Rel] = true
		m, ok := k.files[f.Rel]
		if ok && m.stamp == f.stamp && f.stamp != unsure {
			continue
		}
		hash, err := s.take(f, w, m.hash)
		if err != nil {
			there[f.Rel] = ok && !missing(err) // what can't be read has not changed
			continue
		}
		k.files[f.Rel] = mark{hash, f.stamp.sure(now)}
		if hash != m.hash {
			changes = append(changes, journal.Change{Path: f.Rel, Before: m.hash, After: hash})
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(k.files)) {
		if !there[rel] {
			changes = append(changes, journal.Change{Path: rel, Before: k.files[rel].hash})
			delete(k.files, rel)
		}
	}
	slices.SortFunc(changes, func(a, b journal.Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// take reads a file and keeps its bytes if they are not those of the hash.
func (s *Store) take(f File, w *journal.Writer, have string) (string, error) {
	b, info, err := s.folder.Read(f.Rel, note.MaxBytes)
	if errors.Is(err, ErrTooLarge) && info != nil {
		return journal.Unkept(info.Size(), info.ModTime()), nil
	}
	if err != nil {
		return "", err
	}
	hash := journal.Hash(b)
	if hash != have {
		w.Keep(b)
	}
	return hash, nil
}

// listing are the files that the journal watches, the notes and the index,
// sorted, and the temporary files that a killed write left.
func (s *Store) listing() (files []File, temps []string, err error) {
	if s.folder == nil {
		return nil, nil, nil
	}
	l := lister{times: true}
	if l.list(s.dir, "", 0); l.err != nil {
		return nil, nil, l.err
	}
	if f, err := statAt(s.dir, IndexName); err == nil {
		l.files = append(l.files, f)
	}
	slices.SortFunc(l.files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	return l.files, l.temps, nil
}

// sweep removes the temporary files that a killed write left. One that holds
// what another program wrote, and what we had no time to put back, is an outside
// change like others: its bytes go into the journal.
func (s *Store) sweep(temps []string, k *known, w *journal.Writer) error {
	for _, temp := range temps {
		b, _, err := s.folder.Read(temp, note.MaxBytes)
		if err != nil {
			continue
		}
		if rel, ok := s.displaced(temp, b, w); ok {
			from := w.State()
			e := journal.Entry{Time: s.now(), Actor: string(Outside), Op: opChange}
			e.Changes = []journal.Change{{Path: rel, Before: k.files[rel].hash, After: w.Keep(b)}}
			if _, err := w.Add(e); err != nil {
				return err
			}
			if err := w.Flush(from); err != nil {
				return err
			}
			k.files[rel], k.state = mark{e.Changes[0].After, unsure}, w.State()
		}
		s.folder.Drop(temp)
	}
	return nil
}

// displaced tells which note a temporary file's bytes were, if they are not ours.
func (s *Store) displaced(temp string, b []byte, w *journal.Writer) (string, bool) {
	var id, i int
	if _, err := fmt.Sscanf(path.Base(temp), tempPrefix+"%d-%d"+tempSuffix, &id, &i); err != nil || id > w.Last() {
		return "", false // the journal does not know of it, so it was never to be in place
	}
	if _, err := s.j.Content(journal.Hash(b)); err == nil {
		return "", false
	}
	l, err := s.j.Read()
	if err != nil || id > len(l.Entries) || len(l.Entries[id-1].Changes) == 0 {
		return "", false
	}
	changes := l.Entries[id-1].Changes
	return changes[i%len(changes)].Path, true
}

// missing reports whether an error tells that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
