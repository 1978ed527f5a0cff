package markdown

import "strings"

// Kind says what a span of the source is.
type Kind uint8

// The kinds of spans. What no span covers is plain text.
const (
	Plain      Kind = iota
	Code            // a fenced or indented code block
	CodeSpan        // text between backticks
	Comment         // <!-- … -->, as a block or within a line
	HTML            // a tag, or a block that opens with one
	LinkTarget      // a link's target and title
	Image           // all of an image
	Definition      // a link definition
	Escape          // a backslash and what it escapes
)

// Span is a range of the source in bytes.
type Span struct {
	Kind       Kind
	Start, End int
}

// Text is a text token, or what else the client reads like one. Value may be
// derived: a list item's text without its indentation, say.
type Text struct {
	Value string
	view  view
}

// Offset returns the source offset in bytes of Value[i].
func (t Text) Offset(i int) int { return t.view.offset(i) }

// Without returns t without the given ranges of Value, which are ascending.
func (t Text) Without(ranges [][2]int) Text {
	var b builder
	at := 0
	for _, r := range ranges {
		b.add(t.view, at, r[0])
		at = r[1]
	}
	b.add(t.view, at, len(t.Value))
	v := b.view()
	return Text{v.s, v}
}

// Block is an html block. Start and End are indexes of Doc.Source when the
// block is Top, one of the document's own and not inside a list or a quote.
type Block struct {
	Text
	Top        bool
	Start, End int
}

// Doc is a lexed document.
type Doc struct {
	Source string  // the text with every CR LF and CR as a line feed
	Texts  []Text  // the texts with an @ in them, in the order in which the client reads them
	HTML   []Block // html blocks, in order
	Spans  []Span  // all that is not plain text
	Cut    bool    // the work limit was met; the rest counts as plain text
}

const (
	maxDepth    = 1000    // of containers and of emphasis: Go's stack is not endless
	workPerByte = 16      // characters looked at per byte of source, before Cut
	workFloor   = 1 << 22 // what every document may cost
	trialPrice  = 4       // a trial over blocks costs more a character, and repeats
)

// job is a text to be lexed for inline tokens once all definitions are known.
type job struct {
	v    view
	item bool // a text block: the client reads its whole text too
	rest bool // what stands beside the comments in a block of html: text as it is
}

type lexer struct {
	doc   *Doc
	links map[string]bool // labels of the definitions, folded
	jobs  []job
	top   bool // marked's state.top: a text line is a paragraph, not a text block
	trial int  // >0: only the block structure is asked for
	depth int
	work  int // what is left of the work limit
}

// Lex lexes src. It looks at no more than 16 characters per byte of src plus
// 4 Mi characters; beyond that the rest is plain text and Cut is set.
func Lex(src string) *Doc {
	root := normalized(src)
	l := &lexer{doc: &Doc{Source: root.s}, links: map[string]bool{}, top: true, work: workPerByte*len(src) + workFloor}
	if strings.IndexByte(root.s, glue) >= 0 {
		root.s = strings.ReplaceAll(root.s, "\xFF", "\xFE")
	}
	l.blocks(root, true)
	for _, j := range l.jobs {
		if j.item || j.rest {
			l.emit(j.v)
		}
		if !j.rest {
			l.inline(j.v)
		}
	}
	return l.doc
}

// spend takes n characters from the work limit and tells whether it held.
func (l *lexer) spend(n int) bool {
	l.work -= n
	if l.work < 0 {
		l.doc.Cut = true
	}
	return l.work >= 0
}

// emit reports a text, if it can hold an import.
func (l *lexer) emit(v view) {
	if strings.IndexByte(v.s, '@') >= 0 {
		l.doc.Texts = append(l.doc.Texts, Text{v.s, v})
	}
}

func (l *lexer) span(k Kind, v view, i, j int) {
	if l.trial > 0 {
		return
	}
	start, end := v.span(i, j)
	l.doc.Spans = append(l.doc.Spans, Span{k, start, end})
}

// queue notes a text for inline lexing.
func (l *lexer) queue(v view, item bool) {
	// Only where an @ is does it matter what stands around it.
	if l.trial == 0 && strings.IndexByte(v.s, '@') >= 0 {
		l.jobs = append(l.jobs, job{v: v.unglued(), item: item})
	}
}

// kind of a block token, as far as later tokens depend on it.
type kind uint8

const (
	none kind = iota
	space
	paragraph
	text
	container // quote or list
	other
)

// token is the latest block token.
type token struct {
	kind kind
	open bool  // a lazy line could continue a paragraph in it
	def  bool  // that paragraph is a definition
	path []int // containers around that paragraph: a list item's indentation, 0 for a quote
	text view  // of a paragraph or text
}

// run is one pass over the blocks of a view.
type run struct {
	*lexer
	v    view
	root bool
	last token // the latest token
	tail token // the latest token that is not space
	safe int   // no further line can change the tokens before it
	// noSetext is a memory of setext: no heading starts before it.
	noSetext int
	held     bool     // last.text is not queued yet
	joined   *builder // last.text, once it is no part of v any more
}

// blocks lexes v into block tokens and returns the pass.
func (l *lexer) blocks(v view, root bool) *run {
	r := &run{lexer: l, v: v, root: root}
	l.depth++
	price := len(v.s)
	if l.trial > 0 {
		price *= trialPrice
	}
	if l.depth > maxDepth || !l.spend(price) {
		l.doc.Cut = true
		l.queue(v, true)
	} else {
		for p := 0; p < len(v.s); {
			p = r.block(p)
		}
		r.flush()
	}
	l.depth--
	l.top = true
	return r
}

// block lexes the token at p and returns where it ends. The order is marked's.
func (r *run) block(p int) int {
	s := r.v.s
	if q := blankLines(s, p); q > p {
		r.space(q - p)
		return q
	}
	rules := [...]func(*run, int) int{
		(*run).indentedCode, (*run).fencedCode, (*run).heading, (*run).rule, (*run).quote,
		(*run).list, (*run).html, (*run).definition, (*run).setext,
	}
	for _, rule := range rules {
		if q := rule(r, p); q > p {
			return q
		}
	}
	if r.top {
		q := paragraphEnd(s, p)
		r.push(token{kind: paragraph, open: true, text: r.v.sub(p, q)}, p)
		return q
	}
	q := lineEnd(s, p)
	r.textLine(p, q)
	return q
}

// push makes t the latest token; it starts at p.
func (r *run) push(t token, p int) {
	r.flush()
	// A list or code goes on behind blank lines, a paragraph does not.
	if r.last.kind == space && r.tail.kind == paragraph {
		r.safe = p
	}
	r.last, r.tail = t, t
	r.held = t.kind == paragraph || t.kind == text
}

// flush queues the paragraph that no further line can join.
func (r *run) flush() {
	if !r.held {
		return
	}
	v := r.last.text
	if r.joined != nil {
		v = r.joined.view()
	}
	r.queue(v, r.last.kind == text)
	r.held, r.joined = false, nil
}

// space notes blank lines of n bytes. A single line feed only ends the line
// before it.
func (r *run) space(n int) {
	if n == 1 && r.last.kind != none {
		return
	}
	r.flush()
	r.last = token{kind: space}
}

// textLine adds the line s[p:q] to the text block before it, or starts one.
func (r *run) textLine(p, q int) {
	if r.last.kind == text {
		r.join(p, q)
		return
	}
	r.push(token{kind: text, open: true, text: r.v.sub(p, q)}, p)
}

// join appends a line feed and s[p:q] to the paragraph or text before it.
func (r *run) join(p, q int) { r.joinLine(p, p, q) }

// joinLine is join for s[from:q], of a line that begins at p.
func (r *run) joinLine(p, from, q int) {
	t := &r.last.text
	end := t.base + len(t.s)
	if r.joined == nil && from == p && end+1 == r.v.base+p && r.v.s[p-1] == '\n' && r.contiguous(*t) {
		*t = r.v.sub(t.base-r.v.base, q)
		return
	}
	if r.joined == nil {
		r.joined = &builder{}
		r.joined.add(*t, 0, len(t.s))
	}
	r.joined.at('\n', r.v.offset(p))
	r.joined.add(r.v, from, q)
}

// contiguous tells whether t is a part of r's view and no text put together.
func (r *run) contiguous(t view) bool {
	if len(t.marks) == 0 || len(r.v.marks) == 0 {
		return len(t.marks) == len(r.v.marks)
	}
	return &t.marks[0] == &r.v.marks[0]
}
