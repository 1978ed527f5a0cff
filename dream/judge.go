package dream

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/store"
)

// The most that one cluster holds, and how many clusters one dream asks about.
const (
	maxCluster  = 6
	maxClusters = 400
	alike       = 0.34 // share of words in common from which on rules are not sure that two statements differ
	crowd       = 40   // statements that share a word say nothing by it
)

// judge asks a model about the statements that rules can't settle, and carries out
// what passes all checks. done tells that nothing changed.
func (d *desk) judge(ctx context.Context, w *web) (done bool, err error) {
	d.closeConflicts()
	if d.in.Judge == nil {
		return true, nil
	}
	done = true
	r := newReader()
	for _, cells := range d.clusters(w) {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		c := clusterOf(cells)
		if d.judged[c.Key] || d.asked >= maxClusters {
			continue
		}
		d.judged[c.Key] = true
		d.asked++
		ops, err := d.in.Judge.Judge(ctx, c)
		if err != nil {
			if why := oneLine("a cluster stays as it is: " + err.Error()); !slices.Contains(d.refused, why) {
				d.refused = append(d.refused, why)
			}
			continue
		}
		for _, op := range ops {
			changed, why := d.carryOut(w, r, cells, op)
			if why != "" {
				d.refuse("%s of %d statements: %s", plainOp(op.Op), len(op.Claims), why)
			}
			if changed {
				done = false
			}
		}
	}
	if !done {
		order(d.leaves)
	}
	return done, nil
}

// closeConflicts takes back what was said of statements between which nobody decided,
// where something else did away with them since.
func (d *desk) closeConflicts() {
	lost, gone := map[Place]bool{}, map[Place]bool{}
	for _, c := range d.cells {
		if c.gone {
			gone[c.row.place()] = true
			lost[c.row.place()] = c.row.Fate == Superseded || c.row.Fate == Archived
		}
	}
	maps.DeleteFunc(d.conflicts, func(_ string, c Conflict) bool {
		return lost[c.A] || lost[c.B] || gone[c.A] && gone[c.B]
	})
}

func (d *desk) refuse(format string, args ...any) {
	d.refused = append(d.refused, oneLine(fmt.Sprintf(format, args...)))
}

// plainOp is the name of an operation, as far as it is one.
func plainOp(op string) string {
	switch op {
	case "same", "merge", "conflict", "keep":
		return op
	}
	return "an unknown operation"
}

func clusterOf(cells []*cell) Cluster {
	var c Cluster
	var b strings.Builder
	for i, x := range cells {
		s := Statement{ID: i + 1, Text: x.text, Day: x.leaf.day(), Type: x.leaf.note.Type()}
		c.Claims = append(c.Claims, s)
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", s.Text, s.Day, s.Type)
	}
	c.Key = store.HashOf([]byte(b.String()))
	return c
}

// clusters are the statements of several notes that share many words, and of which
// rules could not say that they are the same or contradict each other. What is
// nobody's word is never among them.
func (d *desk) clusters(w *web) [][]*cell {
	var cells []*cell
	terms := map[*cell]map[string]bool{}
	byTerm := map[string][]*cell{}
	for _, l := range d.leaves {
		if !l.live() || l.held != "" || l.fixed || tier(l.origin) == 0 {
			continue
		}
		for _, c := range l.cells {
			if dependent(c.text) || strings.HasSuffix(c.text, ":") {
				continue
			}
			set := map[string]bool{}
			for _, t := range claim.Terms(c.text) {
				if !set[t] {
					set[t] = true
					byTerm[t] = append(byTerm[t], c)
				}
			}
			terms[c] = set
			cells = append(cells, c)
		}
	}
	group := map[*cell]*cell{}
	var root func(*cell) *cell
	root = func(c *cell) *cell {
		if group[c] == nil || group[c] == c {
			return c
		}
		group[c] = root(group[c])
		return group[c]
	}
	size := map[*cell]int{}
	for _, c := range cells {
		near := map[*cell]int{}
		for t := range terms[c] {
			if len(byTerm[t]) <= crowd {
				for _, o := range byTerm[t] {
					if o.leaf != c.leaf {
						near[o]++
					}
				}
			}
		}
		for _, o := range sortedCells(near, w) {
			if float64(near[o])/float64(len(terms[c])+len(terms[o])-near[o]) < alike || d.settled(w, c, o) {
				continue
			}
			a, b := root(c), root(o)
			if a != b && max(size[a], 1)+max(size[b], 1) <= maxCluster {
				group[b] = a
				size[a] = max(size[a], 1) + max(size[b], 1)
			}
		}
	}
	byRoot := map[*cell][]*cell{}
	var roots []*cell
	for _, c := range cells {
		r := root(c)
		if len(byRoot[r]) == 0 {
			roots = append(roots, r)
		}
		byRoot[r] = append(byRoot[r], c)
	}
	var out [][]*cell
	for _, r := range roots {
		if len(byRoot[r]) > 1 {
			out = append(out, byRoot[r])
		}
	}
	return out
}

func sortedCells(near map[*cell]int, w *web) []*cell {
	out := make([]*cell, 0, len(near))
	for c := range near {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *cell) int {
		return cmp.Or(near[b]-near[a], strings.Compare(w.keys[a], w.keys[b]), strings.Compare(a.leaf.rel, b.leaf.rel))
	})
	return out
}

// settled reports whether rules know how two statements relate. That they look the
// same, and rules do not dare to let one go into the other, settles nothing.
func (d *desk) settled(w *web, a, b *cell) bool {
	for _, e := range w.edges[a] {
		if e.to != b || e.kind == claim.None {
			continue
		}
		if e.kind != claim.Same || slices.Contains(w.covers(a), b) || slices.Contains(w.covers(b), a) {
			return true
		}
	}
	return w.keys[a] == w.keys[b] || claim.Compare(a.text, b.text).Kind == claim.Complement
}

// carryOut does what a model proposes, if it passes every check; why tells what it
// failed.
func (d *desk) carryOut(w *web, r *reader, cells []*cell, op Op) (changed bool, why string) {
	if op.Op == "keep" {
		return false, ""
	}
	chosen, why := choose(cells, op)
	if why != "" {
		return false, why
	}
	switch op.Op {
	case "same":
		return d.opSame(r, cells, chosen, op)
	case "merge":
		return d.opMerge(r, chosen, op)
	case "conflict":
		return d.opConflict(w, r, chosen)
	}
	return false, "there is no such operation"
}

func choose(cells []*cell, op Op) ([]*cell, string) {
	var out []*cell
	for _, id := range op.Claims {
		if id < 1 || id > len(cells) {
			return nil, "it cites a statement that is not in the cluster"
		}
		c := cells[id-1]
		if c.gone || !c.leaf.live() || c.leaf.fixed {
			return nil, "a statement is gone already, or may not be changed"
		}
		if slices.Contains(out, c) {
			return nil, "it cites a statement twice"
		}
		out = append(out, c)
	}
	if len(out) < 2 {
		return nil, "it needs two statements"
	}
	return out, ""
}

// room reports whether a further note may go by a model's word.
func (d *desk) room(n int) bool {
	share := d.in.MaxArchived
	if share <= 0 {
		share = 0.25
	}
	return float64(d.archived+n) <= share*float64(len(d.in.Notes))
}

// whole reports whether a statement is all that a note says by itself.
func whole(c *cell) bool {
	return !slices.ContainsFunc(c.leaf.cells, func(o *cell) bool { return o != c && !dependent(o.text) }) && len(residue(c.leaf.body(), claim.Split(c.leaf.body()))) == 0
}

func (d *desk) opSame(r *reader, cells, chosen []*cell, op Op) (bool, string) {
	if op.Keep < 1 || op.Keep > len(cells) || !slices.Contains(chosen, cells[op.Keep-1]) {
		return false, "it does not say which statement stays"
	}
	keep := cells[op.Keep-1]
	var go1 []*cell
	for _, c := range chosen {
		if c == keep {
			continue
		}
		switch {
		case !whole(c):
			return false, "a statement is only a part of its note"
		case tier(keep.leaf.origin) < tier(c.leaf.origin):
			return false, "what stays is trusted less than what would go"
		case differs(c.text, keep.text), !within(c.text, keep.text):
			return false, "a number, name, path, condition or denial of one is not in the other"
		case c.leaf == keep.leaf:
			return false, "they are of one note"
		}
		if why := r.unlike(c.text, keep.text); why != "" {
			return false, why
		}
		go1 = append(go1, c)
	}
	if !d.room(len(go1)) {
		return false, "too many notes would go in one dream"
	}
	for _, c := range go1 {
		if !d.bringRest(c, keep) {
			return len(go1) > 1, "what explains a statement can't come along"
		}
		d.goInto(c, keep, "a model says that another note says the same, and nothing hard differs")
	}
	return len(go1) > 0, ""
}

// differs reports whether rules know that two statements do not say the same: they
// contradict each other, or say alike things of two things.
func differs(a, b string) bool {
	switch claim.Compare(a, b).Kind {
	case claim.Conflict, claim.Complement:
		return true
	}
	x, y := plainWords(a), plainWords(b)
	return otherThing(a, b) || otherPlaces(x, y) > 0 || scoped(x) != scoped(y)
}

// goInto lets a note of one statement go into the note of another.
func (d *desk) goInto(c, keep *cell, why string) {
	l := c.leaf
	c.end(Merged, why, keep)
	c.into = keep
	d.away(l, [][2]string{{fieldInto, slugOf(keep.leaf)}}, keep.leaf)
	d.archived++
	keep.leaf.cite(l)
	d.touched[keep.leaf] = true
}

// bringRest brings what explains a statement along to the note that it goes into.
func (d *desk) bringRest(c, keep *cell) bool {
	var extra []int
	for i, o := range c.leaf.cells {
		if o != c {
			extra = append(extra, i)
		}
	}
	return len(extra) == 0 || d.bringAlong(c.leaf, keep.leaf, claim.Split(c.leaf.body()), extra)
}

// The most that a model may write, and how often a text may be written anew before
// it has to be drawn from its sources again.
const (
	maxText    = 600 // bytes
	maxWritten = 2
)

func (d *desk) opMerge(r *reader, chosen []*cell, op Op) (bool, string) {
	text := oneLine(op.Text)
	keep := chosen[0]
	for _, c := range chosen {
		if tier(c.leaf.origin) != tier(keep.leaf.origin) {
			return false, "the statements are not trusted alike"
		}
		if !whole(c) {
			return false, "a statement is only a part of its note"
		}
	}
	if why := d.checkText(r, chosen, text); why != "" {
		return false, why
	}
	for _, c := range chosen[1:] {
		if c.leaf == keep.leaf {
			return false, "they are of one note"
		}
		for _, o := range c.leaf.cells {
			if o != c {
				return false, "a note explains its statement"
			}
		}
	}
	if !d.room(len(chosen) - 1) {
		return false, "too many notes would go in one dream"
	}
	l, was := keep.leaf, keep.leaf.note.Bytes()
	before := l.body()
	body := strings.Replace(before, keep.text, text, 1)
	n, _ := l.note.Text(fieldWritten)
	if n >= itoa(maxWritten) {
		return false, "the text was written anew too often already"
	}
	of, origin := slices.Clone(l.of), l.origin
	for _, c := range chosen { // first: what the text may do hangs on where it comes from
		l.take(c.leaf)
	}
	if body == before || !l.setBody(body, l.cells) || keep.text != text {
		l.setBody(before, l.cells) // where it was read as another text
		l.of, l.origin = of, origin
		return false, "the text can't be put in its place, or would reach sessions otherwise than now"
	}
	// What the person or the agent wrote does not go for a model's words.
	d.archive = append(d.archive, Archive{Rel: d.archiveName(l.rel), Bytes: was, Of: l.first()})
	l.set(fieldWritten, itoa(len(n)+1))
	keep.row.fate(Rewritten)
	keep.row.Why = "a model wrote one statement of several, with all that is hard in them"
	for _, c := range chosen[1:] {
		d.goInto(c, keep, "a model wrote one statement of several, with all that is hard in them")
	}
	d.touched[l] = true
	return true, ""
}

// checkText tells what is wrong with a text that a model wrote for statements.
func (d *desk) checkText(r *reader, chosen []*cell, text string) string {
	var all strings.Builder
	var texts []string
	sum := 0
	for _, c := range chosen {
		all.WriteString(c.text + "\n")
		texts = append(texts, c.text)
		sum += len(c.text)
		if !within(c.text, text) {
			return "something hard of a statement is not in the text"
		}
	}
	switch {
	case text == "" || len(text) > maxText || len(text) > sum+40:
		return "the text is empty or too long"
	case len(claim.Split(text)) != 1:
		return "the text is not one statement"
	}
	for w := range atoms(text) {
		if _, ok := atoms(all.String())[w]; !ok && !mentions(all.String(), w) {
			return "the text says something hard that no statement says"
		}
	}
	if why := r.made(texts, text); why != "" {
		return why
	}
	if d.in.Clean != nil {
		if _, said := d.in.Clean(text); len(said) > 0 {
			return "the text has a secret in it"
		}
	}
	return ""
}

// opConflict takes a model's word for it that statements are about one matter;
// which of them holds is decided here, by whose word it is and of which day.
func (d *desk) opConflict(w *web, r *reader, chosen []*cell) (bool, string) {
	best := chosen[0]
	for _, c := range chosen[1:] {
		if better(w, c, best) {
			best = c
		}
	}
	top := w.standing(best)
	var lost []*cell
	for _, c := range chosen {
		if c == best {
			continue
		}
		s := w.standing(c)
		switch {
		case !r.contrast(c.text, best.text):
			return false, "all that one of the two says, the other says as well, so both can hold"
		case s == top:
			d.undecided(c, edge{to: best, why: "a model says that they can't both hold"}, "both are of "+top.day+", so neither comes first")
			return false, ""
		case !whole(c):
			return false, "a statement is only a part of its note"
		case !oneMatter(c.text, best.text):
			return false, "the statements share too few words to be of one matter"
		}
		lost = append(lost, c)
	}
	if !d.room(len(lost)) {
		return false, "too many notes would go in one dream"
	}
	for _, c := range lost {
		l := c.leaf
		for _, o := range l.cells {
			o.end(Superseded, "a model says that both can't hold; the newer or better trusted one stays", best)
		}
		d.away(l, [][2]string{{fieldUntil, best.leaf.day()}, {fieldBy, slugOf(best.leaf)}}, best.leaf)
		d.archived++
	}
	return len(lost) > 0, ""
}

// oneMatter reports whether two statements share two words that name something.
func oneMatter(a, b string) bool {
	have := map[string]bool{}
	for _, t := range claim.Terms(a) {
		have[t] = true
	}
	n := 0
	for _, t := range claim.Terms(b) {
		if have[t] {
			n++
			delete(have, t)
		}
	}
	return n >= 2
}
