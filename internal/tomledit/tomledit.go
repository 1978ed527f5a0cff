// Package tomledit adds one table to a TOML file that a person keeps, such as the
// configuration of a coding agent, and takes it away again. Every other byte
// stays as it was: comments, order, line ends, a byte order mark.
//
// What comes out is decoded and compared with what went in: where the two differ
// in anything but that table, nothing is given back but an error.
package tomledit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// MaxSize is the size in bytes of the largest source that is edited: the decoder
// takes time with the square of the number of tables.
const MaxSize = 256 << 10

// Errors; test with errors.Is.
var (
	// ErrThere says that the table stands already.
	ErrThere = errors.New("there already")
	// ErrForm says that a value is there, but not as a table of its own.
	ErrForm = errors.New("it is not written as a table of its own")
)

// A SyntaxError is a source that is no TOML. It holds none of its text: such
// files hold secrets.
type SyntaxError struct {
	Line int // from 1; 0 where the parser does not tell
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return "it is not valid TOML"
	}
	return fmt.Sprintf("line %d: it is not valid TOML", e.Line)
}

// A Key is one line of a table.
type Key struct {
	Name  string
	Value any // a string or a []string
}

// Append returns src with the table named by path at its end, and the piece that
// came in: cut out at start, it gives src back. The names of path and of the keys
// must be bare keys of TOML. Errors: [ErrThere], [ErrForm] where the way to the
// table is written so that no table can be added to it, a [*SyntaxError].
func Append(src []byte, path []string, keys []Key) (out []byte, start int, piece string, err error) {
	before, err := decode(src)
	if err != nil {
		return nil, 0, "", err
	}
	if _, there := Lookup(before, path); there {
		return nil, 0, "", fmt.Errorf("[%s] is %w", strings.Join(path, "."), ErrThere)
	}
	nl := "\n"
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		nl = "\r\n"
	}
	piece = "[" + strings.Join(path, ".") + "]" + nl
	for _, k := range keys {
		piece += k.Name + " = " + literal(k.Value) + nl
	}
	switch text := bytes.TrimPrefix(src, bom()); {
	case len(text) == 0:
	case !bytes.HasSuffix(text, []byte("\n")):
		piece = nl + nl + piece
	case !endsBlank(text):
		piece = nl + piece
	}
	out = append(slices.Clip(slices.Clone(src)), piece...)
	after, err := decode(out)
	if err != nil {
		return nil, 0, "", fmt.Errorf("[%s] cannot be added: %w", strings.Join(path[:len(path)-1], "."), ErrForm)
	}
	remove(after, path)
	if !reflect.DeepEqual(pruned(before, path), pruned(after, path)) {
		return nil, 0, "", fmt.Errorf("[%s] cannot be added without changing something else", strings.Join(path, "."))
	}
	return out, len(src), piece, nil
}

// Drop returns src without the table named by path and the tables below it, and
// without the empty line before it. A source without it is returned as it is.
// Errors: [ErrForm] where it stands there in another form, such as an inline
// table; a [*SyntaxError].
func Drop(src []byte, path []string) ([]byte, error) {
	before, err := decode(src)
	if err != nil {
		return nil, err
	}
	if _, there := Lookup(before, path); !there {
		return src, nil
	}
	out := src
	for _, b := range slices.Backward(blocks(src)) {
		if len(b.path) >= len(path) && slices.Equal(b.path[:len(path)], path) {
			out = slices.Concat(out[:b.start], out[b.end:])
		}
	}
	after, err := decode(out)
	if err == nil {
		_, there := Lookup(after, path)
		remove(before, path)
		if there || !reflect.DeepEqual(pruned(before, path), pruned(after, path)) {
			err = ErrForm
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be taken out: %w", strings.Join(path, "."), ErrForm)
	}
	return out, nil
}

// Read decodes src. The error is a [*SyntaxError], or says that src is too large.
func Read(src []byte) (map[string]any, error) { return decode(src) }

// Lookup returns what stands at path.
func Lookup(doc map[string]any, path []string) (any, bool) {
	var v any = doc
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[name]; !ok {
			return nil, false
		}
	}
	return v, true
}

func bom() []byte { return []byte("\uFEFF") }

func decode(src []byte) (map[string]any, error) {
	if len(src) > MaxSize {
		return nil, fmt.Errorf("it is larger than %d KiB", MaxSize>>10)
	}
	doc := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(src, bom()), &doc)
	if err == nil {
		return doc, nil
	}
	e := &SyntaxError{}
	if de, ok := errors.AsType[*toml.DecodeError](err); ok {
		e.Line, _ = de.Position()
	}
	return nil, e
}

// remove takes what stands at path out of a decoded document.
func remove(doc map[string]any, path []string) {
	if v, ok := Lookup(doc, path[:len(path)-1]); ok {
		if m, ok := v.(map[string]any); ok {
			delete(m, path[len(path)-1])
		}
	}
}

// pruned is a decoded document without the empty tables on the way to path, which
// [a.b] makes and its removal takes with it.
func pruned(doc map[string]any, path []string) map[string]any {
	for n := len(path) - 1; n > 0; n-- {
		if v, ok := Lookup(doc, path[:n]); ok {
			if m, ok := v.(map[string]any); ok && len(m) == 0 {
				remove(doc, path[:n])
			}
		}
	}
	return doc
}

// A block is the lines of one table: its head and its keys. Comments and empty
// lines behind them belong to what follows.
type block struct {
	path       []string
	start, end int
}

func blocks(src []byte) []block {
	text := bytes.TrimPrefix(src, bom())
	skipped := len(src) - len(text)
	var p unstable.Parser
	p.Reset(text)
	var all []block
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		b := block{end: len(src)}
		for k := e.Key(); k.Next(); {
			if b.path == nil {
				at := int(k.Node().Raw.Offset)
				b.start = skipped + bytes.LastIndexByte(text[:at], '\n') + 1
			}
			b.path = append(b.path, string(k.Node().Data))
		}
		if n := len(all); n > 0 {
			all[n-1].end = b.start
		}
		all = append(all, b)
	}
	for i := range all {
		all[i].trim(src)
	}
	return all
}

// trim gives up the empty lines and comments at the end, and takes the empty line
// before the head where an empty line or nothing follows.
func (b *block) trim(src []byte) {
	lines := bytes.SplitAfter(src[b.start:b.end], []byte("\n"))
	for len(lines) > 1 {
		line := bytes.TrimSpace(lines[len(lines)-1])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		b.end -= len(lines[len(lines)-1])
		lines = lines[:len(lines)-1]
	}
	next, _, _ := bytes.Cut(src[b.end:], []byte("\n"))
	if b.start > 0 && len(bytes.TrimSpace(next)) == 0 && endsBlank(src[:b.start]) {
		b.start -= len("\n")
		if b.start > 0 && src[b.start-1] == '\r' {
			b.start--
		}
	}
}

// endsBlank reports whether the last line of text is an empty one.
func endsBlank(text []byte) bool {
	rest, ok := bytes.CutSuffix(text, []byte("\n"))
	if !ok {
		return false
	}
	rest = bytes.TrimSuffix(rest, []byte("\r"))
	return len(rest) == 0 || rest[len(rest)-1] == '\n'
}

// literal writes a string, or an array of strings, as TOML.
func literal(v any) string {
	if list, ok := v.([]string); ok {
		parts := make([]string, 0, len(list))
		for _, s := range list {
			parts = append(parts, literal(s))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range fmt.Sprint(v) {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
