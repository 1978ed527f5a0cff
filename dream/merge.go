package dream

import (
	"slices"
	"strings"

	"dormouse/claim"
)

// duplicates lets notes that others say as well go into them. The least trusted
// and oldest go first, so what stays is the best and newest of those that say the
// same.
func (d *desk) duplicates(w *web) {
	for pass := range 2 {
		for _, l := range slices.Backward(d.leaves) {
			if l.live() && !l.fixed && l.said == (pass == 0) && len(l.cells) > 0 {
				d.duplicate(w, l)
			}
		}
	}
}

func (d *desk) duplicate(w *web, l *leaf) {
	main := l.cells[0]
	for _, c := range l.cells {
		if !dependent(c.text) && !strings.HasSuffix(c.text, ":") {
			main = c
			break
		}
	}
	for _, m := range w.covers(main) {
		if d.mayTake(l, m.leaf) && d.absorb(w, l, m.leaf) {
			return
		}
	}
	d.dropCopies(w, l)
}

// mayTake reports whether a note may go into another one.
func (d *desk) mayTake(l, into *leaf) bool {
	if into == l || !into.live() || into.soft && !l.soft || apart(l, into, claim.Complement, claim.Conflict) {
		return false
	}
	return l.said || tier(into.origin) >= tier(l.origin)
}

// absorb lets a note go into another one that says its main statement. What only
// it says comes along, if that is a little, and of the same standing.
func (d *desk) absorb(w *web, l, into *leaf) bool {
	by := map[*cell]*cell{}
	var extra []int
	for i, c := range l.cells {
		covers := w.covers(c)
		at := slices.IndexFunc(covers, func(o *cell) bool { return o.leaf == into })
		switch {
		case at >= 0:
			by[c] = covers[at]
		case len(covers) > 0 && !dependent(c.text) && !strings.HasSuffix(c.text, ":") && tier(covers[0].leaf.origin) >= tier(l.origin) && !apart(l, covers[0].leaf, claim.Complement, claim.Conflict):
			by[c] = covers[0]
		default:
			extra = append(extra, i)
		}
	}
	claims := claim.Split(l.body())
	for _, line := range residue(l.body(), claims) {
		if !strings.Contains(into.body(), line) {
			return false
		}
	}
	if len(extra) > 0 && !d.bringAlong(l, into, claims, extra) {
		return false
	}
	moved := map[*cell]bool{}
	for _, i := range extra {
		moved[l.cells[i]] = true
	}
	for _, c := range l.cells {
		if moved[c] {
			c.row.Why = "the note went into " + into.rel + ", which says the rest of it"
			continue
		}
		o := by[c]
		c.end(Merged, "another note says it", o)
		c.into = o
	}
	d.away(l, [][2]string{{fieldInto, slugOf(into)}}, into)
	if !l.said || tier(into.origin) >= tier(l.origin) {
		into.cite(l)
	}
	d.touched[into] = true
	return true
}

// The most that comes along when a note goes into another one.
const (
	maxExtra = 6       // statements
	maxBody  = 4 << 10 // bytes of the text that they come into
)

// bringAlong adds statements of one note to another.
func (d *desk) bringAlong(l, into *leaf, claims []claim.Claim, extra []int) bool {
	if l.said || into.fixed || l.soft != into.soft || tier(l.origin) != tier(into.origin) || len(extra) > maxExtra || len(extra) >= len(l.cells) || into.note.Type() != l.note.Type() || !plainText(into.body()) {
		return false
	}
	body := l.body()
	var add strings.Builder
	var cells []*cell
	for _, i := range extra {
		c := claims[i]
		start, end, whole := span(body, c)
		text := strings.TrimSpace(body[c.Start:c.End])
		if whole {
			text = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(body[start:end]), "> "))
		}
		if len(into.cells) > 1 && pronoun(text) {
			return false // what it stands for would stay behind
		}
		if c.Under != "" || strings.HasPrefix(text, "|") {
			return false // its heading would stay behind
		}
		add.WriteString("\n" + text + "\n")
		cells = append(cells, l.cells[i])
	}
	next := strings.TrimRight(into.body(), "\r\n") + "\n" + add.String()
	if len(next) > maxBody {
		return false
	}
	for i, c := range claim.Split(next) {
		if i < len(into.cells) && key(c.Text) != key(into.cells[i].text) {
			return false // what was added would be read as a part of what stood there
		}
	}
	return into.takeWith(l, next, append(slices.Clone(into.cells), cells...))
}

// dropCopies takes statements out of a note that another one says as well, as long as the note keeps some of its own.
func (d *desk) dropCopies(w *web, l *leaf) {
	drop, by := map[int]bool{}, map[*cell]*cell{}
	own := 0
	claims := claim.Split(l.body())
	if len(claims) != len(l.cells) || !listed(l.body()) {
		return // what is no list reads worse without one of its sentences
	}
	for i, c := range l.cells {
		if dependent(c.text) || strings.HasSuffix(c.text, ":") {
			continue
		}
		covers := w.covers(c)
		at := slices.IndexFunc(covers, func(o *cell) bool {
			return tier(o.leaf.origin) >= tier(l.origin) && !apart(l, o.leaf, claim.Complement, claim.Conflict) && !dependsOn(l, claims, i)
		})
		if at >= 0 && tellsAll(c.text) {
			drop[i], by[c] = true, covers[at]
			continue
		}
		own++
	}
	if len(drop) == 0 || own == 0 {
		return
	}
	gone, ok := l.without(drop)
	if !ok {
		return
	}
	for _, c := range gone {
		c.end(Merged, "another note says it", by[c])
		c.into = by[c]
		d.keepPart(l, c, [][2]string{{fieldInto, slugOf(by[c].leaf)}})
	}
	d.takeAlong()
	d.touched[l] = true
}

// tellsAll reports whether a statement says by itself what it is about.
func tellsAll(text string) bool {
	const enough = 4 // words
	toks := plainWords(text)
	named := slices.ContainsFunc(toks, func(t string) bool { return strings.Contains(t, "-") || hard(t) && !valued(t) })
	return len(toks) >= enough || len(toks) >= fewWords && named && slices.ContainsFunc(toks, valued)
}

// dependsOn reports whether the statement behind one only means something beside
// it.
func dependsOn(l *leaf, claims []claim.Claim, i int) bool {
	return i+1 < len(l.cells) && (dependent(l.cells[i+1].text) || leans(l.body(), claims, i+1) || goesAlong(l.body(), claims, i+1))
}
