package note

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"dormouse/frontmatter"
)

// Errors of edits; each comes wrapped with what it is about.
var (
	// ErrLocked is returned where a Problem that Locks stands in the way.
	ErrLocked = errors.New("can't be edited")
	// ErrNoField is returned when a field to be removed is not there.
	ErrNoField = errors.New("no such field")
	// ErrValue is returned for text that can't be written: not UTF-8, or with a
	// line break where a line was asked for.
	ErrValue = errors.New("can't be written")
	// ErrEntangled is returned where no edit was found that changes only what it
	// should: a field in braces, an anchor that another value needs, a front
	// matter that would outgrow what the client looks at.
	ErrEntangled = errors.New("can't be changed by itself")
)

// Set returns the note with the field key set to the text value. A field that is
// there keeps its place, the way its key is written and its comment, and its
// quotes if they were not needed; see [Note.Field] for which one key means. A
// new one is put in in the order in which the client writes fields: below
// metadata if the note has that, name and description at the top; a note
// without front matter gets one. The value is put in quotes exactly when the
// client's reader needs them.
//
// With nothing to change the result is the note's own bytes. Errors wrap
// ErrLocked, ErrValue or ErrEntangled.
func (n *Note) Set(key, value string) ([]byte, error) {
	if err := n.settable(key, value); err != nil {
		return nil, err
	}
	i := n.index(key)
	if i < 0 {
		return n.insert(key, value)
	}
	f := n.Fields[i]
	if f.Value.Kind == frontmatter.String && f.Value.Text == value {
		return n.raw, nil
	}
	if k := f.Value.Kind; k == frontmatter.List || k == frontmatter.Map {
		return nil, fmt.Errorf("%s is a %s and no text: %w", f.Key, k, ErrEntangled)
	}
	if f.Start < 0 {
		return nil, fmt.Errorf("%s stands in braces or comes from elsewhere: %w", f.Key, ErrEntangled)
	}
	want := n.values()
	want[f.Key] = text(value)
	var tries []edit
	for _, lines := range n.layout(f).rewrites(f.Value, value) {
		tries = append(tries, edit{f.Start, f.End, lines})
	}
	return n.first(f.Key, want, tries)
}

func (n *Note) settable(key, value string) error {
	if err := n.locked(); err != nil {
		return err
	}
	if !utf8.ValidString(value) {
		return fmt.Errorf("the value of %s is not UTF-8: %w", key, ErrValue)
	}
	if n.index(key) < 0 && !newKey(localKey(key)) {
		return fmt.Errorf("%q is no name for a field (letters, digits, _ and -): %w", key, ErrValue)
	}
	return nil
}

func newKey(key string) bool {
	if key == "" || key == metadata || strings.Contains(key, mark) || clientQuotes(key) || strings.HasPrefix(key, "-") {
		return false
	}
	return strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

func (n *Note) locked() error {
	if p, ok := n.lock(); ok {
		return fmt.Errorf("line %d: %s: %w", p.Line, p.Text, ErrLocked)
	}
	return nil
}

// Reverts reports whether setting key to value and then back to what it is now
// (or removing it again) would give the bytes of now. It does where the way in
// which the old value is written is the one that Set would choose for it.
func (n *Note) Reverts(key, value string) bool {
	old, had := n.Text(key)
	out, err := n.Set(key, value)
	if err != nil {
		return false
	}
	var back []byte
	if changed := Parse(out); had {
		back, err = changed.Set(key, old)
	} else {
		back, err = changed.Remove(key)
	}
	return err == nil && bytes.Equal(back, n.raw)
}

// maxRepeats bounds how often one key may come in a map for Remove.
const maxRepeats = 16

// Remove returns the note without the field key and its lines; see [Note.Field]
// for key. Where the key comes twice all of them go, for the other would come to
// light; metadata goes with its last field. Errors wrap ErrLocked, ErrNoField or
// ErrEntangled.
func (n *Note) Remove(key string) ([]byte, error) {
	if err := n.locked(); err != nil {
		return nil, err
	}
	i := n.index(key)
	if i < 0 {
		return nil, fmt.Errorf("%s: %w", key, ErrNoField)
	}
	key = n.Fields[i].Key
	want := n.values()
	delete(want, key)
	for range maxRepeats {
		i := n.exact(key)
		if i < 0 {
			return n.raw, nil
		}
		out, err := n.removeOnce(n.Fields[i], want)
		if err != nil {
			return nil, err
		}
		n = Parse(out)
	}
	return nil, fmt.Errorf("%s comes more than %d times: %w", key, maxRepeats, ErrEntangled)
}

// removeOnce removes one field, after which an earlier one of the same key may
// show.
func (n *Note) removeOnce(f Field, want values) ([]byte, error) {
	if f.Start < 0 {
		return nil, fmt.Errorf("%s stands in braces or comes from elsewhere: %w", f.Key, ErrEntangled)
	}
	start := f.Start
	if head := n.metadataLine(); strings.HasPrefix(f.Key, metadata+".") && head.End == f.Start && n.count(metadata+".") == 1 {
		start = head.Start
	}
	out := splice(n.raw, start, f.End, "")
	if after := Parse(out); after.exact(f.Key) >= 0 {
		want = want.with(f.Key, after.values()[f.Key])
	}
	if err := n.check(out, want); err == nil {
		return out, nil
	}
	out = splice(n.raw, f.Start, f.End, "")
	if err := n.check(out, want.with(metadata, fingerprint(frontmatter.Value{}))); err == nil && n.count(metadata+".") == 1 {
		return out, nil
	}
	return nil, n.entangled(f.Key, n.check(splice(n.raw, f.Start, f.End, ""), want))
}

// count counts the fields whose keys begin with prefix.
func (n *Note) count(prefix string) int {
	c := 0
	for _, f := range n.Fields {
		if strings.HasPrefix(f.Key, prefix) {
			c++
		}
	}
	return c
}

// An edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// first returns the note after the first of the edits that does what it should
// and nothing else.
func (n *Note) first(key string, want values, tries []edit) ([]byte, error) {
	var failed error
	for _, t := range tries {
		out := splice(n.raw, t.start, t.end, t.text)
		err := n.check(out, want)
		if err == nil {
			return out, nil
		}
		if failed == nil {
			failed = err
		}
	}
	return nil, n.entangled(key, failed)
}

func (n *Note) entangled(key string, why error) error {
	if why == nil {
		why = errors.New("there is no place for it")
	}
	return fmt.Errorf("%s: %w: %w", key, why, ErrEntangled)
}

// values are the fields of a note, each as one text that two values share when
// they are the same.
type values map[string]string

func (n *Note) values() values {
	v := values{}
	for _, f := range n.Fields {
		v[f.Key] = fingerprint(f.Value)
	}
	return v
}

// with returns a copy in which key has the value.
func (v values) with(key, value string) values {
	c := values{key: value}
	for k, x := range v {
		if k != key {
			c[k] = x
		}
	}
	return c
}

func text(s string) string { return fingerprint(frontmatter.Value{Kind: frontmatter.String, Text: s}) }

func fingerprint(v frontmatter.Value) string {
	var b strings.Builder
	writeFingerprint(&b, v)
	return b.String()
}

func writeFingerprint(b *strings.Builder, v frontmatter.Value) {
	fmt.Fprintf(b, "%s %q", v.Kind, v.Text)
	for _, i := range v.Items {
		b.WriteString("\n- ")
		writeFingerprint(b, i)
	}
	for _, f := range v.Fields {
		fmt.Fprintf(b, "\n%q: ", f.Key)
		writeFingerprint(b, f.Value)
	}
	b.WriteString("\n.")
}

// check reads out, an edit of n, and compares: the fields must be those of want,
// the text below them and what the client sees of the file as before. Comparing
// what is read is what makes an edit safe on a text that the code that made it
// does not understand.
func (n *Note) check(out []byte, want values) error {
	after := Parse(out)
	if p, ok := after.lock(); ok {
		return errors.New(p.Text)
	}
	if n.HasFront && n.Seen && !after.Seen || !after.HasFront {
		return fmt.Errorf("the front matter would no longer end within the %d lines and %d bytes that the client looks at",
			frontmatter.NoteLines, frontmatter.NoteBytes)
	}
	if !n.HasFront && !after.Seen {
		return errors.New("the client would not see the front matter")
	}
	if after.mended && !n.mended {
		return errors.New("the front matter would no longer be YAML")
	}
	if !bytes.Equal(n.Body(), after.Body()) {
		return errors.New("the text below the front matter would change")
	}
	got := after.values()
	for key, value := range want {
		if got[key] != value {
			return fmt.Errorf("%s would read otherwise", key)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			return fmt.Errorf("%s would come up", key)
		}
	}
	return nil
}
