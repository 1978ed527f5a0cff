package claim

import (
	"cmp"
	"strings"

	"dormouse/claim/token"
)

func isValuePart(p part) bool { return p.kind == token.Value }
func isCodePart(p part) bool  { return p.kind == token.Code }
func isIDPart(p part) bool    { return p.kind == token.ID }

// maxChosen is how many alternatives of one class are looked at.
const maxChosen = 6

// Chosen is what a statement says of the alternatives of a class.
type chosen struct {
	yes, no   [maxChosen]part
	nYes, nNo int
}

func (m *matcher) chosen(s *statement, class int, other []int32) (c chosen) {
	for i := range s.parts {
		p := s.parts[i]
		means := m.x.entries[p.entry].means
		if means == nil || !means.in.has(class) || p.reason || m.ofThing(s, i, class, other) {
			continue
		}
		switch {
		case p.neg && c.nNo < maxChosen:
			c.no[c.nNo] = p
			c.nNo++
		case p.neg, p.extra && c.nNo == 0, c.nYes == maxChosen:
		default:
			c.yes[c.nYes] = p
			c.nYes++
		}
	}
	return c
}

// ofThing reports whether the word i only tells something of what follows it and
// is no choice: the npm version, a weekly report.
func (m *matcher) ofThing(s *statement, i, class int, other []int32) bool {
	if i+1 >= len(s.parts) || !s.parts[i+1].near || other[s.parts[i+1].term] != 0 {
		return false
	}
	next := &s.parts[i+1]
	means := m.x.entries[next.entry].means
	if means != nil && !means.in.empty() && m.x.words.need.has(class) { // a real Postgres database
		return false
	}
	return next.kind == token.Word && !next.place && (means == nil || !means.weak && !means.tasks.has(class) && !means.in.has(class))
}

func holds(list []part, term int32) bool {
	for i := range list {
		if list[i].term == term {
			return true
		}
	}
	return false
}

// against tells what one of two choices takes that the other does not.
func (m *matcher) against(a, b chosen) string {
	for _, p := range a.yes[:a.nYes] {
		if holds(b.no[:b.nNo], p.term) && !holds(b.yes[:b.nYes], p.term) {
			return "one takes " + quoted(m, p) + " and the other does not"
		}
	}
	return ""
}

func quoted(m *matcher, p part) string { return `"` + clip(m.x.names[p.term]) + `"` }

// classConflict finds a class of which the two take different alternatives.
func (m *matcher) classConflict(a, b *statement, d *diff, gap gapKind) (why string) {
	if d.classes.empty() {
		return ""
	}
	// Who chooses another database and another port speaks of another database.
	differ := len(d.a.values) > 0 && len(d.b.values) > 0 || len(d.a.codes) > 0 && len(d.b.codes) > 0
	// A server that is mocked is no database that is not.
	objects := d.a.tasks > 0 && len(d.b.rest) > 0 || d.b.tasks > 0 && len(d.a.rest) > 0
	if differ || gap != noGap && (d.subjects+d.members == 0 || len(d.a.scoped)+len(d.b.scoped) > 0) {
		return ""
	}
	d.classes.each(func(n int) {
		if why != "" || m.x.words.classes[n] == "language" && m.speech(a)+m.speech(b) == talk+codeTexts {
			return
		}
		ca, cb := m.chosen(a, n, m.inB), m.chosen(b, n, m.inA)
		if why = cmp.Or(m.against(ca, cb), m.against(cb, ca)); why != "" {
			if objects {
				why = ""
			}
			return
		}
		if ca.nYes != 1 && cb.nYes != 1 || ca.nYes == 0 || cb.nYes == 0 {
			return
		}
		for _, p := range ca.yes[:ca.nYes] {
			if holds(cb.yes[:cb.nYes], p.term) {
				return
			}
		}
		why = m.notBut(ca.yes[0], cb.yes[0])
	})
	return why
}

// chosenAlike reports whether the two take the same of each class that both
// speak of.
func (d *diff) chosenAlike(m *matcher, a, b *statement) bool {
	alike := true
	d.classes.each(func(n int) {
		ca, cb := m.chosen(a, n, m.inB), m.chosen(b, n, m.inA)
		if ca.nYes != cb.nYes {
			alike = alike && (ca.nYes == 0 || cb.nYes == 0) && d.members > 0
			return
		}
		for _, p := range ca.yes[:ca.nYes] {
			alike = alike && holds(cb.yes[:cb.nYes], p.term)
		}
	})
	return alike
}

// substitution finds one word in the place of another, in statements that are the
// same otherwise: behind use, or where the thing has one of what is said.
func (m *matcher) substitution(a, b *statement, d *diff) string {
	ra, okA := d.a.named()
	rb, okB := d.b.named()
	if len(ra) == 0 || len(rb) == 0 || !okA || !okB || len(d.a.values)+len(d.b.values)+d.values > 0 || d.clash > 0 {
		return ""
	}
	if d.a.attrs > 0 && d.b.attrs > 0 || len(ra) > 2 || len(rb) > 2 || !d.chosenAlike(m, a, b) || d.subjects+d.attrs+d.members == 0 {
		return ""
	}
	p, q := ra[0], rb[0]
	if p.neg || q.neg || p.kind != token.Word || q.kind != token.Word || m.unalike(p, q) {
		return ""
	}
	one := len(ra) == 1 && len(rb) == 1
	switch {
	case one && !p.near && !q.near && excludes(p, q):
		return m.notBut(p, q)
	case one && d.subjects > 0 && (p.used || p.means != 0) && last(b, q) && m.settles(b), one && d.subjects > 0 && (q.used || q.means != 0) && last(a, p) && m.settles(a):
		return m.notBut(p, q)
	case d.settled > 0 && d.subjects == 0 && one && !p.of && !q.of && last(a, p) && last(b, q):
		return m.notBut(p, q)
	case d.settled == 0 || d.subjects == 0:
		return ""
	case d.acts && one && (!p.near || p.title || a.parts[0].term == p.term) && (!q.near || q.title || b.parts[0].term == q.term):
		return m.notBut(p, q)
	case p.near || q.near:
		return ""
	case one, allTitle(ra) && allTitle(rb):
		return m.notBut(p, q)
	}
	return ""
}

// unalike reports whether two words are known to be things of different kinds:
// tests run in Docker, and by pytest.
func (m *matcher) unalike(p, q part) bool {
	a, b := m.x.entries[p.entry].means, m.x.entries[q.entry].means
	return a != nil && b != nil && !a.in.empty() && !b.in.empty() && a.in.and(b.in).empty()
}

// What a statement on a language is about.
const (
	noSpeech  = 0
	talk      = 1 // what is said to the user
	codeTexts = 2 // what stands in the code
)

// speech tells whether a statement is about answers or about what is written in
// code: each has a language of its own.
func (m *matcher) speech(s *statement) int {
	for i := range s.parts {
		w := m.x.entries[s.parts[i].entry].plain
		switch {
		case hasAnyPrefix(w, "answer", "repl", "respon", "speak", "відповід", "відповіда"):
			return talk
		case hasAnyPrefix(w, "comment", "комент", "identifier", "docstring", "commit"):
			return codeTexts
		}
	}
	return noSpeech
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// excludes reports whether both words stand where a statement says what is taken,
// and not what else.
func excludes(p, q part) bool {
	taken := func(p part) bool { return p.used || p.means != 0 }
	switch {
	case !taken(p) || !taken(q), p.means == meansColon && q.means == meansColon:
		return false
	}
	return p.used || q.used || p.means != meansWith && q.means != meansWith
}

// named returns the words that may stand for one another: those behind from are
// no place then.
func (s *side) named() ([]part, bool) {
	switch {
	case len(s.scoped) == 0:
		return s.rest, true
	case len(s.scoped) == 1 && s.scoped[0].means != 0 && len(s.rest) == 0:
		return s.scoped, true
	}
	return nil, false
}

// settles reports whether a statement names an attribute that a thing has one of.
func (m *matcher) settles(s *statement) bool {
	for i := range s.parts {
		if means := m.x.entries[s.parts[i].entry].means; means != nil && means.settled {
			return true
		}
	}
	return false
}

func last(s *statement, p part) bool { return s.parts[len(s.parts)-1].term == p.term }

func allTitle(list []part) bool {
	for i := range list {
		if !list[i].title {
			return false
		}
	}
	return true
}

// alike is the relation of two statements that don't exclude each other.
func (m *matcher) alike(a, b *statement, d *diff, share float64, wider bool) Relation {
	valuesA, valuesB := len(d.a.values)+len(d.a.codes)+d.a.extras, len(d.b.values)+len(d.b.codes)+d.b.extras
	said := d.said() + placed(a, b)
	gap := d.gap()
	same := d.clash == 0 && d.chosenAlike(m, a, b) && !(a.may != b.may && a.must != b.must) && !d.turned
	switch {
	case gap == noGap && m.exchanged(a, b):
		return d.aside(share)
	case gap == farApart && !wider && same && valuesA+valuesB+d.a.ids+d.b.ids == 0 && m.reworded(a, b, d, share):
		return Relation{Kind: Same, Score: d.closeness(share), Why: "says much the same in other words"}
	case gap == noGap && !wider && same && valuesA+valuesB == 0 && a.may == b.may:
		if said >= fewest || said > 0 && said+d.weak >= fewest || d.a.more+d.b.more == 0 {
			return Relation{Kind: Same, Score: d.closeness(share), Why: "says the same in other words"}
		}
		if said == 1 && d.members == 1 {
			return Relation{Kind: Same, Score: d.closeness(share), Why: "says the same in other words"}
		}
		return Relation{}
	case !same || valuesA > 0 && valuesB > 0:
		return d.aside(share)
	case gap != farApart && said > fewest && share >= wholeShare && (valuesA == 0 || valuesB == 0):
		moreA := len(d.a.rest)+len(d.a.scoped)+valuesA > 0
		moreB := len(d.b.rest)+len(d.b.scoped)+valuesB > 0
		switch {
		case moreA && moreB, wider:
			return d.aside(share)
		case moreB:
			return Relation{Kind: Within, Score: share, Why: moreInSecond, More: 2}
		}
		return Relation{Kind: Within, Score: share, Why: moreInFirst, More: 1}
	case said > fewest && share >= nearShare:
		return Relation{Kind: Complement, Score: share, Why: "most of the words are the same"}
	}
	return Relation{}
}

func placed(a, b *statement) int {
	n := 0
	for g := range a.places {
		if a.places[g]&b.places[g] != 0 {
			n++
		}
	}
	return n
}

// closeness orders what is the same by how many words say more.
func (d *diff) closeness(share float64) float64 {
	return share * 10 / float64(10+d.a.more+d.b.more)
}

// Alternatives reports whether two words, in any form, are alternatives of one class,
// such as npm and yarn: of them only one is chosen for one task.
func Alternatives(a, b string) bool {
	p, q := meaningOf(a), meaningOf(b)
	return p != nil && q != nil && !p.in.and(q.in).empty()
}

// meaningOf is what the vocabulary knows of a word, or of a phrase.
func meaningOf(phrase string) *meaning {
	f := strings.Fields(strings.ToLower(phrase))
	for i := range f {
		f[i] = stemOfWord(f[i])
	}
	return words().words[strings.Join(f, " ")]
}
