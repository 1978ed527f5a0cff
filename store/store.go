// Package store is a memory folder on disk: its notes, and its index, which
// changes with them. Agents and people write into the same folder, so every
// write here is one change that happens whole or not at all, gives way to what
// another program wrote in between, and stands in a journal with the bytes of
// before. The journal lies in Dormouse's own state folder; no note needs it to be
// read.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dormouse/note"
	"dormouse/store/internal/folder"
	"dormouse/store/internal/journal"
)

// Config says which folder, and where Dormouse keeps what it knows about it.
type Config struct {
	Dir    string // the memory folder, absolute; it may be a link, and need not exist
	State  string // Dormouse's own state folder, absolute; made at the first write
	Limits Limits
	Now    func() time.Time // nil: time.Now
	Gate   Gate             // nil: everything may be written and listed
	// Line changes each index line that the store writes, for a folder whose index
	// is read by other rules than usual; nil: as it is.
	Line func(note.Line) note.Line
}

// Store is an open memory folder. It is not for use by several goroutines at
// once; several processes may have the same folder open.
type Store struct {
	dir    string         // links resolved
	folder *folder.Folder // nil while the folder does not exist
	j      *journal.Journal
	limits Limits
	gate   Gate
	asLine func(note.Line) note.Line
	now    func() time.Time

	stepper func(string) // nil but in tests
}

// Errors of a store; each comes wrapped with the file and the way out.
var (
	ErrNoNote    = errors.New("there is no such note")
	ErrExists    = errors.New("there is a note of that name already")
	ErrName      = errors.New("is no name for a new note")
	ErrNoChange  = errors.New("there is no such change")
	ErrConflict  = errors.New("was changed again since")
	ErrEncoding  = errors.New("is not UTF-8")
	ErrUndone    = errors.New("is undone already")
	ErrFirstLook = errors.New("is the first look at what was there")

	ErrChanged  = folder.ErrChanged  // another program was faster, again and again
	ErrUnsafe   = folder.ErrUnsafe   // a link, a pipe, a folder that others may write into, …
	ErrTooLarge = folder.ErrTooLarge // over note.MaxBytes
	ErrLockBusy = journal.ErrBusy    // another dormouse writes, and does not end
	ErrBroken   = journal.ErrBroken  // the journal was changed or damaged
	ErrPurged   = journal.ErrPurged  // the bytes were removed on request
	ErrNotKept  = journal.ErrNotKept // the bytes were too many to keep
)

// Open opens the store on a folder and makes nothing. A folder that is not there
// is an empty store. Errors wrap ErrUnsafe.
func Open(c Config) (*Store, error) {
	s := &Store{limits: c.Limits, gate: c.Gate, asLine: c.Line, now: c.Now}
	if s.now == nil {
		s.now = time.Now
	}
	f, err := folder.Open(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if s.dir, err = future(c.Dir); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, fmt.Errorf("opening the memory folder: %w", err)
	default:
		s.folder, s.dir = f, f.Path()
	}
	s.j = journal.At(c.State, s.dir)
	s.recover()
	return s, nil
}

// recover brings a change to its end that a crash left open, unless somebody
// writes just now. Where it can't, the next write does, and says why it can't.
func (s *Store) recover() {
	if size, ok := s.j.Size(); !ok || loadHead(s).Size == size {
		return
	}
	unlock, ok := s.j.TryLock()
	if !ok {
		return
	}
	defer unlock()
	if k, w, err := s.catchUp(); err == nil {
		k.save(s)
		_ = w.Close() // all of it is written
	}
}

// future is the path that a folder would have, links resolved, were it made.
func future(dir string) (string, error) {
	if _, err := os.Lstat(dir); err == nil {
		return "", fmt.Errorf("opening the memory folder: %s %w: it is a link to nothing", dir, ErrUnsafe)
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return dir, nil
	}
	real, err := filepath.EvalSymlinks(parent)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = future(parent)
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(dir)), nil
}

// Close ends the use of the store.
func (s *Store) Close() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}

// Dir is the folder, links resolved.
func (s *Store) Dir() string { return s.dir }

// Exists tells whether the folder is there.
func (s *Store) Exists() bool { return s.folder != nil }

// Read returns the bytes of one note or of the index. Errors wrap ErrNoNote,
// ErrUnsafe or ErrTooLarge.
func (s *Store) Read(rel string) ([]byte, error) {
	if s.folder == nil {
		return nil, fmt.Errorf("%s: %w: the memory folder %s does not exist", rel, ErrNoNote, s.dir)
	}
	b, _, err := s.folder.Read(rel, note.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", rel, ErrNoNote)
	}
	return b, err
}

// reopen opens the folder if another process has made it since.
func (s *Store) reopen() error {
	if s.folder != nil {
		return nil
	}
	f, err := folder.Open(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening the memory folder: %w", err)
	}
	f.Step = s.stepper
	s.folder = f
	return nil
}

// make makes the folder, for its owner only.
func (s *Store) make() error {
	if s.folder != nil {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("making the memory folder: %w", err)
	}
	return s.reopen()
}

// step is called before each step of a write, for tests that end the process
// there.
func (s *Store) step(what string) {
	if s.stepper != nil {
		s.stepper(what)
	}
}

// Now is the store's clock.
func (s *Store) Now() time.Time { return s.now() }
