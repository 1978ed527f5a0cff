package draft

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rows reads a table from testdata: cells between tabs, # begins a comment.
func rows(t testing.TB, file string) [][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	if len(out) < 20 {
		t.Fatalf("%s has only %d rows", file, len(out))
	}
	return out
}

// filler makes notes on matters of a software project that have nothing to do
// with one another, the same at every run.
func filler(n, size int) []Known {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(s string) string { f := strings.Fields(s); return f[r.IntN(len(f))] }
	sentence := func() string {
		return fmt.Sprintf("The %s %s of the %s %s %s %s the %s %s%d.",
			pick("daily central remote nested cached signed legacy public internal async binary global"),
			pick("parser cluster invoice ledger scheduler cursor session layout palette cookie router worker replica"),
			pick("billing search mobile admin export import audit video chat map tax stock"),
			pick("module service screen table job queue bucket page report batch"),
			pick("reads drops rounds retries rejects stores compresses merges splits rotates counts"),
			pick("after before without under beside"), pick("nightly weekly manual first empty broken"),
			pick("run sync backup login upload release region shard"), r.IntN(900))
	}
	known := make([]Known, n)
	for i := range known {
		var b strings.Builder
		first := sentence()
		for b.Len() < size {
			b.WriteString(sentence())
			b.WriteByte("\n "[r.IntN(2)])
		}
		known[i] = Known{File: fmt.Sprintf("filler-%d.md", i), Description: first, Body: b.String()}
	}
	return known
}

func verdict(m []Match, file string) string {
	for _, one := range m {
		if one.File == file {
			return one.Kind.String()
		}
	}
	return "none"
}

func TestStatementsOnOneMatterAreFound(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"pairs_develop.txt", "pairs_heldout.txt", "pairs_fresh.txt"} {
		for _, size := range []int{0, 3, 1000} {
			t.Run(fmt.Sprintf("%s among %d other notes", file, size), func(t *testing.T) {
				t.Parallel()
				pairsAmong(t, file, filler(size, 200))
			})
		}
	}
}

func pairsAmong(t *testing.T, file string, others []Known) {
	t.Helper()
	found, offers, right, total := 0, 0, 0, 0
	wantFound := 0
	for _, row := range rows(t, file) {
		known := append(others[:len(others):len(others)], Known{File: "it.md", Description: row[2], Body: row[2]})
		got := Same(row[1], known)
		kind := verdict(got, "it.md")
		total++
		if kind == row[0] {
			right++
		} else {
			t.Logf("want %s, got %s: %q and %q", row[0], kind, row[1], row[2])
		}
		if row[0] != "none" {
			wantFound++
			if kind != "none" {
				found++
			}
		} else if kind != "none" {
			t.Errorf("a wrong offer (%s): %q and %q", kind, row[1], row[2])
		}
		for _, m := range got {
			if m.File != "it.md" {
				offers++
				t.Errorf("%q: offered %s (%s, %s)", row[1], m.File, m.Kind, m.Why)
			}
		}
	}
	if 100*found < 90*wantFound || 100*right < 85*total {
		t.Errorf("found %d of %d, kind right %d of %d", found, wantFound, right, total)
	}
	t.Logf("kind right %d of %d, found %d of %d, unrelated offers %d", right, total, found, wantFound, offers)
}

func TestUnrelatedNotesAreNotOffered(t *testing.T) {
	t.Parallel()
	known := filler(1000, 1000)
	for _, file := range []string{"types_develop.txt", "types_heldout.txt"} {
		for i, row := range rows(t, file) {
			if i%4 != 0 { // each costs ten milliseconds
				continue
			}
			for _, m := range Same(row[1], known) {
				t.Errorf("%q: offered %s (%s, %s)", row[1], m.File, m.Kind, m.Why)
			}
		}
	}
}

func TestTheTextsOfTheTablesAreNotTakenForOneAnother(t *testing.T) {
	t.Parallel()
	var known []Known
	for _, file := range []string{"types_develop.txt", "types_heldout.txt"} {
		for _, row := range rows(t, file) {
			known = append(known, Known{File: row[1], Description: row[1], Body: row[1]})
		}
	}
	for _, k := range known {
		got := Same(k.Body, known)
		if kind := verdict(got, k.File); kind != "exact" {
			t.Errorf("%q is not found by its own text: %s", k.Body, kind)
		}
		for _, m := range got {
			if m.File != k.File && !strings.Contains(k.Body, "pnpm") {
				t.Errorf("%q: also %q (%s, %s)", k.Body, m.File, m.Kind, m.Why)
			}
		}
	}
}

func TestAThousandNotesTakeNoTime(t *testing.T) {
	known := filler(1000, 1000)
	best := time.Hour
	for range 5 {
		start := time.Now()
		Same("never run the full test suite locally", known)
		best = min(best, time.Since(start))
	}
	t.Logf("%v", best)
	if best > 10*time.Second { // square work would take minutes; what it takes is a benchmark
		t.Errorf("1,000 notes of 1 KB took %v", best)
	}
}

func TestANoteIsFoundByWhateverPartSaysTheSame(t *testing.T) {
	t.Parallel()
	long := "---\n# Shop\n\nThe shop runs on three servers in Warsaw.\n\n- Releases go out on Tuesday\n  in the afternoon.\n- Never log card numbers, tokens or names.\n\n```\nmake ship\n```\n"
	tests := []struct {
		name, text string
		known      Known
		want       Match // without File
	}{
		{"no note", "Never log card numbers.", Known{}, Match{}},
		{"an item of a list", "Never log card numbers, tokens or names", Known{Body: long}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"an item that goes on in the next line", "Releases go out on Tuesday in the afternoon.", Known{Body: long}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"the description", "Use pnpm", Known{Description: "Always use pnpm.", Body: "Because of the lock file."}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"the name when there is nothing else", "Use pnpm workspaces", Known{Name: "use_pnpm_workspaces"}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"a heading is no statement", "# Shop\n\nThe office moved.", Known{Body: "# Shop\n\nRefunds need two signatures."}, Match{}},
		{"not even one that is the same", "# Rules for releases of the shop\n\nThe office moved.", Known{Body: "# Rules for releases of the shop\n\nRefunds need two signatures."}, Match{}},
		{"a description of two sentences", "Use pnpm. Deploy on Friday mornings.", Known{Description: "Use pnpm. Deploy on Friday mornings.", Body: "The lock file broke in April."}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"one small change in order", "Write the spec before code", Known{Description: "Before code write the spec"}, Match{Kind: Near, Why: "the same words in another order"}},
		{"a heading alone is one", "# Use pnpm workspaces", Known{Description: "Use pnpm workspaces"}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"another day", "Releases go out on Monday in the afternoon.", Known{Body: long}, Match{Kind: Conflict, Why: `the same matter, but "monday", not "tuesday"`}},
		{"the opposite", "Log card numbers, tokens and names.", Known{Body: long}, Match{Kind: Conflict, Why: "the same matter, but one says yes and the other no"}},
		{"the first sentence is known and more follows", "Never log card numbers, tokens or names. The auditors read the logs.", Known{Body: long}, Match{Kind: Near, Why: "its first sentence says the same"}},
		{"Chinese", "不要在本地运行全部测试", Known{Description: "不要在本地运行全部测试。"}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"Chinese on another matter", "不要在本地运行全部测试", Known{Description: "用户喜欢简短的回答"}, Match{}},
		{"German, of which no word is known", "Der Server steht in Frankfurt am Main", Known{Description: "Der Server steht in Frankfurt am Main."}, Match{Kind: Exact, Score: 1, Why: "says the same"}},
		{"only small words", "It is what it is", Known{Description: "It is what it is"}, Match{}},
		{"a code block is no claim of its own", "make", Known{Body: long}, Match{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.known.File = "it.md"
			var got Match
			if all := Same(tt.text, []Known{{File: "empty.md"}, tt.known}); len(all) > 0 {
				got = all[0]
			}
			got.File = ""
			if got.Kind != Exact {
				got.Score = 0
			}
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestMatchesComeBestFirst(t *testing.T) {
	t.Parallel()
	known := []Known{
		{File: "near.md", Description: "Write all commit messages in English and with a ticket"},
		{File: "conflict.md", Description: "Write commit messages in Ukrainian"},
		{File: "b.md", Description: "Write commit messages in English"},
		{File: "a.md", Body: "Always write the commit messages in English."},
		{File: "none.md", Description: "The office is in Lviv"},
	}
	var got []string
	for _, m := range Same("Write commit messages in English.", known) {
		got = append(got, m.File+" "+m.Kind.String())
	}
	want := "a.md exact, b.md exact, conflict.md conflict, near.md near"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

func TestTwoSidesOfAComparisonAreAlike(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"pairs_develop.txt", "pairs_heldout.txt", "pairs_fresh.txt"} {
		for _, row := range rows(t, file) {
			there := verdict(Same(row[1], []Known{{File: "x", Description: row[2]}}), "x")
			back := verdict(Same(row[2], []Known{{File: "x", Description: row[1]}}), "x")
			if there != back {
				t.Errorf("%q and %q: %s one way, %s the other", row[1], row[2], there, back)
			}
		}
	}
}
