package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReadGivesWholeFilesUpToTheLimit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, n := range []int{0, 1, 4095, 4096, 10_000} {
		if err := os.WriteFile(path, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
		b, info, err := Read(path, int64(n))
		if err != nil || len(b) != n || info.Size() != int64(n) {
			t.Errorf("%d bytes at their own limit: read %d, %v", n, len(b), err)
		}
		if n == 0 {
			continue
		}
		if b, info, err = Read(path, int64(n-1)); !errors.Is(err, ErrTooLarge) || b != nil || info == nil {
			t.Errorf("%d bytes over the limit: read %d, %v", n, len(b), err)
		}
	}
}

func TestReadRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := Read(dir, 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if _, _, err := Read(os.DevNull, 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
	if _, _, err := Read(filepath.Join(dir, "none"), 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
}

func TestHeadGivesTheStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		n    int
		want string
	}{{3, "abc"}, {6, "abcdef"}, {9, "abcdef"}} {
		if b, _, err := Head(path, tc.n); err != nil || string(b) != tc.want {
			t.Errorf("%d bytes: %q, %v", tc.n, b, err)
		}
	}
}
