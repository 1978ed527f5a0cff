package draft

import "unicode"

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

// plainLatin returns a Latin letter in lower case without its accent, "" for
// whatever else.
func plainLatin(r rune) string {
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

// isAccent reports whether r is a combining accent of the kind that European
// scripts use. The marks of Indic scripts are vowels and stay.
func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36F }

// compose joins a Cyrillic letter with the accent behind it where both together
// are a letter of its own. Text copied from macOS file names comes so.
func compose(r, accent rune) (rune, bool) {
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

// dense reports whether r is of a script that is written without spaces between
// words.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// cyrillic is a Cyrillic letter in Latin ones: Ukrainian by the decree 55 of 27
// January 2010, letters that only Russian or Belarusian have by common use.
// first tells that it begins a word, which matters for five letters.
func cyrillic(r rune, first bool) string {
	if first {
		switch r {
		case 'є':
			return "ye"
		case 'ї':
			return "yi"
		case 'й':
			return "y"
		case 'ю':
			return "yu"
		case 'я':
			return "ya"
		}
	}
	const from, to = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэёъў",
		"a b v h g d e ie zh z y i i i k l m n o p r s t u f kh ts ch sh shch - iu ia y e io - u "
	return lookUp(r, from, to)
}

func greek(r rune) string {
	const from, to = "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
		"a v g d e z i th i k l m n x o p r s s t y f ch ps o a e i i o y o i y i y "
	return lookUp(r, from, to)
}

// lookUp returns the word of to that stands at the place of r in from; "-" is a
// letter that is not written.
func lookUp(r rune, from, to string) string {
	n := 0
	for _, f := range from {
		if f == r {
			break
		}
		n++
	}
	for ; n > 0 && to != ""; n-- {
		_, to = cutSpace(to)
	}
	word, _ := cutSpace(to)
	if word == "-" {
		return ""
	}
	return word
}

func cutSpace(s string) (word, rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
