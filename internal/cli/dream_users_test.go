package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/dream"
	"dormouse/note"
	"dormouse/store"
	"dormouse/testkit"
	"dormouse/trust"
)

// needsEngine skips where package dream makes no dreams.
func needsEngine(t *testing.T) {
	t.Helper()
	if res, err := dream.Dream(context.Background(), dream.Input{}); res == nil && err == nil {
		t.Skip("package dream has no engine")
	}
}

// saidIn lays a note that extraction made of what the person said in a session.
func saidIn(t *testing.T, l *testkit.Layout, session, day, name, text string) {
	t.Helper()
	c := &common{io: ioOf(l)}
	c.out, c.host = &checked{w: c.io.Out}, defaultHost
	st, _, _, err := c.openToWrite()
	if err != nil {
		t.Fatal(err)
	}
	defer release(st)
	b := []byte(fmt.Sprintf("---\nname: %s\ndescription: %s\nmetadata:\n  type: feedback\n  originSessionId: %s\n  modified: %sT10:00:00Z\n---\n\n%s\n", name, text, session, day, text))
	by := store.By{Actor: store.Extract, Session: session, Origin: string(trust.UserTurn), From: []store.Source{{Session: session, Line: 3, Quote: text}}}
	if _, err := st.Add(by, store.New{File: name + ".md", Bytes: b, Line: note.Parse(b).Line(name + ".md")}, store.MakeRoom); err != nil {
		t.Fatal(err)
	}
}

func TestU15NearDuplicatesBecomeOneNoteAndTheDistractorStays(t *testing.T) {
	needsEngine(t)
	l := notesIn(t)
	saidIn(t, l, "s1", "2026-01-02", "no-full-suite", "Never run the full test suite locally.")
	saidIn(t, l, "s2", "2026-01-03", "not-all-tests", "Do not run all tests on this machine.")
	saidIn(t, l, "s3", "2026-01-04", "suite-no", "Full test suite locally: no.")
	saidIn(t, l, "s4", "2026-01-05", "ci-suite", "Run the full test suite in CI before merge.")
	before := bytesOf(t, l)
	if code, out, stderr := run(l, "dream", "--apply"); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	after := bytesOf(t, l)
	if after["ci-suite.md"] != before["ci-suite.md"] {
		t.Errorf("the distractor was touched:\n%s", after["ci-suite.md"])
	}
	var left []string
	for rel := range after {
		if rel != "ci-suite.md" && rel != store.IndexName {
			left = append(left, rel)
		}
	}
	if len(left) != 1 {
		t.Fatalf("of the three there are %v\n%s", left, ledgerOf(t, l))
	}
	if n := strings.Count(after[store.IndexName], "]("); n != 2 {
		t.Errorf("the index has %d lines for 2 notes:\n%s", n, after[store.IndexName])
	}
	_, why, _ := run(l, "why", left[0])
	for _, s := range []string{"s1", "s2", "s3"} {
		if !strings.Contains(why, "session "+s) {
			t.Errorf("it does not come from %s:\n%s", s, why)
		}
	}
	if code, _, stderr := run(l, "undo"); code != 0 {
		t.Fatal(stderr)
	}
	for rel, want := range before {
		if got := readStore(t, l, rel); got != want {
			t.Errorf("%s can't be had again: %q", rel, got)
		}
	}
}

func ledgerOf(t *testing.T, l *testkit.Layout) string {
	t.Helper()
	_, out, _ := run(l, "dream", "show", "--all")
	return out
}

func TestU16TheNewerRuleHoldsAndTheOlderComesBackByOneCommand(t *testing.T) {
	needsEngine(t)
	const older, newer = "Integration tests must use a real database.", "From now on use the in-memory DB for tests."
	lay := func(t *testing.T, second string) (*testkit.Layout, map[string]string) {
		l := notesIn(t)
		saidIn(t, l, "s1", "2026-01-10", "test-database", older)
		saidIn(t, l, "s2", second, "test-memory", newer)
		return l, bytesOf(t, l)
	}
	t.Run("the newer one alone is active", func(t *testing.T) {
		l, before := lay(t, "2026-03-02")
		if code, out, stderr := run(l, "dream", "--apply"); code != 0 {
			t.Fatalf("exit %d\n%s%s", code, out, stderr)
		}
		all := readAll(bytesOf(t, l))
		if strings.Contains(all, older) || !strings.Contains(all, newer) {
			t.Fatalf("active are\n%s\n%s", all, ledgerOf(t, l))
		}
		var rep showReport
		jsonOf(t, l, &rep, "dream", "show")
		i := slices.IndexFunc(rep.Archive, func(a dream.Archive) bool { return a.Of == "test-database.md" && a.Whole })
		if i < 0 {
			t.Fatalf("the archive has %+v\n%s", rep.Archive, ledgerOf(t, l))
		}
		if r := fateOf(rep.Ledger, older); r == nil || r.Fate != dream.Superseded || r.By == nil || r.By.Claim == "" {
			t.Errorf("what became of it: %+v", r)
		}
		if code, out, stderr := run(l, "dream", "restore", rep.ID, rep.Archive[i].Rel); code != 0 {
			t.Fatalf("exit %d\n%s%s", code, out, stderr)
		}
		back := bytesOf(t, l)
		if back["test-database.md"] != before["test-database.md"] || strings.Contains(readAll(back), newer) {
			t.Errorf("brought back, there are\n%s", readAll(back))
		}
	})
	t.Run("of one day there is no winner, and the conflict is told", func(t *testing.T) {
		l, before := lay(t, "2026-01-10")
		code, out, stderr := run(l, "dream", "--apply")
		if code != 0 || !strings.Contains(out, "conflicts that nobody decided") || !strings.Contains(out, older) || !strings.Contains(out, newer) || !strings.Contains(out, "2026-01-10") {
			t.Errorf("exit %d\n%s%s", code, out, stderr)
		}
		for _, rel := range []string{"test-database.md", "test-memory.md"} {
			if readStore(t, l, rel) != before[rel] {
				t.Errorf("%s was changed", rel)
			}
		}
	})
}

func readAll(files map[string]string) string {
	all := ""
	for _, text := range files {
		all += text
	}
	return all
}

func fateOf(rows []dream.Row, text string) *dream.Row {
	for i := range rows {
		if rows[i].Claim == text && rows[i].Field == "" {
			return &rows[i]
		}
	}
	return nil
}

func TestADreamBringsInWhatSessionsSaid(t *testing.T) {
	needsEngine(t)
	l := notesIn(t)
	saidIn(t, l, "s0", "2026-01-10", "branching", "Release branches are cut on Mondays.")
	_, dir, _ := run(l, "path", "transcripts")
	dir = strings.TrimSpace(dir)
	log := newLog("s1", "2026-11-20T10:00:00Z").person("Please remember: deploy only from main.").agent("Noted.")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "s1.jsonl"), []byte(log.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	var rep dreamReport
	if code := jsonOf(t, l, &rep, "dream"); code != 0 || len(rep.Sessions) != 1 || rep.Counts.Fates[dream.New] == 0 {
		t.Fatalf("exit %d, %+v", code, rep)
	}
	if strings.Contains(readAll(bytesOf(t, l)), "main") {
		t.Error("it is written before it is applied")
	}
	if code, out, stderr := run(l, "dream", "apply"); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	after := bytesOf(t, l)
	file := ""
	for rel, text := range after {
		if rel != store.IndexName && strings.Contains(strings.ToLower(text), "deploy only from main") {
			file = rel
		}
	}
	if file == "" || !strings.Contains(after[store.IndexName], file) {
		t.Fatalf("there are %v", after)
	}
	if _, why, _ := run(l, "why", file); !strings.Contains(why, "origin "+string(trust.UserTurn)) {
		t.Errorf("it comes from\n%s", why)
	}
	var past historyReport
	jsonOf(t, l, &past, "history", file)
	if from := past.Entries[0].Changes; len(from) == 0 || !slices.ContainsFunc(from, func(c store.Change) bool {
		return c.Path == file && len(c.From) > 0 && c.From[0].Session == "s1" && c.From[0].Quote != ""
	}) {
		t.Errorf("the journal says %+v", past.Entries)
	}
	if jsonOf(t, l, &rep, "dream"); rep.Changed || rep.Skipped != 1 || len(rep.Sessions) != 0 {
		t.Errorf("again: %+v", rep)
	}
}
