package find

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dormouse/note"
	"dormouse/recall"
	"dormouse/trust"
)

// hit reads the note that an index names. What the index says of it counts only
// while it holds just the bytes that were judged.
func (v *view) hit(s *search, h recall.Hit) (Hit, bool) {
	i, ok := v.tab.find(h.ID[keyLen:])
	if !ok {
		return Hit{}, false
	}
	out, n, ok := v.note(i)
	if !ok {
		return out, false
	}
	v.words(s, &out, n)
	return out, true
}

// note reads the note of a row and says whether it may load now.
func (v *view) note(i int) (Hit, *note.Note, bool) {
	r := v.tab.row(i)
	b, err := v.st.Read(r.rel)
	if err != nil {
		return Hit{}, nil, false // it went while it was looked for
	}
	if hash := hashOf(b); v.lazy || hash != r.hash || r.loads && !v.quick && !v.harmless(b) {
		r.judged = v.verdict(b, hash)
	}
	n := note.Parse(b)
	when := r.look.mod
	return Hit{
		Kind: recall.Note, Store: v.st.Dir(), Path: v.path(r.rel), Rel: r.rel,
		Title: cmp.Or(n.Name(), strings.TrimSuffix(r.rel, ".md")), Description: n.Description(), Type: n.Type(),
		Date: dateOf(n, time.Unix(0, when)), Origin: r.origin, Loads: r.loads, Approved: r.approved, Reasons: r.reasons,
	}, n, true
}

// harmless reports whether a text may load whoever wrote it. Where it may not, the
// journal is asked again and no table believed.
func (v *view) harmless(b []byte) bool { return v.guard.Judge(trust.Read(nil), b).Loads }

// words fills in the words around the hit: in the text, else in what it says of
// itself, else its beginning.
func (v *view) words(s *search, h *Hit, n *note.Note) {
	raw := clean(string(n.Bytes()))
	body := clean(string(n.Body()))
	h.lead, h.text = clean(n.Description()), body
	head := len(raw) - len(body)
	text := masked(s.f.secrets, raw)
	if head < 0 || text != raw {
		// What was masked may reach over the border: then the places are others.
		head = max(0, strings.Index(text, firstLine(body)))
	}
	s.excerpt(h, text, min(head, len(text)))
	h.Title, h.Description = flat(masked(s.f.secrets, clean(h.Title))), flat(masked(s.f.secrets, clean(h.Description)))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// excerpt fills in the words around a hit and their line. What stands before head,
// the front matter, counts only where the rest has none of the question's words.
func (s *search) excerpt(h *Hit, text string, head int) {
	for _, part := range []struct{ from, to int }{{head, len(text)}, {0, head}} {
		if ex, at, stand := s.terms.around(text[part.from:part.to], s.q.Excerpt); at >= 0 {
			h.Excerpt, h.Line, h.Words = ex, lineAt(text, part.from+at), stand
			return
		}
	}
	start := head
	for start < len(text) && strings.ContainsRune(" \t\r\n", rune(text[start])) {
		start++
	}
	if start == len(text) {
		start = 0
	}
	h.Excerpt, h.Line, h.Words = window(text[start:], 0, s.q.Excerpt), lineAt(text, start), []string{}
}

// standing are the newest notes on the user and on how to work.
func (v *view) standing(s *search, n int) (list []Hit, all int) {
	type at struct {
		row int
		mod int64
	}
	var rows []at
	for i := range v.tab.len() {
		if f := v.tab.flags(i); f&flagStanding != 0 && (v.lazy || f&flagLoads != 0) {
			rows = append(rows, at{i, v.tab.lookOf(i).mod})
		}
	}
	slices.SortFunc(rows, func(a, b at) int { return cmp.Or(cmp.Compare(b.mod, a.mod), cmp.Compare(a.row, b.row)) })
	all = len(rows)
	for _, r := range rows {
		if len(list) == n {
			break
		}
		h, note, ok := v.note(r.row)
		if !ok || !h.Loads {
			all--
			continue
		}
		v.words(s, &h, note)
		list = append(list, h)
	}
	return list, all
}

func (v *view) report(a *Answer) {
	a.Problems = append(a.Problems, v.problems...)
	a.Unread += v.unread
	if v.cache != nil && a.Uncached == nil {
		a.Uncached = v.cache.err
	}
}

func (v *view) close() { v.cache.close() }

// drop leaves an empty view, of a store that can't be looked through.
func (v *view) drop() {
	v.tab, v.segs, v.alive, v.held = &table{}, nil, nil, nil
}
