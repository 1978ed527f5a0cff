// Package claim takes the text of notes and instructions apart into statements,
// and tells how two statements relate: whether they say the same, one of them
// more than the other, or something else on the same matter.
//
// Similarity alone never makes two statements the same. What decides is what
// differs: a number, a version, a path, a name, a negation, a permission makes
// them a conflict or a complement, never a duplicate. Where plain rules can't
// tell, the answer is None: a person passes over a missing finding more easily
// than a wrong one.
//
// The package is pure and gives the same answer whatever the order of its input.
// The words it knows are English and Ukrainian.
package claim

import (
	"strings"

	"dormouse/claim/token"
)

// A Claim is one statement of a text: a sentence, a list item, a row of a table,
// a field. Headings, code blocks, comments and lines of links only are none.
type Claim struct {
	Text       string // as it stands, marks of lists and quotes removed, in one line
	Line       int    // 1-based line of the text that it begins on
	Start, End int    // bytes of the text
	Under      string // the headings it stands below, outermost first, joined with " / "
}

// Split returns the statements of a Markdown text, in order. Front matter is no
// part of the text; the caller has taken it off.
func Split(text string) []Claim {
	s := splitter{text: text, line: 1}
	for at := 0; at < len(text); {
		end := at + len(text[at:])
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		s.take(at, end)
		at = end
		s.line++
	}
	s.flush()
	return s.out
}

// A Kind tells how two statements relate.
type Kind int

// The kinds, from the weakest up.
const (
	None       Kind = iota // of different matters, or it can't be told
	Complement             // the same matter, both can hold: they differ in a value, a place, a condition
	Within                 // the first says all that the second says, and more; or the other way round
	Same                   // the same but for words that carry nothing
	Exact                  // word for word, white space, case and marks aside
	Conflict               // can't both hold
)

// A Relation is how two statements relate.
type Relation struct {
	Kind  Kind
	Score float64 // 0 to 1; orders relations of one kind
	Why   string  // in plain words what decided: `"5432", not "5433"`
	More  int     // of Within: 1 where the first says more, 2 where the second does
}

// Compare tells how b relates to a. Of each the first 4 KiB and 64 words are
// compared. The Kind is the same both ways; Why and More are mirrored.
func Compare(a, b string) Relation {
	a, b = a[:token.CutAt(a, maxStatement)], b[:token.CutAt(b, maxStatement)]
	x := newLexicon()
	seq := x.read(a, 0, nil)
	n := len(seq)
	seq = x.read(b, 1, seq)
	sa, sb := x.statement(a, seq[:n]), x.statement(b, seq[n:])
	m := newMatcher(x, 2)
	if len(sa.parts) > 0 && wordForWord(seq[:n], seq[n:]) {
		return Relation{Kind: Exact, Score: 1, Why: "word for word the same"}
	}
	m.markA(sa)
	return m.relate(&sa, &sb)
}

// wordForWord reports whether two sequences have the same words, in the same order.
func wordForWord(a, b []int32) bool {
	for {
		for len(a) > 0 && a[0] < 0 {
			a = a[1:]
		}
		for len(b) > 0 && b[0] < 0 {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0]&number != b[0]&number {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// A Source is a text with its statements, such as a note.
type Source struct {
	Name string // what its place is called: a path
	// Lead is what the text is about, said beside it (a note's description); it
	// counts as a statement on line 0.
	Lead   string
	Text   string
	Claims []Claim // of Text; nil: Split makes them
	// Fixed texts are what a person wrote for the agent (CLAUDE.md). Two Fixed
	// sources are not compared with each other.
	Fixed bool
}

// A Pair is two statements of two sources on the same matter. A comes before B
// in the order of the names of the sources, and then of lines.
type Pair struct {
	A, B     int // index of the source
	InA, InB int // index of the claim there; -1 is the Lead
	Relation
}

// A Twin is two sources that say the same as wholes.
type Twin struct {
	A, B int // index of the source
	Relation
}

// Found is what a comparison of sources finds.
type Found struct {
	Pairs  []Pair // Complement is left out; at most a few for two sources
	Twins  []Twin // Exact: the same text; of many copies, each is paired with the first. Same: near duplicates. Within: A says all of B, or B all of A
	Claims int    // statements that were compared
}

// Across compares the statements of all sources with each other, and finds
// sources that are one another's duplicates. Its work grows little more than
// linearly with the text: candidates come from rare words that they share, and of
// a statement at most ten are looked at. Labels ("Why:") are not compared, nor the
// line of an index with the note that it links to.
func Across(sources []Source) Found {
	c := newCrowd(sources)
	c.read()
	c.weigh()
	c.pair(c.candidates())
	c.dropSeries()
	return c.found()
}

func (k Kind) String() string {
	switch k {
	case Complement:
		return "complement"
	case Within:
		return "within"
	case Same:
		return "same"
	case Exact:
		return "exact"
	case Conflict:
		return "conflict"
	}
	return "none"
}
