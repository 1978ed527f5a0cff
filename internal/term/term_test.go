package term

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSafeLeavesNothingThatATerminalActsOn(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"plain ї 行 🚀", "plain ї 行 🚀"},
		{"\x1b[31mred", "\\u001b[31mred"},
		{"a\nb\rc\x00", "a\\u000ab\\u000dc\\u0000"},
		{"\u202eback", "\\u202eback"},
		{"\u009b31m", "\\u009b31m"},
		{"wrong \xff\x9b", "wrong \\xff\\x9b"},
		{"👩\u200d💻", "👩\u200d💻"},
	} {
		if got := Safe(tc.in); got != tc.want {
			t.Errorf("Safe(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("a\x1b[2J\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Safe(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\n\r\x07\x7f\u009b\u202e") {
			t.Fatalf("Safe(%q) = %q", s, got)
		}
	})
}

func TestTailKeepsTheEndOfAPath(t *testing.T) {
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{{"/a/b/c.md", 9, "/a/b/c.md"}, {"/a/b/c.md", 8, "…/b/c.md"}, {"/a/b/c.md", 0, "/a/b/c.md"}, {"行行行", 5, "…行行"}, {"行行行", 1, "…"}} {
		if got := Tail(tc.in, tc.n); got != tc.want {
			t.Errorf("Tail(%q, %d) = %q, want %q", tc.in, tc.n, got, tc.want)
		}
	}
}

func TestMeterShowsItsPart(t *testing.T) {
	out := New(&bytes.Buffer{}, func(string) string { return "" })
	for _, tc := range []struct {
		part, whole int
		want        string
	}{{0, 200, "░░░░"}, {100, 200, "██░░"}, {200, 200, "████"}, {300, 200, "████"}} {
		if got := out.Meter(tc.part, tc.whole, 4); got != tc.want {
			t.Errorf("%d of %d: %q, want %q", tc.part, tc.whole, got, tc.want)
		}
	}
	out.Color = true
	if got := out.Meter(1, 2, 2); !strings.Contains(got, "\x1b[32m█\x1b[0m") {
		t.Errorf("no colour: %q", got)
	}
}
