package main

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"dormouse/claim"
)

// A slot is something that has one value. Lists are parted by "|".
type slot struct {
	name, subjects, values, wordings string
	places                           string // what makes it another matter when it is said of one
	near                             string // sentences with a value that choose none
}

// A rule can be turned round. must and may say that it is required, and left open.
type rule struct{ name, do, dont, must, may, places string }

// A pair is two statements and what is right.
type pair struct {
	class, lang, a, b string
	ok                func(claim.Kind) bool
	finding           bool // a conflict or duplicate is right
}

func conflict(k claim.Kind) bool  { return k == claim.Conflict }
func duplicate(k claim.Kind) bool { return k == claim.Same || k == claim.Exact || k == claim.Within }
func both(k claim.Kind) bool      { return !conflict(k) && !(k == claim.Same || k == claim.Exact) }
func none(k claim.Kind) bool      { return !conflict(k) && !duplicate(k) }
func absorbed(k claim.Kind) bool  { return duplicate(k) || k == claim.Complement }

// held reports which half a slot or rule is in, by its name, so that adding one
// moves no other. Rules are written on the other half: whoever does must not look
// at the wrong answers of this one.
func held(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()>>7&1 == 1
}

type generator struct {
	r     *rand.Rand
	lang  string
	held  bool
	slots []slot
	rules []rule
	loose []pair // whole pairs, of the third set
}

func newGenerator(r *rand.Rand, lang string, half bool) *generator {
	g := &generator{r: r, lang: lang, held: half}
	slots, rules := english()
	if lang == "uk" {
		slots, rules = ukrainian()
	}
	for _, s := range slots {
		if held(s.name) == half {
			g.slots = append(g.slots, s)
		}
	}
	for _, s := range rules {
		if held(s.name) == half {
			g.rules = append(g.rules, s)
		}
	}
	if !half {
		slots, rules := more(lang)
		g.slots, g.rules = append(g.slots, slots...), append(g.rules, rules...)
	}
	return g
}

func list(s string) []string { return strings.Split(s, "|") }

func (g *generator) pick(l []string) string { return l[g.r.IntN(len(l))] }

// two are two different ones; the same twice of a list of one.
func (g *generator) two(l []string) (a, b string) {
	i := g.r.IntN(len(l))
	j := (i + 1 + g.r.IntN(max(len(l)-1, 1))) % len(l)
	return l[i], l[j]
}

func fill(wording, subject, value string) string {
	// Values last: none has an S or V that stands alone, wordings do.
	w := strings.Fields(wording)
	for i, f := range w {
		bare := strings.Trim(f, ".,:;`'()")
		switch bare {
		case "S":
			w[i] = strings.Replace(f, "S", subject, 1)
		case "V":
			w[i] = strings.Replace(f, "V", value, 1)
		}
	}
	s := strings.Join(w, " ")
	first := []rune(s)
	return strings.ToUpper(string(first[:1])) + string(first[1:])
}

// dress puts a statement into a register.
func (g *generator) dress(s string) string {
	before, behind := []string{"Note: ", "Reminder: "}, []string{" because it is simpler", ", since the old way broke twice"}
	if g.held {
		before, behind = []string{"Team rule: ", "From now on: "}, []string{" because we agreed on it in May", " (decided by the whole team)"}
	}
	if g.lang == "uk" {
		before, behind = []string{"Нагадування: "}, []string{", бо так простіше"}
		if g.held {
			before, behind = []string{"Правило команди: "}, []string{", бо так домовились у травні"}
		}
	}
	dotted := strings.HasSuffix(s, ".")
	s = strings.TrimSuffix(s, ".")
	if g.r.IntN(4) == 0 && dotted {
		s = g.pick(before) + s
	}
	if g.r.IntN(4) == 0 && dotted {
		s += g.pick(behind)
	}
	if dotted {
		s += "."
	}
	return s
}

// in says where a statement holds.
func in(s, place string) string {
	if t, ok := strings.CutSuffix(s, "."); ok {
		return t + place + "."
	}
	if label, value, ok := strings.Cut(s, ": "); ok {
		return label + place + ": " + value
	}
	return s + place
}

func (g *generator) pair() pair {
	if len(g.loose) > 0 && g.r.IntN(4) == 0 {
		p := g.loose[g.r.IntN(len(g.loose))]
		p.a, p.b = g.dress(p.a), g.dress(p.b)
		return p
	}
	if g.r.IntN(3) == 0 && len(g.rules) > 0 {
		return g.ofRule(g.rules[g.r.IntN(len(g.rules))])
	}
	return g.ofSlot(g.slots[g.r.IntN(len(g.slots))])
}

func (g *generator) ofSlot(s slot) pair {
	subject, other := g.two(list(s.subjects))
	v, w := g.two(list(s.values))
	x, y := g.two(list(s.wordings))
	a := fill(x, subject, v)
	p := pair{lang: g.lang, a: g.dress(a)}
	switch g.r.IntN(7) {
	case 0, 1:
		p.class, p.b, p.ok, p.finding = "another value", g.dress(fill(y, subject, w)), conflict, true
	case 2:
		p.class, p.b, p.ok, p.finding = "same, reworded", g.dress(fill(y, subject, v)), duplicate, true
	case 3:
		if s.places == "" {
			p.class, p.b, p.ok = "another subject", fill(y, other, w), none
			break
		}
		place, elsewhere := g.two(list(s.places))
		p.class, p.b, p.ok = "another place", in(fill(y, subject, w), place), both
		if g.r.IntN(2) == 0 && place != elsewhere {
			p.a = in(a, elsewhere)
		}
	case 4:
		if s.subjects == "" {
			p.class, p.b, p.ok = "near", fill(g.pick(list(s.near)), subject, w), none
			break
		}
		p.class, p.b, p.ok = "another subject", fill(y, other, w), none
	case 5:
		p.class, p.b, p.ok = "near", fill(g.pick(list(s.near)), subject, w), none
	default:
		more := fill(y, subject, v)
		p.class, p.b, p.ok = "subset", strings.TrimSuffix(more, ".")+" and tell newcomers about it.", absorbed
	}
	return p
}

func (g *generator) ofRule(r rule) pair {
	do, do2 := g.two(list(r.do))
	dont := g.pick(list(r.dont))
	p := pair{lang: g.lang, a: g.dress(do), b: g.dress(dont), class: "turned round", ok: conflict, finding: true}
	switch g.r.IntN(6) {
	case 0, 1:
	case 2:
		if r.may != "" {
			p.class, p.a, p.b = "required and optional", g.dress(g.pick(list(r.must))), g.dress(g.pick(list(r.may)))
		}
	case 3, 4:
		if r.places == "" {
			break
		}
		place, elsewhere := g.two(list(r.places))
		p.class, p.b, p.ok, p.finding = "turned round in a place", in(dont, place), both, false
		switch g.r.IntN(3) {
		case 0:
			if place != elsewhere {
				p.a = in(do, elsewhere)
			}
		case 1:
			p.a, p.b = in(do, place), dont
		}
	default:
		p.class, p.ok = "same, reworded", duplicate
		p.b = g.dress(do2)
		if g.r.IntN(2) == 0 {
			a, b := g.two(list(r.dont))
			p.a, p.b = g.dress(a), g.dress(b)
		}
	}
	return p
}

// unrelated are two statements of different slots.
func (g *generator) unrelated() pair {
	i := g.r.IntN(len(g.slots))
	s, t := g.slots[i], g.slots[(i+1+g.r.IntN(len(g.slots)-1))%len(g.slots)]
	say := func(s slot) string {
		return g.dress(fill(g.pick(list(s.wordings)), g.pick(list(s.subjects)), g.pick(list(s.values))))
	}
	return pair{class: "unrelated", lang: g.lang, a: say(s), b: say(t), ok: none}
}
