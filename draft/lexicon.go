package draft

import "math"

// An entry is a word as it was met: each is looked at once, however often it
// comes, which is what makes a thousand notes cheap.
type entry struct {
	sense
	plain   string
	kind    kind
	ordinal bool
	aux     bool  // do, must: "not" behind it negates the clause
	term    int32 // number of its stem, -1 for words that are not compared
}

// A lexicon numbers words and stems and counts in how many notes a stem comes.
type lexicon struct {
	index   map[string]int32 // plain word to entry
	entries []entry
	stems   map[string]int32
	names   []string // of each term, a word that has it
	df      []int32
	last    []int32 // the note in which the term was seen last

	// recent is a direct-mapped cache before index: most words of a text are few
	// words, and a map costs three times as much.
	recent [recents]int32
}

const recents = 1 << 11 // a power of two

func newLexicon() *lexicon {
	return &lexicon{index: map[string]int32{}, stems: map[string]int32{}}
}

// read appends the text to a sequence: entries by number, signs as minus their
// kind, headings left out. The note's number counts for df; -1 counts nowhere.
func (x *lexicon) read(text string, note int32, seq []int32) []int32 {
	s := scanner{text: text, noHeads: true}
	for {
		t := s.next()
		if t.kind == end {
			return append(seq, -int32(stop))
		}
		if t.kind >= comma {
			seq = append(seq, -int32(t.kind))
			continue
		}
		n := x.find(s.plain, t.kind)
		seq = append(seq, n)
		if term := x.entries[n].term; note >= 0 && term >= 0 && x.last[term] != note {
			x.last[term] = note
			x.df[term]++
		}
	}
}

// find returns the number of a word's entry.
func (x *lexicon) find(plain []byte, k kind) int32 {
	h := uint32(2166136261) // FNV-1a
	for _, c := range plain {
		h = (h ^ uint32(c)) * 16777619
	}
	slot := &x.recent[(h^h>>15)%recents]
	if n := int(*slot); n < len(x.entries) && x.entries[n].plain == string(plain) {
		return *slot
	}
	n, ok := x.index[string(plain)]
	if !ok {
		n = x.add(plain, k)
	}
	*slot = n
	return n
}

func (x *lexicon) add(plain []byte, k kind) int32 {
	w := string(plain)
	e := entry{plain: w, kind: k, term: -1}
	if k == word {
		e.sense = roleOf(w)
		e.ordinal = ordinal(w)
		e.aux = isAux(w)
		if e.role == day {
			e.kind = value
		}
	}
	switch e.role {
	case content, day:
		e.term = x.term(stemOf(plain, e.kind), w)
	case where:
		// Locally and on this machine are one place and one term.
		e.term = x.term(string([]byte{0, e.group, e.place}), w)
	}
	n := int32(len(x.entries))
	x.entries = append(x.entries, e)
	x.index[w] = n
	return n
}

func stemOf(plain []byte, k kind) string {
	switch {
	case k == word:
		return string(stem(append([]byte(nil), plain...)))
	case k == value && len(plain) > 1 && plain[0] == 'v':
		return string(plain[1:])
	}
	return string(plain)
}

func (x *lexicon) term(stem, name string) int32 {
	n, ok := x.stems[stem]
	if !ok {
		n = int32(len(x.df))
		x.stems[stem] = n
		x.names = append(x.names, name)
		x.df = append(x.df, 0)
		x.last = append(x.last, -1)
	}
	return n
}

// weights returns what each term is worth: the rarer among the notes the more.
// The smoothing makes a store of three notes behave like one of fifty more in
// which nothing of this comes.
func (x *lexicon) weights(notes int) []float64 {
	w := make([]float64, len(x.df))
	for i, df := range x.df {
		w[i] = math.Log((float64(notes) + 50) / (float64(df) + 0.5))
	}
	return w
}

// isAux reports whether "not" behind the word negates the clause, and not only
// what follows.
func isAux(w string) bool {
	switch w {
	case "do", "does", "did", "must", "should", "shall", "can", "could", "will", "would", "may", "is", "are", "was", "were":
		return true
	}
	return false
}
