//go:build unix

package store

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// mtime returns the file time of an entry of an open folder.
func mtime(dir *os.File, name string) (time.Time, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		return time.Unix(st.Mtim.Unix()), err
	}
}
