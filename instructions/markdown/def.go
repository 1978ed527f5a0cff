package markdown

import (
	"slices"
	"strings"
)

// definition is a link definition. Inside a paragraph it is text.
func (r *run) definition(p int) int {
	label, end := definitionEnd(r.v.s, p)
	if end < 0 {
		return p
	}
	if r.last.kind == paragraph || r.last.kind == text {
		r.join(p, end)
		return end
	}
	if r.trial == 0 {
		r.links[foldLabel(label)] = true
	}
	r.span(Definition, r.v, p, end)
	r.push(token{kind: other, open: true, def: true}, p)
	return end
}

// definitionEnd returns the label of the definition at p and where it ends, or
// -1.
func definitionEnd(s string, p int) (string, int) {
	p = indent(s, p, 3)
	if p == len(s) || s[p] != '[' {
		return "", -1
	}
	q := labelEnd(s, p+1)
	if q < 0 || !strings.HasPrefix(s[q:], "]:") {
		return "", -1
	}
	label := s[p+1 : q]
	q = skipByte(s, q+2, ' ')
	if q < len(s) && s[q] == '\n' {
		q = skipBlank(s, q+1)
	}
	for _, q := range targetEnds(s, q) {
		if e := titleEnd(s, q); e >= 0 {
			return label, e
		}
		if e := lineRest(s, q); e >= 0 {
			return label, e
		}
	}
	return "", -1
}

// targetEnds returns where the target at p can end:
// /[^<\s][^\s]*|<.*?>/.
func targetEnds(s string, p int) []int {
	if p == len(s) {
		return nil
	}
	if s[p] != '<' {
		q := p
		for q < len(s) && s[q] != glue && spaceAt(s, q) == 0 {
			q++
		}
		if q == p {
			return nil
		}
		return []int{q}
	}
	var out []int
	for q := p + 1; q < len(s) && s[q] != glue && !isTerminator(s, q); q++ {
		if s[q] == '>' {
			out = append(out, q+1)
		}
	}
	return out
}

// lineRest returns the index behind / *(?:\n+|$)/, or -1.
func lineRest(s string, p int) int {
	p = skipByte(s, p, ' ')
	if p < len(s) && s[p] != '\n' {
		return -1
	}
	return skipByte(s, p, '\n')
}

// titleEnd returns the end of a definition that has a title behind its target,
// which ends at p, or -1.
func titleEnd(s string, p int) int {
	q := skipByte(s, p, ' ')
	if q < len(s) && s[q] == '\n' {
		q = skipBlank(s, q+1)
	} else if q == p {
		return -1
	}
	if q == len(s) {
		return -1
	}
	switch s[q] {
	case '"':
		end, _ := quotedEnd(s, q+1, '"', lineRest)
		return end
	case '\'':
		e := indexBytes(s[q+1:], '\'', glue)
		if e < 0 || s[q+1+e] != '\'' || strings.Contains(s[q+1:q+1+e], "\n\n") {
			return -1
		}
		return lineRest(s, q+2+e)
	case '(':
		e := indexBytes(s[q+1:], '(', ')', glue)
		if e < 0 || s[q+1+e] != ')' {
			return -1
		}
		return lineRest(s, q+2+e)
	}
	return -1
}

// quotedEnd finds the quote that closes the text at p so that rest, given the
// index behind it, matches; it returns what rest returns, or -1, and how far it
// looked. As in /"(?:\\"?|[^"\\])*"/ a quote behind a backslash closes only where
// no other does, the last one first.
func quotedEnd(s string, p int, quote byte, rest func(string, int) int) (end, stop int) {
	var escaped []int
	q := p
	for ; q < len(s) && s[q] != glue; q++ {
		if s[q] == quote {
			if e := rest(s, q+1); e >= 0 {
				return e, q
			}
			break
		}
		if s[q] == '\\' && q+1 < len(s) && s[q+1] == quote {
			q++
			escaped = append(escaped, q)
		}
	}
	for i := len(escaped) - 1; i >= 0; i-- {
		if e := rest(s, escaped[i]+1); e >= 0 {
			return e, q
		}
	}
	return -1, q
}

// foldLabel is how marked compares labels.
func foldLabel(label string) string {
	var b strings.Builder
	for i := 0; i < len(label); {
		if q := skipSpace(label, i); q > i {
			b.WriteByte(' ')
			i = q
			continue
		}
		b.WriteByte(label[i])
		i++
	}
	return strings.ToLower(b.String())
}

// labelEnd returns the index of the "]" that closes the label at p, or -1:
// /(?!\s*\])(?:\\.|[^\[\]\\])+\]/.
func labelEnd(s string, p int) int {
	if q := skipSpace(s, p); q < len(s) && s[q] == ']' {
		return -1
	}
	for q := p; q < len(s); q++ {
		switch s[q] {
		case ']':
			return q
		case '[', glue:
			return -1
		case '\\':
			if q++; q == len(s) || isTerminator(s, q) {
				return -1
			}
		}
	}
	return -1
}

// indexBytes returns the index of the first of some bytes, or -1. The glue byte
// is no UTF-8, so strings.IndexAny cannot be asked for it.
func indexBytes(s string, any ...byte) int {
	for i := 0; i < len(s); i++ {
		if slices.Contains(any, s[i]) {
			return i
		}
	}
	return -1
}
