package recall

import (
	"cmp"
	"math"
	"slices"
)

const (
	// The best turns tell with which other words the matter is spoken of. These
	// count very little each: they decide between turns that are nearly equal.
	expandFrom   = 10
	expandTerms  = 20
	expandWeight = 0.05
	// A word that more than one in so many documents holds tells nothing here.
	expandRare = 4
)

// expand adds words to the question that stand in the turns which hold most of
// it, each of this weight at most. Only turns: nothing was gained where notes are
// searched.
func (s *search) expand(weight float64) {
	type key struct {
		part int
		term uint32
	}
	weights := map[key]float64{}
	counts := map[uint32]int{}
	sum := 0.0
	var st stream
	for _, f := range s.bestTurns() {
		x := s.parts[f.part].Index
		x.stream(f.doc, &st)
		clear(counts)
		for _, t := range st.terms {
			counts[t]++
		}
		sum += float64(f.score)
		for t, n := range counts {
			weights[key{f.part, t}] += float64(f.score) * float64(n) / float64(n+1) / math.Sqrt(float64(len(st.terms)+4))
		}
	}
	type candidate struct {
		key
		weight float64
	}
	var all []candidate
	for k, w := range weights {
		n := s.parts[k.part].Index.count(int(k.term))
		if n < 2 || n > s.docs/expandRare || s.asked(k.part, int(k.term)) {
			continue
		}
		all = append(all, candidate{k, w / sum * idf(s.docs, n)})
	}
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.part, y.part), cmp.Compare(x.term, y.term))
	})
	have := map[string]bool{}
	for _, c := range all {
		stem := string(s.parts[c.part].Index.term(int(c.term)))
		if have[stem] {
			continue
		}
		have[stem] = true
		t := questionTerm{stem: stem, weight: weight * c.weight / all[0].weight}
		t.find(s.parts, s.docs)
		s.added = append(s.added, t)
		if len(s.added) == expandTerms {
			break
		}
	}
}

// asked reports whether a term of a part is a word of the question.
func (s *search) asked(part, term int) bool {
	return slices.ContainsFunc(s.question.terms, func(t questionTerm) bool { return t.numbers[part] == term })
}

// bestTurns returns the turns that hold most of the question.
func (s *search) bestTurns() []found {
	var best []found
	for part, scores := range s.scores {
		x := s.parts[part].Index
		if x.turns == 0 {
			continue
		}
		for _, e := range scores {
			if !x.isTurn(int(e.doc)) || len(best) == expandFrom && e.score <= best[expandFrom-1].score {
				continue
			}
			f := found{part, int(e.doc), e.score}
			at, _ := slices.BinarySearchFunc(best, f, func(x, y found) int { return cmp.Compare(y.score, x.score) })
			best = slices.Insert(best, at, f)
			best = best[:min(len(best), expandFrom)]
		}
	}
	return best
}
