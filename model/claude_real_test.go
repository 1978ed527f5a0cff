//go:build unix

package model

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/testkit/modelserver"
)

// The real client, offline, with all that a person may have set up around it. It
// takes some 5 s.
func TestTheRealClientSendsNothingElseAndKeepsNothing(t *testing.T) {
	program := os.Getenv("DORMOUSE_CLAUDE")
	if program == "" {
		t.Skip("DORMOUSE_CLAUDE does not name the client's program: run make test-claude")
	}
	home, bin := t.TempDir(), t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	marks := []string{"MARK-INSTRUCTIONS", "MARK-RULE", "MARK-SKILL", "MARK-AGENT", "MARK-MEMORY"}
	for name, text := range map[string]string{
		".claude/CLAUDE.md":         marks[0],
		".claude/rules/a.md":        marks[1],
		".claude/skills/x/SKILL.md": "---\nname: x\ndescription: " + marks[2] + "\n---\n",
		".claude/agents/y.md":       "---\nname: y\ndescription: " + marks[3] + "\n---\n",
		".claude/MEMORY.md":         marks[4],
		".claude/settings.json":     `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch ` + home + `/HOOK"}]}],"SessionEnd":[{"hooks":[{"type":"command","command":"touch ` + home + `/HOOK"}]}]}}`,
		".claude.json":              `{"mcpServers":{"m":{"command":"touch","args":["` + home + `/MCP"]}}}`,
	} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	server, err := modelserver.Start(modelserver.Steps(
		modelserver.Step{Text: "the answer", Usage: &modelserver.Usage{Input: 11, Output: 7, CacheRead: 3, CacheWrite: 2}},
		modelserver.Step{Fault: modelserver.Unauthorized},
	))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close() //nolint:errcheck // a test server
	m, err := Open(Config{Spec: "claude-cli:haiku", Getenv: env(
		"PATH", bin+":/usr/bin:/bin", "HOME", home, "LANG", "C.UTF-8", "ANTHROPIC_API_KEY", cliKey, "ANTHROPIC_BASE_URL", server.URL)})
	if err != nil {
		t.Fatal(err)
	}
	r := Request{System: "MARK-SYSTEM", Messages: []Message{{Role: User, Text: "MARK-PROMPT"}}, MaxTokens: 321}
	res, err := m.Generate(t.Context(), r)
	if err != nil || res.Text != "the answer" || res.Usage.Output != 7 || res.Usage.CacheWrite != 2 {
		t.Fatalf("%+v %v", res, err)
	}
	_, err = m.Generate(t.Context(), r)
	if !errors.Is(err, ErrKey) || strings.Contains(err.Error(), cliKey) {
		t.Errorf("a refused key: %v", err)
	}
	asked := server.Requests()
	if len(asked) != 2 {
		t.Fatalf("%d requests, want one a try", len(asked))
	}
	q := asked[0]
	if len(q.Tools) != 0 || q.MaxTokens != 321 || !strings.Contains(q.System, "MARK-SYSTEM") || q.Turns[0].Text != "MARK-PROMPT" {
		t.Errorf("asked with %s", q.Body)
	}
	for _, mark := range marks {
		if bytes.Contains(q.Body, []byte(mark)) {
			t.Errorf("%s reached the model", mark)
		}
	}
	if n := len(q.Body); n > claudeOverhead*4 {
		t.Errorf("the request has %d bytes: is claudeOverhead too low?", n)
	}
	err = filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, home)
		if strings.Contains(name, "projects") || strings.Contains(name, "HOOK") || strings.Contains(name, "MCP") || strings.Contains(name, "memory") {
			t.Errorf("it left %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
