package token

import (
	"unicode"
	"unicode/utf8"
)

// Letters are made plain by small tables and not by a library. Measured before
// they were written: gosimple/unidecode and mozillazg/go-unidecode both write
// "Kiyiv" for "Київ", and x/text/unicode/norm adds 450 KB to the program for the
// accents alone. Constant strings cost nothing at start.

// The letter without its accent for U+00C0 to U+024F and for U+1E00 to U+1EFF:
// the base letter of the Unicode decomposition, '?' where there is none and '+'
// where it takes two letters, see twoLetters.
const latin1 = "" +
	"aaaaaa+ceeeeiiiidnooooo?ouuuuy++aaaaaa+ceeeeiiiidnooooo?ouuuuy+y" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii++jjkkkllllll?" +
	"?llnnnnnnnnnoooooo++rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs" +
	"b??????????????e???????i????????oo?????????????uu????zz?????????" +
	"?????????????aaiioouuuuuuuuuu?aaaa????ggkkoooo??j???gg??nnaa????" +
	"aaaaeeeeiiiioooorrrruuuusstt??hh??????aaeeooooooooyy????????????" +
	"???b????????????"

const latinMore = "" +
	"aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm" +
	"mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv" +
	"wwwwwwwwwwxxxxyyzzzzzzhtwy?s??+?aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee" +
	"eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy??????"

func twoLetters(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'þ', 'Þ':
		return "th"
	case 'œ', 'Œ':
		return "oe"
	case 'ĳ', 'Ĳ':
		return "ij"
	}
	return ""
}

// PlainLatin returns a Latin letter in lower case without its accent, "" for
// whatever else.
func PlainLatin(r rune) string {
	var b byte
	switch {
	case r >= 0xC0 && int(r-0xC0) < len(latin1):
		b = latin1[r-0xC0]
	case r >= 0x1E00 && int(r-0x1E00) < len(latinMore):
		b = latinMore[r-0x1E00]
	default:
		return ""
	}
	switch b {
	case '?':
		return ""
	case '+':
		return twoLetters(r)
	}
	return alphabet[b-'a' : b-'a'+1]
}

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// IsAccent reports whether r is a combining accent of the kind that European
// scripts use. The marks of Indic scripts are vowels and stay.
func IsAccent(r rune) bool { return r >= 0x300 && r <= 0x36F }

// Compose joins a Cyrillic letter with the accent behind it where both together
// are a letter of its own. Text copied from macOS file names comes so.
func Compose(r, accent rune) (rune, bool) {
	switch {
	case accent == 0x306 && r == 'и':
		return 'й', true
	case accent == 0x306 && r == 'у':
		return 'ў', true
	case accent == 0x308 && r == 'і':
		return 'ї', true
	case accent == 0x308 && r == 'е':
		return 'ё', true
	}
	return r, false
}

// Dense reports whether r is of a script that is written without spaces between
// words.
func Dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// FirstRune is the first character of s, U+FFFD of none.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// IsLower reports whether r is a small letter.
func IsLower(r rune) bool { return unicode.IsLower(r) }

// CutAt is the largest length of at most n bytes at which s splits no character.
func CutAt(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
