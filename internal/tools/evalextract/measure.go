package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"dormouse/extract"
	"dormouse/internal/tools/evalkit"
	"dormouse/transcript"
)

// tally counts of one kind.
type tally struct{ planted, found, right, proposed int }

// result is what was measured of a language. Kept are candidates that need nobody's
// look; proposed are those that wait for a second session, too.
type result struct {
	Language  string                   `json:"language"`
	Planted   int                      `json:"planted"`
	Others    int                      `json:"distractors"`
	Precision evalkit.Share            `json:"precision"` // of what is proposed
	Recall    evalkit.Share            `json:"recall"`
	KeptPrec  evalkit.Share            `json:"precision_kept"`
	KeptRec   evalkit.Share            `json:"recall_kept"`
	Junk      evalkit.Share            `json:"junk"` // proposed candidates that say no planted fact
	Gone      evalkit.Share            `json:"gone"` // facts taken back or overtaken that came out all the same
	Tool      int                      `json:"from_tools"`
	Pasted    int                      `json:"from_pastes"`
	Recalled  int                      `json:"from_recalled"`
	Private   int                      `json:"from_private"`
	Secrets   int                      `json:"secrets"`
	Recalls   map[string]evalkit.Share `json:"recall_by_planted"`
	Precs     map[string]evalkit.Share `json:"precision_by_found"`
	ByRule    map[string]int           `json:"junk_by_rule"` // by the reason that the candidate names

	kept, keptRight, foundKept int
	byPlanted, byFound         map[string]*tally
}

func newResult(lang string) *result {
	return &result{Language: lang, ByRule: map[string]int{}, byPlanted: map[string]*tally{}, byFound: map[string]*tally{}}
}

func measure(r *rand.Rand, lang string, h half, n int) (*result, error) {
	res := newResult(lang)
	for i := range n {
		w, err := newWorld(r, lang, h)
		if err != nil {
			return nil, err
		}
		if err := w.build(i); err != nil {
			return nil, err
		}
		reader := extract.New()
		for _, s := range w.sessions {
			if _, err := transcript.Read(bytes.NewReader(s.log.buf.Bytes()), nil, func(t *transcript.Turn) error {
				reader.Turn(t)
				return nil
			}); err != nil {
				return nil, fmt.Errorf("session %s: %w", s.log.session, err)
			}
			res.session(s, reader.End(), h.seen())
		}
		if err := reader.Err(); err != nil {
			return nil, err
		}
	}
	res.finish()
	return res, nil
}

// session compares what was found in a session with what is in it.
func (r *result) session(s *session, f *extract.Found, show bool) {
	r.Others += s.others
	taken := make([]bool, len(s.facts))
	for i := range f.Candidates {
		c := &f.Candidates[i]
		t := r.of(r.byFound, string(c.Kind))
		t.proposed++
		at := matching(s.facts, taken, c)
		kept := c.Confidence >= extract.Threshold
		if kept {
			r.kept++
		}
		r.leaks(s, c)
		if at < 0 {
			r.ByRule[c.Why+junkOf(s.facts, c)]++
			if show {
				fmt.Fprintf(os.Stdout, "WRONG %s %s %.2f %q <- %q\n", c.Kind, c.Type, c.Confidence, c.Text, c.Quote)
			}
			continue
		}
		taken[at] = true
		t.right++
		if kept {
			r.keptRight++
			r.foundKept++
		}
	}
	for i, p := range s.facts {
		if p.gone {
			if slices.ContainsFunc(f.Candidates, func(c extract.Candidate) bool { return c.Line == p.line }) {
				r.Gone.K++
				if show {
					fmt.Fprintf(os.Stdout, "GONE, AND THERE %q; said later: %q\n", p.text, later(s.facts[i+1:]))
				}
			}
			r.Gone.N++
			continue
		}
		t := r.of(r.byPlanted, p.kind)
		t.planted++
		if taken[i] {
			t.found++
		} else if show {
			fmt.Fprintf(os.Stdout, "MISSED %s %q %v\n", p.kind, p.text, p.keys)
			for _, d := range f.Dropped {
				if d.Line == p.line {
					fmt.Fprintf(os.Stdout, "       dropped: %s\n", d.Why)
				}
			}
		}
	}
	for _, d := range f.Dropped {
		for _, secret := range s.secrets {
			if strings.Contains(d.Quote+d.Why, secret) {
				r.Secrets++
			}
		}
	}
}

func (r *result) of(m map[string]*tally, kind string) *tally {
	if m[kind] == nil {
		m[kind] = &tally{}
	}
	return m[kind]
}

// matching is the planted fact that a candidate says: of its line, of its type, with
// all that has to stand in it.
func matching(facts []planted, taken []bool, c *extract.Candidate) int {
	text := strings.ToLower(c.Text)
	for i, p := range facts {
		if taken[i] || p.gone || p.line != 0 && p.line != c.Line || len(p.types) > 0 && !slices.Contains(p.types, c.Type) {
			continue
		}
		if p.kind == "retract-earlier" != (c.Kind == extract.Retraction) {
			continue
		}
		all := true
		for _, k := range p.keys {
			all = all && strings.Contains(text, strings.ToLower(k))
		}
		if all {
			return i
		}
	}
	return -1
}

func later(facts []planted) []string {
	var out []string
	for _, p := range facts {
		out = append(out, p.text)
	}
	return out
}

// junkOf tells what a wrong candidate was made of: a fact that is planted on its
// line and gone, or is there and not said right, or none.
func junkOf(facts []planted, c *extract.Candidate) string {
	for _, p := range facts {
		if p.line == c.Line && p.gone {
			return " (a fact that is gone)"
		}
		if p.line == c.Line {
			return " (a fact, not said right)"
		}
	}
	return " (no fact)"
}

// leaks counts what must never come out.
func (r *result) leaks(s *session, c *extract.Candidate) {
	all := c.Text + c.Quote + c.Why
	has := func(mark string) int {
		if strings.Contains(strings.ToLower(all), mark) {
			return 1
		}
		return 0
	}
	r.Tool += has(toolMark)
	r.Pasted += has(pasteMark)
	r.Recalled += has(recallMark)
	r.Private += has(hideMark)
	for _, secret := range s.secrets {
		if strings.Contains(all, secret) {
			r.Secrets++
		}
	}
}

func (r *result) finish() {
	var p, f tally
	r.Recalls, r.Precs = map[string]evalkit.Share{}, map[string]evalkit.Share{}
	for k, t := range r.byPlanted {
		r.Recalls[k] = evalkit.Of(t.found, t.planted)
		p.planted += t.planted
		p.found += t.found
	}
	for k, t := range r.byFound {
		r.Precs[k] = evalkit.Of(t.right, t.proposed)
		f.proposed += t.proposed
		f.right += t.right
	}
	r.Planted = p.planted
	r.Precision, r.Recall = evalkit.Of(f.right, f.proposed), evalkit.Of(p.found, p.planted)
	r.KeptPrec, r.KeptRec = evalkit.Of(r.keptRight, r.kept), evalkit.Of(r.foundKept, p.planted)
	r.Junk = evalkit.Of(f.proposed-f.right, f.proposed)
	r.Gone = evalkit.Of(r.Gone.K, r.Gone.N)
}

// together adds up results of several languages.
func together(all []*result) *result {
	sum := newResult("all")
	for _, r := range all {
		sum.Others += r.Others
		sum.kept += r.kept
		sum.keptRight += r.keptRight
		sum.foundKept += r.foundKept
		sum.Tool += r.Tool
		sum.Pasted += r.Pasted
		sum.Recalled += r.Recalled
		sum.Private += r.Private
		sum.Secrets += r.Secrets
		sum.Gone.K += r.Gone.K
		for k, n := range r.ByRule {
			sum.ByRule[k] += n
		}
		sum.Gone.N += r.Gone.N
		for k, t := range r.byPlanted {
			s := sum.of(sum.byPlanted, k)
			s.planted += t.planted
			s.found += t.found
		}
		for k, t := range r.byFound {
			s := sum.of(sum.byFound, k)
			s.proposed += t.proposed
			s.right += t.right
		}
	}
	sum.finish()
	return sum
}

func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d facts, %d distractors\n", r.Language, r.Planted, r.Others)
	for _, k := range slices.Sorted(maps.Keys(r.Recalls)) {
		fmt.Fprintf(w, "  recall    %-16s %s\n", k, r.Recalls[k])
	}
	for _, k := range slices.Sorted(maps.Keys(r.Precs)) {
		fmt.Fprintf(w, "  precision %-16s %s\n", k, r.Precs[k])
	}
	fmt.Fprintf(w, "  recall    %-16s %s\n", "all", r.Recall)
	fmt.Fprintf(w, "  precision %-16s %s\n", "all", r.Precision)
	fmt.Fprintf(w, "  recall    %-16s %s\n", "kept at once", r.KeptRec)
	fmt.Fprintf(w, "  precision %-16s %s\n", "kept at once", r.KeptPrec)
	fmt.Fprintf(w, "  junk      %-16s %s\n", "", r.Junk)
	for _, k := range slices.Sorted(maps.Keys(r.ByRule)) {
		fmt.Fprintf(w, "  junk of rule %-70s %5d\n", k, r.ByRule[k])
	}
	fmt.Fprintf(w, "  taken back, and there %s\n", r.Gone)
	fmt.Fprintf(w, "  from tools %d, pastes %d, recalled notes %d, private %d; secrets %d\n", r.Tool, r.Pasted, r.Recalled, r.Private, r.Secrets)
}
