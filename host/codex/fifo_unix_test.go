//go:build unix

package codex

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPipeIsPassedOverAndNotWaitedFor(t *testing.T) {
	root := lay(t, map[string]string{"p/AGENTS.md": "P", "h/.codex/config.toml": "features.memories = true", "h/.codex/memories/x": ""})
	for _, path := range []string{"p/AGENTS.override.md", "h/.codex/AGENTS.md", "h/.codex/memories/memory_summary.md"} {
		if err := syscall.Mkfifo(filepath.Join(root, path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep := start(t, root, "p")
	if diff := cmp.Diff([]string{"project p/AGENTS.md: P"}, loaded(rep, root)); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	want := []string{"not-a-file h/.codex/memories/memory_summary.md", "not-a-file h/.codex/AGENTS.md", "not-a-file p/AGENTS.override.md"}
	if diff := cmp.Diff(want, left(rep, root)); diff != "" || len(rep.Problems) != 3 {
		t.Errorf("left (-want +got):\n%s\n%+v", diff, rep.Problems)
	}
}
