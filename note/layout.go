package note

import (
	"strings"

	"dormouse/frontmatter"
)

// style is how a value is written.
type style uint8

const (
	styleOther  style = iota // over several lines, a list, with a tag: written anew when it is set
	styleEmpty               // nothing
	stylePlain               // on one line, as the other three
	styleSingle              // 'a'
	styleDouble              // "a"
	styleBlock               // | or > and lines below it
)

// layout takes the lines of a field apart. head + text + tail are its bytes,
// except where the style is styleOther or styleBlock: there text is what stands
// behind head, and tail is the first line's break.
type layout struct {
	style style
	head  string // up to the value: indentation, key, colon, blanks
	text  string // the value as written
	tail  string // behind it: a comment, the line break
}

// comment returns what stands between the value and the line break.
func (l layout) comment() string { return strings.Trim(l.tail, " \t\r\n") }

// layout reads how the field f is written.
func (n *Note) layout(f Field) layout {
	if f.Start < 0 {
		return layout{}
	}
	span := string(n.raw[f.Start:f.End])
	first := span[:lineEnd(span, 0)]
	nl := lineBreak(first)
	line := strings.TrimSuffix(first, nl)
	at, ok := keyEnd(line, f.Key)
	if !ok {
		return layout{head: line[:blanks(line)] + scalar(localKey(f.Key)) + ": ", text: span, tail: nl}
	}
	gap := at + blanks(line[at:])
	l := layout{head: line[:gap], text: line[gap:], tail: nl}
	if len(first) < len(span) {
		return l.over(span)
	}
	return l.single(f.Value)
}

// over sorts out a value that goes on below its first line.
func (l layout) over(span string) layout {
	block := l.text != "" && (l.text[0] == '|' || l.text[0] == '>')
	l.text = span[len(l.head):]
	if block {
		l.style = styleBlock
	}
	return l
}

// single takes a value on one line apart.
func (l layout) single(v frontmatter.Value) layout {
	size := 0
	switch {
	case v.Kind == frontmatter.String && v.Text != "" && strings.TrimRight(l.text, " \t") == strings.TrimRight(v.Text, " \t"):
		// Also a line that the client mends, where quotes and # are plain text.
		size, l.style = len(strings.TrimRight(l.text, " \t")), stylePlain
	case l.text == "" || l.text[0] == '#':
		l.style = styleEmpty
	case v.Kind == frontmatter.List || v.Kind == frontmatter.Map:
		return l
	case l.text[0] == '"':
		size, l.style = doubleEnd(l.text), styleDouble
	case l.text[0] == '\'':
		size, l.style = singleEnd(l.text), styleSingle
	case strings.IndexByte("&!*[{|>", l.text[0]) >= 0:
		return l
	default:
		size, l.style = plainEnd(l.text), stylePlain
	}
	rest := l.text[size:]
	if after := strings.TrimLeft(rest, " \t"); after != "" && (after[0] != '#' || len(after) == len(rest) && l.style != styleEmpty) {
		return layout{head: l.head, text: l.text, tail: l.tail}
	}
	l.text, l.tail = l.text[:size], rest+l.tail
	return l
}

// doubleEnd returns the length of the double-quoted text that s begins with.
func doubleEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// singleEnd returns the length of the single-quoted text that s begins with.
func singleEnd(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 == len(s) || s[i+1] != '\'' {
			return i + 1
		}
		i++
	}
	return len(s)
}

// plainEnd returns the length of s up to a comment and the blanks before it.
func plainEnd(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '#' && (s[i-1] == ' ' || s[i-1] == '\t') {
			s = s[:i]
			break
		}
	}
	return len(strings.TrimRight(s, " \t"))
}

// keyEnd finds the end of the key and its colon in a field's first line.
func keyEnd(line, key string) (int, bool) {
	at := blanks(line)
	key = localKey(key)
	for _, written := range []string{key, `"` + key + `"`, "'" + key + "'"} {
		rest, ok := strings.CutPrefix(line[at:], written)
		if !ok {
			continue
		}
		gap := blanks(rest)
		if !strings.HasPrefix(rest[gap:], ":") {
			continue
		}
		end := at + len(written) + gap + 1
		if end == len(line) || line[end] == ' ' || line[end] == '\t' {
			return end, true
		}
	}
	return 0, false
}

// localKey is the key without the metadata before it.
func localKey(key string) string { return strings.TrimPrefix(key, metadata+".") }

// rewrites lists texts for the lines of a field that is set to value, the best
// first. Which of them says value and nothing else is found out by reading.
func (l layout) rewrites(old frontmatter.Value, value string) []string {
	tail := l.tail
	if c := l.comment(); c != "" && strings.Contains(value, c) {
		// The comment was the value's end, cut off because of its sign.
		tail = lineBreak(l.tail)
	}
	head := l.head
	if !strings.HasSuffix(head, " ") && !strings.HasSuffix(head, "\t") {
		head += " "
	}
	if l.style == styleEmpty && strings.HasPrefix(tail, "#") {
		tail = " " + tail
	}
	var out []string
	for _, text := range l.texts(old, value) {
		out = append(out, head+text+tail)
	}
	if block, ok := l.block(value); ok {
		out = append([]string{block}, out...)
	}
	return out
}

// texts lists ways to write value on one line. Quotes that the old value did not
// need are the writer's style and stay.
func (l layout) texts(old frontmatter.Value, value string) []string {
	quoted := quoteDouble(value)
	if l.style == styleSingle {
		if s, ok := quoteSingle(value); ok {
			quoted = s
		}
	}
	if (l.style == styleSingle || l.style == styleDouble) && plainSafe(old.Text) || !plainSafe(value) {
		return []string{quoted, quoteDouble(value)}
	}
	return []string{value, quoteDouble(value)}
}

// block writes value below the header of the old block scalar.
func (l layout) block(value string) (string, bool) {
	if l.style != styleBlock || value == "" {
		return "", false
	}
	at := lineEnd(l.text, 0)
	header, old := l.text[:at], l.text[at:]
	nl := lineBreak(header)
	sign := strings.TrimRight(header, " \t\r\n")
	body := value
	switch sign {
	case "|-", ">-":
	case "|", ">":
		var ok bool
		if body, ok = strings.CutSuffix(value, "\n"); !ok {
			return "", false
		}
	default:
		return "", false
	}
	if sign[0] == '>' && strings.Contains(body, "\n") || strings.ContainsFunc(strings.ReplaceAll(body, "\n", ""), unprintable) {
		return "", false
	}
	old = old[skipBlankLines(old, 0):]
	indent := old[:blanks(old)]
	var b strings.Builder
	b.WriteString(l.head + header)
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			b.WriteString(indent + line)
		}
		b.WriteString(nl)
	}
	return b.String(), true
}
