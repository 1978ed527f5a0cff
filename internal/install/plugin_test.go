package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/host/claude"
)

// The plugin and the installation are two ways to the same.
func TestThePluginBringsWhatIsInstalled(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.install("dormouse")
	plugin := filepath.Join("..", "..", "plugin")
	for _, f := range []struct{ installed, plugin, key string }{
		{r.path(".claude/settings.json"), filepath.Join(plugin, "hooks", "hooks.json"), "hooks"},
		{r.path(".claude.json"), filepath.Join(plugin, ".mcp.json"), "mcpServers"},
	} {
		if diff := cmp.Diff(member(t, f.installed, f.key), member(t, f.plugin, f.key)); diff != "" {
			t.Errorf("%s (-installed +plugin):\n%s", f.plugin, diff)
		}
	}
}

func member(t *testing.T, path, key string) any {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if doc[key] == nil {
		t.Fatalf("%s has no %s", path, key)
	}
	return doc[key]
}
