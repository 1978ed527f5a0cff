//go:build claude

package claude

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/testkit"
	"dormouse/testkit/standin"
)

// TestMain lets the test program stand in for dormouse.
func TestMain(m *testing.M) {
	if !standin.Run() {
		os.Exit(m.Run())
	}
}

const toolName = "mcp__dormouse__" + standin.Tool

// desk is a home folder, a project and the programs.
type desk struct {
	t                *testing.T
	client, dormouse string
	home, cwd, link  string // link: to the stand-in
	written          int    // files, so far
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	client := os.Getenv("DORMOUSE_CLAUDE")
	if client == "" {
		t.Skip("DORMOUSE_CLAUDE does not name the client's program: run make test-claude")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, client: client, dormouse: build(t), home: filepath.Join(root, "home"), cwd: filepath.Join(root, "my project")}
	folder := filepath.Join(root, `it's "a" $place`)
	for _, dir := range []string{d.home, d.cwd, folder} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if d.link, err = standin.Link(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.alone) // before the folder is removed
	return d
}

// alone waits until no program works in the desk's home any more: what the end of a
// session starts outlives it, and would write into a folder that is being removed.
func (d *desk) alone() {
	home := []byte("\x00HOME=" + d.home + "\x00")
	for from := time.Now(); time.Since(from) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		files, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil || len(files) == 0 {
			return // a system that does not tell
		}
		if !slices.ContainsFunc(files, func(f string) bool {
			b, err := os.ReadFile(f)
			return err == nil && bytes.Contains(append([]byte{0}, b...), home)
		}) {
			return
		}
	}
	d.t.Log("something still works in the home of the test")
}

// run runs a program in the project, with the desk's home and nothing else.
func (d *desk) run(program string, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = d.cwd
	cmd.Env = append([]string{"HOME=" + d.home, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "PWD=" + d.cwd}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (d *desk) ours(args ...string) string {
	d.t.Helper()
	out, err := d.run(d.dormouse, nil, args...)
	if err != nil {
		d.t.Fatalf("dormouse %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// claude runs the client without a model.
func (d *desk) claude(env []string, args ...string) string {
	d.t.Helper()
	env = append([]string{"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}, env...)
	out, err := d.run(d.client, env, args...)
	if err != nil {
		d.t.Fatalf("claude %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// session has the client write a file, and returns what reached the model.
func (d *desk) session(prompt string, env ...string) string {
	d.t.Helper()
	d.written++
	return d.scripted(prompt, env, writing(filepath.Join(d.cwd, fmt.Sprintf("new-%d.txt", d.written)), "x"), testkit.Reply{Text: "done"})
}

func writing(path, text string) testkit.Reply {
	return testkit.Reply{Tool: "Write", Input: map[string]any{"file_path": path, "content": text}}
}

// scripted runs a session with these answers of the model, and returns what
// reached it.
func (d *desk) scripted(prompt string, env []string, script ...testkit.Reply) string {
	d.t.Helper()
	srv, err := testkit.NewModelServer(script...)
	if err != nil {
		d.t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // a test server
	d.claude(append(env, "ANTHROPIC_API_KEY=dummy", "ANTHROPIC_BASE_URL="+srv.URL), "-p", prompt, "--allowedTools", "Write Bash")
	all := ""
	for _, r := range srv.Requests() {
		all += string(r)
	}
	return all
}

// called returns what the stand-in was called for since the last time.
func (d *desk) called() []string {
	d.t.Helper()
	lines, err := standin.Called(d.link)
	if err != nil {
		d.t.Fatal(err)
	}
	return lines
}

// once is what a session with one write calls, each once.
func once() []string {
	return []string{"hook SessionStart", "hook UserPromptSubmit", "hook PreToolUse", "hook PostToolUse", "hook Stop", "hook SessionEnd", "mcp"}
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) read(name string) string {
	b, _ := os.ReadFile(filepath.Join(d.home, name)) // "" without one
	return string(b)
}

func TestClaudeRunsWhatIsInstalledIntoAnEmptyHome(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ours("install", "claude", "--program", d.link)
	sent := d.session("hello")
	if got := d.called(); !slices.Equal(got, once()) {
		t.Errorf("called %q, want %q", got, once())
	}
	for _, want := range []string{standin.Context, toolName} {
		if !strings.Contains(sent, want) {
			t.Errorf("the model was not told %s", want)
		}
	}
	if out := d.ours("install", "claude", "--program", d.link); !strings.Contains(out, "Nothing was changed") {
		t.Errorf("after a session, a second installation: %s", out)
	}
	d.ours("uninstall", "claude")
	if d.read(".claude/settings.json") != "" || strings.Contains(d.read(".claude.json"), "dormouse\"") {
		t.Errorf("left behind:\n%s\n%s", d.read(".claude/settings.json"), d.read(".claude.json"))
	}
	if sent := d.session("hello"); strings.Contains(sent, standin.Context) || strings.Contains(sent, toolName) {
		t.Error("it is still called")
	}
}

func TestClaudeKeepsRunningTheHooksOfOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	marker := filepath.Join(d.cwd, "foreign")
	settings := fmt.Sprintf("{\t\"hooks\":{ \"SessionStart\" : [{\"hooks\":[{\"type\":\"command\",\"command\":\"touch '%s'\"}]} ]},\r\n\"env\" :{}}", marker)
	d.write(".claude/settings.json", settings)
	d.ours("install", "claude", "--program", d.link)
	d.session("hello")
	if got := d.called(); !slices.Equal(got, once()) {
		t.Errorf("called %q, want %q", got, once())
	}
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("the other hook did not run: %v", err)
	}
	// For one project beside it: the client runs the same hook once.
	d.ours("install", "claude", "--project", "--program", d.link)
	d.session("hello")
	if got := d.called(); !slices.Equal(got, once()) {
		t.Errorf("installed twice over, called %q, want %q", got, once())
	}
	d.ours("uninstall", "claude")
	if got := d.read(".claude/settings.json"); got != settings {
		t.Errorf("uninstalled: %q", got)
	}
	d.session("hello")
	if got := d.called(); !slices.Equal(got, once()) {
		t.Errorf("in the project alone, called %q, want %q", got, once())
	}
	d.ours("uninstall", "claude", "--project")
	if _, err := os.Stat(filepath.Join(d.cwd, ".claude")); !os.IsNotExist(err) {
		t.Errorf("the project's folder is left: %v", err)
	}
}

// repository is the folder that the marketplace file is in.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestClaudeAcceptsThePluginAndItsMarketplace(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, dir := range []string{repository(t), filepath.Join(repository(t), "plugin")} {
		if out := d.claude(nil, "plugin", "validate", "--strict", dir); !strings.Contains(out, "Validation passed") {
			t.Errorf("%s:\n%s", dir, out)
		}
	}
}

func TestClaudeRunsThePluginAndInstallSeesIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.claude(nil, "plugin", "marketplace", "add", repository(t))
	d.claude(nil, "plugin", "install", "dormouse@dormouse")
	path := "PATH=" + filepath.Dir(d.link) + ":/usr/local/bin:/usr/bin:/bin"
	sent := d.session("/dormouse:memory-doctor", path)
	if got := d.called(); !slices.Equal(got, once()) {
		t.Errorf("called %q, want %q", got, once())
	}
	for _, want := range []string{standin.Context, "mcp__plugin_dormouse_dormouse__recall", "dormouse doctor --fix --dry-run", "dormouse:memory"} {
		if !strings.Contains(sent, want) {
			t.Errorf("the model was not told %s", want)
		}
	}
	if sent := d.session("/dormouse:dream", path); !strings.Contains(sent, "dormouse dream show") {
		t.Error("the command dream was not read")
	}
	out, err := d.run(d.dormouse, nil, "install", "claude", "--program", d.link)
	if err == nil || !strings.Contains(out, "claude plugin disable dormouse@dormouse") {
		t.Errorf("install beside the plugin: %v\n%s", err, out)
	}
	d.claude(nil, "plugin", "disable", "dormouse@dormouse")
	d.ours("install", "claude", "--program", d.link)
	d.called()
	d.session("hello", path)
	if got := d.called(); !slices.Equal(got, once()) {
		t.Errorf("with the plugin switched off, called %q, want %q", got, once())
	}
}

func TestClaudeAndDormouseWriteOneStore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	memory := strings.TrimSpace(d.ours("path", "memory"))
	own := "---\nname: own-note\ndescription: what the client wrote\nmetadata:\n  type: project\n---\nThe client wrote this.\n"
	env := []string{"PATH=" + filepath.Dir(d.dormouse) + ":/usr/local/bin:/usr/bin:/bin"}
	d.scripted("remember", env,
		writing(filepath.Join(memory, "own-note.md"), own),
		writing(filepath.Join(memory, "MEMORY.md"), "- [own-note](own-note.md) — what the client wrote\n"),
		testkit.Reply{Tool: "Bash", Input: map[string]any{"command": "dormouse remember --name prices 'Prices are integers in cents'", "description": "x"}},
		testkit.Reply{Text: "done"})
	index, err := os.ReadFile(filepath.Join(memory, "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	note, err := os.ReadFile(filepath.Join(memory, "own-note.md"))
	if err != nil || !strings.Contains(string(note), "The client wrote this.") {
		t.Errorf("the client's own note: %s, %v", note, err)
	}
	sent := d.session("hello")
	for _, want := range []string{"what the client wrote", "Prices are integers in cents"} {
		if !strings.Contains(string(index), want) || !strings.Contains(sent, want) {
			t.Errorf("the next session does not load %q\n%s", want, index)
		}
	}
}
