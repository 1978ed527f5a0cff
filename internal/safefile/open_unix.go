//go:build unix

package safefile

import (
	"os"
	"syscall"
)

// O_NONBLOCK: opening a named pipe nobody writes to would otherwise hang.
// O_NOCTTY: a terminal device must not become ours.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
}
