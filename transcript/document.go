package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// isDocument reports whether a log is one JSON value of Gemini CLI: an object
// with a list of messages, or a list of prompts. head is as much of it as fits the
// window.
func isDocument(head []byte) bool {
	c := &cursor{b: bytes.TrimPrefix(head, []byte("\uFEFF"))}
	found := false
	switch c.peek() {
	case '{':
		names := 0
		c.members(func(name []byte) {
			switch string(name) {
			case "sessionId", "projectHash":
				names++
			case "messages":
				found = found || c.peek() == '['
			}
		})
		// A log of one line has its list of messages in reach; a long one that is
		// printed over many lines may not end within the window, or have a large
		// field first.
		return found || names == 2 && !c.end() && c.i == len(c.b)
	case '[':
		c.items(func() {
			has := map[string]bool{}
			if c.peek() == '{' {
				c.members(func(name []byte) { has[string(name)] = true })
			}
			found = found || has["sessionId"] && has["messageId"] && has["message"]
		})
	}
	return found
}

// A document steps through one JSON value, of which it holds one entry of a list
// at a time.
type document struct {
	r    *bufio.Reader
	buf  []byte
	line int // of what was read last, 1-based
	err  error
}

// readDocument reads the messages of one JSON value.
func readDocument(r *bufio.Reader, s *sink) error {
	d := &document{r: r, line: 1}
	if head, _ := r.Peek(3); bytes.Equal(head, []byte("\uFEFF")) {
		_, _ = r.Discard(3)
	}
	g := newGemini(s)
	s.st.Host = "gemini"
	var verr error
	switch d.peek() {
	case '[':
		verr = d.list(s, g)
	case '{':
		verr = d.object(s, g)
	}
	if verr == nil {
		verr = g.flush()
	}
	if verr == nil && d.err == nil && d.peek() != 0 {
		s.st.Bad++ // something stands behind the value
	}
	s.st.Lines = d.line
	switch {
	case verr != nil:
		return verr
	case d.err == nil:
		return nil
	case errors.Is(d.err, errBroken), errors.Is(d.err, io.EOF):
		s.st.Bad++
		return nil
	}
	return fmt.Errorf("reading line %d of a session log: %w", d.line, d.err)
}

// errBroken is what is no JSON.
var errBroken = errors.New("no JSON")

// object reads the fields of the whole value: the messages, and the short ones.
func (d *document) object(s *sink, g format) error {
	d.step()
	for first := true; d.more(first, '}'); first = false {
		name, _ := d.value(maxName)
		field := (&cursor{b: name}).short()
		if d.peek() != ':' {
			d.fail()
			return nil
		}
		d.step()
		if d.peek() == '[' && field == "messages" {
			if err := d.list(s, g); err != nil {
				return err
			}
			continue
		}
		raw, long := d.value(maxName)
		if long || field != "sessionId" && field != "projectHash" && field != "kind" {
			continue
		}
		gem := g.(*gemini)
		switch text := (&cursor{b: raw}).short(); field {
		case "sessionId":
			gem.session = text
		case "kind":
			gem.subagent = text == "subagent"
		}
	}
	return nil
}

// list reads the entries of a list, each like a line.
func (d *document) list(s *sink, g format) error {
	d.step()
	for first := true; d.more(first, ']'); first = false {
		d.peek()
		no := d.line
		raw, long := d.value(MaxLine)
		if d.err != nil {
			return nil
		}
		if err := s.readLine(raw, long, no, g); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) fail() {
	if d.err == nil {
		d.err = errBroken
	}
}

// peek is the first byte of the next token, 0 at the end or after a fault.
func (d *document) peek() byte {
	for d.err == nil {
		b, err := d.r.ReadByte()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				d.err = err
			}
			return 0
		}
		switch b {
		case '\n':
			d.line++
		case ' ', '\t', '\r':
		default:
			_ = d.r.UnreadByte()
			return b
		}
	}
	return 0
}

func (d *document) step() { _, _ = d.r.ReadByte() }

// more steps over the comma between two items; false is behind the last one, and
// at the end of a value that was cut.
func (d *document) more(first bool, closing byte) bool {
	switch b := d.peek(); {
	case b == closing:
		d.step()
		return false
	case b == ',' && !first:
		d.step()
		return true
	case b == 0 || !first:
		d.fail()
	}
	return d.err == nil
}

// value reads one value, valid until the next call. long tells that it had more
// than limit bytes, of which nothing is kept. Only its brackets and quotes are
// looked at.
func (d *document) value(limit int) (raw []byte, long bool) {
	d.buf = d.buf[:0]
	if d.peek() == 0 {
		d.fail()
		return nil, false
	}
	var v span
	for d.err == nil {
		_, err := d.r.Peek(1)
		if err != nil {
			d.err = err
			if errors.Is(err, io.EOF) {
				d.fail()
			}
			return nil, false
		}
		chunk, _ := d.r.Peek(d.r.Buffered())
		n, done := v.scan(chunk)
		if len(d.buf)+n > limit {
			d.buf, long = d.buf[:0], true
		}
		if !long {
			d.buf = extend(d.buf, chunk[:n])
		}
		d.line += bytes.Count(chunk[:n], []byte{'\n'})
		_, _ = d.r.Discard(n)
		if done {
			return d.buf, long
		}
	}
	return nil, false
}

// span finds the end of one value in chunks.
type span struct {
	depth  int
	began  bool
	quoted bool
	escape bool // the chunk before ended with a backslash
}

// scan gives how many bytes of a chunk belong to the value, and whether it ends
// with them.
func (v *span) scan(chunk []byte) (n int, done bool) {
	for i := 0; i < len(chunk); i++ {
		if v.escape {
			v.escape = false
			continue
		}
		if v.quoted {
			at := bytes.IndexAny(chunk[i:], `"\`)
			if at < 0 {
				return len(chunk), false
			}
			i += at
			if chunk[i] == '\\' {
				v.escape = true
				continue
			}
			v.quoted = false
			if v.depth == 0 {
				return i + 1, true
			}
			continue
		}
		switch chunk[i] {
		case '"':
			v.quoted = true
		case '{', '[':
			v.depth++
		case '}', ']':
			if v.depth--; v.depth < 0 {
				return i, true // it belongs to what is around a bare word
			}
			if v.depth == 0 {
				return i + 1, true
			}
		case ',', ' ', '\t', '\r', '\n':
			if v.depth == 0 && v.began {
				return i, true
			}
		case ':':
			if v.depth == 0 {
				return i, true
			}
		}
		v.began = true
	}
	return len(chunk), false
}
