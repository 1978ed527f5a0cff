package dream

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/claim"
)

// An edge is how a statement relates to another one of another note.
type edge struct {
	to   *cell // nil: of an instruction
	kind claim.Kind
	more bool // the other one says more
	sure bool // of a contradiction: that both can hold has been looked at
	why  string
	at   Place // of an instruction
}

// web is how the statements of all notes relate.
type web struct {
	edges map[*cell][]edge
	same  map[string][]*cell // by their words
	keys  map[*cell]string
	tolds map[*cell]*told
}

// relate compares the statements of all notes with each other, and with the
// instructions. What a note is called in the folder counts for nothing.
func (d *desk) relate() *web {
	w := &web{edges: map[*cell][]edge{}, same: map[string][]*cell{}, keys: map[*cell]string{}, tolds: map[*cell]*told{}}
	var live []*leaf
	sources := make([]claim.Source, 0, len(d.leaves)+len(d.in.Fixed))
	for _, l := range d.leaves {
		if !l.live() {
			continue
		}
		live = append(live, l)
		sources = append(sources, claim.Source{
			Name: fmt.Sprintf("%08d", len(live)), Lead: about(l), Text: l.body(),
		})
		for _, c := range l.cells {
			k := key(c.text)
			w.keys[c] = k
			w.same[k] = append(w.same[k], c)
		}
	}
	for _, f := range d.in.Fixed {
		f.Fixed = true
		f.Name = "~" + f.Name // behind the notes
		sources = append(sources, f)
	}
	found := claim.Across(sources)
	for _, p := range found.Pairs {
		d.pair(w, live, sources, p)
	}
	for _, t := range found.Twins { // whose statements are not told one by one
		if t.A < len(live) && t.B < len(live) && t.Kind != claim.Exact {
			w.twins(live[t.A], live[t.B])
		}
	}
	w.nearby(live, d.in.Fixed)
	return w
}

// maxTwin is how many statements of a note are compared one by one.
const maxTwin = 24

// twins relates the statements of two notes that say the same as wholes.
func (w *web) twins(a, b *leaf) {
	for _, x := range a.cells[:min(len(a.cells), maxTwin)] {
		for _, y := range b.cells[:min(len(b.cells), maxTwin)] {
			if w.keys[x] == w.keys[y] {
				continue
			}
			r := claim.Compare(x.text, y.text)
			if r.Kind == claim.Same || r.Kind == claim.Within || r.Kind == claim.Exact {
				w.edges[x] = append(w.edges[x], edge{to: y, kind: r.Kind, more: r.More == 2, why: r.Why})
				w.edges[y] = append(w.edges[y], edge{to: x, kind: r.Kind, more: r.More == 1, why: r.Why})
			}
		}
	}
}

// about is what a note says that it is about: its name only counts where it says
// nothing else.
func about(l *leaf) string {
	if s := l.note.Description(); s != "" {
		return s
	}
	return strings.NewReplacer("-", " ", "_", " ").Replace(l.note.Name())
}

func (d *desk) pair(w *web, live []*leaf, sources []claim.Source, p claim.Pair) {
	if p.InA < 0 || p.InB < 0 || p.A >= len(live) {
		return // what a note is about is not one of its statements
	}
	a := live[p.A].cell(p.InA)
	if a == nil || p.Kind == claim.Exact {
		if p.B < len(live) || a == nil {
			return
		}
	}
	if p.B >= len(live) {
		f := sources[p.B]
		claims := claim.Split(f.Text)
		if p.InB < len(claims) {
			c := claims[p.InB]
			at := Place{File: strings.TrimPrefix(f.Name, "~"), Line: c.Line, Claim: c.Text}
			w.edges[a] = append(w.edges[a], edge{kind: p.Kind, more: p.More == 2, why: p.Why, at: at})
		}
		return
	}
	b := live[p.B].cell(p.InB)
	if b == nil {
		return
	}
	w.edges[a] = append(w.edges[a], edge{to: b, kind: p.Kind, more: p.More == 2, why: p.Why})
	w.edges[b] = append(w.edges[b], edge{to: a, kind: p.Kind, more: p.More == 1, why: p.Why})
}

func (l *leaf) cell(i int) *cell {
	if i < 0 || i >= len(l.cells) {
		return nil
	}
	return l.cells[i]
}

// others are the statements that say what c says, in as many words, in other
// notes.
func (w *web) others(c *cell) []*cell {
	var out []*cell
	for _, o := range w.same[w.keys[c]] {
		if o.leaf != c.leaf && !o.gone && o.leaf.live() && (c.leaf.soft || !o.leaf.soft) {
			out = append(out, o)
		}
	}
	return out
}

// covers are the statements of other notes that say all that c says, the best
// first.
func (w *web) covers(c *cell) []*cell {
	out := w.others(c)
	for _, e := range w.edges[c] {
		if e.to == nil || e.to.gone || !e.to.leaf.live() || e.to.leaf == c.leaf || e.to.leaf.soft && !c.leaf.soft || slices.Contains(out, e.to) {
			continue
		}
		said := e.kind == claim.Same || e.kind == claim.Exact || e.kind == claim.Within && e.more
		if said && within(c.text, e.to.text) && !otherThing(c.text, e.to.text) && w.allSaid(c, e.to) {
			out = append(out, e.to)
		}
	}
	return out
}

// apart reports whether what two notes are about relates in one of some ways that
// make them different matters, whatever their statements look like: one of staging,
// one of production. A description that only says what the text says anyway tells
// nothing.
func apart(a, b *leaf, ways ...claim.Kind) bool {
	x, y := a.note.Description(), b.note.Description()
	if x == "" || y == "" || says(a.body(), x) && says(b.body(), y) {
		return false
	}
	return slices.Contains(ways, claim.Compare(x, y).Kind)
}

// says reports whether all words of a text stand in another.
func says(body, text string) bool {
	have := map[string]bool{}
	for _, t := range strings.Fields(key(body)) {
		have[t] = true
	}
	for _, t := range strings.Fields(key(strings.TrimSuffix(text, "…"))) {
		if !have[t] {
			return false
		}
	}
	return true
}
