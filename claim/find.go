package claim

import (
	"iter"
	"slices"

	"dormouse/claim/token"
)

// What two claims must share. Found on the development pairs in testdata; a wrong
// offer costs more than a missing one.
const (
	nearShare  = 0.6 // of the weight of both together
	ruleShare  = 0.5 // the same where both forbid or both don't, and nothing is a value
	partShare  = 0.9 // of the shorter, where one contains the other,
	wholeShare = 0.4 // and then of the longer
	fewest     = 2   // words

	maxClaim = 16 << 10 // bytes of a text or note that are compared
)

// Find tells how each source relates to what text says: its relation is the best
// of any of its statements, of its Lead, and of its Text as a whole. None where
// plain rules can't tell. Same with a Score of 1 is the same words in the same
// order but for words that carry nothing. Of text and source the first 16 KiB are
// read.
//
// Words are compared by stem and count the more the rarer they are among the
// sources.
func Find(text string, sources []Source) []Relation {
	x := newLexicon()
	query := x.read(head(text), -1, nil)
	size := 0
	for i := range sources {
		size += len(head(sources[i].Lead)) + len(head(sources[i].Text))
	}
	seqs := make([][]int32, len(sources))
	buf := make([]int32, 0, size/5+3*len(sources))
	for i := range sources {
		from := len(buf)
		buf = x.read(head(sources[i].Lead), int32(i), buf)
		buf = append(buf, gap)
		buf = x.read(head(sources[i].Text), int32(i), buf)
		seqs[i] = buf[from:len(buf):len(buf)]
	}
	m := newMatcher(x, len(sources))
	asked := m.asked(query)
	out := make([]Relation, len(sources))
	for i := range sources {
		out[i] = m.best(asked, seqs[i])
	}
	return out
}

// Terms returns the stems of the words of a text that name its matter, in order.
func Terms(text string) []string {
	x := newLexicon()
	var out []string
	for _, p := range x.parse(x.read(text, -1, nil)).parts {
		out = append(out, x.key[p.term])
	}
	return out
}

// gap stands between a note's description and its text: no sentence goes on.
const gap = -100

func head(s string) string { return s[:token.CutAt(s, maxClaim)] }

// A matcher compares claims. Its marks are indexed by term, so that one
// comparison costs no more than reading both.
type matcher struct {
	x      *lexicon
	weight []float64
	inA    []int32 // place in the claim that is asked about, plus one
	inB    []int32
	diff   diff
	bare   bool // the last conflict is of fields that don't say of what: port: 5432
}

func newMatcher(x *lexicon, notes int) *matcher {
	return &matcher{x: x, weight: x.weights(notes), inA: make([]int32, len(x.df)), inB: make([]int32, len(x.df))}
}

// A question is one way to read the text: its first sentence, or all of it.
type question struct {
	claim statement
	words float64 // weight of its words that are no values
	whole bool    // all of the text
}

func (m *matcher) asked(seq []int32) []question {
	all := m.question(seq)
	all.whole = true
	lead := seq
	if i := slices.Index(seq, -int32(token.Stop)); i >= 0 {
		lead = seq[:i]
	}
	first := m.question(lead)
	if len(first.claim.parts) == len(all.claim.parts) || len(first.claim.parts) < fewest {
		return []question{all}
	}
	return []question{all, first}
}

func (m *matcher) question(seq []int32) question {
	q := question{claim: m.x.parse(seq)}
	for _, p := range q.claim.parts {
		if p.kind == token.Word || p.kind == token.Pair {
			q.words += m.weight[p.term]
		}
	}
	return q
}

// best compares each way to read the text with each sentence of a note, and with
// its description and its text as wholes.
func (m *matcher) best(asked []question, note []int32) Relation {
	var best Relation
	for _, q := range asked {
		m.markA(q.claim)
		try := func(seq []int32) {
			if !m.worth(q, seq) {
				return
			}
			got := m.compare(q.claim, m.x.parse(seq))
			if rank(got) == 3 && !q.whole {
				got = Relation{Kind: Within, Score: got.Score, Why: "its first sentence says the same"}
			}
			if rank(got) > rank(best) || rank(got) == rank(best) && got.Score > best.Score {
				best = got
			}
		}
		for section := range sections(note, gap) {
			n := 0
			for sentence := range sections(section, -int32(token.Stop)) {
				n++
				try(sentence)
			}
			if n > 1 && q.whole {
				try(section)
			}
		}
		m.unmarkA(q.claim)
	}
	return best
}

// rank orders relations by what a person wants to hear of first.
func rank(r Relation) int {
	switch {
	case r.Kind == None:
		return 0
	case r.Kind == Conflict:
		return 2
	case r.Kind == Same && r.Score == 1:
		return 3
	}
	return 1
}

// sections yields the parts of a sequence between the separators that hold
// anything.
func sections(seq []int32, separator int32) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for len(seq) > 0 {
			i := slices.Index(seq, separator)
			if i < 0 {
				i = len(seq)
			}
			if i > 0 && !yield(seq[:i]) {
				return
			}
			seq = seq[min(i+1, len(seq)):]
		}
	}
}

func (m *matcher) markA(c statement) {
	for i, p := range c.parts {
		if m.inA[p.term] == 0 {
			m.inA[p.term] = int32(i) + 1
		}
	}
}

func (m *matcher) unmarkA(c statement) {
	for _, p := range c.parts {
		m.inA[p.term] = 0
	}
}

// worth reports whether enough words of a sentence come in the question for a
// comparison to find anything.
func (m *matcher) worth(q question, seq []int32) bool {
	shared := 0.0
	for _, n := range seq {
		if n < 0 {
			continue
		}
		if term := m.x.entries[n&number].term; term >= 0 && m.inA[term] > 0 {
			shared += m.weight[term]
		}
	}
	return shared > 0 && shared >= 0.3*q.words
}
