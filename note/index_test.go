package note

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIndexLinesNameTheirNotes(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       []string
	}{
		{"a title and a hook", "- [Tabs](tabs.md) — indentation", []string{"tabs.md"}},
		{"the file's name as title", "- [tabs.md](tabs.md): indentation", []string{"tabs.md"}},
		{"a subfolder", "* [A](sub/a.md)", []string{"sub/a.md"}},
		{"a dot in front", "[A](./a.md)", []string{"a.md"}},
		{"out of the folder", "[A](../../outside.md)", []string{"../../outside.md"}},
		{"escaped spaces", "[A](my%20note.md)", []string{"my note.md"}},
		{"spaces in angle brackets", "[A](<my note.md>)", []string{"my note.md"}},
		{"a link's title", `[A](a.md "about a")`, []string{"a.md"}},
		{"a heading in the file", "[A](a.md#part)", []string{"a.md"}},
		{"parentheses in the name", "[A](a(1).md)", []string{"a(1).md"}},
		{"two notes", "[A](a.md) and [B](b.md)", []string{"a.md", "b.md"}},
		{"a wiki link", "- [[tabs]]", []string{"tabs.md"}},
		{"a wiki link with a text", "- [[tabs|Tabs]]", []string{"tabs.md"}},
		{"a web page", "[A](https://example.com/a.md)", nil},
		{"a place in the same file", "[A](#part)", nil},
		{"an open end", "[A](a.md", nil},
		{"plain text", "see a.md", nil},
	} {
		got := ParseIndex(tc.line)
		if len(got) != 1 {
			t.Errorf("%s: %d entries", tc.name, len(got))
			continue
		}
		if d := cmp.Diff(tc.want, got[0].Files); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

func TestBlankLinesAreCountedButNoEntries(t *testing.T) {
	got := ParseIndex("# Head\n\n- [A](a.md)\n")
	if len(got) != 2 || got[0].Line != 1 || got[1].Line != 3 {
		t.Errorf("%+v", got)
	}
}

func FuzzParseIndex(f *testing.F) {
	f.Add("- [A](a.md) — b\n[[x]] [B](<b c.md> \"t\")\n")
	f.Add("](((((")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, e := range ParseIndex(text) {
			if e.Line < 1 || e.Line > lines || e.Text == "" {
				t.Fatalf("%+v", e)
			}
			for _, file := range e.Files {
				if file == "" || file == "." && !strings.Contains(e.Text, ".") && !strings.Contains(e.Text, "/") {
					t.Fatalf("%q names %q", e.Text, file)
				}
			}
		}
	})
}
