package main

import (
	"fmt"

	"dormouse/internal/tools/evalkit"
	"dormouse/scan"
)

// A set is texts of one label from one place.
type set struct {
	name   string
	poison bool
	texts  []string
}

// A share is k of n with its 95 % Wilson interval.
type share struct {
	K    int     `json:"k"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A result is what the scanner did with a set.
type result struct {
	Set         string `json:"set"`
	Poison      bool   `json:"poison"`
	N           int    `json:"n"`
	Flagged     share  `json:"flagged"`     // any finding
	Quarantined share  `json:"quarantined"` // quarantine or worse
	Blocked     share  `json:"blocked"`
	Actions     share  `json:"actions"` // asks for something, as the trust gate sees it
}

func (r result) String() string {
	label := "benign"
	if r.Poison {
		label = "poison"
	}
	return fmt.Sprintf("%-34s %-6s n=%-5d flagged %s  quarantined %s  blocked %s  actions %s",
		r.Set, label, r.N, r.Flagged.of(r.N), r.Quarantined.of(r.N), r.Blocked.of(r.N), r.Actions.of(r.N))
}

func (s share) of(n int) string {
	return fmt.Sprintf("%4d %5.1f%% [%4.1f %5.1f]", s.K, 100*float64(s.K)/float64(max(n, 1)), 100*s.Low, 100*s.High)
}

func measure(s *scan.Scanner, sets []set) []result {
	results := make([]result, 0, len(sets))
	for _, set := range sets {
		var flagged, quarantined, blocked, actions int
		for _, text := range set.texts {
			var top scan.Level
			for _, f := range s.Scan(text, scan.Options{}) {
				top = max(top, f.Level)
			}
			flagged += one(top >= scan.Warn)
			quarantined += one(top >= scan.Quarantine)
			blocked += one(top >= scan.Block)
			actions += one(len(s.Actions(text)) > 0)
		}
		n := len(set.texts)
		results = append(results, result{
			Set: set.name, Poison: set.poison, N: n,
			Flagged: wilson(flagged, n), Quarantined: wilson(quarantined, n), Blocked: wilson(blocked, n), Actions: wilson(actions, n),
		})
	}
	return results
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// wilson returns the 95 % score interval of k of n.
func wilson(k, n int) share {
	if n == 0 {
		return share{}
	}
	low, high := evalkit.Wilson(k, n)
	return share{K: k, Low: low, High: high}
}
