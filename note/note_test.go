package note

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// facts are what a table says of a note.
type facts struct {
	Name, Description, Type string
	Body                    string
	Editable                bool
	Problems                []string // "line: start of the text"
}

func factsOf(n *Note, problems []string) facts {
	f := facts{Name: n.Name(), Description: n.Description(), Type: n.Type(), Body: string(n.Body()), Editable: n.Editable()}
	for i, p := range n.Problems {
		s := fmt.Sprintf("%d: %s", p.Line, p.Text)
		if i < len(problems) && strings.HasPrefix(s, problems[i]) {
			s = problems[i]
		}
		f.Problems = append(f.Problems, s)
	}
	return f
}

func TestParseReadsEveryShapeSeenInTheWild(t *testing.T) {
	for _, tc := range []struct {
		name, note string
		want       facts
	}{
		{
			"what the client writes",
			"---\nname: tabs\ndescription: \"it's, tabs\"\nmetadata:\n  node_type: memory\n  type: user\n  originSessionId: 1b\n  modified: 2026-11-30T18:03:16.158Z\n---\n\nBody\n",
			facts{"tabs", "it's, tabs", "user", "Body\n", true, nil},
		},
		{"the type at the top", "---\nname: a\ndescription: b\ntype: project\n---\nBody", facts{"a", "b", "project", "Body", true, nil}},
		{"both types: the one below metadata counts", "---\ntype: user\nmetadata:\n  type: project\n---\n", facts{Type: "project", Editable: true}},
		{"a name below metadata is not the name", "---\nmetadata:\n  name: x\n---\n", facts{Editable: true}},
		{"metadata in braces", "---\nmetadata: {type: user}\n---\n", facts{Type: "user", Editable: true}},
		{"further keys", "---\nname: a\nlast-verified: 2026-08-14\ntags: [a, b]\n---\nB", facts{Name: "a", Body: "B", Editable: true}},
		{"single quotes", "---\ndescription: 'it''s: a'\n---\nB", facts{Description: "it's: a", Body: "B", Editable: true}},
		{"folded", "---\ndescription: >-\n  one\n  two\n---\nB", facts{Description: "one two", Body: "B", Editable: true}},
		{"literal", "---\ndescription: |\n  one\n  two\n---\nB", facts{Description: "one\ntwo\n", Body: "B", Editable: true}},
		{"plain over two lines", "---\ndescription: one\n  two\nname: a\n---\nB", facts{"a", "one two", "", "B", true, nil}},
		{"CRLF", "---\r\nname: a\r\ndescription: b\r\n---\r\n\r\nB\r\n", facts{"a", "b", "", "B\r\n", true, nil}},
		{"a byte order mark", "\ufeff---\nname: a\n---\nB", facts{Name: "a", Body: "B", Editable: true}},
		{"a byte order mark, CRLF and no final line break", "\ufeff---\r\nname: a\r\n---\r\nB", facts{Name: "a", Body: "B", Editable: true}},
		{"the body keeps its indentation", "---\nname: a\n---\n\n    code\n", facts{Name: "a", Body: "    code\n", Editable: true}},
		{"no front matter", "# Title\n\ntext\n", facts{Body: "# Title\n\ntext\n", Editable: true}},
		{"an empty file", "", facts{Editable: true}},
		{"empty front matter", "---\n---\nB", facts{Body: "B", Editable: true}},
		{"nothing but front matter", "---\nname: a\n---", facts{Name: "a", Editable: true}},
		{"a line of dashes and text", "--- a\nb\n", facts{Body: "--- a\nb\n", Editable: true}},

		{"an unquoted colon (A16, 128)", "---\nname: a\ndescription: Use X: not Y\n---\nB", facts{"a", "Use X: not Y", "", "B", true, []string{"3: not YAML"}}},
		{"a continuation that is not indented (A16, 128)", "---\nname: a\ndescription: one\ntwo\ntype: user\n---\nB", facts{Body: "B", Problems: []string{"4: the front matter can't be read: a key without a colon"}}},
		{"a description cut at its hash sign (A16, 127)", "---\nname: a\ndescription: Fix #12 in parser\n---\nB", facts{"a", "Fix", "", "B", true, []string{`3: the value of description ends before "#12 in parser"`}}},
		{"a blanked name (A16, 127)", "---\nname: \"\"\nmetadata:\n  node_type: memory\n---\nB", facts{Body: "B", Editable: true}},
		{"keys moved below metadata (A16, 127)", "---\nname: a\nmetadata:\n  node_type: memory\n  hook: b\n---\nB", facts{Name: "a", Body: "B", Editable: true}},
		{"an open quote (A16, 126)", "---\nname: \"a\ntype: user\n---\nB", facts{Body: "B", Problems: []string{"3: the front matter can't be read: unexpected 't'"}}},
		{"a stub (A16, 126)", "---\n{}\n---\nB", facts{Body: "B", Editable: true}},
		{"bytes of another encoding (A16, 130)", "---\nname: a\n---\n\xc4\xe3\xba\xc3\n", facts{Name: "a", Body: "\xc4\xe3\xba\xc3\n", Editable: true, Problems: []string{"4: a byte that is not UTF-8"}}},
		{"UTF-16", "\xff\xfe-\x00-\x00", facts{Body: "\xff\xfe-\x00-\x00", Problems: []string{"1: written in UTF-16"}}},
		{"a NUL byte", "---\nname: a\n---\na\x00b", facts{Name: "a", Body: "a\x00b", Problems: []string{"4: a NUL byte"}}},

		{"a number for a description", "---\ndescription: 5\n---\nB", facts{Body: "B", Editable: true, Problems: []string{"2: description is a number"}}},
		{"front matter that does not end", "---\nname: a\n\nB\n", facts{Body: "---\nname: a\n\nB\n", Problems: []string{"1: begins with --- as front matter does"}}},
		{"dashes in a value end it", "---\nname: a\ndescription: b --- c\n---\nB", facts{Name: "a", Description: "b", Body: "c\n---\nB", Problems: []string{"3: the front matter ends in the middle of this line"}}},
		{"text behind the closing mark", "---\nname: a\n--- B\n", facts{Name: "a", Body: "B\n", Editable: true, Problems: []string{"3: text behind the ---"}}},
		{"a list for front matter", "---\n- a\n---\nB", facts{Body: "B", Problems: []string{"2: the front matter can't be read: not keys with values but a list"}}},
		{"front matter longer than the client looks", long(31), facts{Name: "a", Body: "B", Editable: true, Problems: []string{"31: the front matter ends here"}}},
		{"front matter as long as the client looks", long(30), facts{Name: "a", Body: "B", Editable: true}},
		{"a rule at the top and another far below", "---\n" + strings.Repeat("text\n", 40) + "---\nB", facts{Body: "---\n" + strings.Repeat("text\n", 40) + "---\nB", Problems: []string{"1: begins with --- and the next --- is on line 42"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, factsOf(Parse([]byte(tc.note)), tc.want.Problems)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// long is a note whose front matter ends on line n.
func long(n int) string {
	return "---\nname: a\n" + strings.Repeat("#\n", n-3) + "---\nB"
}

func TestTheSameNoteReadsTheSameInEveryLineEnding(t *testing.T) { // U24
	lf := "---\nname: a\ndescription: \"b # c\"\nmetadata:\n  type: user\n  k: |\n    x\n    y\n---\n\nBody\nmore\n"
	want := Parse([]byte(lf)).values()
	for name, text := range endings(lf) {
		n := Parse([]byte(text))
		if d := cmp.Diff(want, n.values()); d != "" || len(n.Problems) > 0 {
			t.Errorf("%s: %v\n%s", name, n.Problems, d)
		}
	}
}

// endings are a text in the ways that U24 lists.
func endings(lf string) map[string]string {
	crlf := strings.ReplaceAll(lf, "\n", "\r\n")
	return map[string]string{
		"LF": lf, "CRLF": crlf, "BOM and LF": "\ufeff" + lf, "BOM and CRLF": "\ufeff" + crlf,
		"LF without the last": strings.TrimSuffix(lf, "\n"), "CRLF without the last": strings.TrimSuffix(crlf, "\r\n"),
	}
}

func TestFieldsHaveTheirLinesAndBytes(t *testing.T) {
	text := "\ufeff---\r\nname: a\r\nmetadata:\r\n  type: user\r\n  k: |\r\n    x\r\nm: {n: o}\r\n---\r\nB"
	type place struct {
		Key  string
		Line int
		Text string
	}
	var got []place
	for _, f := range Parse([]byte(text)).Fields {
		got = append(got, place{f.Key, f.Line, text[f.Start:f.End]})
	}
	want := []place{{"name", 2, "name: a\r\n"}, {"metadata.type", 4, "  type: user\r\n"}, {"metadata.k", 5, "  k: |\r\n    x\r\n"}, {"m", 7, "m: {n: o}\r\n"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestHostileNotesAreReadQuickly(t *testing.T) {
	fill := func(s string, n int) string { return strings.Repeat(s, n/len(s)) }
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	front := func(s string) string { return "---\n" + s + "\n---\nB\n" }
	for name, text := range map[string]string{
		"an alias bomb": front(bomb), "deep brackets": front("a: " + fill("[", 60_000)), "deep braces": front("a: " + fill("{a: ", 60_000)),
		"keys": front(fill("a: 1\n", 60_000)), "long front matter": front(fill("a", 70_000)),
		"brackets in the text": fill("[", MaxBytes), "wiki brackets": fill("[[", MaxBytes), "wiki brackets with text": fill("[[a", MaxBytes),
		"link starts": fill("](", MaxBytes), "link starts with text": fill("[a](b", MaxBytes), "angle links": fill("](<a", MaxBytes), "angle links that end": fill("](<>", MaxBytes),
		"backticks": fill("`", MaxBytes), "backticks of all sizes": ticksOfAllSizes(), "odd backticks": fill("` `` ", MaxBytes), "quotes": fill(">", MaxBytes), "list signs": fill("- ", MaxBytes),
		"comments": fill("<!--\n", MaxBytes), "lines": fill("\n", MaxBytes), "backslashes": fill("\\", MaxBytes), "carriage returns": fill("\r", MaxBytes),
		"byte order marks": fill("\ufeff", MaxBytes), "4 MiB": fill("a\n", 4<<20), "marks": fill("---\n", MaxBytes), "marks over 1 MiB": fill("---\n", 2<<20),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			n := Parse([]byte(text))
			n.Links()
			_, _ = n.Set("description", "x")
			_, _ = n.Remove("a")
			_, _ = n.SetBody("x")
			x := ReadIndex([]byte(text))
			_, _ = x.Insert(Line{File: "a.md", Hook: text[:min(len(text), 1<<16)]})
			ParseIndex(text)
			if took := time.Since(start); took > hang {
				t.Errorf("took %v", took)
			}
			if len(text) > MaxBytes && n.Editable() {
				t.Error("a note over 1 MiB can be edited")
			}
		})
	}
}

func ticksOfAllSizes() string {
	var b strings.Builder
	for i := 1; b.Len() < MaxBytes-2000; i++ {
		b.WriteString(strings.Repeat("`", i%1400+1) + " ")
	}
	return b.String()
}

func TestANoteOver1MiBIsReadByItsHead(t *testing.T) {
	b := make([]byte, 64<<20)
	copy(b, "---\nname: a\n---\nB\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := Parse(b)
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	if n.Name() != "a" || n.Editable() || allocated > 1<<20 {
		t.Errorf("name %q, editable %v, %d bytes allocated", n.Name(), n.Editable(), allocated)
	}
	if _, err := n.Append("x"); err == nil {
		t.Error("text was appended")
	}
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
