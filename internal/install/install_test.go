package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/host/codex"
	"dormouse/host/gemini"
	"dormouse/internal/atomicfile"
	"dormouse/internal/jsonedit"
	"dormouse/startup"
)

const program = "/opt/it's here/dormouse"

// tester is what both testing and rapid offer.
type tester interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

// room is a home folder and a project, with Dormouse's state folder.
type room struct {
	t     tester
	host  host.Wired
	s     host.Session
	scope startup.Scope
	state string
	hooks bool
	serve bool
}

func newRoom(t tester, dir string, h host.Wired) *room {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	home, cwd := filepath.Join(dir, "home"), filepath.Join(dir, "project")
	for _, d := range []string{home, cwd} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	none := func(string) string { return "" }
	env := host.Env{Home: home, Getenv: none, Lookup: func(string) (string, bool) { return "", false }, OS: "linux", Root: filepath.Join(dir, "etc")}
	return &room{t: t, host: h, s: host.Session{Cwd: cwd, Env: env}, scope: startup.User, state: filepath.Join(dir, "state"), hooks: true, serve: true}
}

func (r *room) request(path string) Request {
	w, err := r.host.Wiring(r.s, r.scope)
	if err != nil {
		r.t.Fatal(err)
	}
	notes, err := LoadNotes(r.state)
	if err != nil {
		r.t.Fatal(err)
	}
	return Request{Wiring: w, Program: Program{Path: path, OS: "linux", Host: r.host.Name()}, Hooks: r.hooks, Server: r.serve, Notes: notes}
}

func (r *room) install(path string) []Change {
	req := r.request(path)
	return r.carryOut(req, Plan)
}

func (r *room) uninstall() []Change { return r.carryOut(r.request(""), PlanRemoval) }

func (r *room) carryOut(req Request, plan func(Request) ([]Change, error)) []Change {
	changes, err := plan(req)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := Apply(changes, req.Notes, r.state); err != nil {
		r.t.Fatal(err)
	}
	return changes
}

// write makes a file below the home folder or, as "project/…", in the project.
func (r *room) write(name, text string) {
	path := r.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *room) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "project/"); ok {
		return filepath.Join(r.s.Cwd, rest)
	}
	return filepath.Join(r.s.Env.Home, name)
}

// files are all there are, with their texts and folders.
func (r *room) files() map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(r.s.Env.Home), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == r.state {
			return filepath.SkipDir
		}
		if d.IsDir() {
			all[path] = "folder"
			return nil
		}
		if d.Type()&os.ModeSymlink != 0 {
			all[path], err = os.Readlink(path)
			return err
		}
		b, err := os.ReadFile(path)
		all[path] = string(b)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

func hosts() []host.Wired { return []host.Wired{claude.Host{}, codex.Host{}, gemini.Host{}} }

func TestAnEmptyHomeIsEmptyAgain(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		for _, scope := range []startup.Scope{startup.User, startup.Project, startup.Local} {
			t.Run(h.Name()+" "+string(scope), func(t *testing.T) {
				t.Parallel()
				r := newRoom(t, t.TempDir(), h)
				r.scope = scope
				if _, err := h.Wiring(r.s, scope); err != nil {
					if scope != startup.Local || h.Name() == "claude" {
						t.Error(err)
					}
					return
				}
				before := r.files()
				r.install(program)
				installed := r.files()
				if len(installed) <= len(before) {
					t.Fatal("nothing was installed")
				}
				states, _ := Look(h, r.s, r.request("").Notes)
				if len(states) != 1 || states[0].Hooks != program || states[0].Server != program || states[0].Partly || states[0].Scope != scope {
					t.Errorf("the state: %+v", states)
				}
				for _, c := range r.install(program) {
					if c.Changed() {
						t.Errorf("the second time changed %s", c.Path)
					}
				}
				if diff := cmp.Diff(installed, r.files()); diff != "" {
					t.Errorf("the second time:\n%s", diff)
				}
				r.uninstall()
				if diff := cmp.Diff(before, r.files()); diff != "" {
					t.Errorf("uninstalled (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestWhatIsWrittenForEachHost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		host  host.Wired
		file  string
		wants []string
	}{
		{claude.Host{}, ".claude/settings.json", []string{
			"\"PostToolUse\": [\n      {\n        \"matcher\": \"Write|Edit|MultiEdit|NotebookEdit\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/opt/it's here/dormouse\",\n            \"args\": [\n              \"hook\",\n              \"PostToolUse\"\n            ],\n            \"timeout\": 10\n",
		}},
		{claude.Host{}, ".claude.json", []string{"{\n  \"mcpServers\": {\n    \"dormouse\": {\n      \"command\": \"/opt/it's here/dormouse\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"}},
		{codex.Host{}, ".codex/hooks.json", []string{`"command": "'/opt/it'\\''s here/dormouse' hook SessionEnd --host codex"`, `"timeout": 3`}},
		{codex.Host{}, ".codex/config.toml", []string{"[mcp_servers.dormouse]\ncommand = \"/opt/it's here/dormouse\"\nargs = [\"mcp\"]\n"}},
		{gemini.Host{}, ".gemini/settings.json", []string{`hook BeforeAgent --host gemini"`, `"timeout": 5000`, `"mcpServers"`}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, t.TempDir(), tt.host)
			r.install(program)
			text, err := os.ReadFile(r.path(tt.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tt.wants {
				if !bytes.Contains(text, []byte(w)) {
					t.Errorf("lacks %s\n%s", w, text)
				}
			}
			if info, err := os.Stat(r.path(tt.file)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

const foreign = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify"}]}],"Foo":[]},"mcpServers":{"dormousey":{"command":"x"}},"model":"opus"}`

func TestForeignHooksStayAndOursComeBehindThem(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write(".claude/settings.json", foreign)
	r.install(program)
	var got struct {
		Hooks map[string][]struct{ Hooks []handler } `json:"hooks"`
	}
	text, _ := os.ReadFile(r.path(".claude/settings.json"))
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	stop := got.Hooks["Stop"]
	if len(stop) != 2 || stop[0].Hooks[0].Command != "notify" || stop[1].Hooks[0].Command != program {
		t.Errorf("Stop: %+v", stop)
	}
	if _, ok := got.Hooks["Foo"]; !ok {
		t.Error("an empty list of somebody else went")
	}
	r.uninstall()
	if text, _ := os.ReadFile(r.path(".claude/settings.json")); string(text) != foreign {
		t.Errorf("uninstalled: %s", text)
	}
}

func TestANewerVersionTakesThePlaceOfTheOld(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.Name(), func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, t.TempDir(), h)
			before := r.files()
			r.install("/opt/1/dormouse")
			r.install("/somewhere/else/dm-2")
			for name, text := range r.files() {
				if strings.Contains(text, "/opt/1/") {
					t.Errorf("%s still calls the old one:\n%s", name, text)
				}
			}
			again := newRoom(t, t.TempDir(), h)
			again.install("/somewhere/else/dm-2")
			for name, text := range again.files() {
				rel, _ := filepath.Rel(filepath.Dir(again.s.Env.Home), name)
				if got := r.files()[filepath.Join(filepath.Dir(r.s.Env.Home), rel)]; got != text {
					t.Errorf("%s is not as after one installation:\n%s", rel, got)
				}
			}
			r.uninstall()
			if diff := cmp.Diff(before, r.files()); diff != "" {
				t.Errorf("uninstalled (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPartIsTakenOutAndTheOtherStays(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.Name(), func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, t.TempDir(), h)
			before := r.files()
			r.serve = false
			r.install(program)
			r.hooks, r.serve = false, true
			r.install(program)
			states, _ := Look(h, r.s, r.request("").Notes)
			if len(states) != 1 || states[0].Hooks == "" || states[0].Server == "" || states[0].Partly {
				t.Errorf("both, one after the other: %+v", states)
			}
			r.hooks, r.serve = true, false
			r.uninstall()
			states, _ = Look(h, r.s, r.request("").Notes)
			if len(states) != 1 || states[0].Hooks != "" || states[0].Server != program {
				t.Errorf("without hooks: %+v", states)
			}
			r.hooks, r.serve = false, true
			r.uninstall()
			if diff := cmp.Diff(before, r.files()); diff != "" {
				t.Errorf("uninstalled (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatThePersonChangedSinceStays(t *testing.T) {
	t.Parallel()
	const src = "{\n    \"model\": \"opus\" ,\n\n    \"hooks\": { }\n}\n"
	for _, tt := range []struct {
		name      string
		edit      func(string) string
		want      string
		byContent bool
	}{
		{"another setting", func(s string) string { return strings.Replace(s, "opus", "haiku", 1) }, strings.Replace(src, "opus", "haiku", 1), false},
		{"a hook's time", func(s string) string { return strings.Replace(s, `"timeout": 5`, `"timeout": 60`, 1) }, src, false},
		{"rewritten by a program", func(s string) string {
			var b bytes.Buffer
			if err := json.Compact(&b, []byte(s)); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}, `{"model":"opus","hooks":{}}`, true},
		{"a hook of another put beside ours", func(s string) string {
			return strings.Replace(s, "            \"timeout\": 5\n", "            \"timeout\": 5\n  }, { \"type\": \"command\", \"command\": \"x\"", 1)
		}, `"command": "x"`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, t.TempDir(), claude.Host{})
			r.write(".claude/settings.json", src)
			r.install(program)
			text, _ := os.ReadFile(r.path(".claude/settings.json"))
			edited := tt.edit(string(text))
			if edited == string(text) {
				t.Fatal("the edit does nothing")
			}
			r.write(".claude/settings.json", edited)
			changes := r.uninstall()
			if changes[0].ByContent != tt.byContent {
				t.Errorf("by content: %v", changes[0].ByContent)
			}
			got, _ := os.ReadFile(r.path(".claude/settings.json"))
			if strings.Contains(string(got), "dormouse") || !strings.Contains(string(got), tt.want) {
				t.Errorf("%s", got)
			}
			if err := jsonedit.Strict(got); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWithoutTheNoteOursIsFoundByItsContent(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.Name(), func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, t.TempDir(), h)
			r.write(".claude/settings.json", foreign)
			r.write(".codex/config.toml", "model = \"x\"\n")
			r.write(".gemini/settings.json", "{\n  // mine\n  \"model\": {}\n}\n")
			before := r.files()
			r.install(program)
			if err := os.RemoveAll(r.state); err != nil {
				t.Fatal(err)
			}
			r.uninstall()
			after := r.files()
			for name, text := range before {
				if after[name] != text {
					t.Errorf("%s: %q, want %q", name, after[name], text)
				}
			}
			for name, text := range after {
				if before[name] == "" && strings.Join(strings.Fields(text), "") != "{}" {
					t.Errorf("%s is left with %q", name, text)
				}
			}
		})
	}
}

func TestEntriesOfTwoProjectsInOneFileStandApart(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{\"projects\": {}}"} {
		r := newRoom(t, t.TempDir(), claude.Host{})
		if text != "" {
			r.write(".claude.json", text)
		}
		twoProjects(t, r)
	}
}

func twoProjects(t *testing.T, r *room) {
	t.Helper()
	before := r.files()
	r.install(program)
	r.scope = startup.Local
	r.install(program)
	r.scope = startup.User
	r.uninstall()
	if states, _ := Look(r.host, r.s, r.request("").Notes); len(states) != 1 || states[0].Scope != startup.Local || states[0].Server != program {
		t.Errorf("%+v", states)
	}
	r.scope = startup.Local
	r.uninstall()
	if diff := cmp.Diff(before, r.files()); diff != "" {
		t.Errorf("uninstalled (-want +got):\n%s", diff)
	}
}

func TestWhatCannotBeEditedIsRefusedAndStays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		host host.Wired
		file string
		text string
		says string
	}{
		{"a comment", claude.Host{}, ".claude/settings.json", "{} // c", "line 1, column 4: a comment, which strict JSON does not have; the agent cannot read the file so: mend it first"},
		{"no JSON", claude.Host{}, ".claude.json", "{", "mend it first"},
		{"hooks that are a list", claude.Host{}, ".claude/settings.json", `{"hooks": []}`, "hooks is an array, not an object"},
		{"a list at the top", gemini.Host{}, ".gemini/settings.json", `[]`, "the top level is an array"},
		{"a server of that name", claude.Host{}, ".claude.json", `{"mcpServers": {"dormouse": {"command": "npx", "args": ["x"]}}}`, "not Dormouse (npx): rename or remove it, or install with --hooks-only"},
		{"a byte order mark", codex.Host{}, ".codex/hooks.json", "\uFEFF{}", "it begins with a byte order mark; the agent cannot read the file so"},
		{"a comma too many", gemini.Host{}, ".gemini/settings.json", "{ // c\n\"a\": [1,\n2,]}", "line 3: a comma after the last element"},
		{"no TOML", codex.Host{}, ".codex/config.toml", "a = [\n", "it is not valid TOML"},
		{"an inline table", codex.Host{}, ".codex/config.toml", "mcp_servers = {}\n", "not written as a table of its own"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, t.TempDir(), tt.host)
			r.write(tt.file, tt.text)
			before := r.files()
			_, err := Plan(r.request(program))
			if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), r.path(tt.file)) {
				t.Errorf("%v, want %s", err, tt.says)
			}
			if diff := cmp.Diff(before, r.files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFileThatChangesMeanwhileIsRefusedAndTheOtherTakenBack(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write(".claude.json", "{}")
	before := r.files()
	req := r.request(program)
	changes, err := Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	r.write(".claude.json", `{"new": 1}`)
	if err := Apply(changes, req.Notes, r.state); !errors.Is(err, atomicfile.ErrChanged) {
		t.Fatalf("%v", err)
	}
	before[r.path(".claude.json")] = `{"new": 1}`
	if diff := cmp.Diff(before, r.files()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(r.state, notesName)); err == nil {
		t.Error("a note is kept of what did not happen")
	}
}

func TestWithoutAPlaceForTheNoteNothingIsInstalled(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write(".claude.json", "{}")
	before := r.files()
	req := r.request(program)
	changes, err := Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Apply(changes, req.Notes, r.state); err == nil || !strings.Contains(err.Error(), "keeping the note") {
		t.Errorf("%v", err)
	}
	if err := os.Remove(r.state); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, r.files()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAClosedFileStaysClosed(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write(".claude/settings.json", "{}")
	if err := os.Chmod(r.path(".claude/settings.json"), 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := Plan(r.request(program)); err == nil || !strings.Contains(err.Error(), "is read-only") {
		t.Errorf("%v", err)
	}
}

func TestALinkedFileIsEditedWhereItIs(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write("dotfiles/settings.json", "{ }\n")
	r.write(".claude/x", "")
	if err := os.Symlink(r.path("dotfiles/settings.json"), r.path(".claude/settings.json")); err != nil {
		t.Skip("no links here:", err)
	}
	r.install(program)
	if text, _ := os.ReadFile(r.path("dotfiles/settings.json")); !bytes.Contains(text, []byte("SessionStart")) {
		t.Errorf("the target holds %s", text)
	}
	if info, err := os.Lstat(r.path(".claude/settings.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link went: %v %v", info, err)
	}
	r.uninstall()
	if text, _ := os.ReadFile(r.path("dotfiles/settings.json")); string(text) != "{ }\n" {
		t.Errorf("uninstalled: %q", text)
	}
}

func TestAProjectsLinkLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		for _, scope := range []startup.Scope{startup.Project, startup.Local} {
			r := newRoom(t, t.TempDir(), h)
			r.scope = scope
			if _, err := h.Wiring(r.s, scope); err != nil {
				continue // no such scope
			}
			dot := "." + h.Name()
			r.write(dot+"/x", "")
			if err := os.Symlink(r.path(dot), r.path("project/"+dot)); err != nil {
				t.Skip("no links here:", err)
			}
			before := r.files()
			if _, err := Plan(r.request(program)); err == nil || !strings.Contains(err.Error(), "leads out of the project") {
				t.Errorf("%s, %s: %v", h.Name(), scope, err)
			}
			if diff := cmp.Diff(before, r.files()); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestARepositoryHasNoSayInWhatIsTheUsers(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write("project/.claude/settings.json", `{"env": {"CLAUDE_CONFIG_DIR": "`+r.path("project/mine")+`"}, "enabledPlugins": {"dormouse@x": true}}`)
	r.install(program)
	if text, _ := os.ReadFile(r.path(".claude/settings.json")); !bytes.Contains(text, []byte(program)) {
		t.Errorf("the user's settings hold %q", text)
	}
	if _, err := os.Stat(r.path("project/mine")); err == nil {
		t.Error("the project's folder was written")
	}
	if w := r.request(program).Wiring; w.Twice != "" {
		t.Errorf("a project's plugin: %s", w.Twice)
	}
}

func TestAFileThatIsMadeMeanwhileStays(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	req := r.request(program)
	changes, err := Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	r.write(".claude.json", "{}")
	before := r.files()
	if err := Apply(changes, req.Notes, r.state); !errors.Is(err, atomicfile.ErrChanged) {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, r.files()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPluginThatIsSwitchedOnIsSeen(t *testing.T) {
	t.Parallel()
	r := newRoom(t, t.TempDir(), claude.Host{})
	r.write(".claude/settings.json", `{"enabledPlugins": {"dormouse@dormouse": true, "other@x": true}}`)
	if w := r.request(program).Wiring; !strings.Contains(w.Twice, "claude plugin disable dormouse@dormouse") {
		t.Errorf("%q", w.Twice)
	}
	r.write("project/.claude/settings.local.json", `{"enabledPlugins": {"dormouse@dormouse": false}}`)
	r.scope = startup.Local
	if w := r.request(program).Wiring; w.Twice != "" {
		t.Errorf("switched off for this checkout: %q", w.Twice)
	}
	if Elsewhere(r.host, r.s, &Notes{}) != "" {
		t.Error("hooks are installed nowhere")
	}
	r.scope = startup.User
	r.install(program)
	if got, want := Elsewhere(r.host, r.s, &Notes{}), r.path(".claude/settings.json"); got != want {
		t.Errorf("installed in %q, want %q", got, want)
	}
}

func TestNotesThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", `{"version": 99}`, `{"version":1,"entries":[{"added":{"spans":[{"start":5,"end":2}],"pieces":["x"]}}]}`} {
		state := t.TempDir()
		if err := os.WriteFile(filepath.Join(state, notesName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := LoadNotes(state)
		if err == nil || !strings.Contains(err.Error(), notesName) || n == nil || len(n.Entries) > 0 {
			t.Errorf("%s: %v, %v", text, n, err)
		}
	}
}
