package claude

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/host"
)

// The organisation's files cannot be part of the recorded cases, whose root is
// the machine's own. These expectations were measured on 2.1.332 with a private
// /etc/claude-code.
func TestManagedFiles(t *testing.T) {
	const memory = "home/.claude/projects/P/memory/MEMORY.md"
	for _, tc := range []struct {
		name  string
		files map[string]string
		flags host.Flags
		env   map[string]string
		reads []string
		want  []string // loaded, then "+" and what the reads add
	}{
		{
			"the policy file comes first, then its rules; its imports lie outside",
			map[string]string{"CLAUDE.md": "M @inc.md", "inc.md": "I", ".claude/rules/r.md": "R", "rules/r.md": "no", ".claude/CLAUDE.md": "no", "CLAUDE.local.md": "no"},
			host.Flags{},
			nil, nil,
			[]string{"E/CLAUDE.md", "E/.claude/rules/r.md", "home/.claude/CLAUDE.md", "proj/CLAUDE.md", memory},
		},
		{
			"a policy rule with paths waits for a read",
			map[string]string{".claude/rules/r.md": "---\npaths: \"*.go\"\n---\nR"},
			host.Flags{},
			nil,
			[]string{"proj/z.go"},
			[]string{"home/.claude/CLAUDE.md", "proj/CLAUDE.md", memory, "+", "E/.claude/rules/r.md"},
		},
		{
			"text in managed settings loads like a file",
			map[string]string{"managed-settings.json": `{"claudeMd":"TEXT"}`, "CLAUDE.md": "M"},
			host.Flags{},
			nil, nil,
			[]string{"E/CLAUDE.md", "<managed-settings>", "home/.claude/CLAUDE.md", "proj/CLAUDE.md", memory},
		},
		{
			"managed settings beat all others",
			map[string]string{"managed-settings.json": `{"autoMemoryEnabled":false}`},
			host.Flags{Settings: `{"autoMemoryEnabled":true}`},
			nil, nil,
			[]string{"home/.claude/CLAUDE.md", "proj/CLAUDE.md"},
		},
		{
			"the later drop-in beats the file and the earlier one",
			map[string]string{"managed-settings.json": `{"autoMemoryEnabled":false}`, "managed-settings.d/10.json": `{"autoMemoryEnabled":false}`, "managed-settings.d/20.json": `{"autoMemoryEnabled":true}`},
			host.Flags{},
			nil, nil,
			[]string{"home/.claude/CLAUDE.md", "proj/CLAUDE.md", memory},
		},
		{
			"a wrong value drops its key only",
			map[string]string{"managed-settings.json": `{"model":5,"autoMemoryEnabled":false}`},
			host.Flags{},
			nil, nil,
			[]string{"home/.claude/CLAUDE.md", "proj/CLAUDE.md"},
		},
		{
			"a managed variable beats the process's own",
			map[string]string{"managed-settings.json": `{"env":{"CLAUDE_CODE_DISABLE_AUTO_MEMORY":"1"}}`},
			host.Flags{},
			map[string]string{"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"},
			nil,
			[]string{"home/.claude/CLAUDE.md", "proj/CLAUDE.md"},
		},
		{"--bare leaves it out too", map[string]string{"CLAUDE.md": "M"}, host.Flags{Bare: true}, nil, nil, []string{}},
		{
			"no setting source leaves it in",
			map[string]string{"CLAUDE.md": "M", "managed-settings.json": `{"autoMemoryEnabled":false}`},
			host.Flags{SettingSources: new(string)},
			nil, nil,
			[]string{"E/CLAUDE.md"},
		},
		{
			"it cannot be excluded",
			map[string]string{"CLAUDE.md": "M", "managed-settings.json": `{"claudeMdExcludes":["**/CLAUDE.md"]}`},
			host.Flags{},
			nil, nil,
			[]string{"E/CLAUDE.md", memory},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			store := "home/.claude/projects/" + FolderName(filepath.Join(root, "proj")) + "/memory/MEMORY.md"
			put := map[string]string{store: "- [X](x.md) — y\n", "home/.claude/CLAUDE.md": "U", "proj/CLAUDE.md": "P", "proj/z.go": "1"}
			for name, text := range tc.files {
				put["machine/etc/claude-code/"+name] = text
			}
			for name, text := range put {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := host.Session{Cwd: filepath.Join(root, "proj"), Flags: tc.flags, Now: time.Now(), Env: host.Env{
				Home: filepath.Join(root, "home"), OS: "linux", Root: filepath.Join(root, "machine"),
				Getenv: func(n string) string { return tc.env[n] },
				Lookup: func(n string) (string, bool) { v, ok := tc.env[n]; return v, ok },
			}}
			for _, r := range tc.reads {
				s.Reads = append(s.Reads, filepath.Join(root, r))
			}
			rep, err := Host{}.Startup(s)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			short := func(path string) string {
				rel, _ := filepath.Rel(root, path)
				switch {
				case rel == store:
					return memory
				case rel == "" || path[0] == '<':
					return path
				}
				if in, err := filepath.Rel("machine/etc/claude-code", rel); err == nil && in[0] != '.' || err == nil && len(in) > 1 && in[1] != '.' {
					return "E/" + in
				}
				return rel
			}
			for _, f := range rep.Loaded {
				got = append(got, short(f.Path))
			}
			if len(rep.After) > 0 {
				got = append(got, "+")
			}
			for _, f := range rep.After {
				got = append(got, short(f.Path))
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("what loads (-want +got):\n%s", d)
			}
		})
	}
}
