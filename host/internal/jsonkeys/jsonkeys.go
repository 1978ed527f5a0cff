// Package jsonkeys reads single keys of a JSON file that may hold comments, each
// with the line it stands in. Trailing commas are errors, as they are for
// JSON.parse behind a comment stripper.
package jsonkeys

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// MaxDepth is how many parts a key may have that Get finds.
const MaxDepth = 3

// Key is one key that was found.
type Key struct {
	Path  []string
	Value any // string, bool, float64, []any, nil, or Object
	Line  int // 1-based
}

// Object stands for a value that is an object; ask for its keys.
type Object struct{}

// Error is a file that is no JSON object.
type Error struct {
	Line int // 1-based
	What string
}

func (e *Error) Error() string { return e.What }

// File is a parsed file.
type File struct {
	text []byte // without comments
	root *object
}

type object struct {
	names   []string // in their order, each once
	members map[string]member
}

type member struct {
	value json.RawMessage
	at    int // byte offset of the end of its name
	in    *object
}

// Parse reads a file. The error is an *Error.
func Parse(raw []byte) (*File, error) {
	f := &File{text: strip(raw)}
	var whole json.RawMessage
	if err := json.Unmarshal(f.text, &whole); err != nil {
		at := len(f.text)
		if se, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = int(se.Offset)
		}
		return nil, &Error{f.line(at - 1), "not JSON: " + err.Error()}
	}
	start := bytes.IndexAny(f.text, "{[\"-0123456789tfn")
	if start < 0 || f.text[start] != '{' {
		return nil, &Error{f.line(start), "it is no JSON object"}
	}
	var err error
	if f.root, err = parse(f.text[start:], start, 1); err != nil {
		return nil, &Error{f.line(start), "not JSON: " + err.Error()}
	}
	return f, nil
}

// parse reads the object at the start of text, which stands at base in the
// file. It is known to be JSON.
func parse(text []byte, base, depth int) (*object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	o := &object{members: map[string]member{}}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		m := member{at: base + int(d.InputOffset())}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		if m.value[0] == '{' && depth < MaxDepth {
			if m.in, err = parse(m.value, base+int(d.InputOffset())-len(m.value), depth+1); err != nil {
				return nil, err
			}
		}
		if _, twice := o.members[name]; !twice {
			o.names = append(o.names, name)
		}
		o.members[name] = m // the last one counts, as in JSON.parse
	}
	return o, nil
}

// Get returns the key with these parts. blocked is true when it is not there
// because one of its parts has a value that is no object.
func (f *File) Get(path ...string) (k Key, ok, blocked bool) {
	o := f.root
	for i, name := range path {
		m, there := o.members[name]
		switch {
		case !there:
			return Key{}, false, false
		case i == len(path)-1:
			return Key{path, valueOf(m.value), f.line(m.at)}, true, false
		case m.in == nil:
			return Key{}, false, true
		}
		o = m.in
	}
	return Key{}, false, false
}

// Names lists the keys of the object at path, in their order.
func (f *File) Names(path ...string) []string {
	o := f.root
	for _, name := range path {
		if o = o.members[name].in; o == nil {
			return nil
		}
	}
	return o.names
}

func valueOf(raw json.RawMessage) any {
	if raw[0] == '{' {
		return Object{}
	}
	var v any
	_ = json.Unmarshal(raw, &v) // it was decoded once already
	return v
}

func (f *File) line(at int) int {
	return bytes.Count(f.text[:min(max(at, 0), len(f.text))], []byte("\n")) + 1
}

// strip puts spaces in the place of comments, so that offsets stay.
func strip(raw []byte) []byte {
	out := bytes.Clone(raw)
	for i := 0; i < len(out); {
		switch rest := string(out[i:min(i+2, len(out))]); {
		case rest[0] == '"':
			i = stringEnd(out, i)
		case rest == "//":
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case rest == "/*":
			end := bytes.Index(out[i+2:], []byte("*/"))
			if end < 0 {
				end = len(out) - i - 4
			}
			for stop := i + end + 4; i < stop; i++ {
				if !strings.ContainsRune("\r\n", rune(out[i])) {
					out[i] = ' '
				}
			}
		default:
			i++
		}
	}
	return out
}

func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}
