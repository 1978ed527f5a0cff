package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/internal/tools/evalkit"
)

// A share is k of n with its 95 % Wilson interval.
type share struct {
	K    int     `json:"k"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A result is what was said of the pairs of one class.
type result struct {
	Set       string `json:"set"`
	Lang      string `json:"lang"`
	N         int    `json:"n"`
	Right     share  `json:"right"`
	Conflict  share  `json:"conflict"`
	Duplicate share  `json:"duplicate"`
}

func (r result) String() string {
	return fmt.Sprintf("%-2s %-26s n=%-5d right %s  conflict %s  duplicate %s", r.Lang, r.Set, r.N, r.Right.of(r.N), r.Conflict.of(r.N), r.Duplicate.of(r.N))
}

func (s share) of(n int) string {
	return fmt.Sprintf("%5d %5.1f%% [%4.1f %5.1f]", s.K, 100*float64(s.K)/float64(max(n, 1)), 100*s.Low, 100*s.High)
}

// A count is what was said so far.
type count struct{ n, right, conflict, duplicate int }

func (c *count) add(k claim.Kind, right bool) {
	c.n++
	if right {
		c.right++
	}
	switch k {
	case claim.Conflict:
		c.conflict++
	case claim.Same, claim.Exact, claim.Within:
		c.duplicate++
	}
}

func (c *count) result(set, lang string) result {
	return result{Set: set, Lang: lang, N: c.n, Right: wilson(c.right, c.n), Conflict: wilson(c.conflict, c.n), Duplicate: wilson(c.duplicate, c.n)}
}

func measure(g *generator, n int, show bool) []result {
	classes := map[string]*count{}
	conflicts, quiet := &count{}, &count{} // all where a conflict is right, and all where none is
	for i := range n {
		p := g.pair()
		if i%8 == 0 {
			p = g.unrelated()
		}
		got := claim.Compare(p.a, p.b)
		if classes[p.class] == nil {
			classes[p.class] = &count{}
		}
		right := p.ok(got.Kind)
		classes[p.class].add(got.Kind, right)
		switch {
		case p.ok(claim.Conflict):
			conflicts.add(got.Kind, right)
		default:
			quiet.add(got.Kind, got.Kind != claim.Conflict)
		}
		if !right && show {
			fmt.Fprintf(os.Stderr, "%s | %s | %s | %s | %s\n", p.class, got.Kind, p.a, p.b, got.Why)
		}
	}
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []result
	for _, name := range names {
		out = append(out, classes[name].result(name, g.lang))
	}
	return append(out, conflicts.result("all conflicts", g.lang), quiet.result("all that are none", g.lang))
}

// sick compares the pairs of SICK below data.
func sick(data string) ([]result, error) {
	files, err := filepath.Glob(filepath.Join(data, "pairs", "SICK_*.txt.gz"))
	if err != nil {
		return nil, err
	}
	counts := map[string]*count{"CONTRADICTION": {}, "ENTAILMENT": {}, "NEUTRAL": {}}
	for _, file := range files {
		if err := sickFile(file, counts); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	var out []result
	for _, label := range []string{"CONTRADICTION", "ENTAILMENT", "NEUTRAL"} {
		out = append(out, counts[label].result("SICK "+label, "en"))
	}
	return out, nil
}

func sickFile(file string, counts map[string]*count) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(z)
	for in.Scan() {
		cells := strings.Split(in.Text(), "\t")
		if len(cells) < 5 || counts[cells[4]] == nil {
			continue
		}
		k := claim.Compare(cells[1], cells[2]).Kind
		right := map[string]bool{"CONTRADICTION": conflict(k), "ENTAILMENT": duplicate(k), "NEUTRAL": none(k)}[cells[4]]
		counts[cells[4]].add(k, right)
	}
	return in.Err()
}

// wilson returns the 95 % score interval of k of n.
func wilson(k, n int) share {
	if n == 0 {
		return share{}
	}
	low, high := evalkit.Wilson(k, n)
	return share{K: k, Low: low, High: high}
}
