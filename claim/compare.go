package claim

import (
	"fmt"
	"slices"

	"dormouse/claim/token"
	"dormouse/note"
)

// maxQuoted is how much of a word is shown to a person, in UTF-16 units.
const maxQuoted = 40

// A tally is what two claims have in common and what not.
type tally struct {
	shared, onlyA, onlyB  float64 // weights, without values that only one has
	words                 float64 // shared words, in number; two pairs are one
	values                int     // shared values, paths, identifiers
	restA, restB          []part  // words that only one has
	valuesA, valuesB      []part  // values that only one has
	clash                 int     // shared words that one denies
	negA, negB            bool    // has shared words that are denied
	idsA, idsB, idsShared int
	orderA, orderB        []int32 // shared terms as they come
}

// compare tells how claim b, of a note, relates to claim a, whose marks are set.
func (m *matcher) compare(a, b statement) Relation {
	if len(a.parts) == 0 || len(b.parts) == 0 {
		return Relation{}
	}
	t := m.tally(a, b)
	if apart(a, b, t) || m.x.otherThing(&a, &b) || a.others || b.others {
		return Relation{}
	}
	return m.judge(t, a, b)
}

// tally counts. A word that comes twice counts once.
func (m *matcher) tally(a, b statement) *tally {
	t := &tally{}
	for i, p := range b.parts {
		if m.inB[p.term] != 0 {
			continue
		}
		m.inB[p.term] = int32(i) + 1
		if at := m.inA[p.term]; at > 0 {
			t.share(a.parts[at-1], p, m.weight[p.term])
			t.orderB = append(t.orderB, p.term)
			continue
		}
		t.onlyB += rest(p, m.weight[p.term], &t.restB, &t.valuesB, &t.idsB)
	}
	for i, p := range a.parts {
		if m.inA[p.term] != int32(i)+1 {
			continue
		}
		if m.inB[p.term] != 0 {
			t.orderA = append(t.orderA, p.term)
			continue
		}
		t.onlyA += rest(p, m.weight[p.term], &t.restA, &t.valuesA, &t.idsA)
	}
	for _, p := range b.parts {
		m.inB[p.term] = 0
	}
	// A value that only one side has is a detail more; on both sides they differ,
	// which is counted as a conflict and not as distance.
	if len(t.valuesA) == 0 || len(t.valuesB) == 0 {
		for _, p := range t.valuesA {
			t.onlyA += m.weight[p.term] / 2
		}
		for _, p := range t.valuesB {
			t.onlyB += m.weight[p.term] / 2
		}
	}
	return t
}

func (t *tally) share(a, b part, weight float64) {
	t.shared += weight
	switch {
	case a.kind == token.ID:
		t.idsShared++
		t.words++
	case a.kind == token.Pair:
		t.words += 0.5
	case a.kind == token.Value, a.kind == token.Code:
		t.values++
	default:
		t.words++
	}
	t.negA = t.negA || a.neg
	t.negB = t.negB || b.neg
	if a.neg != b.neg && !a.place {
		t.clash++
	}
}

// rest sorts a part that only one claim has, and returns its weight if it is a
// word.
func rest(p part, weight float64, words, values *[]part, ids *int) float64 {
	switch p.kind {
	case token.Value, token.Code:
		*values = append(*values, p)
		return 0
	case token.ID:
		*ids++
	}
	*words = append(*words, p)
	return weight
}

// apart reports whether the claims are about different things for sure.
func apart(a, b statement, t *tally) bool {
	if t.idsA > 0 && t.idsB > 0 {
		return true
	}
	oneSided := false
	for g := range a.places {
		pa, pb := a.places[g], b.places[g]
		if pa != 0 && pb != 0 && pa&pb == 0 {
			return true
		}
		oneSided = oneSided || (pa == 0) != (pb == 0) || severalPlaces(pa, pb)
	}
	// A rule for everywhere and its opposite for one place can both hold.
	if oneSided && t.clash > 0 {
		return true
	}
	// A sentence that begins with a path or a name of code is about that.
	fa, fb := a.parts[0], b.parts[0]
	return fa.kind == token.Code && fb.kind == token.Code && fa.term != fb.term
}

// judge weighs the tally.
func (m *matcher) judge(t *tally, a, b statement) Relation {
	share := t.shared / (t.shared + t.onlyA + t.onlyB)
	words := t.words + float64(t.values)
	differ := len(t.valuesA) > 0 && len(t.valuesB) > 0
	if differ && m.bareName(&a, t.valuesA[0]) && m.bareName(&b, t.valuesB[0]) {
		return Relation{}
	}
	bare := len(t.restA) == 0 && len(t.restB) == 0
	if t.substituted(a, b) {
		return Relation{Kind: Conflict, Score: share, Why: "the same, but " + m.instead(t.restA[0], t.restB[0])}
	}
	if t.otherSubject(a, b) {
		return Relation{}
	}
	switch {
	case bare && !differ && t.clash == 0 && len(t.valuesA)+len(t.valuesB) == 0:
		return t.same(share)
	case differ && bare && t.words >= 1 && oneValue(t.valuesA) && oneValue(t.valuesB) && t.clash == 0,
		differ && share >= nearShare && t.words >= fewest:
		return Relation{Kind: Conflict, Score: share, Why: "the same matter, but " + m.instead(t.valuesA[0], t.valuesB[0])}
	case t.clash > 0 && share >= nearShare && words >= fewest:
		return Relation{Kind: Conflict, Score: share, Why: "the same matter, but one says yes and the other no"}
	case t.clash > 0 || differ:
		return Relation{}
	case words >= fewest && share >= nearShare,
		words >= fewest && share >= ruleShare && t.negA && t.negB:
		return Relation{Kind: Complement, Score: share, Why: "most of the words are the same"}
	}
	return t.contained()
}

// otherSubject reports whether what is said alike is said of different things:
// the first words are not the same ones, or one word was changed for another.
func (t *tally) otherSubject(a, b statement) bool {
	if len(t.restA) == 0 || len(t.restB) == 0 {
		return false
	}
	swapped := len(t.restA) == 1 && len(t.restB) == 1 && slices.Equal(t.orderA, t.orderB)
	return swapped || a.parts[0].term == t.restA[0].term && b.parts[0].term == t.restB[0].term
}

// same is the verdict on claims of the same words, none denied by only one.
func (t *tally) same(share float64) Relation {
	if slices.Equal(t.orderA, t.orderB) {
		return Relation{Kind: Same, Score: 1, Why: "says the same"}
	}
	if t.words+float64(t.values) < fewest {
		return Relation{}
	}
	return Relation{Kind: Same, Score: min(share, 0.99), Why: "the same words in another order"}
}

// instead tells a difference in words.
func (m *matcher) instead(a, b part) string {
	return fmt.Sprintf("%q, not %q", note.Clip(m.x.names[a.term], maxQuoted), note.Clip(m.x.names[b.term], maxQuoted))
}

func oneValue(p []part) bool { return len(p) == 1 && p[0].kind == token.Value }

// contained finds the short claim that is within a longer one.
func (t *tally) contained() Relation {
	if t.words+float64(t.values) < fewest+1 {
		return Relation{}
	}
	ofA, ofB := t.shared/(t.shared+t.onlyA), t.shared/(t.shared+t.onlyB)
	switch {
	case ofA >= partShare && ofB >= wholeShare:
		return Relation{Kind: Within, Score: ofB, Why: "the note says this and more"}
	case ofB >= partShare && ofA >= wholeShare:
		return Relation{Kind: Within, Score: ofA, Why: "says what the note says and more"}
	}
	return Relation{}
}

// substituted reports whether the claims differ in one word that is what is said,
// not what it is said of: the last one (owned by Marta, by Jonas), or the first
// one behind use (use tabs, use spaces). Bans of two things can both hold.
func (t *tally) substituted(a, b statement) bool {
	if len(t.restA) != 1 || len(t.restB) != 1 || t.negA || t.negB || len(a.parts) != len(b.parts) ||
		!slices.Equal(t.orderA, t.orderB) {
		return false
	}
	p, q := t.restA[0], t.restB[0]
	if p.topic || q.topic || p.neg || q.neg || p.kind != token.Word || q.kind != token.Word {
		return false
	}
	last := len(a.parts) - 1
	switch {
	case a.parts[0].term == p.term && b.parts[0].term == q.term:
		return p.imperative && q.imperative && t.words >= 1
	case a.parts[last].term == p.term && b.parts[last].term == q.term:
		return t.words >= fewest
	}
	return false
}
