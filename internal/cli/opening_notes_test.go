package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/internal/term"
)

func FuzzSplitVersion(f *testing.F) {
	for _, s := range []string{"a.md@12", "a@b@3", "@1", "a@01", "a@+1", "a@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		name, id, ok := splitVersion(word)
		if ok && (name == "" || id < 1 || fmt.Sprintf("%s@%d", name, id) != word) {
			t.Fatalf("%q is read as %q, %d", word, name, id)
		}
	})
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{"a\tb\r", "\x1b[2J", "\r\r", "\u202e", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got := visible(line)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\n\r\x07\x7f\u009b\u202e") {
			t.Fatalf("visible(%q) = %q", line, got)
		}
		if strings.Count(got, "\t") != strings.Count(line, "\t") {
			t.Fatalf("visible(%q) = %q: tabs", line, got)
		}
	})
}

func FuzzClip(f *testing.F) {
	f.Add("plain words", 6)
	f.Add("行行行", 4)
	f.Add("e\u0301e\u0301e\u0301", 2)
	f.Add("👩\u200d💻👩\u200d💻", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		s = term.Safe(s)
		n = max(1, min(n, 500))
		got := clip(s, n)
		if got == s {
			if term.Width(s) > n {
				t.Fatalf("clip(%q, %d) leaves %d columns", s, n, term.Width(s))
			}
			return
		}
		if kept, ok := strings.CutSuffix(got, "…"); !ok || !strings.HasPrefix(s, kept) || term.Width(got) > n {
			t.Fatalf("clip(%q, %d) = %q, %d columns", s, n, got, term.Width(got))
		}
	})
}

func FuzzShellWord(f *testing.F) {
	for _, s := range []string{"a.md", "it's", "", "$(x)", "a b", "行", "-x", "a\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := shellWord(s)
		if got == s && (s == "" || strings.ContainsAny(s, " \t\n'\"\\$`*?[]{}()<>|&;!#")) {
			t.Fatalf("shellWord(%q) leaves what a shell reads", s)
		}
		if unquoted := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(got, "'"), "'"), `'\''`, "'"); got != s && unquoted != s {
			t.Fatalf("shellWord(%q) = %s", s, got)
		}
	})
}
