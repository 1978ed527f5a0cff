package claim

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/claim/token"
)

const (
	maxPairs  = 4  // of two sources
	maxPlaces = 12 // at which one relation is shown
)

// A couple is two sources, the earlier first.
type couple struct{ a, b int32 }

// Covered is how many statements of a couple the other one says as well.
type covered struct {
	a, b     map[int32]bool
	conflict bool
}

// found tells what the links mean for the sources.
func (c *crowd) found() Found {
	f := Found{Claims: c.total}
	cover := map[couple]*covered{}
	var pairs []Pair
	for u := range c.said {
		where := c.said[u].where
		for i := 1; i < len(where); i++ {
			p, q := where[i-1], where[i]
			c.cover(cover, p, q, Relation{Kind: Exact})
			if i < maxPlaces {
				pairs = c.show(pairs, where[0], q, Relation{Kind: Exact, Score: 1, Why: "word for word the same"})
			}
		}
	}
	for _, l := range c.links {
		pairs = c.spread(pairs, cover, l)
	}
	f.Twins = c.near(cover)
	f.Pairs = c.few(pairs, f.Twins)
	c.rename(&f)
	return f
}

// spread tells one link for the places of its two statements.
func (c *crowd) spread(pairs []Pair, cover map[couple]*covered, l link) []Pair {
	shown := 0
	for _, p := range c.said[l.u].where {
		for _, q := range c.said[l.v].where {
			if shown == maxPlaces {
				return pairs
			}
			if l.bare && !c.oneMatter(p, q) {
				continue
			}
			n := len(pairs)
			if pairs = c.show(pairs, p, q, l.Relation); len(pairs) > n {
				c.cover(cover, p, q, l.Relation)
				shown++
			}
		}
		if len(c.said[l.v].where) > maxPlaces && shown == 0 {
			return pairs
		}
	}
	return pairs
}

// oneMatter reports whether what stands around two fields names a thing in
// common, or nothing.
func (c *crowd) oneMatter(p, q place) bool {
	a, b := c.around(p), c.around(q)
	for _, t := range a {
		if slices.Contains(b, t) {
			return true
		}
	}
	return len(a)+len(b) == 0
}

// around returns the words of the headings, the Lead and the name of a place.
func (c *crowd) around(p place) []string {
	s := c.source(p.source)
	text := s.Lead + ". "
	if p.at >= 0 {
		text += c.claims[p.source][p.at].Under + ". "
	}
	if !s.Fixed {
		name := s.Name[strings.LastIndexAny(s.Name, `/\`)+1:]
		text += strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSuffix(name, ".md"))
	}
	var out []string
	for _, p := range c.x.parse(c.x.read(text, -1, nil)).parts {
		e := &c.x.entries[p.entry]
		if e.kind != token.Value && (e.means == nil || !e.means.weak && !e.means.attr) {
			out = append(out, c.x.key[p.term])
		}
	}
	return out
}

// show adds a pair, unless it is of one source or of two that are Fixed.
func (c *crowd) show(pairs []Pair, p, q place, r Relation) []Pair {
	if p.source == q.source || c.source(p.source).Fixed && c.source(q.source).Fixed {
		return pairs
	}
	if p.source > q.source {
		p, q = q, p
		r = r.mirrored()
	}
	return append(pairs, Pair{int(p.source), int(q.source), int(p.at), int(q.at), r})
}

func (c *crowd) cover(cover map[couple]*covered, p, q place, r Relation) {
	if p.source == q.source {
		return
	}
	if p.source > q.source {
		p, q = q, p
		r = r.mirrored()
	}
	k := couple{p.source, q.source}
	v := cover[k]
	if v == nil {
		v = &covered{a: map[int32]bool{}, b: map[int32]bool{}}
		cover[k] = v
	}
	switch r.Kind {
	case Conflict:
		v.conflict = true
	case Same, Exact:
		v.a[p.at], v.b[q.at] = true, true
	case Within:
		if r.More == 1 {
			v.b[q.at] = true
		} else {
			v.a[p.at] = true
		}
	}
}

// near finds the sources of which one says what the other says.
func (c *crowd) near(cover map[couple]*covered) []Twin {
	twins := c.twins
	exact := map[couple]bool{}
	for _, t := range twins {
		exact[couple{int32(t.A), int32(t.B)}] = true
	}
	for k, v := range cover {
		if v.conflict || exact[k] || c.source(k.a).Fixed || c.source(k.b).Fixed {
			continue
		}
		delete(v.a, -1)
		delete(v.b, -1)
		na, nb := float64(c.counts[k.a]), float64(c.counts[k.b])
		if na == 0 || nb == 0 {
			continue
		}
		ca, cb := float64(len(v.a))/na, float64(len(v.b))/nb
		switch {
		case ca >= twinShare && cb >= twinShare:
			twins = append(twins, Twin{int(k.a), int(k.b), Relation{Kind: Same, Score: min(ca, cb), Why: "nearly all statements are the same"}})
		case cb == 1:
			twins = append(twins, Twin{int(k.a), int(k.b), Relation{Kind: Within, Score: ca, Why: moreInFirst, More: 1}})
		case ca == 1:
			twins = append(twins, Twin{int(k.a), int(k.b), Relation{Kind: Within, Score: cb, Why: moreInSecond, More: 2}})
		}
	}
	slices.SortFunc(twins, func(a, b Twin) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return twins
}

const twinShare = 0.8 // of the statements of both

// few keeps the strongest pairs of each couple. Of twins that are notes only
// conflicts are told: that they say the same is told already.
func (c *crowd) few(pairs []Pair, twins []Twin) []Pair {
	twin := map[couple]bool{}
	for _, t := range twins {
		if !c.source(int32(t.A)).Fixed && !c.source(int32(t.B)).Fixed {
			twin[couple{int32(t.A), int32(t.B)}] = true
		}
	}
	lead := func(p Pair) int {
		n := 0
		if p.InA < 0 {
			n++
		}
		if p.InB < 0 {
			n++
		}
		return n
	}
	slices.SortFunc(pairs, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B), cmp.Compare(q.Kind, p.Kind), cmp.Compare(lead(p), lead(q)),
			cmp.Compare(q.Score, p.Score), cmp.Compare(p.InA, q.InA), cmp.Compare(p.InB, q.InB))
	})
	out := pairs[:0]
	from := 0
	for i, p := range pairs {
		if i > 0 && (p.A != pairs[i-1].A || p.B != pairs[i-1].B) {
			from = len(out)
		}
		if lead(p) == 2 && p.Kind != Conflict || lead(p) == 1 && p.Kind == Within {
			continue // a headline that says as much is no proof that the texts do
		}
		if p.Kind != Conflict && (c.pointsTo(p.A, p.InA, p.B) || c.pointsTo(p.B, p.InB, p.A)) {
			continue
		}
		if twin[couple{int32(p.A), int32(p.B)}] && p.Kind != Conflict || len(out)-from >= maxPairs {
			continue
		}
		if lead(p) > 0 && slices.ContainsFunc(out[from:], func(o Pair) bool { return o.Kind == p.Kind && (o.InA == p.InA || o.InB == p.InB || o.Why == p.Why) }) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// pointsTo reports whether a statement is the line of an index for another
// source: that it says the same is its purpose.
func (c *crowd) pointsTo(source, at, other int) bool {
	if at < 0 {
		return false
	}
	name := c.source(int32(other)).Name
	name = name[strings.LastIndexAny(name, `/\\`)+1:]
	return name != "" && strings.Contains(c.claims[source][at].Text, "]("+name+")")
}

// rename turns places in the order of names into indexes of the sources given.
func (c *crowd) rename(f *Found) {
	for i := range f.Pairs {
		p := &f.Pairs[i]
		p.A, p.B = int(c.order[p.A]), int(c.order[p.B])
	}
	for i := range f.Twins {
		t := &f.Twins[i]
		t.A, t.B = int(c.order[t.A]), int(c.order[t.B])
	}
}

const (
	moreInFirst  = "the first says this and more"
	moreInSecond = "the second says this and more"
)
