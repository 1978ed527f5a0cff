package dream

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/note"
)

// standing is whose word a statement is, and of which day it is. Of the same
// statement in several notes the best tier counts, and in it the last day.
type standing struct {
	tier int
	day  string
}

func (w *web) standing(c *cell) standing {
	s := standing{tier(c.leaf.origin), c.leaf.day()}
	look := func(o *cell) {
		t := standing{tier(o.leaf.origin), o.leaf.day()}
		if t.tier > s.tier || t.tier == s.tier && t.day > s.day {
			s = t
		}
	}
	for _, o := range w.others(c) {
		look(o)
	}
	for _, e := range w.edges[c] {
		if e.to != nil && e.kind == claim.Same && !e.to.gone && e.to.leaf.live() && (c.leaf.soft || !e.to.leaf.soft) && within(c.text, e.to.text) && within(e.to.text, c.text) {
			look(e.to)
		}
	}
	return s
}

// contradictions decides between statements that can't both hold: whose word is
// trusted more stands, then the newer one. Between equals nobody decides.
func (d *desk) contradictions(w *web) {
	type loss struct{ c, winner *cell }
	var lost []loss
	for _, l := range d.leaves {
		if !l.live() {
			continue
		}
		for _, c := range l.cells {
			if winner := d.beaten(w, c); winner != nil {
				lost = append(lost, loss{c, winner})
			}
		}
	}
	losing := map[*cell]*cell{}
	for _, x := range lost {
		losing[x.c] = x.winner
	}
	byLeaf := map[*leaf]map[int]bool{}
	for _, x := range lost {
		for i, c := range x.c.leaf.cells {
			if c == x.c {
				if byLeaf[x.c.leaf] == nil {
					byLeaf[x.c.leaf] = map[int]bool{}
				}
				byLeaf[x.c.leaf][i] = true
			}
		}
	}
	for _, l := range d.leaves {
		if byLeaf[l] != nil {
			d.supersede(l, byLeaf[l], losing)
		}
	}
}

// beaten is the statement that takes c's place; nil for none.
func (d *desk) beaten(w *web, c *cell) *cell {
	var best *cell
	mine := w.standing(c)
	for _, e := range w.edges[c] {
		if e.kind != claim.Conflict {
			continue
		}
		if e.to == nil {
			d.undecided(c, e, "it is for a person to change "+e.at.File+" or the note")
			continue
		}
		if e.to.gone || !e.to.leaf.live() || !e.sure && bothHold(c.text, e.to.text) || !w.opposed(c, e.to, e.sure) || apart(c.leaf, e.to.leaf, claim.Complement) {
			continue
		}
		theirs := w.standing(e.to)
		switch {
		case w.instructed(c, e.to):
			d.undecided(c, e, "the instructions say what one of them says, and only a person may decide against them")
		case c.leaf.soft || e.to.leaf.soft:
			d.undecided(c, e, "one of them waits for a review")
		case c.leaf.fixed && (theirs.tier > mine.tier || theirs.tier == mine.tier && theirs.day > mine.day):
			d.undecided(c, e, "the note is pinned")
		case theirs.tier > mine.tier, theirs.tier == mine.tier && theirs.day > mine.day:
			if best == nil || better(w, e.to, best) {
				best = e.to
			}
		case theirs == mine:
			d.undecided(c, e, "both are of "+mine.day+", so neither comes first")
		}
	}
	return best
}

// instructed reports whether the instructions say what a says, or contradict b.
func (w *web) instructed(a, b *cell) bool {
	for _, e := range w.edges[a] {
		if e.to == nil && (e.kind == claim.Exact || e.kind == claim.Same || e.kind == claim.Within) {
			return true
		}
	}
	return slices.ContainsFunc(w.edges[b], func(e edge) bool { return e.to == nil && e.kind == claim.Conflict })
}

func better(w *web, a, b *cell) bool {
	x, y := w.standing(a), w.standing(b)
	return cmp.Or(cmp.Compare(x.tier, y.tier), strings.Compare(x.day, y.day), strings.Compare(w.keys[b], w.keys[a])) > 0
}

// undecided notes a contradiction that stays, once.
func (d *desk) undecided(c *cell, e edge, left string) {
	a, b := c.row.place(), e.at
	if e.to != nil {
		b = e.to.row.place()
		if b.key() < a.key() {
			a, b = b, a
		}
	}
	k := a.key() + "\x00" + b.key()
	if _, ok := d.conflicts[k]; !ok {
		d.conflicts[k] = Conflict{A: a, B: b, Why: e.why, Left: left}
	}
}

// supersede takes statements out of a note whose place others took. A note of
// which nothing stays that stands by itself goes as a whole.
func (d *desk) supersede(l *leaf, drop map[int]bool, winner map[*cell]*cell) {
	claims := claim.Split(l.body())
	for i, c := range l.cells {
		if i > 0 && drop[i-1] && !drop[i] && (leans(l.body(), claims, i) || goesAlong(l.body(), claims, i)) {
			drop[i], winner[c] = true, winner[l.cells[i-1]]
		}
	}
	rest := 0
	for i, c := range l.cells {
		if !drop[i] && !dependent(c.text) {
			rest++
		}
	}
	var first *cell
	for i, c := range l.cells {
		if drop[i] && first == nil {
			first = c
		}
	}
	by := winner[first]
	if rest == 0 {
		for i, c := range l.cells {
			win, why := winner[c], "a newer or better trusted statement says otherwise"
			if !drop[i] {
				win, why = by, "it belongs to a statement that no longer holds"
			}
			c.end(Superseded, why, win)
		}
		d.away(l, [][2]string{{fieldUntil, by.leaf.day()}, {fieldBy, slugOf(by.leaf)}}, by.leaf)
		return
	}
	gone, ok := l.without(drop)
	if !ok {
		for i, c := range l.cells {
			if drop[i] {
				d.undecided(c, edge{to: winner[c], why: "it stands in a text that can't be taken apart"}, "change "+l.rel+" by hand")
			}
		}
		return
	}
	for _, c := range gone {
		win := winner[c]
		c.end(Superseded, "a newer or better trusted statement says otherwise", win)
		d.keepPart(l, c, [][2]string{{fieldUntil, win.leaf.day()}, {fieldBy, slugOf(win.leaf)}})
	}
	d.touched[l] = true
}

// leans reports whether a statement goes on with the one before it, on the same
// line and without naming anything itself: "We switched yesterday."
func leans(body string, claims []claim.Claim, i int) bool {
	if i >= len(claims) || claims[i].Start < claims[i-1].End || strings.Contains(body[claims[i-1].End:claims[i].Start], "\n") {
		return false
	}
	text := claims[i].Text
	if dependent(text) {
		return true
	}
	const few = 3 // words that name something
	n := 0
	toks := plainWords(text)
	if len(toks) > 0 && !hasAny(toks[:1], goingOn) {
		return false // it has a subject of its own
	}
	for _, t := range toks {
		switch low := strings.ToLower(t); {
		case strings.HasPrefix(t, "20") && strings.Count(t, "-") == 2, claim.Counts(low), strings.Contains(timeWords, " "+low+" "):
		case hard(t) || strings.Contains(t, "-"):
			return false
		case len([]rune(low)) > 3 && !draft.Grammatical(low):
			n++
		}
	}
	return n < few
}

// goingOn are the words with which a sentence goes on with the one before it.
const goingOn = ` we i he she it they this that these those so then since before after switched moved changed renamed done ми я він вона воно вони це тому потім перейшли перенесли змінили `

const timeWords = ` last next this week month year quarter day days weeks months ago now since then today yesterday recently минулого минулої наступного тижня тиждень місяця року день днів тому тепер нещодавно вчора `

// end is the end of a statement: another one decided.
func (c *cell) end(f Fate, why string, by *cell) {
	c.gone = true
	c.row.fate(f)
	c.row.Why, c.row.Gone = why, true
	if by != nil {
		p := by.row.place()
		c.row.By = &p
	}
}

// away moves a whole note into the archive; to is the note that stands for it.
func (d *desk) away(l *leaf, fields [][2]string, to *leaf) {
	l.out = true
	for _, f := range l.fields {
		f.Gone = true
		f.fate(l.cellFate())
		for _, c := range l.cells {
			if c.gone {
				f.Why, f.By = c.row.Why, c.row.By
				break
			}
		}
	}
	d.moved[l.rel] = to
	if l.said && l.cellFate() == Merged {
		return // it never was a file, and one says it
	}
	b := l.note.Bytes()
	for _, f := range fields {
		if next, err := note.Parse(b).Set(f[0], f[1]); err == nil {
			b = next
		}
	}
	rel := d.archiveName(l.rel)
	d.archive = append(d.archive, Archive{Rel: rel, Bytes: b, Of: l.first(), Whole: true})
	for _, c := range l.cells {
		if c.gone {
			d.into[c] = rel
		}
	}
	for _, f := range l.fields {
		f.To = rel
	}
}

// cellFate is what became of most of a note that went.
func (l *leaf) cellFate() Fate {
	for _, c := range l.cells {
		if c.gone {
			return c.row.Fate
		}
	}
	return Archived
}

// keepPart puts one statement of a note into the archive.
func (d *desk) keepPart(l *leaf, c *cell, fields [][2]string) {
	d.lost[l] = append(d.lost[l], c.text)
	if l.said && c.row.Fate == Merged {
		return
	}
	f := note.Fields{Name: "from-" + slugOf(l), Description: note.Clip(oneLine(c.text), descUnits), Type: l.note.Type(), Modified: l.recorded()}
	for _, x := range fields {
		f.More = append(f.More, note.Pair{Key: x[0], Value: x[1]})
	}
	b, err := note.New(f, c.text)
	if err != nil {
		b = []byte(c.text + "\n")
	}
	rel := d.archiveName(l.rel)
	d.archive = append(d.archive, Archive{Rel: rel, Bytes: b, Of: l.first()})
	d.into[c] = rel
}

const descUnits = 120 // UTF-16 units, as package draft makes them

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// archiveName is a free name in the archive.
func (d *desk) archiveName(rel string) string {
	base := strings.TrimSuffix(rel, ".md")
	name := rel
	for i := 2; slices.ContainsFunc(d.archive, func(a Archive) bool { return strings.EqualFold(a.Rel, name) }); i++ {
		name = base + "-" + itoa(i) + ".md"
	}
	return name
}

// recorded is the time of a note, zero where only its file has one: that is when it
// was copied.
func (l *leaf) recorded() time.Time {
	if l.atBy == ByFile {
		return time.Time{}
	}
	return l.at
}
