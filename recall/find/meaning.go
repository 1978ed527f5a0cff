package find

import (
	"context"
	"strconv"
	"strings"

	"dormouse/note"
	"dormouse/recall"
	"dormouse/recall/embed"
)

// meantFrom is how many of what was found by words are compared by meaning, too:
// a server is sent so many texts at most for a question.
const meantFrom = 50

// byMeaning reorders the best of what was found, where the person has named an
// embedder. Where that fails the order by words stands.
func (s *search) byMeaning(ctx context.Context, found []recall.Hit) []recall.Hit {
	r := s.f.conf.Embed
	if r == nil || len(found) < 2 {
		return found
	}
	head := found[:min(len(found), meantFrom)]
	texts := make([]string, len(head))
	for i, h := range head {
		if src := s.of(h.ID); src != nil {
			t := src.says(h.ID)
			texts[i] = masked(s.f.secrets, strings.TrimSpace(strings.Join([]string{t.title, t.lead, t.text}, "\n")))
		}
	}
	near, kept, err := r.Near(ctx, masked(s.f.secrets, clean(s.q.Text)), texts)
	if kept != nil && s.answer.Uncached == nil {
		s.answer.Uncached = kept
	}
	if err != nil {
		s.answer.Problems = append(s.answer.Problems, err)
		return found
	}
	order, scores := embed.Fuse(near, r.Weight)
	out := make([]recall.Hit, 0, len(found))
	for i, from := range order {
		h := head[from]
		h.Score = scores[i]
		if i < from {
			h.Why = append(cloned(h.Why), WhyMeant)
		}
		out = append(out, h)
	}
	for i, h := range found[len(head):] {
		h.Score = embed.WordScore(len(head) + i)
		out = append(out, h)
	}
	return out
}

// WhyMeant is a Hit's Why where the embedder moved it up.
const WhyMeant = "near in meaning"

func (v *view) says(id string) saying {
	b, err := v.st.Read(id[keyLen:])
	if err != nil {
		return saying{} // it went while it was looked for
	}
	n := note.Parse(b)
	return saying{recall.Note, clean(titleOf(id[keyLen:], n)), clean(n.Description()), clean(string(n.Body()))}
}

func (in *instructions) says(id string) saying {
	if sec, ok := in.sections[id]; ok {
		return saying{kind: recall.Instruction, text: sec.text}
	}
	return saying{}
}

func (l *logs) says(id string) saying {
	one, n := l.turnOf(id)
	if one == nil {
		return saying{}
	}
	return saying{kind: recall.Turn, text: one.file.turn(n).text}
}

// turnOf is the log and the number that an ID names; nil where there is none.
func (l *logs) turnOf(id string) (*sessionLog, int) {
	key, number, _ := strings.Cut(id[keyLen:], "/")
	one := l.byKey[key]
	n, err := strconv.Atoi(number)
	if one == nil || err != nil || n < 0 || n >= one.file.len() {
		return nil, 0
	}
	return one, n
}
