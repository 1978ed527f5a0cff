package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/testkit"
)

func TestAnAutomaticDreamWaitsForItsTime(t *testing.T) {
	old, fresh := dreamDay.Add(-72*time.Hour), dreamDay.Add(-time.Hour)
	five := []time.Time{fresh, fresh, fresh, fresh, fresh}
	for _, tc := range []struct {
		name     string
		last     time.Duration // before now; 0: never
		sessions []time.Time
		conf     string
		ran      bool
		why      string
	}{
		{"never dreamt, and five sessions", 0, five, "", true, ""},
		{"never dreamt, and four sessions", 0, five[:4], "", false, "4 sessions newer"},
		{"a day ago, and five sessions since", 24 * time.Hour, five, "", true, ""},
		{"23 hours ago", 23*time.Hour + 59*time.Minute, five, "", false, "23 hours old"},
		{"two days ago, but the sessions are older", 48 * time.Hour, []time.Time{old, old, old, fresh, fresh}, "", false, "2 sessions newer"},
		{"more often by the configuration", 2 * time.Hour, five, "dream:\n  every: 90m\n", true, ""},
		{"with fewer sessions by the configuration", 0, five[:1], "dream:\n  sessions: 1\n", true, ""},
		{"rarer by the configuration", 48 * time.Hour, five, "dream:\n  every: 3d\n", false, "2 days old"},
		{"the last one comes from the future", -time.Hour, five, "", true, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := twoNotes(t)
			dreamConf(t, l, tc.conf)
			if tc.last != 0 {
				dreamt(t, l, idle, dreamDay.Add(-tc.last), "--no-sessions")
			}
			laySessions(t, l, tc.sessions...)
			before := tree(t, l.Root)
			code, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay, "--auto")
			if code != 0 || rep.Ran != tc.ran || !strings.Contains(rep.Reason, tc.why) {
				t.Fatalf("exit %d, ran %v: %q", code, rep.Ran, rep.Reason)
			}
			if !tc.ran {
				if after := tree(t, l.Root); after != before {
					t.Errorf("something was made:\n%s", after)
				}
				return
			}
			if rep.Status != "waiting" || !strings.Contains(readStore(t, l, "MEMORY.md"), "db.md") {
				t.Errorf("it does not wait for the person: %+v", rep)
			}
			if _, again := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay.Add(time.Minute), "--auto"); again.Ran && tc.conf == "" {
				t.Error("it ran twice")
			}
		})
	}
}

// dreamConf writes the person's configuration.
func dreamConf(t *testing.T, l *testkit.Layout, text string) {
	t.Helper()
	p := filepath.Join(l.Home, ".config/dormouse/config.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestAnAutomaticDreamRemembersThatNothingWouldChange(t *testing.T) {
	l := twoNotes(t)
	laySessions(t, l, slices.Repeat([]time.Time{dreamDay.Add(-time.Hour)}, 5)...)
	code, out, stderr := dreamBy(l, idle, dreamDay, "--auto")
	if code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "nothing would change") || stderr != "" {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	var list struct{ Dreams []dreamRow }
	jsonOf(t, l, &list, "dream", "list")
	_, rep := dreamt(t, l, idle, dreamDay.Add(time.Hour), "--auto")
	if len(list.Dreams) != 0 || rep.Ran || !strings.Contains(rep.Reason, "1 hour old") {
		t.Errorf("%d kept; %+v", len(list.Dreams), rep)
	}
}

func TestAnAutomaticDreamAppliesItselfOnlyOnRequest(t *testing.T) {
	l := twoNotes(t)
	dreamConf(t, l, "dream:\n  apply: true\n  sessions: 0\n")
	code, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay, "--auto")
	if code != 0 || rep.Status != "applied" || rep.Change == 0 || strings.Contains(readStore(t, l, "MEMORY.md"), "db.md") {
		t.Errorf("exit %d, %+v", code, rep)
	}
}

func TestANewerAutomaticDreamTakesThePlaceOfTheOlder(t *testing.T) {
	l := twoNotes(t)
	dreamConf(t, l, "dream:\n  every: 0h\n  sessions: 0\n")
	_, mine := dreamt(t, l, changing("db.md", "real", "true"), dreamDay)
	_, first := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay.Add(time.Hour), "--auto")
	_, second := dreamt(t, l, supersede("memory.md", "db.md"), dreamDay.Add(2*time.Hour), "--auto")
	var list struct{ Dreams []dreamRow }
	jsonOf(t, l, &list, "dream", "list")
	got := map[string]string{}
	for _, d := range list.Dreams {
		got[d.ID] = d.Status
	}
	if diff := cmp.Diff(map[string]string{mine.ID: "waiting", first.ID: "discarded", second.ID: "waiting"}, got); diff != "" {
		t.Error(diff)
	}
	if _, third := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay.Add(3*time.Hour), "--auto"); third.Status != "discarded" {
		t.Errorf("what was discarded is offered again: %+v", third)
	}
}

func TestDreamsAreSetInTheConfiguration(t *testing.T) {
	for _, tc := range []struct{ name, text, says string }{
		{"a span that is none", "dream:\n  every: often\n", `line 2: "every" is a span`},
		{"a span below nothing", "dream:\n  every: -1h\n", "is a span"},
		{"a number that is none", "dream:\n  sessions: some\n", "is a number of sessions"},
		{"a choice that is none", "dream:\n  apply: perhaps\n", "is true or false"},
		{"a key that nobody knows", "dream:\n  evry: 1h\n", "there are every, sessions and apply"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := twoNotes(t)
			dreamConf(t, l, tc.text)
			if code, _, stderr := dreamBy(l, idle, dreamDay, "--auto"); code != 1 || !strings.Contains(stderr, tc.says) {
				t.Errorf("exit %d, %s", code, stderr)
			}
		})
	}
}

// laySessions lays empty session logs of the project, as old as the times tell.
func laySessions(t *testing.T, l *testkit.Layout, times ...time.Time) {
	t.Helper()
	_, out, _ := run(l, "path", "transcripts")
	dir := strings.TrimSpace(out)
	if dir == "" {
		t.Fatal("no folder for transcripts")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, at := range times {
		p := filepath.Join(dir, fmt.Sprintf("s%03d.jsonl", i))
		if err := os.WriteFile(p, []byte(newLog(fmt.Sprintf("s%03d", i), "2026-11-01T10:00:00Z").person("hello").String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
}
