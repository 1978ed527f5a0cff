//go:build unix

package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const nonblock = unix.O_NONBLOCK

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) //nolint:unconvert // its size differs by system
	}
	return 1
}

// private refuses a folder that another user owns or may write into, or could
// put another one in the place of. A group that is the user's own, as many Linux
// systems have it, is no other user.
func private(dir string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	uid := uint32(os.Geteuid())
	own := func(st *syscall.Stat_t) bool { return st.Uid == uid || uid == 0 }
	if !own(st) {
		return fmt.Errorf("%s %w: it belongs to another user", dir, ErrUnsafe)
	}
	if loose(info, st) {
		return fmt.Errorf("%s %w: others may write into it (mode %04o); chmod go-w it", dir, ErrUnsafe, info.Mode().Perm())
	}
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && info.Mode()&fs.ModeSticky == 0 && loose(info, st) {
			return fmt.Errorf("%s %w: others may write into %s above it (mode %04o), and so replace it; chmod go-w that", dir, ErrUnsafe, parent, info.Mode().Perm())
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
	}
}

func loose(info fs.FileInfo, st *syscall.Stat_t) bool {
	mode := info.Mode().Perm()
	return mode&0o002 != 0 || mode&0o020 != 0 && st.Gid != st.Uid
}

// readHere is Read of a file right in the folder, in as few calls as it takes:
// nothing can come between the look and the opening, as there is one opening,
// which does not follow links. ok is false for other files.
func (f *Folder) readHere(rel string, limit int64) (b []byte, info fs.FileInfo, ok bool, err error) {
	if strings.Contains(rel, "/") || !fs.ValidPath(rel) || rel == "." {
		return nil, nil, false, nil
	}
	fd, err := retried(func() (int, error) {
		return unix.Openat(int(f.dir.Fd()), rel, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if errors.Is(err, unix.ENOENT) {
		return nil, nil, true, fmt.Errorf("%s: %w", rel, fs.ErrNotExist)
	}
	if err != nil {
		return nil, nil, false, nil //nolint:nilerr // the long way says why
	}
	defer unix.Close(fd) //nolint:errcheck // only read
	st := &fileInfo{name: rel}
	if _, err := retried(func() (int, error) { return 0, unix.Fstat(fd, &st.sys) }); err != nil {
		return nil, nil, true, fmt.Errorf("%s: %w", rel, err)
	}
	switch {
	case st.sys.Mode&unix.S_IFMT != unix.S_IFREG || st.sys.Nlink > 1:
		return nil, nil, false, nil // the long way says why
	case st.sys.Size > limit:
		return nil, st, true, tooLarge(rel, st.sys.Size, limit)
	}
	b, err = readFd(fd, st.sys.Size, limit)
	if err != nil {
		err = fmt.Errorf("%s: %w", rel, err)
	}
	return b, st, true, err
}

func readFd(fd int, size, limit int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	for {
		n, err := retried(func() (int, error) { return unix.Read(fd, b[len(b):cap(b)]) })
		if err != nil {
			return nil, err
		}
		b = b[:len(b)+n]
		if n == 0 || int64(len(b)) == size && len(b) < cap(b) {
			return b, nil // all that was there at the look
		}
		if int64(len(b)) > limit {
			return nil, tooLarge("it", int64(len(b)), limit)
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// retried calls do until a signal does not break it off.
func retried(do func() (int, error)) (int, error) {
	for {
		if n, err := do(); err != unix.EINTR { //nolint:errorlint // as the system gives it
			return n, err
		}
	}
}

// fileInfo is the state of a plain file.
type fileInfo struct {
	name string
	sys  unix.Stat_t
}

func (i *fileInfo) Name() string       { return i.name }
func (i *fileInfo) Size() int64        { return i.sys.Size }
func (i *fileInfo) Mode() fs.FileMode  { return fs.FileMode(i.sys.Mode).Perm() }
func (i *fileInfo) ModTime() time.Time { return time.Unix(i.sys.Mtim.Unix()) }
func (i *fileInfo) IsDir() bool        { return false }
func (i *fileInfo) Sys() any           { return &i.sys }

// at calls do with the open folder of a file and the file's name in it.
func (f *Folder) at(rel string, do func(dir int, name string) error) error {
	d, err := f.root.Open(path.Dir(rel))
	if err != nil {
		return bare(rel, err)
	}
	defer d.Close()
	for {
		if err := do(int(d.Fd()), path.Base(rel)); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// swap exchanges two files of one folder. It wraps errors.ErrUnsupported where
// the system or the file system can't.
func (f *Folder) swap(a, b string) error {
	return f.at(b, func(dir int, name string) error {
		err := exchangeAt(dir, path.Base(a), name)
		return unsupported(b, err)
	})
}

// renameNew renames within one folder, and wraps fs.ErrExist where the new name
// is taken.
func (f *Folder) renameNew(from, to string) error {
	err := f.at(to, func(dir int, name string) error {
		return unsupported(to, renameNewAt(dir, path.Base(from), name))
	})
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := f.root.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return f.rename(from, to)
}

// unsupported wraps an error, one by which a file system says that it does not
// know the call as errors.ErrUnsupported.
func unsupported(rel string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		err = errors.ErrUnsupported
	}
	return fmt.Errorf("%s: %w", rel, err)
}

func (f *Folder) syncDir(dir string) error {
	d, err := f.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return bare(dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil
}
