// Package secrets finds credentials in a text: keys and tokens by their shape,
// passwords by the words around them.
//
// Most rules are those of gitleaks, taken as data (rules.txt, made by
// internal/tools/secretrules, MIT licence in rules.LICENSE); the rest are in
// own.go, for what notes hold and source code seldom does. A rule is tried only
// where one of its keywords stands, its expression is compiled when that happens
// for the first time, and it looks at a few hundred bytes (at most 4096) from
// there: the time for a text grows with its length and with nothing else.
package secrets

import (
	"cmp"
	"slices"
	"sync"
)

//go:generate go run dormouse/internal/tools/secretrules -o .

// A Hit is one credential in a text.
type Hit struct {
	Rule       string // "secret/github-pat"
	Start, End int    // byte offsets of the credential itself: text[Start:End]
	Why        string // fixed words for what it is: "a GitHub personal access token"
}

// A Finder holds the rules and what was compiled of them so far. It may be used
// by several goroutines at once.
type Finder struct {
	once   sync.Once
	rules  []*rule
	index  index
	global exceptions
}

// New returns a Finder. It costs nothing; the first text it looks at pays for
// reading the rules.
func New() *Finder { return &Finder{} }

// The ranks of rules: of two hits that overlap the one with the lower rank names
// the credential.
const (
	rankShape    = iota // the value says what it is: a known prefix
	rankNamed           // a name and a value of the right length
	rankPassword        // a word for password and any value
	rankGeneric         // a word for key and a value that looks random
)

type found struct {
	Hit
	rank int
}

// Find returns the credentials in the text, in order and not overlapping. Where
// rules overlap, what they cover is one hit, named by the most specific of them.
// It is made for texts up to 1 MiB; longer ones only take longer.
func (f *Finder) Find(text string) []Hit {
	f.once.Do(f.load)
	s := search{f: f, text: text, marks: f.marks(text)}
	f.index.each(text, s.try)
	return merged(s.found)
}

// merged makes one hit of those that overlap.
func merged(list []found) []Hit {
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.rank, b.rank), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
	})
	var hits []Hit
	rank := 0
	for _, h := range list {
		last := len(hits) - 1
		if last < 0 || h.Start >= hits[last].End {
			hits, rank = append(hits, h.Hit), h.rank
			continue
		}
		end := max(hits[last].End, h.End)
		if h.rank < rank {
			hits[last].Rule, hits[last].Why, rank = h.Rule, h.Why, h.rank
		}
		hits[last].End = end
	}
	return hits
}
