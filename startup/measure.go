package startup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Units returns the length of s in UTF-16 units, the client's measure of size.
func Units(s string) int {
	n := utf8.RuneCountInString(s)
	if n == len(s) {
		return n // one byte a character, and one unit
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xF0 { // perhaps the start of a character outside the basic plane
			if r, size := utf8.DecodeRuneInString(s[i:]); r > 0xFFFF {
				n++
				i += size - 1
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
		k, n := 0, 1
		if c := s[i]; c < utf8.RuneSelf {
			k = asciiKind(c)
			for i++; i < len(s) && s[i] < utf8.RuneSelf && asciiKind(s[i]) == k; i++ {
				n++
			}
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			k = wideKind(r)
			i += size
		}
		if k != kind {
			total += tokensOf(run, kind)
			run, kind = 0, k
		}
		run += n
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
	case (c|0x20)-'a' < 26:
		return latinPerToken
	case c-'0' < 10:
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
