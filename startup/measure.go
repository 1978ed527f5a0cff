package startup

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Units returns the length of s in UTF-16 units, the client's measure of size.
func Units(s string) int {
	// Counted by bytes: one for each that starts a character, one more for those
	// that start one outside the basic plane. Invalid bytes count one each, as
	// the U+FFFD they become.
	if !utf8.ValidString(s) {
		return len(utf16.Encode([]rune(s)))
	}
	n := len(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf {
			if c < 0xC0 {
				n-- // a byte that goes on
			} else if c >= 0xF0 {
				n++
			}
		}
	}
	return n
}

// Lines returns the number of lines in s; an empty text has none.
func Lines(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// Measure fills in the sizes of f from its text.
func (f *File) Measure() {
	f.Lines, f.Chars, f.Tokens = Lines(f.Text), Units(f.Text), Tokens(f.Text)
}

// Characters a token, by kind. No tokenizer of the current models is published,
// so these are round figures for what the published ones of this family do.
const (
	latinPerToken = 4
	digitPerToken = 3
	markPerToken  = 2 // "](", "**", ").": marks come in pairs
	otherPerToken = 2 // letters of other alphabets
	cjkPerToken   = 1
	spacePerToken = 16 // indentation; single spaces belong to the word behind them
)

// Tokens estimates how many tokens a text costs, from runs of like characters.
// Print it with a tilde.
func Tokens(s string) int {
	total, run, kind := 0, 0, 0
	for i := 0; i < len(s); {
		var k int
		size := 1
		if c := s[i]; c < utf8.RuneSelf {
			k = asciiKind(c)
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			k = wideKind(r)
		}
		if k != kind {
			total += tokensOf(run, kind)
			run, kind = 0, k
		}
		run++
		i += size
	}
	return total + tokensOf(run, kind)
}

func tokensOf(run, kind int) int {
	if run == 0 || kind == spacePerToken && run == 1 {
		return 0
	}
	return (run + kind - 1) / kind
}

func asciiKind(c byte) int {
	switch {
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return latinPerToken
	case c >= '0' && c <= '9':
		return digitPerToken
	case c == ' ' || c == '\t' || c == '\r':
		return spacePerToken
	}
	return markPerToken
}

func wideKind(r rune) int {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r > 0xFFFF:
		return cjkPerToken
	case unicode.IsLetter(r):
		return otherPerToken
	}
	return markPerToken
}
