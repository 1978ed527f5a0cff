package draft

// A claim is a sentence, or several, as what it is compared by.
type claim struct {
	parts  []part
	places [8]uint8 // bits of the places that are named, by group
	negs   int      // parts that are negated
}

// A part is a word of a claim that names its matter.
type part struct {
	term       int32
	kind       kind
	neg        bool // it is said not to be so
	topic      bool // behind for, when, before
	imperative bool // first, and right behind use, run
	place      bool
}

// A parser reads a claim word by word and keeps track of what is negated.
type parser struct {
	x *lexicon
	c claim

	from  int  // the part with which the clause begins
	neg   bool // the clause is negated
	short bool // up to the next comma
	fresh bool // a new clause may begin
	topic bool
	verb  bool // the word before was use, run
	never int  // words since the last negation
	prev  *entry
}

// parse makes a claim of a sequence, see lexicon.read.
func (x *lexicon) parse(seq []int32) claim {
	p := parser{x: x, never: 9}
	for _, n := range seq {
		if n < 0 {
			p.sign(kind(-n))
			continue
		}
		p.word(&x.entries[n])
	}
	for _, part := range p.c.parts {
		if part.neg {
			p.c.negs++
		}
	}
	return p.c
}

func (p *parser) sign(k kind) {
	p.short, p.fresh, p.prev = false, true, nil
	switch k {
	case hard, stop:
		p.clause()
	default:
		if !p.neg { // "never a, b, c" negates them all
			p.clause()
		}
	}
}

// clause begins a new clause.
func (p *parser) clause() {
	p.from, p.neg, p.short, p.topic = len(p.c.parts), false, false, false
}

func (p *parser) word(e *entry) {
	p.never++
	switch e.role {
	case article, light:
	case verb:
		if p.fresh {
			p.clause()
		}
		p.verb = true
	case never:
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
		p.clause()
		p.topic = true
	default:
		p.add(e)
	}
	if e.role != article && e.role != light {
		p.fresh = false
	}
	p.prev = e
}

func (p *parser) negate() {
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
	case p.prev != nil && p.prev.aux:
		p.negate()
	case p.neg: // never this instead of that
		p.neg = false
	default:
		p.short = true
	}
}

func (p *parser) add(e *entry) {
	q := part{
		term: e.term, kind: e.kind, neg: p.neg || p.short, topic: p.topic, place: e.role == where,
		imperative: p.verb && len(p.c.parts) == 0,
	}
	if p.prev != nil && p.prev.ordinal && e.kind == value {
		q.kind = id
	}
	if q.place {
		p.c.places[e.group] |= 1 << e.place
	}
	p.verb = false
	p.c.parts = append(p.c.parts, q)
}
