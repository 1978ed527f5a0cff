package scan

import (
	"strconv"
	"strings"
)

// defaultGap is how many tokens may lie between two steps of a pattern, plus
// one, where it gives no number.
const defaultGap = 4

// A step is one token of a pattern.
type step struct {
	any     set // what fits
	asked   set // what fits as a request only
	also    set // when not empty: has to meet this as well
	all     set // of any and asked
	wild    bool
	base    bool // no ending taken off
	gap     int  // greatest distance from the step before
	negates bool
}

func (s *step) fits(t *token) bool {
	switch {
	case s.wild:
		return s.asked.empty() || t.is(imperative)
	case !t.bits.meets(&s.any) && !(t.is(imperative) && t.bits.meets(&s.asked)),
		!s.also.empty() && !t.bits.meets(&s.also),
		s.base && t.is(inflected):
		return false
	}
	return true
}

// A pattern is a sequence of steps, or, for other languages, a bag of them.
type pattern struct {
	steps []step
	bag   bool // any order, within gap tokens in all
	gap   int
	need  []set // each met in the sentence
	near  []set // each met in the sentence or the one before
	not   set   // not met in the sentence
}

// parsePattern reads a pattern:
//
//	a|b     a token of concept a or b
//	a&b     a token of both
//	a!      with the form and place of a request
//	a=      without an ending
//	any     any token
//	3       the next step is at most 3 tokens on (default 4)
//	{a b} 8 all of them within 8 tokens, in any order, one in another language
//	; need a ; near a ; not a   conditions on the sentence
func parsePattern(l *lexicon, text string) pattern {
	parts := strings.Split(text, ";")
	var p pattern
	body := strings.TrimSpace(parts[0])
	if inner, ok := strings.CutPrefix(body, "{"); ok {
		inner, gap, _ := strings.Cut(inner, "}")
		p.bag = true
		p.gap, _ = strconv.Atoi(strings.TrimSpace(gap))
		body = inner
	}
	gap := defaultGap
	for field := range strings.FieldsSeq(body) {
		if n, err := strconv.Atoi(field); err == nil {
			gap = n
			continue
		}
		s := parseStep(l, field)
		s.gap = gap
		gap = defaultGap
		p.steps = append(p.steps, s)
	}
	for _, part := range parts[1:] {
		word, arg, _ := strings.Cut(strings.TrimSpace(part), " ")
		switch word {
		case "need":
			p.need = append(p.need, l.bits(arg))
		case "near":
			p.near = append(p.near, l.bits(arg))
		case "not":
			p.not = p.not.or(l.bits(arg))
		}
	}
	return p
}

func parseStep(l *lexicon, field string) step {
	s := step{base: strings.Contains(field, "=")}
	field = strings.ReplaceAll(field, "=", "")
	first, second, both := strings.Cut(field, "&")
	if both {
		s.also = l.bits(second)
	}
	for name := range strings.SplitSeq(first, "|") {
		name, asked := strings.CutSuffix(name, "!")
		if name == "any" {
			s.wild = true
			name = "anything"
		}
		if asked {
			s.asked.put(l.id(name))
		} else {
			s.any.put(l.id(name))
		}
	}
	s.all = s.any.or(s.asked)
	negations := l.bits("neg|not|no|noone|without|without2|noneed|mustnot|never|xneg|quiet2")
	s.negates = s.any.meets(&negations)
	return s
}

// match finds the pattern in the sentence and returns the tokens at its ends.
func (p *pattern) match(s *sentence) (first, last int, ok bool) {
	for i := range p.steps {
		if !p.steps[i].wild && !s.all.meets(&p.steps[i].all) {
			return 0, 0, false
		}
	}
	for _, n := range p.need {
		if !s.all.meets(&n) {
			return 0, 0, false
		}
	}
	for _, n := range p.near {
		if !s.all.meets(&n) && !s.before.meets(&n) {
			return 0, 0, false
		}
	}
	if s.all.meets(&p.not) {
		return 0, 0, false
	}
	if p.bag {
		return p.matchBag(s)
	}
	return p.matchSequence(s)
}

// longest is the greatest number of steps; a test holds the rules to it.
const longest = 8

// matchSequence keeps, for each step, the latest place where the pattern up to
// there matches: the latest is the nearest to all that follows, so one pass is
// enough.
func (p *pattern) matchSequence(s *sentence) (first, last int, ok bool) {
	var at, from [longest]int
	for k := range p.steps {
		at[k] = -1
	}
	negates := false
	for k := range p.steps {
		negates = negates || p.steps[k].negates
	}
	end := len(p.steps) - 1
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.bits.empty() && !p.steps[0].wild && !p.steps[end].wild {
			continue
		}
		for k := end; k >= 0; k-- {
			if k > 0 && (at[k-1] < 0 || i-at[k-1] > p.steps[k].gap) || !p.steps[k].fits(t) {
				continue
			}
			if t.is(negated) && !p.negatedBefore(k) && !p.steps[k].negates {
				continue
			}
			at[k], from[k] = i, i
			if k > 0 {
				from[k] = from[k-1]
			}
			if k == end {
				return from[k], i, true
			}
		}
	}
	return 0, 0, false
}

// negatedBefore reports that a step before k is a negation, so that step k is
// meant to lie in its reach.
func (p *pattern) negatedBefore(k int) bool {
	for i := range k {
		if p.steps[i].negates {
			return true
		}
	}
	return false
}

func (p *pattern) matchBag(s *sentence) (first, last int, ok bool) {
	if !s.alien {
		return 0, 0, false
	}
	var at [longest]int
	for k := range p.steps {
		at[k] = -1
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.bits.empty() {
			continue
		}
		hit := false
		for k := range p.steps {
			if p.steps[k].fits(t) {
				at[k] = i
				hit = true
			}
		}
		if !hit {
			continue
		}
		low, strange := i, false
		for k := range p.steps {
			low = min(low, at[k])
			strange = strange || at[k] >= 0 && s.tokens[at[k]].is(alien)
		}
		if low >= 0 && i-low <= p.gap && strange {
			return low, i, true
		}
	}
	return 0, 0, false
}

// reported says that the words at token i are quoted or told of, in a text on
// attacks: documents about security name what attackers write.
func (s *sentence) reported(own *builtin, i int) bool {
	t := &s.tokens[i]
	if s.refused(own, i) {
		return true
	}
	if !s.all.meets(&own.discuss) && !s.before.meets(&own.discuss) {
		return false
	}
	if t.is(quoted) || t.is(coded) {
		return true
	}
	talk, told := false, false
	for k := range i {
		b := s.tokens[k].bits
		talk = talk || b.meets(&own.attack)
		told = told || talk && b.meets(&own.report)
	}
	return told
}

// refused says that the sentence asks to turn down what stands quoted at token i:
// the bot must refuse if somebody says "…". In a head whose value is quoted as a
// whole it is the other way round: the quote within ends what is quoted.
func (s *sentence) refused(own *builtin, i int) bool {
	refuse, told := false, false
	for k := range i {
		t := &s.tokens[k]
		if t.is(quoted) == s.tokens[i].is(quoted) {
			continue
		}
		told = told || refuse && t.bits.meets(&own.report)
		refuse = refuse || t.bits.meets(&own.refuse) && !t.is(negated) && !t.bits.meets(&own.neg)
	}
	return refuse && told
}
