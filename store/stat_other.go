//go:build !unix

package store

import (
	"os"
	"path/filepath"
	"time"
)

// mtime returns the file time of an entry of an open folder.
func mtime(dir *os.File, name string) (time.Time, error) {
	info, err := os.Lstat(filepath.Join(dir.Name(), name))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
