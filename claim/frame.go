package claim

import (
	"strings"

	"dormouse/claim/token"
)

// maxOrdered is how many shared words are looked at for their order.
const maxOrdered = 16

// sameFrame reports whether nothing but the value p of one statement and q of the
// other keeps them apart. Two facts that differ in what they are said of and in a
// value as well can both hold, however many words they share.
func (m *matcher) sameFrame(a, b *statement, d *diff, p, q part) bool {
	switch {
	case len(d.a.values)+len(d.a.codes) != 1 || len(d.b.values)+len(d.b.codes) != 1, d.a.ids+d.b.ids > 0:
		return false
	case m.isKey(a, p) || m.isKey(b, q):
		return false
	}
	return m.inOrder(a, b, false)
}

// isKey reports whether a number names which of many things the statement is about
// and is no value of theirs: "contract 303 allows …", "the ledger of migration 1".
func (m *matcher) isKey(s *statement, v part) bool {
	if e := &m.x.entries[v.entry]; e.sort != plainNumber || strings.Contains(e.stem, ".") {
		return false
	}
	if m.bareName(s, v) {
		return true
	}
	for i := range s.parts {
		p := &s.parts[i]
		if p.term != v.term || i == 0 || !p.near {
			continue
		}
		noun := &s.parts[i-1]
		e := &m.x.entries[noun.entry]
		last := i == len(s.parts)-1
		switch {
		case noun.of && last:
			return true
		case noun.kind != token.Word || noun.used || e.verb || e.says != saysNothing:
			return false
		case e.means != nil && (e.means.attr || e.means.weak):
			return false
		}
		return i == 1 && !last && !noun.title || last && noun.scope != 0 && noun.scope == p.scope && !noun.title && !noun.near
	}
	return false
}

// bareName reports whether a statement is a noun and a number as a word, and so
// names one of several things: chapter seven.
func (m *matcher) bareName(s *statement, v part) bool {
	if len(s.parts) != 2 || s.parts[1].term != v.term || numberWord(m.x.entries[v.entry].plain) == "" {
		return false
	}
	means := m.x.entries[s.parts[0].entry].means
	return means == nil || !means.attr
}

// inOrder reports whether the words that both statements are about come in the
// same order: that the queue keeps items of the cursor is not that the cursor
// keeps items of the queue. A verb may stand first in one and last in the other,
// and what stands behind "of" before what it belongs to. With values, the shared
// ones are looked at as well.
func (m *matcher) inOrder(a, b *statement, values bool) bool {
	var p, q [maxOrdered]*part
	np, nq := m.ordered(a, m.inB, &p, values), m.ordered(b, m.inA, &q, values)
	if np != nq {
		return np == maxOrdered || nq == maxOrdered // a word that comes twice
	}
	if equalTerms(p[:np], q[:np]) {
		return true
	}
	for k := 1; k < np; k++ {
		if !equalTerms(p[k:np], q[:np-k]) || !equalTerms(p[:k], q[np-k:np]) {
			continue
		}
		moved := k == 1 && p[0].entry != q[np-1].entry || k == np-1 && q[0].entry != p[np-1].entry
		return moved || p[k].of != q[np-k].of
	}
	return false
}

// ordered lists the words of a statement that the other one has as well, each
// once, without those that say little.
func (m *matcher) ordered(s *statement, other []int32, out *[maxOrdered]*part, values bool) int {
	n := 0
	for i := range s.parts {
		p := &s.parts[i]
		means := m.x.entries[p.entry].means
		if other[p.term] == 0 || p.reason || p.extra || p.place || !values && p.kind == token.Value || means != nil && (means.weak || means.attr) {
			continue
		}
		seen := false
		for _, o := range out[:n] {
			seen = seen || o.term == p.term
		}
		if seen {
			continue
		}
		if n == maxOrdered {
			break
		}
		out[n] = p
		n++
	}
	return n
}

func equalTerms(a, b []*part) bool {
	for i := range a {
		if a[i].term != b[i].term {
			return false
		}
	}
	return true
}

// onlyVerb reports whether a Ukrainian verb is all that one statement says more:
// the backup is kept 30 days, backup: 30 days. Its ending tells it from a noun.
func (m *matcher) onlyVerb(d *diff) bool {
	if len(d.a.rest)+len(d.b.rest) != 1 || len(d.a.scoped)+len(d.b.scoped)+d.a.ids+d.b.ids > 0 {
		return false
	}
	for _, list := range [2][]part{d.a.rest, d.b.rest} {
		for i := range list {
			return verbal(m.x.entries[list[i].entry].plain)
		}
	}
	return false
}

// verbal reports whether a word in lower case ends like a Ukrainian verb.
func verbal(w string) bool {
	for _, end := range []string{"ться", "ють", "ать", "ять", "уть", "ить", "їть", "ємо", "имо", "емо", "уємо", "ено", "ано", "ати", "ити", "іти", "увати", "ується"} {
		if strings.HasSuffix(w, end) && len(w) > len(end)+4 {
			return true
		}
	}
	return false
}
