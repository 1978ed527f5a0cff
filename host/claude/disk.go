package claude

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// disk resolves links with few system calls: what was looked at once is not
// looked at again during a run.
type disk struct {
	folders map[string]folder
	files   map[string]found
}

type folder struct {
	real  string
	there bool
}

// found is what stands at a path, links followed.
type found struct {
	real string
	info fs.FileInfo
	err  error
}

// errDangling is a link that leads to nothing, or round in a circle.
var errDangling = errors.New("a link to nothing")

func newDisk(cwd string) *disk {
	d := &disk{folders: map[string]folder{}, files: map[string]found{}}
	for dir := cwd; ; dir = filepath.Dir(dir) {
		d.folders[dir] = folder{dir, true} // a resolved folder's ancestors are resolved
		if dir == filepath.Dir(dir) {
			return d
		}
	}
}

// folder resolves a folder's links; of one that is not there, only those of
// the part that is.
func (d *disk) folder(dir string) folder {
	if f, ok := d.folders[dir]; ok {
		return f
	}
	f := d.lookUpFolder(dir)
	d.folders[dir] = f
	return f
}

func (d *disk) lookUpFolder(dir string) folder {
	up := filepath.Dir(dir)
	if up == dir {
		return folder{dir, true}
	}
	parent := d.folder(up)
	real := filepath.Join(parent.real, filepath.Base(dir))
	if !parent.there {
		return folder{real, false}
	}
	info, err := os.Lstat(real)
	if err != nil {
		return folder{real, false}
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(real)
		return folder{first(target, real), err == nil}
	}
	return folder{real, info.IsDir()}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// find returns the real path of a file and its own state. The error is
// fs.ErrNotExist for nothing, errDangling for a link to nothing, or the
// system's.
func (d *disk) find(path string) (real string, info fs.FileInfo, err error) {
	f, ok := d.files[path]
	if !ok {
		f = d.lookUp(path)
		d.files[path] = f
	}
	return f.real, f.info, f.err
}

func (d *disk) lookUp(path string) found {
	dir := d.folder(filepath.Dir(path))
	real := filepath.Join(dir.real, filepath.Base(path))
	if !dir.there {
		return found{real: real, err: fs.ErrNotExist}
	}
	info, err := os.Lstat(real)
	if err != nil {
		return found{real: real, err: err}
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return found{real: real, info: info}
	}
	target, err := filepath.EvalSymlinks(real)
	if err != nil {
		return found{real: real, err: errDangling}
	}
	info, err = os.Lstat(target)
	return found{real: target, info: info, err: err}
}

// exists tells whether something stands at a path, be it a link to nothing.
func (d *disk) exists(path string) bool {
	_, _, err := d.find(path)
	return !errors.Is(err, fs.ErrNotExist)
}
