package draft

import (
	"strings"
	"testing"
	"unicode"

	"dormouse/claim/token"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTextsAreSplitIntoFacts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", " \n\t\n", nil},
		{"one sentence", "Use pnpm.\n", []string{"Use pnpm."}},
		{"bullets", "- Use pnpm.\n- Never push to main.\n", []string{"Use pnpm.", "Never push to main."}},
		{"numbers", "1. Use pnpm.\n2) Deploy on Monday.\n", []string{"Use pnpm.", "Deploy on Monday."}},
		{"an item goes on in indented lines", "- Use pnpm,\n  not npm.\n- Two.\n", []string{"Use pnpm,\n  not npm.", "Two."}},
		{"an item goes on in lines that are not", "- Use pnpm,\nnot npm.\n- Two.\n", []string{"Use pnpm,\nnot npm.", "Two."}},
		{"items within an item stay in it", "- Before a release:\n  - tag\n  - push\n- Two\n", []string{"Before a release:\n  - tag\n  - push", "Two"}},
		{"an item's second paragraph", "- One\n\n  More of one.\n\n- Two\n", []string{"One\n\n  More of one.", "Two"}},
		{"paragraphs", "Use pnpm.\n\nThe build takes an hour.\n", []string{"Use pnpm.", "The build takes an hour."}},
		{"a paragraph that explains", "Use pnpm.\n\n**Why:** npm broke the lock file.\n\n**How to apply:** always.\n", []string{"Use pnpm.\n\n**Why:** npm broke the lock file.\n\n**How to apply:** always."}},
		{"code stays with what is above it", "Deploy so:\n\n```sh\nmake\n\n- x\n```\n\nThe office is in Kyiv.\n", []string{"Deploy so:\n\n```sh\nmake\n\n- x\n```", "The office is in Kyiv."}},
		{"code that is never closed", "```\na\n\nb\n", []string{"```\na\n\nb"}},
		{"a heading stays with what is first below it", "# Build\n\n- Use pnpm.\n- Two\n", []string{"# Build\n\nUse pnpm.", "Two"}},
		{"a sentence that leads in a list", "Never commit:\n- secrets\n- binaries\n", []string{"Never commit:\n- secrets\n- binaries"}},
		{"a label does not", "Things to remember:\n- Use pnpm.\n- Deploy on Monday.\n", []string{"Things to remember:\nUse pnpm.", "Deploy on Monday."}},
		{"sentences that stand by themselves", "I am a backend developer. Deploys happen on Friday. Use tabs in Makefiles.", []string{"I am a backend developer.", "Deploys happen on Friday.", "Use tabs in Makefiles."}},
		{"sentences with one matter", "Use pnpm for installs. The pnpm version is pinned.", []string{"Use pnpm for installs. The pnpm version is pinned."}},
		{"a sentence that points back", "Deploys happen on Friday. It takes an hour.", []string{"Deploys happen on Friday. It takes an hour."}},
		{"an abbreviation ends no sentence", "Write ids, e.g. User numbers, in hex.", []string{"Write ids, e.g. User numbers, in hex."}},
		{"a version ends no sentence", "We ship version 2.0 in May", []string{"We ship version 2.0 in May"}},
		{"Ukrainian", "Я досвідчений розробник. Деплой буде ввечері. Пиши коміти англійською.", []string{"Я досвідчений розробник.", "Деплой буде ввечері.", "Пиши коміти англійською."}},
		{"a table", "| a | b |\n|---|---|\n| 1 | 2 |\n", []string{"| a | b |\n|---|---|\n| 1 | 2 |"}},
		{"windows line breaks", "- One\r\n- Two\r\n", []string{"One", "Two"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Split(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// bones is what must survive of a text: all but white space and the list marks
// that lines begin with.
func bones(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		for n := token.MarkLen(line); n > 0; n = token.MarkLen(line) {
			line = strings.TrimLeft(line[n:], " \t")
		}
		for _, r := range line {
			if !unicode.IsSpace(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

func checkSplit(t interface{ Fatalf(string, ...any) }, text string) {
	facts := Split(text)
	if want, got := bones(text), bones(strings.Join(facts, "\n")); want != got {
		t.Fatalf("%q: kept\n%q, want\n%q\nfacts %q", text, got, want, facts)
	}
	for _, f := range facts {
		if strings.TrimSpace(f) == "" {
			t.Fatalf("%q: an empty fact in %q", text, facts)
		}
	}
}

func TestSplitLosesNothing(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"- ", "* ", "1. ", "12) ", "# ", "## x", "```", "~~~~", "```go", "\n", "\n\n", "  ", "\t", "Use pnpm.", " It is. ",
		"Never:", "Notes:", "Why: x", "e.g. A", "I am here now. You go there.", "|", "а", "Я тут зараз.", "•", "• x", "-", "1.", "。", "日本", "\r\n", "> q", ":", "**", "\u00a0",
	})
	rapid.Check(t, func(t *rapid.T) {
		checkSplit(t, strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(t, "pieces"), ""))
	})
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"- a\n- b", "# h\n\np. Q r s. T u v.\n", "```\nx", "Never:\n- a\n", "1. a\n   b\n2. c", "\xff. A\n-\n- \n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkSplit(t, text) })
}
