package transcript

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep values may be nested. The client's own lines reach 20.
const maxDepth = 200

// A cursor reads one JSON value where it stands, without a copy or a tree: most of
// a log is text that nobody asks for, and is only stepped over. After the first
// fault broken is set and everything else reads as nothing.
//
// It takes what encoding/json takes, but that bytes are not looked at inside
// strings that are stepped over. A member that is named twice is a fault where the
// member is one that matters (see once): nobody can say which of the two holds.
type cursor struct {
	b      []byte
	i      int
	depth  int
	broken bool
}

// fail gives up on the line.
func (c *cursor) fail() { c.broken, c.i = true, len(c.b) }

// peek is the first byte of the next token, 0 at the end.
func (c *cursor) peek() byte {
	for c.i < len(c.b) {
		switch b := c.b[c.i]; b {
		case ' ', '\t', '\r', '\n':
			c.i++
		default:
			return b
		}
	}
	return 0
}

// take steps over one byte that has to come next.
func (c *cursor) take(want byte) bool {
	if c.peek() != want {
		c.fail()
		return false
	}
	c.i++
	return true
}

// end reports whether the value was whole and nothing follows it.
func (c *cursor) end() bool { return !c.broken && c.peek() == 0 && c.i == len(c.b) }

func (c *cursor) enter(open byte) bool {
	if c.depth++; c.depth > maxDepth {
		c.fail()
		return false
	}
	return c.take(open)
}

// more steps over the comma between two items; false is behind the last one.
func (c *cursor) more(first bool, closing byte) bool {
	switch c.peek() {
	case closing:
		c.i++
		c.depth--
		return false
	case ',':
		if first {
			c.fail()
			return false
		}
		c.i++
		return true
	}
	if !first {
		c.fail()
	}
	return !c.broken
}

// members calls visit for every member of an object with its name, the cursor at
// its value. What visit leaves is stepped over, and so is a value that is no object.
func (c *cursor) members(visit func(name []byte)) {
	if c.peek() != '{' {
		c.skip()
		return
	}
	if !c.enter('{') {
		return
	}
	for first := true; c.more(first, '}'); first = false {
		name := c.name()
		if !c.take(':') {
			return
		}
		c.peek()
		at := c.i
		if visit != nil {
			visit(name)
		}
		if c.i == at && !c.broken {
			c.skip()
		}
	}
}

// items calls visit for every item of an array, the cursor at it.
func (c *cursor) items(visit func()) {
	if c.peek() != '[' {
		c.skip()
		return
	}
	if !c.enter('[') {
		return
	}
	for first := true; c.more(first, ']'); first = false {
		c.peek()
		at := c.i
		if visit != nil {
			visit()
		}
		if c.i == at && !c.broken {
			c.skip()
		}
	}
}

// name reads a member's name.
func (c *cursor) name() []byte {
	raw := c.quoted()
	if bytes.IndexByte(raw, '\\') >= 0 {
		text, _ := unescape(raw, len(raw))
		return []byte(text)
	}
	return raw
}

// quoted steps over a string and gives what stands between its quotes.
func (c *cursor) quoted() []byte {
	if !c.take('"') {
		return nil
	}
	start := c.i
	for {
		n := bytes.IndexByte(c.b[c.i:], '"')
		if n < 0 {
			c.fail()
			return nil
		}
		c.i += n + 1
		slashes := 0
		for at := c.i - 2; at >= start && c.b[at] == '\\'; at-- {
			slashes++
		}
		if slashes%2 == 0 {
			return c.b[start : c.i-1]
		}
	}
}

// skip steps over a value.
func (c *cursor) skip() {
	switch b := c.peek(); b {
	case '"':
		c.quoted()
	case '{':
		c.members(nil)
	case '[':
		c.items(nil)
	case 't':
		c.word("true")
	case 'f':
		c.word("false")
	case 'n':
		c.word("null")
	default:
		c.number()
	}
}

func (c *cursor) word(w string) {
	if end := c.i + len(w); end > len(c.b) || string(c.b[c.i:end]) != w {
		c.fail()
		return
	}
	c.i += len(w)
}

func (c *cursor) number() {
	if c.peek() == '-' {
		c.i++
	}
	switch c.at() {
	case '0':
		c.i++
	default:
		c.digits()
	}
	if c.at() == '.' {
		c.i++
		c.digits()
	}
	if b := c.at(); b == 'e' || b == 'E' {
		c.i++
		if b := c.at(); b == '+' || b == '-' {
			c.i++
		}
		c.digits()
	}
}

// at is the byte that comes next, 0 at the end.
func (c *cursor) at() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

func (c *cursor) digits() {
	start := c.i
	for c.at() >= '0' && c.at() <= '9' {
		c.i++
	}
	if c.i == start {
		c.fail()
	}
}

// raw steps over a value and gives its bytes, which are valid as long as the line.
func (c *cursor) raw() []byte {
	c.peek()
	start := c.i
	c.skip()
	if c.broken {
		return nil
	}
	return c.b[start:c.i]
}

// text reads a string of at most limit bytes; what is no string reads as "". cut
// tells that there was more.
func (c *cursor) text(limit int) (text string, cut bool) {
	if c.peek() != '"' {
		c.skip()
		return "", false
	}
	return decode(c.quoted(), limit)
}

// decode gives the text of what stands between a string's quotes.
func decode(raw []byte, limit int) (text string, cut bool) {
	if bytes.IndexByte(raw[:min(len(raw), limit+1)], '\\') < 0 {
		return clip(raw, limit)
	}
	return unescape(raw, limit)
}

// short reads a short string; what is no string reads as "".
func (c *cursor) short() string {
	if c.peek() != '"' {
		c.skip()
		return ""
	}
	return nameOf(c.quoted())
}

func nameOf(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		s, _ := clip(raw, maxName)
		return s
	}
	s, _ := unescape(raw, maxName)
	return s
}

// words keeps strings that come again on most lines, so that they are not made
// anew for each.
type words map[string]string

// maxWords is how many are kept before it starts over.
const maxWords = 256

// of reads a short string as cursor.short does.
func (w words) of(c *cursor) string {
	if c.peek() != '"' {
		c.skip()
		return ""
	}
	raw := c.quoted()
	if s, ok := w[string(raw)]; ok {
		return s
	}
	s := nameOf(raw)
	// A name with escapes is not its own key.
	if s == string(raw) {
		if len(w) >= maxWords {
			clear(w)
		}
		w[s] = s
	}
	return s
}

// maxName is the most that is kept of a name, an id or a path, in bytes.
const maxName = 4096

// is reads a value that makes a statement when it is there: anything but false,
// null and the empty string. A flag that was written as a string still counts.
func (c *cursor) is() bool {
	v := c.raw()
	return len(v) > 0 && string(v) != "false" && string(v) != "null" && string(v) != `""`
}

// clip is the text of raw bytes, of at most limit bytes, without half a rune.
func clip(raw []byte, limit int) (string, bool) {
	if len(raw) > limit {
		return fit(string(raw[:limit+1]), limit)
	}
	return fit(string(raw), limit)
}

// fit makes a text valid, and at most limit bytes long.
func fit(s string, limit int) (string, bool) {
	cut := len(s) > limit
	if cut {
		s = s[:runeEnd(s, limit)]
	}
	// What is not valid grows.
	if s = valid(s); len(s) > limit {
		s, cut = s[:runeEnd(s, limit)], true
	}
	return s, cut
}

// runeEnd is the last end of a rune that is not behind at.
func runeEnd(s string, at int) int {
	for back := 0; back < utf8.UTFMax && at-back >= 0; back++ {
		if utf8.RuneStart(s[at-back]) {
			return at - back
		}
	}
	return at // it is no UTF-8 anyway
}

// valid puts U+FFFD for each byte that is no UTF-8, as encoding/json does.
func valid(s string) string {
	if isValid(s) {
		return s
	}
	return string([]rune(s))
}

// isValid is utf8.ValidString for texts that are mostly ASCII: that one goes on
// byte by byte behind the first letter of another script.
func isValid(s string) bool {
	const high = 0x80808080
	for len(s) > 0 {
		for len(s) >= 8 {
			a := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
			b := uint32(s[4]) | uint32(s[5])<<8 | uint32(s[6])<<16 | uint32(s[7])<<24
			if (a|b)&high != 0 {
				break
			}
			s = s[8:]
		}
		n := 0
		for n < len(s) && n < 8 && s[n] < utf8.RuneSelf {
			n++
		}
		s = s[n:]
		// All letters of a word in one go.
		for len(s) >= 2 && s[0] >= utf8.RuneSelf {
			if s[0] >= 0xC2 && s[0] < 0xE0 && s[1]&0xC0 == 0x80 {
				s = s[2:]
				continue
			}
			r, size := utf8.DecodeRuneInString(s)
			if r == utf8.RuneError && size == 1 {
				return false
			}
			s = s[size:]
		}
		if len(s) == 1 && s[0] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unescape resolves the escapes of a string, up to limit bytes of the result. An
// escape that JSON does not know stands for the letter behind it.
func unescape(raw []byte, limit int) (string, bool) {
	var out strings.Builder
	out.Grow(min(len(raw), limit+1+utf8.UTFMax))
	for len(raw) > 0 && out.Len() <= limit {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			n = len(raw)
		}
		n = min(n, limit+1-out.Len()) // one byte over tells that there was more
		out.Write(raw[:n])
		raw = raw[n:]
		if len(raw) > 1 && raw[0] == '\\' {
			raw = raw[escape(&out, raw):]
		} else if n == 0 {
			break // a lone backslash
		}
	}
	return fit(out.String(), limit)
}

// escape resolves the escape that raw begins with, and says how long it is.
func escape(out *strings.Builder, raw []byte) (size int) {
	switch b := raw[1]; b {
	case 'n':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'r':
		out.WriteByte('\r')
	case 'b':
		out.WriteByte('\b')
	case 'f':
		out.WriteByte('\f')
	case 'u':
		r, size := unicodeEscape(raw)
		out.WriteRune(r)
		return size
	default:
		out.WriteByte(b)
	}
	return 2
}

// unicodeEscape reads \uXXXX, or two of them that stand for one rune; half of a
// pair is U+FFFD.
func unicodeEscape(raw []byte) (r rune, size int) {
	r, ok := hex4(raw[2:])
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		if low, ok := hex4(raw[8:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, d := range b[:4] {
		switch {
		case d >= '0' && d <= '9':
			r = r<<4 | rune(d-'0')
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			r = r<<4 | rune(d|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
