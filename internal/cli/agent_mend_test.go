package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/internal/mcpserver/memory"
	"dormouse/testkit"
)

// hookOf is what a hook answers to bytes on standard input.
func hookOf(t *testing.T, l *testkit.Layout, event string, in io.Reader) string {
	t.Helper()
	var out, errs bytes.Buffer
	streams := ioOf(l)
	streams.In, streams.Out, streams.Err = in, &out, &errs
	if code := Main([]string{"hook", event}, streams); code != exitFine || errs.Len() > 0 {
		t.Errorf("hook %s: exit %d, %s", event, code, errs.String())
	}
	return out.String()
}

const aRule = "```guard\ndeny command git push -f\ndeny edit migrations/**\n```\n"

func TestACallThatIsTooLargeForTheRulesIsAskedAbout(t *testing.T) {
	big := func() io.Reader {
		return io.MultiReader(strings.NewReader(`{"tool_name":"Write","tool_input":{"content":"`), io.LimitReader(xs{}, 33<<20), strings.NewReader(`"}}`))
	}
	with := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", aRule)})
	if out := hookOf(t, with, "PreToolUse", big()); !strings.Contains(out, `"permissionDecision":"ask"`) || !strings.Contains(out, "too large") {
		t.Errorf("with rules: %q", out)
	}
	without := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", "# No rules\n")})
	if out := hookOf(t, without, "PreToolUse", big()); out != "" {
		t.Errorf("without rules: %q", out)
	}
	if out := hookOf(t, with, "UserPromptSubmit", big()); out != "" {
		t.Errorf("at another event: %q", out)
	}
}

// xs is a text without end.
type xs struct{}

func (xs) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestARuleAboutAPathHoldsWhereTheAgentTellsNoFolder(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files("proj/CLAUDE.md", aRule)})
	for _, in := range []string{
		`{"tool_name":"Write","tool_input":{"file_path":"migrations/1.sql"}}`,
		`{"tool_name":"Write","cwd":"sub","tool_input":{"file_path":"migrations/1.sql"}}`,
		`{"tool_name":"Bash","tool_input":{"command":"touch migrations/1.sql"}}`,
		`{"tool_name":"mcp__fs__move_file","tool_input":{"source":"migrations/1.sql","destination":"x"}}`,
		`{"tool_name":"mcp__sh__run","tool_input":{"command":["bash","-c","git push -f"]}}`,
	} {
		if out := hookOf(t, l, "PreToolUse", strings.NewReader(in)); !strings.Contains(out, `"deny"`) {
			t.Errorf("%s: %q", in, out)
		}
	}
}

func TestEachErrorIsOneObjectWithJSON(t *testing.T) {
	l := notesIn(t, "a.md", "The port is 5433.\n")
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"search", "--json"}, exitUsage, "search for what"},
		{[]string{"search", "--nope", "--json"}, exitUsage, "unknown flag: --nope"},
		{[]string{"search", "x", "--json", "--limit", "y"}, exitUsage, "whole number"},
		{[]string{"nope", "--json"}, exitUsage, "there is no command"},
		{[]string{"--json", "list", "--sort", "colour"}, exitUsage, "--sort"},
		{[]string{"show", "nope", "--json"}, exitFound, "no such note"},
		{[]string{"install", "emacs", "--json"}, exitUsage, "knows no agent"},
		{[]string{"guard", "test", "--json"}, exitUsage, ""},
		{[]string{"list", "--project", "/nowhere/at/all", "--json"}, exitFound, "no folder is there"},
	} {
		code, out, errs := run(l, tc.args...)
		var got failure
		dec := json.NewDecoder(strings.NewReader(out))
		if err := dec.Decode(&got); err != nil || dec.More() {
			t.Errorf("%v: no one object: %v\n%s", tc.args, err, out)
			continue
		}
		if code != tc.code || got.Error == "" || !strings.Contains(got.Error, tc.want) || len(got.Problems) != 1 || got.Problems[0].What != got.Error {
			t.Errorf("%v: exit %d, %+v", tc.args, code, got)
		}
		if !strings.Contains(errs, "dormouse: ") {
			t.Errorf("%v: nothing for people: %q", tc.args, errs)
		}
	}
	if code, out, errs := run(l, "mcp", "--json", "x"); code != exitUsage || out != "" || errs == "" {
		t.Errorf("mcp says it where the protocol stands: exit %d, %q", code, out)
	}
	if code, out, _ := run(l, "search", "a", "--limit", "0"); code != exitUsage || out != "" {
		t.Errorf("without --json: exit %d, %q", code, out)
	}
}

func TestAnAgentIsToldOfNoFlags(t *testing.T) {
	l := notesIn(t)
	d := deskOf(t, l)
	done := d.write(t, l, memory.New{Text: "The staging database listens on port 5433.\nThe release manager is Olena.\nInvoices round up at the end."})
	for _, said := range done.Said {
		if strings.Contains(said, "--") {
			t.Errorf("said %q", said)
		}
	}
	if len(done.Said) == 0 || !strings.Contains(strings.Join(done.Said, " "), "a note for each") {
		t.Errorf("said %q", done.Said)
	}
}

func TestSearchingAllProjectsGoesOnWhereMemoryIsOffHere(t *testing.T) {
	l := notesIn(t, "a.md", "The port is 5433.\n")
	if err := os.MkdirAll(filepath.Join(l.Cwd, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.Cwd, ".claude", "settings.local.json"), []byte(`{"autoMemoryEnabled":false}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(l, "search", "--all", "--json", "port")
	var got searchReport
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(errors.Join(err, errors.New(out+errs)))
	}
	if code != exitFound || len(got.Hits) != 0 || len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0], "memory is off here") {
		t.Errorf("exit %d, %+v", code, got)
	}
}
