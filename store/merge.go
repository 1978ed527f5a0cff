package store

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Merge applies both changes of a text, if they touch different lines; if not, ok is
// false. It is how two edits of a note are brought together everywhere.
func Merge(base, ours, theirs string) (text string, ok bool) { return merge(base, ours, theirs) }

// merge applies both changes of a text, if they touch different lines. The
// library has a merge of its own, in a package that compiles a regular
// expression at each start of each command; and it keeps two insertions at one
// place, where the order of the two is a guess.
func merge(base, ours, theirs string) (string, bool) {
	if ours == theirs {
		return ours, true
	}
	whole := endsWhole(ours)
	if endsWhole(base) == whole {
		whole = endsWhole(theirs)
	}
	nl := breakOf(base + ours + theirs)
	a, x, y := lines(ended(base, nl)), lines(ended(ours, nl)), lines(ended(theirs, nl))
	mine, other := lcs.DiffLines(a, x), lcs.DiffLines(a, y)
	var out strings.Builder
	at := 0
	put := func(d lcs.Diff, text []string) {
		for _, l := range slices.Concat(a[at:d.Start], text[d.ReplStart:d.ReplEnd]) {
			out.WriteString(l)
		}
		at = d.End
	}
	for len(mine) > 0 || len(other) > 0 {
		switch {
		case len(other) == 0 || len(mine) > 0 && before(mine[0], other[0]):
			put(mine[0], x)
			mine = mine[1:]
		case len(mine) == 0 || before(other[0], mine[0]):
			put(other[0], y)
			other = other[1:]
		case same(mine[0], other[0], x, y):
			put(mine[0], x)
			mine, other = mine[1:], other[1:]
		default:
			return "", false
		}
	}
	for _, l := range a[at:] {
		out.WriteString(l)
	}
	if !whole {
		return strings.TrimSuffix(out.String(), nl), true
	}
	return out.String(), true
}

// A text whose last line has no line break is merged as if it had one: else two
// lines would be glued together. The merged text then ends as that side does
// which changed the end.

func endsWhole(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }

func ended(s, nl string) string {
	if endsWhole(s) {
		return s
	}
	return s + nl
}

// breakOf is the line break of a text: that of its first line.
func breakOf(s string) string {
	if at := strings.IndexByte(s, '\n'); at > 0 && s[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lines(s string) []string { return slices.Collect(strings.Lines(s)) }

// before reports whether a change ends where another begins, or earlier.
func before(d, e lcs.Diff) bool { return d.End <= e.Start && (d.Start < e.Start || d.End < e.End) }

// same reports whether two changes do the same.
func same(d, e lcs.Diff, x, y []string) bool {
	return d.Start == e.Start && d.End == e.End && slices.Equal(x[d.ReplStart:d.ReplEnd], y[e.ReplStart:e.ReplEnd])
}
