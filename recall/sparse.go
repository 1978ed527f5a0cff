package recall

// An entry is the score of one document of a part. Scores of a part are entries in
// the order of documents: a question of rare words must not cost a look at all.
type entry struct {
	doc   uint32
	score float32
}

// addMerged adds two lists of entries into out, which it uses again.
func addMerged(out, x, y []entry) []entry {
	out = out[:0]
	for len(x) > 0 && len(y) > 0 {
		switch a, b := x[0], y[0]; {
		case a.doc < b.doc:
			out, x = append(out, a), x[1:]
		case a.doc > b.doc:
			out, y = append(out, b), y[1:]
		default:
			out = append(out, entry{a.doc, a.score + b.score})
			x, y = x[1:], y[1:]
		}
	}
	return append(append(out, x...), y...)
}

// denseShare is the share of documents of a part from which on an array of all of
// them is faster than merging lists.
const denseShare = 8

// A sum adds the scores of documents that come in ascending runs.
type sum struct {
	dense      []float32 // of all documents; nil where few are expected
	total, run []entry
	spare      []entry
}

// newSum returns a sum over so many documents, of which about so many scores come.
func newSum(docs, expected int) *sum {
	if expected > docs/denseShare {
		return &sum{dense: make([]float32, docs)}
	}
	return &sum{}
}

// add adds to the score of a document; within a run documents ascend.
func (s *sum) add(doc int, score float32) {
	if s.dense != nil {
		s.dense[doc] += score
		return
	}
	s.run = append(s.run, entry{uint32(doc), score})
}

// end ends a run.
func (s *sum) end() {
	if len(s.run) == 0 {
		return
	}
	s.spare = addMerged(s.spare, s.total, s.run)
	s.total, s.spare, s.run = s.spare, s.total, s.run[:0]
}

// entries returns the documents with a score.
func (s *sum) entries() []entry {
	if s.dense == nil {
		return s.total
	}
	n := 0
	for _, score := range s.dense {
		if score != 0 {
			n++
		}
	}
	out := make([]entry, 0, n)
	for doc, score := range s.dense {
		if score != 0 {
			out = append(out, entry{uint32(doc), score})
		}
	}
	return out
}
