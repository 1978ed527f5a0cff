package recall

import (
	"slices"
	"unicode/utf8"
)

const (
	// A word that no document holds may be one that is, with one letter wrong; it
	// counts half, so it is never a reason to be certain. Only where no word of the
	// question is known: beside known ones it gained nothing on any set. Not in a
	// long text, and not a short word, which is soon another.
	spellWeight  = 0.5
	spellLetters = 5
	spellTerms   = 16
)

// spell looks for the words of a question of which no document holds any under
// another spelling.
func (s *search) spell() {
	terms := s.question.terms
	if len(terms) > spellTerms || slices.ContainsFunc(terms, func(t questionTerm) bool { return t.docs > 0 }) {
		return
	}
	known := map[string]bool{}
	for i := range terms {
		t := &terms[i]
		if utf8.RuneCountInString(t.stem) < spellLetters {
			continue
		}
		counts := map[string]int{}
		for _, p := range s.parts {
			p.Index.misspelt(t.stem, counts)
		}
		stem, most := "", 0
		for near, count := range counts {
			if !known[near] && (count > most || count == most && near < stem) {
				stem, most = near, count
			}
		}
		if most > 0 {
			t.stem = stem
			t.weight *= spellWeight
			t.find(s.parts, s.docs)
			known[stem] = true
			s.respelt = true
		}
	}
}

// misspelt counts the documents of the terms that start with the same character as
// a word and differ from it in one.
func (x *Index) misspelt(word string, counts map[string]int) {
	_, size := utf8.DecodeRuneInString(word)
	first := word[:size]
	for n := x.after(first); n < x.terms; n++ {
		term := x.term(n)
		if len(term) < size || string(term[:size]) != first {
			return
		}
		if oneOff(word, term) {
			counts[string(term)] += x.count(n)
		}
	}
}

// oneOff reports whether two words differ in one character: another one, one more
// or less, or two neighbours that changed places.
func oneOff(x string, y []byte) bool {
	if d := len(x) - len(y); d > utf8.UTFMax || -d > utf8.UTFMax {
		return false
	}
	start := 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		start++
	}
	// Back to where a character starts.
	for start > 0 && (start < len(x) && !utf8.RuneStart(x[start]) || start < len(y) && !utf8.RuneStart(y[start])) {
		start--
	}
	restX, restY := x[start:], y[start:]
	a, sizeA := utf8.DecodeRuneInString(restX)
	b, sizeB := utf8.DecodeRune(restY)
	switch tailX, tailY := restX[sizeA:], restY[sizeB:]; {
	case restX == string(restY):
		return false
	case tailX == string(tailY), tailX == string(restY), restX == string(tailY):
		return true
	default:
		c, sizeC := utf8.DecodeRuneInString(tailX)
		d, sizeD := utf8.DecodeRune(tailY)
		return a == d && b == c && tailX[sizeC:] == string(tailY[sizeD:])
	}
}
