package instructions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/instructions"
)

func TestEveryAtSignHasAVerdict(t *testing.T) {
	type at struct {
		Path    string
		Verdict instructions.Verdict
		Despite instructions.Verdict
	}
	const ok = instructions.Imports
	for _, c := range []struct {
		name, text string
		want       []at
	}{
		{"an import", "see @a.md", []at{{"a.md", ok, 0}}},
		{"a fenced block", "```\n@a.md\n```", []at{{"a.md", instructions.InCodeBlock, 0}}},
		{"a fence that does not close", "```\n@a.md", []at{{"a.md", instructions.InCodeBlock, 0}}},
		{"a fenced block in a list", "- x\n  ~~~\n  @a.md\n  ~~~\n", []at{{"a.md", instructions.InCodeBlock, 0}}},
		{"a fenced block in a quote", "> ```\n> @a.md", []at{{"a.md", instructions.InCodeBlock, 0}}},
		{"an indented block", "x\n\n    @a.md\n", []at{{"a.md", instructions.InCodeBlock, 0}}},
		{"a code span", "use `@a.md` here", []at{{"a.md", instructions.InCodeSpan, 0}}},
		{"a code span with a space", "use ` @a.md ` here", []at{{"a.md", instructions.InCodeSpan, 0}}},
		{"a code span that imports, in a list item", "- use ` @a.md ` here", []at{{"a.md", ok, instructions.InCodeSpan}}},
		{"a comment block", "<!-- @a.md -->", []at{{"a.md", instructions.InComment, 0}}},
		{"a comment block without an end", "<!-- @a.md", []at{{"a.md", instructions.InComment, 0}}},
		{"text behind a comment block", "<!-- x --> @a.md", []at{{"a.md", ok, 0}}},
		{"a comment in a line", "x <!-- @a.md -->", []at{{"a.md", instructions.InComment, 0}}},
		{"a comment in a list item", "- x <!-- @a.md -->", []at{{"a.md", ok, instructions.InComment}}},
		{"a block of html", "<div>\n@a.md\n</div>", []at{{"a.md", instructions.InHTML, 0}}},
		{"a tag", `x <b title=" @a.md ">`, []at{{"a.md", instructions.InHTML, 0}}},
		{"a tag in a list item", `- x <b title=" @a.md ">`, []at{{"a.md", ok, instructions.InHTML}}},
		{"a link's target", "[x](@a.md)", []at{{"a.md)", instructions.InLinkTarget, 0}}},
		{"a link's title", `[x](y " @a.md ")`, []at{{"a.md", instructions.InLinkTarget, 0}}},
		{"a link's text", "[@a.md](y)", []at{{"a.md", ok, 0}}},
		{"an image", "![ @a.md ](y)", []at{{"a.md", instructions.InImage, 0}}},
		{"a definition", "[r]: @a.md", []at{{"a.md", instructions.InDefinition, 0}}},
		{"an escape", `\@a.md`, []at{{"a.md", instructions.Escaped, 0}}},
		{"an e-mail address", "me@b.c", []at{{"b.c", instructions.NotAfterSpace, 0}}},
		{"a parenthesis", "(@a.md)", []at{{"a.md)", instructions.NotAfterSpace, 0}}},
		{"a quote", `"@a.md"`, []at{{`a.md"`, instructions.NotAfterSpace, 0}}},
		{"a first character that none may have", "@@a.md @(x) @é", []at{
			{"@a.md", instructions.BadFirst, 0}, {"(x)", instructions.BadFirst, 0}, {"é", instructions.BadFirst, 0},
		}},
		{"an at sign alone", "a @ b @", nil},
		{"an at sign in a path", "@a@b", []at{{"a@b", ok, 0}}},
		{"a NUL", "x @a\x00b", []at{{"a\x00b", instructions.BreaksFile, 0}}},
		{"imports before what is none", "`@a` @b", []at{{"b", ok, 0}, {"a", instructions.InCodeSpan, 0}}},
		{"two readings of one at sign", "- @a`b`", []at{{"a`b`", ok, 0}, {"a", ok, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []at
			for _, i := range instructions.ScanImports(c.text) {
				got = append(got, at{i.Path, i.Verdict, i.Despite})
			}
			if d := cmp.Diff(c.want, got, cmp.AllowUnexported(at{})); d != "" {
				t.Errorf("%q (-want +got):\n%s", c.text, d)
			}
		})
	}
}

func TestImportsAreLocated(t *testing.T) {
	text := "é @a.md\r\n> - x\r> - y @b\\ c.md#d\n- `@e`\n"
	want := []instructions.Import{
		{Path: "a.md", Raw: "a.md", Offset: 3, Line: 1, Column: 3},
		{Path: "b c.md", Raw: `b\ c.md#d`, Offset: 22, Line: 3, Column: 7},
		{Path: "e", Raw: "e", Offset: 36, Line: 4, Column: 4, Verdict: instructions.InCodeSpan},
	}
	if d := cmp.Diff(want, instructions.ScanImports(text)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestPunctuationAtTheEndIsTold(t *testing.T) {
	for path, want := range map[string]string{
		"a.md": "", "a.md,": ",", "a.md.": ".", "a.md:": ":", "a.md);": ");", `a.md."`: `."`, "a.md's": "",
		"..": "", ".": "", "./": "", "a/..": "", "a.md!?": "!?", "a.md…": "",
	} {
		got := instructions.ScanImports("see @" + path)
		if len(got) != 1 || got[0].Trailing != want {
			t.Errorf("@%s: %+v, want trailing %q", path, got, want)
		} else if got[0].Trimmed() != strings.TrimSuffix(path, want) {
			t.Errorf("@%s: trimmed is %q", path, got[0].Trimmed())
		}
	}
}

func TestVerdictsHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for v := instructions.Imports; v <= instructions.NotScanned; v++ {
		if s := v.String(); s == "" || s == "unknown" || seen[s] {
			t.Errorf("verdict %d: %q", v, s)
		} else {
			seen[s] = true
		}
	}
	if s := (instructions.NotScanned + 1).String(); s != "unknown" {
		t.Errorf("a verdict that is none: %q", s)
	}
}

func TestTextWithoutCommentsOrImportsIsNotLexed(t *testing.T) {
	text := strings.Repeat("- plain `text` in *lists* [x](y)\n", 1000)
	if n := testing.AllocsPerRun(10, func() {
		if instructions.ScanImports(text) != nil || instructions.StripComments(text) != text {
			t.Error("something was found in nothing")
		}
	}); n != 0 {
		t.Errorf("%v allocations for a text without @ and <!--", n)
	}
}
