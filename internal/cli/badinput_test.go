package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dormouse/startup"
	"dormouse/testkit"
)

func TestBadInputIsNamedAndTheRestAnswered(t *testing.T) {
	big := "head -c 31457280 /dev/zero | tr '\\0' x > "
	for _, tc := range []struct {
		name  string
		c     testkit.Case
		names string // the file that a problem must name, below the root
		says  string
	}{
		{"an import of 30 MB", testkit.Case{Files: files("proj/CLAUDE.md", "PC @big.md\n"), Setup: []string{big + "proj/big.md"}}, "proj/big.md", "too large"},
		{"a CLAUDE.md of 30 MB", testkit.Case{Files: files("proj/CLAUDE.local.md", "PC\n"), Setup: []string{big + "proj/CLAUDE.md"}}, "proj/CLAUDE.md", "too large"},
		{"an index of 30 MB", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "@mem(proj)/a.md", "x"), Setup: []string{big + "@mem(proj)/MEMORY.md"}}, "@mem(proj)/MEMORY.md", "too large"},
		{"a named pipe in place of CLAUDE.local.md", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n"), Setup: []string{"mkfifo proj/CLAUDE.local.md"}}, "proj/CLAUDE.local.md", "named pipe"},
		{"a named pipe in place of an import", testkit.Case{Files: files("proj/CLAUDE.md", "PC @p.md\n"), Setup: []string{"mkfifo proj/p.md"}}, "proj/p.md", "named pipe"},
		{"a named pipe in place of the index", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "@mem(proj)/a.md", "x"), Setup: []string{"mkfifo @mem(proj)/MEMORY.md"}}, "@mem(proj)/MEMORY.md", "named pipe"},
		{"a named pipe in place of settings", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n"), Setup: []string{"mkfifo home/.claude/settings.json"}}, "home/.claude/settings.json", "named pipe"},
		{"a device by a user import", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "home/.claude/CLAUDE.md", "@zero\n"), Setup: []string{"ln -s /dev/zero home/.claude/zero"}}, "home/.claude/zero", "device"},
		{"a link that leads to itself", testkit.Case{Files: files("proj/CLAUDE.local.md", "PC\n"), Setup: []string{"ln -s CLAUDE.md proj/CLAUDE.md"}}, "proj/CLAUDE.md", ""},
		{"a link to nothing", testkit.Case{Files: files("proj/CLAUDE.local.md", "PC\n"), Setup: []string{"ln -s gone proj/CLAUDE.md"}}, "proj/CLAUDE.md", "link to nothing"},
		{"a folder in place of CLAUDE.md", testkit.Case{Files: files("proj/CLAUDE.md/x", "1", "proj/CLAUDE.local.md", "PC\n")}, "proj/CLAUDE.md", "folder"},
		{"settings that are not JSON", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "proj/.claude/settings.json", "{\n  nope\n}")}, "proj/.claude/settings.json", "line 2"},
		{"settings with a comment", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "proj/.claude/settings.json", "{} // x")}, "proj/.claude/settings.json", "not JSON"},
		{"settings with a value of the wrong kind", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "proj/.claude/settings.json", "{\n\"model\": 5}")}, "proj/.claude/settings.json", `"model" in line 2`},
		{"a .git file that git did not write", testkit.Case{Git: new(bool), Files: files("proj/CLAUDE.md", "PC\n", "proj/.git", "garbage")}, "proj/.git", "git"},
		{"a .git file that points nowhere", testkit.Case{Git: new(bool), Files: files("proj/CLAUDE.md", "PC\n", "proj/.git", "gitdir: /nowhere/at/all\n")}, "proj/.git", "/nowhere/at/all"},
		{"a file in place of the memory folder", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "@mem(proj)", "x")}, "@mem(proj)", "not a folder"},
		{"a file in place of the rules folder", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "proj/.claude/rules", "x")}, "proj/.claude/rules", "not a directory"},
		{"a state file that is not JSON", testkit.Case{Files: files("proj/CLAUDE.md", "PC @../e.md\n", "e.md", "E", "home/.claude.json", "{")}, "home/.claude.json", "cannot be used"},
		{"an added folder that is not there", testkit.Case{Files: files("proj/CLAUDE.md", "PC\n"), Args: []string{"--add-dir", "$ROOT/none"}}, "none", "no such folder"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := layCase(t, &tc.c)
			code, rep := contextOf(t, l)
			if code != 1 {
				t.Errorf("exit %d, want 1", code)
			}
			want := filepath.Join(l.Root, l.Expand(tc.names))
			found := false
			for _, p := range rep.Problems {
				found = found || p.Path == want && strings.Contains(p.What, tc.says)
			}
			if !found {
				t.Errorf("no problem names %s with %q: %+v", want, tc.says, rep.Problems)
			}
			if len(rep.Loaded) == 0 {
				t.Error("the rest is not answered")
			}
			if len(l.Args) > 0 {
				return // the screen takes no such flag
			}
			code, text, _ := run(l)
			if code != 1 || !strings.Contains(text, tc.says) {
				t.Errorf("the screen: exit %d\n%s", code, text)
			}
		})
	}
}

func TestAnUnreadableFileIsNamed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything; run as a user to see this test work")
	}
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "PC\n", "proj/CLAUDE.local.md", "L\n")})
	if err := os.Chmod(filepath.Join(l.Root, "proj/CLAUDE.md"), 0); err != nil {
		t.Fatal(err)
	}
	code, rep := contextOf(t, l)
	if code != 1 || len(rep.Problems) != 1 || len(rep.Loaded) != 1 || leftOf(rep, startup.NotUnreadable) == nil {
		t.Errorf("exit %d, %+v", code, rep)
	}
}

func TestAStartThatCannotBeIsRefusedInOneLine(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "PC\n")})
	for _, tc := range []struct {
		name string
		args []string
		home string
		code int
		says string
	}{
		{"no home folder to switch in", []string{"off"}, "-", 1, "HOME"},
		{"no home folder to name", []string{"path"}, "-", 1, "HOME"},
		{"a flag with nothing behind it", []string{"context", "--explain", ""}, "", 2, "--explain"},
		{"a project with nothing behind it", []string{"off", "--project="}, "", 2, "--project"},
		{"a project that is not there", []string{"--project", "/nowhere"}, "", 1, "/nowhere"},
		{"settings that are not there", []string{"context", "--settings", "none.json"}, "", 1, "none.json"},
		{"a source that is none", []string{"context", "--setting-sources", "all"}, "", 1, `"all"`},
		{"an unknown command", []string{"contxt"}, "", 2, "context"},
		{"an unknown flag", []string{"context", "--nope"}, "", 2, "--help"},
		{"an argument too many", []string{"context", "x"}, "", 2, `"x"`},
		{"an unknown host", []string{"--host", "vim"}, "", 2, "claude"},
		{"an unknown folder", []string{"path", "notes"}, "", 2, "transcripts"},
		{"an agent that is not there", []string{"context", "--agent", "nobody"}, "", 1, "nobody"},
		{"a file that is not there", []string{"context", "--explain", "nofile"}, "", 1, "no such file"},
		{"two scopes", []string{"off", "--user", "--local"}, "", 2, "only one"},
		{"a store to switch", []string{"off", "--store", "x"}, "", 2, "--store"},
		{"raw and explain", []string{"context", "--raw", "--explain", "x"}, "", 2, "raw"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lay := *l
			if tc.home == "-" {
				lay.Home = ""
			}
			code, out, stderr := run(&lay, tc.args...)
			if code != tc.code || !strings.Contains(stderr, tc.says) || strings.Count(stderr, "\n") != 1 || out != "" {
				t.Errorf("exit %d, want %d\nstdout %q\nstderr %q", code, tc.code, out, stderr)
			}
		})
	}
}

func TestATerminalIsNotFooledByWhatFilesSay(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "@no\x1b[2Jsuch\u202efile\n", "proj/ev\x1b[31mil/f", "1")})
	for _, args := range [][]string{nil, {"context"}, {"context", "--explain", "CLAUDE.md"}} {
		_, out, stderr := run(l, args...)
		if strings.ContainsAny(out+stderr, "\x1b\u202e") {
			t.Errorf("dormouse %v lets control characters through:\n%q", args, out+stderr)
		}
	}
}

func TestWithoutAHomeFolderTheRestIsAnswered(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "PC\n")})
	l.Home = ""
	code, rep := contextOf(t, l)
	if code != 1 || len(rep.Loaded) != 1 || len(rep.Problems) != 1 || !strings.Contains(rep.Problems[0].What, "HOME") {
		t.Errorf("exit %d, loaded %v, problems %+v", code, paths(rep.Loaded), rep.Problems)
	}
}

func TestAnErrorWithJSONIsAnObjectToo(t *testing.T) {
	l := layCase(t, &testkit.Case{})
	code, out, stderr := run(l, "context", "--json", "--agent", "nobody")
	if code != 1 || !strings.Contains(out, `"problems":[{"path":"","what":"no agent is named`) || stderr == "" {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, stderr)
	}
}

func TestAnIndexOfMillionsOfLinesIsCountedNotListed(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("@mem(proj)/MEMORY.md", strings.Repeat("a\n", 1_000_000)+"z")})
	_, rep := contextOf(t, l)
	cut := leftOf(rep, startup.NotCut)
	if len(cut) != 1001 || cut[1000].Count != 1_000_001-1200 || rep.Loaded[0].Cut.TotalLines != 1_000_001 {
		t.Errorf("%d entries, the last %+v", len(cut), cut[len(cut)-1])
	}
}

func TestALongPathToReadIsRefused(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "PC\n"), Reads: []string{"$ROOT/proj/" + strings.Repeat("d/", 60_000) + "x"}})
	if code, rep := contextOf(t, l); code != 1 || len(rep.Problems) != 1 || len(rep.Loaded) != 1 {
		t.Errorf("exit %d, %+v", code, rep.Problems)
	}
}

// full is a device that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "PC\n")})
	for _, args := range [][]string{nil, {"status"}, {"context"}, {"context", "--json"}, {"path"}, {"--help"}, {"demo"}} {
		var errs strings.Builder
		streams := ioOf(l)
		streams.Out, streams.Err = full{}, &errs
		if code := Main(args, streams); code != exitFound || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("dormouse %v: exit %d, %q", args, code, errs.String())
		}
	}
}
