package scan

import "strings"

// reach is how many tokens a negation covers, unless a clause ends before.
const reach = 5

// finish completes the tokens of a sentence: phrases, what is a request, what
// is negated.
func (l *lexer) finish() {
	toks := l.s.tokens
	for i := range toks {
		t := &toks[i]
		if t.entry != nil && len(t.entry.phrases) > 0 {
			l.phrases(i)
		}
		if t.is(alien) {
			l.s.alien = true
		}
	}
	left := 0
	for i := range toks {
		t := &toks[i]
		if left > 0 && !l.clauseStart(i) {
			t.marks |= negated
			left--
		} else {
			left = 0
		}
		if t.bits.meets(&l.own.neg) {
			left = reach
		}
		if t.is(verbForm) && (t.is(alien) || l.requests(i)) {
			t.marks |= imperative
		}
		l.s.all = l.s.all.or(t.bits)
	}
}

// clauseStart reports that a negation before token i does not reach it.
func (l *lexer) clauseStart(i int) bool {
	t := &l.s.tokens[i]
	if !t.is(afterBreak) {
		return false
	}
	// A list goes on: "never read, copy or send".
	return l.text[max(t.start-2, 0):t.start] != ", " || i > 0 && l.s.tokens[i-1].bits.meets(&l.own.neg)
}

// phrases adds what the phrases that begin at token i stand for.
func (l *lexer) phrases(i int) {
	t := &l.s.tokens[i]
	for p := range t.entry.phrases {
		ph := &t.entry.phrases[p]
		if !l.follows(i+1, ph.rest) {
			continue
		}
		t.bits = t.bits.or(ph.bits)
		if ph.verb && !t.is(inflected) {
			t.marks |= verbForm
		}
		if ph.foreign {
			t.marks |= alien
		}
	}
}

// follows reports that the tokens from i on are these words.
func (l *lexer) follows(i int, words []string) bool {
	if i+len(words) > len(l.s.tokens) {
		return false
	}
	for k, w := range words {
		t := &l.s.tokens[i+k]
		text := l.text[t.start:t.end]
		if text != w && !(len(text) == len(w)+1 && strings.HasPrefix(text, w) && text[len(w)] == 's') {
			if strings.IndexByte(text, '\'') < 0 || strings.ReplaceAll(text, "'", "") != w {
				return false
			}
		}
	}
	return true
}

// requests reports that the verb at token i has the place of an imperative:
// first in its clause, after a word of request, after "and" or an adverb, after
// "you" or a name of the agent.
func (l *lexer) requests(i int) bool {
	for back := 0; back < 4; back++ {
		t := &l.s.tokens[i-back]
		if t.is(afterBreak) || i-back == 0 {
			return true
		}
		prev := &l.s.tokens[i-back-1]
		if l.text[prev.start:prev.end] == "not" && i-back >= 2 && !l.forbids(i-back-2) {
			return false
		}
		if prev.bits.meets(&l.own.start) || prev.bits.meets(&l.own.you) {
			return true
		}
		text := l.text[prev.start:prev.end]
		switch {
		case text == "to":
			return i-back >= 2 && l.s.tokens[i-back-2].bits.meets(&l.own.modal)
		case prev.is(quoted) != t.is(quoted), prev.is(coded) != t.is(coded):
			return true
		case !strings.HasSuffix(text, "ly"):
			return false
		}
	}
	return false
}

// forbids reports that "not" after token i makes a prohibition ("do not",
// "must not") and no statement ("does not", "is not").
func (l *lexer) forbids(i int) bool {
	t := &l.s.tokens[i]
	switch l.text[t.start:t.end] {
	case "does", "did", "is", "was", "are", "were", "will", "would", "could", "has", "have", "had":
		return false
	}
	return true
}
