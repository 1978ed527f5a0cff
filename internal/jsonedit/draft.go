package jsonedit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// A Span is the bytes text[Start:End] of a draft.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// A Draft is a source into which members and elements at any depth are put. It
// only ever puts bytes in, and remembers which: [Cut] of what it added gives the
// source back, byte for byte.
type Draft struct {
	text  []byte
	added []Span
	made  [][]string
}

// ErrThere says that a member stands already where one was to be put; test with
// errors.Is.
var ErrThere = errors.New("there already")

// A KindError says that something on the way to a place is not what it must be.
type KindError struct {
	Path []string // to what stands in the way
	Is   string   // what that is: "a string"
	Want string   // "an object" or "an array"
}

func (e *KindError) Error() string {
	return fmt.Sprintf("%s is %s, not %s", strings.Join(e.Path, "."), e.Is, e.Want)
}

// NewDraft begins a draft. A source that is empty or blank becomes an object with
// the first thing that is put in. It never writes to src.
func NewDraft(src []byte) *Draft { return &Draft{text: src} }

// Bytes returns the text as it is now.
func (d *Draft) Bytes() []byte { return d.text }

// Added returns what came in, in the order of the text.
func (d *Draft) Added() []Span { return slices.Clone(d.added) }

// Made returns the paths of the objects and arrays that had to be made on the way.
func (d *Draft) Made() [][]string { return slices.Clone(d.made) }

// Cut returns text without the spans, which are in its order and do not overlap.
func Cut(text []byte, spans []Span) []byte {
	edits := make([]edit, 0, len(spans))
	for _, s := range spans {
		edits = append(edits, edit{s.Start, s.End, nil})
	}
	return slices.Clone(splice(text, edits...))
}

// Put adds the member that the last name of path names, with a value given as
// JSON; objects that lack on the way are made. It has the style of what is around
// it: on lines of its own if the object's members have such, else on one line.
// Errors: [ErrThere]; a [*KindError]; a [*SyntaxError] when the source is no JSON
// object. On an error nothing has changed.
func (d *Draft) Put(path []string, value []byte) error { return d.put(path, value, false) }

// Append adds an element at the end of the array at path; the array, and objects
// on the way, are made where they lack. Errors as for Put, without ErrThere.
func (d *Draft) Append(path []string, value []byte) error { return d.put(path, value, true) }

func (d *Draft) put(path []string, value []byte, element bool) error {
	if len(path) == 0 || !json.Valid(value) {
		return fmt.Errorf("there is no place, or the value is no JSON: %q", path)
	}
	next := &Draft{text: d.text, added: d.added, made: d.made}
	if isBlank(next.text) {
		next.begin()
	}
	at, err := next.find(path)
	if err != nil {
		return err
	}
	if err := at.fits(path, element); err != nil {
		return err
	}
	rest := path[len(at.path):]
	for i := range rest {
		if element || i < len(rest)-1 {
			next.made = append(slices.Clip(next.made), slices.Clone(path[:len(at.path)+i+1]))
		}
	}
	next.insert(at.doc.grown(at.style, wrap(rest, value, element), at.doc.isArray))
	*d = *next
	return nil
}

// begin makes the object of a source that has none. The source's own blanks stay.
func (d *Draft) begin() {
	text := "{}"
	if !bytes.Contains(d.text, []byte("\n")) {
		text += newline(d.text)
	}
	at := bomLen(d.text)
	d.insert([]edit{{at, at, []byte(text)}})
}

// insert carries out edits that only put bytes in, in the order of the text.
func (d *Draft) insert(edits []edit) {
	for _, e := range slices.Backward(edits) {
		d.added = grow(d.added, e.start, len(e.text))
	}
	d.text = splice(d.text, edits...)
}

// grow returns the spans after n bytes came in at the offset at, those included.
func grow(spans []Span, at, n int) []Span {
	if n == 0 {
		return spans
	}
	all := make([]Span, 0, len(spans)+1)
	in := false
	put := func(s Span) {
		if last := len(all) - 1; last >= 0 && all[last].End == s.Start {
			all[last].End = s.End
			return
		}
		all = append(all, s)
	}
	for _, s := range spans {
		switch {
		case s.End < at:
			put(s)
		case s.Start > at:
			if !in {
				put(Span{at, at + n})
			}
			in = true
			put(Span{s.Start + n, s.End + n})
		default: // beside or around it
			in = true
			put(Span{s.Start, s.End + n})
		}
	}
	if !in {
		put(Span{at, at + n})
	}
	return all
}

// spot is the innermost thing on the way to a path that is there.
type spot struct {
	path  []string // to it
	doc   container
	style style
	kind  hujson.Kind // of what is there; '{' or '[' where doc is one
}

// container is an object or an array.
type container struct {
	*document
	isArray bool
}

// style is how the document as a whole is written.
type style struct {
	unit  string // one level of indentation
	lines bool   // members of what is made stand on lines of their own
}

// find goes down to path, as far as it is there. Of members of one name readers
// take the last.
func (d *Draft) find(path []string) (spot, error) {
	v, err := parseTree(d.text)
	if err != nil {
		return spot{}, err
	}
	root, err := newDocument(d.text, v)
	if err != nil {
		return spot{}, err
	}
	at := spot{doc: container{root, false}, kind: '{', style: style{unit: defaultIndent, lines: len(root.members) == 0 || root.multiline()}}
	if root.multiline() && len(root.members) > 0 {
		at.style.unit = cmp.Or(root.indent(), defaultIndent)
	}
	root.inner = at.style.unit
	for _, name := range path {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			break
		}
		i := -1
		for j, m := range at.doc.members {
			if m.key() == name {
				i = j
			}
		}
		if i < 0 {
			break
		}
		v = object.Members[i].Value
		at.path, at.kind = append(slices.Clip(at.path), name), v.Value.Kind()
		if at.kind != '{' && at.kind != '[' {
			break
		}
		base := lineIndent(d.text, at.doc.members[i].start)
		doc, err := newDocument(d.text, v)
		if err != nil {
			return spot{}, err
		}
		doc.inner, doc.outer = base+at.style.unit, base
		at.doc = container{doc, at.kind == '['}
	}
	return at, nil
}

// fits tells whether what is there lets path be put.
func (s spot) fits(path []string, element bool) error {
	whole := len(s.path) == len(path)
	switch {
	case whole && !element:
		return fmt.Errorf("%s is %w", strings.Join(path, "."), ErrThere)
	case whole && s.kind != '[':
		return &KindError{s.path, kindOf(s.kind), "an array"}
	case !whole && s.kind != '{':
		return &KindError{s.path, kindOf(s.kind), "an object"}
	}
	return nil
}

func kindOf(k hujson.Kind) string {
	if k == '{' {
		return "an object"
	}
	return kindName(k)
}

// wrap writes what is to stand in the innermost thing that is there: the member,
// or the element, around which rest makes what lacks.
func wrap(rest []string, value []byte, element bool) []byte {
	out := string(value)
	if element && len(rest) > 0 {
		out = "[" + out + "]"
	}
	for i, name := range slices.Backward(rest) {
		out = quote(name) + ":" + out
		if i > 0 {
			out = "{" + out + "}"
		}
	}
	return []byte(out)
}

// grown returns the edits that put an item at the end, in the container's style.
func (c container) grown(s style, item []byte, isArray bool) []edit {
	nl := newline(c.src)
	empty, lines := len(c.members) == 0, c.multiline()
	if !lines && !(empty && s.lines) {
		return c.insertItem(oneLine(item, isArray))
	}
	inner := c.inner
	if !empty {
		inner = c.indent()
	}
	written := manyLines(item, inner, s.unit, nl, isArray)
	if lines {
		return c.insertItem(written)
	}
	// Nothing but blanks and comments stand between the brackets, on one line.
	at := c.tailEnd(c.open + 1)
	return []edit{{at, at, []byte(nl + inner + string(written) + nl + c.outer)}}
}

// format reads an item as JSON by putting brackets around it, and takes them away.
func format(item []byte, isArray bool, how func(dst *bytes.Buffer, src []byte) error) []byte {
	open, end := "{", "}"
	if isArray {
		open, end = "[", "]"
	}
	var b bytes.Buffer
	if how(&b, []byte(open+string(item)+end)) != nil {
		return item // it was JSON: see put
	}
	return b.Bytes()[1 : b.Len()-1]
}

// oneLine writes an item on one line, with a blank after each colon and comma.
func oneLine(item []byte, isArray bool) []byte {
	return format(item, isArray, func(dst *bytes.Buffer, src []byte) error {
		var lines bytes.Buffer
		if err := json.Indent(&lines, src, "", ""); err != nil {
			return err
		}
		// A string has no line end of its own, so each is between two tokens.
		dst.WriteString(strings.ReplaceAll(strings.ReplaceAll(lines.String(), ",\n", ", "), "\n", ""))
		return nil
	})
}

// manyLines writes an item on lines of its own, all but the first indented.
func manyLines(item []byte, indent, unit, nl string, isArray bool) []byte {
	written := format(item, isArray, func(dst *bytes.Buffer, src []byte) error {
		return json.Indent(dst, src, "", unit)
	})
	return []byte(strings.ReplaceAll(strings.Trim(string(written), blanks), "\n"+unit, nl+indent))
}

// lineIndent returns the blanks that the line of the offset at begins with.
func lineIndent(src []byte, at int) string {
	return string(leadingBlanks(src[bytes.LastIndexByte(src[:at], '\n')+1 : at]))
}

// Drop returns src without the member at path; of several of the last name, all
// go. Its line goes with it when nothing else stands there. What lies on the way
// stays, empty or not. A source without it is returned as it is. The error is a
// [*SyntaxError] when src is no JSON object.
func Drop(src []byte, path []string) ([]byte, error) {
	return drop(src, path[:len(path)-1], func(c container, i int) bool {
		return !c.isArray && c.members[i].key() == path[len(path)-1]
	})
}

// DropElements returns src without the elements of the array at path that gone
// tells of by their index; the array stays. Otherwise as Drop.
func DropElements(src []byte, path []string, gone func(i int) bool) ([]byte, error) {
	return drop(src, path, func(c container, i int) bool { return c.isArray && gone(i) })
}

func drop(src []byte, path []string, gone func(c container, i int) bool) ([]byte, error) {
	if isBlank(src) {
		return src, nil
	}
	d := NewDraft(src)
	at, err := d.find(path)
	if err != nil || len(at.path) < len(path) || at.kind != '{' && at.kind != '[' {
		return src, err
	}
	return splice(src, at.doc.removalOf(func(i int) bool { return gone(at.doc, i) })...), nil
}

// DropWithin is DropElements for an array inside an element of another one: that
// at inner, a single name, in the element index of the array at path.
func DropWithin(src []byte, path []string, index int, inner string, gone func(i int) bool) ([]byte, error) {
	at, err := NewDraft(src).find(path)
	if err != nil || len(at.path) < len(path) || !at.doc.isArray || index >= len(at.doc.members) {
		return src, err
	}
	m := at.doc.members[index]
	piece := src[m.valueStart:m.valueEnd]
	if len(piece) == 0 || piece[0] != '{' {
		return src, nil
	}
	after, err := DropElements(piece, []string{inner}, gone)
	if err != nil {
		return src, err
	}
	return splice(src, edit{m.valueStart, m.valueEnd, after}), nil
}
