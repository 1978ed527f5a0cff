//go:build unix

package store

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// statIn looks at an entry of an open folder.
func (f *File) statIn(dir *os.File, name string) error {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		f.Mod, f.Size = time.Unix(st.Mtim.Unix()), st.Size
		f.stamp = stamp{st.Size, st.Mtim.Nano(), st.Ctim.Nano(), st.Ino}
		return nil
	}
}

// statAt looks at one file of a folder.
func statAt(dir, rel string) (File, error) {
	d, err := os.Open(filepath.Join(dir, filepath.Dir(filepath.FromSlash(rel))))
	if err != nil {
		return File{}, err
	}
	defer d.Close()
	f := File{Rel: rel}
	return f, f.statIn(d, filepath.Base(filepath.FromSlash(rel)))
}
