//go:build unix

package doctor

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// otherOwner is the user that a file belongs to, if that is neither this one nor
// root.
func otherOwner(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 || int(st.Uid) == os.Getuid() {
		return ""
	}
	return strconv.Itoa(int(st.Uid))
}

// othersWrite tells whether somebody else may write. A group that has the number
// of its user is that user's own.
func othersWrite(info fs.FileInfo) bool {
	mode := info.Mode().Perm()
	st, ok := info.Sys().(*syscall.Stat_t)
	return mode&0o002 != 0 || mode&0o020 != 0 && ok && st.Gid != st.Uid
}
