package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/internal/term"
)

func listOf(t *testing.T, res listReport) []string {
	t.Helper()
	out := []string{}
	for _, n := range res.Notes {
		out = append(out, n.File)
	}
	return out
}

func TestANoteLoadsWhenItsLineIsWithinWhatASessionLoads(t *testing.T) {
	var index strings.Builder
	pairs := []string{"z.md", "not in the index\n"}
	for i := 1; i <= 203; i++ {
		fmt.Fprintf(&index, "- [N](n%03d.md) — hook\n", i)
		if i > 197 {
			pairs = append(pairs, fmt.Sprintf("n%03d.md", i), "x\n")
		}
	}
	l := notesIn(t, append(pairs, "MEMORY.md", index.String())...)
	var res listReport
	if code := jsonOf(t, l, &res, "list"); code != exitFine {
		t.Errorf("exit %d", code)
	}
	if got, want := listOf(t, res), []string{"n198.md", "n199.md", "n200.md", "n201.md", "n202.md", "n203.md", "z.md"}; !slices.Equal(got, want) {
		t.Fatalf("notes %v, want %v", got, want)
	}
	for i, n := range res.Notes {
		if n.Loads != (i < 3) || n.Line != []int{198, 199, 200, 201, 202, 203, 0}[i] {
			t.Errorf("%+v", n)
		}
	}
	if want := (listCounts{Shown: 7, Notes: 7, Indexed: 6, Loads: 3}); res.Counts != want {
		t.Errorf("counts %+v, want %+v", res.Counts, want)
	}
	jsonOf(t, l, &res, "list", "--not-loading", "--indexed")
	if got, want := listOf(t, res), []string{"n201.md", "n202.md", "n203.md"}; !slices.Equal(got, want) {
		t.Errorf("cut off: %v, want %v", got, want)
	}
}

func TestWithoutAnIndexTheClientsOwnDecidesOrderAndLoading(t *testing.T) {
	l := notesIn(t, "old.md", "O\n", "new.md", "N\n")
	at := time.Now().Add(-50 * time.Hour)
	if err := os.Chtimes(inStore(l, "old.md"), at, at); err != nil {
		t.Fatal(err)
	}
	var res listReport
	jsonOf(t, l, &res, "list")
	if got, want := listOf(t, res), []string{"new.md", "old.md"}; !slices.Equal(got, want) || res.Counts.Loads != 2 || res.Counts.Indexed != 0 {
		t.Errorf("%v, counts %+v", got, res.Counts)
	}
	if n := res.Notes[1]; n.Days != 2 || n.From != "file time" {
		t.Errorf("%+v", n)
	}
	if _, text, _ := run(l, "list"); !strings.Contains(text, "2 notes, no index (the client makes one from the notes), a session is told of 2") {
		t.Errorf("printed\n%s", text)
	}
}

func TestAgesComeFromTheNoteAndElseFromTheFile(t *testing.T) {
	stamp := func(age time.Duration) string {
		return "---\nname: n\nmetadata:\n  modified: " + time.Now().Add(-age).UTC().Format("2006-01-02T15:04:05.000Z") + "\n---\n\nx\n"
	}
	l := notesIn(t, "a.md", stamp(95*24*time.Hour+time.Hour), "b.md", stamp(47*time.Hour), "future.md", stamp(-100*time.Hour),
		"bad.md", "---\nmetadata:\n  modified: yesterday\n---\n\nx\n")
	var res listReport
	jsonOf(t, l, &res, "list", "--sort", "name")
	type row struct {
		file, from string
		days       int
	}
	got := map[string]row{}
	for _, n := range res.Notes {
		got[n.File] = row{n.File, n.From, n.Days}
	}
	for _, want := range []row{{"a.md", "metadata.modified", 95}, {"b.md", "metadata.modified", 1}, {"future.md", "metadata.modified", 0}, {"bad.md", "file time", 0}} {
		if got[want.file] != want {
			t.Errorf("%+v, want %+v", got[want.file], want)
		}
	}
	jsonOf(t, l, &res, "list", "--older", "95")
	if got := listOf(t, res); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("older than 95 days: %v", got)
	}
}

func TestUnreadableNotesAreListedWithTheReason(t *testing.T) {
	l := notesIn(t, "a.md", "A\n", "big.md", strings.Repeat("x", 2<<20))
	var res listReport
	code := jsonOf(t, l, &res, "list")
	i := slices.IndexFunc(res.Notes, func(n listed) bool { return n.File == "big.md" })
	if i < 0 || len(res.Notes) != 2 {
		t.Fatalf("%+v", res.Notes)
	}
	if res.Notes[i].Error != "" && (code != exitFound || res.Counts.Unreadable != 1) {
		t.Errorf("exit %d, %+v", code, res.Counts)
	}
	_, text, _ := run(l, "list")
	if !strings.Contains(text, "big.md") {
		t.Errorf("printed\n%s", text)
	}
}

func TestNamesOfAnyWritingAreListedAndFound(t *testing.T) {
	nfd := "cafe\u0301.md" // é as two characters
	l := notesIn(t, nfd, "one\n", "行.md", "two\n", "sub/deep.md", "three\n", "with space.md", "four\n", "MEMORY.md", "- ["+nfd+"]("+nfd+") — x\n")
	var res listReport
	jsonOf(t, l, &res, "list")
	if res.Notes[0].File != nfd || !res.Notes[0].Loads || len(res.Notes) != 4 {
		t.Errorf("%+v", res.Notes)
	}
	for _, name := range []string{nfd, "行", "sub/deep", "deep", "with space"} {
		if code, out, stderr := run(l, "show", name); code != exitFine || out == "" {
			t.Errorf("show %q: exit %d, %s", name, code, stderr)
		}
	}
	// The same name in the composed form finds it too, also by the filter.
	if code, out, stderr := run(l, "show", "caf\u00e9.md"); code != exitFine || out != "one\n" {
		t.Errorf("exit %d, %s", code, stderr)
	}
	jsonOf(t, l, &res, "list", "CAF\u00c9")
	if got := listOf(t, res); !slices.Equal(got, []string{nfd}) {
		t.Errorf("filtered: %v", got)
	}
}

func TestTheListLetsNoControlCharacterThrough(t *testing.T) {
	l := notesIn(t, "e\x1b[2Jvil.md", "---\nname: \"x\\e[31m\"\ndescription: \"d\\u202Ee\"\nmetadata:\n  type: \"t\\e\"\n---\n", "MEMORY.md", "- [a](gone\x1b[2J.md) — \u202e\n")
	for _, args := range [][]string{{"list"}, {"index"}, {"forget", "e\x1b[2Jvil.md"}, {"history"}, {"undo"}, {"history", "nosuch\x1b"}} {
		_, out, stderr := run(l, args...)
		if strings.ContainsAny(out+stderr, "\x1b\u202e") {
			t.Errorf("dormouse %v lets control characters through:\n%q", args, out+stderr)
		}
	}
}

func TestAListOnATerminalKeepsToItsWidth(t *testing.T) {
	for _, width := range []int{80, 200} {
		var b strings.Builder
		out := &term.Out{Writer: &b, Width: width}
		printListed(out, &listed{File: "a.md", Type: "project", Text: strings.Repeat("ї行", 300), Size: 12}, listColumns{file: 10, kind: 8, page: 5})
		if w := term.Width(strings.TrimSuffix(b.String(), "\n")); w > width || w < width-2 {
			t.Errorf("%d columns on a terminal of %d:\n%s", w, width, b.String())
		}
	}
}
