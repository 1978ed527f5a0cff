package markdown

import (
	"strings"
	"unicode/utf8"
)

// listStart returns the indentation's end and the marker's end of the list that
// opens at p: /^( {0,3}bull)([ \t][^\n]+?)?(?:\n|$)/. A marker with one space
// and nothing else opens none.
func listStart(s string, p int) (from, to int, ok bool) {
	from = indent(s, p, 3)
	to = bullet(s, from)
	if to == from {
		return 0, 0, false
	}
	if to == len(s) || s[to] == '\n' {
		return from, to, true
	}
	blank := s[to] == ' ' || s[to] == '\t'
	return from, to, blank && to+1 < len(s) && s[to+1] != '\n' && s[to+1] != glue
}

// list is a list with all its items.
func (r *run) list(p int) int {
	s := r.v.s
	from, to, ok := listStart(s, p)
	if !ok || isRule(s, p, 3, true) {
		return p
	}
	mark := s[to-1]
	ordered := to-from > 1
	var items []item
	q := p
	for q < len(s) && !isRule(s, q, 3, true) {
		it, end := nextItem(r.v, q, mark, ordered)
		if end == q {
			break
		}
		items = append(items, it)
		q = min(end, len(s))
	}
	if len(items) == 0 {
		return p
	}
	end := p + len(trimRight(s[p:q]))
	r.flush()
	t := token{kind: container}
	for i, it := range items {
		if i == len(items)-1 {
			it.v = it.v.sub(0, len(trimRight(it.v.s)))
		}
		r.lexer.top = false
		tail := r.blocks(it.v, false).tail
		if i == len(items)-1 {
			t.open, t.def, t.path = tail.open, tail.def, append([]int{it.indent}, tail.path...)
		}
	}
	r.push(t, p)
	return end
}

// item is a list item: its text without indentation.
type item struct {
	v      view
	indent int
}

// itemMarker returns the end of the marker at p if it continues the list, or p.
func itemMarker(s string, p int, mark byte, ordered bool) int {
	from := indent(s, p, 3)
	to := bullet(s, from)
	if to == from || s[to-1] != mark || to-from > 1 != ordered {
		return p
	}
	if to < len(s) && s[to] != ' ' && s[to] != '\t' && s[to] != '\n' {
		return p
	}
	return to
}

// nextItem returns the item at p and where it ends, or p.
func nextItem(v view, p int, mark byte, ordered bool) (item, int) {
	s := v.s
	to := itemMarker(s, p, mark, ordered)
	if to == p {
		return item{}, p
	}
	end := lineEnd(s, to)
	// marked makes three spaces of each leading tab, but looks for the text's
	// indentation before that.
	tabs := skipByte(s, to, '\t')
	line := strings.Repeat(" ", 3*(tabs-to)) + s[tabs:end]
	b := &builder{}
	it := item{indent: to - p + 1}
	blank := isBlank(line)
	if !blank {
		n := skipByte(s, to, ' ') - to
		if n > 4 {
			n = 1
		}
		it.indent = to - p + n
		if n == 0 {
			b.put(line[:3*(tabs-to)], v.offset(to))
			b.add(v, tabs, end)
		} else {
			b.add(v, to+n, end)
		}
	}
	p = end + 1
	if next := min(p, len(s)); blank && skipBlank(s, next) == lineEnd(s, next) {
		it.v = b.view()
		return it, lineEnd(s, next) + 1
	}
	p = itemLines(v, p, b, it.indent, line, blank)
	it.v = b.view()
	return it, p
}

// itemLines appends the lines at p that belong to an item to b and returns where
// they end. line is the item's first line, blank whether it is.
func itemLines(v view, p int, b *builder, width int, line string, blank bool) int {
	s := v.s
	for p < len(s) {
		end := lineEnd(s, p)
		raw := s[p:end]
		if endsItem(raw, min(3, width-1)) {
			break
		}
		white := isBlank(raw)
		pad, at := dropColumns(raw, width)
		if white || column(raw) >= width {
			b.at('\n', v.offset(p-1))
			b.put(strings.Repeat(" ", pad), v.offset(p))
			b.addExpanded(v, p+at, end)
		} else {
			if blank || closesLazy(line, min(3, width-1)) {
				break
			}
			b.at('\n', v.offset(p-1))
			b.add(v, p, end)
		}
		// marked drops the columns here even from a line that has not got them.
		line = strings.Repeat(" ", pad) + strings.ReplaceAll(raw[at:], "\t", "    ")
		blank = blank || white
		p = end + 1
	}
	return p
}

// column returns how many spaces line begins with when a tab is four of them,
// or -1 when there is nothing else in it.
func column(line string) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return -1
}

// dropColumns finds what is left of line without its first n UTF-16 units when
// a tab is four spaces: pad spaces and line[at:]. Of an astral character it drops
// both units or none.
func dropColumns(line string, n int) (pad, at int) {
	for at < len(line) && n > 0 {
		r, w := utf8.DecodeRuneInString(line[at:])
		units := 1
		switch {
		case r == '\t':
			units = 4
			pad = max(0, units-n)
		case r > 0xFFFF && n == 1:
			return 0, at
		case r > 0xFFFF:
			units = 2
		}
		n -= units
		at += w
	}
	return pad, at
}

// endsItem tells whether line opens a block that ends the list item before it;
// k is how far it may be indented.
func endsItem(line string, k int) bool {
	q := indent(line, 0, k)
	if q == len(line) {
		return false
	}
	switch line[q] {
	case '`', '~', '#':
		return opensBlock(line, k)
	case '<':
		return endsItemHTML(line[q+1:])
	}
	if isRule(line, 0, k, false) {
		return true
	}
	to := bullet(line, q)
	return to > q && (to == len(line) || line[to] == ' ' || line[to] == '\t')
}

// endsItemHTML is /^(?:[a-z].*>|!--)/i.
func endsItemHTML(s string) bool {
	if strings.HasPrefix(s, "!--") {
		return true
	}
	if s == "" || !isLetter(s[0]) {
		return false
	}
	k := strings.IndexByte(s, '>')
	return k > 0 && !hasSeparator(s[:k])
}

// opensBlock tells whether line begins with a fence, a heading or a rule.
func opensBlock(line string, k int) bool {
	rest := line[indent(line, 0, k):]
	return strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~") || strings.HasPrefix(rest, "#") ||
		isRule(line, 0, k, false)
}

// closesLazy tells whether a line with too little indentation cannot go on after
// line.
func closesLazy(line string, k int) bool {
	return column(line) >= 4 || opensBlock(line, k)
}
