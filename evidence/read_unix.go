//go:build unix

package evidence

import (
	"strings"

	"golang.org/x/sys/unix"
)

// folders opens the files of a tree relative to the folder that they lie in, which
// spares the walk from the root for each. It follows no link on the way, and waits
// for no pipe. One is for one goroutine.
type folders struct {
	top  string
	path string // slash path of the open folder, "" for the top
	segs []string
	fds  []int // of the top and of each segment
	bad  bool  // the folder can't be opened
}

func newFolders(top string) *folders { return &folders{top: top, path: "\x00"} }

func (d *folders) close() {
	for _, fd := range d.fds {
		unix.Close(fd) //nolint:errcheck // opened for reading
	}
	d.fds, d.segs = nil, nil
}

const openFolder = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK

// enter makes the folder the open one; of the last one's way it keeps what both
// have in common.
func (d *folders) enter(dir string) bool {
	if dir == d.path {
		return !d.bad
	}
	d.path, d.bad = dir, true
	if len(d.fds) == 0 {
		fd, err := unix.Open(d.top, openFolder, 0)
		if err != nil {
			return false
		}
		d.fds = append(d.fds, fd)
	}
	depth, rest := 0, dir
	for depth < len(d.segs) && rest != "" {
		seg, after, _ := strings.Cut(rest, "/")
		if seg != d.segs[depth] {
			break
		}
		depth, rest = depth+1, after
	}
	for _, fd := range d.fds[depth+1:] {
		unix.Close(fd) //nolint:errcheck // opened for reading
	}
	d.fds, d.segs = d.fds[:depth+1], d.segs[:depth]
	for rest != "" {
		seg, after, _ := strings.Cut(rest, "/")
		fd, err := unix.Openat(d.fds[len(d.fds)-1], seg, openFolder, 0)
		if err != nil {
			return false
		}
		d.fds, d.segs, rest = append(d.fds, fd), append(d.segs, seg), after
	}
	d.bad = false
	return true
}

// stat tells what is at the path: its mode, size and time of change, which are 0
// for a folder; ok is false where nothing is.
func (d *folders) stat(p string) (mode uint32, size, at int64, ok bool) {
	dir := folderOf(p)
	if !d.enter(dir) {
		return 0, 0, 0, false
	}
	var st unix.Stat_t
	if err := unix.Fstatat(d.fds[len(d.fds)-1], baseOf(p), &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return 0, 0, 0, false
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		return unix.S_IFDIR, 0, 0, true
	}
	return uint32(st.Mode), st.Size, st.Mtim.Nano(), true
}

// read reads a regular file into buf and returns how much that was; there tells
// whether anything is at the path. A file that does not fit is not read.
func (d *folders) read(p string, buf []byte) (n int, there, ok bool) {
	if !d.enter(folderOf(p)) {
		return 0, false, false
	}
	fd, err := unix.Openat(d.fds[len(d.fds)-1], baseOf(p), unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err != unix.ENOENT && err != unix.ENOTDIR, false
	}
	defer unix.Close(fd) //nolint:errcheck // opened for reading
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size >= int64(len(buf)) {
		return 0, true, false
	}
	for n < len(buf) {
		got, err := unix.Read(fd, buf[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, true, false
		}
		n += got
		if got == 0 || int64(n) >= st.Size {
			break
		}
	}
	return n, true, true
}
