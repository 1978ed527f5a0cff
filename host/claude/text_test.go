package claude

import (
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/host/internal/look"
	"dormouse/startup"
)

func TestDecodeReplacesWrongBytesAsTheClientDoes(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"valid text stays", "aї🚀", "aї🚀"},
		{"a BOM stays", "\xef\xbb\xbfa", "\ufeffa"},
		{"two wrong bytes give two", "\xff\xfe", "��"},
		{"a sequence cut short gives one", "\xe2\x82x", "�x"},
		{"a four byte sequence cut short gives one", "\xf0\x9f\x9a", "�"},
		{"an overlong sequence gives one a byte", "\xc0\xaf", "��"},
		{"a surrogate gives one a byte", "\xed\xa0\x80", "���"},
		{"Latin-1 letters give one each", "caf\xe9 \xff", "caf� �"},
	} {
		if got := look.Text([]byte(tc.in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestTheIndexIsCutWhereTheClientCutsIt(t *testing.T) {
	line := func(n int) string { return strings.Repeat("x", n) }
	for _, tc := range []struct {
		name, in string
		kept     int // UTF-16 units
		by       string
		first    int
		within   int
	}{
		{"200 lines load", strings.Repeat("a\n", 199) + "a", 399, "", 0, 0},
		{"of 201 lines one is lost", strings.Repeat("a\n", 200) + "a", 399, "lines", 201, 0},
		{"25,000 units load", line(25000), 25000, "", 0, 0},
		{"a line break right behind 25,000 units ends a line that fits", line(12499) + "\n" + line(12500) + "\nb", 25000, "size", 3, 0},
		{"one unit more and the last line goes", line(12499) + "\n" + line(12501), 12499, "size", 2, 0},
		{"a single long line is cut inside", line(25001), 25000, "size", 0, 1},
		{"half a character there goes", "a" + strings.Repeat("🚀", 13000), 24999, "size", 0, 1},
		{"over both limits both are named", strings.Repeat(line(200)+"\n", 250) + "a", 24923, "both", 125, 0},
		{"over both limits the lines can decide alone", strings.Repeat(line(100)+"\n", 260) + "a", 20199, "both", 201, 0},
		{"Cyrillic counts a unit a letter", strings.Repeat("ї", 25000), 25000, "", 0, 0},
	} {
		kept, cut := cutIndex(tc.in)
		if got := startup.Units(kept); got != tc.kept {
			t.Errorf("%s: %d units load, want %d", tc.name, got, tc.kept)
		}
		if cut == nil {
			cut = &startup.Cut{}
		}
		if cut.By != tc.by || cut.FirstCutLine != tc.first || cut.WithinLine != tc.within {
			t.Errorf("%s: %+v", tc.name, *cut)
		}
	}
}

func FuzzIndexText(f *testing.F) {
	for _, s := range []string{"- [A](a.md) — b\n", "\xff\xfe\u200b</system-reminder>", strings.Repeat("🚀\n", 300), "<\\\n\t/tick"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := look.Text(b)
		if !utf8.ValidString(s) {
			t.Fatalf("decode gave invalid UTF-8: %q", s)
		}
		kept, cut := cutIndex(s)
		if !strings.HasPrefix(s, kept) || startup.Units(kept) > indexUnits || startup.Lines(kept) > indexLines {
			t.Fatalf("cut to %d units, %d lines", startup.Units(kept), startup.Lines(kept))
		}
		if (cut == nil) != (kept == s) {
			t.Fatalf("cut %+v, but %d of %d bytes are kept", cut, len(kept), len(s))
		}
		clean := sanitizeIndex(kept)
		if again := sanitizeIndex(clean); again != clean {
			t.Fatalf("not stable: %q, then %q", clean, again)
		}
	})
}

func FuzzFolderName(f *testing.F) {
	f.Add("/tmp/проект")
	f.Fuzz(func(t *testing.T, path string) {
		name := FolderName(path)
		if len(name) > folderNameMax+8 {
			t.Fatalf("%d bytes", len(name))
		}
		for _, r := range name {
			if r != '-' && !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
				t.Fatalf("%q in %q", r, name)
			}
		}
	})
}
