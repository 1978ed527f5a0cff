package markdown

import (
	"strings"
	"unicode/utf8"
)

// next returns the index behind the character at p.
func next(s string, p int) int {
	if s[p] < utf8.RuneSelf {
		return p + 1
	}
	_, w := utf8.DecodeRuneInString(s[p:])
	return p + w
}

// lastUnit returns the last UTF-16 unit of s: for an astral character half a
// surrogate pair, which is neither letter nor punctuation.
func lastUnit(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	if r > 0xFFFF {
		return 0xDC00
	}
	return r
}

// side says what a run of delimiters can do, from the characters around it.
type side uint8

const (
	neither side = iota
	closes
	opens
	both
)

// delimiters is a run of * or _.
type delimiters struct {
	at, n int
	side  side
}

// emphasis knows the delimiters of a text, with code, links and html masked.
type emphasis struct {
	masked []byte
	runs   [2][]delimiters // of * and of _
	first  [2]int          // runs before it lie behind the lexer
	next   []int32         // the next * or _ at or after an index
}

func delimiter(c byte) int {
	if c == '_' {
		return 1
	}
	return 0
}

// emphasis is *text* or **text**.
func (in *inliner) emphasis() bool {
	s, p := in.s, in.p
	c := s[p]
	if p >= in.delims {
		in.delims = skipByte(s, p, c)
	}
	q := in.delims // of a long run every character is tried
	if q == len(s) || spaceAt(s, q) > 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[q:])
	punct := isPunct(r)
	if !punct && c == '_' && isWordRune(in.prev) {
		return false
	}
	if punct && in.prev != 0 && !IsSpace(in.prev) && (in.prev == '*' || in.prev == '_' || !isPunct(in.prev)) {
		return false
	}
	if in.em == nil {
		in.em = newEmphasis(s, in.links)
	}
	end, inner := in.em.closer(q, q-p, c, in.spend)
	if end < 0 {
		return false
	}
	in.take(end)
	in.lexer.inline(in.v.sub(p+inner, end-inner))
	return true
}

// closer finds what closes the n delimiters c in front of from. It returns the
// end of the emphasis and how many delimiters it takes on each side, or -1.
func (e *emphasis) closer(from, n int, c byte, spend func(int) bool) (end, inner int) {
	d := delimiter(c)
	for e.first[d] < len(e.runs[d]) && e.runs[d][e.first[d]].at < from {
		e.first[d]++
	}
	total, skipped := n, 0
	orphan := e.orphan(from, c)
	for _, r := range e.runs[d][e.first[d]:] {
		if !spend(1) {
			return -1, 0
		}
		switch {
		case r.at == orphan || r.side == neither:
			continue
		case r.side == opens:
			total += r.n
			continue
		case r.side == both && n%3 != 0 && (n+r.n)%3 == 0:
			skipped += r.n
			continue
		}
		if total -= r.n; total > 0 {
			continue
		}
		size := min(r.n, r.n+total+skipped)
		inner = 2 - min(n, size)%2
		return r.at + size, inner
	}
	return -1, 0
}

// orphan returns the index of a single delimiter inside a pair of the other
// kind, as in __a*b__: it cannot close what opened before. -1 if there is none.
func (e *emphasis) orphan(from int, c byte) int {
	other := byte('_')
	if c == '_' {
		other = '*'
	}
	i, ok := e.double(from, other)
	if !ok {
		return -1
	}
	k := e.special(i + 2)
	if k == len(e.masked) || e.masked[k] != c {
		return -1
	}
	if _, ok := e.double(k+1, other); !ok {
		return -1
	}
	return k
}

// special returns the index of the first * or _ at or after p.
func (e *emphasis) special(p int) int {
	if p >= len(e.masked) {
		return len(e.masked)
	}
	return int(e.next[p])
}

// double tells whether the first * or _ at or after p is c twice, and where.
func (e *emphasis) double(p int, c byte) (int, bool) {
	i := e.special(p)
	return i, i+1 < len(e.masked) && e.masked[i] == c && e.masked[i+1] == c
}

func newEmphasis(s string, links map[string]bool) *emphasis {
	e := &emphasis{masked: mask(s, links)}
	m := string(e.masked)
	e.next = make([]int32, len(m))
	at := int32(len(m))
	for i := len(m) - 1; i >= 0; i-- {
		if m[i] == '*' || m[i] == '_' {
			at = int32(i)
		}
		e.next[i] = at
	}
	for p := e.special(0); p < len(m); {
		q := skipByte(m, p, m[p])
		d := delimiter(m[p])
		e.runs[d] = append(e.runs[d], delimiters{p, q - p, sideOf(m, p, q)})
		p = e.special(q)
	}
	return e
}

// sideOf tells what the delimiters m[p:q] can do.
func sideOf(m string, p, q int) side {
	if p == 0 {
		return neither
	}
	before, _ := utf8.DecodeLastRuneInString(m[:p])
	after, _ := utf8.DecodeRuneInString(m[q:])
	end := q == len(m) || IsSpace(after)
	punct := !end && isPunct(after)
	switch {
	case IsSpace(before):
		if end {
			return neither
		}
		return opens
	case isPunct(before):
		if end {
			return closes
		}
		if punct {
			return both
		}
		return opens
	case end || punct:
		return closes
	case m[p] == '*':
		return both
	}
	return neither
}

// mask returns s with what emphasis must not look into made of [aaa], byte for
// byte: defined references, escaped characters, links, code and html.
func mask(s string, links map[string]bool) []byte {
	m := []byte(s)
	if len(links) > 0 {
		maskReferences(m, s, links)
	}
	maskSkipped(m)
	maskEscapes(m)
	return m
}

func blank(m []byte) {
	for i := range m {
		m[i] = 'a'
	}
	m[0], m[len(m)-1] = '[', ']'
}

func maskReferences(m []byte, s string, links map[string]bool) {
	for p := 0; p < len(s); {
		from := -1
		if s[p] == '[' || s[p] == '!' {
			from = opening(s, p)
		}
		if from < 0 {
			p++
			continue
		}
		end := maskableReference(s, from)
		if end < 0 {
			p++
			continue
		}
		i := strings.LastIndexByte(s[p:end], '[') + p + 1
		if i < end && links[s[i:end-1]] {
			blank(m[p:end])
		}
		p = end
	}
}

// maskableReference is the end of a reference whose text begins at from, or -1.
// One without a second label does not count in front of a parenthesis.
func maskableReference(s string, from int) int {
	if to, ok := textEnd(s, from); ok && strings.HasPrefix(s[to:], "][") {
		if e := labelEnd(s, to+2); e >= 0 {
			return e + 1
		}
	}
	to := labelEnd(s, from)
	if to < 0 {
		return -1
	}
	for _, end := range [...]int{to + 3, to + 1} {
		if end == to+3 && !strings.HasPrefix(s[to+1:], "[]") {
			continue
		}
		if end == len(s) || s[end] != '(' {
			return end
		}
	}
	return -1
}

func maskEscapes(m []byte) {
	for i := 0; i+1 < len(m); i++ {
		if m[i] != '\\' {
			continue
		}
		if r, w := utf8.DecodeRune(m[i+1:]); isPunct(r) {
			for k := i; k <= i+w; k++ {
				m[k] = '+'
			}
			i += w
		}
	}
}

// maskSkipped masks links, code and tags.
func maskSkipped(m []byte) {
	s := string(m)
	for p := 0; p < len(s); {
		end := -1
		switch s[p] {
		case '[':
			end = skippedLink(s, p+1)
		case '`':
			if k := strings.IndexByte(s[p+1:], '`'); k >= 0 {
				end = p + k + 2
			}
		case '<':
			k := strings.IndexAny(s[p+1:], "<>")
			if k >= 0 && s[p+1+k] == '>' {
				end = p + k + 2
			}
		}
		if end < 0 {
			p++
			continue
		}
		blank(m[p:end])
		p = end
	}
}

// skippedLink returns the end of a link whose text begins at p, or -1.
func skippedLink(s string, p int) int {
	k := strings.IndexAny(s[p:], "[]")
	if k < 0 || !strings.HasPrefix(s[p+k:], "](") {
		return -1
	}
	inner := false
	for q := p + k + 2; q < len(s); q++ {
		switch s[q] {
		case '\\':
			if q++; q == len(s) || isTerminator(s, q) {
				return -1
			}
		case '(':
			if inner {
				return -1
			}
			inner = true
		case ')':
			if !inner {
				return q + 1
			}
			inner = false
		}
	}
	return -1
}
