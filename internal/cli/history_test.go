package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/internal/term"
	"dormouse/store"
)

func TestADamagedJournalIsReportedAndTheRestShown(t *testing.T) {
	l := notesIn(t, "a.md", "A\n", "b.md", "B\n")
	for _, args := range [][]string{{"forget", "a"}, {"undo"}, {"forget", "b"}} {
		if code, _, stderr := run(l, args...); code != exitFine {
			t.Fatalf("dormouse %v: %s", args, stderr)
		}
	}
	n := 0
	err := filepath.WalkDir(filepath.Join(l.Home, ".local/state/dormouse"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), `"forget"`) {
			n++
			err = os.WriteFile(path, []byte(strings.Replace(string(b), `"forget"`, `"forged"`, 1)), 0o600)
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files damaged, %v", n, err)
	}
	code, out, stderr := run(l, "history")
	if code != exitFound || !strings.Contains(stderr, "journal") || !strings.Contains(out, "seen") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	var rep historyReport
	if code := jsonOf(t, l, &rep, "history"); code != exitFound || len(rep.Problems) == 0 || len(rep.Entries) == 0 {
		t.Errorf("exit %d, %+v", code, rep)
	}
}

func TestHistoryTellsTimesInUTCToPrograms(t *testing.T) {
	l := notesIn(t, "a.md", "A\n")
	run(l, "forget", "a")
	var rep historyReport
	jsonOf(t, l, &rep, "history")
	if len(rep.Entries) != 2 {
		t.Fatalf("%+v", rep)
	}
	for _, e := range rep.Entries {
		if e.Time.Location() != time.UTC || time.Since(e.Time) > time.Minute {
			t.Errorf("time %v", e.Time)
		}
	}
}

func TestAnEntryOnATerminalKeepsToItsWidth(t *testing.T) {
	e := store.Entry{ID: 12345, Actor: store.Agent, Session: "0123456789abcdef", Op: "remember", UndoneBy: 4}
	for i := range 30 {
		e.Changes = append(e.Changes, store.Change{Path: strings.Repeat("行", i) + ".md", After: "x"})
	}
	var b strings.Builder
	printEntry(&term.Out{Writer: &b, Width: 90}, e, "", 5, 14)
	line := strings.TrimSuffix(b.String(), "\n")
	if w := term.Width(line); w > 90 || !strings.Contains(line, "agent 01234567 ") || strings.Contains(line, "89abc") {
		t.Errorf("%d columns: %s", w, line)
	}
}

func TestTheFileThatWasAskedForComesFirst(t *testing.T) {
	e := store.Entry{Changes: []store.Change{{Path: "MEMORY.md", Before: "x", After: "y"}}}
	for _, r := range "abcdefghijklmnop" {
		e.Changes = append(e.Changes, store.Change{Path: string(r) + ".md", After: "x"})
	}
	want := "+p.md +a.md +b.md +c.md +d.md +e.md +f.md +g.md +h.md +i.md +j.md +k.md … 5 more"
	if got := filesOf(e, "p.md"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	e.Changes = e.Changes[:2]
	if got := filesOf(e, ""); got != "+a.md ~MEMORY.md" {
		t.Errorf("%s", got)
	}
}

func TestADiffOfHostileTextsIsDoneInTime(t *testing.T) {
	odd, even := strings.Repeat("a\nb\n", 250_000), strings.Repeat("b\nc\n", 250_000)
	start := time.Now()
	for _, pair := range [][2]string{{odd, even}, {"", odd}, {odd, odd[:len(odd)-2]}, {strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20)}} {
		d := diffContents("a.md", "~", content{label: "a", text: pair[0]}, content{label: "b", text: pair[1]})
		if d.Diff == "" {
			t.Error("no difference")
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestADiffGoesThroughPatch(t *testing.T) {
	from := content{text: "one\ntwo"}.labelled("a b.md", "before change 3")
	to := content{text: "one\nTWO\n"}.labelled("a b.md", "after change 3")
	want := "--- a b.md\tbefore change 3\n+++ a b.md\tafter change 3\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+TWO\n"
	if got := diffContents("a b.md", "~", from, to).Diff; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestADiffOnATerminalShowsWhatIsHidden(t *testing.T) {
	var b strings.Builder
	res := &diffReport{Files: []fileDiff{{File: "a.md", Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-x\r\n+--- y\x1b[2J\tz\u202e\n"}}}
	printDiff(&term.Out{Writer: &b, Color: true}, res, true)
	want := "\x1b[1m--- a\x1b[0m\n\x1b[1m+++ b\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n\x1b[31m-x\x1b[0m\n\x1b[32m+--- y\\u001b[2J\tz\\u202e\x1b[0m\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
}
