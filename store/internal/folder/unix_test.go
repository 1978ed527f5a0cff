//go:build unix

package folder

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestReadNeverWaitsAndNeverFollows(t *testing.T) {
	t.Parallel()
	f, dir := opened(t)
	outside := filepath.Join(t.TempDir(), "outside.md")
	write(t, outside, "outside")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{"", "sub/"} {
		at := func(name string) string { return filepath.Join(dir, in, name) }
		if err := errors.Join(
			unix.Mkfifo(at("fifo.md"), 0o600), os.Symlink(outside, at("link.md")), os.Symlink("plain.md", at("inner.md")),
			os.Symlink("/dev/zero", at("zero.md")), os.Link(outside, at("hard.md")), os.Mkdir(at("folder.md"), 0o700),
		); err != nil {
			t.Skip(err)
		}
		write(t, at("plain.md"), "plain")
		if l, err := net.Listen("unix", at("s.md")); err == nil {
			defer l.Close() //nolint:errcheck // it only has to be there
		}
		for _, name := range []string{"fifo.md", "link.md", "inner.md", "zero.md", "hard.md", "folder.md", "s.md"} {
			start := time.Now()
			if b, _, err := f.Read(in+name, 100); !errors.Is(err, ErrUnsafe) {
				t.Errorf("%s: %q, %v", in+name, b, err)
			}
			if d := time.Since(start); d > time.Second {
				t.Errorf("%s took %v", in+name, d)
			}
		}
		if b, _, err := f.Read(in+"plain.md", 100); err != nil || string(b) != "plain" {
			t.Errorf("%splain.md: %q, %v", in, b, err)
		}
	}
}

// TestAFileThatTurnsIntoALinkLeadsNowhere swaps a file and a link to one outside
// while it is read and replaced over and over.
func TestAFileThatTurnsIntoALinkLeadsNowhere(t *testing.T) {
	t.Parallel()
	f, dir := opened(t)
	outside := filepath.Join(t.TempDir(), "outside.md")
	write(t, outside, "outside")
	path := filepath.Join(dir, "a.md")
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			os.Remove(path)                             //nolint:errcheck // it may be gone
			os.Symlink(outside, path)                   //nolint:errcheck // we may have made a file there meanwhile
			os.Remove(path)                             //nolint:errcheck // it may be gone
			os.WriteFile(path, []byte("inside"), 0o600) //nolint:errcheck // the same
		}
	})
	reads := 0
	for i := range 20_000 {
		b, _, err := f.Read("a.md", 100)
		if err == nil && string(b) == "outside" {
			t.Fatal("the link was followed")
		}
		if err == nil {
			reads++
			s := Swap{Rel: "a.md", Temp: ".t", Before: b, After: []byte("inside")}
			if sync, err := f.Prepare(s); err == nil && i%10 == 0 {
				sync()     //nolint:errcheck // a race is what the test is about
				f.Apply(s) //nolint:errcheck // the same
			} else if err == nil {
				sync() //nolint:errcheck // closes it
			}
			f.Drop(s.Temp)
		}
	}
	done.Store(true)
	wg.Wait()
	if b, err := os.ReadFile(outside); err != nil || string(b) != "outside" {
		t.Errorf("the file outside holds %q (%v)", b, err)
	}
	t.Logf("%d reads", reads)
}

func TestFoldersThatOthersMayWriteIntoAreRefused(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "between", "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		between, memory os.FileMode
		fine            bool
	}{
		{0o755, 0o755, true},
		{0o755, 0o777, false},
		{0o777, 0o700, false},
		{0o777 | os.ModeSticky, 0o700, true},
		{0o755, 0o702, false},
	} {
		if err := errors.Join(os.Chmod(filepath.Dir(dir), tc.between), os.Chmod(dir, tc.memory)); err != nil {
			t.Fatal(err)
		}
		f, err := Open(dir)
		if tc.fine != (err == nil) || !tc.fine && !errors.Is(err, ErrUnsafe) {
			t.Errorf("%v above %v: %v", tc.between, tc.memory, err)
		}
		if err == nil {
			f.Close() //nolint:errcheck // only read
		}
	}
}
