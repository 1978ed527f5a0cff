//go:build unix

package find

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// An openDir is a folder whose files are looked at one by one. They are looked at
// relative to it: with thousands of them, walking down the whole path for each
// would cost more than the look itself.
type openDir struct {
	fd   int
	path string
}

// openFolder opens a folder. Where it is a link, it is followed only for the
// store's own folder.
func openFolder(root, rel string) (*openDir, error) {
	path, flags := filepath.Join(root, filepath.FromSlash(rel)), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC
	if rel != "" {
		flags |= unix.O_NOFOLLOW
	}
	for {
		fd, err := unix.Open(path, flags, 0)
		if err == nil {
			return &openDir{fd: fd, path: path}, nil
		}
		if err != unix.EINTR {
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

func (d *openDir) close() { _ = unix.Close(d.fd) } // only read

// own is the look of the folder itself.
func (d *openDir) own() (look, error) {
	var st unix.Stat_t
	err := unix.Fstat(d.fd, &st)
	return lookOf(&st), err
}

// lookAt looks at an entry whose name ends in a zero byte; ok is false for what
// is no regular file, or gone.
func (d *openDir) lookAt(name []byte) (l look, ok bool) {
	var st unix.Stat_t
	if fstatat(d.fd, name, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return look{}, false
	}
	return lookOf(&st), true
}

func lookOf(st *unix.Stat_t) look {
	return look{st.Size, st.Mtim.Nano(), st.Ctim.Nano(), st.Ino}
}

// list are the entries of the folder.
func (d *openDir) list() ([]os.DirEntry, error) {
	fd, err := unix.Dup(d.fd)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(fd)
	f := os.NewFile(uintptr(fd), d.path)
	defer f.Close()
	return f.ReadDir(-1)
}

// settled reports whether a later change would show in the look: times are
// coarse, so what was just changed could change again unseen. No program can set
// the time of the change itself.
func (l look) settled(now time.Time) bool { return now.Sub(time.Unix(0, l.change)) >= settleTime }

// lookOfOpen is the look of an open file.
func lookOfOpen(f *os.File) (look, error) {
	var st unix.Stat_t
	err := unix.Fstat(int(f.Fd()), &st)
	return lookOf(&st), err
}
