package recall

import (
	"math"
	"slices"
	"unicode"
)

// A hint that nobody asked for is worth less than nothing when it is wrong, so a
// document must hold words that few others hold, together, and they must be most
// of what was asked. A word that no document holds speaks against all of them.
const (
	// certainWords is how many rare words must stand together.
	certainWords = 2
	// certainShare is how much of the question they must be, by what its words say.
	certainShare = 0.5
	// certainReach is how many words apart they may be.
	certainReach = 12
	// In a long text that says much beside a share would never do: so many words
	// are enough instead.
	certainMany = 4
	// Were words spread by chance, they would stand together in fewer documents
	// than e to the power of minus this.
	certainSurprise = 2
	// In a handful of documents every word is rare or common by chance: they count
	// as so many.
	certainFew = 50
	// A word is rare that one document in so many holds, or no more than two.
	certainRare = 30
)

// certain reports whether the document that was read speaks of what was asked
// beyond doubt.
func (s *search) certain() bool {
	r := &s.reading
	if s.named() {
		return true
	}
	total := 0.0
	for _, t := range s.question.terms {
		total += t.weight * s.says(t)
	}
	title := 0
	for title < len(r.mentions) && r.mentions[title].at < r.head {
		title++
	}
	if s.enough(r.mentions[:title], total) {
		return true
	}
	body := r.mentions[title:]
	end := 0
	for start := range body {
		for end < len(body) && body[end].at < body[start].at+certainReach {
			end++
		}
		if s.enough(body[start:end], total) {
			return true
		}
	}
	return false
}

// named reports whether the document holds a name of the question that is like no
// other word, such as TestCheckoutConcurrent or OPS-4711, and that hardly another one
// has.
func (s *search) named() bool {
	return slices.ContainsFunc(s.reading.mentions, func(m mention) bool {
		t := &s.question.terms[m.term]
		return t.weight == 1 && t.docs > 0 && t.docs <= 2 && s.docs > certainRare && identifier(t.word)
	})
}

// identifierLength is how long a name is at least, in bytes, that stands for itself.
const identifierLength = 5

// identifier reports whether a word is written like a name in code, or a number of
// a ticket: letters with digits among them, or small letters with capitals.
func identifier(w string) bool {
	if len(w) < identifierLength {
		return false
	}
	letters, digits, inner, small := 0, 0, 0, 0
	for i, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			letters++
			if i > 0 {
				inner++
			}
		case unicode.IsLetter(r):
			letters++
			small++
		case r == '_':
			inner++
		}
	}
	return letters > 1 && digits > 0 || inner > 0 && small > 1
}

// says returns what a word of the question says; one that no document holds, as
// much as one that a single one does.
func (s *search) says(t questionTerm) float64 {
	if t.docs == 0 {
		return idf(s.docs, 1)
	}
	return t.idf
}

// enough reports whether what stands together here is enough.
func (s *search) enough(mentions []mention, total float64) bool {
	if len(mentions) < certainWords {
		return false
	}
	rare, sum, surprise := 0, 0.0, 0.0
	docs := float64(max(s.docs, certainFew))
	for i, m := range mentions {
		if slices.ContainsFunc(mentions[:i], func(o mention) bool { return o.term == m.term }) {
			continue
		}
		t := &s.question.terms[m.term]
		sum += t.weight * t.idf
		if t.weight == 1 && t.docs <= max(2, s.docs/certainRare) {
			rare++
			surprise += math.Log(docs / float64(t.docs))
		}
	}
	if rare < certainWords || surprise < math.Log(docs)+certainSurprise {
		return false
	}
	return sum >= certainShare*total || rare >= certainMany
}
