package scan

import "math/bits"

// An index finds the patterns that a sentence can match at all: each is listed
// under the concepts of its rarest step. Without it every sentence would be held
// against some four hundred patterns.
type index struct {
	patterns  []indexed
	byConcept [64 * setWords][]uint16
}

// indexed is a pattern of the rule with this number.
type indexed struct {
	rule int
	pattern
}

// newIndex lists the patterns of rules; the lexicon has to be loaded, as rare
// is what few words stand for.
func newIndex(l *lexicon, rules [][]pattern) *index {
	x := &index{}
	for rule, patterns := range rules {
		for _, p := range patterns {
			n := uint16(len(x.patterns))
			x.patterns = append(x.patterns, indexed{rule, p})
			key := p.rarest(l)
			key.each(func(concept int) { x.byConcept[concept] = append(x.byConcept[concept], n) })
		}
	}
	return x
}

// rarest returns the concepts of the step that the fewest words fit.
func (p *pattern) rarest(l *lexicon) set {
	var best set
	least := -1
	for i := range p.steps {
		s := &p.steps[i]
		if s.wild {
			continue
		}
		n := 0
		s.all.each(func(concept int) { n += l.sizes[concept] })
		if least < 0 || n < least {
			best, least = s.all, n
		}
	}
	return best
}

// each calls f with the concepts in s.
func (s *set) each(f func(concept int)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			f(64*i + bits.TrailingZeros64(word))
		}
	}
}

// matches calls f with the number of each rule that s matches and the tokens at
// the ends of the match; once a rule.
func (x *index) matches(s *sentence, f func(rule, first, last int) (done bool)) {
	var over [4]uint64 // rules that are done with this sentence
	for i, word := range s.all {
		for ; word != 0; word &= word - 1 {
			for _, n := range x.byConcept[64*i+bits.TrailingZeros64(word)] {
				p := &x.patterns[n]
				if over[p.rule>>6&3]>>(p.rule&63)&1 == 1 {
					continue
				}
				first, last, ok := p.match(s)
				if ok && f(p.rule, first, last) {
					over[p.rule>>6&3] |= 1 << (p.rule & 63)
				}
			}
		}
	}
}
