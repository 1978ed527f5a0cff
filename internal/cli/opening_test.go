package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/host"
	"dormouse/store"
	"dormouse/testkit"
)

// notesIn lays notes in the memory folder of a project; names are below it.
func notesIn(t *testing.T, pairs ...string) *testkit.Layout {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "@mem(proj)/" + pairs[i]
	}
	return layCase(t, &testkit.Case{Files: files(append(pairs, "proj/f", "x")...)})
}

// inStore is the path of a note of such a layout.
func inStore(l *testkit.Layout, rel string) string {
	return filepath.Join(l.Root, l.Expand("@mem(proj)"), rel)
}

func readStore(t *testing.T, l *testkit.Layout, rel string) string {
	t.Helper()
	b, err := os.ReadFile(inStore(l, rel))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// jsonOf runs a command with --json and decodes its one object.
func jsonOf(t *testing.T, l *testkit.Layout, into any, args ...string) (code int) {
	t.Helper()
	code, out, stderr := run(l, append(args, "--json")...)
	dec := json.NewDecoder(strings.NewReader(out))
	if err := dec.Decode(into); err != nil {
		t.Fatalf("dormouse %v: exit %d, no JSON: %v\n%s%s", args, code, err, out, stderr)
	}
	if dec.More() {
		t.Fatalf("dormouse %v prints more than one object:\n%s", args, out)
	}
	return code
}

func TestTheStateFolderIsAnAbsolutePathOrAnError(t *testing.T) {
	for _, tc := range []struct {
		name string
		env  map[string]string
		home string
		os   string
		want string // or what the error says
	}{
		{"the home folder's", nil, "/home/u", "linux", "/home/u/.local/state/dormouse"},
		{"as elsewhere on macOS", nil, "/Users/u", "darwin", "/Users/u/.local/state/dormouse"},
		{"XDG moves it", map[string]string{"XDG_STATE_HOME": "/s"}, "/home/u", "linux", "/s/dormouse"},
		{"XDG without a home", map[string]string{"XDG_STATE_HOME": "/s/"}, "", "darwin", "/s/dormouse"},
		{"our own variable is stronger", map[string]string{"XDG_STATE_HOME": "/s", "DORMOUSE_HOME": "/d/../e"}, "/home/u", "linux", "/e"},
		{"a relative XDG", map[string]string{"XDG_STATE_HOME": "s"}, "/home/u", "linux", "! XDG_STATE_HOME"},
		{"a relative variable of ours", map[string]string{"DORMOUSE_HOME": "~/d"}, "/home/u", "linux", "! DORMOUSE_HOME"},
		{"no home", nil, "", "linux", "! DORMOUSE_HOME"},
		{"Windows", map[string]string{"LocalAppData": "/l", "XDG_STATE_HOME": "/s"}, "/u", "windows", "/l/dormouse"},
		{"Windows without the variable", nil, "/u", "windows", "/u/AppData/Local/dormouse"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := host.StateFolder(host.Env{Home: tc.home, OS: tc.os, Getenv: func(n string) string { return tc.env[n] }})
			if says, ok := strings.CutPrefix(tc.want, "! "); ok {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("folder %q, error %v; want one that names %s", got, err, says)
				}
				return
			}
			if err != nil || filepath.ToSlash(got) != tc.want {
				t.Errorf("folder %q, error %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestOffMeansNoNoteIsTouchedAndTheSwitchIsNamed(t *testing.T) {
	l := notesIn(t, "a.md", "A\n")
	if err := os.WriteFile(filepath.Join(l.Home, ".claude/settings.json"), []byte("{\n\"autoMemoryEnabled\": false}"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := tree(t, l.Root)
	for _, args := range [][]string{
		{"list"}, {"show", "a"}, {"edit", "a", "--from", "-"}, {"forget", "a"}, {"history"}, {"undo"}, {"diff"}, {"purge"}, {"index"}, {"index", "--fix"}, {"search", "a"},
	} {
		code, out, stderr := run(l, args...)
		want := "dormouse: memory is off: autoMemoryEnabled is false in ~/.claude/settings.json:2; switch it on with dormouse on, or name a folder with --store DIR\n"
		if code != exitFound || stderr != want || out != "" {
			t.Errorf("dormouse %v: exit %d, %q, %q", args, code, stderr, out)
		}
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("something was made:\n%s", after)
	}
}

func TestLooksMakeNothing(t *testing.T) {
	l := notesIn(t, "a.md", "A\n", "MEMORY.md", "- [a](a.md) — A\n")
	before := tree(t, l.Root)
	for _, args := range [][]string{{"list"}, {"show", "a"}, {"index"}, {"undo"}, {"version"}, {"context", "--explain", "a"}, {"search", "a"}} {
		run(l, args...)
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("something was made:\n%s", after)
	}
}

// TestEachReportHasItsKeys holds the top of each command's JSON, which programs
// read.
func TestEachReportHasItsKeys(t *testing.T) {
	l := notesIn(t, "a.md", "A [b](b.md)\n", "b.md", "---\nname: b\n---\n\nB\n", "MEMORY.md", "- [a](a.md) — A\n- [b](b.md) — B\n- [c](c.md) — C\n")
	done := "changes id index mentions moved_out op said"
	for _, tc := range []struct {
		args  []string
		stdin string
		code  int
		want  string
	}{
		{[]string{"list"}, "", 0, "counts exists notes problems store"},
		{[]string{"search", "name"}, "", 1, "hits problems query skipped stores unread waiting"},
		{[]string{"show", "b"}, "", 0, "age_from body body_line days fields file index_line links loads modified problems size utf8"},
		{[]string{"show", "MEMORY.md"}, "", 0, "age_from body body_line days fields file index_line links loads modified problems size text utf8"},
		{[]string{"edit", "a", "--from", "-"}, "A [b](b.md) changed\n", 0, done + " file"},
		{[]string{"show", "b@1"}, "", 0, "age_from at body body_line days fields file index_line last_change links loads modified problems size utf8"},
		{[]string{"edit", "a", "--from", "-"}, "A [b](b.md) changed\n", 0, done + " file"}, // unchanged
		{[]string{"edit", "a", "--from", "-"}, "\n", 1, "error problems"},
		{[]string{"forget", "b"}, "", 0, "forgotten problems"},
		{[]string{"history"}, "", 0, "entries older problems store"},
		{[]string{"history", "a"}, "", 0, "entries file older problems store"},
		{[]string{"diff"}, "", 0, "change files"},
		{[]string{"diff", "a@1"}, "", 0, "files"},
		{[]string{"undo"}, "", 0, done + " undoes"},
		{[]string{"undo", "999"}, "", 1, "error problems"},
		{[]string{"purge"}, "changed\n", 0, done + " drafts dreams elsewhere files indexes journal_copies journal_entries not_reached problems store"},
		{[]string{"index"}, "", 1, "dead duplicates escaping exists held ignored marked notes orphans store unreadable"},
		{[]string{"index", "--fix"}, "", 0, "dead duplicates escaping exists fixed held ignored marked notes orphans store unreadable"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			var got map[string]any
			if code := jsonIn(t, l, tc.stdin, &got, tc.args...); code != tc.code {
				t.Errorf("exit %d, want %d", code, tc.code)
			}
			want := strings.Fields(tc.want)
			slices.Sort(want)
			if keys := slices.Sorted(maps.Keys(got)); !slices.Equal(keys, want) {
				t.Errorf("keys %v\nwant %v", keys, want)
			}
			for k, v := range got {
				if v == nil {
					t.Errorf("%s is null", k)
				}
			}
		})
	}
}

// jsonIn is jsonOf with something on standard input.
func jsonIn(t *testing.T, l *testkit.Layout, stdin string, into any, args ...string) (code int) {
	t.Helper()
	code, out, stderr := runFed(l, stdin, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("dormouse %v: exit %d, no JSON: %v\n%s%s", args, code, err, out, stderr)
	}
	return code
}

// runFed is run with something on standard input.
func runFed(l *testkit.Layout, stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	streams := ioOf(l)
	streams.In, streams.Out, streams.Err = strings.NewReader(stdin), &out, &errs
	code = Main(args, streams)
	return code, out.String(), errs.String()
}

func TestNotesThatCannotBeOpenedAreRefusedInOneLine(t *testing.T) {
	for _, tc := range []struct {
		name  string
		setup string // in the root
		args  []string
		says  string
	}{
		{"a file in place of the store", "rm -r @mem(proj) && touch @mem(proj)", []string{"list"}, "memory"},
		{"a named pipe in place of a note", "mkfifo @mem(proj)/p.md", []string{"show", "p.md"}, "p.md"},
		{"a note of 2 MB", "head -c 2000000 /dev/zero > @mem(proj)/big.md", []string{"show", "big.md"}, "too large"},
		{"a link in place of a note", "ln -s /etc/passwd @mem(proj)/l.md", []string{"show", "l.md"}, "l.md"},
		{"a path that leads out", "touch @mem(proj)/../x.md", []string{"show", "../x.md"}, "x.md"},
		{"an absolute path", "true", []string{"forget", "/etc/passwd"}, "passwd"},
		{"a file that is no note", "touch @mem(proj)/notes.txt", []string{"forget", "notes.txt"}, "notes.txt"},
		{"a state folder that is a file", "touch state", []string{"forget", "a"}, "state"},
		{"an empty name", "true", []string{"show", ""}, "takes one note"},
		{"a name with a control character", "true", []string{"show", "a\x1b[2J"}, `a\u001b[2J`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := layCase(t, &testkit.Case{Files: files("proj/f", "x", "@mem(proj)/a.md", "A\n"), Setup: []string{tc.setup}})
			l.Env["XDG_STATE_HOME"] = filepath.Join(l.Root, "state")
			if tc.name == "a state folder that is a file" {
				l.Env["DORMOUSE_HOME"] = filepath.Join(l.Root, "state")
			}
			code, out, stderr := run(l, tc.args...)
			if code == exitFine || !strings.Contains(stderr, tc.says) || strings.Count(stderr, "\n") != 1 || out != "" {
				t.Errorf("exit %d, stdout %q\nstderr %q", code, out, stderr)
			}
		})
	}
}

func TestOutputOfNotesThatCannotBeWrittenIsAnError(t *testing.T) {
	l := notesIn(t, "a.md", "A\n", "b.md", "B\n")
	run(l, "forget", "b")
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"show", "a"}, {"history"}, {"diff"}, {"undo"}, {"index"}} {
		var errs strings.Builder
		streams := ioOf(l)
		streams.Out, streams.Err = full{}, &errs
		if code := Main(args, streams); code != exitFound || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("dormouse %v: exit %d, %q", args, code, errs.String())
		}
	}
}

func TestAReadOnlyFolderIsNamed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes everywhere; run as a user to see this test work")
	}
	l := notesIn(t, "a.md", "A\n")
	if err := os.Chmod(inStore(l, ""), 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(inStore(l, ""), 0o700) }()
	code, _, stderr := run(l, "forget", "a")
	if code != exitFound || !strings.Contains(stderr, "permission denied") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	if readStore(t, l, "a.md") != "A\n" {
		t.Error("the note changed")
	}
}

func TestTheMakerOfAChangeIsTheAgentWithinASession(t *testing.T) {
	l := notesIn(t, "a.md", "A\n", "b.md", "B\n", "c.md", "C\n")
	run(l, "forget", "a")
	l.Env["CLAUDECODE"], l.Env["CLAUDE_CODE_SESSION_ID"] = "1", "0f1e2d3c-aaaa-bbbb-cccc-0123456789ab"
	run(l, "forget", "b")
	var rep historyReport
	jsonOf(t, l, &rep, "history")
	if len(rep.Entries) != 3 || rep.Entries[0].Actor != store.Agent || rep.Entries[0].Session != l.Env["CLAUDE_CODE_SESSION_ID"] || rep.Entries[1].Actor != store.Human || rep.Entries[1].Session != "" {
		t.Errorf("%+v", rep.Entries)
	}
	if _, text, _ := run(l, "history"); !strings.Contains(text, "agent 0f1e2d3c  forget") {
		t.Errorf("printed\n%s", text)
	}
}
