package frontmatter

import (
	"errors"
	"fmt"
	"strings"

	"dormouse/frontmatter/internal/yaml"
)

// Kind is the type of a value in the client's YAML (1.2, core schema): yes, no,
// on, off, dates, 12:30 and 1_000 are strings; 017 is the number 17.
type Kind uint8

// The kinds of value. Only a String counts as text for the client: a number or
// a bool as description is no description.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

// String names the kind in lower case.
func (k Kind) String() string { return yaml.Kind(k).String() }

// Value is one value.
type Value struct {
	Kind   Kind
	Text   string  // a string's text; a bool or number as written
	Items  []Value // of a list
	Fields []Field // of a map
}

// Field is one key and its value.
type Field struct {
	Key   string
	Line  int // of the key, 1-based from the first line of the front matter
	Value Value

	// Start and End are the byte offsets in the front matter of the lines that
	// the field takes up, from its key to the line break after its value. Both
	// are -1 where the field cannot be replaced by itself: inside braces, or
	// brought in by a merge key.
	Start, End int
}

// Fields is a front matter that was read.
type Fields struct {
	List []Field // in order; of a key that comes twice only the last, as for the client

	// Mended tells that the block is not YAML and was read by the client's
	// second attempt: the lines in it were put in quotes or freed of tabs.
	Mended []int
	// Broken is why the first attempt failed; nil when it did not.
	Broken *Error
}

// Get returns the field with the key.
func (f Fields) Get(key string) (Field, bool) { return get(f.List, key) }

// Get returns the field of a map with the key.
func (v Value) Get(key string) (Field, bool) { return get(v.Fields, key) }

func get(list []Field, key string) (Field, bool) {
	for _, f := range list {
		if f.Key == key {
			return f, true
		}
	}
	return Field{}, false
}

// Text returns the string under the key. A value of any other kind is no text.
func (f Fields) Text(key string) (string, bool) {
	if v, ok := f.Get(key); ok && v.Value.Kind == String {
		return v.Value.Text, true
	}
	return "", false
}

// Error is why the client reads no fields at all from a front matter.
type Error struct {
	Line   int // 1-based from the first line of the front matter
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("front matter line %d: %s", e.Line, e.Reason) }

// ErrTooLarge is returned for more than MaxBytes of front matter, and for one
// with more values or nesting than a person writes. Unlike an *Error it says
// nothing of the client, which may read it.
var ErrTooLarge = errors.New("front matter is too large to be read")

// Parse reads the front matter of an instruction file or a rule. On an *Error
// the client finds no fields: to it the block is empty. A line that ends in \r\n
// is never mended.
func Parse(front string) (Fields, error) { return parse(front, front) }

// ParseNote reads the front matter of a note, where the client turns \r\n into
// \n first. Lines and offsets are those of front as given.
func ParseNote(front string) (Fields, error) {
	return parse(front, strings.ReplaceAll(front, "\r\n", "\n"))
}

// parse reads text, which is front with the same lines.
func parse(front, text string) (Fields, error) {
	if len(front) > MaxBytes {
		return Fields{}, fmt.Errorf("%d bytes of front matter: %w", len(front), ErrTooLarge)
	}
	var f Fields
	root, err := yaml.Parse(text)
	if err != nil {
		if f.Broken = asError(err); f.Broken == nil {
			return Fields{}, fmt.Errorf("%w: %w", ErrTooLarge, err)
		}
		text, f.Mended = mend(text)
		if root, err = yaml.Parse(text); err != nil {
			return Fields{}, f.Broken
		}
	}
	switch root.Kind {
	case yaml.Null:
		return f, nil
	case yaml.Map:
		f.List = newLines(front, text).fields(root)
		return f, nil
	}
	return Fields{}, &Error{Line: 1, Reason: "not keys with values but a " + root.Kind.String()}
}

// asError is nil where only a bound of ours was passed.
func asError(err error) *Error {
	var e *yaml.Error
	if !errors.As(err, &e) || errors.Is(err, yaml.ErrTooLarge) {
		return nil
	}
	return &Error{Line: e.Line, Reason: e.Msg}
}

// lines maps offsets in the text that was read to lines, and lines to offsets in
// the front matter as it stands. Both have the same line breaks.
type lines struct {
	text, front []int // offset of each line's first byte
	end         int   // of the front matter
}

func newLines(front, text string) *lines {
	return &lines{text: starts(text), front: starts(front), end: len(front)}
}

func starts(s string) []int {
	at := []int{0}
	for i := range len(s) {
		if s[i] == '\n' {
			at = append(at, i+1)
		}
	}
	return at
}

// line returns the 0-based line of an offset in the text.
func (l *lines) line(at int) int {
	lo, hi := 0, len(l.text)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.text[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (l *lines) fields(m *yaml.Node) []Field {
	var out []Field
	for _, p := range m.Properties() {
		first := l.line(p.KeyStart)
		f := Field{Key: p.Key, Line: first + 1, Value: l.value(p.Value), Start: -1, End: -1}
		if !p.Merged && !m.Flow() {
			last := l.line(max(p.KeyStart, p.Value.End-1))
			f.Start, f.End = l.front[first], l.end
			if last+1 < len(l.front) {
				f.End = l.front[last+1]
			}
		}
		out = append(out, f)
	}
	return out
}

func (l *lines) value(n *yaml.Node) Value {
	v := Value{Kind: Kind(n.Kind), Text: n.Text}
	for _, i := range n.Items {
		v.Items = append(v.Items, l.value(i))
	}
	if n.Kind == yaml.Map {
		v.Fields = l.fields(n)
	}
	return v
}
