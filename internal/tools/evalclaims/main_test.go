package main

import (
	"math/rand/v2"
	"testing"
)

func TestTheHalfThatRulesWereWrittenOnIsUnderstood(t *testing.T) {
	t.Parallel()
	for i, lang := range []string{"en", "uk"} {
		g := newGenerator(rand.New(rand.NewPCG(7, uint64(i))), lang, false)
		for _, r := range measure(g, 1500, false) {
			switch {
			case r.Set == "all conflicts" && 100*r.Right.K < 88*r.N,
				r.Set == "all that are none" && 100*r.Conflict.K > 2*r.N:
				t.Errorf("%s", r)
			}
		}
	}
}

func TestNoSlotIsInBothHalves(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for _, lang := range []string{"en", "uk"} {
		seen := map[string]bool{}
		for _, half := range []bool{false, true} {
			g := newGenerator(r, lang, half)
			if len(g.slots) < 5 || len(g.rules) < 3 {
				t.Errorf("%s, held %v: %d slots and %d rules are too few", lang, half, len(g.slots), len(g.rules))
			}
			for _, s := range g.slots {
				if seen[s.name+s.wordings] {
					t.Errorf("%s is in both halves", s.name)
				}
				seen[s.name+s.wordings] = true
			}
		}
	}
}
