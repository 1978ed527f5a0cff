//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// umask reads the process's mask, which can only be read by setting it.
func umask() fs.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return fs.FileMode(m)
}

// SyncDir makes the rename durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
