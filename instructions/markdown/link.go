package markdown

import "strings"

// textEnd finds the "]" that closes the link text at p:
// /(?:\[(?:\\.|[^\[\]\\])*\]|\\.|`[^`]*`|[^\[\]\\`])*?\]/. There is one way to read
// it, so nothing is tried twice. Where there is none, it tells how far it looked.
func textEnd(s string, p int) (int, bool) {
	for p < len(s) {
		switch s[p] {
		case ']':
			return p, true
		case '[':
			end, ok := bracketEnd(s, p+1)
			if !ok {
				return end, false
			}
			p = end
		case '\\':
			if p+1 == len(s) || isTerminator(s, p+1) {
				return p, false
			}
			p = next(s, p+1)
		case '`':
			k := strings.IndexByte(s[p+1:], '`')
			if k < 0 {
				return len(s), false
			}
			p += k + 2
		default:
			p++
		}
	}
	return p, false
}

// bracketEnd returns the index behind /(?:\\.|[^\[\]\\])*\]/, or where it stopped.
func bracketEnd(s string, p int) (int, bool) {
	for ; p < len(s); p++ {
		switch s[p] {
		case ']':
			return p + 1, true
		case '[':
			return p, false
		case '\\':
			if p++; p == len(s) || isTerminator(s, p) {
				return p, false
			}
		}
	}
	return p, false
}

// opening returns where the text of the link or image at p begins, or -1.
func opening(s string, p int) int {
	if s[p] == '!' {
		p++
	}
	if p == len(s) || s[p] != '[' {
		return -1
	}
	return p + 1
}

// link is [text](target "title"), or an image.
func (in *inliner) link() bool {
	s, p := in.s, in.p
	from := opening(s, p)
	if from < 0 {
		return false
	}
	to, ok := textEnd(s, from)
	if !in.spend(to-from) || !ok || !strings.HasPrefix(s[to:], "](") {
		return false
	}
	i, j, end := in.target(to + 2)
	if end < 0 {
		return false
	}
	target := Trim(s[i:j])
	if strings.HasPrefix(target, "<") {
		if !closesAngle(target) {
			return false
		}
	} else if k := closingParen(s[i:j]); k >= 0 {
		// marked counts from the parenthesis here, white space or not.
		end = min(end, to+2+k+1)
		end = p + len(trimRight(s[p:end]))
	}
	in.output(from, to, end)
	return true
}

// closesAngle tells whether target ends in a ">" that no backslash escapes.
func closesAngle(target string) bool {
	if !strings.HasSuffix(target, ">") {
		return false
	}
	body := target[:len(target)-1]
	return (len(body)-len(strings.TrimRight(body, `\`)))%2 == 0
}

// closingParen returns the index of the first ")" in s that closes nothing, or -1.
func closingParen(s string) int {
	level := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			level++
		case ')':
			if level--; level < 0 {
				return i
			}
		}
	}
	return -1
}

// target reads what stands in a link's parentheses from p on and returns the
// range of the target and the index behind the closing parenthesis, or -1.
// marked tries the longest target first.
func (in *inliner) target(p int) (i, j, end int) {
	s := in.s
	i = skipSpace(s, p)
	if e := angleEnd(s, i); e > 0 {
		if end = in.targetRest(e); end > 0 {
			return i, e, end
		}
	}
	e := i
	for e < len(s) && s[e] > ' ' && spaceAt(s, e) == 0 {
		e++
	}
	if !in.spend(e - i) {
		return 0, 0, -1
	}
	for j = e; j >= i; j-- {
		if j < e && s[j] != ')' {
			continue
		}
		if end = in.targetRest(j); end > 0 {
			return i, j, end
		}
	}
	return 0, 0, -1
}

// angleEnd is /<(?:\\.|[^\n<>\\])+>/.
func angleEnd(s string, p int) int {
	if p == len(s) || s[p] != '<' {
		return -1
	}
	for q := p + 1; q < len(s); q++ {
		switch s[q] {
		case '>':
			if q == p+1 {
				return -1
			}
			return q + 1
		case '<', '\n':
			return -1
		case '\\':
			if q++; q == len(s) || isTerminator(s, q) {
				return -1
			}
		}
	}
	return -1
}

// targetRest returns the index behind a title, or none, and the closing
// parenthesis, or -1.
func (in *inliner) targetRest(p int) int {
	q := skipSpace(in.s, p)
	if q == len(in.s) {
		return -1
	}
	end := -1
	if q > p {
		switch c := in.s[q]; c {
		case '"', '\'':
			end = in.title(q+1, c)
		case '(':
			end = in.title(q+1, ')')
		}
	}
	if end < 0 {
		end = parenEnd(in.s, q)
	}
	return end
}

func (in *inliner) title(p int, quote byte) int {
	if in.work < 0 {
		return -1
	}
	end, stop := quotedEnd(in.s, p, quote, parenEnd)
	in.spend(stop - p)
	return end
}

// parenEnd returns the index behind /\s*\)/, or -1.
func parenEnd(s string, p int) int {
	p = skipSpace(s, p)
	if p == len(s) || s[p] != ')' {
		return -1
	}
	return p + 1
}

// output takes the link whose text is s[from:to] and which ends at end.
func (in *inliner) output(from, to, end int) {
	image := in.s[in.p] == '!'
	if image {
		in.span(Image, in.v, in.p, end)
	} else {
		in.span(LinkTarget, in.v, min(to, end), end)
	}
	in.take(end)
	if !image { // the client does not look into an image's text
		in.lexer.inline(unbracketed(in.v.sub(from, to)))
	}
}

// unbracketed returns v without the backslashes in front of brackets.
func unbracketed(v view) view {
	if strings.IndexByte(v.s, '\\') < 0 {
		return v
	}
	var b builder
	at := 0
	for i := 0; i+1 < len(v.s); i++ {
		if v.s[i] == '\\' && (v.s[i+1] == '[' || v.s[i+1] == ']') {
			b.add(v, at, i)
			at = i + 1
			i++
		}
	}
	b.add(v, at, len(v.s))
	return b.view()
}

// referenceAt returns the text's end, the label and the end of the reference
// whose text begins at from: [text][label], [label][] or [label].
func referenceAt(s string, from int) (to int, label string, end int) {
	if to, ok := textEnd(s, from); ok && strings.HasPrefix(s[to:], "][") {
		if e := labelEnd(s, to+2); e >= 0 {
			return to, s[to+2 : e], e + 1
		}
	}
	if to = labelEnd(s, from); to < 0 {
		return 0, "", -1
	}
	end = to + 1
	if strings.HasPrefix(s[end:], "[]") {
		end += 2
	}
	return to, s[from:to], end
}

// reference is a link by label. A label that is not defined leaves one
// character of text.
func (in *inliner) reference() bool {
	from := opening(in.s, in.p)
	if from < 0 {
		return false
	}
	to, label, end := referenceAt(in.s, from)
	if end < 0 {
		return false
	}
	if !in.spend(end-in.p) || !in.links[foldLabel(label)] {
		in.p++
		in.prev = 0
		return true
	}
	in.output(from, to, end)
	return true
}
