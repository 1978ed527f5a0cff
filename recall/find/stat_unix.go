//go:build unix && !(linux && (amd64 || arm64))

package find

import "golang.org/x/sys/unix"

func fstatat(fd int, name []byte, st *unix.Stat_t) error {
	for {
		err := unix.Fstatat(fd, string(name[:len(name)-1]), st, unix.AT_SYMLINK_NOFOLLOW)
		if err != unix.EINTR { //nolint:errorlint // as the system gives it
			return err
		}
	}
}
