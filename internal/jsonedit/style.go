package jsonedit

import (
	"bytes"
	"strings"
)

// defaultIndent is what a document without members is indented by: what Claude
// Code writes its settings with.
const defaultIndent = "  "

// newline returns the line end of src: its first, or "\n".
func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// insertion returns the edits that add a member at the end.
func (d *document) insertion(key string, literal []byte) []edit {
	return d.insertItem([]byte(quote(key) + d.colon() + string(literal)))
}

// insertItem returns the edits that add a member, written out, or an element at
// the end. They only put bytes in.
func (d *document) insertItem(item []byte) []edit {
	at, comma := d.open+1, ""
	var edits []edit
	if n := len(d.members); n > 0 {
		last := d.members[n-1]
		if last.comma >= 0 {
			at, comma = last.comma+1, ","
		} else {
			at = last.valueEnd
			edits = append(edits, edit{at, at, []byte(",")})
		}
	}
	at = d.tailEnd(at)
	text := d.separator(at) + string(item) + comma
	return append(edits, edit{at, at, []byte(text)})
}

// tailEnd returns where the new member goes: behind all comments between from
// and the closing brace, at the end of the line that the last of them, or from
// itself, stands on. Between the two there is nothing but blanks and comments.
func (d *document) tailEnd(from int) int {
	end := from + len(bytes.TrimRight(d.src[from:d.close], blanks))
	if i := bytes.IndexByte(d.src[end:d.close], '\n'); i >= 0 {
		return end + len(bytes.TrimSuffix(d.src[end:end+i], []byte("\r")))
	}
	return end
}

// separator is what stands before a new member at the offset at.
func (d *document) separator(at int) string {
	if !d.multiline() {
		switch {
		case len(d.members) == 0:
			// `{}` becomes `{"k": 1}`, `{ }` becomes `{ "k": 1 }`.
			return string(leadingBlanks(d.src[at:d.close]))
		case len(d.members) > 1:
			return string(leadingBlanks(d.src[d.members[0].comma+1 : d.members[1].start]))
		}
		_, after, _ := strings.Cut(d.colon(), ":")
		return after
	}
	return newline(d.src) + d.indent()
}

// multiline reports whether the object's own members stand on lines of their
// own: a line end inside a nested value says nothing about it.
func (d *document) multiline() bool {
	at := d.open + 1
	for _, m := range d.members {
		if hasLineEnd(d.src[at:m.start]) {
			return true
		}
		at = m.valueEnd
	}
	return hasLineEnd(d.src[at:d.close])
}

// indent returns the blanks before the last member that begins a line.
func (d *document) indent() string {
	for i := len(d.members) - 1; i >= 0; i-- {
		from := d.open + 1
		if i > 0 {
			from = d.members[i-1].valueEnd
		}
		gap := d.src[from:d.members[i].start]
		if line := bytes.LastIndexByte(gap, '\n') + 1; line > 0 {
			return string(leadingBlanks(gap[line:]))
		}
	}
	return d.inner
}

// colon returns the colon as the last member has it, with its blanks.
func (d *document) colon() string {
	if len(d.members) == 0 {
		return ": "
	}
	last := d.members[len(d.members)-1]
	between := d.src[last.nameEnd:last.valueStart]
	if bytes.Count(between, []byte(":")) == 1 && len(bytes.Trim(between, ": \t")) == 0 {
		return string(between)
	}
	return ": " // it has a comment or a line end in it
}

// leadingBlanks returns the spaces and tabs that b begins with.
func leadingBlanks(b []byte) []byte {
	return b[:len(b)-len(bytes.TrimLeft(b, " \t"))]
}

func hasLineEnd(b []byte) bool { return bytes.IndexByte(b, '\n') >= 0 }

// removal returns the edits that remove every member named key.
func (d *document) removal(key string) []edit {
	return d.removalOf(func(i int) bool { return d.members[i].key() == key })
}

// removalOf returns the edits that remove the members, or elements, that gone
// tells of by their index.
func (d *document) removalOf(gone func(i int) bool) []edit {
	var edits []edit
	kept := -1 // the last member that stays
	for i := range d.members {
		if !gone(i) {
			kept = i
		}
	}
	for i, m := range d.members {
		switch {
		case gone(i):
			edits = append(edits, d.cut(m, i > kept)...)
		case i == kept && i < len(d.members)-1 && d.members[len(d.members)-1].comma < 0:
			// It becomes the last of a document that has no trailing comma.
			edits = append(edits, edit{m.comma, m.comma + 1, nil})
		}
	}
	return edits
}

// cut returns the edits that remove one member and its comma; atEnd says that no
// member after it stays.
func (d *document) cut(m member, atEnd bool) []edit {
	end := m.valueEnd
	var more []edit
	if m.comma >= 0 {
		if len(bytes.Trim(d.src[end:m.comma], blanks)) == 0 {
			end = m.comma + 1
		} else { // a comment before the comma stays
			more = append(more, edit{m.comma, m.comma + 1, nil})
		}
	}
	lead := m.start - trailingBlanks(d.src[d.open+1:m.start])
	trail := end + len(leadingBlanks(d.src[end:d.close]))
	// A carriage return by itself ends no line, and no comment either.
	alone := d.src[lead-1] == '\n' && (d.src[trail] == '\n' || bytes.HasPrefix(d.src[trail:], []byte("\r\n")))
	switch {
	case alone: // the line goes, with the line end before it
		lead--
		if d.src[lead-1] == '\r' {
			lead--
		}
		return append([]edit{{lead, trail, nil}}, more...)
	case atEnd && d.src[lead-1] != '\n': // the blanks after the comma before it
		return append([]edit{{lead, end, nil}}, more...)
	case atEnd || len(more) > 0:
		return append([]edit{{m.start, end, nil}}, more...)
	}
	return []edit{{m.start, trail, nil}}
}

// trailingBlanks returns the number of spaces and tabs that b ends with.
func trailingBlanks(b []byte) int {
	return len(b) - len(bytes.TrimRight(b, " \t"))
}
