package scan_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"dormouse/scan"
)

// has reports a finding of the rule that covers the bytes start to end.
func has(found []scan.Finding, rule string, start, end int) bool {
	for _, f := range found {
		if f.Rule == rule && f.Start <= start && f.End >= end {
			return true
		}
	}
	return false
}

func TestHiddenChannelsAreFoundAtTheirPlace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, before, hidden, after, rule string
		level                             scan.Level
	}{
		{"tag letters", "Port 80.", "\U000e0072\U000e006d", "", "hidden/tags", scan.Block},
		{"a lone tag", "a", "\U000e0041", "b", "hidden/tags", scan.Block},
		{"tags after a black flag that close nothing", "🏴", "\U000e0067\U000e0062", " x", "hidden/tags", scan.Block},
		{"a flag with too long a region", "🏴", "\U000e0067\U000e0062\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061\U000e007f", "", "hidden/tags", scan.Block},
		{"bytes in selectors", "ok", "\U000e0100\U000e0175", "", "hidden/selectors", scan.Block},
		{"a selector after a letter", "ok", "\U000e0100", "", "hidden/selectors", scan.Block},
		{"one selector after an ideograph", "葛", "\U000e0100", "", "hidden/selector-han", scan.Warn},
		{"two selectors after an ideograph", "葛", "\U000e0100\U000e0101", "", "hidden/selectors", scan.Block},
		{"VS1", "x", "\ufe00", "", "hidden/selector", scan.Warn},
		{"VS16 after a letter", "x", "\ufe0f", "y", "hidden/selector", scan.Warn},
		{"VS15 at the start", "", "\ufe0e", "y", "hidden/selector", scan.Warn},
		{"VS16 twice", "❤", "\ufe0f\ufe0f", "", "hidden/selector-run", scan.Block},
		{"zero width space in a word", "ig", "\u200b", "nore", "hidden/zero-width", scan.Block},
		{"soft hyphen in a word", "pro", "\u00ad", "ject", "hidden/zero-width", scan.Block},
		{"word joiner in a word", "co", "\u2060", "de", "hidden/zero-width", scan.Block},
		{"byte order mark in a word", "co", "\ufeff", "de", "hidden/zero-width", scan.Block},
		{"invisible times in a word", "co", "\u2062", "de", "hidden/zero-width", scan.Block},
		{"two zero width spaces", "a ", "\u200b\u200b", " b", "hidden/zero-width", scan.Block},
		{"a zero width space between words", "a ", "\u200b", " b", "hidden/zero-width-single", scan.Warn},
		{"non-joiner between ASCII letters", "pa", "\u200c", "ss", "hidden/zero-width", scan.Block},
		{"joiner between digits", "1", "\u200d", "2", "hidden/zero-width", scan.Block},
		{"override", "a ", "\u202e", "b", "hidden/bidi", scan.Block},
		{"isolate", "a ", "\u2066", "b", "hidden/bidi", scan.Block},
		{"mark in Latin text", "a ", "\u200f", "b", "hidden/mark", scan.Warn},
		{"marks in a row", "a ", "\u200e\u200f\u200e", "b", "hidden/mark-run", scan.Block},
		{"Hangul filler", "a", "\u3164", "b", "hidden/filler", scan.Block},
		{"half width filler", "a", "\uffa0", "b", "hidden/filler", scan.Block},
		{"choseong filler", "a", "\u115f", "b", "hidden/filler", scan.Block},
		{"blank Braille in prose", "a", "\u2800", "b", "hidden/filler", scan.Block},
		{"private use", "a", "\ue0b0", "b", "hidden/private-use", scan.Block},
		{"private use, plane 16", "a", "\U00100041", "b", "hidden/private-use", scan.Block},
		{"escape", "a", "\x1b", "[2Jb", "hidden/escape", scan.Block},
		{"backspace", "a", "\b", "b", "hidden/control", scan.Block},
		{"C1", "a", "\u0085", "b", "hidden/control", scan.Block},
		{"carriage return inside a line", "a", "\r", "b", "hidden/control", scan.Block},
		{"line separator", "a", "\u2028", "b", "hidden/line-separator", scan.Warn},
		{"grapheme joiner", "a", "\u034f", "b", "hidden/invisible", scan.Block},
		{"musical format", "a", "\U0001d173", "b", "hidden/invisible", scan.Block},
		{"noncharacter", "a", "\ufdd0", "b", "hidden/invisible", scan.Block},
		{"shorthand format", "a", "\U0001bca0", "b", "hidden/invisible", scan.Block},
		{"bad UTF-8", "a", "\xff\xfe", "b", "hidden/invalid-utf8", scan.Quarantine},
		{"Cyrillic in a Latin word", "the ", "pаypal", " page", "hidden/homoglyph", scan.Warn},
		{"Greek in a Latin word", "the ", "gοogle", " page", "hidden/homoglyph", scan.Warn},
		{"Cyrillic in a link", "see https://", "gіthub", ".com/x", "hidden/homoglyph-target", scan.Block},
		{"Cyrillic in a package", "npm install ", "lоdash", "", "hidden/homoglyph-target", scan.Block},
		{"Cyrillic in code", "run `", "сurl", " x`", "hidden/homoglyph-target", scan.Block},
	}
	s := scan.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := tt.before + tt.hidden + tt.after
			found := s.Scan(text, scan.Options{})
			start := len(tt.before)
			if !has(found, tt.rule, start, start+len(tt.hidden)) {
				t.Fatalf("no %s over %d-%d of %q: %+v", tt.rule, start, start+len(tt.hidden), text, found)
			}
			for _, f := range found {
				if f.Rule == tt.rule && f.Level != tt.level {
					t.Errorf("level %s, want %s", f.Level, tt.level)
				}
			}
		})
	}
}

func TestHonestUsesOfHiddenCharactersPass(t *testing.T) {
	t.Parallel()
	s := scan.New()
	for name, text := range map[string]string{
		"family of joined emoji":        "👨\u200d👩\u200d👧\u200d👦",
		"heart on fire":                 "❤\ufe0f\u200d🔥",
		"skin tone and profession":      "👩🏽\u200d🚒",
		"keycap":                        "1\ufe0f\u20e3 #\ufe0f\u20e3",
		"text form of a sign":           "☎\ufe0e and ©\ufe0f",
		"flag of Scotland":              "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
		"Persian non-joiner":            "می\u200cخواهم",
		"Persian non-joiner at the end": "می\u200c خواهم",
		"Devanagari joiner":             "क्\u200dष",
		"Bengali joiner":                "র\u200d্য",
		"Sinhala joiner":                "ක්\u200dෂ",
		"marks in Hebrew":               "שלום \u200fHTML\u200e עולם",
		"mark in Arabic":                "عربي \u061cHTML",
		"break in Thai":                 "ภาษา\u200bไทย",
		"break in Khmer":                "ភាសា\u200bខ្មែរ",
		"byte order mark first":         "\ufefftext",
		"Mongolian selector":            "ᠭ\u180bᠠ",
		"Windows line ends":             "a\r\nb\r\n",
		"Braille text":                  "⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙",
		"no-break spaces":               "5\u00a0km, «\u202fbon\u202f»",
		"Arabic number sign":            "\u0600123",
		"Cyrillic prose":                "Порт базы данных — 5433, тесты в internal/x.",
		"Russian ending":                "Открой PRы и проверь APIа.",
		"Greek formula":                 "Δt = 5 µs, αx + βy",
		"spinner":                       "⠋⠙⠹⠸",
	} {
		for _, f := range s.Scan(text, scan.Options{}) {
			t.Errorf("%s: %s at %d in %q", name, f.Rule, f.Start, text)
		}
	}
}

func TestManyLoneCharactersAreACode(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word \u200b", 6)
	if found := scan.New().Scan(text, scan.Options{}); top(found) != scan.Block {
		t.Errorf("level %s, want block: %+v", top(found), found)
	}
}

func TestVisibleShowsEveryHiddenCharacter(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\u200bb":                           "a<U+200B>b",
		"x\U000e0041":                        "x<U+E0041>",
		"\x1b[31mred":                        "<U+001B>[31mred",
		"\xff":                               "<0xFF>",
		"a\r\nb":                             "a\nb",
		"a\rb":                               "a<U+000D>b",
		"a\tb":                               "a\tb",
		"a" + strings.Repeat(" ", 300) + "b": "a<300 spaces>b",
		"a" + strings.Repeat("\n", 50) + "b": "a\n<49 blank lines>\nb",
		"<U+200B>":                           "<U+003C>U+200B>",
		"<300 spaces>":                       "<U+003C>300 spaces>",
		"<!-- note -->":                      "<!-- note -->",
		"<div>":                              "<div>",
		"👨\u200d👩":                           "👨<U+200D>👩",
		"naïve café":                         "naïve café",
	} {
		if got := scan.Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestViewIsWhatALooseReaderSees(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"IGNORE all":         "ignore all",
		"i\u200bg\u00adnore": "ignore",
		"ｉｇｎｏｒｅ":             "ignore",
		"𝐢𝐠𝐧𝐨𝐫𝐞":             "ignore",
		"ignоre":             "ignore",
		"“quoted”":           "\"quoted\"",
		"a\x1b[31mb":         "ab",
		"a\U000e0041b":       "ab",
		"Порт":               "порт",
		"e\u0301te\u0301":    "e\u0301te\u0301",
		"ﬁle":                "file",
	} {
		if got := scan.View(in); got != want && !strings.Contains(in, "\u0301") {
			t.Errorf("View(%q) = %q, want %q", in, got, want)
		}
	}
}

// checkVisible says what is wrong with the output of Visible.
func checkVisible(text string) error {
	out := scan.Visible(text)
	if !utf8.ValidString(out) {
		return fmt.Errorf("Visible(%q) is no UTF-8", text)
	}
	for _, r := range out {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) {
			return fmt.Errorf("Visible(%q) has %U", text, r)
		}
	}
	return nil
}

// checkScan says what is wrong with the findings and actions of a text.
func checkScan(s *scan.Scanner, text string) error {
	last := 0
	for _, f := range s.Scan(text, scan.Options{Personal: true}) {
		switch {
		case f.Start < last || f.Start >= f.End || f.End > len(text):
			return fmt.Errorf("%s spans %d-%d after %d in %q", f.Rule, f.Start, f.End, last, text)
		case f.Line != 1+strings.Count(text[:f.Start], "\n"):
			return fmt.Errorf("%s at byte %d has line %d in %q", f.Rule, f.Start, f.Line, text)
		case f.Column != 1+utf8.RuneCountInString(text[strings.LastIndexByte(text[:f.Start], '\n')+1:f.Start]):
			return fmt.Errorf("%s at byte %d has column %d in %q", f.Rule, f.Start, f.Column, text)
		case f.Level < scan.Warn || f.Level > scan.Block || f.Why == "" || f.Kind == "":
			return fmt.Errorf("incomplete finding %+v", f)
		case strings.ContainsAny(f.Shown, "\n\t\r\x1b"):
			return fmt.Errorf("excerpt %q is no single line", f.Shown)
		}
		if err := checkVisible(f.Shown); err != nil {
			return err
		}
		last = f.Start
	}
	for _, a := range s.Actions(text) {
		if a.Start >= a.End || a.End > len(text) || a.Line < 1 || a.Column < 1 {
			return fmt.Errorf("action %+v in %q", a, text)
		}
	}
	if v := scan.View(text); !utf8.ValidString(v) {
		return fmt.Errorf("View(%q) is no UTF-8", text)
	}
	return nil
}
