package scan

import "strings"

// A set holds concepts: what a word stands for, whatever word was chosen.
type set [setWords]uint64

const setWords = 6

func (s *set) meets(o *set) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3]|s[4]&o[4]|s[5]&o[5] != 0
}

func (s *set) empty() bool { return s[0]|s[1]|s[2]|s[3]|s[4]|s[5] == 0 }

// add puts all of o into s.
func (s *set) add(o *set) {
	for i := range o {
		s[i] |= o[i]
	}
}

// or returns what is in s or in o.
func (s set) or(o set) set {
	s.add(&o)
	return s
}

func (s *set) put(i int) { s[i>>6] |= 1 << (i & 63) }

// An entry is what the lexicon says of one word.
type entry struct {
	bits    set
	verb    bool // has an imperative
	foreign bool // from another language than English
	ending  bool // listed with an English ending
	phrases []phrase
}

// A phrase begins with the word that its entry belongs to.
type phrase struct {
	rest []string
	entry
}

// A lexicon holds words by their text in lower case.
type lexicon struct {
	words map[string]*entry
	// runs are words of scripts without spaces, by text; starts holds how many
	// runes the longest one has that begins with a rune.
	runs   map[string]*entry
	starts map[rune]int
	ids    map[string]int
	sizes  [64 * setWords]int // words of each concept
}

// id returns the number of a concept, a new one if need be.
func (l *lexicon) id(name string) int {
	i, ok := l.ids[name]
	if !ok {
		// A set has room for so many; a test holds the rules to it.
		i = min(len(l.ids), 64*setWords-1)
		l.ids[name] = i
	}
	return i
}

// bits returns the set of concepts in names, with | between them.
func (l *lexicon) bits(names string) set {
	var s set
	for name := range strings.SplitSeq(names, "|") {
		s.put(l.id(name))
	}
	return s
}

func newLexicon() *lexicon {
	return &lexicon{
		words:  make(map[string]*entry, 4096),
		runs:   make(map[string]*entry, 512),
		starts: make(map[rune]int, 256),
		ids:    make(map[string]int, 320),
	}
}

// load reads the word lists, of the concepts that somebody asked the bits of.
// A line is "concept: word word …"; a "*" after the concept says that the words
// are verbs, "_" joins the words of a phrase.
func (l *lexicon) load() {
	l.read(english, false)
	l.read(links, false)
	l.read(names, false)
	l.read(foreign, true)
	l.inherit()
}

// inherit gives words that are listed with an ending what their base form
// stands for: they would never be looked up without it.
func (l *lexicon) inherit() {
	for word, e := range l.words {
		base := l.base(word)
		if base == nil || base == e || e.foreign || base.foreign {
			continue
		}
		e.bits.add(&base.bits)
		e.ending = !e.verb
	}
}

func (l *lexicon) read(text string, foreign bool) {
	for line := range strings.Lines(text) {
		concept, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		concept, verb := strings.CutSuffix(concept, "*")
		id, ok := l.ids[concept]
		if !ok {
			continue
		}
		for word := range strings.FieldsSeq(list) {
			l.sizes[id]++
			l.add(word, id, verb, foreign)
		}
	}
}

func (l *lexicon) add(word string, id int, verb, foreign bool) {
	first, rest, isPhrase := strings.Cut(word, "_")
	if r := firstRune(first); joined(r) {
		l.addRun(strings.ReplaceAll(word, "_", ""), id, verb)
		return
	}
	e := l.words[first]
	if e == nil {
		// A word that English has as well proves no other language.
		e = &entry{foreign: foreign && !isPhrase}
		l.words[first] = e
	}
	if !isPhrase {
		e.bits.put(id)
		e.verb = e.verb || verb && (e.foreign || !foreign)
		return
	}
	parts := strings.Split(rest, "_")
	for i := range e.phrases {
		if p := &e.phrases[i]; strings.Join(p.rest, "_") == rest {
			p.bits.put(id)
			p.verb = p.verb || verb
			return
		}
	}
	p := phrase{rest: parts, entry: entry{verb: verb, foreign: foreign}}
	p.bits.put(id)
	e.phrases = append(e.phrases, p)
}

func (l *lexicon) addRun(word string, id int, verb bool) {
	e := l.runs[word]
	if e == nil {
		e = &entry{foreign: true}
		l.runs[word] = e
	}
	e.bits.put(id)
	e.verb = e.verb || verb
	n := 0
	for range word {
		n++
	}
	r := firstRune(word)
	l.starts[r] = max(l.starts[r], n)
}

// find looks a word up, as it is and then without an English ending. The second
// result says that it has an ending.
func (l *lexicon) find(word string) (e *entry, inflected bool) {
	if e = l.words[word]; e != nil {
		return e, e.ending
	}
	e = l.base(word)
	return e, e != nil
}

// base finds the word without an English ending; nil if it has none.
func (l *lexicon) base(word string) *entry {
	n := len(word)
	switch {
	case n < 4:
	case word[n-1] == 's' && word[n-2] != 's':
		if e := l.words[word[:n-1]]; e != nil {
			return e
		}
		if strings.HasSuffix(word, "ies") {
			return l.words[word[:n-3]+"y"]
		}
		if strings.HasSuffix(word, "es") {
			return l.words[word[:n-2]]
		}
	case strings.HasSuffix(word, "ed"):
		return l.stem(word[:n-2])
	case strings.HasSuffix(word, "ing"):
		return l.stem(word[:n-3])
	}
	return nil
}

// stem finds a verb from what is left of it: "send", "stor(e)", "skip(p)".
func (l *lexicon) stem(word string) *entry {
	if e := l.words[word]; e != nil {
		return e
	}
	n := len(word)
	if n > 3 && word[n-1] == word[n-2] {
		if e := l.words[word[:n-1]]; e != nil {
			return e
		}
	}
	if n > 2 && word[n-1] == 'i' {
		return l.words[word[:n-1]+"y"]
	}
	// Concatenation allocates nothing here: the compiler keeps short ones of a
	// map look-up on the stack.
	return l.words[word+"e"]
}

// joined reports runes of scripts that write words without spaces between them,
// or with endings grown on, so that words are found inside a run.
func joined(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0x20000 && r <= 0x3FFFF
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
