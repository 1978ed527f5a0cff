package scan

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// longSpace is the run of white space inside a line that Visible counts
	// instead of printing: beyond any indentation, table or code.
	longSpace = 40
	// longBlank is the run of blank lines that it counts.
	longBlank = 12
)

// Visible returns text as a reviewer gets it: every character that is not seen,
// controls and format characters included, as <U+XXXX>, a byte that is no UTF-8
// as <0xXX>, and long runs of white space and blank lines as <N spaces> and
// <N blank lines>. Only tab and line feed stay, and a carriage return before a
// line feed goes. Where the text itself spells such a mark, its "<" is shown as
// <U+003C>, so a mark never lies. Comments and hidden markup are plain
// characters and stay as they are.
func Visible(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for i := 0; i < len(text); {
		i = writeVisible(&b, text, i)
	}
	return b.String()
}

// writeVisible writes what stands at i and returns the offset behind it.
func writeVisible(b *strings.Builder, text string, i int) int {
	c := text[i]
	switch {
	case c == '<':
		return writeAngle(b, text, i)
	case c == '\n':
		return writeBreaks(b, text, i)
	case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return i + 1
	case c > 0x20 && c < 0x7F:
		b.WriteByte(c)
		return i + 1
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == utf8.RuneError && n <= 1:
		fmt.Fprintf(b, "<0x%02X>", c)
	case isHidden(r) || unicode.Is(unicode.Cf, r):
		fmt.Fprintf(b, "<U+%04X>", r)
	case unicode.IsSpace(r):
		return writeSpaces(b, text, i)
	default:
		b.WriteString(text[i : i+n])
	}
	return i + n
}

func writeAngle(b *strings.Builder, text string, i int) int {
	rest := text[i+1:]
	if len(rest) > 24 {
		rest = rest[:24]
	}
	digits := strings.TrimLeft(rest, "0123456789")
	counted := len(digits) < len(rest) && (strings.HasPrefix(digits, " spaces>") || strings.HasPrefix(digits, " blank lines>"))
	if counted || strings.HasPrefix(rest, "U+") || strings.HasPrefix(rest, "0x") || digits == "" && len(rest) == 24 {
		b.WriteString("<U+003C>")
	} else {
		b.WriteByte('<')
	}
	return i + 1
}

// writeSpaces writes a run of white space without line feeds.
func writeSpaces(b *strings.Builder, text string, i int) int {
	end, n := spaceRun(text, i)
	if n >= longSpace {
		fmt.Fprintf(b, "<%d spaces>", n)
	} else {
		b.WriteString(text[i:end])
	}
	return end
}

// spaceRun returns the end of the white space at i on its line, and its length
// in runes.
func spaceRun(text string, i int) (end, n int) {
	for end = i; end < len(text); n++ {
		r, size := utf8.DecodeRuneInString(text[end:])
		if r == '\n' || !unicode.IsSpace(r) || isHidden(r) {
			break
		}
		end += size
	}
	return end, n
}

// writeBreaks writes a line feed and the blank lines after it.
func writeBreaks(b *strings.Builder, text string, i int) int {
	end, n := blankRun(text, i)
	if n <= longBlank {
		b.WriteByte('\n')
		return i + 1
	}
	fmt.Fprintf(b, "\n<%d blank lines>\n", n-1)
	return end
}

// blankRun returns the end of the line feeds at i with only spaces and tabs
// between them, and how many they are.
func blankRun(text string, i int) (end, n int) {
	end = i
	for at := i; at < len(text); at++ {
		switch text[at] {
		case '\n':
			end = at + 1
			n++
		case ' ', '\t', '\r':
		default:
			return end, n
		}
	}
	return end, n
}
