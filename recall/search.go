package recall

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"dormouse/recall/words"
)

// A Part is an index, or what of it still counts: a large one that is seldom
// written and a small one of what changed since make one answer.
type Part struct {
	Index *Index
	// Gone reports whether a document was deleted or stands in another part in a
	// newer form; nil: none.
	Gone func(doc int) bool
}

// What the score is made of. Each but the first two constants, which are those
// that everybody uses, was chosen on the development half of eval-recall and is
// round because no figure there tells more.
const (
	k1 = 1.2
	b  = 0.75

	// lengthPad is added to each length, in halves of a word: that one turn has
	// three words and another six says nothing.
	lengthPad = 40
	// speakerGain is added for a turn of the one whom the question names.
	speakerGain = 1
	// periodGain is added for a document of the days that the question names.
	periodGain = 1
	// groupGain is what the best session adds to its turns, of the best score. Of
	// fewer than groupLeast sessions it says nothing which one it is.
	groupGain  = 0.2
	groupLeast = 10
	// nearWeight is what a turn has of the one before it and behind it; each
	// further one counts half of that, and a question before it counts whole.
	nearWeight = 0.5
	nearReach  = 3
	// candidates are looked at more closely, word by word.
	candidates = 100

	defaultLimit = 10
)

// Search answers a question from all parts as from one index. A question of no
// terms finds nothing. Hits are ordered by score; equal ones by ID.
func Search(q Query, parts []Part) []Hit {
	s := newSearch(q, parts)
	if len(s.question.terms) == 0 || s.docs == 0 {
		return nil
	}
	s.score()
	return s.hits()
}

// A search is one question being answered.
type search struct {
	query         Query
	question      question
	added         []questionTerm // words that belong to the matter
	respelt       bool
	sessionsAsked bool
	parts         []Part
	reading       reading // of the document that is looked at closely
	docs          int
	average       float64      // length of a document
	norms         [256]float32 // by the code of a length
	short         [256]float32 // by the code of a length: how much a turn lives by those around it
	scores        [][]entry    // by part
	classes       [][]class    // by part
}

// A class is what the documents of one kind and type have in common for a question.
type class struct {
	wanted bool
	gain   float32
}

func newSearch(q Query, parts []Part) *search {
	s := &search{query: q, question: parse(q), parts: parts}
	length := uint64(0)
	for _, p := range parts {
		s.docs += p.Index.docs
		length += p.Index.length
	}
	s.average = float64(length) / float64(max(s.docs, 1))
	for i, power := 0, 1.0; i < len(s.norms); i, power = i+1, power*lengthStep {
		length := power - 1 // of code i
		s.norms[i] = float32(inProse * k1 * (1 - b + b*(length+lengthPad)/(s.average+lengthPad)))
		s.short[i] = float32(lengthPad / (lengthPad + length))
	}
	for i := range s.question.terms {
		s.question.terms[i].find(parts, s.docs)
	}
	s.question.limit()
	if s.uses(SignalSpell) {
		s.spell()
	}
	for _, p := range parts {
		s.classes = append(s.classes, s.classify(p.Index))
	}
	return s
}

// classify looks at each class of an index once.
func (s *search) classify(x *Index) []class {
	classes := make([]class, x.classes)
	for i := range classes {
		kind, typ := x.classOf(i)
		c := &classes[i]
		c.wanted = (s.query.Kinds == nil || slices.Contains(s.query.Kinds, kind)) && (s.query.Types == nil || slices.Contains(s.query.Types, typ))
		c.gain = 1
		if kind == Turn && s.uses(SignalSpeaker) && s.speaks(typ) {
			c.gain += speakerGain
		}
	}
	return classes
}

// speaks reports whether the question is about what a speaker said: it names
// him, or somebody asks about himself or, of the one who is asked, about him.
func (s *search) speaks(speaker string) bool {
	q := &s.question
	switch strings.ToLower(speaker) {
	case "user":
		return q.mine && !q.yours
	case "assistant":
		return q.yours && !q.mine
	}
	named := false
	words.Each(speaker, func(t words.Token) {
		named = named || len(t.Key) > 1 && q.keys[string(t.Key)] && !words.IsStop(t.Key)
	})
	return named
}

// score gives each document its score, but for what only a closer look tells.
func (s *search) score() {
	s.scores = make([][]entry, len(s.parts))
	for i := range s.parts {
		s.scores[i] = s.words(i, s.question.terms)
	}
	s.lookCloser()
	switch {
	case s.sessionsAsked && s.uses(SignalExpand):
		s.expand(expandWeight)
	case !s.sessionsAsked && s.question.whether && s.uses(SignalWhether):
		s.expand(whetherWeight)
	}
	top := float32(0)
	for i, p := range s.parts {
		if len(s.added) > 0 {
			s.scores[i] = addMerged(nil, s.scores[i], s.words(i, s.added))
		}
		if p.Index.turns > 0 && s.uses(SignalNear) {
			s.scores[i] = s.near(p.Index, s.scores[i])
		}
		s.gain(i)
		for _, e := range s.scores[i] {
			top = max(top, e.score)
		}
	}
	if s.uses(SignalSession) {
		s.sessions(top)
	}
	if !s.sessionsAsked && s.question.whether && s.uses(SignalWhether) {
		s.earlier()
	}
}

// words returns the BM25 scores of the documents of a part.
func (s *search) words(part int, terms []questionTerm) []entry {
	x := s.parts[part].Index
	expected := 0
	for _, t := range terms {
		if t.numbers[part] >= 0 {
			expected += x.count(t.numbers[part])
		}
	}
	scores := newSum(x.docs, expected)
	lengths := x.sections[docLengths]
	for _, t := range terms {
		if t.numbers[part] < 0 {
			continue
		}
		weight := float32(t.weight * t.idf * (k1 + 1))
		x.walk(t.numbers[part], func(doc int, w uint8) {
			tf := float32(w)
			scores.add(doc, weight*tf/(tf+s.norms[lengths[doc]]))
		})
		scores.end()
	}
	return scores.entries()
}

// near adds to each turn what is said around it, the more the shorter it is: a
// turn of a few words is an answer to the one before it.
func (s *search) near(x *Index, own []entry) []entry {
	if len(own) == 0 {
		return nil
	}
	lengths := x.sections[docLengths]
	out := newSum(x.docs, len(own)*(2*nearReach+1))
	for _, e := range own {
		out.add(int(e.doc), e.score)
	}
	out.end()
	weight := float32(nearWeight)
	for step := 1; step <= nearReach; step++ {
		for _, e := range own {
			from, to := int(e.doc), int(e.doc)+step
			if !x.together(from, to) {
				continue
			}
			w := weight
			if step == 1 && x.sections[docFlags][from]&flagAsks != 0 {
				w = 1
			}
			out.add(to, w*s.short[lengths[to]]*e.score)
		}
		out.end()
		for _, e := range own {
			from, to := int(e.doc), int(e.doc)-step
			if x.together(to, from) {
				out.add(to, weight*s.short[lengths[to]]*e.score)
			}
		}
		out.end()
		weight /= 2
	}
	return out.entries()
}

// together reports whether two documents, the first before the second, are turns of
// one session.
func (x *Index) together(first, second int) bool {
	if first < 0 || second >= x.docs || !x.isTurn(first) || !x.isTurn(second) {
		return false
	}
	for _, f := range x.sections[docFlags][first+1 : second+1] {
		if f&flagFirst != 0 {
			return false
		}
	}
	return true
}

// gain multiplies the scores of a part by what speaks for a document beside its
// words.
func (s *search) gain(part int) {
	x, classes := s.parts[part].Index, s.classes[part]
	for i := range s.scores[part] {
		e := &s.scores[part][i]
		if c := x.class(int(e.doc)); c < len(classes) {
			e.score *= classes[c].gain
		}
		if s.told(x, int(e.doc)) {
			e.score *= 1 + periodGain
		}
	}
}

// told reports whether a document is of the days that the question names.
func (s *search) told(x *Index, doc int) bool {
	if len(s.question.periods) == 0 || !s.uses(SignalDate) {
		return false
	}
	when := x.when(doc)
	return !when.IsZero() && slices.ContainsFunc(s.question.periods, func(p period) bool { return p.holds(when) })
}

// A found document may be a hit.
type found struct {
	part, doc int
	score     float32
}

// lookCloser adds what words close together say to the documents that hold most of
// the question.
func (s *search) lookCloser() {
	if len(s.question.pairs) == 0 {
		return
	}
	for _, f := range s.best(candidates) {
		s.read(f.part, f.doc)
		s.entry(f).score += float32(s.nearness())
	}
}

// hits returns the best documents.
func (s *search) hits() []Hit {
	limit := s.query.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	best := s.best(limit)
	slices.SortFunc(best, s.compare)
	hits := make([]Hit, 0, len(best))
	for _, f := range best {
		hits = append(hits, s.hit(f))
	}
	return hits
}

// compare orders found documents, the best first.
func (s *search) compare(x, y found) int {
	if x.score != y.score {
		return cmp.Compare(y.score, x.score)
	}
	return bytes.Compare(s.parts[x.part].Index.id(x.doc), s.parts[y.part].Index.id(y.doc))
}

// best returns the n best documents that are wanted, in no order.
func (s *search) best(n int) []found {
	var heap []found
	less := func(i, j int) bool { return s.compare(heap[i], heap[j]) > 0 } // the worst on top
	down := func() {
		i := 0
		for {
			child := 2*i + 1
			if child >= len(heap) {
				return
			}
			if child+1 < len(heap) && less(child+1, child) {
				child++
			}
			if !less(child, i) {
				return
			}
			heap[i], heap[child] = heap[child], heap[i]
			i = child
		}
	}
	for part, scores := range s.scores {
		for _, e := range scores {
			f := found{part, int(e.doc), e.score}
			if len(heap) == n && (f.score < heap[0].score || s.compare(f, heap[0]) >= 0) || !s.wanted(part, f.doc) {
				continue
			}
			if len(heap) < n {
				heap = append(heap, f)
				for i := len(heap) - 1; i > 0 && less(i, (i-1)/2); i = (i - 1) / 2 {
					heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
				}
				continue
			}
			heap[0] = f
			down()
		}
	}
	return heap
}

// wanted reports whether a document is there and of a kind that is asked for.
func (s *search) wanted(part, doc int) bool {
	p := s.parts[part]
	if c := p.Index.class(doc); c >= len(s.classes[part]) || !s.classes[part][c].wanted {
		return false
	}
	return p.Gone == nil || !p.Gone(doc)
}
