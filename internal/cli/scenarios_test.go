package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/startup"
	"dormouse/testkit"
)

// The tests here are the scenarios that users reported, by their numbers.

func files(pairs ...string) testkit.Files {
	var f testkit.Files
	for i := 0; i < len(pairs); i += 2 {
		f.Set(pairs[i], pairs[i+1])
	}
	return f
}

// statusOf runs dormouse status --json.
func statusOf(t *testing.T, l *testkit.Layout, args ...string) statusReport {
	t.Helper()
	_, out, stderr := run(l, append([]string{"status", "--json"}, args...)...)
	rep := statusReport{Report: &startup.Report{}}
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("no JSON: %v\n%s%s", err, out, stderr)
	}
	return rep
}

func leftOf(rep *startup.Report, reason startup.Reason) []startup.Left {
	var out []startup.Left
	for _, l := range rep.Left {
		if l.Reason == reason {
			out = append(out, l)
		}
	}
	return out
}

func paths(list []startup.File) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, filepath.Base(f.Path))
	}
	return out
}

func TestU01EveryEntryPastTheCutIsNamed(t *testing.T) {
	c := &testkit.Case{Files: files()}
	var index strings.Builder
	for i := 1; i <= 238; i++ {
		hook := fmt.Sprintf("hook %03d", i)
		if i == 238 {
			hook = "after compaction, re-run the checklist"
		}
		fmt.Fprintf(&index, "- [Note %03d](n%03d.md) - %s\n", i, i, hook)
		c.Files.Set(fmt.Sprintf("@mem(proj)/n%03d.md", i), "x\n")
	}
	c.Files.Set("@mem(proj)/MEMORY.md", index.String())
	l := layCase(t, c)
	code, rep := contextOf(t, l)
	if code == 0 {
		t.Error("exit 0 though entries are lost")
	}
	cut := leftOf(rep, startup.NotCut)
	if len(cut) != 38 || cut[0].Line != 201 || cut[37].Line != 238 || !strings.Contains(cut[37].Text, "re-run the checklist") {
		t.Errorf("%d entries named as lost, first %+v, last %+v", len(cut), cut[0], cut[len(cut)-1])
	}
	if ix := rep.Mem.Index; ix.LoadedLines != 200 || ix.Lines != 238 {
		t.Errorf("index %+v", ix)
	}
	if got, _ := os.ReadFile(rep.Mem.Index.Path); string(got) != index.String() {
		t.Error("the index on disk changed")
	}
	code, text, _ := run(l, "context")
	if code != 1 || !strings.Contains(text, "after compaction, re-run the checklist") || !strings.Contains(text, "38 of 238 lines do not load") {
		t.Errorf("exit %d, printed\n%s", code, text)
	}
}

func TestU04TwoProjectsWhoseNamesCollideAreNamed(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("a-b/f", "1", "a/b/f", "2", "@mem(a-b)/MEMORY.md", "- [X](x.md) — whose?\n"),
		Setup: []string{"git init -q a-b && git init -q a/b"}, Cwd: "a/b",
	})
	rep := statusOf(t, l)
	if want := []string{filepath.Join(l.Root, "a-b")}; !slices.Equal(rep.Mem.Shared, want) {
		t.Errorf("shared with %v, want %v", rep.Mem.Shared, want)
	}
	_, text, _ := run(l)
	if !strings.Contains(text, "a-b has the same store name") {
		t.Errorf("the screen does not say so:\n%s", text)
	}
}

func TestU05AWorktreeSharesTheStore(t *testing.T) {
	c := &testkit.Case{
		Files: files("proj/sub/dir/f", "1", "@mem(proj)/MEMORY.md", "- [X](x.md) — y\n"),
		Setup: []string{"cd proj && git add sub && git commit -qm a && git worktree add -q ../main-fix"},
	}
	l := layCase(t, c)
	want := ""
	for _, cwd := range []string{"proj", "proj/sub/dir", "main-fix", "main-fix/sub"} {
		l.Cwd = filepath.Join(l.Root, cwd)
		code, out, stderr := run(l, "path")
		if code != 0 || stderr != "" {
			t.Fatalf("%s: exit %d %s", cwd, code, stderr)
		}
		if want == "" {
			want = out
		}
		if out != want {
			t.Errorf("from %s the store is %s, from proj %s", cwd, out, want)
		}
	}
	if _, text, _ := run(l); !strings.Contains(text, "shared via the git common dir") {
		t.Errorf("the screen does not say why:\n%s", text)
	}
}

func TestU06ASubmoduleHasItsOwnStore(t *testing.T) {
	for _, kind := range []string{"relative", "absolute"} {
		t.Run(kind, func(t *testing.T) {
			setup := []string{
				"cd libsrc && git init -q && git add f && git commit -qm a",
				"cd proj && git -c protocol.file.allow=always submodule add -q ../libsrc lib && mkdir lib/src",
			}
			if kind == "absolute" {
				setup = append(setup, `echo "gitdir: $ROOT/proj/.git/modules/lib" > proj/lib/.git`)
			}
			l := layCase(t, &testkit.Case{Files: files("libsrc/f", "1"), Setup: setup, Cwd: "proj/lib/src"})
			_, out, _ := run(l, "path")
			if strings.Contains(out, "modules") || !strings.HasSuffix(out, "-proj-lib/memory\n") {
				t.Errorf("store %s", out)
			}
		})
	}
}

func TestU07NamesInOtherAlphabetsThatCollideAreNamedReadably(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("проект/f", "1", "привет/f", "2", "@mem(проект)/MEMORY.md", "- [X](x.md) — y\n"),
		Setup: []string{"git init -q проект && git init -q привет"}, Cwd: "проект",
	})
	_, text, _ := run(l)
	if !strings.Contains(text, "привет has the same store name") {
		t.Errorf("the screen does not name the other project:\n%s", text)
	}
}

func TestU08EverySpellingOfACheckoutHasOneStore(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("real/app/f", "1", "@mem(app-link)/old.md", "lost\n", "@mem(real/app)/MEMORY.md", "- [X](x.md) — y\n"),
		Setup: []string{"git init -q real/app && ln -s real/app app-link"}, Cwd: "real/app",
	})
	_, want, _ := run(l, "path")
	for _, spelling := range []string{"app-link", "app-link/", "real/./app", "real/app/"} {
		l.Cwd = l.Root + "/" + spelling
		if _, out, _ := run(l, "path"); out != want {
			t.Errorf("%s: store %s, want %s", spelling, out, want)
		}
	}
	l.Cwd = l.Root + "/app-link"
	rep := statusOf(t, l)
	if len(rep.Mem.Others) != 1 || rep.Mem.Others[0].Notes != 1 || !strings.Contains(rep.Mem.Others[0].Dir, "-app-link/memory") {
		t.Errorf("the store under the link's name is not reported: %+v", rep.Mem.Others)
	}
}

func TestU09AnAncestorsImportIsNamedAsNotExpanded(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("ws/CLAUDE.md", "# Rules\n@RULES.md\n", "ws/RULES.md", "CANARY-1\n", "ws/pkg/deep/f", "1"), Cwd: "ws/pkg/deep",
	})
	_, rep := contextOf(t, l)
	out := leftOf(rep, startup.NotImportExternal)
	if len(out) != 1 || out[0].Path != filepath.Join(l.Root, "ws/RULES.md") || out[0].From != filepath.Join(l.Root, "ws/CLAUDE.md") || out[0].Line != 2 {
		t.Errorf("not loaded: %+v", rep.Left)
	}
	if slices.Contains(paths(rep.Loaded), "RULES.md") {
		t.Error("the client does not load it, we say it does")
	}
}

func TestU10EachImportDecisionIsListed(t *testing.T) {
	text := "see @a.md, then\nread @b.md: first\n(@c.md)\nmail me@d.md.example\n`@e.md`\n```\n@f.md\n```\n@scope/pkg\n@dir\\ with\\ space/g.md\n@h.md\n"
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", text,
		"proj/a.md", "A", "proj/b.md", "B", "proj/c.md", "C", "proj/d.md", "D", "proj/e.md", "E", "proj/f.md", "F", "proj/dir with space/g.md", "G", "proj/h.md", "H")})
	_, rep := contextOf(t, l)
	if got, want := paths(rep.Loaded), []string{"CLAUDE.md", "g.md", "h.md"}; !slices.Equal(got, want) {
		t.Errorf("loads %v, the client loads %v", got, want)
	}
	code, out, stderr := run(l, "context", "--json", "--explain", "CLAUDE.md")
	if code != 0 {
		t.Fatalf("exit %d %s", code, stderr)
	}
	var e explanation
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatal(err)
	}
	got := map[int]startup.Reason{}
	for _, m := range e.Names {
		got[m.Line] = m.Reason
	}
	want := map[int]startup.Reason{
		1: startup.NotImportPunct, 2: startup.NotImportPunct, 3: startup.NotImportText, 4: startup.NotImportText, 5: startup.NotImportText,
		7: startup.NotImportText, 9: startup.NotImportMissing, 10: startup.ByImport, 11: startup.ByImport,
	}
	for line, reason := range want {
		if got[line] != reason {
			t.Errorf("line %d: decided %q, want %q", line, got[line], reason)
		}
	}
}

func TestU11ListAndStringOfPathsMatchAlike(t *testing.T) {
	base := files(
		"proj/.claude/rules/list.md", "---\npaths: [\"src/api/**\", \"**/*.{ts,tsx}\"]\n---\nLIST",
		"proj/.claude/rules/swapped.md", "---\npaths: [\"**/*.{ts,tsx}\", \"src/api/**\"]\n---\nSWAPPED",
		"proj/.claude/rules/comma.md", "---\npaths: src/api/**, **/*.{ts,tsx}\n---\nCOMMA",
		"proj/.claude/rules/go.md", "---\npaths: **/*.go\n---\nGO",
		"proj/.claude/rules/broken.md", "---\npaths: [src/**\n---\nBROKEN")
	for read, want := range map[string][]string{
		"web/x.tsx":    {"comma.md", "list.md", "swapped.md"},
		"src/api/y.py": {"comma.md", "list.md", "swapped.md"},
		"z.go":         {"go.md"},
		"README.md":    {},
		"new.ts":       {"comma.md", "list.md", "swapped.md"}, // need not exist
	} {
		l := layCase(t, &testkit.Case{Files: base, Reads: []string{"$ROOT/proj/" + read}})
		_, rep := contextOf(t, l)
		if got := paths(rep.After); !slices.Equal(got, want) {
			t.Errorf("a read of %s adds %v, want %v", read, got, want)
		}
		if broken := leftOf(rep, startup.NotRuleBroken); len(broken) != 1 || broken[0].Line == 0 {
			t.Errorf("the rule that is no YAML: %+v", broken)
		}
	}
}

func TestU12ASubagentsStoreIsThatOfTheStartFolder(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files(
			"proj/.claude/agents/rev.md", "---\nname: rev\ndescription: reviews\nmemory: project\n---\nYou review.",
			"proj/.claude/agent-memory/rev/MEMORY.md", "- root store\n", "proj/front/ws/package.json", "{}"),
		Cwd: "proj/front/ws",
	})
	before := tree(t, l.Root)
	code, out, stderr := run(l, "context", "--json", "--agent", "rev")
	if code != 0 {
		t.Fatalf("exit %d %s", code, stderr)
	}
	var rep startup.Report
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err)
	}
	// What the client does (measured): it takes the start folder, and so misses
	// the store beside the agent's definition. Both are named.
	if want := filepath.Join(l.Cwd, ".claude/agent-memory/rev"); rep.Mem.Dir != want {
		t.Errorf("store %s, the client uses %s", rep.Mem.Dir, want)
	}
	if len(rep.Mem.Others) != 1 || rep.Mem.Others[0].Dir != filepath.Join(l.Root, "proj/.claude/agent-memory/rev") {
		t.Errorf("the store beside the definition is not named: %+v", rep.Mem.Others)
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("a look made something:\n%s", after)
	}
}

func tree(t *testing.T, root string) string {
	t.Helper()
	out, err := exec.Command("find", root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	return string(out)
}

func TestU14AgesAreWholeDaysOfTheFileTime(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("@mem(proj)/MEMORY.md", "- [A](a.md) — a\n- [B](b.md) — b\n", "@mem(proj)/a.md", "A", "@mem(proj)/b.md", "B"),
		Reads: []string{"@mem(proj)/a.md", "@mem(proj)/b.md"},
	})
	for name, age := range map[string]time.Duration{"a.md": 95*24*time.Hour + time.Hour, "b.md": 47 * time.Hour} {
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(l.Root, l.Expand("@mem(proj)/"+name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	_, rep := contextOf(t, l)
	if len(rep.Ages) != 2 || rep.Ages[0].Days != 95 || !rep.Ages[0].Warn || rep.Ages[1].Days != 1 || rep.Ages[1].Warn {
		t.Errorf("ages %+v", rep.Ages)
	}
	if _, text, _ := run(l); !strings.Contains(text, "a.md (95 days)") {
		t.Errorf("the screen does not tell the oldest note:\n%s", text)
	}
}

func TestU21TheSwitchThatDecidesIsNamed(t *testing.T) {
	const env, key = "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "autoMemoryEnabled"
	set := func(v string) string { return fmt.Sprintf("{\n  %q: %s\n}\n", key, v) }
	for _, tc := range []struct {
		name                       string
		env                        string // "-" means unset
		user, project, local, flag string
		bare                       bool
		on                         bool
		by, file                   string
		line                       int
		notice                     bool
	}{
		{name: "nothing set", env: "-", on: true, by: "default"},
		{name: "variable 1", env: "1", by: env},
		{name: "variable true", env: "true", by: env},
		{name: "variable YES with spaces", env: " YES ", by: env},
		{name: "variable 0", env: "0", on: true, by: env},
		{name: "variable off is on, over a setting", env: "off", local: "false", on: true, by: env},
		{name: "variable empty counts as unset", env: "", on: true, by: "default"},
		{name: "variable maybe counts as unset and is remarked", env: "maybe", on: true, by: "default", notice: true},
		{name: "user false", env: "-", user: "false", by: key, file: "home/.claude/settings.json", line: 2},
		{name: "project true beats user false", env: "-", user: "false", project: "true", on: true, by: key, file: "proj/.claude/settings.json", line: 2},
		{name: "local false beats project true", env: "-", project: "true", local: "false", by: key, file: "proj/.claude/settings.local.json", line: 2},
		{name: "--settings beats local", env: "-", local: "false", flag: `{"autoMemoryEnabled":true}`, on: true, by: key, file: "--settings", line: 1},
		{name: "variable beats --settings", env: "1", flag: `{"autoMemoryEnabled":true}`, by: env},
		{name: "--bare beats variable 0", env: "0", bare: true, by: "--bare"},
		{name: "a string is no boolean", env: "-", user: `"false"`, on: true, by: "default", notice: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := &testkit.Case{Files: files("@mem(proj)/MEMORY.md", "- [X](x.md) — y\n"), Env: map[string]string{}}
			for name, v := range map[string]string{"home/.claude/settings.json": tc.user, "proj/.claude/settings.json": tc.project, "proj/.claude/settings.local.json": tc.local} {
				if v != "" {
					c.Files.Set(name, set(v))
				}
			}
			if tc.env != "-" {
				c.Env[env] = tc.env
			}
			if tc.flag != "" {
				c.Args = []string{"--settings", tc.flag}
			}
			if tc.bare {
				c.Args = append(c.Args, "--bare")
			}
			l := layCase(t, c)
			_, rep := contextOf(t, l)
			by := rep.Mem.Switch
			file := tc.file
			if strings.Contains(file, "/") {
				file = filepath.Join(l.Root, file)
			}
			if rep.Mem.On != tc.on || by.By != tc.by || by.File != file || by.Line != tc.line {
				t.Errorf("on=%v decided by %+v", rep.Mem.On, by)
			}
			if (len(rep.Notices)+len(rep.Problems) > 0) != tc.notice {
				t.Errorf("remarks %+v %+v", rep.Notices, rep.Problems)
			}
			if loads := slices.Contains(paths(rep.Loaded), "MEMORY.md"); loads != tc.on {
				t.Errorf("index loads: %v", loads)
			}
		})
	}
}

func TestU21OffMeansNoFolderIsMade(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/f", "1"), Env: map[string]string{"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}})
	before := tree(t, l.Root)
	for _, args := range [][]string{nil, {"status"}, {"context"}, {"path"}, {"context", "--explain", "f"}} {
		run(l, args...)
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("something was made:\n%s", after)
	}
}

func TestU22AFileReachedByTwoSpellingsCountsOnce(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("realhome/.claude/CLAUDE.md", "USER RULES\n", "realhome/w/CLAUDE.md", "W @~/.claude/CLAUDE.md\n"),
		Setup: []string{"rm -rf home/.claude && rmdir home && ln -s realhome home"}, Cwd: "home/w",
	})
	_, rep := contextOf(t, l)
	n := 0
	for _, f := range rep.Loaded {
		n += strings.Count(f.Text, "USER RULES")
	}
	if n != 1 {
		t.Errorf("the user's file counts %d times", n)
	}
	if dup := leftOf(rep, startup.NotDuplicate); len(dup) != 1 || !strings.Contains(dup[0].Why, "home/.claude/CLAUDE.md") {
		t.Errorf("the second occurrence is not named: %+v", rep.Left)
	}
}

func TestAgentsFileLoadsBesideTheUsersOwnInAProjectBelowHome(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("home/.claude/CLAUDE.md", "Mine.\n", "home/work/app/AGENTS.md", "The project's.\n"),
		Setup: []string{"git init -q home/work/app"}, Cwd: "home/work/app",
	})
	_, rep := contextOf(t, l)
	if got, want := paths(rep.Loaded), []string{"CLAUDE.md", "AGENTS.md"}; !slices.Equal(got, want) {
		t.Errorf("loads %v, the client loads %v", got, want)
	}
}

func TestEverySpellingThatIsNotReadIsNamedInAThoroughLook(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files(
		"proj/Claude.md", "1", "proj/CLAUDE.MD", "2", "proj/.claude/claude.md", "3", "proj/claude.LOCAL.md", "4", "home/.claude/claude.md", "5")})
	rep := statusOf(t, l)
	var got []string
	for _, left := range leftOf(rep.Report, startup.NotWrongCase) {
		rel, _ := filepath.Rel(l.Root, left.Path)
		got = append(got, rel)
	}
	slices.Sort(got)
	if want := []string{"home/.claude/claude.md", "proj/.claude/claude.md", "proj/CLAUDE.MD", "proj/Claude.md", "proj/claude.LOCAL.md"}; !slices.Equal(got, want) {
		t.Errorf("named %v, want %v", got, want)
	}
}
