//go:build unix

package safefile

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReadDoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// Were it opened in the usual way, this would never return.
	if _, _, err := Read(path, 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a pipe: %v", err)
	}
	if _, _, err := Head(path, 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a pipe: %v", err)
	}
}
