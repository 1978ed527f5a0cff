//go:build claude

package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/testkit"
)

// installed is a desk with an empty home and Dormouse's own hooks.
func installed(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.ours("install", "claude", "--hooks-only", "--program", d.dormouse)
	return d
}

// hooks is a session with these answers of the model and a model on loopback.
func (d *desk) hooks(prompt string, script ...testkit.Reply) string {
	d.t.Helper()
	return d.scripted(prompt, nil, append(script, testkit.Reply{Text: "done"})...)
}

func (d *desk) memory() string {
	d.t.Helper()
	dir := strings.TrimSpace(d.ours("path", "memory"))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
	return dir
}

// failures are what hooks could not do, which nobody is told else.
func (d *desk) failures() string { return d.read(".local/state/dormouse/hooks/log.jsonl") }

func TestClaudeIsToldOfTheNoteThatAPromptIsAbout(t *testing.T) {
	t.Parallel()
	d := installed(t)
	// The index tells what the note is about, and not what it says.
	d.ours("remember", "--name", "billing-database", "--description", "where the billing database is", "The billing database is behind pgbouncer: connect to port 6543, never to the server itself.")
	sent := d.hooks("which port does the billing database need behind pgbouncer?")
	for _, want := range []string{"Dormouse: notes from earlier sessions", "port 6543"} {
		if !strings.Contains(sent, want) {
			t.Errorf("the model was not told %q", want)
		}
	}
	if sent := d.hooks("write a haiku about autumn leaves"); strings.Contains(sent, "port 6543") {
		t.Error("it was told where nothing asks for it")
	}
	if f := d.failures(); f != "" {
		t.Errorf("hooks failed:\n%s", f)
	}
}

func TestClaudeIsStoppedByARule(t *testing.T) {
	t.Parallel()
	d := installed(t)
	if err := os.WriteFile(filepath.Join(d.cwd, "CLAUDE.md"), []byte("# Rules\n\n```guard\ndeny command touch *forbidden*  # for the test\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bash := func(command string) testkit.Reply {
		return testkit.Reply{Tool: "Bash", Input: map[string]any{"command": command, "description": "x"}}
	}
	sent := d.hooks("hello", bash("sh -c 'touch forbidden.txt'"), bash("touch allowed.txt"))
	if !strings.Contains(sent, "Not allowed") || !strings.Contains(sent, "for the test") {
		t.Errorf("the model was not told of the rule")
	}
	if _, err := os.Stat(filepath.Join(d.cwd, "forbidden.txt")); err == nil {
		t.Error("the command ran")
	}
	if _, err := os.Stat(filepath.Join(d.cwd, "allowed.txt")); err != nil {
		t.Errorf("another one did not: %v", err)
	}
}

func TestClaudeIsAnsweredABadIndexWrite(t *testing.T) {
	t.Parallel()
	d := installed(t)
	var index strings.Builder
	for i := range 230 {
		fmt.Fprintf(&index, "- [n%03d](n%03d.md) — day %d\n", i, i, i)
	}
	sent := d.hooks("hello", writing(filepath.Join(d.memory(), "MEMORY.md"), index.String()))
	if !strings.Contains(sent, "MEMORY.md has 230 lines") || !strings.Contains(sent, "lines 201 to 230 are not seen") {
		t.Error("the model was not told that the index does not load whole")
	}
}

func TestClaudeHasInTheNextSessionWhatThePersonSaidInThis(t *testing.T) {
	t.Parallel()
	d := installed(t)
	d.hooks("Remember: in this repository we always run make lint before each commit.")
	const most = 60 * time.Second
	listed := ""
	for from := time.Now(); !strings.Contains(listed, "make lint"); time.Sleep(200 * time.Millisecond) {
		if listed = d.ours("list"); time.Since(from) > most {
			t.Fatalf("after %v: %s\n%s", most, listed, d.failures())
		}
	}
	if sent := d.hooks("hello"); !strings.Contains(sent, "run make lint before each commit") {
		t.Error("the next session is not told")
	}
	d.ours("uninstall", "claude")
	if got := d.read(".claude/settings.json"); got != "" {
		t.Errorf("uninstalled: %q", got)
	}
	if f := d.failures(); f != "" {
		t.Errorf("hooks failed:\n%s", f)
	}
}
