// Package frontmatter finds and reads the front matter of instruction files,
// rules and notes exactly as the client does.
//
// The client's idea of front matter is looser than most: it ends at the first
// three dashes in a row, be they inside a value, and a block that is not YAML is
// mended line by line and tried again. What still cannot be read counts as if
// it were not there, so a rule with a broken block loads always, not never.
//
// The package is pure. Byte offsets are kept, so that a caller can replace one
// field and leave every other byte as it is.
package frontmatter

import (
	"strings"
	"unicode/utf8"
)

// Limits of the client, measured on 2.1.332: of a note it looks at so many
// lines and bytes only. Instruction files and rules have no such limit.
const (
	NoteLines = 30
	NoteBytes = 65_536
)

// MaxBytes is the longest front matter that Parse reads, in bytes. It is ours:
// a guard for rules, which the client reads at any length.
const MaxBytes = 65_536

const bom = "\ufeff"

// Block is a front matter block in a text.
type Block struct {
	Front string // between the marks, without them
	Body  string // after the closing mark and the white space that follows it

	Offset     int // of Front in the text, in bytes
	BodyOffset int // of Body in the text, in bytes
	Line       int // of the first byte of Front in the text, 1-based
}

// Split finds the front matter of an instruction file, an imported file, a rule
// or an index. It is there when the text, after at most one byte order mark,
// begins with --- and white space up to a line break, and --- comes again
// anywhere. Without it ok is false and the whole text is Body.
func Split(text string) (b Block, ok bool) { return split(text, 1) }

// SplitNote finds the front matter of a note, whose closing mark must end within
// the first NoteLines lines and NoteBytes bytes; two byte order marks are skipped.
func SplitNote(text string) (b Block, ok bool) {
	whole := Block{Body: text, Line: 1}
	b, ok = split(text, 2)
	if !ok {
		return whole, false
	}
	end := b.Offset + len(b.Front) + len(mark)
	if end > NoteBytes || strings.Count(text[:end], "\n") >= NoteLines {
		return whole, false
	}
	return b, true
}

const mark = "---"

// split follows the client's pattern ^---\s*\n([\s\S]*?)---\s*\n? where \s is
// JavaScript's white space.
func split(text string, boms int) (Block, bool) {
	whole := Block{Body: text, Line: 1}
	at := 0
	for range boms {
		if strings.HasPrefix(text[at:], bom) {
			at += len(bom)
		}
	}
	if !strings.HasPrefix(text[at:], mark) {
		return whole, false
	}
	at += len(mark)
	// All white space is taken, then given back up to the last line break in it.
	n := strings.LastIndexByte(text[at:at+spaces(text[at:])], '\n')
	if n < 0 {
		return whole, false
	}
	at += n + 1
	size := strings.Index(text[at:], mark)
	if size < 0 {
		return whole, false
	}
	end := at + size + len(mark)
	end += spaces(text[end:])
	return Block{
		Front: text[at : at+size], Body: text[end:],
		Offset: at, BodyOffset: end,
		Line: 1 + strings.Count(text[:at], "\n"),
	}, true
}

// spaces counts the bytes of white space that s begins with.
func spaces(s string) int {
	for i, c := range s {
		if !IsSpace(c) {
			return i
		}
	}
	return len(s)
}

// IsSpace reports whether c is white space in JavaScript's patterns and trim,
// which differs from unicode.IsSpace in U+0085 and U+FEFF.
func IsSpace(c rune) bool {
	switch {
	case c == ' ' || c >= '\t' && c <= '\r':
		return true
	case c < utf8.RuneSelf:
		return false
	}
	return c == 0xa0 || c == 0x1680 || c >= 0x2000 && c <= 0x200a ||
		c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff
}

// TrimSpace is JavaScript's trim.
func TrimSpace(s string) string { return strings.TrimFunc(s, IsSpace) }
