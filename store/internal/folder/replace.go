package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// newMode is the mode of a file that is new.
const newMode = 0o600

// Swap is one file about to be replaced: what it holds, and what it is to hold;
// nil stands for no file. Temp is a free name in the same folder.
type Swap struct {
	Rel, Temp     string
	Before, After []byte
}

// Prepare writes the new content beside the file, with the file's mode. The
// returned function brings it to the disk and closes it.
func (f *Folder) Prepare(s Swap) (sync func() error, err error) {
	if s.After == nil {
		return func() error { return nil }, nil
	}
	mode := fs.FileMode(newMode)
	if s.Before != nil {
		info, err := f.Lstat(s.Rel)
		if err != nil {
			return nil, err
		}
		mode = info.Mode().Perm()
	}
	if dir := path.Dir(s.Rel); dir != "." && s.Before == nil {
		if err := f.root.MkdirAll(dir, 0o700); err != nil {
			return nil, bare(s.Rel, err)
		}
	}
	file, err := f.root.OpenFile(s.Temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, newMode)
	if err != nil {
		return nil, bare(s.Temp, err)
	}
	f.step("temp " + s.Temp)
	_, err = file.Write(s.After)
	if err == nil && mode != newMode {
		err = file.Chmod(mode)
	}
	if err != nil {
		file.Close() // the first error counts
		f.Drop(s.Temp)
		return nil, bare(s.Rel, err)
	}
	return func() error {
		err := file.Sync()
		return errors.Join(err, file.Close())
	}, nil
}

// Apply puts the prepared file into place, if the file there still holds what it
// held: else it wraps ErrChanged, and the other program's file is in place.
func (f *Folder) Apply(s Swap) error {
	switch {
	case s.Before == nil:
		return f.create(s)
	case s.After == nil:
		return f.remove(s)
	}
	return f.exchange(s)
}

// create gives the new file its name unless another has taken it.
func (f *Folder) create(s Swap) error {
	err := f.renameNew(s.Temp, s.Rel)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s %w: it is there now", s.Rel, ErrChanged)
	}
	return err
}

// exchange swaps the two names and then looks at what came out: where the system
// can do that, there is no moment between the look and the write.
func (f *Folder) exchange(s Swap) error {
	if err := f.Same(s.Rel, s.Before); err != nil {
		return err
	}
	f.step("look " + s.Rel)
	err := f.swap(s.Temp, s.Rel)
	if errors.Is(err, errors.ErrUnsupported) {
		return f.rename(s.Temp, s.Rel)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s %w: it is gone", s.Rel, ErrChanged)
	}
	if err != nil {
		return err
	}
	f.step("moved " + s.Rel)
	if out, _, err := f.Read(s.Temp, int64(len(s.Before))+1); err != nil || !bytes.Equal(out, s.Before) {
		if err := f.swap(s.Temp, s.Rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return fmt.Errorf("%s %w", s.Rel, ErrChanged)
	}
	f.step("drop " + s.Temp)
	f.Drop(s.Temp)
	return nil
}

// remove takes the file out of the way and looks at what it was.
func (f *Folder) remove(s Swap) error {
	if err := f.Same(s.Rel, s.Before); err != nil {
		return err
	}
	f.step("look " + s.Rel)
	if err := f.renameNew(s.Rel, s.Temp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s %w: it is gone", s.Rel, ErrChanged)
		}
		return err
	}
	f.step("moved " + s.Rel)
	if out, _, err := f.Read(s.Temp, int64(len(s.Before))+1); err != nil || !bytes.Equal(out, s.Before) {
		// Should yet another file have come there, what was taken out stays under
		// the temporary name: the next writer finds and keeps it.
		if err := f.renameNew(s.Temp, s.Rel); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return fmt.Errorf("%s %w", s.Rel, ErrChanged)
	}
	f.step("drop " + s.Temp)
	f.Drop(s.Temp)
	return nil
}

// Drop removes a temporary file; one that is gone is fine.
func (f *Folder) Drop(temp string) { f.root.Remove(temp) } //nolint:errcheck // the next writer drops what is left

// Sync brings the folder's own names to the disk, and those of the folders of
// the files.
func (f *Folder) Sync(rels ...string) error {
	dirs := map[string]bool{}
	for _, rel := range rels {
		dirs[path.Dir(rel)] = true
	}
	for dir := range dirs {
		if err := f.syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) rename(from, to string) error {
	if err := f.root.Rename(from, to); err != nil {
		return bare(to, err)
	}
	return nil
}
