//go:build unix

package mount

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

func TestWhatIsNoPlainTextIsPassedOverAndToldOf(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "a", "latin.md": "\xff", "nul.md": "a\x00b", "big.md": strings.Repeat("x", wire.MaxContent+1), "e\u0301.md": "decomposed"})
	elsewhere := filepath.Join(filepath.Dir(w.dir), "secret.md")
	if err := os.WriteFile(elsewhere, []byte("not of the folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(string) error{
		"link.md": func(p string) error { return os.Symlink(elsewhere, p) },
		"hard.md": func(p string) error { return os.Link(elsewhere, p) },
		"pipe.md": func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"dir":     func(p string) error { return os.Symlink(filepath.Dir(elsewhere), p) },
	} {
		if err := make(filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(w.list(apiserver.MemoryQuery{}), " "); got != "/a.md" {
		t.Errorf("listed: %s", got)
	}
	left, err := w.b.Left()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"latin.md", "nul.md", "big.md", "e\u0301.md", "hard.md"} {
		if !strings.Contains(strings.Join(left, "\n"), name+" of ") {
			t.Errorf("%s is not told of: %v", name, left)
		}
	}
	for path, want := range map[string]string{"/link.md": "409 memory_path_conflict_error", "/pipe.md": "409 memory_path_conflict_error", "/hard.md": "409 memory_path_conflict_error", "/dir/x.md": "400 invalid_request_error"} {
		if _, err := w.create(path, "over it"); kind(err) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if b, err := os.ReadFile(elsewhere); err != nil || string(b) != "not of the folder" {
		t.Errorf("%q %v", b, err)
	}
}
