package note

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBodyEditsLeaveTheRest(t *testing.T) {
	set := func(text string) func(*Note) ([]byte, error) {
		return func(n *Note) ([]byte, error) { return n.SetBody(text) }
	}
	line := func(number int, text string) func(*Note) ([]byte, error) {
		return func(n *Note) ([]byte, error) { return n.SetLine(number, text) }
	}
	add := func(text string) func(*Note) ([]byte, error) {
		return func(n *Note) ([]byte, error) { return n.Append(text) }
	}
	for _, tc := range []struct {
		name, note string
		edit       func(*Note) ([]byte, error)
		want       string
	}{
		{"another body", "---\nname: a\n---\n\nB\n", set("C\nD\n"), "---\nname: a\n---\n\nC\nD\n"},
		{"without its last line break it gets one", "---\nname: a\n---\nB\n", set("C"), "---\nname: a\n---\nC\n"},
		{"where there was none it gets none", "---\nname: a\n---\nB", set("C"), "---\nname: a\n---\nC"},
		{"it gets the document's line breaks", "---\r\nname: a\r\n---\r\nB\r\n", set("C\nD\n"), "---\r\nname: a\r\n---\r\nC\r\nD\r\n"},
		{"blank lines in front of it go, indentation stays", "---\nname: a\n---\n\n\nB\n", set("\n \n    code\n"), "---\nname: a\n---\n\n\n    code\n"},
		{"the first body", "---\nname: a\n---\n", set("B"), "---\nname: a\n---\n\nB\n"},
		{"the first body behind a mark without a line break", "---\nname: a\n---", set("B"), "---\nname: a\n---\n\nB\n"},
		{"no body", "---\nname: a\n---\n\nB\n", set(""), "---\nname: a\n---\n\n"},
		{"without front matter", "\ufeffB\n", set("C"), "\ufeffC\n"},
		{"beside front matter that can't be read", "---\nname: a\ntwo\n---\nB\n", set("C"), "---\nname: a\ntwo\n---\nC\n"},
		{"the same body", "---\nname: a\n---\nB\r\nC\n", set("B\r\nC\n"), "---\nname: a\n---\nB\r\nC\n"},

		{"one line", "---\nname: a\n---\n\nB\nC\nD", line(6, "X"), "---\nname: a\n---\n\nB\nX\nD"},
		{"the last line", "---\nname: a\n---\n\nB\nC", line(6, "X"), "---\nname: a\n---\n\nB\nX"},
		{"a line in CRLF", "A\r\nB\r\n", line(1, "X"), "X\r\nB\r\n"},
		{"the blank line above the body", "---\nname: a\n---\n\nB\n", line(4, "X"), "---\nname: a\n---\nX\nB\n"},
		{"a line of a text whose front matter does not end", "---\nname: a\nB\n", line(3, "X"), "---\nname: a\nX\n"},

		{"more lines", "---\nname: a\n---\n\nB\n", add("C\nD\n\n"), "---\nname: a\n---\n\nB\nC\nD\n"},
		{"more lines without a last line break", "B", add("C"), "B\nC"},
		{"more lines in CRLF", "A\r\nB", add("C\nD"), "A\r\nB\r\nC\r\nD"},
		{"the first lines", "---\nname: a\n---\n", add("B"), "---\nname: a\n---\n\nB\n"},
		{"the first lines of an empty file", "", add("B"), "B\n"},
		{"nothing more", "B", add("\n"), "B"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := tc.edit(Parse([]byte(tc.note)))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestBodyEditsAreRefused(t *testing.T) {
	note := "---\nname: a\n---\n\nB\n"
	for _, tc := range []struct {
		name string
		edit func() ([]byte, error)
		want error
	}{
		{"a line of the front matter", func() ([]byte, error) { return Parse([]byte(note)).SetLine(2, "x") }, ErrValue},
		{"a line that is not there", func() ([]byte, error) { return Parse([]byte(note)).SetLine(6, "x") }, ErrValue},
		{"two lines for one", func() ([]byte, error) { return Parse([]byte(note)).SetLine(5, "x\ny") }, ErrValue},
		{"bytes that are no text", func() ([]byte, error) { return Parse([]byte(note)).Append("\xff") }, ErrValue},
		{"a NUL byte", func() ([]byte, error) { return Parse([]byte(note)).SetBody("a\x00") }, ErrValue},
		{"text that would be front matter", func() ([]byte, error) { return Parse([]byte("B\n")).SetBody("---\na: b\n---\n") }, ErrEntangled},
		{"a line that would be front matter", func() ([]byte, error) { return Parse([]byte("x\na: b\n---\n")).SetLine(1, "---") }, ErrEntangled},
		{"a line that would end front matter", func() ([]byte, error) { return Parse([]byte("---\na: b\nx\n")).SetLine(3, "---") }, ErrEntangled},
		{"the body of a note whose front matter does not end", func() ([]byte, error) { return Parse([]byte("---\na: b\nx\n")).SetBody("y") }, ErrLocked},
		{"UTF-16", func() ([]byte, error) { return Parse([]byte("\xff\xfea\x00")).Append("y") }, ErrLocked},
		{"a note that would be too long", func() ([]byte, error) { return Parse([]byte(note)).Append(strings.Repeat("a", MaxBytes)) }, ErrEntangled},
	} {
		if got, err := tc.edit(); !errors.Is(err, tc.want) {
			t.Errorf("%s: %q, %v; want %v", tc.name, got, err, tc.want)
		}
	}
}
