package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/doctor"
	"dormouse/internal/tools/evalkit"
)

// A share is k of n with its 95 % Wilson interval.
type share struct {
	K     int     `json:"k"`
	N     int     `json:"n"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func (s share) String() string {
	return fmt.Sprintf("%d of %d, %.1f %% [%.1f %.1f]", s.K, s.N, 100*s.Share, 100*s.Low, 100*s.High)
}

// wilson returns the 95 % score interval of k of n.
func wilson(k, n int) share {
	if n == 0 {
		return share{}
	}
	low, high := evalkit.Wilson(k, n)
	return share{K: k, N: n, Share: float64(k) / float64(n), Low: low, High: high}
}

// A ruleResult is what became of a rule's cases.
type ruleResult struct {
	Rule   string `json:"rule"`
	Recall share  `json:"recall"`
	Twins  int    `json:"twins_with_findings"` // of this rule's cases, findings of any rule
	Made   int    `json:"false_findings"`      // by this rule, on any twin
}

func report(c config, outcomes []outcome) error {
	byRule := map[string]*ruleResult{}
	made := map[string]int{}
	found, n, withFalse, allFalse := 0, 0, 0, 0
	for _, o := range outcomes {
		r := byRule[o.rule]
		if r == nil {
			r = &ruleResult{Rule: o.rule}
			byRule[o.rule] = r
		}
		n++
		r.Recall.N++
		if o.found {
			found++
			r.Recall.K++
		}
		if len(o.false) > 0 {
			withFalse++
			r.Twins++
		}
		for _, f := range o.false {
			made[f.Rule]++
			allFalse++
		}
	}
	details(c, outcomes)
	var results []ruleResult
	var without []string
	fmt.Printf("%-26s %4s %6s %7s  %-15s %6s %6s\n", "rule", "n", "found", "recall", "95 %", "twins", "false")
	for _, rule := range doctor.Rules() {
		r := byRule[rule.ID]
		if r == nil {
			without = append(without, rule.ID)
			continue
		}
		r.Recall, r.Made = wilson(r.Recall.K, r.Recall.N), made[rule.ID]
		fmt.Printf("%-26s %4d %6d %6.1f%%  [%5.1f %5.1f]  %6d %6d\n", r.Rule, r.Recall.N, r.Recall.K, 100*r.Recall.Share, 100*r.Recall.Low, 100*r.Recall.High, r.Twins, r.Made)
		results = append(results, *r)
	}
	if c.rules != nil {
		without = nil
	}
	recall, twins := wilson(found, n), wilson(withFalse, n)
	perHundred := 100 * float64(allFalse) / float64(max(n, 1))
	fmt.Printf("\nrecall %s\nclean twins with a finding %s; %d findings, %.2f in 100 projects\n", recall, twins, allFalse, perHundred)
	if len(without) > 0 {
		fmt.Println("rules without a case:", strings.Join(without, ", "))
	}
	return json.NewEncoder(os.Stdout).Encode(struct {
		Seed       uint64       `json:"seed"`
		Cases      int          `json:"cases"`
		Recall     share        `json:"recall"`
		Twins      share        `json:"twins_with_findings"`
		False      int          `json:"false_findings"`
		PerHundred float64      `json:"false_findings_in_100"`
		Rules      []ruleResult `json:"rules"`
		Without    []string     `json:"rules_without_a_case,omitempty"`
	}{c.seed, n, recall, twins, allFalse, perHundred, results, without})
}

// details lists what was missed and what was found for nothing.
func details(c config, outcomes []outcome) {
	for _, o := range outcomes {
		if o.err != nil {
			fmt.Printf("ERROR %s: %v\n", o, o.err)
			continue
		}
		if !o.found {
			fmt.Printf("MISSED %s at %s", o, short(c, o.label.String()))
			if o.label.text != "" {
				fmt.Printf(" %q", o.label.text)
			}
			fmt.Println()
			for _, f := range o.findings {
				if c.verbose || f.Rule == o.rule {
					fmt.Printf("    got %s\n", f.in(c))
				}
			}
		}
	}
	falseOnes(c, outcomes)
}

// falseOnes lists the findings on clean twins; the same one of many projects once,
// with how many, unless all are asked for.
func falseOnes(c config, outcomes []outcome) {
	type key struct{ rule, file, message string }
	count := map[key]int{}
	of := func(f finding) key {
		return key{f.Rule, filepath.Base(f.Place.Path), f.Place.Text}
	}
	for _, o := range outcomes {
		for _, f := range o.false {
			count[of(f)]++
		}
	}
	for _, o := range outcomes {
		for _, f := range o.false {
			n := count[of(f)]
			if n == 0 && !c.verbose {
				continue
			}
			fmt.Printf("FALSE on the twin of %s: %s", o, f.in(c))
			if n > 1 && !c.verbose {
				fmt.Printf(" (and %d more like it)", n-1)
			}
			fmt.Println()
			count[of(f)] = 0
		}
	}
}

func short(c config, path string) string { return strings.TrimPrefix(path, c.dir+"/") }

func (f finding) in(c config) string {
	s := fmt.Sprintf("%s %s:%d %q: %s", f.Rule, short(c, f.Place.Path), f.Place.Line, f.Place.Text, f.Message)
	for _, r := range f.Related {
		s += fmt.Sprintf(" [%s %s:%d %q]", r.Role, short(c, r.Path), r.Line, r.Text)
	}
	return s
}
