// Package tomlkeys reads single keys of a TOML file, each with the line it
// stands in. It is for settings files that somebody else wrote: a handful of
// keys is asked for, and the answer names file and line.
//
// It stands on the parser below go-toml's decoder: that one gives positions and
// takes time in proportion to the file. (go-toml v2.4.3's decoder takes 20 s
// for 1 MiB of short tables.)
package tomlkeys

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// MaxDepth is how many parts a key may have that Get finds. Deeper keys are
// checked for syntax only, so that a file made to be hard costs no more than
// its size.
const MaxDepth = 3

// Key is one key that was found.
type Key struct {
	Path  []string
	Value any // string, bool, int64, []any of these, or Other
	Line  int // 1-based
}

// Other stands for a value of a kind that nobody asks for: its name.
type Other string

// Error is a file that is no TOML. Keys that contradict each other without
// standing twice, such as a value and a table of one name, are not noticed.
type Error struct {
	Line int // 1-based
	What string
}

func (e *Error) Error() string { return e.What }

// File is a parsed file.
type File struct {
	raw  []byte
	keys map[string]found
}

type found struct {
	path  []string
	value any
	at    int // byte offset
}

// Parse reads a file; a BOM before it is dropped. The error is an *Error.
func Parse(raw []byte) (*File, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	f := &File{raw: raw, keys: map[string]found{}}
	var p unstable.Parser
	p.Reset(raw)
	var table []string
	tables := map[string]bool{}
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			var at int
			table, at = keyOf(e, nil)
			if k := join(table); len(table) <= MaxDepth {
				if tables[k] {
					return nil, f.twice("table", table, at)
				}
				tables[k] = true
			}
		case unstable.ArrayTable:
			table = make([]string, MaxDepth+1) // too deep to be asked for
		case unstable.KeyValue:
			if err := f.add(e, table); err != nil {
				return nil, err
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, f.syntax(&p, err)
	}
	return f, nil
}

// Get returns the key with these parts.
func (f *File) Get(path ...string) (Key, bool) {
	k, ok := f.keys[join(path)]
	if !ok {
		return Key{}, false
	}
	return Key{k.path, k.value, f.line(k.at)}, true
}

func (f *File) syntax(p *unstable.Parser, err error) error {
	pe, ok := errors.AsType[*unstable.ParserError](err)
	if !ok {
		return &Error{1, err.Error()}
	}
	at := len(f.raw)
	if len(pe.Highlight) > 0 {
		at = int(p.Range(pe.Highlight).Offset)
	}
	return &Error{f.line(at), pe.Message}
}

func (f *File) twice(what string, path []string, at int) error {
	return &Error{f.line(at), fmt.Sprintf("the %s %s stands twice", what, strings.Join(path, "."))}
}

// add records one key and, for an inline table, those in it.
func (f *File) add(e *unstable.Node, table []string) error {
	path, at := keyOf(e, table)
	if len(path) > MaxDepth {
		return nil
	}
	v := e.Value()
	if v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			if err := f.add(it.Node(), path); err != nil {
				return err
			}
		}
	}
	k := join(path)
	if _, ok := f.keys[k]; ok {
		return f.twice("key", path, at)
	}
	f.keys[k] = found{path, valueOf(v), at}
	return nil
}

// keyOf returns the parts of an expression's key behind those of its table, and
// where the key starts. Of a key that is too deep it returns so much that it
// shows.
func keyOf(e *unstable.Node, table []string) (path []string, at int) {
	path, at = slices.Clip(table), -1
	for it := e.Key(); it.Next() && len(path) <= MaxDepth; {
		if at < 0 {
			at = int(it.Node().Raw.Offset)
		}
		path = append(path, string(it.Node().Data))
	}
	return path, at
}

func join(path []string) string { return strings.Join(path, "\x00") }

func valueOf(n *unstable.Node) any {
	switch n.Kind {
	case unstable.String:
		return string(n.Data)
	case unstable.Bool:
		return string(n.Data) == "true"
	case unstable.Integer:
		// Base 0 reads 0x, 0o and 0b; a leading zero is no TOML.
		if v, err := strconv.ParseInt(strings.ReplaceAll(string(n.Data), "_", ""), 0, 64); err == nil {
			return v
		}
	case unstable.Array:
		list := []any{}
		for it := n.Children(); it.Next(); {
			if v := it.Node(); v.Kind == unstable.Array {
				list = append(list, Other(v.Kind.String()))
			} else {
				list = append(list, valueOf(v))
			}
		}
		return list
	}
	return Other(n.Kind.String())
}

func (f *File) line(at int) int {
	return bytes.Count(f.raw[:min(max(at, 0), len(f.raw))], []byte("\n")) + 1
}
