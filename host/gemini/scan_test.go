package gemini

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestScanFindsPathsAndTheirLines(t *testing.T) {
	got := scan("@a.md, x\n(@b) @c/d.md\r\n@1 @.x\t@/y `@z` ` @w `\n@é @-q @\n@last")
	want := []struct {
		path string
		line int
		code bool
	}{{"a.md,", 1, false}, {"c/d.md", 2, false}, {".x", 3, false}, {"/y", 3, false}, {"w", 3, true}, {"last", 5, false}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if g := got[i]; g.path != w.path || g.line != w.line || g.code != w.code {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
}

func TestCodeEndsWhereTheClientEndsIt(t *testing.T) {
	for text, want := range map[string]string{ // what is code is between < and >
		"a `b` c":           "a <`b`> c",
		"a `b c":            "a `b c",
		"``a` b`` c":        "<``a` b``> c",
		"``` a `` b":        "<``` a ``> b", // two of the three are closed
		"``` a `b":          "<``><` a `>b", // two of them close each other, the third waits
		"`` a ` b `` c ``":  "<`` a ` b ``> c <``>",
		"`a`b`c`":           "<`a`>b<`c`>",
		"````a":             "<````>a",
		"`````a":            "<````>`a",
		"`````a`":           "<````><`a`>",
		"``a```b`":          "<``a``><`b`>",
		"`":                 "`",
		"```\n@a\n```\n`@b": "<```\n@a\n```>\n`@b",
	} {
		var out strings.Builder
		last := 0
		s := newCodeScanner(text)
		for s.advance() {
			out.WriteString(text[last:s.start] + "<" + text[s.start:s.end] + ">")
			last = s.end
		}
		out.WriteString(text[last:])
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// slow finds code as the pattern's words say, one length of backticks after the
// other; Go's patterns know no reference back.
func slow(text string) [][2]int {
	var out [][2]int
	for i := 0; i < len(text); i++ {
		n := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		for k := n; k > 0; k-- {
			if at := strings.Index(text[i+k:], strings.Repeat("`", k)); at >= 0 {
				end := i + k + at + k
				out = append(out, [2]int{i, end})
				i = end - 1
				break
			}
		}
	}
	return out
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"@a.md", "` @a `` @b ``` @c ` @d", "``````` `` ```", "@", "x@y @.z\r\n@/w"} {
		f.Add(s)
	}
	find := regexp.MustCompile(`(?:^|[ \t\r\n])@([./A-Za-z][^ \t\r\n]*)`)
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), 400)] // slow is slow
		var got [][2]int
		s := newCodeScanner(text)
		for s.advance() {
			got = append(got, [2]int{s.start, s.end})
		}
		if diff := cmp.Diff(slow(text), got); diff != "" {
			t.Fatalf("code in %q (-slow +fast):\n%s", text, diff)
		}
		words := scan(text)
		for i, w := range words {
			if text[w.start:w.end] != "@"+w.path || w.line != strings.Count(text[:w.start], "\n")+1 || i > 0 && w.start < words[i-1].end {
				t.Fatalf("%+v in %q", w, text)
			}
			code := false
			for _, r := range got {
				code = code || w.start >= r[0] && w.start < r[1]
			}
			if code != w.code {
				t.Fatalf("%+v in %q: code is %v", w, text, code)
			}
		}
		// The pattern eats the white space between two paths, so only the first
		// can be compared.
		if m := find.FindStringSubmatch(text); utf8.ValidString(text) && (m == nil) != (len(words) == 0) || m != nil && len(words) > 0 && words[0].path != m[1] {
			t.Fatalf("first of %q: %v, want %q", text, words, m)
		}
	})
}

func TestAHardTextCostsNoMoreThanItsSize(t *testing.T) {
	const n = 4 << 20
	for name, text := range map[string]string{
		"backticks": strings.Repeat("`", n),
		"runs of all size": func() string {
			b := ""
			for i := 1; len(b) < 1<<20; i++ {
				b += strings.Repeat("`", i) + " @a "
			}
			return b
		}(),
		"falling runs": func() string {
			b := ""
			for i := 1400; i > 0; i-- {
				b += strings.Repeat("`", i) + " @a "
			}
			return b
		}(),
		"lone backticks": strings.Repeat("` @a ", n/5),
		"ats":            strings.Repeat("@", n),
		"words":          strings.Repeat("@a\n", n/3),
		"one long word":  "@a" + strings.Repeat("@a", n/2),
	} {
		start := time.Now()
		scan(text)
		if took := time.Since(start); took > hang {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
