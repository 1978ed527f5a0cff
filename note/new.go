package note

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/frontmatter"
)

// NodeMemory is what the client writes as node_type, measured on 2.1.332.
const NodeMemory = "memory"

// Pair is a further field of a new note.
type Pair struct{ Key, Value string }

// Fields are those of a new note. An empty one is left out, but for Name.
type Fields struct {
	Name        string // the client's names are of a-z, 0-9, _ and -; it makes others so when the agent writes the note
	Description string
	Type        string // user, feedback, project or reference
	Session     string // originSessionId: with it the client keeps the rest as it is when the agent writes the note
	Modified    time.Time
	More        []Pair // go below metadata
}

// New returns a note in the form that the client writes, measured on 2.1.332:
// name and description at the top, the rest below metadata, one empty line, the
// body without white space in front of it. The body gets a final line break.
//
// Errors wrap ErrValue for what is not UTF-8 or no name for a field, and
// ErrEntangled where the client would not see the front matter, because it is
// too long.
func New(f Fields, body string) ([]byte, error) {
	var b strings.Builder
	b.WriteString(mark + "\n" + keyName + ": " + clientScalar(f.Name) + "\n")
	if f.Description != "" {
		b.WriteString(keyDescription + ": " + clientScalar(f.Description) + "\n")
	}
	b.WriteString(metadata + ":\n")
	below, err := f.below()
	if err != nil {
		return nil, err
	}
	for _, p := range below {
		b.WriteString("  " + p.Key + ": " + clientScalar(p.Value) + "\n")
	}
	b.WriteString(mark + "\n\n")
	if body = frontmatter.TrimSpace(withBreaks(body, "\n")); body != "" {
		b.WriteString(body + "\n")
	}
	out := []byte(b.String())
	if !utf8.Valid(out) {
		return nil, fmt.Errorf("note %s: not UTF-8: %w", f.Name, ErrValue)
	}
	n := Parse(out)
	if p, locked := n.lock(); locked {
		return nil, fmt.Errorf("note %s: line %d: %s: %w", f.Name, p.Line, p.Text, ErrValue)
	}
	if !n.Seen {
		return nil, fmt.Errorf("note %s: its front matter is longer than the %d lines and %d bytes that the client looks at: %w",
			f.Name, frontmatter.NoteLines, frontmatter.NoteBytes, ErrEntangled)
	}
	return out, nil
}

// below lists what goes below metadata, in the client's order.
func (f Fields) below() ([]Pair, error) {
	out := []Pair{{keyNodeType, NodeMemory}}
	if f.Type != "" {
		out = append(out, Pair{keyType, f.Type})
	}
	seen := map[string]bool{keyNodeType: true, keyType: true, keySession: true, keyModified: true}
	for _, p := range f.More {
		if !newKey(p.Key) || seen[p.Key] {
			return nil, fmt.Errorf("%q is no name for a further field: %w", p.Key, ErrValue)
		}
		seen[p.Key] = true
		out = append(out, p)
	}
	if f.Session != "" {
		out = append(out, Pair{keySession, f.Session})
	}
	if !f.Modified.IsZero() {
		out = append(out, Pair{keyModified, Stamp(f.Modified)})
	}
	return out, nil
}

// Stamp is a time as the client writes it into the field modified: UTC, in
// milliseconds. Measured on 2.1.332.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
