//go:build agents

package agents

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// serve builds the program that serves agents beside dormouse, and installs the
// server for one of them.
func (d *desk) serve(host string) {
	d.t.Helper()
	cmd := exec.Command("go", "build", "-o", filepath.Dir(d.dormouse)+string(filepath.Separator), "dormouse/cmd/dormouse-mcp")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("building: %v\n%s", err, out)
	}
	d.run(d.dormouse, nil, "install", host, "--mcp-only", "--program", d.dormouse)
}

// wantServed looks at what reached the model: the tools, and the answer of one for
// the folder that the agent was started in.
func (d *desk) wantServed(m *model, prefix string) {
	d.t.Helper()
	for _, name := range []string{"search", "read", "remember", "update", "forget", "status"} {
		if !strings.Contains(m.sent(), `"`+prefix+name+`"`) {
			d.t.Errorf("the model was not told of the tool %s", name)
		}
	}
	if !strings.Contains(m.sent(), "Remembered prices.md") {
		d.t.Error("the model was not told that it remembered")
	}
	if out := d.run(d.dormouse, nil, "history"); !strings.Contains(out, "agent") {
		d.t.Errorf("the agent did not write into this project's notes:\n%s", out)
	}
}

const remembers = `{"text": "Prices are integers in cents.", "name": "prices"}`

func TestCodexUsesTheServer(t *testing.T) {
	t.Parallel()
	m := newModel(t, map[string]any{"type": "function_call", "id": "f", "call_id": "c", "name": "remember", "namespace": "mcp__dormouse", "arguments": remembers, "status": "completed"})
	d := newDesk(t, "DORMOUSE_CODEX")
	d.write(".codex/config.toml", fmt.Sprintf("model = \"m\"\nmodel_provider = \"x\"\n\n[model_providers.x]\nname = \"x\"\nbase_url = %q\nwire_api = \"responses\"\n", m.URL+"/v1"))
	d.serve("codex")
	d.run(d.client, nil, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "hello")
	d.wantServed(m, "")
}

func TestGeminiUsesTheServer(t *testing.T) {
	t.Parallel()
	m := newModel(t, map[string]any{"name": "mcp_dormouse_remember", "args": map[string]any{"text": "Prices are integers in cents.", "name": "prices"}})
	d := newDesk(t, "DORMOUSE_GEMINI")
	d.write(".gemini/settings.json", "{\n  \"security\": { \"auth\": { \"selectedType\": \"gemini-api-key\" } }\n}\n")
	d.serve("gemini")
	d.run(d.client, []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + m.URL, "GEMINI_CLI_TRUST_WORKSPACE=true"}, "-p", "hello", "--approval-mode", "yolo")
	d.wantServed(m, "mcp_dormouse_")
}
