package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/testkit"
)

func flawsOf(list []indexFlaw) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, f.File)
	}
	return out
}

func TestU03DeadLinksAndOrphansAreNamedAndMended(t *testing.T) {
	index := "- [A](a.md) — about a\n- [B](b.md) — about b\n- [O](../../outside.md) — out\n"
	l := notesIn(t, "MEMORY.md", index, "a.md", "A\n", "c.md", "---\nname: c\ndescription: what c says\nmetadata:\n  type: project\n---\n\nC\n", "notes.txt", "no note\n")
	outside := filepath.Join(inStore(l, ""), "../../outside.md")
	if err := os.WriteFile(outside, []byte("outside\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var rep indexReport
	if code := jsonOf(t, l, &rep, "index"); code != exitFound {
		t.Errorf("exit %d though something is wrong", code)
	}
	for _, tc := range []struct {
		name string
		got  []indexFlaw
		want []string
	}{
		{"dead", rep.Dead, []string{"b.md"}},
		{"orphans", rep.Orphans, []string{"c.md"}},
		{"escaping", rep.Escaping, []string{"../../outside.md"}},
		{"ignored", rep.Ignored, []string{"notes.txt"}},
		{"duplicates", rep.Duplicates, []string{}},
		{"unreadable", rep.Unreadable, []string{}},
	} {
		if got := flawsOf(tc.got); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	if rep.Dead[0].Line != 2 || rep.Escaping[0].Line != 3 {
		t.Errorf("lines %+v %+v", rep.Dead, rep.Escaping)
	}
	if readStore(t, l, "MEMORY.md") != index {
		t.Error("a look changed the index")
	}

	// --fix adds the line and marks the dead one; the line that leads out is for
	// a person to decide on, so something is still wrong.
	rep = indexReport{}
	jsonOf(t, l, &rep, "index", "--fix")
	if rep.Fixed == nil || rep.Fixed.ID == 0 || len(rep.Orphans) != 0 || len(rep.Dead) != 0 {
		t.Errorf("after the fix: %+v", rep)
	}
	fixed := readStore(t, l, "MEMORY.md")
	if !strings.Contains(fixed, "](c.md)") || !strings.Contains(fixed, "what c says") || !strings.Contains(fixed, "about b") || !strings.Contains(fixed, "outside.md") {
		t.Errorf("the index is now\n%s", fixed)
	}
	rep = indexReport{}
	jsonOf(t, l, &rep, "index", "--fix")
	if rep.Fixed == nil || rep.Fixed.ID != 0 || readStore(t, l, "MEMORY.md") != fixed {
		t.Errorf("a second run did something: %+v\n%s", rep.Fixed, readStore(t, l, "MEMORY.md"))
	}
	if b, err := os.ReadFile(outside); err != nil || string(b) != "outside\n" {
		t.Errorf("the file outside: %q, %v", b, err)
	}
	if readStore(t, l, "notes.txt") != "no note\n" {
		t.Error("notes.txt changed")
	}
	run(l, "undo")
	if readStore(t, l, "MEMORY.md") != index {
		t.Error("undo does not give the old index back")
	}
}

func TestTheIndexLooksOnlyWhereNotesAre(t *testing.T) {
	l := layCase(t, &testkit.Case{
		Files: files("proj/f", "x", "out/o.md", "O\n", "@mem(proj)/a.md", "A\n", "@mem(proj)/sub/b.md", "B\n", "@mem(proj)/sub/c.MD", "C\n", "@mem(proj)/.git/HEAD", "x",
			"@mem(proj)/MEMORY.md", "---\nx: \"[f](front.md)\"\n---\n- [a](a.md) — a\n- [b](sub/b.md) — b\n- [l](link.md) — l\n- [d](dir/o.md) — d\n- [w](https://example.com/x.md) — w\n"+
				"```\n- [f](fenced.md)\n```\n<!-- [c](comment.md) -->\n- see [[gone]] and [[a]]\n- [t](pic.png) — p\n"),
		Setup: []string{"ln -s $ROOT/out/o.md @mem(proj)/link.md && ln -s $ROOT/out @mem(proj)/dir && touch @mem(proj)/pic.png"},
	})
	var rep indexReport
	jsonOf(t, l, &rep, "index")
	if got, want := flawsOf(rep.Dead), []string{"dir/o.md", "gone.md"}; !slices.Equal(got, want) {
		t.Errorf("dead %v, want %v", got, want)
	}
	if got, want := flawsOf(rep.Ignored), []string{"dir", "link.md", "pic.png", "sub/c.MD"}; !slices.Equal(got, want) {
		t.Errorf("ignored %v, want %v", got, want)
	}
	if len(rep.Orphans)+len(rep.Escaping)+len(rep.Duplicates) > 0 {
		t.Errorf("%+v", rep)
	}
}

func TestAnIndexFullOfDeadLinksIsAnsweredInTime(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20-40; i++ {
		b.WriteString("- [" + string(rune('a'+i%26)) + "](" + strings.Repeat("x", i%7+1) + string(rune('0'+i%10)) + ".md)\n")
	}
	l := notesIn(t, "MEMORY.md", b.String(), "a.md", "A\n")
	start := time.Now()
	var rep indexReport
	if code := jsonOf(t, l, &rep, "index"); code != exitFound || len(rep.Dead) < 10_000 {
		t.Errorf("exit %d, %d dead links", code, len(rep.Dead))
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestAFullIndexIsRefusedWithTheWayOut(t *testing.T) {
	var b strings.Builder
	pairs := []string{}
	for i := 1; i <= 200; i++ {
		name := fmt.Sprintf("n%03d.md", i)
		b.WriteString("- [" + name + "](" + name + ") — hook\n")
		pairs = append(pairs, name, "x\n")
	}
	l := notesIn(t, append(pairs, "MEMORY.md", b.String())...)
	if code, _, stderr := run(l, "forget", "n100"); code != exitFine {
		t.Fatal(stderr)
	}
	index := readStore(t, l, "MEMORY.md") + "- [late](late.md) — by the agent\n"
	for rel, text := range map[string]string{"MEMORY.md": index, "late.md": "x\n", "orphan.md": "x\n"} {
		if err := os.WriteFile(inStore(l, rel), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, stderr := run(l, "undo")
	if code != exitFound || !strings.Contains(stderr, "; dormouse undo --make-room moves lines to a page") || !strings.Contains(stderr, "least valuable are n") {
		t.Errorf("undo: exit %d\n%s%s", code, out, stderr)
	}
	if readStore(t, l, "MEMORY.md") != index {
		t.Error("a refused undo changed the index")
	}
	code, out, stderr = run(l, "index", "--fix")
	if code != exitFound || !strings.Contains(out, "orphan.md: no line of the index leads to it") || !strings.Contains(out, "dormouse index --fix --make-room") {
		t.Errorf("index --fix: exit %d\n%s%s", code, out, stderr)
	}
	code, out, stderr = run(l, "undo", "--make-room")
	if code != exitFine || !strings.Contains(out, "n100.md is back") || !strings.Contains(out, "moved out of the index: ") {
		t.Errorf("undo --make-room: exit %d\n%s%s", code, out, stderr)
	}
	var res listReport
	jsonOf(t, l, &res, "list", "--indexed")
	paged := 0
	for _, n := range res.Notes {
		if n.Page != "" {
			paged++
		}
	}
	if paged == 0 || res.Counts.Indexed != res.Counts.Notes-1 {
		t.Errorf("%d notes by a page, counts %+v", paged, res.Counts)
	}
	if _, text, _ := run(l, "list"); !strings.Contains(text, "by page ") {
		t.Errorf("the list does not name the page:\n%s", text)
	}
	if code, out, stderr := run(l, "index", "--fix", "--make-room"); code != exitFine {
		t.Errorf("index --fix --make-room: exit %d\n%s%s", code, out, stderr)
	}
}

func TestAnIndexThatIsNoTextIsNamed(t *testing.T) {
	index := "a\x00b\n- [a](a.md) — A\n"
	l := notesIn(t, "MEMORY.md", index, "a.md", "A\n")
	for _, args := range [][]string{{"index"}, {"index", "--fix"}} {
		code, out, stderr := run(l, args...)
		if code != exitFound || !strings.Contains(out, "the index is not a text in UTF-8") || strings.Contains(out, "--make-room") || readStore(t, l, "MEMORY.md") != index {
			t.Errorf("dormouse %v: exit %d\n%s%s", args, code, out, stderr)
		}
	}
}
