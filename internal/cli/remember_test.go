package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/testkit"
)

// runIn runs one command line with something on standard input.
func runIn(l *testkit.Layout, in string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	streams := ioOf(l)
	streams.In, streams.Out, streams.Err = strings.NewReader(in), &out, &errs
	code = Main(args, streams)
	return code, out.String(), errs.String()
}

// treeOf is every file below a folder with its content.
func treeOf(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		out[path] = e.Type().String()
		if e.Type().IsRegular() {
			b, err := os.ReadFile(path)
			out[path] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// remembered runs dormouse remember --json, which must write a note.
func remembered(t *testing.T, l *testkit.Layout, args ...string) rememberReport {
	t.Helper()
	code, out, stderr := run(l, append([]string{"remember", "--json"}, args...)...)
	rep := rememberReport{}
	if err := json.Unmarshal([]byte(out), &rep); err != nil || code != 0 {
		t.Fatalf("exit %d: %v\n%s%s", code, err, out, stderr)
	}
	return rep
}

func TestRememberRefusesWhatIsNoNote(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
	before := treeOf(t, l.Root)
	fact := "The staging server is called heron."
	for _, tc := range []struct {
		name string
		in   string
		args []string
		code int
		says string
	}{
		{"no text", "", nil, 2, "blank"},
		{"a blank text", "", []string{"  \n\t"}, 2, "blank"},
		{"a blank pipe", "\n\n", []string{"-"}, 2, "blank"},
		{"a pipe of nothing but a byte order mark", "\ufeff\n", nil, 2, "blank"},
		{"a text that is not UTF-8", "caf\xe9", nil, 1, "not UTF-8"},
		{"a text with a NUL", "a\x00b", nil, 1, "NUL"},
		{"a text of more than a note", strings.Repeat("a", maxText+1), nil, 1, "longer than 1048576 bytes"},
		{"an unknown type", "", []string{"--type", "diary", fact}, 2, "user, feedback, project, reference"},
		{"an empty name", "", []string{"--name", "", fact}, 2, "--name"},
		{"a name that Windows keeps", "", []string{"--name", "CON.md", fact}, 1, "Windows keeps it for a device; --name note-con is one"},
		{"a name in decomposed letters", "", []string{"--name", "a\u0301", fact}, 1, "--name"},
		{"a name that leads out", "", []string{"--name", "../x", fact}, 1, "--name"},
		{"a name with a space", "", []string{"--name", "a b", fact}, 1, "--name a-b is one"},
		{"a name of 300 letters", "", []string{"--name", strings.Repeat("a", 300), fact}, 1, "--name"},
		{"a hidden name", "", []string{"--name", ".hidden", fact}, 1, "--name"},
		{"the index's name", "", []string{"--name", "MEMORY", fact}, 1, "--name"},
		{"the index's name in lower case", "", []string{"--name", "memory", fact}, 1, "--name"},
		{"a name with an escape", "", []string{"--name", "a\x1b[31m", fact}, 1, "--name"},
		{"a description of two lines", "", []string{"--description", "a\nb", fact}, 2, "one line"},
		{"a blank description", "", []string{"--description", " ", fact}, 2, "blank"},
		{"two places", "", []string{"--global", "--store", "x", fact}, 2, "two places"},
		{"replacing nothing", "", []string{"--replace", fact}, 2, "--update"},
		{"an update that is new", "", []string{"--update", "a", "--new", fact}, 2, "--new"},
		{"an update of nothing", "", []string{"--update", "nothing-there", fact}, 1, "nothing-there"},
		{"parts with one name", "", []string{"--split", "--name", "a", fact}, 2, "--name"},
		{"an agent whose memory is not ours to write", "", []string{"--host", "codex", fact}, 1, "--store DIR"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, stderr := runIn(l, tc.in, append([]string{"remember"}, tc.args...)...)
			if code != tc.code || !strings.Contains(stderr, tc.says) || strings.Count(stderr, "\n") != 1 || out != "" {
				t.Errorf("exit %d, want %d\nstdout %q\nstderr %q", code, tc.code, out, stderr)
			}
			if strings.ContainsRune(stderr, 0x1b) {
				t.Errorf("an escape reaches the terminal: %q", stderr)
			}
			if diff := cmp.Diff(before, treeOf(t, l.Root)); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
		})
	}
}

func TestRememberDryRunWritesNothing(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files(
		"@mem(proj)/old.md", "---\nname: old\ndescription: an old fact\n---\n\nOld.\n",
		"@mem(proj)/MEMORY.md", "- [Old](old.md) — an old fact\n",
		"home/.claude/CLAUDE.md", "Be brief.\n",
	)})
	before := treeOf(t, l.Root)
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"The staging server is called heron."}, "and in MEMORY.md: - ["},
		{[]string{"--global", "I read diffs on a phone."}, "@global-memory/MEMORY.md"},
		{[]string{"--update", "old", "And more."}, "And more."},
		{[]string{"--json", "The staging server is called heron."}, `"dry_run":true`},
	} {
		code, out, stderr := run(l, append([]string{"remember", "--dry-run"}, tc.args...)...)
		if code != 0 || !strings.Contains(out, tc.says) {
			t.Errorf("%v: exit %d\n%s%s", tc.args, code, out, stderr)
		}
		if diff := cmp.Diff(before, treeOf(t, l.Root)); diff != "" {
			t.Errorf("%v wrote something:\n%s", tc.args, diff)
		}
	}
}

func TestRememberDryRunShowsWhatTheWriteWrites(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
	args := []string{"--type", "project", "The staging server is called heron."}
	dry := remembered(t, l, append([]string{"--dry-run"}, args...)...)
	wet := remembered(t, l, args...)
	b, err := os.ReadFile(wet.Path)
	if err != nil {
		t.Fatal(err)
	}
	stampless := func(s string) string {
		before, rest, _ := strings.Cut(s, "  modified: ")
		_, after, _ := strings.Cut(rest, "\n")
		return before + after
	}
	if diff := cmp.Diff(stampless(dry.Note), stampless(string(b))); diff != "" || dry.Line != wet.Line || dry.File != wet.File || wet.Line == "" {
		t.Errorf("%s\n%+v\n%+v", diff, dry, wet)
	}
}

func TestRememberRefusesWhatNobodySeesAndPrintsItSafely(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
	text := "The banner is \x1b[31mred\x1b[0m and \u202eflipped."
	code, out, stderr := run(l, "remember", "--name", "banner", text)
	if strings.ContainsAny(out+stderr, "\x1b\u202e") {
		t.Errorf("control characters reach the terminal: %q", out+stderr)
	}
	if code != exitFound || !strings.Contains(stderr, "line ") || !strings.Contains(stderr, "remove it and write it again") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(l.Root, l.Expand("@mem(proj)/banner.md"))); err == nil {
		t.Error("it was written")
	}
}

func TestRememberLeavesOtherBytesOfTheIndexAlone(t *testing.T) {
	index := "\ufeff# Notes\r\n\r\n* [Old](old.md): an old fact\r\n\r\nThe end."
	l := layCase(t, &testkit.Case{Files: files("@mem(proj)/old.md", "x\n", "@mem(proj)/MEMORY.md", index)})
	rep := remembered(t, l, "--name", "heron", "The staging server is called heron.")
	b, err := os.ReadFile(filepath.Join(filepath.Dir(rep.Path), "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Replace(string(b), rep.Line+"\r\n", "", 1); got != index || !strings.HasPrefix(rep.Line, "* [") || !rep.Loads || rep.LoadsLine != 4 {
		t.Errorf("%q\n%+v", b, rep)
	}
}

func TestRememberSaysWhatTheSystemRefused(t *testing.T) {
	fact := "The staging server is called heron."
	t.Run("a file in place of the memory folder", func(t *testing.T) {
		l := layCase(t, &testkit.Case{Files: files("@mem(proj)", "x")})
		code, _, stderr := run(l, "remember", fact)
		if code != 1 || !strings.Contains(stderr, l.Expand("@mem(proj)")) {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
	t.Run("instructions that are a link to nothing", func(t *testing.T) {
		l := layCase(t, &testkit.Case{Files: files("proj/x", "1"), Setup: []string{"ln -s gone home/.claude/CLAUDE.md"}})
		code, _, stderr := run(l, "remember", "--global", fact)
		if code != 1 || !strings.Contains(stderr, "link to nothing") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if _, err := os.Lstat(filepath.Join(l.Home, ".claude/global-memory")); err == nil {
			t.Error("the folder was made all the same")
		}
	})
	t.Run("a folder that cannot be written", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("root writes everywhere; run as a user to see this test work")
		}
		l := layCase(t, &testkit.Case{Files: files("@mem(proj)/old.md", "x\n")})
		dir := filepath.Join(l.Root, l.Expand("@mem(proj)"))
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700) //nolint:errcheck // so that the folder can be removed
		code, _, stderr := run(l, "remember", fact)
		if code != 1 || !strings.Contains(stderr, "permission denied") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
}

func TestRememberMakesFoldersForTheOwnerOnly(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
	for _, path := range []string{
		remembered(t, l, "The staging server is called heron.").Path,
		remembered(t, l, "--global", "I read diffs on a phone.").Path,
	} {
		info, err := os.Stat(filepath.Dir(path))
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

func TestRememberSaysWhatIsInTheWay(t *testing.T) {
	long := strings.Builder{}
	for i := range 230 {
		fmt.Fprintf(&long, "- remark %d\n", i)
	}
	for _, tc := range []struct {
		name string
		c    testkit.Case
		args []string
		way  string
		line int
	}{
		{"nothing", testkit.Case{Files: files("@mem(proj)/a.md", "x\n", "@mem(proj)/MEMORY.md", "- [A](a.md) — a\n")}, []string{"--name", "b"}, "", 2},
		{"the user's instructions import the index, which then loads as one of theirs", testkit.Case{Files: files(
			"@mem(proj)/a.md", "x\n", "@mem(proj)/MEMORY.md", "- [A](a.md) — a\n", "home/.claude/CLAUDE.md", "@$ROOT/@mem(proj)/MEMORY.md\n")}, []string{"--name", "b"}, "", 2},
		{"front matter and a comment above the line", testkit.Case{Files: files(
			"@mem(proj)/a.md", "x\n", "@mem(proj)/MEMORY.md", "---\na: b\n---\n<!-- c -->\n- [A](a.md) — a\n")}, []string{"--name", "b"}, "", 6},
		{"no line in the index", testkit.Case{Files: files("@mem(proj)/a.md", "x\n", "@mem(proj)/MEMORY.md", "# Notes\n")}, []string{"--update", "a"}, "dormouse index --fix", 0},
		{"a line past the cut", testkit.Case{Files: files("@mem(proj)/a.md", "x\n", "@mem(proj)/MEMORY.md", long.String()+"- [A](a.md) — a\n")}, []string{"--update", "a"}, "line 231 of MEMORY.md is past the limit of 200 lines", 231},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := layCase(t, &tc.c)
			code, out, stderr := run(l, append([]string{"remember", "--json", "The kettle is broken."}, tc.args...)...)
			rep := rememberReport{}
			if err := json.Unmarshal([]byte(out), &rep); err != nil {
				t.Fatalf("%v\n%s%s", err, out, stderr)
			}
			if rep.Loads != (tc.way == "") || !strings.Contains(rep.InTheWay, tc.way) || (code == 0) != rep.Loads || rep.LoadsLine != tc.line || rep.Change == 0 {
				t.Errorf("exit %d: %+v\n%s", code, rep, stderr)
			}
			_, got := contextOf(t, l)
			seen := false
			for _, f := range got.Loaded {
				seen = seen || strings.Contains(f.Text, "("+rep.File+")")
			}
			if seen != rep.Loads {
				t.Errorf("the proof says %v, context says %v", rep.Loads, seen)
			}
		})
	}
}

func TestRememberAtTheSameTimeLosesNothing(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1", "home/.claude/CLAUDE.md", "Be brief.\n")})
	const many = 12
	for _, global := range []bool{false, true} {
		args := []string{"remember", "--new", "The staging server is called heron."}
		if global {
			args = append(args, "--global")
		}
		var wg sync.WaitGroup
		for range many {
			wg.Go(func() {
				if code, out, stderr := run(l, args...); code != 0 {
					t.Errorf("exit %d\n%s%s", code, out, stderr)
				}
			})
		}
		wg.Wait()
	}
	_, rep := contextOf(t, l)
	notes, imports := 0, 0
	for _, f := range rep.Loaded {
		notes += strings.Count(f.Text, "(staging-server-")
		imports += strings.Count(f.Text, "@global-memory")
	}
	if notes != 2*many || imports != 1 {
		t.Errorf("%d notes of %d are listed, %d imports", notes, 2*many, imports)
	}
}

func TestRememberSplitsOnlyWhenAsked(t *testing.T) {
	text := "- The staging server is called heron.\n- Releases go out on Tuesdays.\n- The staging server is called heron.\n"
	for _, tc := range []struct {
		in    string
		split bool
		want  int
	}{{text, true, 2}, {text, false, 1}, {"# Heron\n", true, 1}} {
		l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
		args := []string{"remember", "--json", "-"}
		if tc.split {
			args = append(args, "--split")
		}
		code, out, stderr := runIn(l, tc.in, args...)
		_, rep := contextOf(t, l)
		if got := rep.Mem.Notes; code != 0 || got != tc.want || strings.HasPrefix(out, `{"notes":[{`) != tc.split {
			t.Errorf("%q, split %v: exit %d, %d notes\n%s%s", tc.in, tc.split, code, got, out, stderr)
		}
	}
}

func TestRememberSplitWritesAllOrSaysHowMany(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
	remembered(t, l, "The staging server is called heron.")
	before := treeOf(t, l.Root)
	code, out, _ := runIn(l, "- Releases go out on Tuesdays.\n- The staging server is called heron.\n", "remember", "--split", "-")
	if diff := cmp.Diff(before, treeOf(t, l.Root)); code != 1 || diff != "" || !strings.Contains(out, "On the same matter there is:") {
		t.Errorf("exit %d\n%s\n%s", code, out, diff)
	}
	var index strings.Builder
	for i := range 199 {
		fmt.Fprintf(&index, "- remark %d\n", i)
	}
	l = layCase(t, &testkit.Case{Files: files("@mem(proj)/MEMORY.md", index.String())})
	code, out, stderr := runIn(l, "- Releases go out on Tuesdays.\n- The staging server is called heron.\n", "remember", "--split", "--json", "-")
	var rep struct{ Notes []rememberReport }
	if err := json.Unmarshal([]byte(out), &rep); err != nil || code != 1 || !strings.Contains(stderr, "1 of 2 facts are written; the next was refused: with it the index would have 201 lines") ||
		len(rep.Notes) != 2 || !rep.Notes[0].Loads || rep.Notes[1].Change != 0 || rep.Notes[1].Refused == "" {
		t.Errorf("exit %d, %v\n%s%s", code, err, out, stderr)
	}
}

func TestRememberGivesTheRoomOfALineToTheFact(t *testing.T) {
	for _, tc := range []struct{ title, file, hook, want string }{
		{"heron", "heron.md", "The staging server is called heron", "heron"},
		{"tsiny-zberihaiutsia-kopiikakh", strings.Repeat("f", 47) + ".md", strings.Repeat("h", 70), "tsiny-zberihaiutsia"},
		{"a-very-long-title-of-a-note", strings.Repeat("f", 47) + ".md", strings.Repeat("h", 120), "a-very"},
		{"onewordthatislongerthanitsroom", strings.Repeat("f", 47) + ".md", strings.Repeat("h", 120), "onewordthat"},
	} {
		if got := shortTitle(tc.title, tc.file, tc.hook); got != tc.want {
			t.Errorf("%q becomes %q, want %q", tc.title, got, tc.want)
		}
	}
	l := layCase(t, &testkit.Case{Files: files("proj/x", "1")})
	if rep := remembered(t, l, "Ціни зберігаються в копійках, а округлення робиться один раз."); !strings.HasSuffix(rep.Line, "один раз") {
		t.Errorf("the fact is cut: %s", rep.Line)
	}
}
