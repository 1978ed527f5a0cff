//go:build !unix

package folder

import (
	"errors"
	"fmt"
	"io/fs"
)

const nonblock = 0

// names is how many names a file has; it can't be told here.
func names(fs.FileInfo) uint64 { return 1 }

// private can't be told from the mode here.
func private(string, fs.FileInfo) error { return nil }

// readHere has no shorter way here.
func (f *Folder) readHere(string, int64) (b []byte, info fs.FileInfo, ok bool, err error) {
	return nil, nil, false, nil
}

func (f *Folder) swap(_, _ string) error { return errors.ErrUnsupported }

func (f *Folder) renameNew(from, to string) error {
	if _, err := f.root.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return f.rename(from, to)
}

func (f *Folder) syncDir(string) error { return nil }
