package suggest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dormouse/guard"
)

type labelled struct {
	line string
	want []string
}

// labels reads lines with the rules a person would write for them; "-" for none.
func labels(t *testing.T, name string) []labelled {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for row := range strings.Lines(string(b)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		want, line, ok := strings.Cut(strings.TrimRight(row, "\n"), "\t")
		if !ok {
			t.Fatalf("%s: %q has no tab", name, row)
		}
		l := labelled{line: line}
		if want != "-" {
			l.want = strings.Split(want, " && ")
		}
		out = append(out, l)
	}
	return out
}

// measured counts lines: right has all and only the rules of the label.
type measured struct{ right, offered, wanted, n int }

func measure(t *testing.T, name string) (m measured) {
	t.Helper()
	for _, l := range labels(t, name) {
		got := Line(plain(l.line))
		m.n++
		if len(got) > 0 {
			m.offered++
		}
		if len(l.want) > 0 {
			m.wanted++
		}
		switch {
		case strings.Join(got, "|") == strings.Join(l.want, "|"):
			if len(got) > 0 {
				m.right++
			}
		case testing.Verbose() && name == "seen.tsv":
			t.Logf("%s\n\tgot  %q\n\twant %q", l.line, got, l.want)
		}
	}
	t.Logf("%s: n=%d, precision %d/%d, recall %d/%d", name, m.n, m.right, m.offered, m.right, m.wanted)
	return m
}

// Less than this is a step back. The figures themselves are in the log.
const (
	minPrecision = 0.95
	minRecall    = 0.90
)

func TestSuggestionsAreThoseOfTheLabelledLines(t *testing.T) {
	for _, name := range []string{"seen.tsv", "held.tsv"} {
		m := measure(t, name)
		if p := float64(m.right) / float64(m.offered); p < minPrecision {
			t.Errorf("%s: precision %.2f, want %.2f", name, p, minPrecision)
		}
		if r := float64(m.right) / float64(m.wanted); r < minRecall {
			t.Errorf("%s: recall %.2f, want %.2f", name, r, minRecall)
		}
	}
}

func TestLinesOfATextAreFoundWithTheirNumbers(t *testing.T) {
	text := "---\ndescription: never force-push\n---\n# Rules\n\n<!-- Never push. -->\n- Never force-push.\n\n```sh\n# never force-push\n```\n\n1. Do not edit `migrations/`.\n2. Never force push!\n3. Don't touch vendor/\n"
	has, _ := guard.Parse(guard.Source{File: "C.md", Base: "/p"}, "```guard\ndeny edit vendor/**\n```\n")
	got := ""
	for _, s := range Lines(text, has) {
		got += fmt.Sprintf("%d %s: %s\n", s.Line, s.Text, strings.Join(s.Rules, "; "))
	}
	want := "7 Never force-push.: deny command git push (-f|--force|+*)\n13 Do not edit `migrations/`.: deny edit migrations/**\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"Never push `x", "не чіпай vendor/", "use a, not npm", "*.a `` ``` ,", "Files in `a/`: do not edit them or it, without asking"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, r := range Line(line) {
			if strings.ContainsAny(r, "\n`") {
				t.Errorf("%q offers %q, which is no line of a block", line, r)
			}
		}
		Lines(line, nil)
	})
}

func TestEveryOfferedRuleIsARule(t *testing.T) {
	for _, name := range []string{"seen.tsv", "held.tsv"} {
		for _, l := range labels(t, name) {
			for _, r := range append(Line(plain(l.line)), l.want...) {
				parsed, err := guard.ParseLine(guard.Source{File: "C.md", Base: "/p"}, r)
				if err != nil || parsed.String() != r {
					t.Errorf("%s: %q is read as %q: %v", l.line, r, parsed.String(), err)
				}
			}
		}
	}
}
