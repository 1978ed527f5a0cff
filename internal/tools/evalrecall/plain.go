package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dormouse/recall"
)

// plain is the baseline: BM25 (k1 1.2, b 0.75) over words of letters and digits
// without a hundred common ones, each without a few English endings. It shares
// nothing with the engine.
type plain struct {
	ids     []string
	lengths []float64
	terms   map[string]map[int]float64
	average float64
}

const plainStops = " a about after all also am an and any are as at be been before but by can could did do does doing for from had has have he her " +
	"him his how i if in into is it its just like me more most my no not now of on or our out over she should so some such than that the their them " +
	"then there these they this those through to too under up very was we were what when where which while who whom why will with would you your yours " +
	"been being both each few other own same only once here again further because until above below between down during off "

func newPlain(docs []recall.Doc) *plain {
	p := &plain{terms: map[string]map[int]float64{}}
	for i, d := range docs {
		words := plainWords(d.Type + " " + d.Title + " " + d.Summary + " " + d.Body)
		p.ids = append(p.ids, d.ID)
		p.lengths = append(p.lengths, float64(len(words)))
		p.average += float64(len(words))
		for _, w := range words {
			if p.terms[w] == nil {
				p.terms[w] = map[int]float64{}
			}
			p.terms[w][i]++
		}
	}
	p.average /= max(float64(len(docs)), 1)
	return p
}

func plainWords(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if strings.Contains(plainStops, " "+w+" ") {
			continue
		}
		for _, ending := range [...]string{"ies", "ing", "ed", "es", "s", "ly"} {
			if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 {
				w = rest
				break
			}
		}
		words = append(words, w)
	}
	return words
}

// search returns the IDs of all documents that hold a word of the question, the
// best first.
func (p *plain) search(question string) []string {
	scores := map[int]float64{}
	asked := plainWords(question)
	slices.Sort(asked)
	for _, w := range slices.Compact(asked) {
		docs := p.terms[w]
		df, n := float64(len(docs)), float64(len(p.ids))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for d, tf := range docs {
			scores[d] += idf * tf * 2.2 / (tf + 1.2*(1-0.75+0.75*p.lengths[d]/p.average))
		}
	}
	var best []int
	for d := range scores {
		best = append(best, d)
	}
	slices.SortFunc(best, func(x, y int) int { return cmp.Or(cmp.Compare(scores[y], scores[x]), cmp.Compare(x, y)) })
	ids := make([]string, len(best))
	for i, d := range best {
		ids[i] = p.ids[d]
	}
	return ids
}
