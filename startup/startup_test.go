package startup

import (
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

func TestUnitsAreThoseOfUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if got, want := Units(s), len(utf16.Encode([]rune(s))); got != want {
			t.Fatalf("Units(%q) = %d, want %d", s, got, want)
		}
	})
}

func TestTokensAreOfTheRightSize(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		from, to   int
	}{
		{"nothing", "", 0, 0},
		{"an English sentence", "Prices are integers in cents, and rounding happens once at the end.", 12, 20},
		{"a Ukrainian sentence", "Ціни зберігаються в копійках, а округлення робиться один раз.", 20, 34},
		{"a Chinese sentence", "价格以分为单位存储，四舍五入只做一次。", 14, 24},
		{"an index line", "- [Order 201](order_201.md) — what was learnt with order 201", 14, 24},
		{"code", "func main() { os.Exit(cli.Main(os.Args[1:], cli.System())) }", 16, 32},
	} {
		if got := Tokens(tc.text); got < tc.from || got > tc.to {
			t.Errorf("%s: ~%d tokens, want %d to %d", tc.name, got, tc.from, tc.to)
		}
	}
}

func TestTokensGrowWithTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if Tokens(a+"\n"+b) < max(Tokens(a), Tokens(b)) {
			t.Fatalf("%q and %q cost less together", a, b)
		}
	})
}

func TestAdviceNamesWhatIsWorstFirst(t *testing.T) {
	index := func(lines int) *Index {
		return &Index{Path: "/m/MEMORY.md", Lines: lines, LinesLimit: 200, CharsLimit: 25000}
	}
	on := MemoryState{On: true, Exists: true, Index: index(10)}
	loaded := []File{{Path: "/p/CLAUDE.md", Text: "x"}}
	for _, tc := range []struct {
		name string
		rep  Report
		says string
	}{
		{"nothing wrong", Report{Mem: on, Loaded: loaded}, "nothing"},
		{"a problem comes before all", Report{Mem: MemoryState{}, Problems: []Problem{{Path: "/x", What: "broken"}}}, "mend /x: broken"},
		{"off by a variable", Report{Mem: MemoryState{Switch: Decision{By: "VAR"}}}, "the variable VAR"},
		{"off by a file", Report{Mem: MemoryState{Switch: Decision{By: "key", File: "/s.json"}}}, "/s.json"},
		{"off by a flag", Report{Mem: MemoryState{Switch: Decision{By: "--bare"}}}, "--bare"},
		{"lines cut", Report{Mem: on, Loaded: []File{{Cut: &Cut{CutLines: 3}}}}, "3 of its lines"},
		{"a blank index", Report{Mem: MemoryState{On: true, Index: index(0), Notes: 2}}, "is blank"},
		{"another store", Report{Mem: MemoryState{On: true, Others: []Store{{Dir: "/other"}}}}, "/other"},
		{"a broken import", Report{Mem: on, Left: []Left{{Reason: NotImportMissing, Path: "/p/a.md", From: "/p/CLAUDE.md", Line: 3, Why: "finds no file"}}}, "/p/CLAUDE.md:3"},
		{"a package's name is no import", Report{Mem: on, Loaded: loaded, Left: []Left{{Reason: NotImportMissing, Path: "/p/scope/pkg", From: "/p/CLAUDE.md", Line: 3}}}, "nothing"},
		{"notes without a line", Report{Mem: on, Left: []Left{{Reason: NotIndexed, Path: "/m/a.md"}}}, "a.md"},
		{"near the limit", Report{Mem: MemoryState{On: true, Index: index(140)}, Loaded: loaded}, "140 of 200"},
		{"nothing there", Report{Mem: MemoryState{On: true}}, "write an instruction file"},
		{"past a budget", Report{Mem: on, Left: []Left{{Reason: NotBudget, Path: "/p/AGENTS.md", Why: "past 32768 bytes"}}}, "/p/AGENTS.md"},
		{"off by default is no fault", Report{Mem: MemoryState{Switch: Decision{By: "default"}}, Loaded: loaded}, "nothing: all"},
	} {
		if got := Advise(&tc.rep).What; !strings.Contains(got, tc.says) {
			t.Errorf("%s: %q does not say %q", tc.name, got, tc.says)
		}
	}
}
