//go:build !unix

package evidence

import (
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/internal/safefile"
)

// folders reads the files of a tree without following links on the way. One is for
// one goroutine.
type folders struct {
	top   string
	plain map[string]bool // folders that are reached over no link
}

func newFolders(top string) *folders { return &folders{top, map[string]bool{"": true}} }

func (d *folders) close() {}

func (d *folders) enter(dir string) bool {
	ok, known := d.plain[dir]
	if !known {
		info, err := os.Lstat(d.full(dir))
		ok = err == nil && info.IsDir() && d.enter(folderOf(dir))
		d.plain[dir] = ok
	}
	return ok
}

func (d *folders) full(p string) string { return filepath.Join(d.top, filepath.FromSlash(p)) }

// stat tells what is at the path: its mode, size and time of change, which are 0
// for a folder; ok is false where nothing is.
func (d *folders) stat(p string) (mode uint32, size, at int64, ok bool) {
	if !d.enter(folderOf(p)) {
		return 0, 0, 0, false
	}
	info, err := os.Lstat(d.full(p))
	switch {
	case err != nil:
		return 0, 0, 0, false
	case info.IsDir():
		return uint32(fs.ModeDir), 0, 0, true
	}
	return uint32(info.Mode()), info.Size(), info.ModTime().UnixNano(), true
}

// read reads a regular file into buf and returns how much that was; there tells
// whether anything is at the path. A file that does not fit is not read.
func (d *folders) read(p string, buf []byte) (n int, there, ok bool) {
	mode, _, _, there := d.stat(p)
	if !there || !fs.FileMode(mode).IsRegular() {
		return 0, there, false
	}
	b, _, err := safefile.Read(d.full(p), int64(len(buf)-1))
	if err != nil {
		return 0, true, false
	}
	return copy(buf, b), true, true
}
