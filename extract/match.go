package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence is what rules are tried on.
type sentence struct {
	raw     string
	at      int // its place in the block's text
	toks    []lexeme
	l       *language
	lower   bool        // no capital letter: names have none either
	clause  []bool      // a clause may begin at this token
	first   int         // the first token behind greetings and the like
	until   []int       // where a date that begins at a token ends, 0: none
	dateOf  []dateMatch // by token
	offered map[string]bool
	recent  map[string]bool // words of what the agent did and said last
	last    *sentence       // the one before, for what "it" is
	leads   []int           // where a clause begins behind "in this repo"
	work    int             // steps that are left
}

// A hit is a pattern that matched.
type hit struct {
	p          *pattern
	start, end int // tokens
	from, to   int // of what is kept
}

const (
	// steps bounds the work of one pattern at one place.
	steps = 2000
	// sentenceSteps and textSteps bound that of all patterns on a sentence, and on
	// what somebody typed. A plain sentence of 20 words takes some thousands.
	sentenceSteps = 200_000
	textSteps     = 2_000_000
)

// matcher tries one pattern.
type matcher struct {
	s        *sentence
	p        *pattern
	from, to int
	left     int
}

func (s *sentence) match(p *pattern, at int) (hit, bool) {
	most := min(steps, s.work)
	m := matcher{s: s, p: p, from: -1, to: -1, left: most}
	end, ok := m.rest(0, at)
	s.work -= most - max(m.left, 0)
	if most > 0 && m.left < 0 {
		s.work -= steps // such a sentence is not worth the time
	}
	if !ok {
		return hit{}, false
	}
	h := hit{p: p, start: at, end: end, from: m.from, to: m.to}
	if h.from < 0 {
		h.from = at
	}
	if h.to < 0 || h.to < h.from {
		h.to = len(s.toks)
	}
	return h, true
}

func (m *matcher) rest(i, at int) (int, bool) {
	if m.left--; m.left < 0 {
		return 0, false
	}
	if i == len(m.p.els) {
		return at, true
	}
	e := &m.p.els[i]
	switch e.op {
	case '[':
		m.from = at
		return m.rest(i+1, at)
	case ']':
		m.to = at
		return m.rest(i+1, at)
	case '$':
		if at < len(m.s.toks) {
			return 0, false
		}
		return m.rest(i+1, at)
	case '!':
		for _, p := range e.alts {
			if _, ok := m.phrase(p, at); ok {
				return 0, false
			}
		}
		return m.rest(i+1, at)
	case '.':
		for g := 0; g <= e.gap && at+g <= len(m.s.toks); g++ {
			if end, ok := m.rest(i+1, at+g); ok {
				return end, true
			}
		}
		return 0, false
	}
	if end, ok := m.alternatives(e, i, at); ok {
		return end, true
	}
	if e.opt {
		return m.rest(i+1, at)
	}
	return 0, false
}

func (m *matcher) alternatives(e *element, i, at int) (int, bool) {
	lists := [...][]phrase{e.alts, nil}
	if e.set != nil {
		lists[0], lists[1] = nil, e.set.rest
		if at < len(m.s.toks) && !m.s.toks[at].opaque {
			lists[0] = e.set.first[m.s.toks[at].norm]
		}
	}
	for _, list := range lists {
		for _, p := range list {
			if next, ok := m.phrase(p, at); ok {
				if end, ok := m.rest(i+1, next); ok {
					return end, true
				}
			}
		}
	}
	return 0, false
}

func (m *matcher) phrase(p phrase, at int) (int, bool) {
	for i := range p {
		next, ok := m.s.is(&p[i], at)
		if !ok {
			return 0, false
		}
		at = next
	}
	return at, true
}

// is tells whether an atom matches at a token and where it ends.
func (s *sentence) is(a *atom, at int) (int, bool) {
	if a.kind == '<' {
		return s.special(a.text, at)
	}
	if at >= len(s.toks) || s.toks[at].opaque {
		return 0, false
	}
	w := s.toks[at].norm
	ok := false
	switch a.kind {
	case '=':
		ok = w == a.text
	case '*':
		ok = strings.HasPrefix(w, a.text)
	case '$':
		ok = strings.HasSuffix(w, a.text) && len(w) > len(a.text)+2
	}
	return at + 1, ok
}

func (s *sentence) special(name string, at int) (int, bool) {
	switch name { // of the token before
	case "colon":
		return at, at > 0 && s.toks[at-1].colon
	case "comma":
		return at, at > 0 && s.toks[at-1].comma
	}
	if at >= len(s.toks) {
		return 0, false
	}
	if name == "date" {
		if s.until[at] <= at && s.until[at+1] > at && s.l.has("before-date", s.toks[at].norm) {
			at++
		}
		return s.until[at], s.until[at] > at
	}
	t := &s.toks[at]
	ok := false
	switch name {
	case "any":
		ok = true
	case "url":
		ok = t.url
	case "code":
		ok = t.code
	case "local":
		ok = local(t.norm, s.raw[t.start:t.end])
	case "channel":
		ok = strings.HasPrefix(t.norm, "#") || t.start > 0 && s.raw[t.start-1] == '#'
	case "name":
		ok = s.nameLike(t)
	case "offered":
		ok = s.offered[t.norm]
	case "recent":
		ok = s.tells(t)
	default:
		ok = s.l.counted(name, t.norm)
	}
	return at + 1, ok
}

// tells reports whether a word of what the agent did last names something: a tool,
// a library, and not what every sentence has.
func (s *sentence) tells(t *lexeme) bool {
	return s.recent[t.norm] && !t.opaque && len(t.norm) > 1 && !s.l.words[t.norm] && !local(t.norm, s.raw[t.start:t.end])
}

// tellsAny tells whether a word of what the agent did last stands in the sentence.
func (s *sentence) tellsAny() bool {
	for i := range s.toks {
		if s.tells(&s.toks[i]) {
			return true
		}
	}
	return false
}

func (s *sentence) nameLike(t *lexeme) bool {
	if t.opaque || t.code || !s.lower && !t.title || utf8.RuneCountInString(t.norm) < 2 {
		return false
	}
	return !s.l.has("stop", t.norm) && !s.l.has("pron", t.norm) && !s.l.has("common", t.norm)
}

// A wordSet is a class made ready for look-ups.
type wordSet struct {
	exact map[string]bool
	begin []string            // single words with any ending
	first map[string][]phrase // phrases by their first word
	rest  []phrase            // those that begin with no whole word
}

func (l *language) set(class string) *wordSet {
	if s := l.sets[class]; s != nil {
		return s
	}
	s := newWordSet(l.classes[class])
	l.sets[class] = s
	return s
}

func newWordSet(list []phrase) *wordSet {
	s := &wordSet{exact: map[string]bool{}, first: map[string][]phrase{}}
	for _, p := range list {
		switch a := p[0]; {
		case a.kind == '=':
			s.first[a.text] = append(s.first[a.text], p)
			s.exact[a.text] = s.exact[a.text] || len(p) == 1
		default:
			s.rest = append(s.rest, p)
			if a.kind == '*' && len(p) == 1 {
				s.begin = append(s.begin, a.text)
			}
		}
	}
	return s
}

// has tells whether a word is in a class by itself.
func (l *language) has(class, word string) bool {
	s := l.set(class)
	if s.exact[word] {
		return true
	}
	for _, b := range s.begin {
		if strings.HasPrefix(word, b) {
			return true
		}
	}
	return false
}

// phraseAt is where the longest phrase of a class that begins at a token ends.
func (s *sentence) phraseAt(class string, at int) (int, bool) {
	set := s.l.set(class)
	if at >= len(s.toks) || s.toks[at].opaque {
		return 0, false
	}
	m := matcher{s: s}
	best := -1
	for _, list := range [...][]phrase{set.first[s.toks[at].norm], set.rest} {
		for _, p := range list {
			if next, ok := m.phrase(p, at); ok && next > best {
				best = next
			}
		}
	}
	return best, best >= 0
}

// readSentence cuts a sentence into what rules need.
func (l *language) readSentence(raw string, at int, toks []lexeme, offered map[string]bool) *sentence {
	s := &sentence{raw: raw, at: at, l: l, offered: offered, work: sentenceSteps}
	s.toks = append([]lexeme(nil), toks...)
	s.lower = strings.IndexFunc(raw, unicode.IsUpper) < 0
	s.mend()
	s.clause = make([]bool, len(s.toks)+1)
	s.until = make([]int, len(s.toks)+1)
	s.dateOf = make([]dateMatch, len(s.toks)+1)
	s.first = s.skip(0)
	for i := 0; i <= s.first; i++ {
		s.clause[i] = true
	}
	for i := s.first; i < len(s.toks); i++ {
		t := &s.toks[i]
		if t.comma || t.opaque || s.l.has("and", t.norm) {
			end := s.skip(i + 1)
			for j := i + 1; j <= end; j++ {
				s.clause[j] = true
			}
		}
	}
	for i := 0; i < len(s.toks); i++ {
		if s.clause[i] {
			s.lead(i)
		}
	}
	return s
}

// lead lets a clause begin as well behind words that only say where and when it
// holds: in this repo, from now on.
func (s *sentence) lead(at int) {
	for _, class := range [...]string{"here", "onwards", "rule"} {
		if next, ok := s.phraseAt(class, at); ok && next < len(s.toks) {
			s.clause[next] = true
			s.leads = append(s.leads, next)
		}
	}
}

// skip passes over greetings, thanks and other words that say nothing.
func (s *sentence) skip(i int) int {
	for i < len(s.toks) {
		next, ok := s.phraseAt("filler", i)
		if !ok || next <= i {
			return i
		}
		i = next
	}
	return i
}

// mend takes a word that no rule knows for the one of the rules that it is but for
// a slip of the finger.
func (s *sentence) mend() {
	for i := range s.toks {
		t := &s.toks[i]
		n := utf8.RuneCountInString(t.norm)
		if t.opaque || t.code || n < 4 || n > 15 || s.l.words[t.norm] || strings.IndexFunc(t.norm, notLetter) >= 0 {
			continue
		}
		if w := s.l.slip(t.norm); w != "" {
			t.norm = w
		}
	}
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }

// slip finds the word that w is with a letter missing (not the last: that is an
// ending), doubled, or two of them swapped.
func (l *language) slip(w string) string {
	for _, whole := range l.slips[w] {
		if !strings.HasPrefix(whole, w) {
			return whole
		}
	}
	r := []rune(w)
	if len(r) < 5 {
		return ""
	}
	for i := 1; i+1 < len(r); i++ {
		if r[i] == r[i+1] {
			if short := string(r[:i]) + string(r[i+1:]); l.words[short] && len(r) > 5 {
				return short
			}
			continue
		}
		r[i], r[i+1] = r[i+1], r[i]
		if l.words[string(r)] {
			return string(r)
		}
		r[i], r[i+1] = r[i+1], r[i]
	}
	return ""
}

// candidates are the patterns whose words stand in the sentence.
func (s *sentence) candidates() []int {
	seen := map[int]bool{}
	var out []int
	add := func(ids []int) {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	for i := range s.toks {
		t := &s.toks[i]
		add(s.l.byWord[t.norm])
		add(s.l.byPrefix[firstRunes(t.norm, prefixKey)])
		if t.url {
			add(s.l.byWord["<url"])
		}
		if s.offered[t.norm] {
			add(s.l.byWord["<offered"])
		}
		if s.tells(t) {
			add(s.l.byWord["<recent"])
		}
		for _, c := range [...]string{"weekday", "month", "unit", "isodate"} {
			if s.l.counted(c, t.norm) {
				add(s.l.byWord["<"+c])
			}
		}
	}
	add(s.l.byWord["<date"])
	add(s.l.special)
	return out
}

// places are the tokens at which a pattern is tried.
func (s *sentence) places(p *pattern) []int {
	var out []int
	for i := range s.toks {
		if p.loose && i < s.first {
			continue
		}
		if !p.anchor || s.clause[i] {
			out = append(out, i)
		}
	}
	return out
}

// hasAny tells whether a phrase of a class stands in the sentence.
func (s *sentence) hasAny(class string) bool {
	for i := range s.toks {
		if _, ok := s.phraseAt(class, i); ok {
			return true
		}
	}
	return false
}
