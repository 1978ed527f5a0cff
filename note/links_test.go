package note

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestLinksAreFoundWithTheirPlaces(t *testing.T) {
	text := "\ufeff---\r\nname: a\r\n---\r\n\r\né [A](a.md) and\r\n[[b#part|B]]\r\n"
	got := Parse([]byte(text)).Links()
	want := []Link{
		{Target: "a.md", Text: "A", File: "a.md", Offset: strings.Index(text, "[A]"), End: strings.Index(text, " and"), Line: 5, Column: 3},
		{Wiki: true, Target: "b", Heading: "part", Text: "B", File: "b.md", Offset: strings.Index(text, "[[b"), End: len(text) - 2, Line: 6, Column: 1},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLinksByTheirForm(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []Link
	}{
		{"a Markdown link", "[A](a.md)", []Link{{Target: "a.md", Text: "A", File: "a.md"}}},
		{"a heading in a file", "[A](a.md#part)", []Link{{Target: "a.md", Heading: "part", Text: "A", File: "a.md"}}},
		{"a title", `[A](a.md "about")`, []Link{{Target: "a.md", Text: "A", File: "a.md"}}},
		{"angle brackets", "[A](<a b.md>)", []Link{{Target: "a b.md", Text: "A", File: "a b.md"}}},
		{"escaped blanks", "[A](a%20b.md)", []Link{{Target: "a%20b.md", Text: "A", File: "a b.md"}}},
		{"a web page", "[A](https://x.y/a.md)", []Link{{Target: "https://x.y/a.md", Text: "A"}}},
		{"a heading here", "[A](#part)", []Link{{Heading: "part", Text: "A"}}},
		{"a link out of the folder", "[A](../x/./a.md)", []Link{{Target: "../x/./a.md", Text: "A", File: "../x/a.md"}}},
		{"brackets in the text", "[a [b] c](a.md)", []Link{{Target: "a.md", Text: "a [b] c", File: "a.md"}}},
		{"a wiki link", "see [[a]].", []Link{{Wiki: true, Target: "a", Text: "a", File: "a.md"}}},
		{"a wiki link with its ending", "[[a.md]]", []Link{{Wiki: true, Target: "a.md", Text: "a.md", File: "a.md"}}},
		{"a wiki link with a text", "[[ a | the A ]]", []Link{{Wiki: true, Target: "a", Text: "the A", File: "a.md"}}},
		{"a wiki link to a heading", "[[a#b]]", []Link{{Wiki: true, Target: "a", Heading: "b", Text: "a#b", File: "a.md"}}},
		{"a wiki link to a heading here", "[[#b]]", []Link{{Wiki: true, Heading: "b", Text: "#b"}}},
		{"two links", "[A](a.md), [[b]]", []Link{{Target: "a.md", Text: "A", File: "a.md"}, {Wiki: true, Target: "b", Text: "b", File: "b.md"}}},
		{"in a list, a quote and a table", "- [A](a.md)\n> [[b]]\n| [[c]] |", []Link{{Target: "a.md", Text: "A", File: "a.md"}, {Wiki: true, Target: "b", Text: "b", File: "b.md"}, {Wiki: true, Target: "c", Text: "c", File: "c.md"}}},
		{"deep in a list", "- a\n\n    [[b]]", []Link{{Wiki: true, Target: "b", Text: "b", File: "b.md"}}},
		{"beside code", "`x` [[a]] `y`", []Link{{Wiki: true, Target: "a", Text: "a", File: "a.md"}}},
		{"a lone backtick", "a ` [[a]]", []Link{{Wiki: true, Target: "a", Text: "a", File: "a.md"}}},
		{"an escaped backtick", "\\`[[a]]`", []Link{{Wiki: true, Target: "a", Text: "a", File: "a.md"}}},
		{"behind a fence", "```\nx\n```\n[[a]]", []Link{{Wiki: true, Target: "a", Text: "a", File: "a.md"}}},
		{"behind a quoted fence that does not end", "> ```\n[[a]]", []Link{{Wiki: true, Target: "a", Text: "a", File: "a.md"}}},
		{"angle brackets without an end", "[A](<a.md> [[b]]", []Link{{Wiki: true, Target: "b", Text: "b", File: "b.md"}}},
		{"an image", "![A](a.png)", nil},
		{"an escaped bracket", `\[A](a.md) \[[a]]`, nil},
		{"in a code span", "`[[a]]` ``[A](a.md) ` ``", nil},
		{"in a code span over two lines", "`a\n[[a]]`", nil},
		{"in a fence", "```md\n[[a]]\n```", nil},
		{"in a fence of tildes with backticks in it", "~~~\n```\n[[a]]\n~~~", nil},
		{"in a fence in a list", "- a\n  ```\n  [[a]]\n  ```", nil},
		{"in a fence that does not end", "```\n[[a]]", nil},
		{"in indented code", "text\n\n    [[a]]\n\n    [[b]]", nil},
		{"in a comment", "<!-- [[a]]\n[[b]] -->", nil},
		{"an open end", "[A](a.md", nil},
		{"brackets in a row", "[[[]]] [[]] [](", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Parse([]byte(tc.text)).Links()
			if d := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(Link{}, "Offset", "End", "Line", "Column")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, l := range got {
				if s := tc.text[l.Offset:l.End]; !strings.HasPrefix(s, "[") || !strings.Contains(s, l.Target) {
					t.Errorf("place of %+v is %q", l, s)
				}
			}
		})
	}
}

func TestAFileNameWithSpacesIsALink(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"- [My](my note.md) — x":        "my note.md",
		"- [My](<my note.md>) — x":      "my note.md",
		"- [My](my%20note.md) — x":      "my note.md",
		"- [My](a.md \"a title.md\")":   "a.md",
		"- [My](a.md (its title).md)":   "a.md",
		"- [My](a.md) and (b c.md)":     "a.md",
		"- [My](sub/my own note.md): x": "sub/my own note.md",
	} {
		if got := files(line); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
