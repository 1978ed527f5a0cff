package globs

import (
	"strings"

	"dormouse/frontmatter"
)

// Budget of one rule's brace expansion, measured on 2.1.332 (documented since
// 2.1.217 as 1,000 patterns and 4 MiB): a pattern that would exceed what is left
// stays as it is, and costs nothing. Patterns without braces cost nothing.
const (
	maxExpanded = 1_000
	maxWork     = 4 << 20 // UTF-16 units
)

// expandAll expands the braces of a rule's patterns.
func expandAll(patterns []string) []string {
	leaves, work := maxExpanded, maxWork
	var out []string
	for _, p := range patterns {
		if _, _, _, ok := cutBraces(p); !ok {
			out = append(out, p)
			continue
		}
		e := expansion{leaves: leaves, work: work, whole: units(p)}
		if !e.expand(p) {
			out = append(out, p)
			continue
		}
		leaves, work = e.leaves, e.work
		out = append(out, e.out...)
	}
	return out
}

// expansion is what is left of the budget while one pattern is expanded. Every
// pattern that comes out costs the length of the one that was written, every one
// on the way there its own length.
type expansion struct {
	leaves, work int
	whole        int // units of the pattern as written
	out          []string
}

// expand replaces the first braces by each of their parts and goes on with what
// comes of that; false when the budget is used up. Braces inside braces are not
// understood: {a,{b,c}} gives a}, b, c}. Ranges such as {1..3} are one part.
func (e *expansion) expand(pattern string) bool {
	before, inner, after, ok := cutBraces(pattern)
	if !ok {
		e.leaves--
		e.work -= e.whole
		e.out = append(e.out, pattern)
		return e.leaves >= 0 && e.work >= 0
	}
	if e.work -= units(pattern); e.work < 0 {
		return false
	}
	for part := range strings.SplitSeq(inner, ",") {
		if !e.expand(before + frontmatter.TrimSpace(part) + after) {
			return false
		}
	}
	return true
}

// cutBraces follows the client's pattern ^([^{]*)\{([^}]+)\}(.*)$ where the dot
// matches no line separator.
func cutBraces(s string) (before, inner, after string, ok bool) {
	before, rest, ok := strings.Cut(s, "{")
	if !ok {
		return "", "", "", false
	}
	inner, after, ok = strings.Cut(rest, "}")
	if !ok || inner == "" || strings.ContainsAny(after, "\n\r\u2028\u2029") {
		return "", "", "", false
	}
	return before, inner, after, true
}

// units is the length in UTF-16 units.
func units(s string) int {
	n := 0
	for _, c := range s {
		if n++; c > 0xffff {
			n++
		}
	}
	return n
}
