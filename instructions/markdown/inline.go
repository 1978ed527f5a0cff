package markdown

import "strings"

// inliner is one pass over the inline tokens of a view.
type inliner struct {
	*lexer
	v       view
	s       string
	p       int  // where the next token begins
	run     int  // where the text token that ends at p begins
	prev    rune // the character before p when a text token ends there, else 0
	white   int  // where the white space at the end of s begins
	ticks   *ticks
	em      *emphasis
	delims  int             // where the run of * or _ around p ends
	missing [len(marks)]int // no such mark at or after it; 0: not known
}

// inline lexes v for inline tokens and reports its texts.
func (l *lexer) inline(v view) {
	if strings.IndexByte(v.s, '@') < 0 {
		return
	}
	l.depth++
	if l.depth > maxDepth || !l.spend(len(v.s)) {
		l.doc.Cut = true
		l.emit(v)
	} else {
		in := &inliner{lexer: l, v: v, s: v.s, white: len(trimRight(v.s))}
		for in.p < len(in.s) {
			in.token()
		}
		in.flush(in.p)
	}
	l.depth--
}

// token lexes the token at p. The order is marked's.
func (in *inliner) token() {
	switch c := in.s[in.p]; c {
	case '\\':
		if in.escape() || in.br() {
			return
		}
	case '<':
		if in.tag() || in.autolink() {
			return
		}
	case '!', '[':
		if in.link() || in.reference() {
			return
		}
	case '*', '_':
		if in.emphasis() {
			return
		}
	case '`':
		if in.codeSpan() {
			return
		}
	case ' ':
		if in.br() {
			return
		}
	}
	in.text()
}

// flush reports the text token that ends at p.
func (in *inliner) flush(p int) {
	if in.run < p {
		in.emit(in.v.sub(in.run, p))
	}
}

// take ends the text token before p and consumes a token of another kind.
func (in *inliner) take(end int) {
	in.flush(in.p)
	in.p, in.run, in.prev = end, end, 0
}

// text takes the characters up to the next one that could begin another token.
func (in *inliner) text() {
	s, p := in.s, in.p
	if p >= in.white { // nothing but white space, which marked takes in many parts
		in.p = len(s)
		return
	}
	if s[p] == '`' {
		p = skipByte(s, p, '`')
	} else {
		p = next(s, p)
	}
	if !breakAt(s, p) {
		for p < len(s) && strings.IndexByte("\\<![`*_", s[p]) < 0 {
			c := s[p]
			p = next(s, p)
			if c != ' ' && breakAt(s, p) {
				break
			}
		}
	}
	if s[p-1] != '_' {
		in.prev = lastUnit(s[:p])
	}
	in.p = p
}

// breakAt is /^ {2,}\n/.
func breakAt(s string, p int) bool {
	if p+2 >= len(s) || s[p] != ' ' {
		return false
	}
	q := skipByte(s, p, ' ')
	return q >= p+2 && q < len(s) && s[q] == '\n'
}

func (in *inliner) escape() bool {
	s, p := in.s, in.p
	if p+1 == len(s) || !isASCIIPunct(s[p+1]) {
		return false
	}
	in.span(Escape, in.v, p, p+2)
	in.take(p + 2)
	return true
}

// br is a hard line break: /^( {2,}|\\)\n(?!\s*$)/.
func (in *inliner) br() bool {
	q := in.p + 1
	if in.s[in.p] == ' ' {
		if q = skipByte(in.s, in.p, ' '); q < in.p+2 {
			return false
		}
	}
	if q == len(in.s) || in.s[q] != '\n' || q+1 >= in.white {
		return false
	}
	in.take(q + 1)
	return true
}

// ticks knows the runs of backticks of a text.
type ticks struct {
	starts map[int][]int // by length, ascending
}

func newTicks(s string) *ticks {
	t := &ticks{map[int][]int{}}
	for p := strings.IndexByte(s, '`'); p >= 0 && p < len(s); {
		q := skipByte(s, p, '`')
		t.starts[q-p] = append(t.starts[q-p], p)
		k := strings.IndexByte(s[q:], '`')
		if k < 0 {
			break
		}
		p = q + k
	}
	return t
}

// after returns the start of the first run of exactly n backticks at or after
// p, or -1.
func (t *ticks) after(n, p int) int {
	starts := t.starts[n]
	// Runs are asked for from left to right, so the ones behind can go.
	for len(starts) > 0 && starts[0] < p {
		starts = starts[1:]
	}
	t.starts[n] = starts
	if len(starts) == 0 {
		return -1
	}
	return starts[0]
}

func (in *inliner) codeSpan() bool {
	if in.ticks == nil {
		in.ticks = newTicks(in.s)
	}
	q := skipByte(in.s, in.p, '`')
	n := q - in.p
	e := in.ticks.after(n, q+1)
	if e < 0 {
		return false
	}
	in.span(CodeSpan, in.v, in.p, e+n)
	in.take(e + n)
	return true
}
