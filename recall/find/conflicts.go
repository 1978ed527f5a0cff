package find

import (
	"fmt"

	"dormouse/claim"
	"dormouse/recall"
)

// mostCompared bounds the texts that are compared for one answer, maxCompared
// their size in bytes.
const (
	mostCompared = 24
	maxCompared  = 16 << 10
)

// conflicts brings in the other side of each hit that another text contradicts.
// Only texts that came up for the question are compared: what contradicts a hit
// speaks of the same matter, in nearly the same words.
func (s *search) conflicts(rest []recall.Hit) {
	near := make([]Hit, 0, len(rest))
	for _, h := range rest {
		if len(s.answer.Hits)+len(near) >= mostCompared {
			break
		}
		if hit, ok := s.hit(h); ok && (hit.Loads || s.q.Held) {
			near = append(near, hit)
		}
	}
	all := append(append([]Hit{}, s.answer.Hits...), near...)
	var sources []claim.Source
	var of []int // the hit of each source
	for i := range all {
		if len(sources) == mostCompared {
			break
		}
		if src, ok := s.statements(&all[i]); ok {
			sources, of = append(sources, src), append(of, i)
		}
	}
	for _, p := range claim.Across(sources).Pairs {
		if p.Kind != claim.Conflict {
			continue
		}
		a, b := of[p.A], of[p.B]
		s.beside(all, a, b, p.Why)
		s.beside(all, b, a, claim.Compare(statement(&sources[p.B], p.InB), statement(&sources[p.A], p.InA)).Why)
	}
}

// beside puts a text to a hit that it contradicts, unless it is there.
func (s *search) beside(all []Hit, a, b int, why string) {
	if a >= len(s.answer.Hits) {
		return
	}
	h := &s.answer.Hits[a]
	for _, c := range h.Conflicts {
		if c.Path == all[b].Path && c.Line == all[b].Line {
			return
		}
	}
	other := all[b]
	other.Conflicts = nil
	h.Conflicts = append(h.Conflicts, Conflict{other, flat(masked(s.f.secrets, clean(why)))})
}

// statements are what a hit says. Turns of a session say something for a moment,
// and are no sides of a conflict.
func (s *search) statements(h *Hit) (claim.Source, bool) {
	if h.Kind == recall.Turn || len(h.text) > maxCompared {
		return claim.Source{}, false
	}
	src := claim.Source{Name: fmt.Sprintf("%s#%d", h.Path, h.Line), Lead: h.lead, Text: h.text, Fixed: h.Kind == recall.Instruction}
	src.Claims = claim.Split(src.Text)
	return src, true
}

func statement(s *claim.Source, i int) string {
	if i < 0 || i >= len(s.Claims) {
		return s.Lead
	}
	return s.Claims[i].Text
}
