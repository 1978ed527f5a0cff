package claim

// What a longer statement and its rewording must share.
const (
	rewordedWords = 6   // words that say something
	rewordedShare = 0.6 // of the weight of both together
)

// reworded reports whether two longer statements are most likely one that was put
// in other words: most of what they say is the same, neither has a name or value
// of its own, and the words come in another order. In the same order a word in the
// place of another is what an edit for another thing looks like.
func (m *matcher) reworded(a, b *statement, d *diff, share float64) bool {
	strong := d.subjects + d.attrs + d.members + d.values
	if strong+d.reasons < rewordedWords || share < rewordedShare {
		return false
	}
	for _, s := range [2]*side{&d.a, &d.b} {
		if 2*(len(s.rest)+len(s.scoped)+s.heads+s.attrs) > strong || named(s.rest) || named(s.scoped) {
			return false
		}
	}
	return !m.inOrder(a, b, true)
}

// named reports whether a name is among the words.
func named(list []part) bool {
	for i := range list {
		if list[i].title {
			return true
		}
	}
	return false
}

// exchanged reports whether the first and the last word of two statements of the
// same words stand in each other's place, and the rest where it was: the importer
// waits for the indexer.
func (m *matcher) exchanged(a, b *statement) bool {
	var p, q [maxOrdered]*part
	n := m.ordered(a, m.inB, &p, false)
	if n < 3 || n == maxOrdered || n != m.ordered(b, m.inA, &q, false) || p[n-1].of || q[n-1].of {
		return false
	}
	return p[0].entry == q[n-1].entry && q[0].entry == p[n-1].entry && equalTerms(p[1:n-1], q[1:n-1])
}
