package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/internal/install"
	"dormouse/internal/term"
	"dormouse/startup"
)

func TestTheScreenNamesWhatIsWrongWithAnInstallation(t *testing.T) {
	t.Parallel()
	there := filepath.Join(t.TempDir(), "dormouse")
	if err := os.WriteFile(there, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	user := func(hooks, server string) install.State {
		return install.State{Scope: startup.User, Hooks: hooks, HooksIn: "/s.json", Server: server, ServerIn: "/c.json"}
	}
	for _, tt := range []struct {
		name  string
		in    installed
		wants []string
		lacks string
	}{
		{"nothing", installed{}, []string{"not installed  dormouse install codex adds them"}, "twice"},
		{"all is well", installed{Installed: []install.State{user(there, there)}}, []string{"hooks and MCP server: " + there + "  /s.json, for every project of yours"}, "mends"},
		{"the program is gone", installed{Installed: []install.State{user("/gone/dormouse", "")}}, []string{"hooks: /gone/dormouse", "/gone/dormouse is not there: the agent cannot run it"}, "MCP"},
		{"a name in PATH is the agent's to find", installed{Installed: []install.State{user("", "dormouse")}}, []string{"MCP server: dormouse  /c.json"}, "not there"},
		{"the plugin too", installed{Installed: []install.State{user(there, there)}, Plugin: "the plugin"}, []string{"twice: the plugin"}, "by the plugin"},
		{"the plugin alone", installed{Plugin: "the plugin"}, []string{"by the plugin  the plugin"}, "not installed"},
		{"two programs", installed{Installed: []install.State{user(there, ""), user("/usr/bin/dormouse", there)}}, []string{"two programs are called at the same events", "the MCP server is another program: " + there}, "twice"},
		{"hooks are missing", installed{Installed: []install.State{{Scope: startup.Local, Hooks: there, HooksIn: "/l.json", Partly: true}}}, []string{"some of the hooks are missing", "for you in this project"}, "twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			out := &term.Out{Writer: &b}
			tt.in.way = "dormouse install codex"
			tt.in.rows(out, term.Safe, func(name, text string) { out.Line("%-10s%s", name, text) })
			for _, w := range tt.wants {
				if !strings.Contains(b.String(), w) {
					t.Errorf("lacks %q:\n%s", w, b.String())
				}
			}
			if strings.Contains(b.String(), tt.lacks) || !strings.HasPrefix(b.String(), "Hooks ") {
				t.Errorf("%s", b.String())
			}
		})
	}
}
