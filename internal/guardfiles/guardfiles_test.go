package guardfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/guard"
	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/startup"
)

// world is a home and a project with files in them.
type world struct {
	t          *testing.T
	home, proj string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, filepath.Join(dir, "home"), filepath.Join(dir, "proj")}
	for _, d := range []string{w.home, filepath.Join(w.proj, ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(w.proj, ".git", "HEAD"), "ref: refs/heads/main\n")
	return w
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) session() host.Session {
	return host.Session{Cwd: w.proj, Now: time.Now(), Env: host.Env{
		Home: w.home, Getenv: func(string) string { return "" }, Lookup: func(string) (string, bool) { return "", false }, OS: "linux", Root: w.home,
	}}
}

func (w *world) load() (guard.Rules, []guard.Problem, *startup.Report) {
	w.t.Helper()
	s := w.session()
	rep, err := claude.Host{}.Startup(s)
	if err != nil {
		w.t.Fatal(err)
	}
	rules, problems := Load(claude.Host{}, s, rep)
	return rules, problems, rep
}

func block(rule string) string { return "Text.\n\n```guard\n" + rule + "\n```\n" }

func TestRulesCountFromWhatLoadsAndNeverFromNotes(t *testing.T) {
	w := newWorld(t)
	_, _, rep := w.load()
	note := filepath.Join(rep.Mem.Dir, "note.md")
	w.write(note, block("deny command from-a-note"))
	w.write(filepath.Join(rep.Mem.Dir, "MEMORY.md"), block("deny command from-the-index"))
	w.write(filepath.Join(w.home, ".claude", "CLAUDE.md"), block("deny edit user/**")+"\n@"+note+"\n")
	w.write(filepath.Join(w.proj, "CLAUDE.md"), block("deny edit project/**")+"\n@docs/more.md\n")
	w.write(filepath.Join(w.proj, "docs", "more.md"), block("deny edit imported/**"))
	w.write(filepath.Join(w.proj, "docs", "unnamed.md"), block("deny edit unnamed/**"))
	w.write(filepath.Join(w.proj, "AGENTS.md"), block("deny edit shadowed/**"))
	w.write(filepath.Join(w.proj, "CLAUDE.local.md"), block("deny edit local/**"))
	w.write(filepath.Join(w.proj, ".claude", "rules", "go.md"), "---\npaths: '*.go'\n---\n"+block("deny edit waiting/**"))
	rules, problems, _ := w.load()
	if len(problems) > 0 {
		t.Errorf("%+v", problems)
	}
	var got []string
	for i := range rules {
		if rules[i].Base != w.proj {
			t.Errorf("%s begins at %s", rules[i].String(), rules[i].Base)
		}
		got = append(got, strings.TrimSuffix(strings.TrimPrefix(rules[i].Pattern, "deny edit "), "/**"))
	}
	if want := "user project imported local waiting"; strings.Join(got, " ") != want {
		t.Errorf("rules of %v, want %s", got, want)
	}
}

func TestAFileThatCannotBeReadIsAProblem(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.proj, "CLAUDE.md")
	w.write(file, block("deny edit x"))
	_, _, rep := w.load()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	rules, problems := Load(claude.Host{}, w.session(), rep)
	if len(rules) != 0 || len(problems) != 1 || problems[0].File != file || !strings.Contains(problems[0].What, "do not hold") {
		t.Errorf("rules %v, problems %+v", rules, problems)
	}
}

func TestLinksAreFollowedAsFarAsTheyExist(t *testing.T) {
	w := newWorld(t)
	w.write(filepath.Join(w.proj, "real", "a"), "")
	for from, to := range map[string]string{"link": "real", "dangling": "real/new", "abs": filepath.Join(w.proj, "real", "a")} {
		if err := os.Symlink(to, filepath.Join(w.proj, from)); err != nil {
			t.Skip("this system makes no links: " + err.Error())
		}
	}
	for path, want := range map[string]string{
		"real/a": "real/a", "link/a": "real/a", "link/new/b": "real/new/b", "dangling": "real/new", "abs": "real/a", "none/x": "none/x",
	} {
		if got := Resolve(filepath.Join(w.proj, path)); got != filepath.Join(w.proj, want) {
			t.Errorf("%s leads to %s", path, got)
		}
	}
	if got := Resolve(""); got != "" {
		t.Errorf("nothing leads to %q", got)
	}
}
