package modelserver

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NODE_SDKS names a folder with node_modules that holds @anthropic-ai/sdk and
// openai: `npm install @anthropic-ai/sdk openai` in an empty one.
func TestTheNpmSDKsAcceptIt(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("NODE_SDKS")
	node, err := exec.LookPath("node")
	if folder == "" || err != nil {
		t.Skip("set NODE_SDKS to a folder where @anthropic-ai/sdk and openai are installed, with node on PATH")
	}
	// Modules are looked for from where the script lies.
	text, err := os.ReadFile("testdata/sdk.mjs")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(folder, "modelserver-sdk-test.mjs")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(copied) //nolint:errcheck // a temporary folder
	s := start(t, Always(Step{Text: "hi there", Calls: []Call{{ID: "c1", Name: "read", Input: `{"path":"a"}`}}}))
	cmd := exec.CommandContext(t.Context(), node, copied, s.URL)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	var got map[string]string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, k := range []string{"anthropic", "anthropicStream", "openai", "openaiStream"} {
		if got[k] != "hi there|read" {
			t.Errorf("%s = %q", k, got[k])
		}
	}
}
