package gemini

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSessionLogsOfBothLayoutsAreFound(t *testing.T) {
	root := lay(t, map[string]string{
		"h/.gemini/projects.json":                              `{"projects": {"$R/p": "zz"}}`,
		"h/.gemini/tmp/zz/chats/session-2026-11-30-b.jsonl":    "{}",
		"h/.gemini/tmp/zz/chats/notes.txt":                     "no log",
		"h/.gemini/tmp/other/chats/session-2026-11-30-c.jsonl": "{}",
	})
	old := filepath.Join("h/.gemini/tmp", fmt.Sprintf("%x", sha256.Sum256([]byte(filepath.Join(root, "p")))), "chats", "session-2025-11-30-a.json")
	if err := os.MkdirAll(filepath.Dir(filepath.Join(root, old)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, old), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Host{}.SessionLogs(session(root, "p", nil))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(root, "h/.gemini/tmp/zz/chats/session-2026-11-30-b.jsonl"), filepath.Join(root, old)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
