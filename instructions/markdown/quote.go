package markdown

import (
	"bytes"
	"strings"
)

// The client joins the lines of a block quote in its own way, not in marked's.
// A line without ">" belongs to the quote only when the innermost open block of
// the quote is a paragraph and the line opens no block; it is then text of that
// paragraph whatever it looks like. After such a line the lines with ">" are
// read strictly, too: one that misses a mark of a container around the paragraph
// is text of it or, when it opens a block, ends that container. Found by runs on
// 2.1.332, see testdata/measured.json of the package instructions.

// quoteMark returns the index behind / {0,3}>[ \t]?/ at p, or p.
func quoteMark(s string, p int) int {
	q := indent(s, p, 3)
	if q == len(s) || s[q] != '>' {
		return p
	}
	q++
	if q < len(s) && (s[q] == ' ' || s[q] == '\t') {
		q++
	}
	return q
}

// quote is a block quote.
func (r *run) quote(p int) int {
	if quoteMark(r.v.s, p) == p {
		return p
	}
	r.flush()
	in, end := r.quoted(p)
	top := r.lexer.top
	r.lexer.top = true
	tail := r.blocks(in, false).tail
	r.lexer.top = top
	open := tail.open && !lastLineBlank(in.s)
	r.push(token{kind: container, open: open, def: tail.def, path: append([]int{0}, tail.path...)}, p)
	return end
}

// quoted returns the text in the quote at p and where the quote ends.
func (r *run) quoted(p int) (view, int) {
	s, v := r.v.s, r.v
	q := quoteRun{run: r}
	for start := p; p < len(s); {
		end := lineEnd(s, p)
		from := quoteMark(s, p)
		next := strictly{}
		if from == p {
			// As in a paragraph outside, a fence needs a line feed behind its line.
			if !q.lazy(s[p:end], !r.root || end < len(s)) {
				return q.b.view(), p
			}
			next.lazy, next.more = true, true
		} else if q.strict {
			next = q.strictly(s[from:end])
		}
		q.strict = next.more
		if p > start {
			q.joint(next, v.offset(p-1))
		}
		if next.expand {
			q.b.put(strings.Repeat(" ", next.pad), v.offset(from))
			q.b.addExpanded(v, from+next.at, end)
		} else {
			q.b.add(v, from+next.at, end)
		}
		p = end + 1
	}
	return q.b.view(), len(s)
}

// quoteRun decides line by line what belongs to a quote.
type quoteRun struct {
	*run
	b      builder
	line   int   // where the latest line of b begins
	safe   int   // the blocks of b before it cannot change any more
	strict bool  // the latest line was a lazy one
	def    bool  // the innermost open block is a definition
	path   []int // containers around the paragraph that it continued
}

// joint ends the latest line in front of one that goes on as next says. A
// definition does not grow by a lazy line: that is text behind it. A blank line
// ends whatever a breaking line has to end.
func (q *quoteRun) joint(next strictly, src int) {
	if !next.lazy || q.def {
		q.b.put("\n", src)
	}
	if next.lazy {
		q.b.put("\xFF", src)
	} else if next.breaks {
		q.b.put("\n", src)
	}
	if !next.lazy {
		q.line = q.b.len()
	}
	q.def = false
}

// lazy tells whether line, which has no ">", belongs to the quote; fences tells
// whether it could open a fence.
func (q *quoteRun) lazy(line string, fences bool) bool {
	if skipBlank(line, 0) == len(line) || interruptsQuoted(line) || opensItem(line) || fences && isFence(line) {
		return false
	}
	if q.strict {
		return true
	}
	if len(bytes.TrimLeft(q.b.b[q.line:], " \t")) == 0 {
		return false
	}
	t := q.open()
	q.path, q.def = t.path, t.def
	return t.open
}

// open lexes what the quote has so far, for its innermost open block.
func (q *quoteRun) open() token {
	top := q.lexer.top
	q.lexer.top = true
	q.trial++
	t := q.blocks(view{s: string(q.b.b[q.safe:])}, false)
	q.trial--
	q.lexer.top = top
	q.safe += t.safe
	return t.tail
}

// remainder is what is left of a line behind the containers it has: pad spaces
// and line[at:], with tabs as four spaces where expand is set.
type remainder struct {
	at, pad int
	expand  bool
}

func (r remainder) of(line string) string {
	if r.pad == 0 {
		return line[r.at:]
	}
	return strings.Repeat(" ", r.pad) + line[r.at:]
}

// strictly says how a line goes on after a lazy one. The zero value: as marked
// has it.
type strictly struct {
	remainder
	lazy   bool // the remainder continues the paragraph
	breaks bool // the line ends containers of the paragraph
	more   bool // the next line is read strictly, too
}

// strictly reads a line that had its ">" behind a lazy one.
func (q *quoteRun) strictly(line string) strictly {
	var r remainder
	all := true
	for _, width := range q.path {
		if r, all = r.enter(line, width); !all {
			break
		}
	}
	rest := r.of(line)
	_, code := codeIndent(rest, 0)
	switch {
	case skipBlank(rest, 0) == len(rest):
		return strictly{}
	case code && len(q.path) == 0:
		return strictly{}
	case code:
		return strictly{remainder: r, lazy: true, more: true}
	case all:
		if isBareMarker(rest) {
			return strictly{remainder: r, lazy: true}
		}
		return strictly{}
	case quoteMark(rest, 0) > 0, interruptsQuoted(rest), isFence(rest), hasMarker(rest):
		return strictly{breaks: true}
	}
	return strictly{remainder: r, lazy: true, more: true}
}

// enter takes from line what a container of the given width, 0 for a quote, asks
// for, and tells whether it was there.
func (r remainder) enter(line string, width int) (remainder, bool) {
	rest := r.of(line)
	if width == 0 {
		n := quoteMark(rest, 0)
		r.at, r.pad = r.at+max(n-r.pad, 0), max(r.pad-n, 0)
		return r, n > 0
	}
	if column(rest) < width {
		return r, false
	}
	pad, at := dropColumns(rest, width)
	return remainder{r.at + max(at-r.pad, 0), pad + max(r.pad-at, 0), true}, true
}

// interruptsQuoted tells whether line opens a heading, a rule or html, which
// ends a paragraph in a quote.
func interruptsQuoted(line string) bool {
	q := indent(line, 0, 3)
	if q == len(line) {
		return false
	}
	switch line[q] {
	case '#':
		_, ok := hashes(line, 0)
		return ok
	case '<':
		name := rawPrefix(line[q+1:])
		return strings.HasPrefix(line[q:], "<!--") || blockTagEnd(line, q, true, true) > q ||
			name != "" && (q+1+len(name) == len(line) || opensRaw(line[q+1+len(name):])) ||
			q == 0 && interruptingHTML(line, 0)
	}
	return isRule(line, 0, 3, true)
}

func isFence(line string) bool {
	c, _, _ := fenceOpen(line, 0)
	return c != 0
}

// hasMarker tells whether line begins with any list marker.
func hasMarker(line string) bool {
	q := indent(line, 0, 3)
	to := bullet(line, q)
	return to > q && (to == len(line) || line[to] == ' ' || line[to] == '\t')
}

// opensItem tells whether line, in a quote but without its ">", opens a list
// item: where marked begins a list, or has any paragraph end.
func opensItem(line string) bool {
	if _, _, ok := listStart(line, 0); ok {
		return true
	}
	q := indent(line, 0, 3)
	to := bullet(line, q)
	return to > q && to < len(line) && line[to] == ' ' && (to == q+1 || line[q] == '1' && to == q+2)
}

// isBareMarker is /^ {0,3}(?:[*+]|1[.)]) $/: natively it would end a paragraph
// but open nothing.
func isBareMarker(line string) bool {
	return opensItem(line) && line[len(line)-1] == ' ' && bullet(line, indent(line, 0, 3)) == len(line)-1 &&
		line[indent(line, 0, 3)] != '-'
}

// lastLineBlank tells whether the last line of s is blank.
func lastLineBlank(s string) bool {
	line := s[strings.LastIndexByte(s, '\n')+1:]
	return skipBlank(line, 0) == len(line)
}
