package jsonedit

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// maxDepth is how deep arrays and objects may be nested, the same as in
// encoding/json. The parser below calls itself once a level, and Go can't recover
// from a stack that is used up.
const maxDepth = 10000

// A SyntaxError says where a source is not what it should be. Line and Column
// count from 1; Column counts bytes, a byte order mark aside. No more than one
// character of the source is in it: settings hold secrets.
type SyntaxError struct {
	Line, Column int
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

func syntaxError(text []byte, offset int, reason string) *SyntaxError {
	before := text[:offset]
	return &SyntaxError{
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: offset - bytes.LastIndexByte(before, '\n'),
		Reason: reason,
	}
}

// A document is a parsed object, the top-level one or one below it, or an array,
// whose members have no names. All offsets are into src.
type document struct {
	src         []byte
	members     []member
	open, close int // offsets of { and }, or [ and ]
	// What its members are indented by where they don't show it themselves, and
	// what the line is that it begins on.
	inner, outer string
}

type member struct {
	name                 hujson.Literal
	start                int // of its name
	nameEnd              int
	valueStart, valueEnd int
	comma                int // offset of the comma after it, -1 if none
}

func (m member) key() string { return m.name.String() }

func parse(src []byte) (*document, error) {
	root, err := parseTree(src)
	if err != nil {
		return nil, err
	}
	return newDocument(src, root)
}

// parseTree returns the tree of a source whose top level is an object. Its offsets
// do not count the byte order mark.
func parseTree(src []byte) (hujson.Value, error) {
	text := src[bomLen(src):]
	if s := look(text); s.tooDeep >= 0 {
		return hujson.Value{}, syntaxError(text, s.tooDeep, fmt.Sprintf("nested more than %d levels deep", maxDepth))
	}
	root, err := hujson.Parse(text)
	if err != nil {
		// A line comment at the very end may lack its line end.
		var again error
		if root, again = hujson.Parse(append(text[:len(text):len(text)], '\n')); again != nil {
			return hujson.Value{}, translate(err)
		}
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return hujson.Value{}, syntaxError(text, root.StartOffset, "the top level is "+kindName(root.Value.Kind())+", not an object")
	}
	return root, nil
}

// newDocument takes one object or array of a source's tree apart.
func newDocument(src []byte, v hujson.Value) (*document, error) {
	bom := bomLen(src)
	doc := &document{src: src, open: bom + v.StartOffset, close: bom + v.EndOffset - 1, inner: defaultIndent}
	add := func(value hujson.Value, last bool) *member {
		comma := bom + value.EndOffset + len(value.AfterExtra)
		// The last value has an AfterExtra, if an empty one, when a comma follows.
		if last && value.AfterExtra == nil {
			comma = -1
		}
		start, end := bom+value.StartOffset, bom+value.EndOffset
		doc.members = append(doc.members, member{start: start, nameEnd: start, valueStart: start, valueEnd: end, comma: comma})
		return &doc.members[len(doc.members)-1]
	}
	switch c := v.Value.(type) {
	case *hujson.Array:
		for i, e := range c.Elements {
			add(e, i == len(c.Elements)-1)
		}
	case *hujson.Object:
		for i, m := range c.Members {
			name, ok := m.Name.Value.(hujson.Literal)
			if !ok {
				return nil, syntaxError(src[bom:], m.Name.StartOffset, "a name must be a string")
			}
			at := add(m.Value, i == len(c.Members)-1)
			at.name, at.start, at.nameEnd = name, bom+m.Name.StartOffset, bom+m.Name.EndOffset
		}
	}
	return doc, nil
}

// translate turns the parser's error, which has the position only in its text,
// into ours.
func translate(err error) error {
	e := &SyntaxError{}
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &e.Line, &e.Column); scanErr != nil {
		return fmt.Errorf("parsing JSON: %w", err)
	}
	e.Reason = err.Error()
	if inner := errors.Unwrap(err); inner != nil {
		e.Reason = inner.Error()
	}
	// The literal itself may be a secret, or megabytes.
	if strings.HasPrefix(e.Reason, "invalid literal") {
		e.Reason = "invalid literal"
	}
	return e
}

func kindName(k hujson.Kind) string {
	switch k {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}

// A survey is what can be seen of a text without parsing it. Offsets are -1 for
// "nowhere"; in a text that is no JSON at all they mean nothing beyond the point
// where a parser stops.
type survey struct {
	tooDeep int    // the bracket that goes past maxDepth
	loose   int    // the first thing that strict JSON does not have
	what    string // ... and what it is
}

func look(text []byte) survey {
	s := survey{tooDeep: -1, loose: -1}
	found := func(offset int, what string) {
		if s.loose < 0 || offset < s.loose {
			s.loose, s.what = offset, what
		}
	}
	depth, comma := 0, -1
	for i := 0; i < len(text); {
		c, next := text[i], i+1
		switch {
		case c == '"':
			next = stringEnd(text, i)
		case c == '/':
			if next = commentEnd(text, i); next > i+1 {
				found(i, "a comment, which strict JSON does not have")
			}
		case c == '[' || c == '{':
			if depth++; depth > maxDepth && s.tooDeep < 0 {
				s.tooDeep = i
			}
		case c == ']' || c == '}':
			depth--
			if comma >= 0 {
				found(comma, "a comma after the last element, which strict JSON does not have")
			}
		}
		if c == ',' {
			comma = i
		} else if c != '/' && !isWhite(c) {
			comma = -1
		}
		i = next
	}
	return s
}

// stringEnd returns the offset after the string that starts at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// commentEnd returns the offset after the comment that starts at i, or i+1 if
// none does.
func commentEnd(text []byte, i int) int {
	end := ""
	switch rest := text[i:]; {
	case bytes.HasPrefix(rest, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(rest, []byte("/*")):
		end = "*/"
	default:
		return i + 1
	}
	n := bytes.Index(text[i+2:], []byte(end))
	if n < 0 {
		return len(text)
	}
	return i + 2 + n + len(end)
}

// blanks are the white space of JSON.
const blanks = " \t\r\n"

func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
