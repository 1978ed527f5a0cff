package find

import (
	"dormouse/claim"
	"dormouse/recall"
)

// mostCompared bounds the texts that are compared for one answer, maxCompared
// their size in bytes.
const (
	mostCompared = 24
	maxCompared  = 16 << 10
)

// side is a text that may be one side of a conflict: a hit, or what else came up,
// which is made a hit, and judged, only if it contradicts one.
type side struct {
	hit    int // of the answer; -1: not among them
	found  recall.Hit
	source claim.Source
}

// conflicts brings in the other side of each hit that another text contradicts.
// Only texts that came up for the question are compared: what contradicts a hit
// speaks of the same matter, in nearly the same words.
func (s *search) conflicts(rest []recall.Hit) {
	var sides []side
	for i := range s.answer.Hits {
		h := &s.answer.Hits[i]
		sides = s.withSide(sides, side{hit: i}, h.id, saying{kind: h.Kind, lead: h.lead, text: h.text})
	}
	for i, h := range rest {
		if len(s.answer.Hits)+i >= mostCompared {
			break
		}
		if src := s.of(h.ID); src != nil {
			sides = s.withSide(sides, side{hit: -1, found: h}, h.ID, src.says(h.ID))
		}
	}
	if len(sides) < 2 {
		return // to compare nothing costs the vocabulary
	}
	var sources []claim.Source
	for i := range sides {
		sources = append(sources, sides[i].source)
	}
	for _, p := range claim.Across(sources).Pairs {
		if p.Kind != claim.Conflict {
			continue
		}
		a, b := &sides[p.A], &sides[p.B]
		s.beside(a, b, p.Why)
		s.beside(b, a, claim.Compare(statement(&b.source, p.InB), statement(&a.source, p.InA)).Why)
	}
}

// beside puts a text to a hit that it contradicts, unless it is there, or may not
// be shown.
func (s *search) beside(one, other *side, why string) {
	if one.hit < 0 {
		return
	}
	var text Hit
	if other.hit >= 0 {
		text = s.answer.Hits[other.hit]
	} else {
		var ok bool
		if text, ok = s.hit(other.found); !ok || !text.Loads && !s.q.Held {
			return
		}
	}
	h := &s.answer.Hits[one.hit]
	for _, c := range h.Conflicts {
		if c.Path == text.Path && c.Line == text.Line {
			return
		}
	}
	text.Conflicts = nil
	h.Conflicts = append(h.Conflicts, Conflict{text, flat(masked(s.f.secrets, clean(why)))})
}

// withSide adds a text, of which there are at most mostCompared. Turns of a session
// say something for a moment, and are no sides of a conflict.
func (s *search) withSide(sides []side, one side, id string, t saying) []side {
	if len(sides) == mostCompared || t.kind == "" || t.kind == recall.Turn || len(t.text) > maxCompared {
		return sides
	}
	one.source = claim.Source{Name: id, Lead: t.lead, Text: t.text, Fixed: t.kind == recall.Instruction}
	one.source.Claims = claim.Split(t.text)
	return append(sides, one)
}

func statement(s *claim.Source, i int) string {
	if i < 0 || i >= len(s.Claims) {
		return s.Lead
	}
	return s.Claims[i].Text
}
