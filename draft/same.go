package draft

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Known is a note that is there already. Body may be cut; of all of them the
// first 16 KiB are read.
type Known struct{ File, Name, Description, Type, Body string }

// A MatchKind tells how two statements on the same matter relate.
type MatchKind int

// The kinds of matches.
const (
	Near     MatchKind = iota + 1 // the same matter: an update, a rewording, more or less detail
	Conflict                      // the same matter, and a value, a name or the permission differs
	Exact                         // says the same
)

func (k MatchKind) String() string {
	switch k {
	case Near:
		return "near"
	case Conflict:
		return "conflict"
	case Exact:
		return "exact"
	}
	return "none"
}

// Match is a note on the same matter. Score is from 0 to 1 and orders matches of
// one kind; Why says in plain words what decided.
type Match struct {
	File  string
	Kind  MatchKind
	Score float64
	Why   string
}

// What two claims must share. Found on the development pairs in testdata; a wrong
// offer costs more than a missing one.
const (
	nearShare  = 0.6 // of the weight of both together
	ruleShare  = 0.5 // the same where both forbid or both don't, and nothing is a value
	partShare  = 0.9 // of the shorter, where one contains the other,
	wholeShare = 0.4 // and then of the longer
	fewest     = 2   // words
	maxMatches = 10

	maxClaim = 16 << 10 // bytes of a text or note that are compared
)

// Same finds the notes that already say what text says, or something else on the
// same matter, best first: Exact before Conflict before Near. It returns nothing
// when plain rules can't tell.
//
// Words are compared by stem and count the more the rarer they are among the
// notes. Each sentence of a note is compared for itself, and its text as a whole
// with the whole text.
func Same(text string, known []Known) []Match {
	x := newLexicon()
	query := x.read(head(text), -1, nil)
	if len(x.parse(query).parts) == 0 { // nothing but a heading
		query = x.read(plainLine(head(text)), -1, nil)
	}
	notes := make([][]int32, len(known))
	size := 0
	for _, k := range known {
		size += len(head(k.Description)) + len(head(k.Body))
	}
	buf := make([]int32, 0, size/5+3*len(known))
	for i, k := range known {
		from := len(buf)
		if strings.TrimSpace(k.Description) == "" && strings.TrimSpace(k.Body) == "" {
			buf = x.read(strings.ReplaceAll(k.Name, "_", "-"), int32(i), buf)
		}
		buf = x.read(head(k.Description), int32(i), buf)
		buf = append(buf, gap)
		buf = x.read(head(k.Body), int32(i), buf)
		notes[i] = buf[from:len(buf):len(buf)]
	}
	m := newMatcher(x, len(known))
	asked := m.asked(query)
	var out []Match
	for i, k := range known {
		if best := m.best(asked, notes[i]); best.Kind != 0 {
			best.File = k.File
			out = append(out, best)
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	})
	return out[:min(len(out), maxMatches)]
}

// gap stands between a note's description and its text: no sentence goes on.
const gap = -100

func head(s string) string { return s[:cutAt(s, maxClaim)] }

// A matcher compares claims. Its marks are indexed by term, so that one
// comparison costs no more than reading both.
type matcher struct {
	x      *lexicon
	weight []float64
	inA    []int32 // place in the claim that is asked about, plus one
	inB    []int32
}

func newMatcher(x *lexicon, notes int) *matcher {
	return &matcher{x: x, weight: x.weights(notes), inA: make([]int32, len(x.df)), inB: make([]int32, len(x.df))}
}

// A question is one way to read the text: its first sentence, or all of it.
type question struct {
	claim claim
	words float64 // weight of its words that are no values
	whole bool    // all of the text
}

func (m *matcher) asked(seq []int32) []question {
	all := m.question(seq)
	all.whole = true
	lead := seq
	if i := slices.Index(seq, -int32(stop)); i >= 0 {
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
		if p.kind == word || p.kind == pair {
			q.words += m.weight[p.term]
		}
	}
	return q
}

// best compares each way to read the text with each sentence of a note, and with
// its description and its text as wholes.
func (m *matcher) best(asked []question, note []int32) Match {
	var best Match
	for _, q := range asked {
		m.markA(q.claim)
		try := func(seq []int32) {
			if !m.worth(q, seq) {
				return
			}
			got := m.compare(q.claim, m.x.parse(seq))
			if got.Kind == Exact && !q.whole {
				got = Match{Kind: Near, Score: got.Score, Why: "its first sentence says the same"}
			}
			if got.Kind > best.Kind || got.Kind == best.Kind && got.Score > best.Score {
				best = got
			}
		}
		for section := range sections(note, gap) {
			n := 0
			for sentence := range sections(section, -int32(stop)) {
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

func (m *matcher) markA(c claim) {
	for i, p := range c.parts {
		if m.inA[p.term] == 0 {
			m.inA[p.term] = int32(i) + 1
		}
	}
}

func (m *matcher) unmarkA(c claim) {
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
		if term := m.x.entries[n].term; term >= 0 && m.inA[term] > 0 {
			shared += m.weight[term]
		}
	}
	return shared > 0 && shared >= 0.3*q.words
}
