package claim

import (
	"bytes"
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"

	"dormouse/claim/token"
)

// A classSet has a bit for each class of alternatives.
type classSet [2]uint64

func (s *classSet) set(n int)              { s[n>>6] |= 1 << (n & 63) }
func (s classSet) has(n int) bool          { return s[n>>6]>>(n&63)&1 != 0 }
func (s classSet) empty() bool             { return s[0]|s[1] == 0 }
func (s classSet) and(o classSet) classSet { return classSet{s[0] & o[0], s[1] & o[1]} }
func (s classSet) or(o classSet) classSet  { return classSet{s[0] | o[0], s[1] | o[1]} }
func (s classSet) without(o classSet) classSet {
	return classSet{s[0] &^ o[0], s[1] &^ o[1]}
}

// each calls f with the classes in order.
func (s classSet) each(f func(n int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// A meaning is what the vocabulary knows of a word or phrase.
type meaning struct {
	concept string   // what it is compared by, "" is its stem
	in      classSet // is an alternative of these classes
	tasks   classSet // says what is chosen by these classes
	weak    bool     // can be said more without being about another thing
	attr    bool     // is something that a thing has
	settled bool     // and has one of
}

// A vocabulary is the tables of words, by stem.
type vocabulary struct {
	words   map[string]*meaning // phrases have their stems joined by spaces
	tails   map[string]bool     // stems that end a phrase
	verbs   map[string]bool     // see verbsEn
	classes []string            // names
	ci      int                 // the class of CI providers
	zone    int                 // and of time zones
	need    classSet            // alternatives are common words, see classesEn
}

// The tables are read once, when the first text is compared: reading them takes
// longer than most commands have.
var words = sync.OnceValue(newVocabulary)

func newVocabulary() *vocabulary {
	v := &vocabulary{words: make(map[string]*meaning, 2000), tails: map[string]bool{}, verbs: map[string]bool{}}
	for _, list := range []string{conceptsEn, conceptsUk} {
		for line := range strings.Lines(list) {
			f := strings.Fields(line)
			for _, w := range f {
				v.word(w).concept = f[0]
			}
		}
	}
	for _, list := range []string{classesEn, classesUk} {
		for line := range strings.Lines(list) {
			v.class(line)
		}
	}
	for _, list := range []string{weakEn, weakUk} {
		for _, w := range strings.Fields(list) {
			v.word(w).weak = true
		}
	}
	for _, list := range []string{attributesEn, attributesUk} {
		for _, w := range strings.Fields(list) {
			v.word(w).attr = true
		}
	}
	for _, list := range []string{settledEn, settledUk} {
		for _, w := range strings.Fields(list) {
			m := v.word(w)
			m.attr, m.settled = true, true
		}
	}
	v.spread()
	for _, list := range []string{verbsEn, verbsUk} {
		for _, w := range strings.Fields(list) {
			v.verbs[stemOfWord(w)] = true
		}
	}
	return v
}

// word returns the meaning of a word or phrase to be filled in.
func (v *vocabulary) word(w string) *meaning {
	parts := strings.FieldsFunc(w, func(r rune) bool { return r == '_' || r == '-' })
	for i, p := range parts {
		parts[i] = stemOfWord(p)
	}
	if len(parts) > 1 {
		v.tails[parts[len(parts)-1]] = true
	}
	key := strings.Join(parts, " ")
	m := v.words[key]
	if m == nil {
		m = &meaning{}
		v.words[key] = m
		v.forms(parts, m)
	}
	return m
}

// forms lets the endings that the light stemmer can't tell from parts of a word
// lead to the same meaning: пробіли is taken for a verb in the past, пробіл is
// none.
func (v *vocabulary) forms(stems []string, m *meaning) {
	last := len(stems) - 1
	bare := stems[last]
	if bare[0] < utf8.RuneSelf {
		return
	}
	for _, end := range [...]string{"и", "ів", "і", "у", "ом", "ами", "ах", "а", "ою", "ими", "ий", "ого"} {
		stems[last] = string(token.Stem([]byte(bare + end))) // it is plain already
		key := strings.Join(stems, " ")
		if stems[last] != bare && len(stems[last]) >= len(bare)-4 && v.words[key] == nil {
			v.words[key] = m
			if last > 0 {
				v.tails[stems[last]] = true
			}
		}
	}
	stems[last] = bare
}

// class reads a line of a table of classes.
func (v *vocabulary) class(line string) {
	cells := strings.Split(line, "|")
	if len(cells) != 3 {
		return
	}
	name, need := strings.CutSuffix(strings.TrimSpace(cells[0]), "!")
	n := 0
	for n < len(v.classes) && v.classes[n] != name {
		n++
	}
	if n == len(v.classes) {
		v.classes = append(v.classes, name)
	}
	if need {
		v.need.set(n)
	}
	if name == "ci" {
		v.ci = n
	}
	if name == "time zone" {
		v.zone = n
	}
	for _, w := range strings.Fields(cells[1]) {
		v.word(w).tasks.set(n)
	}
	for _, w := range strings.Fields(cells[2]) {
		first, _, _ := strings.Cut(w, "=")
		for _, spelling := range strings.Split(w, "=") {
			m := v.word(spelling)
			m.in.set(n)
			m.concept = "=" + first
			if strings.ContainsAny(spelling, "_-") {
				m.tasks.set(n) // a phrase says itself what it is
			}
		}
	}
}

// spread gives to all words of a concept what one of them is.
func (v *vocabulary) spread() {
	all := map[string]*meaning{}
	for _, m := range v.words {
		if m.concept == "" {
			continue
		}
		sum := all[m.concept]
		if sum == nil {
			sum = &meaning{}
			all[m.concept] = sum
		}
		sum.in, sum.tasks = sum.in.or(m.in), sum.tasks.or(m.tasks)
		sum.weak, sum.attr, sum.settled = sum.weak || m.weak, sum.attr || m.attr, sum.settled || m.settled
	}
	for _, m := range v.words {
		if sum := all[m.concept]; sum != nil {
			concept := m.concept
			*m = *sum
			m.concept = concept
		}
	}
}

// stemOfWord is the stem of a word of the tables, made plain as texts are.
func stemOfWord(w string) string {
	s := token.Scanner{Text: w}
	if t := s.Next(); t.Kind != token.Word {
		return w
	}
	return stemOf(s.Plain)
}

// stemOf is a stem that nouns share with the verb they are made of: migration
// and migrate, logger and log.
func stemOf(w []byte) string {
	s := token.Stem(append([]byte(nil), w...))
	if len(s) == 0 || s[0] >= utf8.RuneSelf || string(s) == "restor" { // to restore has nothing to do with REST
		return string(s)
	}
	for _, end := range []string{"ment", "ion", "er", "or"} {
		if rest, ok := bytes.CutSuffix(s, []byte(end)); ok && len(rest) >= 4 {
			if n := len(rest); rest[n-1] == rest[n-2] && rest[n-1] != 's' && rest[n-1] != 'l' {
				rest = rest[:n-1]
			}
			return string(bytes.TrimSuffix(rest, []byte("e")))
		}
	}
	return string(s)
}

// clip keeps the beginning of a word for a person.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxQuoted {
		return s
	}
	return s[:token.CutAt(s, maxQuoted)] + "…"
}
