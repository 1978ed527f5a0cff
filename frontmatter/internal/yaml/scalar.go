package yaml

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plain reads a scalar without quotes, over several lines where the next ones
// are indented by more than n.
func (r *reader) plain(n, at int, flow bool) (*Node, error) {
	if r.end() || !r.plainStart(flow) {
		return nil, r.unexpected()
	}
	var b strings.Builder
	open := r.plainLine(&b, flow)
	end := r.pos
	for open {
		save, bol := r.pos, r.bol
		breaks := r.blankLines()
		if breaks == 0 || r.end() || r.indent() <= n || r.marker() || !r.plainNext(flow) {
			r.pos, r.bol = save, bol
			break
		}
		writeFold(&b, breaks)
		open = r.plainLine(&b, flow)
		end = r.pos
	}
	r.pos, r.scalarEnd, r.plainEnd = end, end, end
	node := &Node{Text: b.String(), Start: at, End: end, plain: true, weight: 1}
	return node, r.count(1)
}

// plainStart reports whether pos can begin a plain scalar.
func (r *reader) plainStart(flow bool) bool {
	c := r.peek(0)
	switch c {
	case '-', '?', ':':
		return !isEdge(r.peek(1)) && !(flow && isFlow(r.peek(1)))
	case ',':
		return !flow
	}
	return strings.IndexByte("[]{}#&*!|>'\"%@`", c) < 0
}

// plainNext reports whether a plain scalar goes on at pos, a line's first token.
func (r *reader) plainNext(flow bool) bool {
	if r.peek(0) == '#' {
		return false
	}
	if flow {
		return !isFlow(r.peek(0)) && !r.flowIndicator(':')
	}
	return !r.indicator(':')
}

// plainLine adds the text of one line and reports whether the scalar may go on.
func (r *reader) plainLine(b *strings.Builder, flow bool) bool {
	at := r.pos
	i := at
	stopped := false
	for ; i < len(r.src) && !isBreak(r.src[i]); i++ {
		c := r.src[i]
		next := byte(0)
		if i+1 < len(r.src) {
			next = r.src[i+1]
		}
		if c == ':' && (isEdge(next) || flow && isFlow(next)) || flow && isFlow(c) ||
			c == '#' && i > at && isBlank(r.src[i-1]) {
			stopped = true
			break
		}
	}
	for i > at && isBlank(r.src[i-1]) {
		i--
	}
	b.WriteString(r.src[at:i])
	r.pos = i
	return !stopped
}

// blankLines steps over line breaks and empty lines to the next line's first
// token and counts the breaks.
func (r *reader) blankLines() int {
	breaks := 0
	for {
		r.blanks()
		if r.end() || !isBreak(r.src[r.pos]) {
			return breaks
		}
		r.newline()
		breaks++
	}
}

// writeFold joins two lines: one break is a space, more are breaks but one.
func writeFold(b *strings.Builder, breaks int) {
	if breaks == 1 {
		b.WriteByte(' ')
		return
	}
	for range breaks - 1 {
		b.WriteByte('\n')
	}
}

// quoted reads a scalar in single or double quotes.
func (r *reader) quoted(n, at int) (*Node, error) {
	quote := r.src[r.pos]
	r.pos++
	var b strings.Builder
	for {
		if r.end() {
			r.pos = at
			return nil, r.fail("quote without an end")
		}
		c := r.src[r.pos]
		switch {
		case c == quote && quote == '\'' && r.peek(1) == quote:
			b.WriteByte(quote)
			r.pos += 2
		case c == quote:
			r.pos++
			r.scalarEnd = r.pos
			node := &Node{Kind: String, Text: b.String(), Start: at, End: r.pos, weight: 1}
			return node, r.count(1)
		case c == '\\' && quote == '"':
			if err := r.escape(n, &b); err != nil {
				return nil, err
			}
		case isBlank(c) || isBreak(c):
			if err := r.quotedSpace(n, &b); err != nil {
				return nil, err
			}
		default:
			b.WriteByte(c)
			r.pos++
		}
	}
}

// quotedSpace reads white space in quotes; around a line break it is dropped.
func (r *reader) quotedSpace(n int, b *strings.Builder) error {
	at := r.pos
	r.blanks()
	if r.end() || !isBreak(r.src[r.pos]) {
		b.WriteString(r.src[at:r.pos])
		return nil
	}
	breaks, err := r.quotedBreaks(n)
	if err == nil {
		writeFold(b, breaks)
	}
	return err
}

// quotedBreaks steps over line breaks and the next line's indentation.
func (r *reader) quotedBreaks(n int) (int, error) {
	breaks := 0
	for !r.end() && isBreak(r.src[r.pos]) {
		if breaks == 0 { // Bun takes the first \r\n in quotes for two breaks
			r.pos++
			r.bol = r.pos
		} else {
			r.newline()
		}
		breaks++
		if r.marker() {
			return 0, r.unexpected()
		}
		r.blanks()
	}
	if !r.end() && r.indent() <= n {
		return 0, r.unexpected()
	}
	return breaks, nil
}

// escape reads one escape of a double-quoted scalar.
func (r *reader) escape(n int, b *strings.Builder) error {
	c := r.peek(1)
	if isBreak(c) {
		r.pos++
		breaks, err := r.quotedBreaks(n)
		if err == nil && breaks > 1 {
			writeFold(b, breaks)
		}
		return err
	}
	const signs = "0abt\tnvfre \"/\\N_LP"
	const means = "\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	if i := strings.IndexByte(signs, c); i >= 0 && c != 0 {
		b.WriteRune([]rune(means)[i])
		r.pos += 2
		return nil
	}
	return r.hexEscape(c, b)
}

// hexEscape reads \xHH, \uHHHH (a pair of them for a surrogate pair) or \UHHHHHHHH.
func (r *reader) hexEscape(c byte, b *strings.Builder) error {
	digits := 0
	switch c {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	v, ok := r.hex(r.pos+2, digits)
	if !ok {
		return r.fail("unknown escape in double quotes")
	}
	r.pos += 2 + digits
	if utf16.IsSurrogate(v) {
		low, ok := r.hex(r.pos+2, 4)
		if v = utf16.DecodeRune(v, low); c != 'u' || !ok || r.peek(0) != '\\' || r.peek(1) != 'u' || v == utf8.RuneError {
			return r.fail("half a surrogate pair")
		}
		r.pos += 6
	}
	if !utf8.ValidRune(v) {
		return r.fail("escape beyond Unicode")
	}
	b.WriteRune(v)
	return nil
}

func (r *reader) hex(at, digits int) (rune, bool) {
	if digits == 0 || at+digits > len(r.src) {
		return 0, false
	}
	v, err := strconv.ParseUint(r.src[at:at+digits], 16, 32)
	return rune(v), err == nil && v <= utf8.MaxRune
}

// resolve gives the type of a plain scalar in the core schema, under its tag.
func resolve(s, tag string) Kind {
	kind := resolvePlain(s)
	switch {
	case tag == "":
		return kind
	case tag == "int" && kind == Number, tag == "float" && kind == Number,
		tag == "bool" && kind == Bool, tag == "null" && kind == Null:
		return kind
	}
	return String
}

func resolvePlain(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	if isNumber(s) {
		return Number
	}
	return String
}

func isNumber(s string) bool {
	if s == ".nan" || s == ".NaN" || s == ".NAN" {
		return true
	}
	t := s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		t = s[1:]
	}
	switch {
	case t == ".inf" || t == ".Inf" || t == ".INF":
		return true
	case strings.HasPrefix(t, "0x"):
		return len(t) > 2 && span(t[2:], "0123456789abcdefABCDEF") == len(t)-2
	case strings.HasPrefix(t, "0o"):
		return len(t) > 2 && span(t[2:], "01234567") == len(t)-2
	}
	return isDecimal(t)
}

// isDecimal matches (\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?.
func isDecimal(t string) bool {
	const digits = "0123456789"
	whole := span(t, digits)
	t = t[whole:]
	if strings.HasPrefix(t, ".") {
		part := span(t[1:], digits)
		if whole+part == 0 {
			return false
		}
		t = t[1+part:]
	} else if whole == 0 {
		return false
	}
	if t == "" {
		return true
	}
	if t[0] != 'e' && t[0] != 'E' {
		return false
	}
	t = t[1:]
	if t != "" && (t[0] == '+' || t[0] == '-') {
		t = t[1:]
	}
	return t != "" && span(t, digits) == len(t)
}

// span counts the leading bytes of s that are in set.
func span(s, set string) int {
	i := 0
	for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
		i++
	}
	return i
}
