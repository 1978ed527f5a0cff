package draft

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/claim/token"
)

// Known is a note that is there already. Body may be cut; of all of them the
// first 16 KiB are read.
type Known struct{ File, Name, Description, Type, Body string }

// A MatchKind tells how two statements on the same matter relate.
type MatchKind int

// The kinds of matches.
const (
	Near     MatchKind = iota + 1 // the same matter: an update, a rewording, more or less detail
	Conflict                      // the same matter, and a value, a name or the permission differs
	Exact                         // says the same
)

func (k MatchKind) String() string {
	switch k {
	case Near:
		return "near"
	case Conflict:
		return "conflict"
	case Exact:
		return "exact"
	}
	return "none"
}

// Match is a note on the same matter. Score is from 0 to 1 and orders matches of
// one kind; Why says in plain words what decided.
type Match struct {
	File  string
	Kind  MatchKind
	Score float64
	Why   string
}

const (
	maxMatches = 10
	maxQuoted  = 40       // of a word, shown to a person, in UTF-16 units
	maxText    = 16 << 10 // bytes of a text that are compared
)

// Same finds the notes that already say what text says, or something else on the
// same matter, best first: Exact before Conflict before Near. It returns nothing
// when plain rules can't tell.
//
// Each sentence of a note is compared for itself, and its text as a whole with
// the whole text.
func Same(text string, known []Known) []Match {
	text = text[:token.CutAt(text, maxText)]
	if len(claim.Terms(text)) == 0 { // nothing but a heading
		text = plainLine(text)
	}
	sources := make([]claim.Source, len(known))
	for i, k := range known {
		sources[i] = claim.Source{Lead: k.Description, Text: k.Body}
		if strings.TrimSpace(k.Description) == "" && strings.TrimSpace(k.Body) == "" {
			sources[i].Lead = strings.ReplaceAll(k.Name, "_", "-")
		}
	}
	var out []Match
	for i, r := range claim.Find(text, sources) {
		if kind := matchKind(r); kind != 0 {
			out = append(out, Match{File: known[i].File, Kind: kind, Score: r.Score, Why: r.Why})
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	})
	return out[:min(len(out), maxMatches)]
}

// matchKind is coarser than what a comparison tells: for somebody who is about to
// write a note, less, more and a little different are all near.
func matchKind(r claim.Relation) MatchKind {
	switch {
	case r.Kind == claim.None:
		return 0
	case r.Kind == claim.Conflict:
		return Conflict
	case r.Kind == claim.Exact, r.Kind == claim.Same && r.Score == 1:
		return Exact
	}
	return Near
}
