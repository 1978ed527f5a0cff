// Package note reads and edits the two formats of a memory folder: the notes,
// and the index MEMORY.md that lists them. It is pure: bytes in, facts and bytes
// out.
//
// People and agents write these files too, so nothing here prints a document
// anew. An edit replaces the bytes of one field or line and leaves every other
// byte as it was: line ends, byte order mark, comments, keys that nobody here
// knows, the order of things. Each edit is read back before it is handed out;
// one that would change anything else as the client reads it is refused.
//
// What the client would read is decided by package frontmatter. What it cannot
// read is told as a [Problem] and never rewritten.
package note

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"dormouse/frontmatter"
)

// MaxBytes is the size in bytes of the largest note and index that is edited. Of
// a larger one only the head is read.
const MaxBytes = 1 << 20

// headBytes is how much of a note is looked at for its front matter, which must
// end within frontmatter.NoteBytes to be seen by the client.
const headBytes = frontmatter.NoteBytes + 4096

// Field is one field of a note's front matter.
type Field struct {
	Key   string // "type" at the top, "metadata.type" below metadata
	Value frontmatter.Value
	Line  int // in the file, 1-based

	// Start and End are the offsets in the file, in bytes, of the lines that the
	// field takes up. Both are -1 where it has no lines of its own: in braces, or
	// brought in by a merge key.
	Start, End int
}

// Problem is something in a note that is not as it should be.
type Problem struct {
	Line int // 1-based; 0: the whole file
	Text string

	// Locks tells that the fields can't be edited because of it.
	Locks bool
}

// Note is one note. It keeps the bytes that it was read from, which must not be
// changed while it is in use.
type Note struct {
	// Fields are the front matter's, in order. The fields of a map under the key
	// metadata stand in its place. Of a key that comes twice in one map there is
	// only the last, as for the client.
	Fields   []Field
	Problems []Problem

	// HasFront tells that the note begins with front matter, be it broken.
	HasFront bool
	// Seen tells that the client sees the front matter: its end is within the
	// part of the file that the client looks at.
	Seen bool

	raw      []byte
	front    string // the text between the marks
	frontAt  int    // its offset
	afterAt  int    // offset behind the closing mark's line; behind the byte order mark without front matter
	bodyAt   int    // offset of the first line of the body that is not blank
	mended   bool
	unclosed bool // begins with a mark, and where it ends can't be told
	frozen   bool // no edit at all
}

// Parse reads a note. It never fails: what can't be read is a Problem. It looks
// at the first 68 KiB for the front matter, and of a note over MaxBytes at
// nothing else. The note keeps b.
func Parse(b []byte) *Note {
	n := &Note{raw: b}
	head := string(b[:min(len(b), headBytes)])
	n.afterAt = bomLen(head)
	n.bodyAt = skipBlankLines(head, n.afterAt)
	n.checkBytes(head)
	n.readFront(head)
	return n
}

// checkBytes looks for what makes a file no text that can be edited.
func (n *Note) checkBytes(head string) {
	if len(n.raw) > MaxBytes {
		n.frozen = true
		n.problem(0, true, fmt.Sprintf("%d bytes, and notes over %d are read by their head only", len(n.raw), MaxBytes))
		return
	}
	if strings.HasPrefix(head, "\xff\xfe") || strings.HasPrefix(head, "\xfe\xff") {
		n.frozen = true
		n.problem(1, true, "written in UTF-16, not in UTF-8")
		return
	}
	if i := bytes.IndexByte(n.raw, 0); i >= 0 {
		n.frozen = true
		n.problem(lineOf(n.raw, i), true, "a NUL byte: not a text")
		return
	}
	if i := firstInvalid(n.raw); i >= 0 {
		n.problem(lineOf(n.raw, i), false, "a byte that is not UTF-8, which the client shows as U+FFFD")
	}
}

func (n *Note) problem(line int, locks bool, text string) {
	n.Problems = append(n.Problems, Problem{Line: line, Text: text, Locks: locks})
}

func (n *Note) readFront(head string) {
	block, ok := frontmatter.SplitNote(head)
	n.Seen = ok
	if !ok {
		if block, ok = n.splitUnseen(head); !ok {
			return
		}
	}
	n.HasFront = true
	n.front, n.frontAt = block.Front, block.Offset
	n.placeBody(head, block)
	fields, err := frontmatter.ParseNote(block.Front)
	if err != nil {
		n.broken(block, err)
		return
	}
	if fields.Broken != nil {
		n.mended = true
		n.problem(block.Line+fields.Broken.Line-1, false, "not YAML ("+fields.Broken.Reason+
			"); the client reads it on a second attempt, each such line as plain text")
	}
	n.Fields = make([]Field, 0, len(fields.List)+4)
	n.flatten(fields.List, "", block.Line-1)
	n.lookAtValues()
}

// splitUnseen handles a note that begins with --- and yet has no front matter
// for the client.
func (n *Note) splitUnseen(head string) (frontmatter.Block, bool) {
	block, ok := frontmatter.Split(head[bomLen(head):])
	shift := bomLen(head)
	block.Offset += shift
	block.BodyOffset += shift
	if ok {
		line := block.Line + strings.Count(block.Front, "\n")
		if f, err := frontmatter.ParseNote(block.Front); err == nil && len(f.List) > 0 {
			n.problem(line, false, fmt.Sprintf("the front matter ends here, and the client looks for its end in the first %d lines and %d bytes only, so it reads none of it",
				frontmatter.NoteLines, frontmatter.NoteBytes))
			return block, true
		}
		n.unclosed = true
		n.problem(1, true, fmt.Sprintf("begins with --- and the next --- is on line %d, with no fields in between: is it front matter?", line))
		return block, false
	}
	rest := head[shift:]
	if strings.HasPrefix(rest, mark) && strings.Trim(rest[:lineEnd(rest, 0)], "- \t\r\n") == "" {
		n.unclosed = true
		n.problem(1, true, "begins with --- as front matter does, but no --- ends it")
	}
	return block, false
}

const mark = "---"

// placeBody finds where the body begins and whether the closing mark stands on a
// line of its own, without which no line can be put before it.
func (n *Note) placeBody(head string, block frontmatter.Block) {
	closing := block.Offset + len(block.Front)
	line := block.Line + strings.Count(block.Front, "\n")
	if block.Front != "" && !strings.HasSuffix(block.Front, "\n") {
		n.unclosed = true
		n.problem(line, true, "the front matter ends in the middle of this line, at the first --- in it")
	}
	at := closing + len(mark)
	if end := lineEnd(head, at); frontmatter.TrimSpace(head[at:end]) == "" {
		n.afterAt = end
		n.bodyAt = skipBlankLines(head, end)
		return
	}
	if !n.unclosed {
		n.problem(line, false, "text behind the --- that ends the front matter; the client takes it for the note's text")
	}
	n.afterAt, n.bodyAt = at, at+blanks(head[at:])
}

func (n *Note) broken(block frontmatter.Block, err error) {
	line, reason := block.Line, err.Error()
	var e *frontmatter.Error
	if errors.As(err, &e) {
		line, reason = block.Line+e.Line-1, e.Reason
	}
	n.problem(line, true, "the front matter can't be read: "+reason)
}

// flatten lists fields; those of metadata stand in its place.
func (n *Note) flatten(list []frontmatter.Field, prefix string, above int) {
	for _, f := range list {
		if prefix == "" && f.Key == metadata && f.Value.Kind == frontmatter.Map {
			n.flatten(f.Value.Fields, metadata+".", above)
			continue
		}
		out := Field{Key: prefix + f.Key, Value: f.Value, Line: above + f.Line, Start: -1, End: -1}
		if f.Start >= 0 {
			out.Start, out.End = n.frontAt+f.Start, n.frontAt+f.End
		}
		n.Fields = append(n.Fields, out)
	}
}

const metadata = "metadata"

// lookAtValues tells of values that don't say what their writer meant.
func (n *Note) lookAtValues() {
	comments := strings.Contains(n.front, "#")
	for _, f := range n.Fields {
		switch f.Key {
		case keyName, keyDescription, keyType, metadata + "." + keyType:
			if k := f.Value.Kind; k != frontmatter.String && k != frontmatter.Null {
				n.problem(f.Line, false, fmt.Sprintf("%s is a %s and no text, so the client has none", f.Key, k))
			}
		}
		if !comments {
			continue
		}
		if l := n.layout(f); l.style == stylePlain && strings.Contains(l.comment(), "#") {
			n.problem(f.Line, false, fmt.Sprintf("the value of %s ends before %q, which is a comment in YAML", f.Key, Clip(l.comment(), 40)))
		}
	}
}

// The names that the client writes, measured on 2.1.332.
const (
	keyName        = "name"
	keyDescription = "description"
	keyType        = "type"
	keyNodeType    = "node_type"
	keySession     = "originSessionId"
	keyModified    = "modified"
)

// Bytes returns the file as it was read. They must not be changed.
func (n *Note) Bytes() []byte { return n.raw }

// Body returns the text below the front matter, from its first line that is not
// blank. It must not be changed.
func (n *Note) Body() []byte { return n.raw[n.bodyAt:] }

// BodyLine returns the 1-based line on which Body begins.
func (n *Note) BodyLine() int { return lineOf(n.raw, n.bodyAt) }

// Editable reports whether fields can be set and removed; if not, the Problem
// that Locks says why.
func (n *Note) Editable() bool {
	_, locked := n.lock()
	return !locked
}

// lock returns the first problem that locks the fields.
func (n *Note) lock() (Problem, bool) {
	for _, p := range n.Problems {
		if p.Locks {
			return p, true
		}
	}
	return Problem{}, false
}

// Field finds a field. A key without a dot is looked for below metadata first
// and then at the top, which is the client's order for type (measured on
// 2.1.332); name and description are at the top only. "metadata.type" asks for
// the one below metadata.
func (n *Note) Field(key string) (Field, bool) {
	i := n.index(key)
	if i < 0 {
		return Field{}, false
	}
	return n.Fields[i], true
}

func (n *Note) index(key string) int {
	if key != keyName && key != keyDescription && !strings.Contains(key, ".") {
		if i := n.exact(metadata + "." + key); i >= 0 {
			return i
		}
	}
	return n.exact(key)
}

func (n *Note) exact(key string) int {
	for i, f := range n.Fields {
		if f.Key == key {
			return i
		}
	}
	return -1
}

// Text returns the text of a field; a number, a bool or a list is none. See
// [Note.Field] for key.
func (n *Note) Text(key string) (string, bool) {
	f, ok := n.Field(key)
	if !ok || f.Value.Kind != frontmatter.String {
		return "", false
	}
	return strings.ToValidUTF8(f.Value.Text, string(utf8.RuneError)), true
}

// Name returns the field name, "" without one.
func (n *Note) Name() string { return n.text(keyName) }

// Description returns the field description, "" without one.
func (n *Note) Description() string { return n.text(keyDescription) }

// Type returns the type: user, feedback, project, reference, or whatever stands
// there; "" without one.
func (n *Note) Type() string { return n.text(keyType) }

func (n *Note) text(key string) string {
	s, _ := n.Text(key)
	return s
}
