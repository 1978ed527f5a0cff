//go:build !unix

package find

import (
	"os"
	"path/filepath"
	"time"
)

// An openDir is a folder whose files are looked at one by one.
type openDir struct{ path string }

func openFolder(root, rel string) (*openDir, error) {
	path := filepath.Join(root, filepath.FromSlash(rel))
	info, err := os.Lstat(path)
	if rel == "" && err == nil {
		info, err = os.Stat(path)
	}
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "open", Path: path, Err: os.ErrInvalid}
	}
	return &openDir{path}, err
}

func (d *openDir) close() {}

// own is the look of the folder itself.
func (d *openDir) own() (look, error) {
	info, err := os.Stat(d.path)
	if err != nil {
		return look{}, err
	}
	return look{mod: info.ModTime().UnixNano()}, nil
}

// lookAt looks at an entry whose name ends in a zero byte.
func (d *openDir) lookAt(name []byte) (l look, ok bool) {
	info, err := os.Lstat(filepath.Join(d.path, string(name[:len(name)-1])))
	if err != nil || !info.Mode().IsRegular() {
		return look{}, false
	}
	return look{size: info.Size(), mod: info.ModTime().UnixNano()}, true
}

func (d *openDir) list() ([]os.DirEntry, error) { return os.ReadDir(d.path) }

// settled reports whether a later change would show in the look.
func (l look) settled(now time.Time) bool { return now.Sub(time.Unix(0, l.mod)) >= settleTime }

// lookOfOpen is the look of an open file.
func lookOfOpen(f *os.File) (look, error) {
	info, err := f.Stat()
	if err != nil {
		return look{}, err
	}
	return look{size: info.Size(), mod: info.ModTime().UnixNano()}, nil
}
