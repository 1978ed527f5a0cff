package words

import (
	"unicode"
	"unicode/utf8"
)

// For each character from à to the end of Latin Extended-A, the letter that it is
// without its accent; a dot where it is a letter of its own.
const withoutAccent = "aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiii" +
	"ii..jjkk.llllll..llnnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz."

// fold returns a character in its small form and without an accent.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	case 0xFF01 <= r && r <= 0xFF5E: // wide forms
		return fold(r - 0xFEE0)
	}
	r = unicode.ToLower(r)
	if i := int(r) - 0xE0; 0 <= i && i < len(withoutAccent) && withoutAccent[i] != '.' {
		return rune(withoutAccent[i])
	}
	if r == 'ё' { // most write е
		return 'е'
	}
	return r
}

// appendFolded adds a character to a key. A mark alone is an accent and is left
// out, but for the two that make another letter of a Cyrillic one.
func appendFolded(key []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(key, byte(fold(r)))
	}
	if 0x0300 <= r && r <= 0x036F {
		last, size := utf8.DecodeLastRune(key)
		switch {
		case r == 0x0306 && last == 'и':
			return utf8.AppendRune(key[:len(key)-size], 'й')
		case r == 0x0308 && last == 'і':
			return utf8.AppendRune(key[:len(key)-size], 'ї')
		}
		return key
	}
	return utf8.AppendRune(key, fold(r))
}
