package scan

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// decodeLimit is how many decoded bytes of one text are read.
	decodeLimit = 64 << 10
	// decodeDepth is how often the decoded is decoded again.
	decodeDepth = 2
	// shortestCode is the shortest encoded run looked at: twelve bytes of
	// base64, eight of hexadecimal digits, say nothing that matters.
	shortestCode = 16
	// fewEscapes is the number of escapes in a line below which it is left.
	fewEscapes = 3
)

// encoded decodes what looks encoded and reads it like the text itself.
func (r *run) encoded() {
	if r.depth >= decodeDepth {
		return
	}
	for at := 0; at < len(r.text); {
		if !codeByte(r.text[at]) {
			at++
			continue
		}
		start := at
		for at < len(r.text) && codeByte(r.text[at]) {
			at++
		}
		if at-start >= shortestCode {
			at = r.codeRun(start, at)
		}
	}
	r.spacedHex()
	r.escapedLines()
}

// codeByte reports the letters of base64, in both alphabets.
func codeByte(c byte) bool {
	return asciiLetter(rune(c)) || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_' || c == '='
}

// codeRun tries the run text[start:end] and returns where to go on: lines of
// one block of base64 belong together.
func (r *run) codeRun(start, end int) int {
	code := r.text[start:end]
	for end-start >= 40 && end < len(r.text) && len(code) < 2*decodeLimit {
		next := end
		for next < len(r.text) && strings.IndexByte("\r\n\t >", r.text[next]) >= 0 && next-end < 12 {
			next++
		}
		stop := next
		for stop < len(r.text) && codeByte(r.text[stop]) {
			stop++
		}
		if next == end || stop == next || stop < len(r.text) && r.text[stop] != '\n' && r.text[stop] != '\r' || !strings.Contains(r.text[end:next], "\n") {
			break
		}
		code += r.text[next:stop]
		end = stop
	}
	if len(code) > 2*decodeLimit {
		code = code[:2*decodeLimit]
	}
	if plain, err := hex.DecodeString(strings.TrimPrefix(code, "0x")); err == nil {
		r.decoded("encoded/hex", plain, start, end)
		return end
	}
	for _, piece := range [...]string{code, strings.TrimLeft(code, "=/-_")} {
		if plain := fromBase64(piece); plain != nil && r.decoded("encoded/base64", plain, start, end) {
			break
		}
	}
	return end
}

// fromBase64 decodes as much of code as there is, in either alphabet.
func fromBase64(code string) []byte {
	code = strings.TrimRight(code, "=")
	if i := strings.LastIndexByte(code, '='); i >= 0 {
		code = code[i+1:]
	}
	if len(code) < shortestCode {
		return nil
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(code, "-_") {
		enc = base64.RawURLEncoding
	}
	if len(code)%4 == 1 {
		code = code[:len(code)-1]
	}
	out, err := enc.DecodeString(code)
	if err != nil {
		return nil
	}
	return out
}

// spacedHex finds bytes written as pairs of digits with signs between.
func (r *run) spacedHex() {
	for at := 0; at+2 < len(r.text); {
		if !hexDigit(r.text[at+1]) {
			at += 2
			continue
		}
		if !hexPair(r.text, at) {
			at++
			continue
		}
		start := at
		var out []byte
		end := at
		for hexPair(r.text, at) {
			v, _ := strconv.ParseUint(r.text[at:at+2], 16, 8)
			out = append(out, byte(v))
			end = at + 2
			at += 2
			for at < len(r.text) && at-end < 3 && strings.IndexByte(" :,-", r.text[at]) >= 0 {
				at++
			}
			if strings.HasPrefix(r.text[at:], "0x") {
				at += 2
			}
		}
		if len(out) >= 8 {
			r.decoded("encoded/hex", out, start, end)
		}
		at = max(at, end)
	}
}

// hexPair reports exactly two digits at i.
func hexPair(text string, i int) bool {
	return i+1 < len(text) && hexDigit(text[i]) && hexDigit(text[i+1]) &&
		(i+2 >= len(text) || !hexDigit(text[i+2])) && (i == 0 || !hexDigit(text[i-1]))
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// escapedLines finds lines with many escapes of URLs, HTML or strings.
func (r *run) escapedLines() {
	for at := 0; at < len(r.text); {
		end := lineEnd(r.text, at)
		line := r.text[at:min(end, at+decodeLimit)]
		if strings.ContainsAny(line, "%\\&") {
			if plain, n, first, last := unescape(line); n >= fewEscapes {
				r.decoded("encoded/escapes", plain, at+first, at+last)
			}
		}
		at = end + 1
	}
}

// unescape decodes %XX, \xXX, \uXXXX, &#N; and &#xN;. It returns how many there
// were and the bytes from the first to the end of the last.
func unescape(line string) (out []byte, n, first, last int) {
	for i := 0; i < len(line); {
		value, size := escapeAt(line[i:])
		if size == 0 {
			out = append(out, line[i])
			i++
			continue
		}
		if n == 0 {
			first = i
		}
		n++
		i += size
		last = i
		if value < 0x100 && line[i-size] == '%' {
			out = append(out, byte(value))
		} else {
			out = utf8.AppendRune(out, value)
		}
	}
	return out, n, first, last
}

func escapeAt(s string) (value rune, size int) {
	switch {
	case s[0] == '%':
		return number(s, 1, 2, 16)
	case strings.HasPrefix(s, `\x`):
		return number(s, 2, 2, 16)
	case strings.HasPrefix(s, `\u{`):
		return entity(s, 3, 16, '}')
	case strings.HasPrefix(s, `\u`):
		return number(s, 2, 4, 16)
	case strings.HasPrefix(s, "&#x"), strings.HasPrefix(s, "&#X"):
		return entity(s, 3, 16, ';')
	case strings.HasPrefix(s, "&#"):
		return entity(s, 2, 10, ';')
	}
	return 0, 0
}

func number(s string, skip, digits, base int) (rune, int) {
	if len(s) < skip+digits {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[skip:skip+digits], base, 32)
	if err != nil {
		return 0, 0
	}
	return rune(v), skip + digits
}

func entity(s string, skip, base int, closing byte) (rune, int) {
	end := strings.IndexByte(s[:min(len(s), skip+9)], closing)
	if end <= skip {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[skip:end], base, 21)
	if err != nil || v > unicode.MaxRune {
		return 0, 0
	}
	return rune(v), end + 1
}

// decoded reads plain, which stood encoded at text[start:end], and reports
// whether it was an instruction.
func (r *run) decoded(rule string, plain []byte, start, end int) bool {
	if *r.left <= 0 || !readable(plain) {
		return false
	}
	if len(plain) > *r.left {
		plain = plain[:*r.left]
	}
	*r.left -= len(plain)
	if !r.inner(string(plain)) {
		return false
	}
	r.add(rule, start, end)
	return true
}

// inner reports an instruction in a decoded text.
func (r *run) inner(text string) bool {
	sub := &run{compiled: r.compiled, text: text, hosts: r.hosts, count: map[string]int{}, depth: r.depth + 1, left: r.left}
	sub.view = viewOf(text)
	sub.spoofs()
	sub.sentences()
	sub.encoded()
	for i := range sub.found {
		if sub.found[i].Level >= Quarantine {
			return true
		}
	}
	return false
}

// readable reports text of which at least 80 % can be printed.
func readable(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	good, all := 0, 0
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		b = b[n:]
		all++
		if (c != utf8.RuneError || n > 1) && (unicode.IsPrint(c) || c == '\n' || c == '\t') {
			good++
		}
	}
	return good*5 >= all*4
}

// rot13 reads a sentence again with each letter 13 further on, when two of its
// words are frequent ones so shifted.
func (r *run) rot13(s *sentence) {
	if !s.all.meets(&r.own.rot) || r.depth >= decodeDepth {
		return
	}
	n := 0
	for i := range s.tokens {
		if s.tokens[i].bits.meets(&r.own.rot) {
			n++
		}
	}
	if n < 2 || *r.left <= 0 {
		return
	}
	start, end := s.tokens[0].start, s.tokens[len(s.tokens)-1].end
	plain := strings.Map(shift13, r.view.text[start:end])
	*r.left -= len(plain)
	if r.inner(plain) {
		r.addView("encoded/rot13", start, end)
	}
}

func shift13(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return c
}
