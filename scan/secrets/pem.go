package secrets

import "strings"

// What a key may have, in bytes: a 16384-bit RSA key in PEM has 12,700.
const (
	maxPEM    = 16 << 10
	maxHeader = 120
	minBody   = 24 // base64 characters before a block is a key and not the mention of one
	fullLine  = 40 // the least a line has in the middle of a key
)

// pemKey finds a private key from its BEGIN line to its END line or, if it was
// cut, to the last line that can be of it.
func pemKey(text string, at, after int) (start, end int, ok bool) {
	header := text[after:min(len(text), after+maxHeader)]
	n := strings.Index(header, "PRIVATE KEY")
	if n < 0 || strings.ContainsAny(header[:n], "\r\n") {
		return 0, 0, false
	}
	dashes := strings.Index(header[n:], "-----")
	if dashes < 0 {
		return 0, 0, false
	}
	body := after + n + dashes + len("-----")
	part := text[body:min(len(text), body+maxPEM)]
	if e := strings.Index(part, "-----END"); e >= 0 && !strings.Contains(part[:e], "-----BEGIN") && dense(part[:e]) {
		end = body + e + len("-----END")
		tail := text[end:min(len(text), end+maxHeader)]
		if d := strings.Index(tail, "-----"); d >= 0 && !strings.ContainsAny(tail[:d], "\r\n") {
			end += d + len("-----")
		}
		return at, end, true
	}
	end = body + keyLines(part)
	return at, end, end > body
}

// dense reports whether a text is the body of a key: much base64 and little else.
func dense(body string) bool {
	n := 0
	for p := next(body, 0); p.end > 0; p = next(body, p.end) {
		if piece := body[p.start:p.end]; isRun(piece) {
			n += len(piece)
		}
	}
	return n >= minBody && 2*n > len(body)
}

// next returns the next piece of s from the offset on; pieces are cut at white
// space, the signs of a quotation and the line breaks of strings in programs.
// The zero span says that there is none.
func next(s string, at int) span {
	for at < len(s) && breaks(s, at) > 0 {
		at += breaks(s, at)
	}
	end := at
	for end < len(s) && breaks(s, end) == 0 {
		end++
	}
	if end == at {
		return span{}
	}
	return span{at, end}
}

// breaks returns the length in bytes of what cuts s at the offset, 0 if nothing
// does.
func breaks(s string, at int) int {
	switch {
	case s[at] == '\\':
		return min(2, len(s)-at) // the letter after it
	case isSpace(s[at]) || strings.IndexByte("\"',>|", s[at]) >= 0:
		return 1
	}
	return 0
}

func isRun(s string) bool {
	for i := range len(s) {
		if !isBase64(s[i]) {
			return false
		}
	}
	return s != ""
}

// keyLines returns the length of the key that s begins with: full lines of
// base64, with the headers that may stand before them, and a last shorter one.
func keyLines(s string) int {
	at := headers(s)
	end, full := 0, false
	for p := next(s, at); p.end > 0; p = next(s, p.end) {
		piece := s[p.start:p.end]
		switch {
		case isRun(piece) && len(piece) >= fullLine:
			end, full = p.end, true
		case isRun(piece) && (len(piece) >= minBody || full && len(piece) >= 8) && (hasDigit(piece) || strings.HasSuffix(piece, "=")):
			return p.end
		default:
			return end
		}
	}
	return end
}

// headers returns the length of the lines "Proc-Type: 4,ENCRYPTED" and the like
// and the empty ones that s begins with.
func headers(s string) int {
	at := 0
	for range 12 {
		line := s[at:min(len(s), at+maxHeader)]
		n := strings.IndexByte(line, '\n')
		if e := strings.Index(line, `\n`); e >= 0 && (n < 0 || e < n) {
			n = e + 1
		}
		if n < 0 {
			break
		}
		if body := strings.TrimSpace(strings.Trim(line[:n], `\>|`)); body != "" && !strings.Contains(body, ": ") {
			break
		}
		at += n + 1
	}
	return at
}

// pemTail finds a key whose beginning was cut off, from its END line back.
func pemTail(text string, at, after int) (start, end int, ok bool) {
	header := text[after:min(len(text), after+maxHeader)]
	n := strings.Index(header, "PRIVATE KEY")
	if n < 0 || strings.ContainsAny(header[:n], "\r\n") {
		return 0, 0, false
	}
	dashes := strings.Index(header[n:], "-----")
	if dashes < 0 {
		return 0, 0, false
	}
	start, end = at, after+n+dashes+len("-----")
	for first := true; at-start < maxPEM; first = false {
		to := start
		for to > 0 && (isSpace(text[to-1]) || strings.IndexByte("\"',>|", text[to-1]) >= 0) {
			to--
		}
		if to > 1 && text[to-2:to] == `\n` {
			to -= 2
		}
		from := to
		for from > 0 && to-from < maxHeader && isBase64(text[from-1]) && (from < 2 || text[from-2] != '\\') {
			from--
		}
		if to-from < fullLine && (!first || to-from < 2) {
			break
		}
		start = from
	}
	return start, end, at-start >= minBody
}

// puttyKey finds the lines after "Private-Lines: 14".
func puttyKey(text string, _, after int) (start, end int, ok bool) {
	start = after
	for start < len(text) && start < after+6 && (text[start] == ' ' || '0' <= text[start] && text[start] <= '9') {
		start++
	}
	n := keyLines(text[start:min(len(text), start+maxPEM)])
	return start, start + n, n > 0
}

// sshBody finds the body of an OpenSSH key without its BEGIN line: the keyword
// is base64 of "openssh-key-v1".
func sshBody(text string, at, _ int) (start, end int, ok bool) {
	n := keyLines(text[at:min(len(text), at+maxPEM)])
	return at, at + n, n >= fullLine
}
