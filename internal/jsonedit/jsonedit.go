// Package jsonedit changes one top-level member of a JSON object, such as a
// settings file that a person keeps, and leaves every other byte as it was.
//
// It reads JSON with comments and trailing commas, because people write those,
// whether or not the program that owns the file reads them: see [Strict]. A byte
// order mark, CRLF line ends, blanks, the order of members and escapes in strings
// all stay.
//
// Where a key stands twice, readers take the last one (so do encoding/json and
// JSON.parse): [SetBool] changes the last and leaves the others; [Unset] removes
// them all, because removing the last would bring an older value back.
package jsonedit

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// SetBool returns src with the top-level member key set to value. An existing
// member keeps its place and only the bytes of its value change; a new one is
// added at the end in the style of the document: its indentation, line ends and
// blanks after colon and comma, a trailing comma if it has one, all on one line
// if the object is. A source that is empty or blank becomes an object.
//
// It never writes to src; without a change the result is src itself. The error is
// a [*SyntaxError] when src is no JSON object.
func SetBool(src []byte, key string, value bool) ([]byte, error) {
	if !utf8.ValidString(key) {
		return nil, fmt.Errorf("key %q is not valid UTF-8", key)
	}
	literal := []byte("false")
	if value {
		literal = []byte("true")
	}
	if isBlank(src) {
		return create(src, key, literal), nil
	}
	doc, err := parse(src)
	if err != nil {
		return nil, err
	}
	for _, m := range slices.Backward(doc.members) {
		if m.key() != key {
			continue
		}
		if bytes.Equal(src[m.valueStart:m.valueEnd], literal) {
			return src, nil
		}
		return splice(src, edit{m.valueStart, m.valueEnd, literal}), nil
	}
	return splice(src, doc.insertion(key, literal)...), nil
}

// Unset returns src without the top-level member key. Its line goes with it when
// nothing else stands there; a comment beside it stays, one inside it (between
// name and value) goes. A source without the member, also an empty or blank one,
// is returned as it is. The error is a [*SyntaxError] when src is no JSON object.
func Unset(src []byte, key string) ([]byte, error) {
	if isBlank(src) {
		return src, nil
	}
	doc, err := parse(src)
	if err != nil {
		return nil, err
	}
	return splice(src, doc.removal(key)...), nil
}

// Strict reports whether src is JSON as RFC 8259 has it, after an optional byte
// order mark; the error is a [*SyntaxError] that names the first comment, comma
// or other byte that is not. Claude Code ignores a settings file that is not
// strict, all of it, without a word (measured on 2.1.332: comments and trailing
// commas; a byte order mark and invalid UTF-8 in strings do no harm).
func Strict(src []byte) error {
	if _, err := parse(src); err != nil {
		return err
	}
	text := src[bomLen(src):]
	if s := look(text); s.loose >= 0 {
		return syntaxError(text, s.loose, s.what)
	}
	return nil
}

// An edit replaces src[start:end].
type edit struct {
	start, end int
	text       []byte
}

// splice applies edits, given in the order of the source. Where two overlap,
// which only removals do, the second begins where the first ended.
func splice(src []byte, edits ...edit) []byte {
	if len(edits) == 0 {
		return src
	}
	size := len(src)
	for _, e := range edits {
		size += len(e.text)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		if e.start > at {
			out = append(out, src[at:e.start]...)
		}
		out = append(out, e.text...)
		at = max(at, e.end)
	}
	return append(out, src[at:]...)
}

// create makes the object of a source that has none. The source's own blanks
// stay below it.
func create(src []byte, key string, literal []byte) []byte {
	nl := newline(src)
	var out []byte
	bom := bomLen(src)
	out = append(out, src[:bom]...)
	out = append(out, "{"+nl+defaultIndent+quote(key)+": "+string(literal)+nl+"}"...)
	if !bytes.Contains(src, []byte("\n")) {
		out = append(out, nl...)
	}
	return append(out, src[bom:]...)
}

func isBlank(src []byte) bool {
	return len(bytes.Trim(src[bomLen(src):], blanks)) == 0
}

// bomLen returns the length of src's byte order mark in bytes, 0 or 3.
func bomLen(src []byte) int {
	if bytes.HasPrefix(src, []byte("\uFEFF")) {
		return len("\uFEFF")
	}
	return 0
}

func quote(key string) string { return string(hujson.String(key)) }
