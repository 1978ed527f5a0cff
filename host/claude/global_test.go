package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dormouse/host"
	"dormouse/instructions"
	"dormouse/note"
)

func env(vars map[string]string) host.Env {
	return host.Env{
		Home: vars["HOME"], OS: "linux",
		Getenv: func(name string) string { return vars[name] },
		Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
	}
}

func TestTheAgentIsKnownByItsVariables(t *testing.T) {
	for _, tc := range []struct {
		name    string
		vars    map[string]string
		session string
		inside  bool
	}{
		{"a person's shell", map[string]string{}, "", false},
		{"a session id alone", map[string]string{envSession: "abc"}, "", false},
		{"the Bash tool", map[string]string{envInside: "1", envSession: "2da1aa3a-5725-4b25-805a-37a78c11719f"}, "2da1aa3a-5725-4b25-805a-37a78c11719f", true},
		{"an id that is none", map[string]string{envInside: "1", envSession: "a\nb: c"}, "", true},
		{"an id that is too long", map[string]string{envInside: "1", envSession: strings.Repeat("a", 65)}, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			session, inside := Host{}.Inside(env(tc.vars))
			if session != tc.session || inside != tc.inside {
				t.Errorf("%q %v, want %q %v", session, inside, tc.session, tc.inside)
			}
		})
	}
}

// globalOf plans for a home folder with these files; a text "-> x" is a link.
func globalOf(t *testing.T, files map[string]string) (*host.GlobalMemory, string, error) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(root, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	g, err := Host{}.Global(host.Session{Cwd: root, Env: env(map[string]string{"HOME": home})})
	return g, home, err
}

func TestTheUsersInstructionsGetOneImport(t *testing.T) {
	const line = "@global-memory/MEMORY.md"
	for _, tc := range []struct{ name, before, after string }{
		{"no file", "", line + "\n"},
		{"a text", "Be brief.\n", "Be brief.\n\n" + line + "\n"},
		{"a blank line at its end", "Be brief.\n\n", "Be brief.\n\n" + line + "\n"},
		{"no last line break", "Be brief.", "Be brief.\n\n" + line},
		{"line breaks of Windows", "Be\r\nbrief.\r\n", "Be\r\nbrief.\r\n\r\n" + line + "\r\n"},
		{"a byte order mark", "\ufeffBe brief.\n", "\ufeffBe brief.\n\n" + line + "\n"},
		{"nothing but a byte order mark", "\ufeff", "\ufeff" + line + "\n"},
		{"a list at its end", "- a\n- b\n", "- a\n- b\n\n" + line + "\n"},
		{"a table at its end", "|a|b|\n|-|-|\n|c|d|\n", "|a|b|\n|-|-|\n|c|d|\n\n" + line + "\n"},
		{"an open fence", "```\ncode\n", line + "\n\n```\ncode\n"},
		{"an open comment", "<!-- a\n", line + "\n\n<!-- a\n"},
		{"what is no comment behind a byte order mark", "\ufeff<!-- a\n", "\ufeff<!-- a\n\n" + line + "\n"}, // measured
		{"front matter and an open fence", "---\na: b\n---\n```\n", "---\na: b\n---\n" + line + "\n\n```\n"},
		{"the import", "x\n" + line + "\n", "x\n" + line + "\n"},
		{"the import from home", "- see @~/.claude/global-memory/MEMORY.md it\n", "- see @~/.claude/global-memory/MEMORY.md it\n"},
		{"the import with a dot", "@./global-memory/MEMORY.md#all", "@./global-memory/MEMORY.md#all"},
		{"an import that finds nothing", line + ".\n", line + ".\n\n" + line + "\n"},
		{"an import in code", "`" + line + "`\n", "`" + line + "`\n\n" + line + "\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{}
			if tc.before != "" {
				files[".claude/CLAUDE.md"] = tc.before
			}
			g, home, err := globalOf(t, files)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(g.Import.After); got != tc.after {
				t.Errorf("got %q, want %q", got, tc.after)
			}
			if (g.Import.Before == nil) != (tc.before == "") || g.Import.Path != filepath.Join(home, ".claude/CLAUDE.md") || g.Line != line {
				t.Errorf("plan %+v", g)
			}
			if _, err := os.Lstat(g.Dir); err == nil {
				t.Error("a plan made the folder")
			}
		})
	}
}

func TestTheImportFollowsWhereTheInstructionsAre(t *testing.T) {
	g, home, err := globalOf(t, map[string]string{".claude/CLAUDE.md": "-> ../dots/CLAUDE.md", "dots/CLAUDE.md": "Be brief.\n"})
	if err != nil {
		t.Fatal(err)
	}
	if g.Import.Path != filepath.Join(home, "dots/CLAUDE.md") || string(g.Import.After) != "Be brief.\n\n@~/.claude/global-memory/MEMORY.md\n" {
		t.Errorf("%s: %q", g.Import.Path, g.Import.After)
	}
	for name, files := range map[string]map[string]string{
		"an imported file": {".claude/CLAUDE.md": "@mine.md\n", ".claude/mine.md": "@global-memory/MEMORY.md\n"},
		"a rule":           {".claude/rules/mine.md": "@../global-memory/MEMORY.md\n", ".claude/global-memory/MEMORY.md": "x\n"},
	} {
		if g, _, err := globalOf(t, files); err != nil || string(g.Import.After) != string(g.Import.Before) {
			t.Errorf("%s imports it already, but: %v, %q", name, err, g.Import.After)
		}
	}
}

func TestInstructionsThatCannotBeEditedAreNamed(t *testing.T) {
	for name, tc := range map[string]struct{ text, says string }{
		"UTF-16":            {"\xff\xfea\x00", "not UTF-8"},
		"a link to nothing": {"-> gone", "link to nothing"},
		"fences everywhere": {"---\na: b\n---\n<!-- x", ""},
	} {
		g, _, err := globalOf(t, map[string]string{".claude/CLAUDE.md": tc.text})
		if tc.says == "" {
			if err != nil || !strings.Contains(string(g.Import.After), g.Line) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), "CLAUDE.md") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestADefusedTextImportsNothing(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"ask bob@example.com", "ask bob@example.com"},
		{"see @a.md", `see \@a.md`},
		{"@a.md", `\@a.md`},
		{`\@a.md`, `\@a.md`},
		{`\\@a.md`, `\\\@a.md`},
		{"*@a.md*", `*\@a.md*`},
		{"npm i @types/node@22", `npm i \@types/node\@22`},
	} {
		if got := defuse(tc.text); got != tc.want {
			t.Errorf("%q becomes %q, want %q", tc.text, got, tc.want)
		}
	}
	piece := rapid.SampledFrom([]string{"@", "@a.md", "a", "b.c", " ", "\t", `\`, "*", "**", "_", "`", "~~", "<b>", "</b>", "<", ">", "[", "]", "(", ")", "!", "&amp;", "http://a.b/", "www.a.b", "x@b.co", "|", "-", ".", "/", "~/", "é", "\"", ":", "#"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 14).Draw(t, "text"), "")
		index, err := note.ReadIndex(nil).Insert(note.Line{File: "a.md", Title: defuse("T " + text), Hook: defuse(text)})
		if err != nil {
			t.Skip(err)
		}
		for _, im := range instructions.ScanImports(string(index)) {
			if im.Verdict == instructions.Imports {
				t.Fatalf("%q imports %q", index, im.Path)
			}
		}
	})
}

func TestAnIndexIsMeasuredAsAStartMeasuresIt(t *testing.T) {
	for name, index := range map[string]string{
		"plain":        "- [A](a.md) — a\n- [B](b.md) — b\n",
		"blank around": "\n\n- [A](a.md)\n\n- [B](b.md)\n\n",
		"stripped":     "---\na: b\n---\n<!-- c -->\n- [A](a.md) — 😀\n",
		"bad UTF-8":    "\ufeff- [A](a.md) \xff\r\nx\r\n",
		"over":         strings.Repeat("- é\n", 230),
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(root, ".claude", "projects", FolderName(root), "memory")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, indexName), []byte(index), 0o600); err != nil {
			t.Fatal(err)
		}
		rep, err := Host{}.Startup(host.Session{Cwd: root, Env: env(map[string]string{"HOME": root})})
		if err != nil || rep.Mem.Index == nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := Host{}.IndexLimits().Measure([]byte(index))
		if got.Lines != rep.Mem.Index.Lines || got.Units != rep.Mem.Index.Chars {
			t.Errorf("%s: %+v, a start finds %d lines, %d characters", name, got, rep.Mem.Index.Lines, rep.Mem.Index.Chars)
		}
	}
	if got := (Host{}.IndexLimits().Measure([]byte("<!-- c -->\n\n"))); got.Lines != 0 || got.Units != 0 {
		t.Errorf("a blank index measures %+v", got)
	}
}

func TestTheFolderIsToldAlsoWhenTheInstructionsCannotBeWritten(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, dotFolder)
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, instructionsName), []byte("caf\xe9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := Host{}.Global(host.Session{Cwd: home, Env: env(map[string]string{"HOME": home})})
	if err == nil || g == nil || g.Dir != filepath.Join(config, globalName) || g.Defuse("@x") != `\@x` {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestWhatTwoReadsPassOverIsListedOnce(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{"p/.git/HEAD": "ref: refs/heads/main\n", "p/sub/AGENTS.md": "See @gone.md, @other.md\n", "p/sub/other.md": "x\n"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := host.Session{Cwd: filepath.Join(home, "p"), Env: env(map[string]string{"HOME": home})}
	for _, name := range []string{"a.go", "b.go", "a.go"} {
		s.Reads = append(s.Reads, filepath.Join(s.Cwd, "sub", name))
	}
	rep, err := Host{}.Startup(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Left) < 2 {
		t.Fatalf("left %+v", rep.Left)
	}
	for i, l := range rep.Left {
		for _, m := range rep.Left[:i] {
			if l == m {
				t.Errorf("%+v twice", l)
			}
		}
	}
}
