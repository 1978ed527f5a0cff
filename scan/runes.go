package scan

import "unicode"

// A class says why a rune is not seen by a reader, or that it is.
type class uint8

const (
	seen      class = iota
	tag             // U+E0000 block: ASCII in invisible letters
	selector        // VS17 to VS256: one byte each, hidden behind any character
	standard        // VS1 to VS14: standardized variants
	emojiForm       // VS15, VS16: text or emoji form
	zeroWidth       // spaces and operators without width
	joiner          // ZWNJ, ZWJ
	bidi            // embeddings, overrides, isolates
	mark            // LRM, RLM, ALM
	filler          // letters that draw nothing
	private         // private use
	control         // C0 and C1
	escape          // ESC, the start of a terminal sequence
	separator       // U+2028, U+2029
	mongolian       // Mongolian variation selectors
	invisible       // further format characters and noncharacters
)

// isHidden reports whether r is one of the characters that Visible shows as
// <U+XXXX> and View leaves out. Tab and line feed are not.
func isHidden(r rune) bool { return classOf(r) != seen }

// classOf returns the class of r. The ranges below U+2000 come first: nearly
// all text ends there.
func classOf(r rune) class {
	switch {
	case r < 0xA0:
		return classOfControl(r)
	case r < 0x2000:
		return classOfLow(r)
	case r < 0x3000:
		return classOfPunctuation(r)
	case r < 0xE000:
		if r == 0x3164 {
			return filler
		}
		return seen
	case r <= 0xFFFF:
		return classOfForms(r)
	}
	return classOfHigh(r)
}

func classOfControl(r rune) class {
	switch {
	case r == '\t' || r == '\n':
		return seen
	case r == 0x1B:
		return escape
	case r < 0x20 || r >= 0x7F:
		return control
	}
	return seen
}

func classOfLow(r rune) class {
	switch r {
	case 0xAD, 0x180E:
		return zeroWidth
	case 0x61C:
		return mark
	case 0x115F, 0x1160:
		return filler
	case 0x180B, 0x180C, 0x180D, 0x180F:
		return mongolian
	case 0x34F, 0x17B4, 0x17B5:
		return invisible
	}
	if r >= 0x600 && unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return invisible
	}
	return seen
}

func classOfPunctuation(r rune) class {
	switch {
	case r == 0x200B || r >= 0x2060 && r <= 0x2064:
		return zeroWidth
	case r == 0x200C || r == 0x200D:
		return joiner
	case r == 0x200E || r == 0x200F:
		return mark
	case r == 0x2028 || r == 0x2029:
		return separator
	case r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069:
		return bidi
	case r >= 0x2065 && r <= 0x206F:
		return invisible
	case r == 0x2800:
		return filler
	}
	return seen
}

func classOfForms(r rune) class {
	switch {
	case r <= 0xF8FF:
		return private
	case r == 0xFEFF:
		return zeroWidth
	case r >= 0xFE00 && r <= 0xFE0D:
		return standard
	case r == 0xFE0E || r == 0xFE0F:
		return emojiForm
	case r == 0xFFA0:
		return filler
	case r >= 0xFDD0 && r <= 0xFDEF, r >= 0xFFF0 && r <= 0xFFFB, r >= 0xFFFE:
		return invisible
	}
	return seen
}

func classOfHigh(r rune) class {
	switch {
	case r < 0x110BD, r >= 0x20000 && r < 0xE0000 && r&0xFFFE != 0xFFFE:
		return nonchar(r)
	case r >= 0xE0000 && r <= 0xE007F:
		return tag
	case r >= 0xE0100 && r <= 0xE01EF:
		return selector
	case r >= 0xE0080 && r <= 0xE0FFF:
		return invisible
	case r&0xFFFE == 0xFFFE:
		return invisible
	case r >= 0xF0000:
		return private
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return invisible
	}
	return seen
}

func nonchar(r rune) class {
	if r&0xFFFE == 0xFFFE {
		return invisible
	}
	return seen
}

// joins are the scripts in which ZWNJ and ZWJ choose between letter forms
// (Unicode 16, chapters 9 and 12 to 16).
func joins(r rune) bool {
	if r < 0x600 {
		return false
	}
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Mandaic,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
		unicode.Tibetan, unicode.Balinese, unicode.Javanese, unicode.Meetei_Mayek, unicode.Phags_Pa)
}

// unspaced are the scripts that write without spaces, where U+200B marks a
// place to break a line.
func unspaced(r rune) bool {
	if r < 0xE00 {
		return false
	}
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Javanese, unicode.Balinese, unicode.Tai_Le)
}

// rightToLeft reports letters of the scripts that run right to left.
func rightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko,
		unicode.Mandaic, unicode.Samaritan, unicode.Adlam, unicode.Hanifi_Rohingya)
}

// pictured reports what an emoji sequence is made of, before or after ZWJ.
func pictured(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r >= 0x1F000 && r <= 0x1FAFF:
		return true
	}
	return r == 0x200D || r == 0xFE0F || r == 0x20E3 || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r)
}

// takesForm reports the bases that VS15 and VS16 may follow: not a letter of
// the ASCII range (there it only carries a hidden bit), and not a space.
func takesForm(r rune) bool {
	switch {
	case r < 0x80:
		return r == '#' || r == '*' || r >= '0' && r <= '9'
	case isHidden(r) || unicode.IsSpace(r):
		return false
	}
	return !unicode.Is(unicode.Latin, r)
}

func asciiLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
