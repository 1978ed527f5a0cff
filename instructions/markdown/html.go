package markdown

import "strings"

// isBlockTag tells whether name, in lower case, opens an html block that a
// blank line closes.
func isBlockTag(name string) bool {
	switch name {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
		"center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe",
		"legend", "li", "link", "main", "menu", "menuitem", "meta", "nav", "noframes",
		"ol", "optgroup", "option", "p", "param", "search", "section", "summary", "table",
		"tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}

// longestTag is the length of the longest name in isBlockTag.
const longestTag = len("blockquote")

// tagName returns the letters and digits at p, at most one more than the
// longest name known.
func tagName(s string, p int) string {
	q := p
	for q < len(s) && q <= p+longestTag && isAlnum(s[q]) {
		q++
	}
	return s[p:q]
}

// rawPrefix returns the name of the raw tag that s begins with, whatever
// follows it.
func rawPrefix(s string) string {
	for _, name := range [...]string{"script", "pre", "style", "textarea"} {
		if hasPrefixFold(s, name) {
			return name
		}
	}
	return ""
}

// blockTagEnd returns the index behind /<\/?(tag)(?: +|\n|\/?>)/ with any number
// of spaces left out but the first, or p. The end of the text counts as a line
// feed where atEnd is set.
func blockTagEnd(s string, p int, atEnd, fold bool) int {
	q := p + 1
	if q < len(s) && s[q] == '/' {
		q++
	}
	name := tagName(s, q)
	q += len(name)
	if fold {
		name = strings.ToLower(name)
	}
	switch {
	case !isBlockTag(name):
		return p
	case q == len(s):
		if atEnd {
			return q
		}
		return p
	case s[q] == ' ', s[q] == '\n', s[q] == '>':
		return q + 1
	case strings.HasPrefix(s[q:], "/>"):
		return q + 2
	}
	return p
}

// interruptingHTML tells whether the html at p ends a paragraph before it. The
// client's rule knows the names in lower case only, and raw tags by prefix.
func interruptingHTML(s string, p int) bool {
	if strings.HasPrefix(s[p:], "<!--") || blockTagEnd(s, p, false, false) > p {
		return true
	}
	name := rawPrefix(s[p+1:])
	return name != "" && strings.HasPrefix(s[p+1:], name)
}

// html is a block of html, of any of CommonMark's seven kinds.
func (r *run) html(p int) int {
	s := r.v.s
	q := indent(s, p, 3)
	if q == len(s) || s[q] != '<' {
		return p
	}
	end := htmlEnd(s, q)
	if end < 0 {
		return p
	}
	kind := HTML
	if strings.HasPrefix(s[q:], "<!--") {
		kind = Comment
	}
	if r.trial == 0 {
		if kind == Comment {
			r.commentSpans(p, end)
		} else {
			r.span(HTML, r.v, p, end)
		}
		v := r.v.sub(p, end).unglued()
		b := Block{Text{v.s, v}, r.root, p, end}
		r.doc.HTML = append(r.doc.HTML, b)
		r.flush()
		if ranges, ok := b.Comments(); ok {
			r.jobs = append(r.jobs, job{v: b.Without(ranges).view, rest: true})
		}
	}
	r.push(token{kind: other}, p)
	return end
}

// commentSpans reports the comments in a block that opens with one. The rest of
// it is plain text for the client.
func (r *run) commentSpans(p, end int) {
	for _, c := range comments(r.v.s[p:end]) {
		r.span(Comment, r.v, p+c[0], p+c[1])
	}
	if !strings.Contains(r.v.s[p:end], "-->") {
		r.span(Comment, r.v, p, end)
	}
}

// Comments returns the ranges of Value that the client takes out of the block:
// its comments, or all of it if nothing but white space would stay. It does so
// where the block opens with a comment that ends in it; ok tells that.
func (b Block) Comments() (ranges [][2]int, ok bool) {
	s := b.Value
	if !strings.HasPrefix(s[skipSpace(s, 0):], "<!--") || !strings.Contains(s, "-->") {
		return nil, false
	}
	ranges = comments(s)
	at := 0
	for _, c := range ranges {
		if !isBlank(s[at:c[0]]) {
			return ranges, true
		}
		at = c[1]
	}
	if !isBlank(s[at:]) {
		return ranges, true
	}
	return [][2]int{{0, len(s)}}, true
}

// comments returns the ranges of /<!--[\s\S]*?-->/g in s.
func comments(s string) [][2]int {
	var out [][2]int
	for at := 0; ; {
		i := strings.Index(s[at:], "<!--")
		if i < 0 {
			return out
		}
		i += at
		n := strings.Index(s[i+4:], "-->")
		if n < 0 {
			return out
		}
		at = i + 4 + n + 3
		out = append(out, [2]int{i, at})
	}
}

// htmlEnd returns where the html block whose "<" is at p ends, or -1.
func htmlEnd(s string, p int) int {
	rest := s[p:]
	name := rawPrefix(rest[1:])
	switch {
	case name != "" && opensRaw(rest[1+len(name):]):
		return rawEnd(s, p+1+len(name), name)
	case strings.HasPrefix(rest, "<!-->"), strings.HasPrefix(rest, "<!--->"):
		return skipByte(s, lineEnd(s, p), '\n')
	case strings.HasPrefix(rest, "<!--"):
		return skipByte(s, lineEnd(s, endOf(s, p+4, "-->")), '\n')
	case strings.HasPrefix(rest, "<?"):
		return skipByte(s, endOf(s, p+2, "?>"), '\n')
	case len(rest) > 2 && rest[1] == '!' && isLetter(rest[2]):
		return skipByte(s, endOf(s, p+3, ">"), '\n')
	case hasPrefixFold(rest, "<![cdata["):
		return skipByte(s, endOf(s, p+9, "]]>"), '\n')
	}
	if q := blockTagEnd(s, p, false, true); q > p {
		return blankAfter(s, q)
	}
	if q := lonelyTag(s, p, name); q > p {
		return blankAfter(s, q)
	}
	return -1
}

// opensRaw tells whether what follows a raw tag's name lets it open a block. At
// the end of a line that a lazy one continues it does not.
func opensRaw(s string) bool {
	if strings.HasPrefix(s, ">") {
		return true
	}
	w := spaceAt(s, 0)
	e := skipBlank(s, w)
	return w > 0 && (e == len(s) || s[e] != glue)
}

// endOf returns the index behind the first mark at or after p, or len(s).
func endOf(s string, p int, mark string) int {
	if k := strings.Index(s[p:], mark); k >= 0 {
		return p + k + len(mark)
	}
	return len(s)
}

// rawEnd returns where the end tag's line ends. An end tag without a line feed
// behind it does not count: marked takes the rest of the text then.
func rawEnd(s string, p int, name string) int {
	for {
		k := strings.Index(s[p:], "</")
		if k < 0 {
			return len(s)
		}
		p += k + 2
		if hasPrefixFold(s[p:], name) && strings.HasPrefix(s[p+len(name):], ">") {
			return skipByte(s, lineEnd(s, p), '\n')
		}
	}
}

// blankAfter returns the end of the first run of blank lines at or after p, or
// len(s): /[\s\S]*?(?:(?:\n[ \t]*)+\n|$)/.
func blankAfter(s string, p int) int {
	for {
		k := strings.IndexByte(s[p:], '\n')
		if k < 0 {
			return len(s)
		}
		p += k + 1
		q := skipBlank(s, p)
		if q < len(s) && s[q] == '\n' {
			for q < len(s) && s[q] == '\n' {
				p = q + 1
				q = skipBlank(s, p)
			}
			return p
		}
	}
}

// lonelyTag returns the index behind a whole tag that stands alone on its line,
// or p. raw is the raw tag's name that the tag begins with: such a tag does not
// count.
func lonelyTag(s string, p int, raw string) int {
	q := p + 1
	closing := q < len(s) && s[q] == '/'
	if closing {
		q++
		raw = rawPrefix(s[q:])
	}
	if raw != "" || q == len(s) || !isLetter(s[q]) {
		return p
	}
	for q < len(s) && (isWord(s[q]) || s[q] == '-') {
		q++
	}
	if closing {
		q = skipSpace(s, q)
	} else {
		q = blockAttributes(s, q)
		if strings.HasPrefix(s[q:], "/>") {
			q++
		}
	}
	if q == len(s) || s[q] != '>' {
		return p
	}
	if e := skipBlank(s, q+1); e < len(s) && s[e] != '\n' {
		return p
	}
	return q + 1
}

// blockAttributes returns the index behind the attributes at p and the spaces
// behind them. A value that is not well formed ends it.
func blockAttributes(s string, p int) int {
	for {
		q := skipByte(s, p, ' ')
		if q == p || q == len(s) || !isLetter(s[q]) && s[q] != '_' && s[q] != ':' {
			return q
		}
		for q < len(s) && (isWord(s[q]) || s[q] == '.' || s[q] == ':' || s[q] == '-') {
			q++
		}
		p = q
		e := skipByte(s, q, ' ')
		if e < len(s) && s[e] == '=' {
			if p = blockValue(s, skipByte(s, e+1, ' ')); p < 0 {
				return q
			}
		}
	}
}

// blockValue returns the index behind the attribute value at p, or -1. A value
// stays on its line.
func blockValue(s string, p int) int {
	if p < len(s) && (s[p] == '"' || s[p] == '\'') {
		for q := p + 1; q < len(s) && s[q] != '\n' && s[q] != glue; q++ {
			if s[q] == s[p] {
				return q + 1
			}
		}
		return -1
	}
	if q := unquotedValue(s, p); q > p {
		return q
	}
	return -1
}

// unquotedValue is /[^\s"'=<>`]+/.
func unquotedValue(s string, p int) int {
	for p < len(s) && strings.IndexByte("\"'=<>`\xFF", s[p]) < 0 && spaceAt(s, p) == 0 {
		p++
	}
	return p
}
