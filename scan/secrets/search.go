package secrets

import (
	"math"
	"sort"
	"strings"
)

// A search is one call of Find.
type search struct {
	f     *Finder
	text  string
	marks []span // what Redact left in an earlier pass: nothing in it is a credential
	found []found
	done  []int // by rule: where its last hit or window ended
}

type span struct{ start, end int }

// try looks whether the rule holds at the keyword text[at:after].
func (s *search) try(number, at, after int) {
	r := s.f.rules[number]
	if r.boundary && inWord(s.text, at) || r.dash && at > 0 && s.text[at-1] == '-' {
		return
	}
	if r.solid > 0 && !isSolid(s.text, at, r.solid) {
		return
	}
	if s.done == nil {
		s.done = make([]int, len(s.f.rules))
	}
	if at < s.done[number] && r.kind != kindWindow {
		return
	}
	switch r.kind {
	case kindNamed:
		s.tryNamed(r, number, at, after)
	case kindAnchored:
		m, ok := r.match(s.text, at, at)
		if ok && s.accept(r, m) && !isCamel(s.text[m.start:m.end]) {
			s.add(r, number, m.start, stretched(s.text, m))
		}
	case kindWindow:
		s.tryWindow(r, number, at)
	case kindCode:
		if start, end, ok := r.code(s.text, at, after); ok {
			s.add(r, number, start, end)
		}
	}
}

// A match is where an expression found the credential.
type match struct {
	span
	cut bool // the reach cut it off
}

func (s *search) tryNamed(r *rule, number, at, after int) {
	// The Okta in "rookTable"; the keywords of the generic rule are words that
	// others end with.
	if r.rank == rankNamed && at > 0 && !isUpper(s.text[at]) && isLetter(s.text[at-1]) {
		return
	}
	a, ok := assigned(s.text, at, after)
	if !ok {
		return
	}
	m, ok := r.match(s.text, a.value, a.value)
	if !ok || !s.accept(r, m) {
		return
	}
	// "public key: v": the word before the name counts too.
	secret, before := s.text[m.start:m.end], s.text[max(0, a.name-len("encryption ")):a.name]
	if !r.own && strings.HasSuffix(strings.ToLower(before), "public ") {
		return
	}
	name := s.text[a.name:a.value]
	if !r.own && unlikely(before, name, secret, a, r.rank == rankGeneric) {
		return
	}
	if r.allowLine.matches(s.text[a.name:m.end]) {
		return
	}
	s.add(r, number, m.start, stretched(s.text, m))
}

// tryWindow looks around the keyword, but not twice at the same bytes.
func (s *search) tryWindow(r *rule, number, at int) {
	from := max(0, at-r.back, s.done[number]-r.back)
	to := min(len(s.text), at+r.reach)
	for from < to {
		m, ok := r.match(s.text[:to], from, at)
		if !ok {
			break
		}
		if s.accept(r, m) {
			s.add(r, number, m.start, stretched(s.text, m))
		}
		from = max(m.end, from+1)
	}
	s.done[number] = max(s.done[number], to)
}

// match runs the rule's expression on the text from the offset on and returns
// the group that is the credential. The reach counts from the keyword at.
func (r *rule) match(text string, from, at int) (match, bool) {
	re := r.re.get()
	if re == nil {
		return match{}, false
	}
	part := text[from:min(len(text), at+r.reach)]
	m := re.FindStringSubmatchIndex(part)
	if m == nil {
		return match{}, false
	}
	start, end := m[0], m[1]
	if r.group > 0 && 2*r.group+1 < len(m) {
		start, end = m[2*r.group], m[2*r.group+1]
	} else {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 && m[g+1] > m[g] {
				start, end = m[g], m[g+1]
				break
			}
		}
	}
	cut := m[1] == len(part) && from+len(part) < len(text)
	return match{span{from + start, from + end}, cut}, start >= 0 && end > start
}

// stretched returns the end of the token that a credential is part of: a longer
// token than the rule knows must not leave its tail behind. If the reach cut the
// match, more characters count as part of it. It is asked only for what is taken,
// so that no byte is gone over twice.
func stretched(text string, m match) int {
	end := m.end
	if !isWord(text[end-1]) && !m.cut {
		return end
	}
	for end < len(text) && (isWord(text[end]) || m.cut && strings.IndexByte("+/=.-", text[end]) >= 0) {
		end++
	}
	return end
}

// accept applies what gitleaks applies to the credential itself.
func (s *search) accept(r *rule, m match) bool {
	secret := s.text[m.start:m.end]
	if r.entropy > 0 && entropy(secret) <= r.entropy {
		return false
	}
	if r.check != nil && !r.check(secret) {
		return false
	}
	return !madeUp(secret) && !s.f.global.hold(secret) && !r.except.hold(secret)
}

func (s *search) add(r *rule, number, start, end int) {
	n := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].end > start })
	if n < len(s.marks) && s.marks[n].start < end {
		return
	}
	s.done[number] = max(s.done[number], end)
	s.found = append(s.found, found{Hit{"secret/" + r.id, start, end, r.why}, r.rank})
}

// inWord reports whether a word goes on at the offset; x.ico is one word.
func inWord(text string, at int) bool {
	return at > 0 && (isWord(text[at-1]) || at > 1 && text[at-1] == '.' && isWord(text[at-2]))
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// isSolid reports whether n bytes follow without white space.
func isSolid(text string, at, n int) bool {
	if len(text)-at < n {
		return false
	}
	for i := at; i < at+n; i++ {
		if isSpace(text[i]) {
			return false
		}
	}
	return true
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
