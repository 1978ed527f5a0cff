package claim

import (
	"slices"
	"strings"

	"dormouse/claim/token"
)

// A side is what one of two statements says and the other does not.
type side struct {
	rest   []part // words that make it another matter, or a narrower one
	scoped []part // the same, behind for, when, in
	values []part
	codes  []part
	attrs  int // attributes that the other doesn't name
	extras int // words, values and paths in an aside
	heads  int // verbs that begin a rule
	bounds int // maximum, minimum
	more   int // words that say more of the same
	ids    int
	units  int // words right behind its value: 20 connections
	tasks  int // words that say what is chosen, and name a thing as well
}

func (s *side) reset() {
	s.rest, s.scoped, s.values, s.codes = s.rest[:0], s.scoped[:0], s.values[:0], s.codes[:0]
	s.more, s.ids, s.attrs, s.bounds, s.heads, s.extras, s.tasks, s.units = 0, 0, 0, 0, 0, 0, 0, 0
}

// A diff is two statements side by side.
type diff struct {
	a, b     side
	classes  classSet // of which both name an alternative
	subjects int      // shared words that say what it is about
	attrs    int      // shared attributes
	settled  int      // of these, those that a thing has one of
	members  int      // shared alternatives
	values   int      // shared values
	weak     int      // other shared words
	shared   float64  // weights
	only     float64
	clash    int // shared words that one denies
	agree    int // and that both do or don't
	turned   bool

	denied, weakClash int  // words denied by both; clash of words that say little
	reasons           int  // shared words that give a reason
	lines             bool // both speak of lines, which all code has
	acts              bool // an attribute is said by a verb: owns
}

// relate tells how b relates to a, whose marks are set. It answers the same with
// a and b exchanged, but for the order in Why.
func (m *matcher) relate(a, b *statement) Relation {
	if len(a.parts) == 0 || len(b.parts) == 0 {
		return Relation{}
	}
	d := &m.diff
	m.compareParts(a, b, d)
	var r Relation
	if m.x.otherThing(a, b) {
		r = d.aside(d.shared / max(d.shared+d.only, 1e-9))
	} else {
		r = m.decide(a, b, d)
	}
	for i := range b.parts {
		m.inB[b.parts[i].term] = 0
	}
	return r
}

func (m *matcher) decide(a, b *statement, d *diff) Relation {
	if d.said() == 0 && d.classes.empty() || d.a.ids > 0 && d.b.ids > 0 {
		return Relation{}
	}
	share := d.shared / max(d.shared+d.only, 1e-9)
	apart, wider := m.placesOf(a, b, d)
	if why := m.conflict(a, b, d); why != "" {
		if !apart && !wider && !a.past && !b.past {
			m.bare = d.subjects+d.members == 0 && d.classes.empty() && !d.lines
			return Relation{Kind: Conflict, Score: share, Why: why}
		}
		return d.aside(share)
	}
	if apart {
		return d.aside(share)
	}
	return m.alike(a, b, d, share, wider)
}

// aside is the relation of statements that share their matter and differ in where
// or when they hold.
func (d *diff) aside(share float64) Relation {
	if share < 0.4 {
		return Relation{}
	}
	return Relation{Kind: Complement, Score: share, Why: "the same matter elsewhere"}
}

// placesOf reports whether the statements hold in different places for sure, and
// whether one holds in a place of which the other says nothing.
func (m *matcher) placesOf(a, b *statement, d *diff) (apart, wider bool) {
	for g := range a.places {
		// Of statements on what CI to take, CI is no place.
		if g == kindOfMachine && d.classes.has(m.x.words.ci) {
			continue
		}
		pa, pb := a.places[g], b.places[g]
		if pa != 0 && pb != 0 && pa&pb == 0 {
			apart = true
		}
		// Integration tests are tests: what holds for all of them holds for these.
		wider = wider || g != kindOfTest && (pa == 0) != (pb == 0) || severalPlaces(pa, pb)
	}
	wider = wider || a.others || b.others // and another place, which the sentence may name as well
	return apart, wider
}

// Groups of places, see placeOf.
const (
	kindOfMachine = 1
	kindOfTest    = 6
)

// compareParts fills d. A word that comes twice counts once.
func (m *matcher) compareParts(a, b *statement, d *diff) {
	da, db := d.a, d.b
	da.reset()
	db.reset()
	*d = diff{a: da, b: db, classes: a.in.and(b.any).or(a.any.and(b.in))}
	for i := range b.parts {
		p := &b.parts[i]
		if m.inB[p.term] != 0 {
			continue
		}
		m.inB[p.term] = int32(i) + 1
		if at := m.inA[p.term]; at > 0 {
			m.both(a, b, &a.parts[at-1], p, d)
			continue
		}
		m.onlyOne(b, i, d, &d.b, m.inA)
	}
	for i := range a.parts {
		p := &a.parts[i]
		if m.inA[p.term] == int32(i)+1 && m.inB[p.term] == 0 {
			m.onlyOne(a, i, d, &d.a, m.inB)
		}
	}
	m.unscope(a, &d.a, m.inB)
	m.unscope(b, &d.b, m.inA)
	d.turned = m.orderTurned(a, b)
}

// both counts a word that both have.
func (m *matcher) both(a, b *statement, p, q *part, d *diff) {
	if p.reason || q.reason {
		d.reasons++
		return
	}
	d.shared += m.weight[p.term]
	e := &m.x.entries[p.entry]
	f := &m.x.entries[q.entry]
	d.acts = d.acts || e.says == saysActs && f.says == saysActs
	if little := e.means != nil && e.means.weak && e.means.in.empty(); !p.place {
		switch {
		case little && p.neg != q.neg:
			d.weakClash++
		case little:
		case p.neg != q.neg:
			d.clash++
		default:
			d.agree++
			if p.neg {
				d.denied++
			}
		}
	}
	switch {
	case isValuePart(*p), isCodePart(*p):
		d.values++
	case e.means == nil:
		d.subjects++
	case !e.means.in.and(d.classes).empty():
		d.members++
	case e.means.attr:
		d.attrs++
		d.lines = d.lines || e.means.concept == "line"
		if e.means.settled {
			d.settled++
		}
	case e.means.weak, !e.means.tasks.and(d.classes).empty():
		d.weak++
	default:
		d.subjects++
	}
}

// onlyOne sorts the word i of a statement that the other doesn't have.
func (m *matcher) onlyOne(s *statement, i int, d *diff, out *side, other []int32) {
	p := s.parts[i]
	e := &m.x.entries[p.entry]
	switch {
	case p.reason:
		return
	case p.place, p.wide && !isValuePart(p):
		out.more++
		return
	case e.means != nil && !e.means.in.and(d.classes).empty():
		return // counted by class
	case e.means != nil && !e.means.in.empty() && m.furthers(s, i, d):
		out.more++
		return
	case isValuePart(p) && e.sort != address:
		if p.extra {
			out.extras++
		} else {
			out.values = append(out.values, p)
		}
		return
	case isCodePart(p), isValuePart(p):
		if p.extra {
			out.extras++
		} else {
			out.codes = append(out.codes, p)
		}
		return
	case e.bound:
		out.bounds++
		return
	case p.scope != 0 && narrows(e.stem) && e.means != nil && e.means.tasks.and(d.classes).empty():
	case e.means != nil && (e.means.weak || !e.means.tasks.and(d.classes).empty()):
		out.more++
		if !e.means.weak && e.means.attr {
			out.tasks++
		}
		return
	case i == 0 && e.verb: // leave, add, show: what matters is the object
		out.heads++
		return
	case p.extra:
		out.extras++
		d.only += m.weight[p.term] / 2
		return
	case e.means != nil && e.means.attr && (p.scope == 0 || m.valued(s, p.scope, d)):
		out.attrs++
		if behindValue(s, i, other) {
			out.units++
		}
		return
	}
	if i > 0 && i+1 < len(s.parts) && s.parts[i+1].near && s.parts[i+1].kind == token.Value && measures(e.plain) {
		out.more++
		return
	}
	if isIDPart(p) {
		out.ids++
	}
	if p.kind == token.Word && !p.neg && out.units == 0 && behindValue(s, i, other) && !m.belongs(s, i+1, other) {
		out.units++
		return
	}
	d.only += m.weight[p.term]
	if i+1 < len(s.parts) {
		next := &s.parts[i+1]
		p.near = next.near && other[next.term] != 0 && m.x.entries[next.entry].says != saysActs && !m.x.entries[next.entry].bound && !(i == 0 && e.verb) // narrows what follows
	} else {
		p.near = false
	}
	if p.scope != 0 {
		out.scoped = append(out.scoped, p)
		return
	}
	out.rest = append(out.rest, p)
}

// furthers reports whether an alternative of another class only says more of the
// one chosen: a real Postgres database, ISO dates in UTC.
func (m *matcher) furthers(s *statement, i int, d *diff) bool {
	if m.x.entries[s.parts[i].entry].means.in.has(m.x.words.zone) {
		return !d.classes.empty()
	}
	if i == 0 || !s.parts[i].near {
		return false
	}
	before := m.x.entries[s.parts[i-1].entry].means
	return before != nil && !before.in.and(d.classes).empty()
}

// narrows reports whether a word that says little elsewhere leaves something out
// behind for or in: what is said of the libraries is not said of the rest.
func narrows(stem string) bool {
	switch stem {
	case "library", "framework", "servic", "server", "system", "tool", "peopl", "person", "engin", "customer", "mode", "level", "time-out",
		"агент", "agent", "бібліотек", "фреймворк", "сервіс", "сервер", "систем", "інструмент", "додатк", "застосунк":
		return true
	}
	return false
}

// behindValue reports whether a word stands right behind a value that the other
// statement does not have, and so tells what is counted.
func behindValue(s *statement, i int, other []int32) bool {
	return i > 0 && s.parts[i].near && s.parts[i-1].kind == token.Value && other[s.parts[i-1].term] == 0
}

// belongs reports whether the word i is shared and the one before it tells which
// is meant: cursor items, where the other statement has items.
func (m *matcher) belongs(s *statement, i int, other []int32) bool {
	if i >= len(s.parts) || !s.parts[i].near || other[s.parts[i].term] == 0 {
		return false
	}
	means := m.x.entries[s.parts[i].entry].means
	return means == nil || !means.weak
}

// measures reports whether a verb before a value says no more than that the thing
// has it: returns 20 items, opens 5 connections.
func measures(w string) bool {
	switch w {
	case "return", "returns", "show", "shows", "open", "opens", "hold", "holds", "serve", "serves", "accept", "accepts", "повертає", "показує", "відкриває", "приймає", "видає":
		return true
	}
	return false
}

// valued reports whether a phrase behind for or in names a value, and so is no
// place: on port 8080.
func (m *matcher) valued(s *statement, scope uint8, d *diff) bool {
	for i := range s.parts {
		p := &s.parts[i]
		if p.scope != scope {
			continue
		}
		means := m.x.entries[p.entry].means
		if isValuePart(*p) || isCodePart(*p) || means != nil && !means.in.and(d.classes).empty() {
			return true
		}
	}
	return false
}

// unscope takes words for no scope where what is behind for or in is named by the
// other as well: API calls, where both speak of the API.
func (m *matcher) unscope(s *statement, out *side, other []int32) {
	if len(out.scoped) == 0 {
		return
	}
	for i := range s.parts {
		p := &s.parts[i]
		if p.scope != 0 && other[p.term] != 0 && !p.place && m.x.entries[p.entry].role == content {
			if mm := m.x.entries[p.entry].means; mm != nil && (mm.attr || mm.weak) {
				continue
			}
			for _, q := range out.scoped {
				if !q.near && q.scope == p.scope {
					out.rest = append(out.rest, q)
				}
			}
			out.scoped = slices.DeleteFunc(out.scoped, func(q part) bool { return !q.near && q.scope == p.scope })
		}
	}
}

// orderTurned reports whether one says before where the other says after.
func (m *matcher) orderTurned(a, b *statement) bool {
	for i := range b.parts {
		q := &b.parts[i]
		at := m.inA[q.term]
		if at == 0 {
			continue
		}
		p := &a.parts[at-1]
		switch {
		case p.order != 0 && q.order != 0 && p.order != q.order:
			return true
		case q.order == 0 || p.order != 0:
			continue
		}
		// "lint before test" and "test before lint"
		for j := range a.parts {
			if a.parts[j].order == q.order && m.inB[a.parts[j].term] != 0 {
				return true
			}
		}
	}
	return false
}

// Whether nothing but the difference itself keeps the statements apart.
type gapKind int

const (
	noGap    gapKind = iota
	oneGap           // one says a word more of the same subject
	narrower         // one is about a part of what the other is about
	farApart
)

// said is how many words of weight are shared; of statements that have none of
// these, and no word that only one has, the others count.
func (d *diff) said() int {
	said := d.subjects + d.attrs + d.members + d.values
	if said == 0 && d.weak > 1 && d.only == 0 {
		return d.weak
	}
	return said
}

func (d *diff) gap() gapKind {
	ra, rb := len(d.a.rest), len(d.b.rest)
	sa, sb := len(d.a.scoped), len(d.b.scoped)
	switch {
	case d.a.units > 0 && d.b.units > 0, d.a.heads > 0 && d.b.heads > 0, d.a.bounds > 0 && d.b.bounds > 0, d.a.attrs > 0 && (rb > 0 || d.b.attrs > 0), d.b.attrs > 0 && ra > 0:
		return farApart
	case ra > 0 && rb > 0, sa > 0 && sb > 0, ra > 0 && sb > 0, sa > 0 && rb > 0:
		return farApart
	case sa+sb > 0:
		return narrower
	case ra+rb == 0:
		return noGap
	case ra+rb > 1:
		return farApart
	}
	for _, p := range d.a.rest {
		if p.near {
			return narrower
		}
	}
	for _, p := range d.b.rest {
		if p.near {
			return narrower
		}
	}
	return oneGap
}

// conflict tells why both statements can't hold, "" if they can.
func (m *matcher) conflict(a, b *statement, d *diff) string {
	gap := d.gap()
	if why := m.substitution(a, b, d); why != "" {
		return why
	}
	if m.contrasts(a, b, &d.a, &d.b, d) || m.contrasts(b, a, &d.b, &d.a, d) || m.anytime(a, b, d) {
		return yesAndNo
	}
	if gap == farApart {
		return ""
	}
	if why := m.classConflict(a, b, d, gap); why != "" {
		return why
	}
	if why := m.valueConflict(a, b, d, gap); why != "" {
		return why
	}
	differ := len(d.a.values) > 0 && len(d.b.values) > 0 || len(d.a.codes) > 0 && len(d.b.codes) > 0
	said := d.said()
	if d.subjects+d.attrs+d.members+d.values == 0 {
		d.clash = d.weakClash
	}
	full := gap == noGap && said > 0 && !differ && d.chosenAlike(m, a, b)
	if d.clash > 0 && d.denied == 0 && !differ {
		// Not all of the tests is not none of them.
		some := a.full && a.negs > 0 && !b.full && !b.all || b.full && b.negs > 0 && !a.full && !a.all
		if !some && (full || gap == oneGap && d.clash >= d.agree && d.subjects >= 2 && d.shared >= 2*d.only) {
			return yesAndNo
		}
	}
	if full && d.turned {
		return "one says before and the other after"
	}
	if (full || gap == oneGap && d.subjects > 0 && !differ) && d.clash == 0 && d.values == 0 && (a.must && b.may && !b.must || b.must && a.may && !a.must) {
		return "one requires what the other leaves open"
	}
	return ""
}

// valueConflict compares numbers, and paths and names of code.
func (m *matcher) valueConflict(a, b *statement, d *diff, gap gapKind) string {
	if gap != noGap && !m.onlyVerb(d) || d.subjects+d.attrs+d.members == 0 {
		return ""
	}
	if d.clash > 0 || !d.chosenAlike(m, a, b) {
		return ""
	}
	if p, q, ok := m.differing(a, b, d.a.values, d.b.values); ok && m.dayAlike(d, p) && m.sameFrame(a, b, d, p, q) {
		return m.notBut(p, q)
	}
	if len(d.a.codes) == 1 && len(d.b.codes) == 1 && gap <= oneGap && !(m.about(a, d.a.codes[0]) || m.about(b, d.b.codes[0])) {
		command := func(p part) bool { return strings.Contains(m.x.entries[p.entry].plain, " ") }
		if m.sameFrame(a, b, d, d.a.codes[0], d.b.codes[0]) && m.dayAlike(d, d.a.codes[0]) && command(d.a.codes[0]) == command(d.b.codes[0]) {
			return m.notBut(d.a.codes[0], d.b.codes[0])
		}
	}
	return ""
}

// dayAlike reports whether no side says on which day its value holds, unless the
// days are what differs.
func (m *matcher) dayAlike(d *diff, p part) bool {
	if s := m.x.entries[p.entry].sort; s == weekday || s == month {
		return true
	}
	on := func(v part) bool { return v.scope != 0 && m.x.entries[v.entry].sort == weekday }
	return !slices.ContainsFunc(d.a.values, on) && !slices.ContainsFunc(d.b.values, on)
}

// about reports whether a statement begins with a name of code, and so is about it.
func (m *matcher) about(s *statement, code part) bool {
	return s.parts[0].term == code.term && !code.used
}

// differing finds two values of one sort that stand for the same thing.
func (m *matcher) differing(a, b *statement, va, vb []part) (p, q part, ok bool) {
	const most = 8 // values that are looked at
	va, vb = va[:min(len(va), most)], vb[:min(len(vb), most)]
	for _, p := range va {
		for _, q := range vb {
			if m.x.entries[p.entry].sort != m.x.entries[q.entry].sort || (p.scope != 0) != (q.scope != 0) && m.x.entries[p.entry].sort == version {
				continue
			}
			if len(va) == 1 && len(vb) == 1 || m.anchor(a, p) == m.anchor(b, q) && m.anchor(a, p) >= 0 {
				return p, q, true
			}
		}
	}
	return p, q, false
}

// anchor is the word before a value, -1 without one.
func (m *matcher) anchor(s *statement, v part) int32 {
	before := int32(-1)
	for i := range s.parts {
		p := &s.parts[i]
		if p.term == v.term {
			return before
		}
		if p.kind == v.kind {
			continue
		}
		before = p.term
	}
	return -1
}

func (m *matcher) notBut(a, b part) string {
	return `"` + clip(m.x.names[a.term]) + notMark + clip(m.x.names[b.term]) + `"`
}

// mirrored is the relation seen from the other statement.
func (r Relation) mirrored() Relation {
	switch r.More {
	case 1:
		r.Why, r.More = moreInSecond, 2
	case 2:
		r.Why, r.More = moreInFirst, 1
	default:
		if a, b, ok := strings.Cut(r.Why, notMark); ok && strings.HasPrefix(a, `"`) {
			r.Why = `"` + strings.TrimSuffix(b, `"`) + notMark + strings.TrimPrefix(a, `"`) + `"`
		}
	}
	return r
}

const yesAndNo = "one says yes and the other no"

const notMark = `", not "`
