package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/internal/atomicfile"
)

// Apply carries changes out, all or none, and keeps the note of them in the state
// folder. A file that holds by now what it did not when the change was planned is
// an error ([atomicfile.ErrChanged]), and then nothing has changed.
func Apply(changes []Change, notes *Notes, state string) error {
	done := 0
	var err error
	for _, c := range changes {
		if c.Changed() {
			if err = c.apply(); err != nil {
				break
			}
		}
		notes = notes.with(c.key, c.entry)
		done++
	}
	if err == nil {
		if err = notes.save(state); err == nil {
			tidy(changes)
			return nil
		}
		err = fmt.Errorf("keeping the note of what was installed: %w", err)
	}
	for _, c := range changes[:done] {
		if c.Changed() {
			err = errors.Join(err, c.takenBack())
		}
	}
	tidy(changes)
	return err
}

func (c *Change) apply() error {
	switch {
	case c.After == nil:
		return remove(c.Path, c.Before)
	case c.Before == nil && c.private:
		return create(c.Path, c.After)
	}
	return atomicfile.Replace(c.Path, c.Before, c.After)
}

func (c *Change) takenBack() error {
	back := Change{Path: c.Path, Before: c.After, After: c.Before, private: c.private}
	if err := back.apply(); err != nil {
		return fmt.Errorf("%s could not be put back: %w", c.Path, err)
	}
	return nil
}

// create makes a file for its owner alone, as a whole or not at all: the client
// fills its state file with what is nobody else's business, and leaves the mode as
// it is.
func create(path string, text []byte) error {
	if err := createWhole(path, text); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

func createWhole(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	// A link takes no other file's place, a rename would.
	err = os.Link(f.Name(), path)
	switch _, there := os.Lstat(path); {
	case err == nil:
		err = os.Remove(f.Name())
	case there == nil:
		err = errors.Join(atomicfile.ErrChanged, os.Remove(f.Name()))
	default: // not every file system has such links
		err = os.Rename(f.Name(), path)
	}
	return errors.Join(err, atomicfile.SyncDir(dir))
}

// remove removes a file that still holds before.
func remove(path string, before []byte) error {
	now, err := read(path)
	if err == nil && !bytes.Equal(now, before) {
		err = atomicfile.ErrChanged
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return fmt.Errorf("removing %s: %w", path, err)
	}
	return nil
}

// tidy removes the folders that were made for files that are gone, where nothing
// else is in them by now.
func tidy(changes []Change) {
	for _, c := range changes {
		if _, err := os.Lstat(c.Path); err == nil {
			continue
		}
		for _, dir := range c.folders {
			if os.Remove(dir) != nil { // it is in use
				break
			}
		}
	}
}
