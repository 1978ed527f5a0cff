package note

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Units counts a text's length in UTF-16 units, which is how the client counts
// characters: 😀 is two.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

const ellipsis = "…"

// Clip shortens s to at most units UTF-16 units, the "…" that then ends it
// included. It cuts at the last space when that lies in the second half, as the
// client does in the index that it generates (measured on 2.1.332), and splits
// no character.
func Clip(s string, units int) string {
	if Units(s) <= units {
		return s
	}
	if units < 1 {
		return ""
	}
	s = firstUnits(s, units-1)
	if at := strings.LastIndexByte(s, ' '); at >= 0 && 2*Units(s[:at]) > units {
		s = s[:at]
	}
	return s + ellipsis
}

// firstUnits returns the longest start of s of at most n UTF-16 units.
func firstUnits(s string, n int) string {
	for i, r := range s {
		n--
		if r > 0xFFFF {
			n--
		}
		if n < 0 {
			return s[:i]
		}
	}
	return s
}

// oneLine is s as text of one line: runs of white space and control characters
// are one space, and bytes that are not UTF-8 go.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == bomRune
	}), " ")
}

const (
	bom     = "\ufeff"
	bomRune = '\ufeff'
)

// bomLen returns the length in bytes of the byte order marks that s begins with,
// of which the client skips two.
func bomLen(s string) int {
	n := 0
	for range 2 {
		if strings.HasPrefix(s[n:], bom) {
			n += len(bom)
		}
	}
	return n
}

// lineEnd returns the offset behind the line that begins at i, line break included.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

// lineBreak returns the line break that a line ends in: "\r\n", "\n" or "".
func lineBreak(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return ""
}

// documentBreak is the line break of a text, that of its first line; "\n" for a
// text of one line.
func documentBreak(s string) string {
	if nl := lineBreak(s[:lineEnd(s, 0)]); nl != "" {
		return nl
	}
	return "\n"
}

// withBreaks gives a text the line break nl throughout. A carriage return that
// is no part of a line break stays.
func withBreaks(s, nl string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if nl != "\n" {
		s = strings.ReplaceAll(s, "\n", nl)
	}
	return s
}

// skipBlankLines returns the offset of the first line from i on that is not
// blank; i begins a line.
func skipBlankLines(s string, i int) int {
	for i < len(s) {
		end := lineEnd(s, i)
		if strings.Trim(s[i:end], " \t\r\n") != "" {
			break
		}
		i = end
	}
	return i
}

// blanks counts the spaces and tabs that s begins with.
func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// lineOf returns the 1-based line of the offset at in b.
func lineOf[T string | []byte](b T, at int) int {
	n := 1
	for i := range at {
		if b[i] == '\n' {
			n++
		}
	}
	return n
}

// firstInvalid returns the offset of the first byte that is not UTF-8, or -1.
func firstInvalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// splice returns a new text: src with the bytes from start to end replaced.
func splice(src []byte, start, end int, text string) []byte {
	out := make([]byte, 0, len(src)-(end-start)+len(text))
	out = append(out, src[:start]...)
	out = append(out, text...)
	return append(out, src[end:]...)
}
