package note

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SetBody returns the note with another text below its front matter; what stands
// above it, blank lines included, stays. The text gets the document's line
// breaks, loses blank lines at its start, and gets a final line break if it has
// none and the old text had one or was empty.
//
// Errors wrap ErrLocked (also where it can't be told where the front matter
// ends), ErrValue, or ErrEntangled where the text would be taken for front matter.
func (n *Note) SetBody(text string) ([]byte, error) {
	if n.unclosed {
		return nil, n.locked()
	}
	if err := n.writable(text); err != nil {
		return nil, err
	}
	old := n.Body()
	if text == string(old) {
		return n.raw, nil
	}
	nl := n.bodyBreak()
	text = withBreaks(text, nl)
	text = text[skipBlankLines(text, 0):]
	if text != "" && !strings.HasSuffix(text, "\n") && (len(old) == 0 || bytes.HasSuffix(old, []byte("\n"))) {
		text += nl
	}
	lead := ""
	if text != "" && n.bodyAt == len(n.raw) {
		lead = n.gap(nl)
	}
	return n.checkedBody(splice(n.raw, n.bodyAt, len(n.raw), lead+text), text)
}

// gap is what stands between the front matter and a body that is the first, as
// the client writes it: an empty line.
func (n *Note) gap(nl string) string {
	switch {
	case !n.HasFront || n.bodyAt > n.afterAt:
		return ""
	case n.raw[n.bodyAt-1] == '\n':
		return nl
	}
	return nl + nl
}

// SetLine returns the note with the text of one line of its body changed; line is
// 1-based in the file, and the line keeps its break. Errors are those of
// SetBody, and ErrValue for a line that is not of the body.
func (n *Note) SetLine(line int, text string) ([]byte, error) {
	if err := n.writable(text); err != nil {
		return nil, err
	}
	if strings.ContainsAny(text, "\r\n") {
		return nil, fmt.Errorf("a line break in the text of line %d: %w", line, ErrValue)
	}
	start, end, ok := n.lineSpan(line)
	if !ok {
		return nil, fmt.Errorf("line %d is no line of the note's text: %w", line, ErrValue)
	}
	out := splice(n.raw, start, end, text)
	return n.checkedTail(out, string(out[n.afterAt:]))
}

// lineSpan returns the bytes of a line below the front matter, without its break.
func (n *Note) lineSpan(line int) (start, end int, ok bool) {
	at := n.afterAt
	have := lineOf(n.raw, at)
	if at > 0 && n.HasFront && n.raw[at-1] != '\n' {
		return 0, 0, false // text behind the closing mark
	}
	for ; at < len(n.raw); have++ {
		next := len(n.raw)
		if i := bytes.IndexByte(n.raw[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if have == line {
			return at, at + len(bytes.TrimRight(n.raw[at:next], "\r\n")), true
		}
		at = next
	}
	return 0, 0, false
}

// Append returns the note with the text as further lines at its end. A missing
// line break at the end of the file stays missing. Errors are those of SetBody.
func (n *Note) Append(text string) ([]byte, error) {
	if err := n.writable(text); err != nil {
		return nil, err
	}
	nl := n.bodyBreak()
	text = strings.TrimRight(withBreaks(text, nl), "\r\n")
	if text == "" {
		return n.raw, nil
	}
	switch {
	case n.bodyAt == len(n.raw):
		text = n.gap(nl) + text + nl
	case n.raw[len(n.raw)-1] == '\n':
		text += nl
	default:
		text = nl + text
	}
	out := splice(n.raw, len(n.raw), len(n.raw), text)
	return n.checkedTail(out, string(out[n.afterAt:]))
}

func (n *Note) writable(text string) error {
	if n.frozen {
		return n.locked()
	}
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return fmt.Errorf("the text is not UTF-8: %w", ErrValue)
	}
	return nil
}

// bodyBreak is the line break of the body, or else of the file.
func (n *Note) bodyBreak() string {
	body := n.raw[n.bodyAt:]
	if i := bytes.IndexByte(body, '\n'); i >= 0 {
		return lineBreak(string(body[max(0, i-1) : i+1]))
	}
	if i := bytes.IndexByte(n.raw, '\n'); i >= 0 {
		return lineBreak(string(n.raw[max(0, i-1) : i+1]))
	}
	return "\n"
}

// checkedBody is out, if it reads as n does with another body.
func (n *Note) checkedBody(out []byte, body string) ([]byte, error) {
	if string(Parse(out).Body()) != body {
		return nil, fmt.Errorf("the text would be read otherwise: %w", ErrEntangled)
	}
	return n.checkedTail(out, "")
}

// checkedTail is out, if it reads as n does above the body; tail, if not empty,
// is what must stand below the front matter.
func (n *Note) checkedTail(out []byte, tail string) ([]byte, error) {
	after := Parse(out)
	err := n.sameFront(after)
	if err == nil && tail != "" && string(after.raw[after.afterAt:]) != tail {
		err = errors.New("the front matter would end elsewhere")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrEntangled)
	}
	return out, nil
}

func (n *Note) sameFront(after *Note) error {
	switch {
	case len(after.raw) > MaxBytes:
		return fmt.Errorf("the note would be longer than %d bytes", MaxBytes)
	case after.HasFront != n.HasFront || after.Seen != n.Seen || after.unclosed != n.unclosed || after.front != n.front:
		return errors.New("the text would be taken for front matter")
	}
	return nil
}
