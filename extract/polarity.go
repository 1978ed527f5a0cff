package extract

// denied brings back a denial that a pattern left in front of what it keeps: of
// "make sure to never log tokens" no more than "log tokens" may not be kept. lost is
// true where it can't be brought back, and the text would say the opposite.
//
// What is no denial of what follows stays away: "no, use pnpm", "don't forget that".
func (s *sentence) denied(h hit) (from int, lost bool) {
	if h.p.rule.kind == Retraction || s.deniedBy(h.p.say) {
		return h.from, false
	}
	for i := s.clauseOf(h); i < h.from; i++ {
		if end, ok := s.phraseAt("undenied", i); ok {
			i = end - 1
			continue
		}
		end, ok := s.phraseAt("denial", i)
		if !ok {
			continue
		}
		if s.toks[end-1].comma && end < h.from {
			continue // of the clause before
		}
		if s.near(end, h.from) {
			return i, false
		}
		return h.from, true
	}
	return h.from, false
}

// clauseOf is the first token of the part of the sentence that leads to what is kept.
// "Stop" in front of it is more than a greeting, and what a clause with "that" hangs
// on belongs to it.
func (s *sentence) clauseOf(h hit) int {
	start := max(h.start, s.first)
	if start < len(s.toks) && start > 0 {
		if s.l.has("that", s.toks[start].norm) || s.l.has("that", s.toks[start-1].norm) {
			return s.first
		}
	}
	for start > 0 && start <= len(s.toks) && !s.toks[start-1].comma && s.l.has("halt", s.toks[start-1].norm) {
		start--
	}
	return start
}

// near tells whether between two tokens nothing stands but words of how often.
func (s *sentence) near(from, to int) bool {
	for from < to {
		end, ok := s.phraseAt("ever", from)
		if !ok {
			return false
		}
		from = end
	}
	return from == to
}

// deniedBy tells whether the words that a rule puts around a text deny it.
func (s *sentence) deniedBy(say string) bool {
	if say == "" {
		return false
	}
	f := s.l.readSentence(say, 0, tokens(say), nil)
	return f.hasAny("denial")
}
