//go:build unix

package shelf

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeInPlaceOfADreamIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s, d := kept(t)
	p := filepath.Join(s.dir, d.ID, metaName)
	if err := errors.Join(os.Remove(p), syscall.Mkfifo(p, 0o600)); err != nil {
		t.Fatal(err)
	}
	if all, damaged := s.List(); len(all) != 0 || len(damaged) != 1 || !errors.Is(damaged[0], ErrDamaged) {
		t.Errorf("%v, %v", all, damaged)
	}
}
