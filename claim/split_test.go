package claim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// lines writes statements as their line, text and headings.
func lines(text string) []string {
	var out []string
	for _, c := range Split(text) {
		s := fmt.Sprintf("%d %s", c.Line, c.Text)
		if c.Under != "" {
			s += " < " + c.Under
		}
		out = append(out, s)
	}
	return out
}

func TestTextsAreTakenApartIntoStatements(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "\n\n", nil},
		{"sentences of a paragraph", "Use pnpm. Never use npm.\n", []string{"1 Use pnpm.", "1 Never use npm."}},
		{"a sentence over two lines", "Use pnpm for\nall installs. Never\nuse npm.\n", []string{"1 Use pnpm for all installs.", "2 Never use npm."}},
		{"items", "- Use pnpm\n- Never use npm\n", []string{"1 Use pnpm", "2 Never use npm"}},
		{"an item over two lines", "- Use pnpm\n  everywhere\n- Two\n", []string{"1 Use pnpm everywhere", "3 Two"}},
		{"numbered items", "1. Use pnpm\n2) Two\n", []string{"1 Use pnpm", "2 Two"}},
		{"items within items", "- Tools:\n  - Use pnpm\n    - Not npm\n", []string{"1 Tools:", "2 Use pnpm", "3 Not npm"}},
		{"boxes to tick", "- [ ] Use pnpm\n- [x] Two\n", []string{"1 Use pnpm", "2 Two"}},
		{"headings are none", "# Build\n\nUse pnpm.\n\n## Tests\n\nUse jest.\n\n# Other\n\nx y\n", []string{"3 Use pnpm. < Build", "7 Use jest. < Build / Tests", "11 x y < Other"}},
		{"underlined headings", "Build\n=====\n\nUse pnpm.\n", []string{"4 Use pnpm. < Build"}},
		{"code is none", "Use pnpm.\n\n```sh\nnpm install\n```\n\nTwo.\n", []string{"1 Use pnpm.", "7 Two."}},
		{"code that is never closed", "Use pnpm.\n~~~\nnpm\n", []string{"1 Use pnpm."}},
		{"code by indentation", "Use pnpm.\n\n    npm install\n\nTwo.\n", []string{"1 Use pnpm.", "5 Two."}},
		{"comments are none", "<!-- use npm\nor yarn -->\nUse pnpm.\n", []string{"3 Use pnpm."}},
		{"block quotes", "> Use pnpm for\n> installs.\n", []string{"1 Use pnpm for installs."}},
		{"rows of a table", "| tool | use |\n|---|---|\n| pnpm | installs |\n| jest | tests |\n", []string{"3 pnpm | installs", "4 jest | tests"}},
		{"bold leads", "**Why:** npm broke.\n**How to apply:** always.\n", []string{"1 **Why:** npm broke.", "2 **How to apply:** always."}},
		{"fields", "port: 5432\nhost: db.example.com\n", []string{"1 port: 5432", "2 host: db.example.com"}},
		{"lines of links only", "- [One](one.md)\n- [Two](two.md) — says two\n", []string{"2 [Two](two.md) — says two"}},
		{"rulers", "One.\n\n---\n\nTwo.\n", []string{"1 One.", "5 Two."}},
		{"Ukrainian", "Бери pnpm. Ніколи не\nбери npm.\n", []string{"1 Бери pnpm.", "1 Ніколи не бери npm."}},
		{"Chinese", "使用pnpm。不要使用npm。\n", []string{"1 使用pnpm。", "1 不要使用npm。"}},
		{"windows line breaks", "- One\r\n- Two\r\n", []string{"1 One", "2 Two"}},
		{"versions and abbreviations end nothing", "We run Go 1.26 on e.g. Linux.\n", []string{"1 We run Go 1.26 on e.g. Linux."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, lines(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// checkSplit checks what holds of any text: statements come in order, begin and
// end where they say, on the line that they say, and are in one line.
func checkSplit(t interface{ Fatalf(string, ...any) }, text string) {
	last := 0
	for _, c := range Split(text) {
		if c.Start < last || c.End <= c.Start || c.End > len(text) {
			t.Fatalf("%q: %+v after %d", text, c, last)
		}
		last = c.Start
		if want := 1 + strings.Count(text[:c.Start], "\n"); c.Line != want {
			t.Fatalf("%q: %+v is on line %d", text, c, want)
		}
		if strings.ContainsAny(c.Text, "\n\r") || strings.TrimSpace(c.Text) == "" {
			t.Fatalf("%q: %+v is no line", text, c)
		}
		if first := strings.Fields(c.Text)[0]; !strings.HasPrefix(text[c.Start:], first) && text[c.Start] != '|' {
			t.Fatalf("%q: %+v begins with %q", text, c, text[c.Start:c.End])
		}
	}
}

func TestStatementsAreWhereTheySay(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"- ", "* ", "1. ", "# ", "## x", "```", "~~~", "\n", "\n\n", "  ", "    ", "\t", "Use pnpm.", " It is. ", "Never:", "Why: x", "**Why:** x",
		"|", "| a | b |", "|---|", "Я тут. Ти там.", "> ", ">", "<!--", "-->", "===", "---", "日本。", "\r\n", "[a](b)", "[ ] ", "`make test`", ":", "\u00a0",
	})
	rapid.Check(t, func(t *rapid.T) {
		checkSplit(t, strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(t, "pieces"), ""))
	})
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"- a\n- b", "# h\n\np. Q r s.\n", "```\nx", "| a |\n|---|\n| b |", "> q\n> r. S t.", "<!-- a -->b", "\xff. A\n-\n- \n", "a\n=\n", "x: y\nz: w\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkSplit(t, text) })
}
