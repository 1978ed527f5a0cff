package frontmatter

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type descriptionCase struct {
	Front       string
	Description string // in the index the client generates; "" none
}

func TestParseNoteReadsTheDescriptionsThatTheClientReads(t *testing.T) {
	for _, c := range recorded[descriptionCase](t, "descriptions.json") {
		got := ""
		f, err := ParseNote(c.Front)
		if err == nil {
			d, _ := f.Text("description")
			got = indexText(d)
		}
		if got != c.Description {
			t.Errorf("%q: description %q, the client has %q (%v)", c.Front, got, c.Description, err)
		}
	}
}

// indexText is what the client's index makes of a description, near enough for
// the recorded ones: white space runs become a space, control characters go.
func indexText(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case c != '\v' && c != '\f' && IsSpace(c) && c != 0xfeff:
			return ' '
		case unicode.Is(unicode.C, c):
			return -1
		}
		return c
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

func TestParseResolvesScalarsByTheCoreSchema(t *testing.T) {
	for _, c := range []struct {
		text string
		kind Kind
	}{
		{"yes", String},
		{"no", String},
		{"on", String},
		{"off", String},
		{"y", String},
		{"true", Bool},
		{"TRUE", Bool},
		{"tRUE", String},
		{"null", Null},
		{"~", Null},
		{"", Null},
		{"NULL", Null},
		{"nULL", String},
		{"1", Number},
		{"017", Number},
		{"08", Number},
		{"0o17", Number},
		{"0O17", String},
		{"0x1F", Number},
		{"-0x1F", Number},
		{"0b1", String},
		{"1_000", String},
		{"1.", Number},
		{".5", Number},
		{"1e3", Number},
		{"1e", String},
		{"+.inf", Number},
		{"-.nan", String},
		{"2024-01-02", String},
		{"12:30", String},
		{"=", String},
		{"<<", String},
		{"!!str 5", String},
		{"!!int 5", Number},
		{"!!int x", String},
		{"! 5", String},
		{"!x 5", String},
		{`"5"`, String},
		{"[a]", List},
		{"{a: b}", Map},
		{"- a", Map},
	} {
		t.Run(c.text+" is a "+c.kind.String(), func(t *testing.T) {
			front := "k: " + c.text
			if c.text == "- a" {
				front = "k:\n  a: b"
			}
			f, err := Parse(front)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := f.Get("k"); !ok || v.Value.Kind != c.kind {
				t.Errorf("read as %v (there: %v)", v.Value.Kind, ok)
			}
		})
	}
}

func TestParseTellsLinesAndSpans(t *testing.T) {
	front := "# head\nname: x # c\ndescription: >-\n  two\n\n  parts\nmetadata:\n  type: user\nlist:\n- a\n- b\n\nlast: |\n  t\n"
	f, err := Parse(front)
	if err != nil {
		t.Fatal(err)
	}
	type span struct {
		Key  string
		Line int
		Text string
	}
	var got []span
	for _, x := range f.List {
		got = append(got, span{x.Key, x.Line, front[x.Start:x.End]})
	}
	want := []span{
		{"name", 2, "name: x # c\n"},
		{"description", 3, "description: >-\n  two\n\n  parts\n"},
		{"metadata", 7, "metadata:\n  type: user\n"},
		{"list", 9, "list:\n- a\n- b\n"},
		{"last", 13, "last: |\n  t\n"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	m, _ := f.Get("metadata")
	typ, _ := m.Value.Get("type")
	if typ.Line != 8 || front[typ.Start:typ.End] != "  type: user\n" || typ.Value.Text != "user" {
		t.Errorf("nested field %+v", typ)
	}
}

func TestParseGivesNoSpanWhereAFieldCannotBeReplaced(t *testing.T) {
	f, err := Parse("{a: 1, b: 2}")
	if err != nil || f.List[0].Start != -1 {
		t.Errorf("in braces: %+v, %v", f, err)
	}
	f, err = Parse("base: &b {x: 1}\n<<: *b\n")
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := f.Get("x"); !ok || x.Start != -1 {
		t.Errorf("merged in: %+v, %v", x, ok)
	}
}

func TestParseMendsWhatTheClientMends(t *testing.T) {
	f, err := Parse("name: x\ndescription: Use X: not Y\npaths: **/*.go\n")
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := f.Text("description"); d != "Use X: not Y" {
		t.Errorf("description %q", d)
	}
	if d := cmp.Diff([]int{2, 3}, f.Mended); d != "" {
		t.Error("mended lines", d)
	}
	if f.Broken == nil || f.Broken.Line != 2 {
		t.Errorf("the first fault is %v", f.Broken)
	}
}

func TestParseSaysWhereABlockIsBroken(t *testing.T) {
	for _, c := range []struct {
		name, front string
		line        int
	}{
		{"an item of a list is never mended", "paths:\n  - **/*.go\n", 2},
		{"a quote without an end", "paths: a.go\nb: \"x\n", 2},
		{"text without a key", "paths: a.go\nfoo\n", 2},
		{"a line that ends in a carriage return is never mended", "paths: **/*.go\r\n", 1},
		{"a list instead of keys", "- a\n- b\n", 1},
		{"a sentence instead of keys", "just words\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse(c.front)
			var e *Error
			if !errors.As(err, &e) || len(f.List) != 0 {
				t.Fatalf("read as %+v, %v", f, err)
			}
			if e.Line != c.line || e.Reason == "" {
				t.Errorf("told as %v, want line %d", e, c.line)
			}
		})
	}
	if f, err := ParseNote("paths: **/*.go\r\n"); err != nil || len(f.List) != 1 {
		t.Errorf("in a note \\r\\n is mended: %+v, %v", f, err)
	}
}

func TestParseRefusesHostileBlocksQuickly(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, MaxBytes/len(s)) }
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+p+",", 9) + "]\n"
	}
	for name, front := range map[string]string{
		"open brackets": fill("["), "open braces": fill("{a: "), "dashes": fill("- "),
		"question marks": fill("? "), "keys": fill("a: x\n"), "anchors": fill("&a "),
		"long plain": "a: x\n" + fill(" x\n"), "long quoted": "a: \"" + fill("\n "), "comments": fill("#\n"),
		"colons": fill(": "), "stars": fill("a: *\n"), "deep": deepMap(), "bomb": bomb,
		"too long": fill("a") + "aa: b", "brackets in list values": fill("a: [[]]*]\n"),
	} {
		start := time.Now()
		_, err := Parse(front)
		if took := time.Since(start); took > hang {
			t.Errorf("%s took %v", name, took)
		}
		if name == "bomb" || name == "too long" || name == "deep" {
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s: %v, want ErrTooLarge", name, err)
			}
		}
	}
}

func deepMap() string {
	var b strings.Builder
	for i := 0; b.Len() < MaxBytes-400; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestAFieldCanBeReplacedAlone is what an edit relies on: cutting one field's
// span out leaves the other fields as they were.
func TestAFieldCanBeReplacedAlone(t *testing.T) {
	value := rapid.SampledFrom([]string{"x", "a: b", "**/*.go", `"q"`, "", "[a, b]", ">-\n  t\n\n  u", "\n  k: v", "\n- a\n- b", "|\n  x\n", "# c", "x # c"})
	key := rapid.SampledFrom([]string{"name", "description", "paths", "metadata", "x_y"})
	rapid.Check(t, func(t *rapid.T) {
		var front strings.Builder
		for _, k := range rapid.SliceOfNDistinct(key, 2, 5, rapid.ID[string]).Draw(t, "keys") {
			front.WriteString(k + ": " + value.Draw(t, "value") + "\n")
		}
		f, err := Parse(front.String())
		if err != nil {
			t.Skip("not readable")
		}
		i := rapid.IntRange(0, len(f.List)-1).Draw(t, "which")
		cut := f.List[i]
		rest, err := Parse(front.String()[:cut.Start] + front.String()[cut.End:])
		if err != nil {
			t.Fatalf("%q without %q: %v", front.String(), cut.Key, err)
		}
		want := values(append(append([]Field{}, f.List[:i]...), f.List[i+1:]...))
		if d := cmp.Diff(want, values(rest.List)); d != "" && len(f.Mended) == len(rest.Mended) {
			t.Fatalf("%q without %q:\n%s", front.String(), cut.Key, d)
		}
	})
}

func values(list []Field) map[string]Value {
	m := map[string]Value{}
	for _, f := range list {
		f.Value.Fields = nil // their lines move
		m[f.Key] = f.Value
	}
	return m
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a: b", "paths: **/*.go\nx: @y\n", "- a\n- b: [c, {d: e}]\n", "a: &x |2-\n   b\nc: *x\n<<: {d: 1}\n", "\ta: \"b\n  c\\u00e9\"\r\n? k\n: v", "a: !!str 5\n...\n", "a: [&x [*x]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, front string) {
		for _, parse := range []func(string) (Fields, error){Parse, ParseNote} {
			fields, err := parse(front)
			var e *Error
			if errors.As(err, &e) && (e.Line < 1 || e.Line > 1+strings.Count(front, "\n") || e.Reason == "") {
				t.Errorf("error without a place: %v", err)
			}
			checkSpans(t, front, fields.List)
		}
	})
}

func checkSpans(t *testing.T, front string, list []Field) {
	for _, x := range list {
		if x.Start == -1 && x.End == -1 {
			continue
		}
		if x.Start < 0 || x.End <= x.Start || x.End > len(front) || x.Line != 1+strings.Count(front[:x.Start], "\n") {
			t.Errorf("field %q has span %d:%d and line %d in %q", x.Key, x.Start, x.End, x.Line, front)
		}
	}
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
