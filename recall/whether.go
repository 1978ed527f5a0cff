package recall

import (
	"cmp"
	"slices"
)

// A question whether something is so ("have I ever used it?") has two sides, and
// the one that says it in the words of the question comes up anyway. The other
// tells of the matter itself: in words that go with it, and most often from the
// time when it began, since who denies a thing later had spoken of it before.
const (
	// whetherWeight is that of words which the best turns share.
	whetherWeight = 0.15
	// earlierGain is added for the turn that was the first to speak of it, and the
	// less the later it was said.
	earlierGain = 0.5
)

// earlier raises turns of the candidates by how early they were said.
func (s *search) earlier() {
	turns := slices.DeleteFunc(s.best(candidates), func(f found) bool { return !s.parts[f.part].Index.isTurn(f.doc) })
	slices.SortFunc(turns, func(a, b found) int {
		return cmp.Or(s.parts[a.part].Index.when(a.doc).Compare(s.parts[b.part].Index.when(b.doc)), cmp.Compare(a.part, b.part), cmp.Compare(a.doc, b.doc))
	})
	for i, f := range turns {
		s.entry(f).score *= 1 + earlierGain*(1-float32(i)/float32(len(turns)))
	}
}

// entry is where the score of a found document stands.
func (s *search) entry(f found) *entry {
	scores := s.scores[f.part]
	at, _ := slices.BinarySearchFunc(scores, uint32(f.doc), func(e entry, doc uint32) int { return cmp.Compare(e.doc, doc) })
	return &scores[at]
}
