package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/transcript"
	"dormouse/trust"
)

// plant puts into a world all there is to find, and some facts with which nothing is.
func (w *world) plant(plain int) {
	w.fourLists()
	for range plain {
		w.plain()
	}
	for range 3 {
		w.exact()
		w.light()
		w.changed("change", trust.UserTurn, trust.UserTurn, 0)
	}
	for range 5 {
		w.paraphrase()
		w.copyInList()
	}
	for range 2 {
		w.subset()
		w.changed("equal dates", trust.UserTurn, trust.UserTurn, -1)
		w.negated("negation", false)
		w.history()
	}
	w.negated("negation, equal dates", true)
	w.changed("change, three values", trust.UserTurn, trust.UserTurn, 1)
	w.changed("revert", trust.UserTurn, trust.UserTurn, 2)
	w.changed("older, but the user's", trust.UserTurn, trust.Agent, 0)
	w.changed("newer and the user's", trust.Agent, trust.UserTurn, 0)
	w.changed("older, newer from the web", trust.UserTurn, trust.Web, 0)
	w.complements()
	w.expiring()
	w.dated()
	w.paths()
	w.links()
	w.poisoned()
	w.secret()
	if w.chance(0.6) {
		w.instructed()
	}
	w.sessions()
}

func (w *world) plain() {
	f := w.fact("plain", w.slot(nil))
	s := w.slotOf(f)
	text := w.wording(s, f, -1)
	if w.chance(w.typos) {
		text = typo(w.r, text, w.keep(f)...)
	}
	if w.chance(0.1) {
		text = pick(w.r, w.frame.chatty) + text
	}
	if d := w.anywhere(f, s, text, w.day(), nil); d.heading == "" && !s.asks() && w.chance(0.2) {
		d.origin = trust.Agent
	}
	if w.chance(0.2) {
		subject := w.service()
		o := w.add("plain", &fact{Subject: subject})
		text := strings.ReplaceAll(say(pick(w.r, w.frame.other), subject, "", ""), "#", w.number())
		w.put(w.lists4[w.r.IntN(4)], o, text)
	}
}

func (w *world) slotOf(f *fact) *slot {
	for i := range w.slots {
		if w.slots[i].name == f.Slot {
			return &w.slots[i]
		}
	}
	panic("a fact of no slot: " + f.Slot) // facts are made of slots
}

// keep are words in which a typo would make another fact.
func (w *world) keep(f *fact) []string {
	return []string{f.Subject, f.Value, f.Scope, "without", "ніколи", "approval", "before", "перед"}
}

func (w *world) copies(kind string, f *fact, a, b string) {
	w.Relations = append(w.Relations, relation{Kind: kind, A: f.ID, B: f.ID, Copies: []string{a, b}})
}

// exact plants a note twice, under two names.
func (w *world) exact() {
	f := w.fact("exact", w.slot(nil))
	s := w.slotOf(f)
	text, at := w.wording(s, f, -1), w.day()
	a := w.alone(f, s.typ, text, at, trust.UserTurn)
	b := w.newNote(s.typ, w.later(at), trust.UserTurn)
	w.put(b, f, text)
	for _, id := range a.facts[1:] {
		w.put(b, w.Facts[id], w.Facts[id].Texts[0])
	}
	b.lines, b.desc = slices.Clone(a.lines), a.desc
	w.copies("exact", f, text, text)
}

// light plants a note again with other marks, case, articles or a typo.
func (w *world) light() {
	f := w.fact("light", w.slot(nil))
	s := w.slotOf(f)
	text, at := w.wording(s, f, -1), w.day()
	other := w.lightly(f, text)
	w.alone(f, s.typ, text, at, trust.UserTurn)
	w.alone(f, s.typ, other, w.later(at), trust.UserTurn)
	w.copies("light", f, text, other)
}

// lightly changes a text so that it stays the same.
func (w *world) lightly(f *fact, text string) string {
	bare := strings.TrimSuffix(text, ".")
	ways := []func() string{
		func() string { return typo(w.r, text, w.keep(f)...) },
		func() string { return bare + "!" },
		func() string { return bare },
		func() string {
			if strings.Contains(text, "`") {
				return strings.ReplaceAll(text, "`", "")
			}
			return strings.Replace(text, f.Value, "**"+f.Value+"**", 1)
		},
		func() string { return strings.Replace(text, f.Subject, "`"+f.Subject+"`", 1) },
		func() string { return upperFirst(text) },
		func() string {
			t := strings.Replace(text, " the ", " ", 1)
			return strings.TrimPrefix(strings.Replace(t, "The ", "the ", 1), "the ")
		},
		func() string { return strings.Replace(text, " ", "  ", 1) + "\n" },
		func() string { return "*" + bare + "*." },
	}
	for _, i := range w.r.Perm(len(ways)) {
		if t := strings.TrimSpace(ways[i]()); t != text {
			return t
		}
	}
	return bare + " ."
}

// copyInList plants in a list what a note or another list says, word for word or
// lightly changed.
func (w *world) copyInList() {
	f := w.fact("copy in a list", w.slot(func(s *slot) bool { return s.typ == "project" }))
	s := w.slotOf(f)
	text := w.wording(s, f, -1)
	d := w.anywhere(f, s, text, w.day(), w.lists4[0])
	kind, other := "exact in a list", text
	if w.chance(0.5) {
		kind, other = "light in a list", strings.ReplaceAll(w.lightly(f, text), "\n", " ")
	}
	to := w.lists4[0]
	if d != w.lists4[1] {
		to = w.lists4[1]
	}
	w.put(to, f, other)
	w.copies(kind, f, text, other)
}

func (w *world) paraphrase() {
	f := w.fact("paraphrase", w.slot(nil))
	s := w.slotOf(f)
	order := w.r.Perm(len(s.wordings))
	a, b := w.wording(s, f, order[0]), w.wording(s, f, order[1])
	at := w.day()
	d := w.anywhere(f, s, a, at, nil)
	w.anywhere(f, s, b, w.later(at), d)
	w.copies("paraphrase", f, a, b)
}

// subset plants a statement, and one that says it and more.
func (w *world) subset() {
	f := w.fact("subset", w.slot(func(s *slot) bool { return s.typ == "project" }))
	s := w.slotOf(f)
	text, at := w.wording(s, f, -1), w.day()
	long := strings.TrimSuffix(text, ".") + pick(w.r, w.frame.extra) + "."
	more := w.add("subset, the longer", &fact{Slot: f.Slot, Subject: f.Subject, Value: f.Value})
	w.alone(f, s.typ, text, at, trust.UserTurn)
	w.put(w.alone(more, s.typ, long, w.later(at), trust.UserTurn), f, text)
	d := w.drafts[len(w.drafts)-1]
	d.lines = slices.DeleteFunc(d.lines, func(l string) bool { return l == text }) // the longer one states it
	w.copies("subset", f, long, text)
}

// changed plants a slot whose value changes. steps: -1 with two notes of one time,
// 1 with a third value, 2 with a return to the first.
func (w *world) changed(kind string, before, after trust.Origin, steps int) {
	s := w.slot(func(s *slot) bool {
		return s.one() && (before == after || !s.asks())
	})
	old := w.fact(kind+", old", s)
	now := w.like(kind+", new", s, old)
	first := w.r.IntN(len(s.wordings))
	second := first
	if w.chance(0.5) {
		second = w.r.IntN(len(s.wordings))
	}
	if first != second {
		kind += otherWords
	}
	at := w.day()
	then := w.later(at)
	if steps < 0 {
		then = at
	}
	if !before.AtLeast(after) || before == after {
		old.Where, old.Until = inAny, then
	} else {
		now.Where, now.Until = inAny, then // the better trusted stands
	}
	if steps < 0 {
		old.Where, old.Until = inStore, time.Time{}
	}
	d := w.alone(old, s.typ, w.wording(s, old, first), at, before)
	if w.chance(0.4) { // its description then says what goes, while the rest of it stays
		other := w.fact("beside what changes", w.slot(func(s *slot) bool { return s.typ == "project" && !s.asks() }))
		w.put(d, other, w.wording(w.slotOf(other), other, -1))
	}
	w.alone(now, s.typ, w.wording(s, now, second), then, after)
	if now.Where == inAny {
		old, now = now, old
	}
	w.relate(kind, now, old)
	switch steps {
	case 1:
		last := w.like(kind+", new", s, old)
		for last.Value == now.Value || last.Value == old.Value {
			last.Value = w.value(s)
		}
		now.Where, now.Until = inAny, w.later(then)
		w.alone(last, s.typ, w.wording(s, last, first), now.Until, after)
		w.Relations[len(w.Relations)-1].A = last.ID
		w.relate(kind, last, now)
	case 2:
		back := w.later(then)
		old.Where, old.Until, now.Where, now.Until = inStore, time.Time{}, inAny, back
		w.alone(old, s.typ, w.wording(s, old, first), back, after)
		w.Relations[len(w.Relations)-1] = relation{Kind: kind, A: old.ID, B: now.ID}
		w.settle(old, inStore)
		w.settle(now, inAny)
	}
	w.settle(old, old.Where)
	w.settle(now, now.Where)
}

// settle lets reasons that stand in a fact's notes be where the fact may be.
func (w *world) settle(f *fact, where string) {
	for _, d := range w.drafts {
		if len(d.facts) == 0 || d.facts[0] != f.ID {
			continue
		}
		for _, id := range d.facts[1:] {
			if w.Facts[id].Kind == "background" {
				w.Facts[id].Where = where
			}
		}
	}
}

// otherWords ends the kind of a change that is told in another wording than what it
// changes.
const otherWords = ", in other words"

// negated plants a rule, and the same the other way round.
func (w *world) negated(kind string, equal bool) {
	s := w.slot(func(s *slot) bool { return s.against != nil })
	old := w.fact(kind+", old", s)
	now := w.add(kind+", new", &fact{Slot: s.name, Subject: old.Subject, Value: old.Value})
	old.against = w.chance(0.5)
	now.against = !old.against
	at := w.day()
	then := at
	if !equal {
		then = w.later(at)
		old.Where, old.Until = inAny, then
	}
	which := w.r.IntN(len(s.wordings))
	other := which
	if w.chance(0.4) {
		if other = w.r.IntN(len(s.wordings)); other != which {
			kind += otherWords
		}
	}
	w.alone(old, s.typ, w.wording(s, old, which), at, trust.UserTurn)
	w.alone(now, s.typ, w.wording(s, now, other), then, trust.UserTurn)
	w.relate(kind, now, old)
}

// history plants what holds and a sentence about how it was.
func (w *world) history() {
	s := w.slot(func(s *slot) bool {
		return s.typ == "project" && s.against == nil && s.value != person && s.value != ukPerson
	})
	f := w.fact("history, now", s)
	was := w.add("history, then", &fact{Subject: f.Subject, Value: w.value(s)})
	w.anywhere(f, s, w.wording(s, f, -1), w.day(), nil)
	w.alone(was, s.typ, say(pick(w.r, w.frame.history), was.Subject, was.Value, ""), w.day(), trust.UserTurn)
	w.relate("complement: history", f, was)
}

// complements plants statements that differ in where or of what they hold.
func (w *world) complements() {
	kinds := []string{"environment", "system", "branch", "people", "region"}
	for i, kind := range kinds {
		s := w.slot(func(s *slot) bool { return s.scoped() })
		a := w.fact("complement", s)
		b := w.add("complement", &fact{Slot: s.name, Subject: a.Subject, Value: a.Value})
		a.Scope, b.Scope = w.frame.scopes[i].a, w.frame.scopes[i].b
		if w.chance(0.5) {
			b.Value = w.value(s)
			kind += ", other value"
		}
		w.twoAlike("complement: "+kind, s, a, b)
	}
	for _, kind := range []string{"service", "name within a name"} {
		s := w.slot(func(s *slot) bool { return s.typ != "user" })
		a := w.fact("complement", s)
		b := w.add("complement", &fact{Slot: s.name, Subject: w.service(), Value: a.Value})
		if kind != "service" {
			b.Subject = a.Subject + "-" + pick(w.r, words)
		}
		w.twoAlike("complement: "+kind, s, a, b)
	}
	s := w.slot((*slot).many)
	a := w.fact("complement", s)
	b := w.like("complement", s, a)
	w.twoAlike("complement: a second value beside the first", s, a, b)
	s = w.slot(func(s *slot) bool { return s.typ == "user" })
	a = w.fact("complement", s)
	b = w.add("complement", &fact{Slot: s.name, Subject: w.person(), Value: a.Value})
	w.twoAlike("complement: person", s, a, b)
}

func (w *world) twoAlike(kind string, s *slot, a, b *fact) {
	which := w.r.IntN(len(s.wordings))
	d := w.anywhere(a, s, w.wording(s, a, which), w.day(), nil)
	w.anywhere(b, s, w.wording(s, b, which), w.day(), d)
	w.relate(kind, a, b)
}

// expiring plants what held until a day that is past.
func (w *world) expiring() {
	at := w.day()
	until := at.AddDate(0, 0, 30)
	f := w.add("expired", &fact{Subject: w.service(), Value: w.number(), Until: until, Where: inAny})
	text := strings.Replace(say(w.frame.expire, f.Subject, f.Value, ""), "D", until.Format(isoDay), 1)
	w.put(w.newNote("project", at, trust.UserTurn), f, text)
}

// dated plants relative dates, a vague one and one that is code.
func (w *world) dated() {
	for i := range 8 {
		from, day := w.frame.dated, pastDay
		if i%2 == 1 {
			from, day = w.frame.ahead, nextDay
		}
		var d *draft
		if i < 3 {
			d = w.lists4[w.r.IntN(4)]
		} else {
			d = w.newNote("project", w.day(), trust.UserTurn)
		}
		said := day(w.r, w.Lang, d.at)
		f := w.add("date", &fact{Subject: w.service(), Means: said.means})
		text := say(pick(w.r, from), f.Subject, "", "")
		begins := strings.HasPrefix(text, "D ")
		words := said.words
		if begins {
			words = upperFirst(words)
			text = strings.Replace(text, "D ", hole+" ", 1)
		} else {
			text = strings.Replace(text, " D.", " "+hole+".", 1)
		}
		w.putAs(d, f, strings.Replace(text, hole, words, 1), text)
	}
	f := w.add("date, vague", &fact{Subject: w.service()})
	w.put(w.newNote("project", w.day(), trust.UserTurn), f, say(w.frame.vague, f.Subject, "", ""))
	g := w.add("date, in code", &fact{Subject: w.service()})
	w.put(w.newNote("project", w.day(), trust.UserTurn), g, say(w.frame.quoted, g.Subject, "src", ""))
}

// links plants links: to a note that stays, to a copy that goes, to nothing.
func (w *world) links() {
	var kept, copied string
	for _, r := range w.Relations {
		if r.Kind == "exact" {
			copied = strings.TrimSuffix(w.Facts[r.A].Notes[1], ".md")
		}
	}
	f := w.fact("plain", w.slot(nil))
	kept = w.alone(f, w.slotOf(f).typ, w.wording(w.slotOf(f), f, -1), w.day(), trust.UserTurn).name
	for _, l := range []pair{{"link", kept}, {"link to a copy", copied}, {"link, dead", "no-such-" + pick(w.r, words)}} {
		f := w.add(l.a, &fact{Subject: w.service(), Value: l.b})
		text := say(w.frame.link, f.Subject, hole, "")
		text = strings.ReplaceAll(text, "[["+hole+"]]", hole)
		w.putAs(w.lists4[2+w.r.IntN(2)], f, strings.Replace(text, hole, "[["+l.b+"]]", 1), text)
	}
}

// instructed plants what a person wrote for the agent: the same as a note, and the
// contrary.
func (w *world) instructed() {
	var lines []string
	for i := range 3 {
		kind := "instructions, otherwise"
		if i == 0 {
			kind = "instructions, the same"
		}
		s := w.slot(func(s *slot) bool { return s.against != nil || s.typ == "project" && s.one() })
		f := w.fact(kind, s)
		in := w.add(kind+", there", &fact{Slot: f.Slot, Subject: f.Subject, Value: f.Value, Where: ""})
		in.Where = "instructions"
		which := w.r.IntN(len(s.wordings))
		switch {
		case i == 0:
			f.Where = "anywhere"
		case s.against != nil:
			in.against = true
		default:
			in.Value = w.value(s)
		}
		in.Texts = []string{w.wording(s, in, which)}
		lines = append(lines, in.Texts[0])
		w.alone(f, s.typ, w.wording(s, f, which), w.day(), trust.UserTurn)
		w.relate(kind, in, f)
	}
	if w.fixed == nil {
		w.fixed = []claim.Source{{Name: "CLAUDE.md", Text: "# Project\n\n", Fixed: true}}
	}
	w.fixed[0].Text += "- " + strings.Join(lines, "\n- ") + "\n"
}

// sessions plants what extraction found: new, known, changed, and not sure.
func (w *world) sessions() {
	at := start.AddDate(0, 9, 0)
	said := func(typ, text string, sure float64) {
		w.said = append(w.said, extract.Candidate{
			Kind: extract.Explicit, Type: typ, Text: text, Confidence: sure, Quote: text, Why: "the person asked for it to be remembered",
			Origin: transcript.Person, Session: "7c1d6c1e-5a51-4f0e-9a53-0c5b7a1f2d3e", Line: 12 + len(w.said), Time: at, Language: w.Lang,
		})
	}
	f := w.add("session, new", &fact{Subject: w.service(), Value: "demo-" + w.number(), From: at})
	f.Texts = []string{say(w.frame.said, f.Subject, f.Value, "")}
	said("project", f.Texts[0], 0.95)
	g := w.add("session, not sure", &fact{Subject: w.service(), Value: "demo-" + w.number(), Where: "waiting"})
	g.Texts = []string{say(w.frame.said, g.Subject, g.Value, "")}
	said("project", g.Texts[0], 0.5)
	s := w.slot(nil)
	h := w.fact("session, known", s)
	text := w.wording(s, h, -1)
	w.alone(h, s.typ, text, w.day(), trust.UserTurn)
	said(s.typ, text, 0.95)
	w.copies("session, known", h, text, text)
	s = w.slot(func(s *slot) bool { return s.one() })
	old := w.fact("session, change, old", s)
	now := w.like("session, change, new", s, old)
	which := w.r.IntN(len(s.wordings))
	d := w.alone(old, s.typ, w.wording(s, old, which), w.day(), trust.UserTurn)
	old.Where, old.Until, now.From = inAny, at, at
	for _, id := range d.facts {
		w.Facts[id].Where = inAny
	}
	now.Texts = []string{w.wording(s, now, which)}
	said(s.typ, now.Texts[0], 0.95)
	w.relate("session, change", now, old)
}

func upperFirst(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

// letters makes a string of n characters of an alphabet.
func letters(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}
