//go:build unix

package gemini

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPipeIsNotWaitedFor(t *testing.T) {
	root := lay(t, map[string]string{"h/.gemini/GEMINI.md": "U", "p/.git/x": "", "p/GEMINI.md": "P @pipe", "p/a/x": ""})
	for _, path := range []string{"p/pipe", "p/a/GEMINI.md", "h/.gemini/settings.json"} {
		if err := syscall.Mkfifo(filepath.Join(root, path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep := start(t, session(root, "p/a", nil))
	want := []string{"not-a-file p/pipe", "not-a-file p/a/GEMINI.md"}
	if diff := cmp.Diff(want, left(rep, root)); diff != "" || len(rep.Problems) != 3 || len(rep.Loaded) != 2 {
		t.Errorf("left (-want +got):\n%s\n%+v\n%+v", diff, rep.Problems, rep.Loaded)
	}
}
