package install

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/host/codex"
	"dormouse/host/gemini"
	"dormouse/internal/jsonedit"
)

// style is how a drawn document is written.
type drawn struct {
	t             *rapid.T
	nl            string
	comments, bom bool
}

func (d drawn) gap() string {
	parts := []string{"", "", " ", "  ", "\t", d.nl, d.nl + "    ", d.nl + "\t"}
	if d.comments {
		parts = append(parts, "/* c */", "// c"+d.nl)
	}
	return rapid.SampledFrom(parts).Draw(d.t, "gap")
}

// list writes a container with odd blanks around everything.
func (d drawn) list(open, end string, items []string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, it := range items {
		if i > 0 {
			b.WriteString("," + d.gap())
		}
		b.WriteString(d.gap() + it + d.gap())
	}
	return b.String() + d.gap() + end
}

func (d drawn) object(members ...string) string { return d.list("{", "}", members) }

func (d drawn) member(name, value string) string {
	return `"` + name + `"` + d.gap() + ":" + d.gap() + value
}

// handlers draws lists of hooks, some of them near to ours and none of them ours.
func (d drawn) event() string {
	one := rapid.SampledFrom([]string{
		`{"type":"command","command":"notify","timeout":5}`, `{"command": "dormouse hook Stop && rm x", "type":"command"}`,
		`{"type" : "prompt", "prompt":"\u0041 \"}"}`, `{"type":"command","command":"/opt/dormouse","args":["hook"]}`,
	})
	var groups []string
	for range rapid.IntRange(0, 2).Draw(d.t, "groups") {
		hooks := d.member("hooks", d.list("[", "]", rapid.SliceOfN(one, 0, 2).Draw(d.t, "handlers")))
		if rapid.Bool().Draw(d.t, "matcher") {
			groups = append(groups, d.object(d.member("matcher", `"Write|X"`), hooks))
			continue
		}
		groups = append(groups, d.object(hooks))
	}
	return d.list("[", "]", groups)
}

// settings draws a settings file that a host accepts.
func (d drawn) settings(servers string) string {
	var members []string
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"model", "hooks", servers, "perm", "projects", "d\\u00e9j\\\""}), 0, 6, rapid.ID).Draw(d.t, "members") {
		switch name {
		case "hooks":
			var events []string
			for _, e := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Stop", "SessionStart", "BeforeAgent", "Other"}), 0, 4, rapid.ID).Draw(d.t, "events") {
				events = append(events, d.member(e, d.event()))
			}
			members = append(members, d.member(name, d.object(events...)))
		case servers:
			members = append(members, d.member(name, rapid.SampledFrom([]string{"{}", "{ }", `{"x":{"command":"y"}}`, "{" + d.nl + `  "x": {}` + d.nl + "}"}).Draw(d.t, "servers")))
		default:
			members = append(members, d.member(name, rapid.SampledFrom([]string{"1", `"a\/b"`, "[ ]", "{}", `{"x": [1,` + d.nl + `2]}`, "null"}).Draw(d.t, "value")))
		}
	}
	bom := ""
	if d.bom && rapid.Bool().Draw(d.t, "bom") {
		bom = "\uFEFF"
	}
	text := d.gap() + d.object(members...) + d.gap()
	if rapid.IntRange(0, 9).Draw(d.t, "blank") == 0 {
		text = rapid.SampledFrom([]string{"", "\n", " "}).Draw(d.t, "blanks")
	}
	return bom + text
}

func draw(t *rapid.T, comments, bom bool) drawn {
	return drawn{t, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "nl"), comments, bom}
}

func toml(t *rapid.T) string {
	nl := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "nl")
	lines := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "# c", "[a]", "[mcp_servers.x]", "[projects.\"/p q\"]", "[[l]]", "  # [mcp_servers.dormouse]"}), 0, 6, rapid.ID).Draw(t, "lines")
	return strings.Join(append([]string{"model = \"x\" # y"}, lines...), nl) + rapid.SampledFrom([]string{"", nl, nl + nl}).Draw(t, "end")
}

// furnished is a home with settings in any form, or without some of them.
func furnished(t *rapid.T) (r *room, done func()) {
	dir, err := os.MkdirTemp("", "install")
	if err != nil {
		t.Fatal(err)
	}
	h := rapid.SampledFrom([]host.Wired{claude.Host{}, codex.Host{}, gemini.Host{}}).Draw(t, "host")
	r = newRoom(t, dir, h)
	maybe := func(name, text string) {
		if rapid.IntRange(0, 4).Draw(t, "there") > 0 {
			r.write(name, text)
		}
	}
	switch h.Name() {
	case "claude":
		maybe(".claude/settings.json", draw(t, false, true).settings("mcpServers"))
		maybe(".claude.json", draw(t, false, true).settings("mcpServers"))
	case "codex":
		maybe(".codex/hooks.json", draw(t, false, false).settings("x"))
		maybe(".codex/config.toml", toml(t))
	default:
		maybe(".gemini/settings.json", draw(t, true, false).settings("mcpServers"))
	}
	return r, func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInstalledAndUninstalledIsAsBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, done := furnished(t)
		defer done()
		before := r.files()
		r.hooks = rapid.Bool().Draw(t, "hooks")
		r.serve = !r.hooks || rapid.Bool().Draw(t, "server")
		r.install(program)
		once := r.files()
		if maps.Equal(before, once) {
			t.Fatal("nothing was installed")
		}
		for name, text := range once {
			if strings.HasSuffix(name, ".json") && r.host.Name() != "gemini" && text != before[name] && jsonedit.Strict([]byte(text)) != nil {
				t.Fatalf("%s is not strict any more: %q", name, text)
			}
		}
		r.install(program)
		if diff := cmp.Diff(once, r.files()); diff != "" {
			t.Fatalf("twice is not once:\n%s", diff)
		}
		last := program
		if rapid.Bool().Draw(t, "a newer one") {
			last = "/new place/dormouse"
			r.install(last)
			for name, text := range r.files() {
				if strings.Contains(text, "/opt/it") {
					t.Fatalf("%s calls the old one: %q", name, text)
				}
			}
		}
		states, _ := Look(r.host, r.s, r.request("").Notes)
		if len(states) != 1 || r.hooks && states[0].Hooks != last || r.serve && states[0].Server != last || states[0].Partly {
			t.Fatalf("installed: %+v", states)
		}
		r.hooks, r.serve = true, true
		r.uninstall()
		if diff := cmp.Diff(before, r.files()); diff != "" {
			t.Fatalf("uninstalled (-want +got):\n%s", diff)
		}
	})
}

func TestWithoutTheNoteEverythingElseSaysTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, done := furnished(t)
		defer done()
		before := r.files()
		r.install(program)
		if err := os.RemoveAll(r.state); err != nil {
			t.Fatal(err)
		}
		r.uninstall()
		for name, text := range r.files() {
			if text == "folder" || !strings.HasSuffix(name, ".json") {
				continue
			}
			got, err := readJSON([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v: %q", name, err, text)
			}
			want, err := readJSON([]byte(before[name]))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(withoutEmpty(t, want), withoutEmpty(t, got)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s\n%q", name, diff, before[name])
			}
		}
	})
}

// withoutEmpty decodes members, without hooks and servers that have nothing in
// them: those may have been made by the installation.
func withoutEmpty(t *rapid.T, doc map[string]json.RawMessage) map[string]any {
	out := map[string]any{}
	for k, raw := range doc {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		m, ok := v.(map[string]any)
		if ok && (k == "hooks" || k == "mcpServers") {
			for e, list := range m {
				if l, ok := list.([]any); ok && len(l) == 0 {
					delete(m, e)
				}
			}
			if len(m) == 0 {
				continue
			}
		}
		out[k] = v
	}
	return out
}

func TestALineIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		goos := rapid.SampledFrom([]string{"linux", "windows"}).Draw(t, "os")
		p := Program{Path: "/" + rapid.StringOf(rapid.RuneFrom([]rune(`ab é'"$\;&%( )`))).Draw(t, "path") + "/dormouse", OS: goos, Host: "codex"}
		if p.check(false) != nil {
			t.Skip("refused")
		}
		want := append([]string{p.Path}, p.hookArgs("Stop")...)
		if got := words(p.line("Stop"), goos); !slices.Equal(got, want) {
			t.Fatalf("%s: %q, want %q", p.line("Stop"), got, want)
		}
	})
}

func FuzzHandler(f *testing.F) {
	for _, s := range []string{`{"type":"command","command":"'a b/dormouse' hook Stop"}`, `{"type":"command","command":"dormouse","args":["hook","Stop","--host","codex"]}`, `{"type":"command","command":"dormouse hook Stop; x"}`, `[]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		h, ok := oursIn(raw, nil, "linux")
		if !ok {
			return
		}
		if !bytes.Contains(bytes.ToLower(raw), []byte("\\u")) && !bytes.Contains(bytes.ToLower(raw), []byte("ormouse")) {
			t.Fatalf("%q is taken for ours: %+v", raw, h)
		}
	})
}
