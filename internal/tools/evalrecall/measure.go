package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"dormouse/internal/tools/evalkit"
)

// figures are sums over the questions of one row of a table.
type figures struct {
	n                 int
	hit1, hit5, hit10 int
	all10             int
	recall10, ndcg10  float64
}

// add counts one question: the ranked IDs, the best first.
func (f *figures) add(ranked, gold []string) {
	f.n++
	found, gain, ideal := 0, 0.0, 0.0
	for i, id := range ranked[:min(10, len(ranked))] {
		if !slices.Contains(gold, id) {
			continue
		}
		found++
		gain += 1 / math.Log2(float64(i)+2)
		if found == 1 {
			f.hit10++
			if i < 5 {
				f.hit5++
			}
			if i == 0 {
				f.hit1++
			}
		}
	}
	for i := range min(10, len(gold)) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	if found == len(gold) {
		f.all10++
	}
	f.recall10 += float64(found) / float64(len(gold))
	f.ndcg10 += gain / ideal
}

func percent(k float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return 100 * k / float64(n)
}

// row writes one line of a table. The interval is that of hit@5.
func (f figures) row(w io.Writer, name string) {
	low, high := evalkit.Wilson(f.hit5, f.n)
	fmt.Fprintf(w, "%-44s %5d %6.1f %6.1f %5.1f–%-5.1f %6.1f %6.3f %6.1f %6.1f\n", name, f.n, percent(float64(f.hit1), f.n), percent(float64(f.hit5), f.n),
		100*low, 100*high, percent(float64(f.hit10), f.n), f.ndcg10/max(float64(f.n), 1), percent(f.recall10, f.n), percent(float64(f.all10), f.n))
}

func head(w io.Writer) {
	fmt.Fprintf(w, "%-44s %5s %6s %6s %11s %6s %6s %6s %6s\n", "", "n", "hit@1", "hit@5", "95 %", "hit@10", "ndcg10", "rec@10", "all@10")
}
