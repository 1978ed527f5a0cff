package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parsed lists rules and problems by line.
func parsed(text string) string {
	rules, problems := Parse(Source{File: "C.md", Base: "/p"}, text)
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "%d %s", r.Line, r.String())
		if r.Why != "" {
			fmt.Fprintf(&b, " # %s", r.Why)
		}
		b.WriteByte('\n')
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "%d! %s\n", p.Line, p.Text)
	}
	return b.String()
}

func TestABlockIsFoundWhereMarkdownHasIt(t *testing.T) {
	const rule = "deny command x\n"
	for _, tc := range []struct{ name, text, want string }{
		{"nothing", "deny command x\n", ""},
		{"a block", "# A\n\n```guard\n" + rule + "```\n", "4 deny command x\n"},
		{"another fence", "~~~guard\n" + rule + "~~~\n", "2 deny command x\n"},
		{"a longer fence", "````guard\n" + rule + "````\n", "2 deny command x\n"},
		{"a space before the word", "``` guard\n" + rule + "```\n", "2 deny command x\n"},
		{"more words behind it", "```guard rules\n" + rule + "```\n", "2 deny command x\n"},
		{"another language", "```sh\n" + rule + "```\n", ""},
		{"a longer word", "```guardian\n" + rule + "```\n", ""},
		{"two blocks", "```guard\n" + rule + "```\n\n```guard\nask tool Y\n```\n", "2 deny command x\n6 ask tool Y\n"},
		{"an example within a longer fence", "````markdown\n```guard\n" + rule + "```\n````\n", ""},
		{"in a comment, which doesn't load", "<!--\n```guard\n" + rule + "```\n-->\n", ""},
		{"in a list", "- so:\n\n  ```guard\n  deny command x\n  ```\n", "4 deny command x\n"},
		{"in a quote", "> ```guard\n> deny command x\n> ```\n", "2 deny command x\n"},
		{"behind front matter", "---\npaths: x\n---\n```guard\n" + rule + "```\n", "5 deny command x\n"},
		{"with CR LF", "```guard\r\ndeny command x\r\n```\r\n", "2 deny command x\n"},
		{"blank lines and comments", "```guard\n\n# why\n" + rule + "```\n", "4 deny command x\n"},
		{"a reason", "```guard\ndeny command x   # it hurts\n```\n", "2 deny command x # it hurts\n"},
		{"a # in a word is no comment", "```guard\ndeny edit a#b\n```\n", "2 deny edit a#b\n"},
		{"write is edit", "```guard\nDENY Write a\n```\n", "2 deny edit a\n"},
		{"no end, but only rules", "```guard\n" + rule, "2 deny command x\n"},
		{"no end", "```guard\n" + rule + "\nSome text.\nMore text.\n", "2 deny command x\n4! Some text.\n"},
		{"an empty block", "```guard\n```\n", ""},
		{"a wrong line drops no other", "```guard\n" + rule + "forbid y\nask tool Z\n```\n", "2 deny command x\n4 ask tool Z\n3! forbid y\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, parsed(tc.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAWrongLineSaysTheReasonAndTheWayOut(t *testing.T) {
	for _, tc := range []struct{ name, line, says string }{
		{"no verb", "git push", `begins with deny or ask, not with "git"`},
		{"allow", "allow command git push", "there is no allow"},
		{"a verb alone", "deny", "behind deny comes command"},
		{"no kind", "deny git push", `not "git"`},
		{"no command", "deny command", "no command stands behind it"},
		{"quotes", `deny command git commit -m "x"`, "without quotes"},
		{"two commands", "deny command a && b", "one command"},
		{"a choice without parentheses", "deny command git push -f|--force", "(-f|--force)"},
		{"a choice with spaces", "deny command git push (-f | --force)", "without spaces"},
		{"half a choice", "deny command git push (-f|)", "on each side"},
		{"an option first", "deny command -f", "the program's name comes first"},
		{"a long pattern", "deny command x " + strings.Repeat("y", 2000), "longer than"},
		{"no path", "deny edit", "no path stands behind it"},
		{"a pattern that allows", "deny edit !a", "would allow"},
		{"two paths", "deny edit a, b", "a line for each"},
		{"a path that leads out", "deny edit ../a", "can't match anything"},
		{"no tool", "deny tool", "one name"},
		{"two tools", "deny tool A B", "one name"},
		{"unknown what", "ask unknown command", "nothing stands behind unknown"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseLine(Source{Base: "/p"}, tc.line)
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%q: %v, want %q", tc.line, err, tc.says)
			}
		})
	}
}

func TestTooManyRulesAreAProblemAndTheFirstHold(t *testing.T) {
	rules, problems := Parse(Source{File: "C.md", Base: "/p"}, "```guard\n"+strings.Repeat("deny command x\n", maxRules+5)+"```\n")
	if len(rules) != maxRules || len(problems) != 1 || problems[0].Line != maxRules+2 {
		t.Errorf("%d rules, problems %+v", len(rules), problems)
	}
}

func TestPathsBeginAtTheFolderOfTheFile(t *testing.T) {
	for file, want := range map[string]string{
		"/p/CLAUDE.md": "/p", "/p/.claude/CLAUDE.md": "/p", "/p/.claude/rules/go/x.md": "/p", "/p/sub/CLAUDE.md": "/p/sub", "/CLAUDE.md": "/",
	} {
		if got := BaseOf(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
