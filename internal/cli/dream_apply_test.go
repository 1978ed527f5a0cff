package cli

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/dream"
	"dormouse/dream/shelf"
	"dormouse/extract"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

func TestADreamMeetsNotesThatChangedSince(t *testing.T) {
	const text = "---\nname: a\ndescription: about a\n---\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n"
	for _, tc := range []struct {
		name, live string // what the note is meanwhile
		code       int
		want, says string
	}{
		{"in other lines: both stay", strings.Replace(text, "One.", "1.", 1), 0, strings.NewReplacer("One.", "1.", "Four.", "IV.").Replace(text), "both edits were kept"},
		{"in the same lines: refused, with the file", strings.Replace(text, "Four.", "4.", 1), 1, strings.Replace(text, "Four.", "4.", 1), "a.md was changed again since, in the same lines; nothing was written: dream again"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := notesIn(t, "a.md", text, "MEMORY.md", "- [a](a.md) — about a\n")
			dreamt(t, l, changing("a.md", "Four.", "IV."), dreamDay)
			if err := os.WriteFile(inStore(l, "a.md"), []byte(tc.live), 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, stderr := run(l, "dream", "apply")
			if code != tc.code || !strings.Contains(out+stderr, tc.says) {
				t.Errorf("exit %d\n%s%s", code, out, stderr)
			}
			if got := readStore(t, l, "a.md"); got != tc.want {
				t.Errorf("it says %q", got)
			}
		})
	}
}

func TestWhatDecidedMustStillSaySo(t *testing.T) {
	l := twoNotes(t)
	dreamt(t, l, supersede("db.md", "memory.md"), dreamDay)
	if err := os.Remove(inStore(l, "memory.md")); err != nil {
		t.Fatal(err)
	}
	before := bytesOf(t, l)
	code, _, stderr := run(l, "dream", "apply")
	if code != 1 || !strings.Contains(stderr, "memory.md") || !strings.Contains(stderr, "dream again") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if diff := cmp.Diff(before, bytesOf(t, l)); diff != "" {
		t.Errorf("something was written:\n%s", diff)
	}
}

func TestRestoreBringsANoteBackWithTheOriginItHad(t *testing.T) {
	l := twoNotes(t)
	before := bytesOf(t, l)
	_, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay, "--apply")
	if rep.Status != "applied" {
		t.Fatalf("%+v", rep)
	}
	var got restoredReport
	if code := jsonOf(t, l, &got, "dream", "restore", rep.ID, "db"); code != 0 || got.File != "db.md" || got.Went != "memory.md" || len(got.Changes) != 2 {
		t.Fatalf("exit %d, %+v", code, got)
	}
	after := bytesOf(t, l)
	if after["db.md"] != before["db.md"] || !strings.Contains(after["MEMORY.md"], "db.md") || strings.Contains(after["MEMORY.md"], "memory.md") || after["memory.md"] != "" {
		t.Errorf("now there are %v", after)
	}
	var why struct {
		Verdict trust.Verdict `json:"verdict"`
	}
	if jsonOf(t, l, &why, "why", "db"); why.Verdict.Origin != trust.Outside {
		t.Errorf("its origin is %q now", why.Verdict.Origin)
	}
	run(l, "undo")
	run(l, "undo")
	if now := bytesOf(t, l); now["memory.md"] != before["memory.md"] || now["db.md"] != "" {
		t.Errorf("taken back, there are %v", now)
	}
}

func TestRestoreLeavesANoteThatSaysMore(t *testing.T) {
	l := twoNotes(t)
	by := func(ctx context.Context, in dream.Input) (*dream.Result, error) {
		res, err := supersede("db.md", "memory.md")(ctx, in)
		res.Rows = append(res.Rows, dream.Row{ID: "more", File: "memory.md", Line: 2, Claim: "It is SQLite.", Fate: dream.Kept, To: "memory.md", ToLine: 2})
		return res, err
	}
	_, rep := dreamt(t, l, by, dreamDay, "--apply")
	var got restoredReport
	if code := jsonOf(t, l, &got, "dream", "restore", rep.ID, "db.md"); code != 0 || got.Went != "" {
		t.Errorf("exit %d, %+v", code, got)
	}
	if len(bytesOf(t, l)) != 3 {
		t.Error("a note is gone")
	}
}

func TestWhatIsNotSureWaitsInTheReviewOnceItIsApplied(t *testing.T) {
	l := twoNotes(t)
	by := func(ctx context.Context, in dream.Input) (*dream.Result, error) {
		res, err := supersede("db.md", "memory.md")(ctx, in)
		res.Waiting = []extract.Candidate{{
			Kind: extract.Fact, Type: "project", Text: "The service listens on port 8443.", Quote: "it listens on 8443", Confidence: 0.5,
			Origin: transcript.Person, Session: "s1", Line: 4, Time: dreamDay,
		}}
		return res, err
	}
	dreamt(t, l, by, dreamDay)
	var held heldReport
	if jsonOf(t, l, &held, "review"); len(held.Held) != 0 {
		t.Fatalf("before: %+v", held)
	}
	if _, out, _ := run(l, "dream", "show"); !strings.Contains(out, "session s1, line 4: The service listens on port 8443.") {
		t.Errorf("it does not show what would wait:\n%s", out)
	}
	if code, out, stderr := run(l, "dream", "apply"); code != 0 || !strings.Contains(out, "1 candidate from sessions") {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	if jsonOf(t, l, &held, "review"); len(held.Held) != 1 || !held.Held[0].Waiting {
		t.Errorf("after: %+v", held)
	}
}

func TestSessionsOfAnAppliedDreamAreRead(t *testing.T) {
	l := twoNotes(t)
	laySessions(t, l, dreamDay, dreamDay)
	if _, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay); len(rep.Sessions) != 2 {
		t.Fatalf("%+v", rep)
	}
	if _, rep := extractOf(t, l, "--dry-run"); rep.Skipped != 0 {
		t.Errorf("extract skips %d before it is applied", rep.Skipped)
	}
	run(l, "dream", "apply")
	if _, rep := extractOf(t, l, "--dry-run"); rep.Skipped != 2 {
		t.Errorf("extract skips %d", rep.Skipped)
	}
}

// TestAKilledApplyLeavesOldOrNew ends real processes whenever; whatever the moment,
// the notes are those of before or those of the dream, and applying it again ends
// what was begun.
func TestAKilledApplyLeavesOldOrNew(t *testing.T) {
	l := notesIn(t, plainNotes(150)...)
	before := bytesOf(t, l)
	every := func(_ context.Context, in dream.Input) (*dream.Result, error) {
		res := asItIs(&in)
		for i := range res.Files {
			if f := &res.Files[i]; !f.List {
				f.Bytes = bytes.Replace(f.Bytes, []byte("Text."), []byte("Words."), 1)
			}
		}
		return res, nil
	}
	_, rep := dreamt(t, l, every, dreamDay)
	want := maps.Clone(before)
	for rel := range want {
		want[rel] = strings.Replace(want[rel], "Text.", "Words.", 1)
	}
	r := rand.New(rand.NewPCG(7, 1))
	killed, halfway := 0, 0
	for round := range 8 {
		cmd := exec.Command("dormouse", "dream", "apply", rep.ID, "--json")
		cmd.Dir, cmd.Env = l.Cwd, []string{"HOME=" + l.Home, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		end := time.AfterFunc(time.Duration(r.IntN(60_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		end.Stop()
		if err != nil {
			killed++
		}
		if now := bytesOf(t, l); !cmp.Equal(now, before) && !cmp.Equal(now, want) {
			halfway++
		}
		run(l, "history") // whoever opens the store next brings it to an end
		if now := bytesOf(t, l); !cmp.Equal(now, before) && !cmp.Equal(now, want) {
			t.Fatalf("round %d: neither old nor new", round)
		}
		if code, out, stderr := run(l, "dream", "apply", rep.ID); err != nil && code != 0 && !strings.Contains(stderr, "applied already") {
			t.Fatalf("round %d: exit %d\n%s%s", round, code, out, stderr)
		}
		if now := bytesOf(t, l); !cmp.Equal(now, want) {
			t.Fatalf("round %d: it is not applied", round)
		}
		var list struct{ Dreams []dreamRow }
		jsonOf(t, l, &list, "dream", "list")
		if list.Dreams[0].Status != "applied" {
			t.Fatalf("round %d: %+v", round, list.Dreams)
		}
		if code, out, stderr := run(l, "undo", fmt.Sprint(list.Dreams[0].Change)); code != 0 || !cmp.Equal(bytesOf(t, l), before) {
			t.Fatalf("round %d: undo: exit %d\n%s%s", round, code, out, stderr)
		}
	}
	t.Logf("%d of 8 were killed, %d of them between two files", killed, halfway)
}

func plainNotes(n int) []string {
	var pairs []string
	index := "# Notes\n\n"
	for i := range n {
		name := fmt.Sprintf("n%03d", i)
		pairs = append(pairs, name+".md", fmt.Sprintf("---\nname: %s\ndescription: note %d\n---\n\nText.\n", name, i))
		index += fmt.Sprintf("- [%s](%s.md) — note %d\n", name, name, i)
	}
	return append(pairs, "MEMORY.md", index)
}

// TestAnUnfinishedApplyGoesOn is what a kill leaves right after the notes changed.
func TestAnUnfinishedApplyGoesOn(t *testing.T) {
	l := twoNotes(t)
	_, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay, "--apply")
	_, dir, _ := run(l, "path")
	s := shelf.At(filepath.Join(l.Home, ".local/state/dormouse"), strings.TrimSpace(dir))
	d, err := s.Find(rep.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Decide(d, shelf.Waiting, dreamDay, 0, ""); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := run(l, "dream", "list"); !strings.Contains(out, "cut off") {
		t.Errorf("the list says\n%s", out)
	}
	if code, _, stderr := run(l, "dream", "discard"); code != 1 || !strings.Contains(stderr, "was applied") {
		t.Errorf("discard: exit %d, %s", code, stderr)
	}
	var done appliedReport
	if code := jsonOf(t, l, &done, "dream", "apply"); code != 0 || done.ID != rep.Change || done.Status != "applied" {
		t.Errorf("exit %d, %+v", code, done)
	}
}

func TestADreamThatWasTakenBackCanBeAppliedAgain(t *testing.T) {
	l := twoNotes(t)
	_, rep := dreamt(t, l, supersede("db.md", "memory.md"), dreamDay)
	run(l, "dream", "apply")
	after := bytesOf(t, l)
	run(l, "undo")
	if code, out, stderr := run(l, "dream", "apply", rep.ID); code != 0 || !cmp.Equal(after, bytesOf(t, l)) {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	if code, _, stderr := run(l, "dream", "apply", rep.ID); code != 1 || !strings.Contains(stderr, "was applied already") {
		t.Errorf("a second time: exit %d, %s", code, stderr)
	}
}

// bringing is a dream in which a session brings a note.
func bringing(_ context.Context, in dream.Input) (*dream.Result, error) {
	res := asItIs(&in)
	text := []byte("---\nname: port\ndescription: the port is 8443\n---\n\nThe port is 8443.\n")
	res.Files = append(res.Files, dream.File{Rel: "port.md", Bytes: text, Origin: trust.UserTurn, From: []store.Source{{Session: "s000", Line: 1}}})
	res.Rows = append(res.Rows, dream.Row{ID: "n", File: "s000", Line: 1, Claim: "The port is 8443.", Fate: dream.New, To: "port.md", ToLine: 6})
	return counted(&in, res), nil
}

func TestWhatExtractHasReadMeanwhileIsNotBroughtTwice(t *testing.T) {
	l := twoNotes(t)
	laySessions(t, l, dreamDay)
	_, rep := dreamt(t, l, bringing, dreamDay)
	run(l, "extract")
	if code, _, stderr := run(l, "dream", "apply", rep.ID); code != 1 || !strings.Contains(stderr, "has read session s000 meanwhile") || !strings.Contains(stderr, "dream again") {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	// Asked for by name it is no surprise.
	_, again := dreamt(t, l, bringing, dreamDay.Add(time.Hour), "--all")
	if again.ID == rep.ID {
		run(l, "dream", "discard", rep.ID)
		_, again = dreamt(t, l, bringing, dreamDay.Add(time.Hour), "--all")
	}
	if code, _, stderr := run(l, "dream", "apply", again.ID); code != 0 {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if code, _, stderr := run(l, "undo"); code != 0 {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if code, _, stderr := run(l, "dream", "apply", again.ID); code != 0 {
		t.Errorf("taken back and applied again: exit %d, %s", code, stderr)
	}
}

func TestRestoreOfAPartMakesANoteOfItWithoutItsMarks(t *testing.T) {
	l := notesIn(t, "a.md", "---\nname: a\ndescription: about a\n---\n\nOne.\n\nTwo.\n", "MEMORY.md", "- [a](a.md) — about a\n")
	by := func(ctx context.Context, in dream.Input) (*dream.Result, error) {
		res, err := changing("a.md", "\nTwo.\n", "")(ctx, in)
		res.Archive = []dream.Archive{
			{Rel: "a-until-2026.md", Of: "a.md", Bytes: []byte("---\nname: a-until-2026\ndescription: two\ninvalid_at: 2026-03-02\nsuperseded_by: a\n---\n\nTwo.\n")},
			{Rel: "index-lines.md", Of: "MEMORY.md", Bytes: []byte("- [z](z.md) — Z\n")},
		}
		return res, err
	}
	_, rep := dreamt(t, l, by, dreamDay, "--apply")
	if code, out, stderr := run(l, "dream", "restore", rep.ID, "a-until-2026"); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, stderr)
	}
	if got, want := readStore(t, l, "a-until-2026.md"), "---\nname: a-until-2026\ndescription: two\n---\n\nTwo.\n"; got != want {
		t.Errorf("it says %q", got)
	}
	if index := readStore(t, l, "MEMORY.md"); !strings.Contains(index, "(a.md)") || !strings.Contains(index, "(a-until-2026.md)") {
		t.Errorf("the index says\n%s", index)
	}
	for file, says := range map[string]string{"index-lines.md": "is no note; it is kept in", "z.md": "there are a-until-2026.md, index-lines.md"} {
		if code, _, stderr := run(l, "dream", "restore", rep.ID, file); code != 1 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d, %s", file, code, stderr)
		}
	}
}
