package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/frontmatter"
)

// glue stands between a line and the lazy line that continues its paragraph:
// no block rule may look across it. It cannot occur in UTF-8 text; Lex
// replaces it where a source that is not UTF-8 has it.
const glue = 0xFF

// IsSpace tells whether r is white space for JavaScript's \s and trim.
func IsSpace(r rune) bool { return frontmatter.IsSpace(r) }

// isPunct is [\p{P}\p{S}].
func isPunct(r rune) bool {
	if r < 0x80 {
		return r > ' ' && r < 0x7F && !isAlnum(byte(r))
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// isWordRune is [\p{L}\p{N}].
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }

// isWord is \w.
func isWord(c byte) bool { return isAlnum(c) || c == '_' }

// isASCIIPunct is what a backslash can escape.
func isASCIIPunct(c byte) bool { return c > ' ' && c < 0x7F && !isAlnum(c) }

// Trim is JavaScript's String.prototype.trim.
func Trim(s string) string { return strings.TrimFunc(s, IsSpace) }

func trimRight(s string) string { return strings.TrimRightFunc(s, IsSpace) }

func isBlank(s string) bool { return Trim(s) == "" }

// spaceAt returns the width of the white space character at s[i], or 0.
func spaceAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		if c == ' ' || c >= '\t' && c <= '\r' {
			return 1
		}
		return 0
	}
	if r, w := utf8.DecodeRuneInString(s[i:]); IsSpace(r) {
		return w
	}
	return 0
}

// skipSpace returns the index of the first character at or after i that is not
// white space.
func skipSpace(s string, i int) int {
	for {
		w := spaceAt(s, i)
		if w == 0 {
			return i
		}
		i += w
	}
}

// isTerminator tells whether a character that the regular expression "." does
// not match starts at s[i]: a line feed, U+2028 or U+2029.
func isTerminator(s string, i int) bool {
	return s[i] == '\n' || s[i] == 0xE2 && (strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029"))
}

// hasSeparator tells whether U+2028 or U+2029 stands in s.
func hasSeparator(s string) bool {
	return strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")
}

// skipByte returns the index of the first byte at or after i that is not c.
func skipByte(s string, i int, c byte) int {
	for i < len(s) && s[i] == c {
		i++
	}
	return i
}

// skipBlank returns the index of the first byte at or after i that is neither
// a space nor a tab.
func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// indent returns the index behind at most max spaces at i.
func indent(s string, i, max int) int {
	end := i + max
	for i < len(s) && i < end && s[i] == ' ' {
		i++
	}
	return i
}

// lineEnd returns the index of the line feed at or after i, or len(s).
func lineEnd(s string, i int) int {
	if k := strings.IndexByte(s[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(s)
}

// hasPrefixFold is strings.HasPrefix with ASCII letters folded; p is lower case.
func hasPrefixFold(s, p string) bool {
	return len(s) >= len(p) && strings.EqualFold(s[:len(p)], p)
}
