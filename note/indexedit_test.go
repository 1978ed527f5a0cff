package note

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInsertWritesALineAsTheIndexHasThem(t *testing.T) {
	for _, tc := range []struct {
		name, index string
		line        Line
		want        string
	}{
		{"an empty index", "", Line{File: "a.md", Title: "A", Hook: "about a"}, "- [A](a.md) — about a\n"},
		{"titles and hooks", "- [B](b.md) — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\n- [A](a.md) — y\n"},
		{"without a last line break", "- [B](b.md) — x", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\n- [A](a.md) — y"},
		{"CRLF", "# I\r\n\r\n- [B](b.md) — x\r\n", Line{File: "a.md", Title: "A", Hook: "y"}, "# I\r\n\r\n- [B](b.md) — x\r\n- [A](a.md) — y\r\n"},
		{"CRLF without the last", "- [B](b.md) — x\r\n- [C](c.md) — z", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\r\n- [C](c.md) — z\r\n- [A](a.md) — y"},
		{"file names and colons", "* [b.md](b.md): x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "* [b.md](b.md): x\n* [a.md](a.md): y\n"},
		{"the client's own index", "- [b](b.md) — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [b](b.md) — x\n- [a](a.md) — y\n"},
		{"wiki links", "- [[b]] - x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [[b]] - x\n- [[a]] - y\n"},
		{"wiki links with titles", "- [[b|B]]: x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [[b|B]]: x\n- [[a|A]]: y\n"},
		{"bold links", "- **[B](b.md)** — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- **[B](b.md)** — x\n- **[A](a.md)** — y\n"},
		{"numbers", "1. [B](b.md) — x\n2. [C](c.md) — z\n", Line{File: "a.md", Title: "A", Hook: "y"}, "1. [B](b.md) — x\n2. [C](c.md) — z\n3. [A](a.md) — y\n"},
		{"no list marks", "[B](b.md): x\n[C](c.md): x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "[B](b.md): x\n[C](c.md): x\n[A](a.md): y\n"},
		{"most lines decide", "- [B](b.md) — x\n- [c.md](c.md): x\n- [D](d.md) — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\n- [c.md](c.md): x\n- [D](d.md) — x\n- [A](a.md) — y\n"},
		{"under its heading", "# Index\n\n## User\n- [B](b.md) — x\n\n## Feedback\n- [C](c.md) — z\n", Line{File: "a.md", Title: "A", Hook: "y", Section: "user"}, "# Index\n\n## User\n- [B](b.md) — x\n- [A](a.md) — y\n\n## Feedback\n- [C](c.md) — z\n"},
		{"under a heading in the plural", "## References\n- [B](b.md)\n## X\n- [C](c.md) — z\n", Line{File: "a.md", Title: "A", Hook: "y", Section: "reference"}, "## References\n- [B](b.md)\n- [A](a.md) — y\n## X\n- [C](c.md) — z\n"},
		{"under a heading without a list", "# Index\n\n## User\n\n## Feedback\n- [C](c.md): z\n", Line{File: "a.md", Title: "A", Hook: "y", Section: "user"}, "# Index\n\n## User\n- [A](a.md): y\n\n## Feedback\n- [C](c.md): z\n"},
		{"a title that has the word is no section", "# Project memory\n\n## User\n- [B](b.md): x\n", Line{File: "a.md", Title: "A", Hook: "y", Section: "project"}, "# Project memory\n\n## User\n- [B](b.md): x\n- [A](a.md): y\n"},
		{"without its heading, the last list", "## User\n- [B](b.md) — x\n## Feedback\n* [c.md](c.md): z\n\nKeep this short.\n", Line{File: "a.md", Title: "A", Hook: "y", Section: "project"}, "## User\n- [B](b.md) — x\n## Feedback\n* [c.md](c.md): z\n* [a.md](a.md): y\n\nKeep this short.\n"},
		{"above a comment at the end", "- [B](b.md) — x\n\n<!-- keep under 200 lines -->\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\n- [A](a.md) — y\n\n<!-- keep under 200 lines -->\n"},
		{"text only", "# Index\n\nNothing yet.\n", Line{File: "a.md", Title: "A", Hook: "y"}, "# Index\n\nNothing yet.\n- [A](a.md) — y\n"},
		{"behind the lines that continue an item", "- [B](b.md) — x\n  more\n\n  still more\n\ntext\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\n  more\n\n  still more\n- [A](a.md) — y\n\ntext\n"},
		{"behind nested lines", "- [B](b.md) — x\n\t- [C](c.md) — z\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [B](b.md) — x\n\t- [C](c.md) — z\n- [A](a.md) — y\n"},
		{"a list that is indented", "Notes:\n\t- [B](b.md) — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "Notes:\n\t- [B](b.md) — x\n\t- [A](a.md) — y\n"},
		{"not in a comment that does not end", "<!-- \n- [B](b.md) — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "- [A](a.md) — y\n<!-- \n- [B](b.md) — x\n"},
		{"not in a fence that does not end", "text\n```\n- [B](b.md) — x\n", Line{File: "a.md", Title: "A", Hook: "y"}, "text\n- [A](a.md) — y\n```\n- [B](b.md) — x\n"},
		{"a mention is no line", "See [A](a.md) first.\n", Line{File: "a.md", Title: "A", Hook: "y"}, "See [A](a.md) first.\n- [A](a.md) — y\n"},
		{"a byte order mark", "\ufeff", Line{File: "a.md", Title: "A", Hook: "y"}, "\ufeff- [A](a.md) — y\n"},
		{"front matter", "---\na: b\n---\n", Line{File: "a.md", Title: "A", Hook: "y"}, "---\na: b\n---\n- [A](a.md) — y\n"},
		{"no title", "", Line{File: "sub/a.md"}, "- [a](sub/a.md)\n"},
		{"a file name with blanks and brackets", "", Line{File: "a (1) #2.md", Title: "A"}, "- [A](a%20%281%29%20%232.md)\n"},
		{"no wiki link for a name that is none", "- [[b]]: x\n", Line{File: "a|b.md", Title: "A"}, "- [[b]]: x\n- [A](a|b.md)\n"},
		{"text that would be a link, or two lines", "", Line{File: "a.md", Title: "A](b.md) [x\\", Hook: "see [B](b.md)\nand [[c]],\t\x00[[[d"}, "- [A)(b.md) (x](a.md) — see [B] (b.md) and [ [c]], [ [ [d\n"},
		{"a long hook", "", Line{File: "a.md", Title: "A", Hook: strings.Repeat("word ", 40)}, "- [A](a.md) — " + strings.Repeat("word ", 26) + "word…\n"},
		{"a long hook of emoji", "", Line{File: "a.md", Title: "A", Hook: strings.Repeat("😀", 100)}, "- [A](a.md) — " + strings.Repeat("😀", 67) + "…\n"},
		{"a long title", "", Line{File: "a.md", Title: strings.Repeat("t", 200), Hook: "y"}, "- [" + strings.Repeat("t", 139) + "…](a.md)\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ReadIndex([]byte(tc.index)).Insert(tc.line)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for line := range strings.Lines(string(got)) {
				if Units(strings.TrimRight(line, "\r\n")) > LineUnits {
					t.Errorf("%d units in %q", Units(line), line)
				}
			}
		})
	}
}

const index = "# Index\n\n- [A](a.md) — about a\n- [B](b.md)\n  goes on\n  - detail\n\nSee [B](b.md) first.\n* [c.md](sub/c.md#part): c and [A](a.md)\n- [[d|D]] - d\n"

func TestIndexEditsLeaveTheRest(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*Index) ([]byte, error)
		want string
	}{
		{"a line goes", func(x *Index) ([]byte, error) { return x.Remove("a.md") }, strings.Replace(index, "- [A](a.md) — about a\n", "", 1)},
		{"a line goes with what continues it", func(x *Index) ([]byte, error) { return x.Remove("b.md") }, strings.Replace(index, "- [B](b.md)\n  goes on\n  - detail\n", "", 1)},
		{"the last line goes", func(x *Index) ([]byte, error) { return x.Remove("d.md") }, strings.Replace(index, "- [[d|D]] - d\n", "", 1)},
		{"three lines go", func(x *Index) ([]byte, error) { return x.Remove("a.md", "./sub/c.md", "d.md") }, "# Index\n\n- [B](b.md)\n  goes on\n  - detail\n\nSee [B](b.md) first.\n"},
		{"another hook", func(x *Index) ([]byte, error) { return x.SetHook("a.md", "new") }, strings.Replace(index, "about a", "new", 1)},
		{"a hook where there was a line that continued", func(x *Index) ([]byte, error) { return x.SetHook("b.md", "new") }, strings.Replace(index, "- [B](b.md)\n  goes on\n", "- [B](b.md) — new\n", 1)},
		{"a hook behind a colon", func(x *Index) ([]byte, error) { return x.SetHook("sub/c.md", "new") }, strings.Replace(index, "c and [A](a.md)", "new", 1)},
		{"no hook", func(x *Index) ([]byte, error) { return x.SetHook("d.md", "") }, strings.Replace(index, "]] - d\n", "]]\n", 1)},
		{"the same hook", func(x *Index) ([]byte, error) { return x.SetHook("d.md", "d") }, index},
		{"another file", func(x *Index) ([]byte, error) { return x.Retarget("a.md", "new name.md") }, strings.ReplaceAll(index, "(a.md)", "(new%20name.md)")},
		{"another file in the mentions too", func(x *Index) ([]byte, error) { return x.Retarget("b.md", "x.md") }, strings.ReplaceAll(index, "(b.md)", "(x.md)")},
		{"another file, heading and title kept", func(x *Index) ([]byte, error) { return x.Retarget("sub/c.md", "sub/x.md") }, strings.Replace(index, "[c.md](sub/c.md#part)", "[x.md](sub/x.md#part)", 1)},
		{"another wiki link", func(x *Index) ([]byte, error) { return x.Retarget("d.md", "e.md") }, strings.Replace(index, "[[d|D]]", "[[e|D]]", 1)},
		{"a line moves up", func(x *Index) ([]byte, error) { return x.Move("d.md", "a.md") }, strings.Replace(strings.Replace(index, "- [[d|D]] - d\n", "", 1), "- [A](a", "- [[d|D]] - d\n- [A](a", 1)},
		{"a line moves down with what continues it", func(x *Index) ([]byte, error) { return x.Move("b.md", "d.md") }, strings.Replace(strings.Replace(index, "- [B](b.md)\n  goes on\n  - detail\n", "", 1), "- [[d", "- [B](b.md)\n  goes on\n  - detail\n- [[d", 1)},
		{"a line moves to the end", func(x *Index) ([]byte, error) { return x.Move("a.md", "") }, strings.Replace(index, "- [A](a.md) — about a\n", "", 1) + "- [A](a.md) — about a\n"},
		{"a line stays", func(x *Index) ([]byte, error) { return x.Move("a.md", "b.md") }, index},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, in := range []string{index, strings.TrimSuffix(index, "\n"), "\ufeff" + strings.ReplaceAll(index, "\n", "\r\n")} {
				x := ReadIndex([]byte(in))
				got, err := tc.edit(x)
				if err != nil {
					t.Fatal(err)
				}
				want := tc.want
				if strings.HasPrefix(in, "\ufeff") {
					want = "\ufeff" + strings.ReplaceAll(want, "\n", "\r\n")
				} else if !strings.HasSuffix(in, "\n") {
					want = strings.TrimSuffix(want, "\n")
				}
				if d := cmp.Diff(want, string(got)); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
				if string(x.raw) != in {
					t.Error("the index was written to")
				}
			}
		})
	}
}

func TestIndexEditsAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, index string
		edit        func(*Index) ([]byte, error)
		want        error
	}{
		{"a note that is there", index, func(x *Index) ([]byte, error) { return x.Insert(Line{File: "./a.md"}) }, ErrListed},
		{"a path that leads out", index, func(x *Index) ([]byte, error) { return x.Insert(Line{File: "../a.md"}) }, ErrValue},
		{"an absolute path", index, func(x *Index) ([]byte, error) { return x.Insert(Line{File: "/a.md"}) }, ErrValue},
		{"a path with a line break", index, func(x *Index) ([]byte, error) { return x.Insert(Line{File: "a\n.md"}) }, ErrValue},
		{"no path", index, func(x *Index) ([]byte, error) { return x.Insert(Line{}) }, ErrValue},
		{"a line that is not there", index, func(x *Index) ([]byte, error) { return x.Remove("x.md") }, ErrNotListed},
		{"a note that is only mentioned", "See [A](a.md).\n", func(x *Index) ([]byte, error) { return x.Remove("a.md") }, ErrNotListed},
		{"a note in a comment", "<!-- [A](a.md) -->\n", func(x *Index) ([]byte, error) { return x.Remove("a.md") }, ErrNotListed},
		{"a line that two notes share", "- [A](a.md), [B](b.md)\n", func(x *Index) ([]byte, error) { return x.Remove("a.md") }, ErrShared},
		{"a hook in a table", "| [A](a.md) | x |\n", func(x *Index) ([]byte, error) { return x.SetHook("a.md", "y") }, ErrEntangled},
		{"a target that is there", index, func(x *Index) ([]byte, error) { return x.Retarget("a.md", "b.md") }, ErrListed},
		{"a wiki link to what can't be one", "- [[a]]\n", func(x *Index) ([]byte, error) { return x.Retarget("a.md", "b|c.md") }, ErrEntangled},
		{"UTF-16", "\xff\xfea\x00", func(x *Index) ([]byte, error) { return x.Insert(Line{File: "a.md"}) }, ErrLocked},
		{"over 1 MiB", strings.Repeat("a", MaxBytes+1), func(x *Index) ([]byte, error) { return x.Remove("a.md") }, ErrLocked},
	} {
		if got, err := tc.edit(ReadIndex([]byte(tc.index))); !errors.Is(err, tc.want) {
			t.Errorf("%s: %q, %v; want %v", tc.name, got, err, tc.want)
		}
	}
}

func TestNotesThatShareALineGoTogether(t *testing.T) {
	got, err := ReadIndex([]byte("- [A](a.md), [B](b.md)\n- [C](c.md)\n")).Remove("b.md", "a.md")
	if err != nil || string(got) != "- [C](c.md)\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnIndentedHeadingDoesNotGoWithTheLineAbove(t *testing.T) {
	got, err := ReadIndex([]byte("- [A](a.md)\n ## More\n- [B](b.md)\n")).Remove("a.md")
	if err != nil || string(got) != " ## More\n- [B](b.md)\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTableRowsGo(t *testing.T) {
	in := "| note | about |\n|---|---|\n| [A](a.md) | x |\n| [B](b.md) | y |\n"
	got, err := ReadIndex([]byte(in)).Remove("a.md")
	if err != nil || string(got) != strings.Replace(in, "| [A](a.md) | x |\n", "", 1) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestMentionsAreTheLinesThatLinkToANote(t *testing.T) {
	if d := cmp.Diff([]int{4, 8}, ReadIndex([]byte(index)).Mentions("b.md")); d != "" {
		t.Error(d)
	}
}

func TestALineIsMadeOfANotesFields(t *testing.T) {
	for _, tc := range []struct {
		name, note string
		want       Line
	}{
		{"name and description", clientNote, Line{File: "f.md", Title: "tabs", Hook: "we use tabs", Section: "user"}},
		{"a description over lines", "---\nname: a\ndescription: |\n  one\n\n  two\n---\n", Line{File: "f.md", Title: "a", Hook: "one two"}},
		{"without front matter, the heading and the first line", "# The title\n\n- **first** line\nmore\n", Line{File: "f.md", Title: "The title", Hook: "**first** line"}},
		{"without anything", "", Line{File: "f.md"}},
	} {
		if d := cmp.Diff(tc.want, Parse([]byte(tc.note)).Line("f.md")); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

func TestClipCutsAtASpaceInTheSecondHalf(t *testing.T) {
	for _, tc := range []struct {
		in    string
		units int
		want  string
	}{
		{"short", 5, "short"},
		{"abcdef", 5, "abcd…"},
		{"abc def", 5, "abc…"},
		{"abc def", 6, "abc d…"},
		{"a bcdefg", 6, "a bcd…"},
		{"🚀🚀🚀🚀", 6, "🚀🚀…"},
		{"ab", 1, "…"},
		{"ab", 0, ""},
		{"", 0, ""},
	} {
		if got := Clip(tc.in, tc.units); got != tc.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tc.in, tc.units, got, tc.want)
		}
	}
}
