// Package atomicfile replaces a file as a whole or not at all. The known
// libraries do it on Unix only (renameio) or do not flush to disk.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/internal/safefile"
)

// ErrChanged says that another program changed the file meanwhile; test with
// errors.Is. Nothing was written.
var ErrChanged = errors.New("changed by another program meanwhile; nothing was written, try again")

// Replace writes after to path if the file still holds before (nil: if there
// is no file). It writes a new file beside it, flushes it, gives it the old
// one's mode (0644 for a new one, less the umask), and renames it into place;
// missing folders are made. path must not be a link: resolve it first. On any
// error the old file is whole.
func Replace(path string, before, after []byte) error {
	mode, err := check(path, before)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := write(path, before, after, mode); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// check returns the mode the new file is to have, 0 for a file that is new.
func check(path string, before []byte) (fs.FileMode, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if before != nil {
			return 0, ErrChanged
		}
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("it is a %s, not a file", safefile.Kind(info.Mode()))
	}
	now, _, err := safefile.Read(path, int64(len(before))+1)
	if before == nil || err != nil && !errors.Is(err, safefile.ErrTooLarge) {
		return 0, errors.Join(ErrChanged, err)
	}
	if err != nil || !bytes.Equal(now, before) {
		return 0, ErrChanged
	}
	return info.Mode().Perm(), nil
}

func write(path string, before, after []byte, mode fs.FileMode) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()           // the first error counts
			os.Remove(f.Name()) //nolint:errcheck // it may be renamed already
		}
	}()
	if mode == 0 {
		mode = 0o644 &^ umask()
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if _, err := f.Write(after); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	// Looked at again as late as can be: the window that remains is the one
	// between this read and the rename.
	if _, err := check(path, before); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return SyncDir(dir)
}
