package claim

// contrasts reports whether b denies what a says and names something else in its
// place: deploy from main; deploy from the release branch, not from main. What it
// names is then no place where b alone would hold.
func (m *matcher) contrasts(a, b *statement, sa, sb *side, d *diff) bool {
	if len(sa.rest)+len(sa.scoped)+len(sa.values)+len(sa.codes) > 0 || len(sb.rest)+len(sb.scoped) == 0 || d.agree == 0 {
		return false
	}
	for i := range b.parts {
		q := &b.parts[i]
		if !q.neg || q.means == 0 {
			continue
		}
		if at := placeIn(a, q.term); at >= 0 && !a.parts[at].neg && inPlaceOf(b, sb, q.means) {
			return true
		}
	}
	return false
}

// placeIn is the place of a term in a statement, -1 if it is not there.
func placeIn(s *statement, term int32) int {
	for i := range s.parts {
		if s.parts[i].term == term {
			return i
		}
	}
	return -1
}

// inPlaceOf reports whether all that only this side says is what it names instead,
// behind the same preposition.
func inPlaceOf(s *statement, side *side, means behind) bool {
	for _, list := range [2][]part{side.rest, side.scoped} {
		for i := range list {
			if list[i].neg || list[i].scope == 0 || leads(s, list[i].scope).means != means {
				return false
			}
		}
	}
	return true
}

// leads is the first part of a phrase.
func leads(s *statement, scope uint8) part {
	for i := range s.parts {
		if s.parts[i].scope == scope {
			return s.parts[i]
		}
	}
	return part{}
}

// anytime reports whether one statement forbids something at all that the other
// orders at each time: never push by force, push by force after every rebase.
func (m *matcher) anytime(a, b *statement, d *diff) bool {
	if d.clash == 0 || d.agree > 0 || len(d.a.values)+len(d.b.values)+len(d.a.codes)+len(d.b.codes) > 0 {
		return false
	}
	yes, no, more := a, &d.b, &d.a
	if a.negs > 0 {
		yes, no, more = b, &d.a, &d.b
	}
	if yes.negs > 0 || len(no.rest)+len(no.scoped) > 0 || len(more.rest)+len(more.scoped) == 0 {
		return false
	}
	for i := range yes.parts {
		p := &yes.parts[i]
		switch {
		case p.each:
			return i > 0
		case holds(more.rest, p.term) || holds(more.scoped, p.term):
			return false
		}
	}
	return false
}
