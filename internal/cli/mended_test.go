package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"dormouse/host"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
)

// shellEditor is an editor that runs a script with the draft as $1.
func shellEditor(t *testing.T, script string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ed.sh")
	if err := os.WriteFile(file, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return "sh " + file
}

func TestANoteThatVanishedInTheEditorComesBackByTheWayThatIsNamed(t *testing.T) {
	const text = "---\nname: a\ndescription: what a is\n---\n\nold\n"
	for _, tc := range []struct{ name, change, want string }{
		{"a changed draft", "sed -i s/old/mine/ \"$1\"; ", "mine"},
		{"an unchanged draft", "", "old"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := notesIn(t, "a.md", text, "MEMORY.md", "- [a](a.md) — what a is\n")
			l.Env["EDITOR"] = shellEditor(t, tc.change+"rm "+inStore(l, "a.md"))
			code, out, stderr := run(l, "edit", "a")
			if code != exitFound || !strings.Contains(stderr, "a.md is gone") || out != "" {
				t.Fatalf("exit %d\n%s%s", code, out, stderr)
			}
			_, rest, _ := strings.Cut(stderr, "your text is kept in ")
			draft, _, _ := strings.Cut(rest, ";")
			if b, err := os.ReadFile(draft); err != nil || !strings.Contains(string(b), tc.want) {
				t.Fatalf("kept in %q: %q, %v", draft, b, err)
			}
			if !strings.Contains(stderr, "dormouse history a.md") || !strings.Contains(stderr, "dormouse undo ID") {
				t.Fatalf("no way back in %q", stderr)
			}
			var h historyReport
			jsonOf(t, l, &h, "history", "a.md")
			if len(h.Entries) == 0 || h.Entries[0].Changes[0].After != "" {
				t.Fatalf("the change is not in the history: %+v", h.Entries)
			}
			if code, _, stderr := run(l, "undo", fmt.Sprint(h.Entries[0].ID)); code != exitFine {
				t.Fatal(stderr)
			}
			if code, _, stderr := run(l, "edit", "a", "--from", draft); code != exitFine {
				t.Fatal(stderr)
			}
			if got := readStore(t, l, "a.md"); !strings.Contains(got, tc.want) {
				t.Errorf("the note is %q", got)
			}
		})
	}
}

func TestWhatAnEditorPrintsIsNotInTheJSON(t *testing.T) {
	l := notesIn(t, "a.md", "one\n")
	l.Env["EDITOR"] = shellEditor(t, "echo chatter; echo two > \"$1\"")
	code, out, stderr := run(l, "edit", "a", "--json")
	var rep doneReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil || code != exitFine || !strings.Contains(stderr, "chatter") {
		t.Errorf("exit %d, %v\n%s%s", code, err, out, stderr)
	}
}

func TestJoinedErrorsAreToldInOneLine(t *testing.T) {
	a, b := errors.New("one"), errors.New("two\nlines")
	for _, tc := range []struct {
		err  error
		want string
	}{
		{errors.Join(a, a), "one; one"},
		{fmt.Errorf("x: %w", errors.Join(a, errors.Join(a, a))), "x: one; one; one"},
		{b, "two\nlines"}, // is no join: what stands there is shown as it is
		{fmt.Errorf("%w and %w", a, errors.Join(a, a)), "one and one; one"},
	} {
		if got := oneLine(tc.err); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestCommandsInATextGetTheFlagsOnce(t *testing.T) {
	c := &common{host: "codex", store: "my notes"}
	for in, want := range map[string]string{
		"99: no change; dormouse history lists them":          "99: no change; dormouse history --host codex --store 'my notes' lists them",
		"another dormouse writes, and does not end":           "another dormouse writes, and does not end",
		"first " + c.command("undo 1") + ", or dormouse undo": "first dormouse undo 1 --host codex --store 'my notes', or dormouse undo --host codex --store 'my notes'",
		"dormouse on --local":                                 "dormouse on --host codex --local",
		"in ~/src/dormouse edit":                              "in ~/src/dormouse edit",
		"dormouse ":                                           "dormouse ",
		"":                                                    "",
	} {
		if got := c.hinted(in); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", in, got, want)
		}
	}
	if got := (&common{host: defaultHost}).hinted("dormouse undo"); got != "dormouse undo" {
		t.Errorf("without flags: %q", got)
	}
}

func TestANoteStaysBelowTheLimitWithItsFrontMatter(t *testing.T) {
	l := notesIn(t, "a.md", "A\n")
	text := strings.Repeat("word ", note.MaxBytes/5)
	for _, args := range [][]string{{"remember", "-"}, {"remember", "--dry-run", "-"}} {
		code, out, stderr := runIn(l, text, args...)
		if code != exitFound || !strings.Contains(stderr, "with its front matter the note would have 1048") || !strings.Contains(stderr, "too many") {
			t.Errorf("dormouse %v: exit %d\n%.200s\n%s", args, code, out, stderr)
		}
	}
	if code, _, stderr := runIn(l, text[:note.MaxBytes-1000], "remember", "--name", "big", "-"); code != exitFine {
		t.Errorf("just under the limit: exit %d, %s", code, stderr)
	}
}

func TestADryRunOfAReplacementShowsTheNewDescription(t *testing.T) {
	l := notesIn(t, "a.md", "---\nname: a\ndescription: Staging is heron\n---\n\nStaging is heron.\n", "MEMORY.md", "- [a](a.md) — Staging is heron\n")
	code, out, stderr := run(l, "remember", "--update", "a", "--replace", "--dry-run", "Staging is called crane.")
	if code != exitFine || !strings.Contains(out, "with the description: Staging is called crane") || !strings.Contains(out, "and in MEMORY.md: - [a](a.md) — Staging is called crane") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	if got := readStore(t, l, "MEMORY.md"); !strings.Contains(got, "heron") {
		t.Errorf("the index is %q", got)
	}
}

func TestAParagraphIsAddedToANoteThatChangesAllTheTime(t *testing.T) {
	for _, tc := range []struct {
		name    string
		changes int // how often another program is faster
		replace bool
		taken   bool
	}{
		{"a note that changes four times", 4, false, true},
		{"a note that never rests", 100, false, false},
		{"a replacement, which does not know the new text", 1, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// The time in the note is what both change.
			at := func(n int) string {
				return fmt.Sprintf("---\nname: a\nmetadata:\n  modified: 2026-01-01T00:00:%02d.000Z\n---\n\nround %d\n", n%60, n)
			}
			l := notesIn(t, "a.md", at(0))
			n := 0
			o := &rememberOptions{common: &common{io: ioOf(l), host: defaultHost}, update: "a", replace: tc.replace}
			o.meanwhile = func() {
				if n++; n <= tc.changes {
					if err := os.WriteFile(inStore(l, "a.md"), []byte(at(n)), 0o600); err != nil {
						t.Error(err)
					}
				}
			}
			p, err := o.open()
			if err != nil {
				t.Fatal(err)
			}
			defer release(p.st)
			_, err = o.updateNote(p, "A further fact.")
			got := readStore(t, l, "a.md")
			if tc.taken && (err != nil || !strings.HasSuffix(got, "round 4\n\nA further fact.\n")) {
				t.Errorf("%v, the note is %q", err, got)
			}
			if !tc.taken && (!errors.Is(err, store.ErrConflict) || strings.Contains(got, "further")) {
				t.Errorf("%v, the note is %q", err, got)
			}
		})
	}
}

func TestTheVersionIsThatOfTheModuleElseTheRevision(t *testing.T) {
	setting := func(k, v string) debug.BuildSetting { return debug.BuildSetting{Key: k, Value: v} }
	for _, tc := range []struct {
		info    debug.BuildInfo
		want    string
		changed bool
	}{
		{debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3", false},
		{debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{setting("vcs.revision", "0123456789abcdef"), setting("vcs.modified", "true")}}, "devel 0123456789ab", true},
		{debug.BuildInfo{}, "devel", false},
	} {
		if got, changed := builtFrom(&tc.info); got != tc.want || changed != tc.changed {
			t.Errorf("%q, %v, want %q", got, changed, tc.want)
		}
	}
}

func TestADamagedJournalIsWarnedOf(t *testing.T) {
	l := notesIn(t, "a.md", "one\n")
	for _, text := range []string{"two\n", "three\n"} {
		if code, _, stderr := runFed(l, text, "edit", "a", "--from", "-"); code != exitFine {
			t.Fatal(stderr)
		}
	}
	logs, err := filepath.Glob(filepath.Join(l.Root, "home/.local/state/dormouse/stores/*/journal.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%d journals, %v", len(logs), err)
	}
	b, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(logs[0], []byte(strings.Replace(string(b), `"human"`, `"agent"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"undo"}, {"undo", "2"}} {
		code, out, stderr := run(l, args...)
		if n := strings.Count(stderr, "dormouse: warning: "+store.ErrBroken.Error()); code != exitFine || n != 1 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("dormouse %v: exit %d, %d warnings:\n%s%s", args, code, n, out, stderr)
		}
	}
}

func TestTheDemoIsShort(t *testing.T) {
	var out strings.Builder
	streams := ioOf(notesIn(t))
	streams.Out, streams.Err = &out, &out
	if code := Main([]string{"demo"}, streams); code != exitFine {
		t.Fatalf("exit %d\n%s", code, out.String())
	}
	const most = 150
	if n := strings.Count(out.String(), "\n"); n > most {
		t.Errorf("the demo prints %d lines, more than %d", n, most)
	}
}

// switchable is a host of which only some scopes' settings have an effect.
type switchable struct {
	host.Host
	works []startup.Scope
}

func (h switchable) SwitchMemory(_ host.Session, scope startup.Scope, _ bool) (*host.SettingChange, error) {
	if slices.Contains(h.works, scope) {
		return &host.SettingChange{}, nil
	}
	return &host.SettingChange{Void: "a stronger one"}, nil
}

func TestTheWayOnIsACommandThatHasAnEffect(t *testing.T) {
	by := &startup.Decision{By: "autoMemoryEnabled", Value: "false", File: "/etc/policy.json", Line: 3}
	const none = "change autoMemoryEnabled in /etc/policy.json:3, which no setting of yours beats"
	for _, tc := range []struct {
		name  string
		works []startup.Scope
		first startup.Scope
		want  string
	}{
		{"the scope that decided", []startup.Scope{startup.User, startup.Local}, "", "dormouse on"},
		{"one that is stronger", []startup.Scope{startup.Local}, "", "dormouse on --local"},
		{"the project's", []startup.Scope{startup.Project}, startup.Project, "dormouse on --project"},
		{"a policy", nil, "", none},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := (&common{host: defaultHost}).wayOn(switchable{works: tc.works}, host.Session{}, by, tc.first); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}
