package claim

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/claim/token"
)

// An entry is a word as it was met: each is looked at once, however often it
// comes, which is what makes a thousand notes cheap.
type entry struct {
	sense
	plain   string
	kind    token.Kind
	ordinal bool
	aux     bool     // do, must: "not" behind it negates the clause
	term    int32    // number of its stem, -1 for words that are not compared
	means   *meaning // nil for words that the vocabulary doesn't know
	stem    string
	tail    bool  // ends a phrase
	glue    bool  // may end a phrase, a value with its unit, a command
	leads   bool  // the word behind it does, whatever it is
	verb    bool  // begins a rule and says little
	bound   bool  // maximum, minimum
	sort    uint8 // of a value, see sortOf
	says    says
	kindred labelKind // of a word that labels things, see labelOf
	one     int32
}

// A lexicon numbers words and stems and counts in how many notes a stem comes.
type lexicon struct {
	index   map[string]int32 // plain word to entry
	entries []entry
	stems   map[string]int32
	names   []string // of each term, a word that has it
	key     []string // of each term, its stem
	df      []int32
	last    []int32 // the note in which the term was seen last

	words  *vocabulary
	joined []byte // a phrase that is looked up
	parts  []part // room for parse

	// recent is a direct-mapped cache before index: most words of a text are few
	// words, and a map costs three times as much.
	recent [recents]int32
}

// The words that "no more than" and "not below" are read as.
const (
	most  = "maximum"
	least = "minimum"
)

const recents = 1 << 11 // a power of two

func newLexicon() *lexicon {
	x := &lexicon{index: map[string]int32{}, stems: map[string]int32{}, words: words()}
	x.find([]byte(most), token.Word) // parse needs them, and adds no term
	x.find([]byte(least), token.Word)
	return x
}

// A word in a sequence is the number of its entry, and whether it is written with
// a capital letter.
const (
	capital = 1 << 30
	number  = capital - 1
)

// read appends the text to a sequence: entries by number, signs as minus their
// kind, headings left out. The note's number counts for df; -1 counts nowhere.
func (x *lexicon) read(text string, note int32, seq []int32) []int32 {
	s := token.Scanner{Text: text, NoHeads: true, Spans: true}
	from := len(seq)
	for {
		t := s.Next()
		if t.Kind == token.End {
			return append(seq, -int32(token.Stop))
		}
		if t.Kind >= token.Comma {
			seq = append(seq, -int32(t.Kind))
			continue
		}
		n := x.find(s.Plain, t.Kind)
		if len(seq) > from && seq[len(seq)-1] >= 0 && (x.entries[n].glue || x.entries[seq[len(seq)-1]&number].leads) {
			if joined, words := x.join(seq[from:], n); words > 0 {
				seq = seq[:len(seq)-words]
				n = joined
			}
		}
		if term := x.entries[n].term; note >= 0 && term >= 0 && x.last[term] != note {
			x.last[term] = note
			x.df[term]++
		}
		if t.Kind == token.Word && isCapital(text[t.Start:]) {
			n |= capital
		}
		seq = append(seq, n)
	}
}

func isCapital(s string) bool {
	if s[0] < utf8.RuneSelf {
		return s[0] >= 'A' && s[0] <= 'Z'
	}
	return unicode.IsUpper(token.FirstRune(s))
}

// join finds a phrase that word n ends, and returns its entry and how many words
// of the sequence are part of it.
func (x *lexicon) join(seq []int32, n int32) (joined int32, words int) {
	e := &x.entries[n]
	last := &x.entries[seq[len(seq)-1]&number]
	if last.kind == token.Value {
		if u := unitOf(e.plain); u != 0 && isNumber(last.stem) {
			return x.phrase(token.Value, last.plain, e.plain), 1
		}
		return 0, 0
	}
	var before *entry
	if len(seq) > 1 && seq[len(seq)-2] >= 0 {
		before = &x.entries[seq[len(seq)-2]&number]
	}
	if before != nil && last.plain == "run" && runsTasks(before.plain) {
		return x.phrase(token.Code, before.plain, last.plain, e.plain), 2
	}
	if isTask(e.plain) && runsTasks(last.plain) {
		return x.phrase(token.Code, last.plain, e.plain), 1
	}
	if !e.tail {
		return 0, 0
	}
	if before != nil && x.known(before.stem, last.stem, e.stem) {
		return x.phrase(token.Word, before.plain, last.plain, e.plain), 2
	}
	if x.known(last.stem, e.stem) {
		return x.phrase(token.Word, last.plain, e.plain), 1
	}
	return 0, 0
}

func (x *lexicon) spaced(parts ...string) []byte {
	x.joined = x.joined[:0]
	for i, p := range parts {
		if i > 0 {
			x.joined = append(x.joined, ' ')
		}
		x.joined = append(x.joined, p...)
	}
	return x.joined
}

func (x *lexicon) known(stems ...string) bool {
	return x.words.words[string(x.spaced(stems...))] != nil
}

func (x *lexicon) phrase(k token.Kind, words ...string) int32 {
	return x.find(x.spaced(words...), k)
}

// find returns the number of a word's entry.
func (x *lexicon) find(plain []byte, k token.Kind) int32 {
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

func (x *lexicon) add(plain []byte, k token.Kind) int32 {
	w := string(plain)
	e := entry{plain: w, kind: k, term: -1}
	if k == token.Word {
		e.sense = roleOf(w)
		e.ordinal = ordinal(w)
		e.aux = isAux(w)
		e.says = saysOf(w)
		e.kindred, e.one = labelOf(w)
		switch e.says {
		case saysMust, saysMay, saysNeed, saysIn, saysWith:
			if e.role == content {
				e.role = light
			}
		}
		if e.role == day {
			e.kind = token.Value
		}
	}
	if k == token.Code && isClock(w) {
		e.kind = token.Value
	}
	if e.stem = x.stemOf(plain, e.kind); w == "https" {
		e.stem = w // no plural: what is said of one port is not said of the other
	}
	e.tail = x.words.tails[e.stem]
	if e.means = x.words.words[e.stem]; e.means == nil && e.kind != token.Word {
		if e.means = x.words.words[x.spelledOut(w)]; e.means != nil && e.kind == token.ID {
			e.kind = token.Word // UTF-8 is like a ticket's name
		}
	}
	e.verb = k == token.Word && x.words.verbs[e.stem]
	e.bound = e.means != nil && (e.means.concept == "maximum" || e.means.concept == "minimum")
	if w == "own" { // its own: no owner is named
		e.means, e.role = nil, light
	}
	if w == "go" {
		e.term, e.means = x.term("=go", "Go"), nil
	}
	if e.kind == token.Value {
		e.sort = sortOf(e.stem, w, e.role == day)
	}
	switch e.role {
	case content, day:
		key := e.stem
		if e.means != nil && e.means.concept != "" {
			key = e.means.concept
		}
		e.term = x.term(key, w)
	case where:
		// Locally and on this machine are one place and one term.
		e.term = x.term(string([]byte{0, e.group, e.place}), w)
	}
	e.glue = e.tail || k == token.Word && (unitOf(w) != 0 || isTask(w))
	e.leads = w == "run"
	n := int32(len(x.entries))
	x.entries = append(x.entries, e)
	x.index[w] = n
	return n
}

// spelledOut is the phrase that a word like snake_case is made of.
func (x *lexicon) spelledOut(w string) string {
	f := strings.FieldsFunc(w, func(r rune) bool { return r == '_' || r == '-' || r == '/' })
	for i, one := range f {
		f[i] = stemOfWord(one)
	}
	return strings.Join(f, " ")
}

// stemOf is what a word is compared by; the words of a phrase each by its stem.
func (x *lexicon) stemOf(plain []byte, k token.Kind) string {
	switch {
	case k == token.Value && plain[0] <= '9' || k == token.Value && plain[0] == 'v' || numberWord(string(plain)) != "":
		return valueOf(string(plain))
	case k == token.Value && bytes.IndexByte(plain, ' ') > 0:
		return valueOf(string(plain))
	case k != token.Word && k != token.Value:
		return string(plain)
	}
	if !bytes.Contains(plain, []byte(" ")) {
		return stemOf(plain)
	}
	var stems []string
	for f := range bytes.FieldsSeq(plain) {
		stems = append(stems, stemOf(f))
	}
	return strings.Join(stems, " ")
}

func (x *lexicon) term(stem, name string) int32 {
	n, ok := x.stems[stem]
	if !ok {
		n = int32(len(x.df))
		x.stems[stem] = n
		x.names = append(x.names, name)
		x.key = append(x.key, stem)
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
