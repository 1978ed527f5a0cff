package claim

import (
	"slices"

	"dormouse/claim/token"
)

// A statement is a sentence, or several, as what it is compared by.
type statement struct {
	parts  []part
	places [8]uint8 // bits of the places that are named, by group
	negs   int      // parts that are negated
	in     classSet // of its alternatives
	any    classSet // the same, with those that count only beside a word of theirs
	must   bool     // says so: must, required
	may    bool     // may, optional
	past   bool     // tells of what was
	full   bool     // the full, the whole
	all    bool     // all, every
	others bool     // elsewhere

	labels  [maxLabels]mark
	nLabels int
}

// A part is a word of a statement that names its matter.
type part struct {
	term       int32
	entry      int32
	kind       token.Kind
	neg        bool // it is said not to be so
	topic      bool // behind for, when, before
	imperative bool // first, and right behind use, run
	place      bool
	title      bool   // is written with a capital letter, and not the first word
	scope      uint8  // number of the phrase behind for, when, in, on; 0 is none
	reason     bool   // behind because
	extra      bool   // behind a dash, a semicolon, in parentheses
	near       bool   // no word is between it and the part before
	used       bool   // right behind use, run
	wide       bool   // right behind "for every"
	means      behind // right behind with, from, by, a colon
	order      says   // behind before or after
	of         bool   // right behind of
	each       bool   // right behind before every, after each
}

// What a word is right behind.
type behind uint8

const (
	meansWith  behind = iota + 1 // with, via: others can be beside it
	meansBy                      // by, from
	meansColon                   // of a field
)

// A parser reads a claim word by word and keeps track of what is negated.
type parser struct {
	x *lexicon
	c statement

	start int  // the part with which the sentence begins
	from  int  // the part with which the clause begins
	neg   bool // the clause is negated
	short bool // up to the next comma
	fresh bool // a new clause may begin
	topic bool
	verb  bool // the word before was use, run
	keeps bool // keep or leave came
	never int  // words since the last negation
	prev  *entry

	scope, scopes      uint8 // number of the phrase that is read; of the last one
	reason, extra, gap bool
	wide               bool // each behind for
	means              behind
	order              says
	of, each           bool
	which              labelKind // the next word that names something has this label
	whichOne           int32
	rest               []int32 // what follows
}

// parse makes a statement of a sequence, see lexicon.read.
func (x *lexicon) parse(seq []int32) statement {
	p := parser{x: x, never: 9}
	p.c.parts = x.parts[:0]
	for i, n := range seq {
		p.rest = seq[i+1:]
		if n < 0 {
			p.sign(token.Kind(-n))
			continue
		}
		p.word(n)
	}
	for i := range p.c.parts {
		if p.c.parts[i].neg {
			p.c.negs++
		}
	}
	p.c.choices(x)
	x.parts = p.c.parts
	p.c.parts = slices.Clone(p.c.parts)
	return p.c
}

// maxParts is how many words of a statement are compared: nobody writes more.
const maxParts = 64

// statement makes one of a text and its sequence.
func (x *lexicon) statement(text string, seq []int32) statement {
	s := x.parse(seq)
	if len(s.parts) > maxParts {
		s.parts = slices.Clone(s.parts[:maxParts])
	}
	s.past = s.past || unsure(text)
	return s
}

// choices finds the classes of which the statement names an alternative.
func (s *statement) choices(x *lexicon) {
	var tasks classSet
	for i := range s.parts {
		if m := x.entries[s.parts[i].entry].means; m != nil {
			s.in, tasks = s.in.or(m.in), tasks.or(m.tasks)
		}
	}
	s.any = s.in
	s.in = s.in.without(x.words.need.without(tasks))
}

func (p *parser) sign(k token.Kind) {
	if p.answered() {
		return
	}
	p.short, p.fresh, p.prev, p.which = false, true, nil, noLabel
	p.gap, p.order, p.means, p.of, p.each = true, 0, 0, false, false
	if k == token.Colon {
		p.means = meansColon
	}
	if k != token.Comma {
		p.scope = 0
	}
	switch k {
	case token.Hard, token.Stop:
		p.clause()
		p.start, p.reason = p.from, false
		p.extra = len(p.c.parts) > 1 && !(k == token.Hard && p.completes())
	default:
		if !p.neg { // "never a, b, c" negates them all
			p.clause()
		}
	}
}

// completes reports whether behind a dash only a few words follow: "the owner —
// Marta".
func (p *parser) completes() bool {
	n := 0
	for _, next := range p.rest {
		switch {
		case next == -int32(token.Hard):
			return false
		case next < 0:
			return n <= 4
		}
		n++
	}
	return n <= 4
}

// answered reports whether only a word like no follows the sign: "Force pushes:
// no". It negates what is before the sign.
func (p *parser) answered() bool {
	n := 0
	for n < len(p.rest) && p.rest[n] >= 0 {
		n++
	}
	if n == 0 || n > 2 || len(p.c.parts) == 0 {
		return false
	}
	switch e := &p.x.entries[p.rest[0]&number]; e.role {
	case never:
		return n == 1 || p.x.entries[p.rest[1]&number].says == saysMay
	case undo:
		return n == 1
	default:
		return e.plain == "off" && n == 1
	}
}

// clause begins a new clause.
func (p *parser) clause() {
	p.from, p.neg, p.short, p.topic = len(p.c.parts), false, false, false
	p.scope = 0
}

func (p *parser) word(n int32) {
	e := &p.x.entries[n&number]
	p.never++
	before := p.scopes
	p.labelled(n, e)
	p.c.others = p.c.others || elsewhere(e.plain)
	p.read(n, e)
	if p.scopes != before {
		p.scope = p.scopes // a clause that begins here doesn't end it
	}
}

func (p *parser) read(n int32, e *entry) {
	if p.modal(e) {
		p.prev, p.gap = e, true
		return
	}
	if e.plain == "go" && (p.names() || n&capital != 0 && p.next("is")) {
		p.add(n, e)
		p.prev, p.gap = e, false
		return
	}
	switch e.role {
	case article, light:
		p.of = p.of || e.plain == "of"
	case verb:
		if len(p.c.parts) == 1 && p.prev != nil && p.prev.aux { // pnpm is used
			p.c.parts[0].used = true
		}
		if p.fresh {
			p.clause()
		}
		p.verb = true
	case never:
		if e.plain == "nothing" && p.next("but", "except") {
			break // reads nothing but: reads only
		}
		p.negate()
	case not:
		p.negative()
	case without:
		if p.neg {
			p.affirm()
		} else {
			p.short = true
		}
	case undo:
		if p.never <= 2 && p.neg {
			p.affirm()
		} else {
			p.negate()
		}
	case unless:
		if p.neg {
			p.affirm()
		}
		p.topic = true
	case turn, whether:
		p.clause()
		p.topic = e.role == whether
	case also:
		p.fresh = true
		p.prev = e
		return
	case topic:
		if e.says != saysWith { // never run it with sudo
			p.clause()
		}
		p.topic = true
	default:
		p.add(n, e)
	}
	if e.role != article && e.role != light {
		p.fresh = false
	}
	p.gap = e.role != content && e.role != day && e.role != where
	p.prev = e
}

// modal reads what a word says of must, may, when and why. It reports whether
// that is all that the word does.
func (p *parser) modal(e *entry) bool {
	switch e.says {
	case saysMust, saysNeed:
		if (e.plain == "have" || e.plain == "has") && !p.next("to") {
			break
		}
		if p.neg && p.never <= 2 { // not required, no need to
			p.affirm()
			p.c.may = true
			return e.role == light
		}
		p.c.must = true
	case saysMay:
		p.c.may = p.c.may || !p.neg || p.never > 2
	case saysPast:
		p.c.past = true
	case saysLast:
		p.c.past = p.c.past || p.next("week", "month", "year", "spring", "summer", "autumn", "winter", "night", "time", "quarter", "sprint", "release")
	case saysFull:
		p.c.full = true
	case saysReason:
		p.reason = true
	case saysBefore, saysAfter:
		p.order = e.says
	case saysIn:
		if !p.next("least", "most") && !p.switches() && (p.prev == nil || p.prev.plain != "now") {
			p.open()
		}
	case saysWith:
		p.scope, p.means = 0, meansWith
		switch e.plain {
		case "by":
			p.means = meansBy
		case "from":
			p.means = meansBy
			if !p.next("now") {
				p.open()
			}
		}
		return false
	case saysEvery: // for every change
		p.c.all = true
		p.each = p.order != 0
		if p.prev != nil && p.prev.role == topic {
			p.scope, p.wide = 0, true
		}
	case saysMore, saysLess:
		return p.bounds(e)
	case saysKeep:
		p.keeps = true
	case saysOut:
		if p.keeps && p.next("of") {
			p.negate()
			return true
		}
	case saysOmit:
		if p.neg {
			p.affirm()
			p.c.must = true
		} else {
			p.c.may = true
		}
		return true
	case saysOff:
		if p.prev == nil || p.prev.role == light || p.switches() || p.ends() {
			p.negate()
			return true
		}
	}
	if e.role == topic {
		p.open()
	}
	return false
}

// bounds reads more and less with a negation: must not be larger than.
func (p *parser) bounds(e *entry) bool {
	if !p.neg || p.never > 3 {
		return false
	}
	p.affirm()
	word := most
	if e.says == saysLess {
		word = least
	}
	n := p.x.find([]byte(word), token.Word)
	p.add(n, &p.x.entries[n])
	return true
}

// switches reports whether the word before turns something on or off.
func (p *parser) switches() bool {
	if p.prev == nil {
		return false
	}
	switch p.prev.plain {
	case "turn", "turned", "turns", "turning", "switch", "switched", "switches", "switching":
		return true
	}
	return false
}

// open begins a phrase that says where or when.
func (p *parser) open() {
	if p.scopes < 255 {
		p.scopes++
	}
	p.scope = p.scopes
}

// ends reports whether a statement ends here, but for a word like allowed and the
// reason: what is forbidden then is all that was said.
func (p *parser) ends() bool {
	rest := p.rest
	if len(rest) > 0 && rest[0] >= 0 && p.x.entries[rest[0]&number].says == saysMay {
		rest = rest[1:]
	}
	return len(rest) == 0 || rest[0] < 0 && rest[0] != -int32(token.Colon) || rest[0] >= 0 && p.x.entries[rest[0]&number].says == saysReason
}

// next reports whether the next word is one of these.
func (p *parser) next(words ...string) bool {
	return len(p.rest) > 0 && p.rest[0] >= 0 && slices.Contains(words, p.x.entries[p.rest[0]&number].plain)
}

// names reports whether a version follows: Go 1.26 is a language, to go is none.
func (p *parser) names() bool {
	return p.next("version", "toolchain") || p.prev != nil && (p.prev.plain == "version" || p.prev.plain == "версія") || len(p.rest) > 0 && p.rest[0] >= 0 && p.x.entries[p.rest[0]&number].kind == token.Value
}

func (p *parser) negate() {
	if p.ends() {
		p.from = p.start
	}
	p.neg, p.never = true, 0
	p.mark(true)
}

// affirm takes back the negation of the clause.
func (p *parser) affirm() {
	p.neg = false
	p.mark(false)
}

func (p *parser) mark(neg bool) {
	for i := p.from; i < len(p.c.parts); i++ {
		p.c.parts[i].neg = neg
	}
}

// negative is a word like not and instead of.
func (p *parser) negative() {
	switch {
	case p.prev != nil && p.prev.says == saysNeed: // need not
		p.c.may, p.c.must = true, false
	case p.prev != nil && p.prev.aux:
		p.negate()
	case p.neg: // never this instead of that
		p.neg = false
	default:
		p.short = true
	}
}

func (p *parser) add(n int32, e *entry) {
	q := part{
		term: e.term, entry: n & number, kind: e.kind, neg: p.neg || p.short, topic: p.topic, place: e.role == where,
		imperative: p.verb && len(p.c.parts) == 0, used: p.verb, means: p.means, wide: p.wide,
		title: n&capital != 0 && (len(p.c.parts) > 0 || p.prev != nil),
		scope: p.scope, reason: p.reason, extra: p.extra, near: !p.gap && len(p.c.parts) > 0, order: p.order, of: p.of, each: p.each,
	}
	if p.prev != nil && p.prev.ordinal && e.kind == token.Value {
		q.kind = token.ID
	}
	if q.place {
		p.c.places[e.group] |= 1 << e.place
	}
	if p.which != noLabel && e.kindred == noLabel && e.kind == token.Word {
		p.label(e.term, p.which, p.whichOne)
		p.which = noLabel
	}
	p.verb, p.means, p.wide, p.order, p.of, p.each = false, 0, false, 0, false, false
	p.c.parts = append(p.c.parts, q)
}
