package markdown

import "strings"

// marks that inline html ends with; one that is missing behind some position is
// missing behind all later ones, which spares looking again.
var marks = [...]string{"-->", "?>", ">", "]]>", `"`, "'"}

const (
	commentMark = iota
	instructionMark
	declarationMark
	cdataMark
	doubleMark
	singleMark
)

// find returns the index behind the first marks[m] at or after p, or -1.
func (in *inliner) find(m, p int) int {
	if from := in.missing[m]; from > 0 && p >= from || p > len(in.s) {
		return -1
	}
	k := strings.Index(in.s[p:], marks[m])
	if k < 0 {
		in.missing[m] = p
		return -1
	}
	return p + k + len(marks[m])
}

// tag is html within a line.
func (in *inliner) tag() bool {
	end := in.tagEnd()
	if end < 0 {
		return false
	}
	kind := HTML
	if strings.HasPrefix(in.s[in.p:], "<!--") {
		kind = Comment
	}
	in.span(kind, in.v, in.p, end)
	in.take(end)
	return true
}

func (in *inliner) tagEnd() int {
	s, p := in.s, in.p
	rest := s[p+1:]
	switch {
	case rest == "":
		return -1
	case strings.HasPrefix(rest, "!-->"):
		return p + 5
	case strings.HasPrefix(rest, "!--->"):
		return p + 6
	case strings.HasPrefix(rest, "!--"):
		return in.find(commentMark, p+4)
	case rest[0] == '?':
		return in.find(instructionMark, p+2)
	case strings.HasPrefix(rest, "![CDATA["):
		return in.find(cdataMark, p+9)
	case rest[0] == '!':
		return in.declarationEnd(p + 2)
	case rest[0] == '/':
		return closingTagEnd(s, p+2)
	}
	return in.openTagEnd(p + 1)
}

// declarationEnd is /[a-zA-Z]+\s[\s\S]*?>/.
func (in *inliner) declarationEnd(p int) int {
	q := p
	for q < len(in.s) && isLetter(in.s[q]) {
		q++
	}
	w := spaceAt(in.s, q)
	if q == p || w == 0 {
		return -1
	}
	return in.find(declarationMark, q+w)
}

// closingTagEnd is /[a-zA-Z][\w:-]*\s*>/.
func closingTagEnd(s string, p int) int {
	if p == len(s) || !isLetter(s[p]) {
		return -1
	}
	for p < len(s) && (isWord(s[p]) || s[p] == ':' || s[p] == '-') {
		p++
	}
	p = skipSpace(s, p)
	if p == len(s) || s[p] != '>' {
		return -1
	}
	return p + 1
}

// openTagEnd is /[a-zA-Z][\w-]*(?:attribute)*?\s*\/?>/.
func (in *inliner) openTagEnd(p int) int {
	s := in.s
	if !isLetter(s[p]) {
		return -1
	}
	for p < len(s) && (isWord(s[p]) || s[p] == '-') {
		p++
	}
	from := p
	for {
		q := skipSpace(s, p)
		if q == p || q == len(s) || !isLetter(s[q]) && s[q] != '_' && s[q] != ':' {
			p = q
			break
		}
		for q < len(s) && (isWord(s[q]) || s[q] == '.' || s[q] == ':' || s[q] == '-') {
			q++
		}
		p = q
		if e := skipSpace(s, q); e < len(s) && s[e] == '=' {
			if p = in.value(skipSpace(s, e+1)); p < 0 {
				return -1
			}
		}
	}
	if !in.spend(p - from) {
		return -1
	}
	if strings.HasPrefix(s[p:], "/>") {
		return p + 2
	}
	if p < len(s) && s[p] == '>' {
		return p + 1
	}
	return -1
}

// value returns the index behind the attribute value at p, or -1.
func (in *inliner) value(p int) int {
	if p < len(in.s) && in.s[p] == '"' {
		return in.find(doubleMark, p+1)
	}
	if p < len(in.s) && in.s[p] == '\'' {
		return in.find(singleMark, p+1)
	}
	if q := unquotedValue(in.s, p); q > p {
		return q
	}
	return -1
}

// autolink is <scheme:target> or <mail@address>.
func (in *inliner) autolink() bool {
	s, p := in.s, in.p+1
	end := schemeEnd(s, p)
	if end < 0 {
		end = mailEnd(s, p)
	}
	if end < 0 || end == len(s) || s[end] != '>' {
		return false
	}
	in.span(LinkTarget, in.v, in.p, end+1)
	in.take(end + 1)
	in.emit(in.v.sub(p, end))
	return true
}

// schemeEnd is /[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s\x00-\x1f<>]*/.
func schemeEnd(s string, p int) int {
	q := p
	for q < len(s) && (isAlnum(s[q]) || s[q] == '+' || s[q] == '.' || s[q] == '-') {
		q++
	}
	if q == len(s) || s[q] != ':' || q-p < 2 || q-p > 32 || !isLetter(s[p]) {
		return -1
	}
	for q < len(s) && s[q] > ' ' && s[q] != '<' && s[q] != '>' && spaceAt(s, q) == 0 {
		q++
	}
	return q
}

// mailEnd is the end of an address whose domain has a dot.
func mailEnd(s string, p int) int {
	q := p
	for q < len(s) && (isAlnum(s[q]) || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", s[q]) >= 0) {
		q++
	}
	if q == p || q == len(s) || s[q] != '@' {
		return -1
	}
	for labels := 0; ; labels++ {
		from := q + 1
		for q = from; q < len(s) && (isAlnum(s[q]) || s[q] == '-'); q++ {
		}
		if q == from || q-from > 63 || s[from] == '-' || s[q-1] == '-' {
			return -1
		}
		if q == len(s) || s[q] != '.' {
			if labels == 0 {
				return -1
			}
			return q
		}
	}
}
