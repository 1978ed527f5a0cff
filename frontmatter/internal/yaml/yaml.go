// Package yaml reads the YAML of a front matter block the way the client does.
//
// The client reads front matter with the YAML reader of the Bun runtime: YAML
// 1.2 with the core schema, merge keys, and last-one-wins for a key that comes
// twice. Whether a block is YAML at all decides what loads, so this reader is
// held against Bun's by a differential test instead of being a general library:
// goccy/go-yaml accepts blocks that Bun refuses and the other way round, drops
// tabs inside plain scalars, and takes seconds for 64 KiB of opening brackets.
//
// It keeps byte offsets, so that a caller can replace one field and leave every
// other byte alone. It is pure, does not panic, and takes time linear in its input.
package yaml

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is the type of a value.
type Kind uint8

// The types the core schema knows. A number's value is not needed here: the
// client looks at strings, and takes a number for no text at all.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

// String names the kind in lower case.
func (k Kind) String() string {
	return [...]string{"null", "bool", "number", "string", "list", "map"}[k]
}

// Node is one value.
type Node struct {
	Kind  Kind
	Text  string  // a string's value; a bool or number as written
	Items []*Node // of a list
	Pairs []Pair  // of a map, as written: merge keys and repeated keys are still in it

	// Start and End are byte offsets in the source: the first byte of the value
	// (or of its anchor or tag) and the first byte after it. They are equal for
	// a value that is not there.
	Start, End int

	flow   bool // written in brackets, so several pairs can stand on one line
	plain  bool // a scalar without quotes
	open   bool // still being read: an alias to it would be a cycle
	weight int  // values in it, with aliases followed
}

// Flow reports whether a list or map is written in brackets.
func (n *Node) Flow() bool { return n.flow }

// Pair is one entry of a map.
type Pair struct {
	Key      string // as JavaScript would name the property: null, true, 16, "a,b"
	KeyStart int    // byte offset of the key
	Value    *Node
	Merged   bool // came in by a merge key; set by Properties
}

// Error says where the text stops being YAML.
type Error struct {
	Line int // 1-based
	Msg  string

	tooLarge bool
}

// ErrTooLarge is what an *Error is when a bound was passed: not a fault of the text.
var ErrTooLarge = errors.New("too large")

// Is makes errors.Is(err, ErrTooLarge) work.
func (e *Error) Is(target error) bool { return target == ErrTooLarge && e.tooLarge }

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Bounds against hostile input.
const (
	maxDepth  = 128    // brackets and indents inside each other
	maxWeight = 65_536 // values after aliases are followed
)

// ErrDocuments is the message for a block of more than one document, which the
// client reads as a list of them and finds no fields in.
const ErrDocuments = "more than one document"

type reader struct {
	src     string
	pos     int
	bol     int // offset of the first byte of the line pos is in
	depth   int
	weight  int
	anchors map[string]*Node

	brackets  int // flow collections pos is inside of
	scalarEnd int // where the last plain or quoted scalar ended
	plainEnd  int // where the last plain scalar ended
	later     int // values of second and later keys pos is inside of
	tabLine   int // offset of a line that a tab makes a fault, or -1
}

// Parse reads one document. Errors are *Error.
func Parse(src string) (*Node, error) {
	r := &reader{src: src, anchors: map[string]*Node{}, tabLine: -1}
	if i := strings.IndexByte(src, 0); i >= 0 {
		r.pos = i
		return nil, r.fail("NUL byte")
	}
	if strings.HasPrefix(src, "\ufeff") {
		r.pos, r.bol = len("\ufeff"), len("\ufeff")
	}
	n, err := r.document()
	if err != nil {
		return nil, err
	}
	return n, nil
}

func (r *reader) document() (*Node, error) {
	r.gap()
	if r.peek(0) == '%' && r.pos == r.bol {
		return nil, r.fail("directive without a document")
	}
	n, err := r.blockNode(-1, atTop)
	if err != nil {
		return nil, err
	}
	r.gap()
	ended := false
	for r.marker() && strings.HasPrefix(r.src[r.pos:], "...") {
		ended = true
		r.pos += 3
		r.gap()
		if !r.end() && !r.first() {
			return nil, r.unexpected()
		}
	}
	switch {
	case r.end():
		return n, nil
	case ended:
		return nil, r.fail(ErrDocuments)
	}
	return nil, r.unexpected()
}

// fail makes an error for the line that pos is in.
func (r *reader) fail(format string, args ...any) *Error {
	at := min(r.pos, len(r.src))
	return &Error{Line: 1 + strings.Count(r.src[:at], "\n"), Msg: fmt.Sprintf(format, args...)}
}

func (r *reader) tooLarge(format string, args ...any) error {
	e := r.fail(format, args...)
	e.tooLarge = true
	return e
}

func (r *reader) unexpected() error {
	if r.tabLine >= 0 {
		r.pos = r.tabLine
		return r.fail("tab used as indentation")
	}
	if r.end() {
		return r.fail("unexpected end")
	}
	if r.tabbed() {
		return r.fail("tab used as indentation")
	}
	for _, c := range r.src[r.pos:] {
		return r.fail("unexpected %q", c)
	}
	return nil
}

// peek returns the byte k after pos, 0 past the end.
func (r *reader) peek(k int) byte {
	if i := r.pos + k; i < len(r.src) {
		return r.src[i]
	}
	return 0
}

func (r *reader) end() bool { return r.pos >= len(r.src) }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isEdge holds for what may follow an indicator: white space or the end.
func isEdge(c byte) bool { return c == 0 || isBlank(c) || isBreak(c) }

func isFlow(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// newline steps over one line break: \n, \r\n or \r.
func (r *reader) newline() {
	if r.peek(0) == '\r' && r.peek(1) == '\n' {
		r.pos++
	}
	r.pos++
	r.bol = r.pos
}

func (r *reader) blanks() {
	for isBlank(r.peek(0)) {
		r.pos++
	}
}

// comment steps over a comment, which needs white space or a line start before it.
func (r *reader) comment() bool {
	if r.peek(0) != '#' || r.pos > r.bol && !isBlank(r.src[r.pos-1]) {
		return false
	}
	for !r.end() && !isBreak(r.src[r.pos]) {
		r.pos++
	}
	return true
}

// gap steps over white space, comments and line breaks to the next token and
// tells whether a line break was among them.
//
// Bun has an oddity there, which decides whether a block is mended: a line that
// starts with a tab and holds nothing or a comment is a fault behind the value of
// any key but the first. Lines that a plain scalar looked at are excused.
func (r *reader) gap() (crossed bool) {
	strict := r.later > 0 && r.brackets == 0
	excused := r.pos == r.plainEnd
	for {
		at := r.pos
		tab := crossed && !excused && strict && r.peek(0) == '\t'
		r.blanks()
		if tab && r.tabLine < 0 && (r.end() || isBreak(r.peek(0)) || r.peek(0) == '#') {
			r.tabLine = at
		}
		if r.comment() {
			excused = false
		}
		if r.end() || !isBreak(r.src[r.pos]) {
			return crossed
		}
		r.newline()
		crossed = true
	}
}

// restBlank reports whether nothing but a comment follows on this line.
func (r *reader) restBlank() bool {
	r.blanks()
	return r.end() || isBreak(r.src[r.pos]) || r.peek(0) == '#' && isBlank(r.src[r.pos-1])
}

// indent counts the spaces that the current line starts with.
func (r *reader) indent() int {
	i := r.bol
	for i < len(r.src) && r.src[i] == ' ' {
		i++
	}
	return i - r.bol
}

// first reports whether only white space stands before pos on its line.
func (r *reader) first() bool {
	return strings.Trim(r.src[r.bol:r.pos], " \t") == ""
}

// tabbed reports whether the white space just before pos holds a tab.
func (r *reader) tabbed() bool {
	i := r.pos
	for i > r.bol && isBlank(r.src[i-1]) {
		i--
	}
	return strings.IndexByte(r.src[i:r.pos], '\t') >= 0
}

func (r *reader) col() int { return r.pos - r.bol }

// marker reports whether pos is at a document marker, --- or ... at a line start.
func (r *reader) marker() bool {
	return r.pos == r.bol && markerAt(r.src, r.pos)
}

func markerAt(s string, i int) bool {
	rest := s[i:]
	if !strings.HasPrefix(rest, "---") && !strings.HasPrefix(rest, "...") {
		return false
	}
	return len(rest) == 3 || isEdge(rest[3])
}

// enter bounds nesting; every enter that succeeds needs a leave.
func (r *reader) enter() error {
	if r.depth++; r.depth > maxDepth {
		return r.tooLarge("nested deeper than %d", maxDepth)
	}
	return nil
}

func (r *reader) leave() { r.depth-- }

// count adds a value to those read and refuses an alias bomb.
func (r *reader) count(weight int) error {
	if r.weight += weight; r.weight > maxWeight {
		return r.tooLarge("more than %d values", maxWeight)
	}
	return nil
}
