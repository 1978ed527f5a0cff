package recall

import (
	"cmp"
	"slices"
)

// A GroupHit is a session that answers a question.
type GroupHit struct {
	Group string
	Score float64 // comparable within one answer only
	Best  string  // the ID of its best turn
}

// SearchGroups answers a question with sessions instead of turns: by the words of
// the whole session and by its best turns, each of half the weight.
func SearchGroups(q Query, parts []Part) []GroupHit {
	s := newSearch(q, parts)
	if len(s.question.terms) == 0 || s.docs == 0 {
		return nil
	}
	s.sessionsAsked = true
	s.score()
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	all := s.rankGroups()
	return all[:min(limit, len(all))]
}

// groupScores returns the BM25 score of each group of turns of each part, as if a
// group were one document, and the best of them.
func (s *search) groupScores() (scores [][]float32, top float32) {
	groups, length := 0, 0
	for _, p := range s.parts {
		if p.Index.turns == 0 {
			continue
		}
		for g := range p.Index.groups {
			if _, n, session := p.Index.groupOf(g); session {
				groups++
				length += n
			}
		}
	}
	average := float32(length) / float32(max(groups, 1))
	scores = make([][]float32, len(s.parts))
	for i, p := range s.parts {
		if p.Index.turns > 0 {
			scores[i] = make([]float32, p.Index.groups)
		}
	}
	type count struct {
		group  int
		weight float32
	}
	counts := make([][]count, len(s.parts))
	for _, t := range slices.Concat(s.question.terms, s.added) {
		holding := 0
		for i, p := range s.parts {
			counts[i] = counts[i][:0]
			if scores[i] == nil || t.numbers[i] < 0 {
				continue
			}
			last := -1
			p.Index.walk(t.numbers[i], func(doc int, w uint8) {
				g := p.Index.group(doc)
				if !p.Index.isTurn(doc) {
					return
				}
				if g != last && g < p.Index.groups {
					counts[i] = append(counts[i], count{group: g})
					last = g
				}
				if g == last {
					counts[i][len(counts[i])-1].weight += float32(w)
				}
			})
			holding += len(counts[i])
		}
		weight := float32(t.weight * idf(groups, holding) * (k1 + 1))
		for i := range s.parts {
			for _, c := range counts[i] {
				_, n, _ := s.parts[i].Index.groupOf(c.group)
				norm := inProse * k1 * (1 - b + b*float32(n)/max(average, 1))
				scores[i][c.group] += weight * c.weight / (c.weight + norm)
				top = max(top, scores[i][c.group])
			}
		}
	}
	return scores, top
}

// sessions adds to each turn what its session says of the question.
func (s *search) sessions(best float32) {
	if s.sessionCount() < groupLeast {
		return
	}
	groups, top := s.groupScores()
	if top == 0 {
		return
	}
	for i, p := range s.parts {
		if groups[i] == nil {
			continue
		}
		for j := range s.scores[i] {
			e := &s.scores[i][j]
			if g := p.Index.group(int(e.doc)); p.Index.isTurn(int(e.doc)) && g < len(groups[i]) {
				e.score += groupGain * best * groups[i][g] / top
			}
		}
	}
}

// sessionCount returns how many sessions there are in all parts.
func (s *search) sessionCount() int {
	n := 0
	for _, p := range s.parts {
		if p.Index.turns == 0 {
			continue
		}
		for g := range p.Index.groups {
			if _, _, session := p.Index.groupOf(g); session {
				n++
			}
		}
	}
	return n
}

// rankGroups returns the groups by score.
func (s *search) rankGroups() []GroupHit {
	groups, top := s.groupScores()
	if top == 0 {
		return nil
	}
	best := float32(0)
	for _, scores := range s.scores {
		for _, e := range scores {
			best = max(best, e.score)
		}
	}
	var all []GroupHit
	for i, p := range s.parts {
		if groups[i] == nil {
			continue
		}
		first := make([]found, p.Index.groups)
		second := make([]float32, p.Index.groups)
		for _, e := range s.scores[i] {
			doc, score := int(e.doc), e.score
			g := p.Index.group(doc)
			if g >= len(first) || !p.Index.isTurn(doc) || !s.wanted(i, doc) {
				continue
			}
			if score > first[g].score {
				second[g] = first[g].score
				first[g] = found{i, doc, score}
			} else {
				second[g] = max(second[g], score)
			}
		}
		for g, f := range first {
			if f.score == 0 {
				continue
			}
			name, _, _ := p.Index.groupOf(g)
			all = append(all, GroupHit{
				Group: string(name), Best: p.Index.ID(f.doc),
				Score: float64(groups[i][g]/top + (f.score+second[g]/2)/best),
			})
		}
	}
	slices.SortFunc(all, func(x, y GroupHit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Group, y.Group), cmp.Compare(x.Best, y.Best))
	})
	// A session may go on in another part.
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(h GroupHit) bool {
		again := seen[h.Group]
		seen[h.Group] = true
		return again
	})
}
