package extract

import (
	"strings"
)

// gate tells why a sentence is not kept though a rule matched, "" where it is.
func (s *sentence) gate(h hit) string {
	sure := tier(h.p.rule) < 2
	retract := h.p.rule.kind == Retraction
	if !h.p.rule.asked && s.asks(h) {
		return "a question"
	}
	if s.onlyWhy(h) {
		return "a reason"
	}
	if s.atHand(h) {
		return "a task"
	}
	end := s.reason(h.from)
	for _, id := range s.candidates() {
		p := s.l.patterns[id]
		if p.rule.conf != 0 || strings.HasPrefix(string(p.rule.kind), "date ") {
			continue
		}
		why := string(p.rule.kind)
		early := sure && !retract && why == "hypothesis" // maybe remember
		if !early && !gates(why, sure, retract) || h.p.rule.excuses(why) {
			continue
		}
		for _, at := range s.gatePlaces(p, h, why) {
			if g, ok := s.match(p, at); ok && g.start < end && (!early || g.start < h.start) && !(why == "question" && g.start == h.start && h.from > h.start) {
				return why
			}
		}
	}
	return ""
}

// gates tells whether a reason to drop counts for a rule. What somebody asks to
// remember in so many words is theirs, wherever they have it from.
func gates(why string, sure, retract bool) bool {
	switch why {
	case "one-off", "not wanted":
		return !retract
	case "question":
		return !retract
	case "task":
		return !sure
	}
	return !sure
}

// excuses tells whether a reason to drop is the form that a rule is for.
func (r *rule) excuses(why string) bool {
	switch why {
	case "question":
		return r.asked
	case "hypothesis":
		return r.wish
	case "narrative":
		return r.blunt
	case "errand": // a date or a place in what is to be done now
		return r.kind != Deadline && r.kind != Pointer && r.kind != Fact
	case "turned down":
		return !r.offered || !r.weak
	case "task":
		return r.offered // the second one
	}
	return false
}

// onlyWhy tells whether what was hit stands behind "because": it says why something
// is asked for, and the thing itself was no rule.
func (s *sentence) onlyWhy(h hit) bool {
	switch h.p.rule.kind {
	case Fact, Who, Pointer, Deadline:
	case Explicit:
		if tier(h.p.rule) < 2 {
			return false
		}
	default:
		return false
	}
	for i := s.first + 1; i < h.start; i++ {
		if end, ok := s.phraseAt("because", i); ok && end <= h.start {
			return true
		}
	}
	return false
}

// gatePlaces are the tokens at which a reason to drop is looked for: of one that
// tells how a clause begins the first clause and the one that was hit, else all.
func (s *sentence) gatePlaces(p *pattern, h hit, why string) []int {
	if p.anchor {
		if why == "question" || why == "task" {
			return append([]int{s.first}, s.leads...)
		}
		out := []int{s.first}
		for i := s.first + 1; i <= h.from && i < len(s.toks); i++ {
			if s.clause[i] {
				out = append(out, i)
			}
		}
		return out
	}
	all := make([]int, 0, len(s.toks))
	for i := s.first; i < len(s.toks); i++ {
		all = append(all, i)
	}
	return all
}

// reason is the token at which a sentence stops saying what holds and begins to
// say why: what follows was once, and is no ground to drop it.
func (s *sentence) reason(from int) int {
	for i := from; i < len(s.toks); i++ {
		if _, ok := s.phraseAt("reason", i); ok && i > from {
			return i
		}
		if i >= from+2 && s.toks[i].comma && i+1 < len(s.toks) && (s.l.has("pron", s.toks[i+1].norm) || s.l.has("subject", s.toks[i+1].norm)) {
			return i + 1
		}
	}
	return len(s.toks)
}

// asks tells a question from a request in the form of one.
func (s *sentence) asks(h hit) bool {
	raw := strings.TrimRight(s.raw, " )\"”»:;'")
	if !strings.HasSuffix(raw, "?") {
		return false
	}
	for i := max(0, h.start-3); i <= h.start; i++ {
		if s.l.has("ask", s.toks[i].norm) && i+1 < len(s.toks) && s.l.has("you", s.toks[i+1].norm) {
			return false
		}
	}
	last := s.toks[len(s.toks)-1].norm
	return !s.l.has("tail", last) || last == "right"
}

func (s *sentence) colonBefore(at int) bool {
	for i := 0; i < at && i < len(s.toks); i++ {
		if s.toks[i].colon {
			return true
		}
	}
	return false
}

// ledIn tells whether a colon stands before what was hit, and before that where it
// comes from, in any language: from the wiki: always use tabs.
func (p *prompt) ledIn(h *hitIn) bool {
	source := false
	for i := 0; i < h.start; i++ {
		t := &h.s.toks[i]
		for _, l := range p.r.languages {
			source = source || l.has("source", t.norm) && !l.has("weak", t.norm)
		}
		if source && t.colon {
			return true
		}
	}
	return false
}

// named tells whether a sentence names something of the code at hand.
func (s *sentence) named(from, end int) bool {
	for i := from; i < end && i < len(s.toks); i++ {
		if t := &s.toks[i]; !t.opaque && local(t.norm, s.raw[t.start:t.end]) {
			return true
		}
	}
	return false
}

// atHand tells whether a sentence is about the code at hand: it names a function or
// a source file, and nothing in it says that it holds for longer.
func (s *sentence) atHand(h hit) bool {
	if tier(h.p.rule) < 2 || h.p.rule.kind == Pointer {
		return false
	}
	return s.named(s.first, s.reason(h.from)) && (!s.hasAny("here") && !s.hasAny("onwards") || s.hasAny("ours"))
}
