package recall

import (
	"math"
	"slices"
)

const (
	// closeGain is what two words that follow each other in the question add where
	// they stand close in a document, of what the more common one says.
	closeGain  = 1
	closeReach = 3
)

// A mention is a word of the question at its place in a document.
type mention struct{ at, term int }

// A reading is a document looked at word by word.
type reading struct {
	mentions []mention
	head     int // places in the title and the summary
	terms    stream
	asked    [][]uint64 // by part: a bit for each of its terms, set for those of the question
}

// read looks for the words of the question in a document: s.reading is of that one
// until the next is read.
func (s *search) read(part, doc int) {
	r := &s.reading
	x := s.parts[part].Index
	if r.asked == nil {
		r.asked = make([][]uint64, len(s.parts))
	}
	asked := r.asked[part]
	if asked == nil {
		asked = make([]uint64, x.terms/64+1)
		for _, t := range s.question.terms {
			if n := t.numbers[part]; n >= 0 {
				asked[n/64] |= 1 << (n % 64)
			}
		}
		r.asked[part] = asked
	}
	x.stream(doc, &r.terms)
	r.mentions = r.mentions[:0]
	r.head = r.terms.fields[0] + r.terms.fields[1]
	for at, t := range r.terms.terms {
		if asked[t/64]&(1<<(t%64)) == 0 {
			continue
		}
		for i := range s.question.terms {
			if s.question.terms[i].numbers[part] == int(t) {
				r.mentions = append(r.mentions, mention{at, i})
				break
			}
		}
	}
}

// nearness returns what the document that was read gains by holding words of the
// question close to each other.
func (s *search) nearness() float64 {
	sum := 0.0
	if !s.uses(SignalClose) {
		return 0
	}
	for _, pair := range s.question.pairs {
		if d := s.reading.distance(pair[0], pair[1]); d <= closeReach {
			x, y := &s.question.terms[pair[0]], &s.question.terms[pair[1]]
			sum += closeGain * min(x.weight*x.idf, y.weight*y.idf) / math.Sqrt(float64(d))
		}
	}
	return sum
}

// distance returns how many places two words are apart where they are closest.
func (r *reading) distance(x, y int) int {
	atX, atY, least := -1, -1, math.MaxInt
	for _, m := range r.mentions {
		switch m.term {
		case x:
			atX = m.at
		case y:
			atY = m.at
		default:
			continue
		}
		if atX >= 0 && atY >= 0 {
			d := atX - atY
			least = min(least, max(d, -d))
		}
	}
	return least
}

// hit tells of a document what the one who asked wants to know.
func (s *search) hit(f found) Hit {
	s.read(f.part, f.doc)
	r := &s.reading
	x := s.parts[f.part].Index
	h := Hit{ID: x.ID(f.doc), Score: float64(f.score), Certain: s.certain()}
	for i, t := range s.question.terms {
		if slices.ContainsFunc(r.mentions, func(m mention) bool { return m.term == i }) {
			h.Words = append(h.Words, t.word)
		}
	}
	if len(h.Words) == 0 && len(r.terms.terms) < maxStream {
		h.Why = append(h.Why, WhyNear)
	}
	if s.classes[f.part][x.class(f.doc)].gain > 1 {
		h.Why = append(h.Why, WhySpeaker)
	}
	if s.told(x, f.doc) {
		h.Why = append(h.Why, WhyDate)
	}
	if s.respelt {
		h.Why = append(h.Why, WhySpelt)
	}
	if s.nearness() > 0 {
		h.Why = append(h.Why, WhyClose)
	}
	return h
}
