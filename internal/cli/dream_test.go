package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/dream"
	"dormouse/note"
	"dormouse/store"
	"dormouse/testkit"
	"dormouse/trust"
)

// dreamDay is when these tests dream.
var dreamDay = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// dreamBy runs dormouse dream with an engine of the test's own.
func dreamBy(l *testkit.Layout, by dreamer, now time.Time, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	streams := ioOf(l)
	streams.Out, streams.Err, streams.Now = &out, &errs, func() time.Time { return now }
	c := &common{io: streams, out: &checked{w: &out}}
	code = runDreamBy(c, by, args)
	return code, out.String(), errs.String()
}

func runDreamBy(c *common, by dreamer, args []string) int {
	root := newRoot(c, []string{"version"})
	root.AddCommand(newDreamBy(c, by))
	root.SetArgs(append([]string{"dream"}, args...))
	switch err := root.Execute(); {
	case err == nil:
		return exitFine
	case errors.Is(err, errFound):
		return exitFound
	default:
		return c.report(err)
	}
}

// dreamt is its report.
func dreamt(t *testing.T, l *testkit.Layout, by dreamer, now time.Time, args ...string) (int, dreamReport) {
	t.Helper()
	code, out, stderr := dreamBy(l, by, now, append(args, "--json")...)
	var rep dreamReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("dream %v: exit %d, no JSON: %v\n%s%s", args, code, err, out, stderr)
	}
	return code, rep
}

// asItIs is a dream that changes nothing.
func asItIs(in *dream.Input) *dream.Result {
	res := &dream.Result{Counts: dream.Counts{Fates: map[dream.Fate]int{}}}
	for _, n := range in.Notes {
		res.Files = append(res.Files, dream.File{Rel: n.Rel, Bytes: n.Bytes, Origin: n.Origin, Of: []string{n.Rel}})
		res.Rows = append(res.Rows, dream.Row{ID: n.Rel, File: n.Rel, Line: 1, Claim: said(n.Bytes), Fate: dream.Kept, To: n.Rel, ToLine: 1})
	}
	for rel, b := range in.Lists {
		res.Files = append(res.Files, dream.File{Rel: rel, Bytes: b, List: true})
	}
	slices.SortFunc(res.Files, func(a, b dream.File) int { return strings.Compare(a.Rel, b.Rel) })
	return counted(in, res)
}

func said(b []byte) string { return strings.TrimSpace(string(note.Parse(b).Body())) }

func counted(in *dream.Input, res *dream.Result) *dream.Result {
	c := &res.Counts
	c.Notes, c.Claims, c.After = len(in.Notes), len(res.Rows), 0
	clear(c.Fates)
	for _, f := range res.Files {
		if !f.List {
			c.After++
		}
	}
	for _, r := range res.Rows {
		c.Fates[r.Fate]++
	}
	return res
}

func idle(_ context.Context, in dream.Input) (*dream.Result, error) { return asItIs(&in), nil }

// supersede is a dream in which one note takes the place of another, whose line
// leaves the index.
func supersede(loser, winner string) dreamer {
	return func(_ context.Context, in dream.Input) (*dream.Result, error) {
		res := asItIs(&in)
		at := func(rel string) int {
			return slices.IndexFunc(in.Notes, func(n dream.Note) bool { return n.Rel == rel })
		}
		if at(loser) < 0 || at(winner) < 0 {
			return res, nil
		}
		old := in.Notes[at(loser)]
		marked, err := note.Parse(old.Bytes).Set("invalid_at", "2026-03-02")
		if err != nil {
			return nil, err
		}
		res.Archive = []dream.Archive{{Rel: loser, Bytes: marked, Of: loser, Whole: true}}
		res.Files = slices.DeleteFunc(res.Files, func(f dream.File) bool { return f.Rel == loser })
		for i := range res.Files {
			if f := &res.Files[i]; f.Rel == store.IndexName {
				if f.Bytes, err = note.ReadIndex(f.Bytes).Remove(loser); err != nil {
					return nil, err
				}
			}
		}
		for i := range res.Rows {
			if r := &res.Rows[i]; r.File == loser {
				r.Fate, r.Gone, r.Why = dream.Superseded, true, "it was said later"
				r.By = &dream.Place{File: winner, Line: 1, Claim: said(in.Notes[at(winner)].Bytes)}
			}
		}
		return counted(&in, res), nil
	}
}

// changing is a dream that rewrites a note.
func changing(rel, from, to string) dreamer {
	return func(_ context.Context, in dream.Input) (*dream.Result, error) {
		res := asItIs(&in)
		for i := range res.Files {
			if f := &res.Files[i]; f.Rel == rel {
				f.Bytes = bytes.Replace(f.Bytes, []byte(from), []byte(to), 1)
			}
		}
		return res, nil
	}
}

const twoIndex = "# Notes\n\n- [db](db.md) — the tests use a real database\n- [memory](memory.md) — the tests use the in-memory one\n"

func twoNotes(t *testing.T) *testkit.Layout {
	t.Helper()
	return notesIn(t,
		"db.md", "---\nname: db\ndescription: the tests use a real database\nmetadata:\n  type: feedback\n  modified: 2026-01-10T10:00:00Z\n---\n\nIntegration tests use a real database.\n",
		"memory.md", "---\nname: memory\ndescription: the tests use the in-memory one\nmetadata:\n  type: feedback\n  modified: 2026-03-02T10:00:00Z\n---\n\nIntegration tests use the in-memory database.\n",
		"MEMORY.md", twoIndex)
}

// bytesOf are the files of the memory folder.
func bytesOf(t *testing.T, l *testkit.Layout) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := inStore(l, "")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestADreamLeavesTheNotesAsTheyAreUntilItIsApplied(t *testing.T) {
	l := twoNotes(t)
	before := bytesOf(t, l)
	code, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay)
	if code != 0 || rep.Status != "waiting" || !rep.Changed || len(rep.Files) != 2 {
		t.Fatalf("exit %d, %+v", code, rep)
	}
	if diff := cmp.Diff(before, bytesOf(t, l)); diff != "" {
		t.Fatalf("the notes changed:\n%s", diff)
	}
	if code, out, stderr := run(l, "dream", "apply"); code != 0 || !strings.Contains(out, "as change") || !strings.Contains(out, "dormouse undo") {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	after := bytesOf(t, l)
	if _, there := after["db.md"]; there || strings.Contains(after["MEMORY.md"], "db.md") {
		t.Fatalf("it was not applied: %v", after)
	}
	if code, out, stderr := run(l, "undo"); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	if diff := cmp.Diff(before, bytesOf(t, l)); diff != "" {
		t.Errorf("undo does not give the bytes of before:\n%s", diff)
	}
	if _, out, _ := run(l, "dream", "list"); !strings.Contains(out, "taken back") {
		t.Errorf("the list says\n%s", out)
	}
}

func TestTheSameDreamIsNotKeptTwice(t *testing.T) {
	l := twoNotes(t)
	_, first := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay)
	_, second := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay.Add(time.Hour))
	var list struct{ Dreams []dreamRow }
	jsonOf(t, l, &list, "dream", "list")
	if first.ID == "" || first.ID != second.ID || len(list.Dreams) != 1 || len(second.Said) != 1 {
		t.Errorf("%q, %q, %d kept, said %q", first.ID, second.ID, len(list.Dreams), second.Said)
	}
}

func TestADryRunAndWhatFailsKeepNothing(t *testing.T) {
	failing := func(context.Context, dream.Input) (*dream.Result, error) { return nil, errors.New("no sleep") }
	for _, tc := range []struct {
		name string
		by   dreamer
		args []string
		code int
		says string
	}{
		{"a dry run", supersede("db.md", "memory.md"), []string{"--dry-run"}, 0, "nothing was written"},
		{"a dry run with a failing engine", failing, []string{"--dry-run"}, 1, "no sleep"},
		{"a session that is not there", idle, []string{"nobody"}, 1, "nobody"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := twoNotes(t)
			before := tree(t, l.Root)
			code, out, stderr := dreamBy(l, tc.by, dreamDay, tc.args...)
			if code != tc.code || !strings.Contains(out+stderr, tc.says) {
				t.Errorf("exit %d\n%s%s", code, out, stderr)
			}
			if after := tree(t, l.Root); after != before {
				t.Errorf("something was made:\n%s", after)
			}
		})
	}
}

func TestTooManySessionsAreRefusedBeforeAnythingRuns(t *testing.T) {
	l := twoNotes(t)
	laySessions(t, l, slices.Repeat([]time.Time{dreamDay}, dream.MaxSessions+1)...)
	before := tree(t, l.Root)
	never := func(context.Context, dream.Input) (*dream.Result, error) {
		t.Error("it dreamt")
		return nil, errors.New("never")
	}
	code, _, stderr := dreamBy(l, never, dreamDay)
	if code != 1 || !strings.Contains(stderr, "101 sessions") || !strings.Contains(stderr, "--no-sessions") || !strings.Contains(stderr, "--since") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("something was made:\n%s", after)
	}
	if code, rep := dreamt(t, l, idle, dreamDay, "--no-sessions"); code != 0 || len(rep.Sessions) != 0 {
		t.Errorf("without them: exit %d, %+v", code, rep)
	}
}

func TestOffMeansNoDream(t *testing.T) {
	l := twoNotes(t)
	if err := os.WriteFile(filepath.Join(l.Home, ".claude/settings.json"), []byte(`{"autoMemoryEnabled": false}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before := tree(t, l.Root)
	for _, args := range [][]string{{}, {"--dry-run"}, {"list"}, {"show"}, {"diff"}, {"apply"}, {"discard"}, {"restore", "a", "b"}} {
		if code, _, stderr := dreamBy(l, idle, dreamDay, args...); code != 1 || !strings.Contains(stderr, "memory is off") {
			t.Errorf("dream %v: exit %d, %s", args, code, stderr)
		}
	}
	if code, out, stderr := dreamBy(l, idle, dreamDay, "--auto"); code != 0 || out != "dream: nothing was done: memory is off\n" || stderr != "" {
		t.Errorf("--auto: exit %d, %q, %q", code, out, stderr)
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("something was made:\n%s", after)
	}
}

func TestLooksAtDreamsMakeNothing(t *testing.T) {
	l := twoNotes(t)
	before := tree(t, l.Root)
	for _, args := range [][]string{{"list"}, {"show"}, {"diff"}, {"show", "20261201-3f2a9c"}} {
		run(l, append([]string{"dream"}, args...)...)
	}
	if after := tree(t, l.Root); after != before {
		t.Errorf("something was made:\n%s", after)
	}
}

func TestTwoDreamsNeverRunAtOnce(t *testing.T) {
	l := twoNotes(t)
	dreamConf(t, l, "dream:\n  sessions: 0\n")
	inner := func(ctx context.Context, in dream.Input) (*dream.Result, error) {
		if code, _, stderr := dreamBy(l, idle, dreamDay); code != 1 || !strings.Contains(stderr, "another dream of this memory folder is running") {
			t.Errorf("a second one: exit %d, %s", code, stderr)
		}
		if code, rep := dreamt(t, l, idle, dreamDay, "--auto"); code != 0 || rep.Ran || !strings.Contains(rep.Reason, "another dream") {
			t.Errorf("an automatic one: exit %d, %+v", code, rep)
		}
		if code, _ := dreamt(t, l, idle, dreamDay, "--dry-run"); code != 0 {
			t.Error("a dry run can't look meanwhile")
		}
		return idle(ctx, in)
	}
	if code, out, stderr := dreamBy(l, inner, dreamDay); code != 0 {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
}

func TestShowTellsWhatWentAndWhyAndBothPlaces(t *testing.T) {
	l := twoNotes(t)
	by := func(ctx context.Context, in dream.Input) (*dream.Result, error) {
		res, err := supersede("db.md", "memory.md")(ctx, in)
		res.Conflicts = []dream.Conflict{{A: dream.Place{File: "x.md", Line: 3, Claim: "It is on."}, B: dream.Place{File: "CLAUDE.md", Line: 7, Claim: "It is off."}, Why: "on and off", Left: "it is for the person to change CLAUDE.md"}}
		return res, err
	}
	dreamt(t, l, by, dreamDay)
	_, out, _ := run(l, "dream", "show")
	order := []string{
		"waiting: 2 notes to 1", "conflicts that nobody decided", "x.md:3: It is on.", "CLAUDE.md:7: It is off.", "on and off; it is for the person",
		"superseded", "db.md:1: Integration tests use a real database.", "→ db.md:1 in the archive", "by memory.md:1: Integration tests use the in-memory database.", "it was said later", "1 statement as it was", "dormouse dream apply ",
	}
	at := 0
	for _, words := range order {
		i := strings.Index(out[at:], words)
		if i < 0 {
			t.Fatalf("%q is not there, or not in its place:\n%s", words, out)
		}
		at += i
	}
	if _, all, _ := run(l, "dream", "show", "--all"); !strings.Contains(all, "memory.md:1: Integration tests use the in-memory database.\n      → memory.md:1") {
		t.Errorf("--all says\n%s", all)
	}
	_, diff, _ := run(l, "dream", "diff")
	for _, words := range []string{"--- db.md\tbefore dream ", "+++ /dev/null", "-Integration tests use a real database.", "-- [db](db.md)"} {
		if !strings.Contains(diff, words) {
			t.Errorf("the diff has no %q:\n%s", words, diff)
		}
	}
}

func TestDreamReportsHaveTheirKeys(t *testing.T) {
	l := twoNotes(t)
	var got map[string]any
	_, out, _ := dreamBy(l, supersede("db.md", "memory.md"), dreamDay, "--json")
	keys := func() string { return strings.Join(slices.Sorted(maps.Keys(got)), " ") }
	if err := json.Unmarshal([]byte(out), &got); err != nil || keys() != "changed conflicts counts dry_run files id problems ran refused said sessions skipped status store waiting" {
		t.Errorf("dream: %v %s", err, keys())
	}
	for _, tc := range []struct{ args, want string }{
		{"list", "dreams problems store"},
		{"show", "archive auto candidates conflicts counts files held id ledger made read refused sessions status store"},
		{"diff", "files id"},
		{"apply", "changes dream id index mentions moved_out op problems said status"},
		{"restore ID db.md", "changes dream file problems went"},
	} {
		clear(got)
		jsonOf(t, l, &got, append([]string{"dream"}, strings.Fields(strings.ReplaceAll(tc.args, "ID", idOf(t, l)))...)...)
		if keys() != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.args, keys(), tc.want)
		}
	}
}

// idOf is the newest dream.
func idOf(t *testing.T, l *testkit.Layout) string {
	t.Helper()
	var list struct{ Dreams []dreamRow }
	jsonOf(t, l, &list, "dream", "list")
	if len(list.Dreams) == 0 {
		t.Fatal("no dream is kept")
	}
	return list.Dreams[0].ID
}

func TestADiscardedDreamLeavesItsAccount(t *testing.T) {
	l := twoNotes(t)
	dreamt(t, l, supersede("db.md", "memory.md"), dreamDay)
	before := bytesOf(t, l)
	run(l, "dream", "discard")
	for _, tc := range []struct {
		args string
		code int
		says string
	}{
		{"show", 0, "it was said later"}, {"diff", 1, "was discarded"}, {"apply", 1, "no dream waits"}, {"apply ID", 1, "was discarded"}, {"discard", 1, "no dream waits"},
	} {
		args := strings.Fields(strings.ReplaceAll(tc.args, "ID", idOf(t, l)))
		if code, out, stderr := run(l, append([]string{"dream"}, args...)...); code != tc.code || !strings.Contains(out+stderr, tc.says) {
			t.Errorf("dream %s: exit %d\n%s%s", tc.args, code, out, stderr)
		}
	}
	if diff := cmp.Diff(before, bytesOf(t, l)); diff != "" {
		t.Error(diff)
	}
	if _, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay); rep.Status != "waiting" {
		t.Errorf("asked for again, it is %s", rep.Status)
	}
}

func TestAStateFolderThatCannotBeWrittenIsSaid(t *testing.T) {
	l := twoNotes(t)
	state := filepath.Join(l.Root, "state")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l.Env["DORMOUSE_HOME"] = state
	if code, _, stderr := dreamBy(l, idle, dreamDay, "--no-sessions"); code != 1 || !strings.Contains(stderr, "state") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestANoteIsAsOldAsItSaysElseAsTheJournalKnows(t *testing.T) {
	l := notesIn(t, "a.md", "---\nname: a\nmetadata:\n  modified: 2026-01-10T10:00:00Z\n---\n\nA.\n", "b.md", "B.\n", "c.md", "C.\n", "MEMORY.md", "- [a](a.md) — A\n")
	old := time.Date(2025, 5, 5, 5, 5, 5, 0, time.UTC)
	if err := os.Chtimes(inStore(l, "b.md"), old, old); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runFed(l, "C changed.\n", "edit", "c", "--from", "-"); code != 0 {
		t.Fatal(stderr)
	}
	var in dream.Input
	dreamt(t, l, func(ctx context.Context, got dream.Input) (*dream.Result, error) { in = got; return idle(ctx, got) }, dreamDay)
	got := map[string]string{}
	for _, n := range in.Notes {
		got[n.Rel] = n.AtBy + " " + string(n.Origin)
		if n.Rel == "b.md" && !n.At.Equal(old) {
			t.Errorf("b.md is of %v", n.At)
		}
	}
	if diff := cmp.Diff(map[string]string{"a.md": "recorded outside", "b.md": "file time outside", "c.md": "journal outside"}, got); diff != "" {
		t.Error(diff)
	}
	if string(in.Lists["MEMORY.md"]) == "" || in.Look == nil || in.Limits.Lines == 0 || in.Clean == nil {
		t.Errorf("the rest of the input: %+v", in.Limits)
	}
	if ok, why := in.Loads([]byte("See the page.\n"), trust.Web); ok || why == "" {
		t.Errorf("a text of the web loads: %q", why)
	}
	if ok, why := in.Loads([]byte("See the page.\n"), trust.Human); !ok {
		t.Errorf("a person's text does not load: %s", why)
	}
}

func TestAConflictIsToldThoughNothingChanges(t *testing.T) {
	l := twoNotes(t)
	by := func(_ context.Context, in dream.Input) (*dream.Result, error) {
		res := asItIs(&in)
		res.Conflicts = []dream.Conflict{{A: dream.Place{File: "db.md", Line: 9, Claim: "A real one."}, B: dream.Place{File: "memory.md", Line: 9, Claim: "One in memory."}, Why: "one matter", Left: "both are of 2026-03-02"}}
		return res, nil
	}
	_, out, _ := dreamBy(l, by, dreamDay)
	for _, words := range []string{"db.md:9: A real one.", "memory.md:9: One in memory.", "one matter; both are of 2026-03-02", "nothing would change"} {
		if !strings.Contains(out, words) {
			t.Errorf("%q is not said:\n%s", words, out)
		}
	}
	dreamConf(t, l, "dream:\n  sessions: 0\n")
	if _, out, _ := dreamBy(l, by, dreamDay.Add(48*time.Hour), "--auto"); strings.Count(out, "\n") != 1 || !strings.Contains(out, "nobody decided 1 conflict") {
		t.Errorf("--auto says %q", out)
	}
}

func TestWhatCannotBeDreamtOnIsRefusedInOneLine(t *testing.T) {
	for _, tc := range []struct {
		name, setup string
		args        []string
		says        string
	}{
		{"a folder that is not there", "true", []string{"--store", "nowhere"}, "--store nowhere: no folder is there"},
		{"a note that can't be read", "head -c 2000000 /dev/zero > @mem(proj)/big.md", nil, "big.md"},
		{"a link in place of a note's folder", "ln -s /etc/passwd @mem(proj)/MEMORY.md", nil, "MEMORY.md"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := layCase(t, &testkit.Case{Files: files("proj/f", "x", "@mem(proj)/a.md", "A\n"), Setup: []string{tc.setup}})
			before := bytesOf(t, l)
			code, out, stderr := dreamBy(l, idle, dreamDay, append(tc.args, "--no-sessions")...)
			if code != 1 || !strings.Contains(stderr, tc.says) || strings.Count(stderr, "\n") != 1 || out != "" {
				t.Errorf("exit %d, %q\n%s", code, stderr, out)
			}
			if diff := cmp.Diff(before, bytesOf(t, l)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheAgentDoesNotDreamForAllProjects(t *testing.T) {
	l := twoNotes(t)
	c := &common{io: ioOf(l), host: defaultHost}
	h, err := c.theHost()
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.session()
	if err != nil {
		t.Fatal(err)
	}
	g, _ := globalMemory(h, s)
	if g == nil {
		t.Fatal("the host has no notes for all projects")
	}
	if err := errors.Join(os.MkdirAll(g.Dir, 0o700), os.WriteFile(filepath.Join(g.Dir, "a.md"), []byte("A.\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	l.Env["CLAUDECODE"], l.Env["CLAUDE_CODE_SESSION_ID"] = "1", "0f1e2d3c-aaaa-bbbb-cccc-0123456789ab"
	if code, _, stderr := dreamBy(l, idle, dreamDay, "--no-sessions", "--apply", "--store", g.Dir); code != 1 || !strings.Contains(stderr, "for a person at a terminal") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	looked := true
	by := func(ctx context.Context, in dream.Input) (*dream.Result, error) {
		looked = in.Look != nil
		return idle(ctx, in)
	}
	if code, _, stderr := dreamBy(l, by, dreamDay, "--no-sessions", "--store", g.Dir); code != 0 || looked {
		t.Errorf("exit %d, %s; the repository of this project was asked: %v", code, stderr, looked)
	}
}
