//go:build agents

package agents

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/testkit/standin"
)

// TestMain lets the test program stand in for dormouse.
func TestMain(m *testing.M) {
	if !standin.Run() {
		os.Exit(m.Run())
	}
}

// desk is a home folder, a project and the programs.
type desk struct {
	t                *testing.T
	client, dormouse string
	home, cwd, link  string // link: to the stand-in
}

func newDesk(t *testing.T, variable string) *desk {
	t.Helper()
	client := os.Getenv(variable)
	if client == "" {
		t.Skip(variable + " does not name the agent's program: run scripts/test-agents.sh")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, client: client, dormouse: filepath.Join(root, "bin", "dormouse"), home: filepath.Join(root, "home"), cwd: filepath.Join(root, "my project")}
	folder := filepath.Join(root, `it's "a" $place`)
	for _, dir := range []string{d.home, d.cwd, folder} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if d.link, err = standin.Link(folder); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", d.dormouse, "dormouse/cmd/dormouse")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return d
}

// run runs a program in the project, with the desk's home and little else.
func (d *desk) run(program string, env []string, args ...string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = d.cwd
	cmd.Env = append([]string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "PWD=" + d.cwd}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// wantCalled compares what the stand-in was called for since the last time.
func (d *desk) wantCalled(when string, want ...string) {
	d.t.Helper()
	got, err := standin.Called(d.link)
	if err != nil || !slices.Equal(got, want) {
		d.t.Errorf("%s, called %q, %v, want %q", when, got, err, want)
	}
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

func hooks(host string, events ...string) []string {
	var all []string
	for _, e := range events {
		all = append(all, "hook "+e+" --host "+host)
	}
	return append(all, "mcp")
}

func TestCodexStartsWhatIsInstalled(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "DORMOUSE_CODEX")
	call := map[string]any{"type": "function_call", "id": "f", "call_id": "c", "name": standin.Tool, "namespace": "mcp__dormouse", "arguments": "{}", "status": "completed"}
	config := func(m *model) string {
		return fmt.Sprintf("model = \"m\" # mine\nmodel_provider = \"x\"\n\n[model_providers.x]\nname = \"x\"\nbase_url = %q\nwire_api = \"responses\"\n", m.URL+"/v1")
	}
	session := func(m *model, more ...string) {
		d.run(d.client, nil, append([]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "hello"}, more...)...)
	}
	m := newModel(t, call)
	d.write(".codex/config.toml", config(m))
	if out := d.run(d.dormouse, nil, "install", "codex", "--program", d.link); !strings.Contains(out, "until you have trusted them") {
		t.Errorf("install: %s", out)
	}
	session(m)
	d.wantCalled("hooks that nobody has trusted", "mcp")
	for _, want := range []string{"mcp__dormouse", standin.Answer} {
		if !strings.Contains(m.sent(), want) {
			t.Errorf("the model was not told %s", want)
		}
	}
	session(m, "--dangerously-bypass-hook-trust")
	d.wantCalled("trusted hooks", hooks("codex", "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")...)
	if !strings.Contains(m.sent(), standin.Context) {
		t.Error("what the hook said did not reach the model")
	}
	d.run(d.dormouse, nil, "uninstall", "codex")
	if got := d.read(".codex/config.toml"); got != config(m) {
		t.Errorf("uninstalled: %q", got)
	}
	if got := d.read(".codex/hooks.json"); got != "" {
		t.Errorf("uninstalled, hooks: %q", got)
	}
	session(m, "--dangerously-bypass-hook-trust")
	d.wantCalled("uninstalled")
}

func TestGeminiStartsWhatIsInstalled(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "DORMOUSE_GEMINI")
	m := newModel(t, map[string]any{"name": "mcp_dormouse_" + standin.Tool, "args": map[string]any{}})
	session := func() {
		d.run(d.client, []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + m.URL, "GEMINI_CLI_TRUST_WORKSPACE=true"}, "-p", "hello", "--approval-mode", "yolo")
	}
	settings := "{\n  // mine\n  \"security\": { \"auth\": { \"selectedType\": \"gemini-api-key\" } }\n}\n"
	d.write(".gemini/settings.json", settings)
	d.run(d.dormouse, nil, "install", "gemini", "--program", d.link)
	session()
	d.wantCalled("a session", hooks("gemini", "SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd")...)
	for _, want := range []string{"mcp_dormouse_" + standin.Tool, standin.Answer, standin.Context} {
		if !strings.Contains(m.sent(), want) {
			t.Errorf("the model was not told %s", want)
		}
	}
	d.run(d.dormouse, nil, "uninstall", "gemini")
	if got := d.read(".gemini/settings.json"); got != settings {
		t.Errorf("uninstalled: %q", got)
	}
	session()
	d.wantCalled("uninstalled")
}
