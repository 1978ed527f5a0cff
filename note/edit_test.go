package note

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const clientNote = "---\nname: tabs\ndescription: we use tabs\nmetadata:\n  node_type: memory\n  type: user\n  originSessionId: 1b\n---\n\nBody\n"

func TestSetChangesOneField(t *testing.T) {
	for _, tc := range []struct {
		name, note, key, value, want string
	}{
		{"a plain value", "---\nname: a\ntype: user\n---\nB", "name", "b", "---\nname: b\ntype: user\n---\nB"},
		{"a field below metadata, where it stands", clientNote, "type", "project", strings.Replace(clientNote, "type: user", "type: project", 1)},
		{"a field at the top, where it stands", "---\ntype: user\nname: a\n---\n", "type", "project", "---\ntype: project\nname: a\n---\n"},
		{"a value with a colon", "---\ndescription: a\n---\n", "description", "Use X: not Y", "---\ndescription: \"Use X: not Y\"\n---\n"},
		{"a value with a hash sign", "---\ndescription: a\n---\n", "description", "Fix #12 now", "---\ndescription: \"Fix #12 now\"\n---\n"},
		{"quotes that were needed go when they are not", "---\ndescription: \"a: b\"\n---\n", "description", "ab", "---\ndescription: ab\n---\n"},
		{"quotes that were not needed stay", "---\ndescription: \"a\"\n---\n", "description", "b", "---\ndescription: \"b\"\n---\n"},
		{"single quotes stay single", "---\ndescription: 'a: b'\n---\n", "description", "it's: b", "---\ndescription: 'it''s: b'\n---\n"},
		{"a line break needs double quotes", "---\ndescription: 'a: b'\n---\n", "description", "a\nb", "---\ndescription: \"a\\nb\"\n---\n"},
		{"a comment stays", "---\ndescription:   a   # why\nname: n\n---\n", "description", "b", "---\ndescription:   b   # why\nname: n\n---\n"},
		{"what was cut off as a comment comes back (A16, 127)", "---\ndescription: Fix #12 in parser\n---\n", "description", "Fix #12 in parser", "---\ndescription: \"Fix #12 in parser\"\n---\n"},
		{"an empty value", "---\nname:\ntype: user\n---\n", "name", "a", "---\nname: a\ntype: user\n---\n"},
		{"an empty value with a comment", "---\nname: # none\n---\n", "name", "a", "---\nname: a # none\n---\n"},
		{"a quoted key", "---\n\"name\" : a\n---\n", "name", "b", "---\n\"name\" : b\n---\n"},
		{"a key with a question mark", "---\n? name\n: a\n---\n", "name", "b", "---\nname: b\n---\n"},
		{"a number", "---\nname: 5\n---\n", "name", "b", "---\nname: b\n---\n"},
		{"to a number", "---\nname: a\n---\n", "name", "5", "---\nname: \"5\"\n---\n"},
		{"a folded value", "---\ndescription: >-\n  one\n  two\nname: a\n---\n", "description", "three", "---\ndescription: >-\n  three\nname: a\n---\n"},
		{"a literal value", "---\ndescription: |\n    one\n    two\nname: a\n---\n", "description", "three\n\nfour\n", "---\ndescription: |\n    three\n\n    four\nname: a\n---\n"},
		{"a literal value to what it can't hold", "---\ndescription: |\n  one\nname: a\n---\n", "description", "two", "---\ndescription: two\nname: a\n---\n"},
		{"a plain value over two lines", "---\ndescription: one\n  two\nname: a\n---\n", "description", "three", "---\ndescription: three\nname: a\n---\n"},
		{"a quoted value over two lines", "---\ndescription: \"one\n  two\"\nname: a\n---\n", "description", "three", "---\ndescription: three\nname: a\n---\n"},
		{"CRLF", "---\r\nname: a\r\ntype: user\r\n---\r\nB\r\n", "name", "b", "---\r\nname: b\r\ntype: user\r\n---\r\nB\r\n"},
		{"CRLF in a literal", "---\r\nd: |\r\n  x\r\n  y\r\n---\r\n", "d", "p\nq\n", "---\r\nd: |\r\n  p\r\n  q\r\n---\r\n"},
		{"the last of two of the same key", "---\nname: a\nname: b\n---\n", "name", "c", "---\nname: a\nname: c\n---\n"},
		{"a mended line", "---\ndescription: Use X: not Y\nname: a\n---\n", "description", "Z", "---\ndescription: Z\nname: a\n---\n"},
		{"beside a mended line", "---\ndescription: Use X: not Y\nname: a\n---\n", "name", "b: c", "---\ndescription: Use X: not Y\nname: \"b: c\"\n---\n"},
		{"a mended line with a hash sign", "---\ndescription: a: b # c\nname: a\n---\n", "description", "d", "---\ndescription: d\nname: a\n---\n"},
		{"beside bytes of another encoding", "---\nname: a\nx: \xc4\xe3\n---\n\xba\xc3", "name", "b", "---\nname: b\nx: \xc4\xe3\n---\n\xba\xc3"},
		{"dashes in a value", "---\nname: a\n---\nB", "name", "a --- b", "---\nname: \"a \\x2d-- b\"\n---\nB"},
		{"the value it has", "---\nname: 'a'\n---\n", "name", "a", "---\nname: 'a'\n---\n"},
		{"front matter the client does not see", long(31), "name", "b", strings.Replace(long(31), "name: a", "name: b", 1)},

		{"a new description goes below the name", "---\nname: a\ntype: user\n---\n", "description", "d", "---\nname: a\ndescription: d\ntype: user\n---\n"},
		{"a new name goes first", "---\n# head\ntype: user\n---\n", "name", "a", "---\n# head\nname: a\ntype: user\n---\n"},
		{"a new type goes below metadata", "---\nname: a\nmetadata:\n    k: v\n---\n", "type", "user", "---\nname: a\nmetadata:\n    type: user\n    k: v\n---\n"},
		{"a new type without metadata goes to the top", "---\nname: a\nk: v\n---\n", "type", "user", "---\nname: a\ntype: user\nk: v\n---\n"},
		{"a new unknown key goes last", clientNote, "status", "done", strings.Replace(clientNote, "1b\n", "1b\n  status: done\n", 1)},
		{"a new key below an empty metadata", "---\nname: a\nmetadata:\n---\n", "type", "user", "---\nname: a\nmetadata:\n  type: user\n---\n"},
		{"metadata itself is new", "---\nname: a\n---\n", "metadata.type", "user", "---\nname: a\nmetadata:\n  type: user\n---\n"},
		{"a new field in CRLF", "---\r\nname: a\r\n---\r\n", "description", "d", "---\r\nname: a\r\ndescription: d\r\n---\r\n"},
		{"a new field in an indented map", "---\n  name: a\n---\n", "description", "d", "---\n  name: a\n  description: d\n---\n"},
		{"a new field behind a literal that keeps its breaks", "---\nname: |+\n  a\n\n---\n", "description", "d", "---\nname: |+\n  a\n\ndescription: d\n---\n"},
		{"a new field in empty front matter", "---\n---\nB", "name", "a", "---\nname: a\n---\nB"},
		{"a note without front matter gets one", "\ufeff# T\r\ntext", "description", "d", "\ufeff---\r\ndescription: d\r\n---\r\n\r\n# T\r\ntext"},
		{"its type goes below metadata", "text\n", "type", "user", "---\nmetadata:\n  type: user\n---\n\ntext\n"},
		{"an empty file gets front matter", "", "name", "a", "---\nname: a\n---\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := Parse([]byte(tc.note))
			got, err := n.Set(tc.key, tc.value)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if s, ok := Parse(got).Text(tc.key); !ok || s != tc.value {
				t.Errorf("reads %q, %v", s, ok)
			}
		})
	}
}

func TestSetRefusesWhatItCannotDoAlone(t *testing.T) {
	for _, tc := range []struct {
		name, note, key, value string
		want                   error
	}{
		{"front matter that can't be read (A16, 126)", "---\nname: a\ndescription: one\ntwo\n---\nB", "name", "b", ErrLocked},
		{"front matter that does not end", "---\nname: a\n\nB\n", "name", "b", ErrLocked},
		{"dashes in a value", "---\nname: a --- b\ntype: user\n---\nB", "type", "project", ErrLocked},
		{"UTF-16", "\xff\xfea\x00", "name", "b", ErrLocked},
		{"a list", "---\ntags: [a]\n---\n", "tags", "b", ErrEntangled},
		{"a field in braces", "---\nmetadata: {type: user}\n---\n", "type", "project", ErrEntangled},
		{"a new field in braces", "---\nmetadata: {type: user}\n---\n", "status", "b", ErrEntangled},
		{"all fields in braces", "---\n{name: a}\n---\n", "description", "b", ErrEntangled},
		{"an anchor that is in use", "---\nname: &x a\ndescription: *x\n---\n", "name", "b", ErrEntangled},
		{"a line end that only YAML sees", "---\nname: a\rtype: user\n---\n", "name", "b", ErrEntangled},
		{"a value that was read as a whole only because another is broken", "---\nname: a # b\ndescription: c: d\n---\n", "description", "e", ErrEntangled},
		{"the 31st line of front matter", long(30), "description", "b", ErrEntangled},
		{"bytes that are no text", "---\nname: a\n---\n", "name", "\xff", ErrValue},
		{"a key that is none", "---\nname: a\n---\n", "a: b", "c", ErrValue},
		{"metadata", "---\nname: a\n---\n", "metadata", "c", ErrValue},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := Parse([]byte(tc.note))
			got, err := n.Set(tc.key, tc.value)
			if !errors.Is(err, tc.want) {
				t.Fatalf("%q, %v; want %v", got, err, tc.want)
			}
			if string(n.Bytes()) != tc.note {
				t.Error("the note was written to")
			}
		})
	}
}

func TestRemoveTakesOneField(t *testing.T) {
	for _, tc := range []struct{ name, note, key, want string }{
		{"a line", "---\nname: a\ntype: user\n---\nB", "type", "---\nname: a\n---\nB"},
		{"several lines", "---\nname: a\ntags:\n- x\n- y\ntype: user\n---\nB", "tags", "---\nname: a\ntype: user\n---\nB"},
		{"below metadata", clientNote, "originSessionId", strings.Replace(clientNote, "  originSessionId: 1b\n", "", 1)},
		{"the last below metadata", "---\nname: a\nmetadata:\n  type: user\n---\n", "type", "---\nname: a\n---\n"},
		{"the last below metadata with a comment", "---\nname: a\nmetadata:\n  # c\n  type: user\n---\n", "type", "---\nname: a\nmetadata:\n  # c\n---\n"},
		{"the last of all", "---\nname: a\n---\nB", "name", "---\n---\nB"},
		{"both of a repeated key", "---\nname: a\ntype: user\nname: b\n---\nB", "name", "---\ntype: user\n---\nB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Parse([]byte(tc.note)).Remove(tc.key)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	if _, err := Parse([]byte(clientNote)).Remove("status"); !errors.Is(err, ErrNoField) {
		t.Errorf("a field that is not there: %v", err)
	}
	if _, err := Parse([]byte("---\na: &x b\nc: *x\n---\n")).Remove("a"); !errors.Is(err, ErrEntangled) {
		t.Errorf("an anchor in use: %v", err)
	}
}

func TestRevertsTellsWhetherSettingBackGivesTheBytes(t *testing.T) {
	for _, tc := range []struct {
		name, front, value string
		want               bool
	}{
		{"plain to plain", "description: a\n", "b", true},
		{"plain to quoted", "description: a\n", "b: c", true},
		{"quoted by need to plain", "description: \"a: b\"\n", "c", true},
		{"quoted by habit to quoted", "description: \"a\"\n", "b", true},
		{"quoted by habit to quoted by need", "description: \"a\"\n", "b: c", false},
		{"over two lines", "description: a\n  b\n", "c", false},
		{"a folded line", "description: >-\n  a\n", "b", true},
		{"a new field", "name: a\n", "b", true},
		{"a comment", "description: a # c\n", "b", true},
		{"a cut end that comes back", "description: Fix #1\n", "Fix #1", false},
		{"a number", "description: 5\n", "b", false},
	} {
		n := Parse([]byte("---\n" + tc.front + "---\nB\n"))
		if got := n.Reverts("description", tc.value); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestSetKeepsLineEndingsAndMarks(t *testing.T) { // U24
	lf := "---\nname: a\ndescription: b\nmetadata:\n  type: user\n---\n\nBody\nmore\n"
	for name, text := range endings(lf) {
		got, err := Parse([]byte(text)).Set("description", "c: d")
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(text, "description: b", "description: \"c: d\"", 1); string(got) != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
