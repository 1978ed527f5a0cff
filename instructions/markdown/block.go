package markdown

import "strings"

// blankLines is /^(?:[ \t]*(?:\n|$))+/.
func blankLines(s string, p int) int {
	for p < len(s) {
		q := skipBlank(s, p)
		if q == len(s) {
			return q
		}
		if s[q] != '\n' {
			break
		}
		p = q + 1
	}
	return p
}

// codeIndent returns the index behind four spaces, or up to three and a tab.
func codeIndent(s string, p int) (int, bool) {
	q := indent(s, p, 4)
	if q == p+4 {
		return q, true
	}
	if q < len(s) && s[q] == '\t' {
		return q + 1, true
	}
	return p, false
}

// indentedCodeEnd is /^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/.
func indentedCodeEnd(s string, p int) int {
	for p < len(s) {
		q, ok := codeIndent(s, p)
		if !ok || q == len(s) || s[q] == '\n' {
			break
		}
		p = lineEnd(s, q)
		if p < len(s) {
			p = blankLines(s, p+1)
		}
	}
	return p
}

// indentedCode cannot interrupt a paragraph: it joins it.
func (r *run) indentedCode(p int) int {
	q := indentedCodeEnd(r.v.s, p)
	if q == p {
		return p
	}
	if r.last.kind != paragraph && r.last.kind != text {
		r.span(Code, r.v, p, q)
		r.push(token{kind: other}, p)
		return q
	}
	r.joinCode(p, codeTextEnd(r.v.s, p, q))
	return q
}

// codeTextEnd returns where the code s[p:q] ends without the line feeds that end
// it once its lines are dedented: a line of up to four spaces is empty then.
func codeTextEnd(s string, p, q int) int {
	for {
		q = p + len(strings.TrimRight(s[p:q], "\n"))
		line := p + strings.LastIndexByte(s[p:q], '\n') + 1
		if line == p || s[line:q] != "\t" && indent(s, line, 4) < q {
			return q
		}
		q = line
	}
}

// joinCode joins the lines s[p:q] without up to four spaces each, or a tab.
func (r *run) joinCode(p, q int) {
	s := r.v.s
	for p <= q {
		end := min(lineEnd(s, p), q)
		from := indent(s, p, 4)
		if from == p && p < end && s[p] == '\t' {
			from++
		}
		r.joinLine(p, min(from, end), end)
		p = end + 1
	}
}

// fenceOpen returns the fence's character, the run's length and the end of the
// opening line, or 0.
func fenceOpen(s string, p int) (c byte, n, end int) {
	p = indent(s, p, 3)
	if p == len(s) || s[p] != '`' && s[p] != '~' {
		return 0, 0, 0
	}
	c = s[p]
	q := skipByte(s, p, c)
	end = lineEnd(s, q)
	info := s[q:end]
	if q-p < 3 || c == '`' && strings.IndexByte(info, '`') >= 0 || strings.IndexByte(info, glue) >= 0 {
		return 0, 0, 0
	}
	return c, q - p, end
}

// fenceClose returns the end of the closing fence at p, or -1.
func fenceClose(s string, p int, c byte, n int) int {
	p = indent(s, p, 3)
	if skipByte(s, p, c)-p < n {
		return -1
	}
	for p < len(s) && (s[p] == '`' || s[p] == '~') {
		p++
	}
	p = skipByte(s, p, ' ')
	if p == len(s) || s[p] == '\n' {
		return p
	}
	return -1
}

// fencedCode runs to its closing fence, or to the end of the container.
func (r *run) fencedCode(p int) int {
	s := r.v.s
	c, n, q := fenceOpen(s, p)
	if c == 0 {
		return p
	}
	end := len(s)
	for q < len(s) {
		if e := fenceClose(s, q+1, c, n); e >= 0 {
			end = e
			break
		}
		q = lineEnd(s, q+1)
	}
	r.span(Code, r.v, p, end)
	r.push(token{kind: other}, p)
	return end
}

// hashes returns the index behind / {0,3}#{1,6}/ and whether white space or the
// end follows, or p.
func hashes(s string, p int) (int, bool) {
	q := indent(s, p, 3)
	e := skipByte(s, q, '#')
	if e == q {
		return p, false
	}
	return e, e-q <= 6 && (e == len(s) || spaceAt(s, e) > 0)
}

// heading is an ATX heading.
func (r *run) heading(p int) int {
	s := r.v.s
	q, ok := hashes(s, p)
	if !ok {
		return p
	}
	end := lineEnd(s, q)
	if hasSeparator(s[q:end]) {
		return p
	}
	i, j := skipSpace(s[:end], q), q+len(trimRight(s[q:end]))
	if k := q + len(strings.TrimRight(s[q:max(i, j)], "#")); k <= i || s[k-1] == ' ' {
		j = q + len(trimRight(s[q:k]))
	}
	r.push(token{kind: other}, p)
	if i < j {
		r.queue(r.v.sub(i, j), false)
	}
	return skipByte(s, end, '\n')
}

// isRule is / {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n|$)/;
// without tabs, the form that a list looks for.
func isRule(s string, p, maxIndent int, tabs bool) bool {
	p = indent(s, p, maxIndent)
	if p == len(s) || s[p] != '-' && s[p] != '_' && s[p] != '*' {
		return false
	}
	n := 0
	for c := s[p]; p < len(s) && s[p] != '\n'; p++ {
		switch {
		case s[p] == c:
			n++
		case s[p] != ' ' && !(tabs && s[p] == '\t'):
			return false
		}
	}
	return n >= 3
}

func (r *run) rule(p int) int {
	if !isRule(r.v.s, p, 3, true) {
		return p
	}
	r.push(token{kind: other}, p)
	return lineEnd(r.v.s, p)
}

// underline returns the index behind /^ {0,3}(=+|-+) *(?:\n+|$)/, or -1.
func underline(s string, p int) int {
	p = indent(s, p, 3)
	if p == len(s) || s[p] != '=' && s[p] != '-' {
		return -1
	}
	p = skipByte(s, skipByte(s, p, s[p]), ' ')
	if p < len(s) && s[p] != '\n' {
		return -1
	}
	return skipByte(s, p, '\n')
}

// stopsSetext tells whether the line at p cannot be part of a setext heading's
// text.
func stopsSetext(s string, p int, first bool) bool {
	if q := bullet(s, p); q > p && q < len(s) && s[q] == ' ' {
		return true
	}
	if _, code := codeIndent(s, p); code {
		return true
	}
	q := indent(s, p, 3)
	if q == len(s) {
		return false
	}
	end := lineEnd(s, q)
	switch s[q] {
	case '>', '#':
		return true
	case '`', '~':
		return skipByte(s, q, s[q])-q >= 3
	case '<':
		line := s[q+1 : end]
		return end < len(s) && len(line) > 1 && strings.IndexByte(line, '>') == len(line)-1
	}
	return !first && end < len(s) && isBlank(s[p:end])
}

// setext is a heading underlined with = or -.
func (r *run) setext(p int) int {
	s := r.v.s
	if p < r.noSetext || stopsSetext(s, p, true) {
		return p
	}
	line, q := p, lineEnd(s, p)
	for ; q < len(s) && !hasSeparator(s[line:q]); line, q = q+1, lineEnd(s, q+1) {
		if end := underline(s, q+1); end >= 0 {
			r.push(token{kind: other}, p)
			r.queue(r.v.sub(p, q), false)
			return end
		}
		if stopsSetext(s, q+1, false) {
			break
		}
	}
	// Every line up to here would fail where this one did.
	r.noSetext = q
	return p
}

// bullet returns the index behind /(?:[*+-]|\d{1,9}[.)])/, or p.
func bullet(s string, p int) int {
	if p < len(s) && (s[p] == '*' || s[p] == '+' || s[p] == '-') {
		return p + 1
	}
	q := p
	for q < len(s) && q < p+9 && isDigit(s[q]) {
		q++
	}
	if q > p && q < len(s) && (s[q] == '.' || s[q] == ')') {
		return q + 1
	}
	return p
}

// paragraphEnd returns where the paragraph that starts at p ends.
func paragraphEnd(s string, p int) int {
	p = lineEnd(s, p)
	for p+1 < len(s) && s[p+1] != '\n' && !interruptsParagraph(s, p+1) {
		p = lineEnd(s, p+1)
	}
	return p
}

// interruptsParagraph tells whether the line at p ends a paragraph before it.
func interruptsParagraph(s string, p int) bool {
	q := indent(s, p, 3)
	if q == len(s) {
		return false
	}
	switch s[q] {
	case '\n', ' ':
		e := skipByte(s, q, ' ')
		return e < len(s) && s[e] == '\n'
	case '>':
		return true
	case '#':
		_, ok := hashes(s, p)
		return ok
	case '`', '~':
		c, _, end := fenceOpen(s, p)
		return c != 0 && end < len(s)
	case '1':
		return q+2 < len(s) && (s[q+1] == '.' || s[q+1] == ')') && s[q+2] == ' '
	case '*', '+', '-':
		return q+1 < len(s) && s[q+1] == ' ' || isRule(s, p, 3, true)
	case '_':
		return isRule(s, p, 3, true)
	case '<':
		return q == p && interruptingHTML(s, p)
	}
	return false
}
