package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/doctor"
	"dormouse/testkit"
)

// The scenarios that users reported, by their numbers, as doctor tells them.

// doctorOf runs dormouse doctor --json.
func doctorOf(t *testing.T, l *testkit.Layout, args ...string) (int, *doctor.Report) {
	t.Helper()
	l.Env["PATH"] = os.Getenv("PATH") // for git
	code, out, stderr := run(l, append([]string{"doctor", "--json"}, args...)...)
	rep := &doctor.Report{}
	if err := json.Unmarshal([]byte(out), rep); err != nil {
		t.Fatalf("no JSON: %v\n%s%s", err, out, stderr)
	}
	return code, rep
}

// ofRule are the findings of one rule, as "file:line" of its place.
func ofRule(rep *doctor.Report, rule string) []doctor.Finding {
	var out []doctor.Finding
	for _, f := range rep.Findings {
		if f.Rule == rule {
			out = append(out, f)
		}
	}
	return out
}

func placesOf(list []doctor.Finding) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s:%d", filepath.Base(f.Place.Path), f.Place.Line))
	}
	return out
}

func wantPlaces(t *testing.T, rep *doctor.Report, rule string, want ...string) {
	t.Helper()
	got := placesOf(ofRule(rep, rule))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s at %v, want %v", rule, got, want)
	}
}

// aNote is a note as the client writes one.
func aNote(name, kind, description, body string, modified time.Time) string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\nmetadata:\n  node_type: memory\n  type: %s\n  modified: %s\n---\n\n%s\n",
		name, description, kind, modified.UTC().Format("2006-01-02T15:04:05.000Z"), body)
}

func daysBack(n int) time.Time { return time.Now().AddDate(0, 0, -n) }

func TestDoctorU01NamesEveryLineThatIsCut(t *testing.T) {
	c := &testkit.Case{Files: files()}
	var index strings.Builder
	for i := 1; i <= 238; i++ {
		hook := fmt.Sprintf("hook %03d", i)
		if i == 238 {
			hook = "after compaction, re-run the checklist"
		}
		fmt.Fprintf(&index, "- [Note %03d](n%03d.md) - %s\n", i, i, hook)
		c.Files.Set(fmt.Sprintf("@mem(proj)/n%03d.md", i), fmt.Sprintf("x%d\n", i))
	}
	c.Files.Set("@mem(proj)/MEMORY.md", index.String())
	l := layCase(t, c)
	code, rep := doctorOf(t, l)
	found := ofRule(rep, "index-cut")
	if code != 1 || len(found) != 1 || found[0].Severity != doctor.Error || found[0].Place.Line != 201 {
		t.Fatalf("exit %d, found %+v", code, found)
	}
	named := strings.Join(found[0].Evidence, "\n")
	for i := 201; i <= 238; i++ {
		if !strings.Contains(named, fmt.Sprintf("(n%03d.md)", i)) {
			t.Errorf("n%03d.md is not named", i)
		}
	}
	if !strings.Contains(found[0].Message, "200 of 238 lines load, and 38 do not") || !strings.Contains(named, "re-run the checklist") {
		t.Errorf("%s\n%s", found[0].Message, named)
	}
	if got, _ := os.ReadFile(rep.Store + "/MEMORY.md"); string(got) != index.String() {
		t.Error("the index on disk changed")
	}
}

func TestDoctorU02SaysWhichLimitCuts(t *testing.T) {
	line := func(i, n int) string {
		s := fmt.Sprintf("- [n%03d](n%03d.md) ", i, i)
		return s + strings.Repeat("x", n-len(s)-1) + "\n"
	}
	index := func(lines, size int) *testkit.Case {
		var b strings.Builder
		c := &testkit.Case{Files: files()}
		for i := range lines {
			b.WriteString(line(i, size))
			c.Files.Set(fmt.Sprintf("@mem(proj)/n%03d.md", i), fmt.Sprintf("About matter %d.\n", i))
		}
		c.Files.Set("@mem(proj)/MEMORY.md", b.String())
		return c
	}
	_, rep := doctorOf(t, layCase(t, index(150, 200)))
	found := ofRule(rep, "index-cut")
	if len(found) != 1 || !strings.Contains(found[0].Message, "25000 characters") || strings.Contains(found[0].Message, "200 lines") || found[0].Place.Line != 126 {
		t.Errorf("found %+v", found)
	}
	_, rep = doctorOf(t, layCase(t, index(179, 100)))
	if found := ofRule(rep, "index-cut"); len(found) > 0 {
		t.Errorf("17,900 characters: %+v", found)
	}
}

func TestDoctorU03IndexAndFolder(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files(
		"@mem(proj)/MEMORY.md", "- [a](a.md) — A\n- [b](b.md) — B\n- [out](../../outside.md) — out\n",
		"@mem(proj)/a.md", aNote("a", "project", "prices are in cents", "Prices are in cents.", daysBack(1)),
		"@mem(proj)/c.md", aNote("c", "project", "the queue keeps its order", "The queue keeps its order.", daysBack(1)),
		"@mem(proj)/notes.txt", "not a note\n")})
	_, rep := doctorOf(t, l)
	wantPlaces(t, rep, "index-dangling", "MEMORY.md:2")
	wantPlaces(t, rep, "index-escapes", "MEMORY.md:3")
	wantPlaces(t, rep, "note-not-indexed", "c.md:0")
	wantPlaces(t, rep, "not-a-note", "notes.txt:0")
	if code, out, stderr := run(l, "doctor", "--fix"); !strings.Contains(out, "+- [c](c.md) — the queue keeps its order") {
		t.Errorf("exit %d, printed\n%s%s", code, out, stderr)
	}
	index, _ := os.ReadFile(rep.Store + "/MEMORY.md")
	if want := "- [a](a.md) — A\n- [b](b.md) — B (missing: there is no such note)\n- [out](../../outside.md) — out\n- [c](c.md) — the queue keeps its order\n"; string(index) != want {
		t.Errorf("index\n%s", index)
	}
	run(l, "doctor", "--fix")
	if again, _ := os.ReadFile(rep.Store + "/MEMORY.md"); string(again) != string(index) {
		t.Errorf("a second run changed it:\n%s", again)
	}
	run(l, "undo")
	if back, _ := os.ReadFile(rep.Store + "/MEMORY.md"); strings.Contains(string(back), "missing:") {
		t.Errorf("undo left\n%s", back)
	}
}

func TestDoctorU04AndU07NamesThatCollide(t *testing.T) {
	for _, pair := range [][2]string{{"a/b", "a-b"}, {"проект", "привет"}} {
		l := layCase(t, &testkit.Case{
			Files: files(pair[1]+"/f", "1", pair[0]+"/f", "2", "@mem("+pair[0]+")/MEMORY.md", "- [X](x.md) — whose?\n", "@mem("+pair[0]+")/x.md", "Whose?\n"),
			Setup: []string{"git init -q " + pair[0] + " && git init -q " + pair[1]}, Cwd: pair[0],
		})
		_, rep := doctorOf(t, l)
		found := ofRule(rep, "store-shared")
		if len(found) != 1 || !strings.Contains(found[0].Message, filepath.Join(l.Root, pair[1])) || !strings.Contains(found[0].Message, filepath.Join(l.Root, pair[0])) {
			t.Errorf("%v: %+v", pair, found)
		}
	}
}

func TestDoctorU08AStoreUnderTheNameOfALinkIsOfferedForAMerge(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("real/app/f", "1", "@mem(app-link)/old.md", aNote("old", "project", "lost", "Lost in the old folder.", daysBack(1)),
			"@mem(real/app)/MEMORY.md", "- [x](x.md) — y\n", "@mem(real/app)/x.md", "The x.\n"),
		Setup: []string{"git init -q real/app && ln -s real/app app-link"}, Cwd: "real/app",
	})
	l.Cwd = l.Root + "/app-link"
	_, rep := doctorOf(t, l)
	found := ofRule(rep, "store-unread")
	if len(found) != 1 || !strings.Contains(found[0].Message, "-app-link/memory") || found[0].Fix == nil {
		t.Fatalf("found %+v", found)
	}
	if code, out, stderr := run(l, "doctor", "--fix="+found[0].ID); !strings.Contains(out, "old.md") {
		t.Fatalf("exit %d, printed\n%s%s", code, out, stderr)
	}
	if b, err := os.ReadFile(rep.Store + "/old.md"); err != nil || !strings.Contains(string(b), "Lost in the old folder.") {
		t.Errorf("%v %s", err, b)
	}
	if _, err := os.Stat(l.Root + "/" + l.Expand("@mem(app-link)") + "/old.md"); err != nil {
		t.Errorf("the source was touched: %v", err)
	}
	_, rep = doctorOf(t, l)
	if found := ofRule(rep, "store-unread"); len(found) > 0 {
		t.Errorf("still told after the merge: %+v", found)
	}
}

func TestDoctorU13TheInstructionsComeFirst(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files(
		"proj/CLAUDE.md", "# Project\n\nUse npm for installs.\n",
		"@mem(proj)/MEMORY.md", "- [pnpm](pnpm.md) — pnpm\n- [cache](cache.md) — cache\n",
		"@mem(proj)/pnpm.md", aNote("pnpm", "feedback", "which package manager", "Always use pnpm.", daysBack(3)),
		"@mem(proj)/cache.md", aNote("cache", "project", "the CI cache", "CI cache key must include the npm version.", daysBack(3)))})
	_, rep := doctorOf(t, l)
	found := append(ofRule(rep, "conflict-instructions"), ofRule(rep, "conflict-notes")...)
	if len(found) != 1 || filepath.Base(found[0].Place.Path) != "pnpm.md" || found[0].Place.Line != 10 {
		t.Fatalf("found %+v", found)
	}
	if r := found[0].Related; len(r) != 1 || filepath.Base(r[0].Path) != "CLAUDE.md" || r[0].Line != 3 {
		t.Errorf("related %+v", r)
	}
	if !strings.Contains(strings.Join(found[0].Evidence, " "), "come first") {
		t.Errorf("precedence is not said: %v", found[0].Evidence)
	}
	if f := found[0].Fix; f == nil || f.Safe || f.Applies {
		t.Errorf("a conflict is for a person: %+v", f)
	}
}

func TestDoctorU14StaleByEvidence(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files(
			"proj/go.mod", "module m\n", "proj/src/main.go", "package main\n", "proj/src/old/auth.go", "package old\n",
			"@mem(proj)/MEMORY.md", "- [1](one.md) — 1\n- [2](two.md) — 2\n- [3](three.md) — 3\n- [4](four.md) — 4\n",
			"@mem(proj)/one.md", aNote("one", "project", "where logins are", "Logins are checked in `src/old/auth.go`.", daysBack(95)),
			"@mem(proj)/two.md", aNote("two", "project", "dependencies", "Dependencies stand in `go.mod`.", daysBack(95)),
			"@mem(proj)/three.md", aNote("three", "project", "the release", "Release pending.", daysBack(2)),
			"@mem(proj)/four.md", aNote("four", "feedback", "answers", "Prefers short answers.", daysBack(400))),
		Setup: []string{"cd proj && git add . && git commit -qm one && git rm -q src/old/auth.go && git commit -qm 'drop the old auth'"},
	})
	_, rep := doctorOf(t, l)
	wantPlaces(t, rep, "stale-path", "one.md:10")
	wantPlaces(t, rep, "time-bound", "three.md:10")
	wantPlaces(t, rep, "old-note", "one.md:0", "two.md:0")
	for _, f := range rep.Findings {
		if filepath.Base(f.Place.Path) == "four.md" {
			t.Errorf("a preference does not grow stale: %+v", f)
		}
	}
	if len(rep.Ages) == 0 || filepath.Base(rep.Ages[0].Path) != "four.md" || rep.Ages[0].Days != 400 || rep.Ages[0].By != "recorded" {
		t.Errorf("ages %+v", rep.Ages)
	}
	if f := ofRule(rep, "stale-path"); len(f) == 1 && !strings.Contains(strings.Join(f[0].Evidence, " "), "drop the old auth") {
		t.Errorf("the commit is not named: %v", f[0].Evidence)
	}
}

func TestDoctorU15NearDuplicatesAndTheirDistractor(t *testing.T) {
	rule := func(name, body string) string { return aNote(name, "feedback", name, body, daysBack(1)) }
	l := layCase(t, &testkit.Case{Files: files(
		"@mem(proj)/MEMORY.md", "- [s1](s1.md) — 1\n- [s2](s2.md) — 2\n- [s3](s3.md) — 3\n- [ci](ci.md) — 4\n",
		"@mem(proj)/s1.md", rule("s1", "never run the full test suite locally"),
		"@mem(proj)/s2.md", rule("s2", "do not run all tests on this machine"),
		"@mem(proj)/s3.md", rule("s3", "full test suite locally: no"),
		"@mem(proj)/ci.md", rule("ci", "run the full test suite in CI before merge"))})
	_, rep := doctorOf(t, l)
	linked := map[string]bool{}
	for _, f := range append(ofRule(rep, "duplicate-near"), ofRule(rep, "duplicate-exact")...) {
		names := []string{filepath.Base(f.Place.Path)}
		for _, r := range f.Related {
			names = append(names, filepath.Base(r.Path))
		}
		for _, n := range names {
			linked[n] = true
		}
	}
	for name, want := range map[string]bool{"s1.md": true, "s2.md": true, "s3.md": true, "ci.md": false} {
		if linked[name] != want {
			t.Errorf("%s is in a group of duplicates: %v", name, linked[name])
		}
	}
	if found := append(ofRule(rep, "conflict-notes"), ofRule(rep, "conflict-instructions")...); len(found) > 0 {
		t.Errorf("what holds in CI is no conflict: %+v", found)
	}
}

func TestDoctorExplainsACleanBill(t *testing.T) {
	l := layCase(t, &testkit.Case{Files: files(
		"proj/CLAUDE.md", "# Project\n\nPrices are integers in cents.\n",
		"@mem(proj)/MEMORY.md", "- [order](order.md) — the queue keeps its order\n",
		"@mem(proj)/order.md", aNote("order", "project", "the queue keeps its order", "The queue keeps its order, as billing relies on it.", daysBack(1)))})
	code, out, stderr := run(l, "doctor")
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	for _, want := range []string{fmt.Sprint(len(doctor.Rules()), " rules"), "1 note", "1 index line", "1 instruction file"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said:\n%s", want, out)
		}
	}
}
