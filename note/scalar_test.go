package note

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dormouse/frontmatter"
)

// recorded reads what the client did; see testdata/README.md.
func recorded[T any](t *testing.T, name string) []T {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("nothing recorded in " + name)
	}
	return all
}

type scalarCase struct{ Value, Written string }

func TestTheClientsQuotesAreUsedWhereTheClientUsesThem(t *testing.T) {
	for _, c := range recorded[scalarCase](t, "scalars.json") {
		if strings.Contains(c.Value, "---") {
			continue // the client breaks its own front matter with those
		}
		want := c.Written
		if want == c.Value && (strings.ContainsFunc(want, unprintable) || strings.TrimFunc(want, edge) != want) {
			want = quoteDouble(want) // what can't be seen is never left without quotes
		}
		if got := clientScalar(c.Value); got != want {
			t.Errorf("%q is written %s, the client writes %s", c.Value, got, want)
		}
	}
}

// readBack reads a value the way the client does.
func readBack(t *rapid.T, written string) string {
	note := "---\nk: " + written + "\nz: end\n---\n"
	b, ok := frontmatter.SplitNote(note)
	if !ok {
		t.Fatalf("no front matter in %q", note)
	}
	f, err := frontmatter.ParseNote(b.Front)
	if err != nil || f.Broken != nil {
		t.Fatalf("%q: %v %v", note, err, f.Broken)
	}
	if end, _ := f.Text("z"); end != "end" {
		t.Fatalf("%q swallows what follows", note)
	}
	s, ok := f.Text("k")
	if !ok {
		t.Fatalf("%q is read as no text", note)
	}
	return s
}

// awkward is text that is hard to write.
func awkward() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			" #", ": ", "*", "@", "&", "!", "%", "[", "]", "{", "}", "|", ">", "'", `"`, "- ", "---", "--", "...", "?", ",", "`", `\`, "\\x2d", "#",
			"\n", "\r\n", "\r", "\t", " ", "  ", "\x00", "\x01", "\x7f", "\u0085", "\u00a0", "\u2028", "\u2029", "\ufeff", "\u200b", "\ufffd",
			"😀", "👩‍👩‍👧", "é", "e\u0301", "ключ", "鍵", "a", "b c", "http://x.y/z", "[[x]]", "](y.md)", "<<", "=", "~", "/", "_",
		}),
		rapid.StringMatching(`[a-z]{1,6} ?`),
		rapid.String(),
	)
	words := rapid.SampledFrom([]string{
		"", "123", "1.5", "1e3", "-1", "0x1F", "017", "0o17", ".inf", ".nan", "true", "True", "FALSE", "null", "Null", "~", "yes", "no", "on", "off", "y", "n",
		"2024-01-02", "2024-01-02T10:11:12Z", "12:30", "1_000", "<<", "=", "-", "?", ":", "a:", "a: b", "a #b", "- a", "? a", "'a'", `"a"`, " a", "a ", "\ta", "!!str a", "!x", "*a", "&a b", "%a",
	})
	return rapid.OneOf(words, rapid.Custom(func(t *rapid.T) string {
		return strings.ToValidUTF8(strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), ""), "")
	}))
}

func TestEveryTextIsReadBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := awkward().Draw(t, "value")
		for _, written := range []string{scalar(s), quoteDouble(s), clientScalar(s)} {
			if got := readBack(t, written); got != s {
				t.Fatalf("%q is written %s and read back as %q", s, written, got)
			}
		}
		if written, ok := quoteSingle(s); ok {
			if got := readBack(t, written); got != s {
				t.Fatalf("%q is written %s and read back as %q", s, written, got)
			}
		}
	})
}

func TestQuotesAreUsedExactlyWhereTheReaderNeedsThem(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"plain words", "plain words"},
		{"it's, said \"he\"", "it's, said \"he\""},
		{"a#b", "a#b"},
		{"http://a.b/c", "http://a.b/c"},
		{"yes", "yes"},
		{"2024-01-02", "2024-01-02"},
		{"12:30", "12:30"},
		{"1_000", "1_000"},
		{"😀 ключ", "😀 ключ"},
		{"a -- b", "a -- b"},
		{"-x", "-x"},
		{"?x", "?x"},
		{"a #b", `"a #b"`},
		{"a: b", `"a: b"`},
		{"a:", `"a:"`},
		{"#a", `"#a"`},
		{"*a", `"*a"`},
		{"@a", `"@a"`},
		{"&a", `"&a"`},
		{"!a", `"!a"`},
		{"%a", `"%a"`},
		{"[a", `"[a"`},
		{"]a", `"]a"`},
		{"{a", `"{a"`},
		{"}a", `"}a"`},
		{"|a", `"|a"`},
		{">a", `">a"`},
		{"'a", `"'a"`},
		{`"a`, `"\"a"`},
		{"`a", "\"`a\""},
		{",a", `",a"`},
		{"- a", `"- a"`},
		{"? a", `"? a"`},
		{"-", `"-"`},
		{"123", `"123"`},
		{"1.5", `"1.5"`},
		{"0x1F", `"0x1F"`},
		{"true", `"true"`},
		{"null", `"null"`},
		{"~", `"~"`},
		{"", `""`},
		{" a", `" a"`},
		{"a ", `"a "`},
		{"\u00a0a", `"\_a"`},
		{"a\nb", `"a\nb"`},
		{"a\tb", `"a\tb"`},
		{"a\x00b", `"a\0b"`},
		{"a\x02b", `"a\x02b"`},
		{"a\u2028b", `"a\Lb"`},
		{"a --- b", `"a \x2d-- b"`},
		{"-----", `"\x2d\x2d\x2d--"`},
	} {
		if got := scalar(c.value); got != c.want {
			t.Errorf("%q is written %s, want %s", c.value, got, c.want)
		}
	}
}
