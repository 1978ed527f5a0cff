//go:build unix

package find

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file of the cache, which nobody changes: it is replaced as a
// whole. What others may write into is not ours, and refused.
func mapFile(path string) (b []byte, info fs.FileInfo, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o022 != 0 || info.Size() == 0 || info.Size() > maxCached {
		return nil, nil, errForeign
	}
	if b, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED); errors.Is(err, unix.ENODEV) {
		b = make([]byte, info.Size())
		_, err = f.ReadAt(b, 0)
		return b, info, err
	}
	return b, info, err
}

func unmapFile(b []byte) { _ = unix.Munmap(b) } // what was not mapped is not unmapped
