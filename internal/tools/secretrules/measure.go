package main

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// prefixes returns what a match can begin with, in lower case, at most limit of
// them; whole tells that the match can end there.
func prefixes(re *syntax.Regexp, limit int) (list []string, whole bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{fold(re.Rune)}, true
	case syntax.OpCharClass:
		return classPrefixes(re, limit)
	case syntax.OpCapture:
		return prefixes(re.Sub[0], limit)
	case syntax.OpQuest:
		list, whole = prefixes(re.Sub[0], limit)
		return append(list, ""), whole
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			some, all := prefixes(sub, limit)
			list, whole = append(list, some...), whole && all
		}
		return list, whole
	case syntax.OpRepeat:
		// Only the first of them: enough to make a keyword longer.
		if re.Min > 0 {
			list, _ = prefixes(re.Sub[0], limit)
			return list, false
		}
	case syntax.OpConcat:
		return joined(re.Sub, limit)
	}
	return []string{""}, false
}

func joined(subs []*syntax.Regexp, limit int) (list []string, whole bool) {
	list = []string{""}
	for _, sub := range subs {
		some, all := prefixes(sub, limit)
		if len(list)*len(some) > limit {
			return list, false
		}
		// A keyword that is long enough gains nothing from a class of characters.
		if sub.Op != syntax.OpLiteral && len(some) > 6 && shortest(list) >= 3 {
			return list, false
		}
		var longer []string
		for _, a := range list {
			for _, b := range some {
				longer = append(longer, a+b)
			}
		}
		list = longer
		if !all {
			return list, false
		}
	}
	return list, true
}

func shortest(list []string) int {
	n := len(list[0])
	for _, s := range list {
		n = min(n, len(s))
	}
	return n
}

func classPrefixes(re *syntax.Regexp, limit int) ([]string, bool) {
	var list []string
	for i := 0; i < len(re.Rune); i += 2 {
		if re.Rune[i+1]-re.Rune[i] > 128 {
			return []string{""}, false
		}
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if s := fold([]rune{r}); r < 128 && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	if len(list) > limit {
		return []string{""}, false
	}
	return list, true
}

func fold(runes []rune) string {
	var low []rune
	for _, r := range runes {
		low = append(low, unicode.ToLower(r))
	}
	return string(low)
}

// solid returns how many characters a match begins with at least that are no
// white space; all tells that this is the whole of the shortest match.
func solid(re *syntax.Regexp) (n int, all bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i] <= ' ' && re.Rune[i+1] >= '\t' {
				return 0, false
			}
		}
		return 1, true
	case syntax.OpCapture:
		return solid(re.Sub[0])
	case syntax.OpRepeat:
		n, all = solid(re.Sub[0])
		if !all {
			return min(n, n*re.Min), false
		}
		return n * re.Min, re.Min == re.Max || all
	case syntax.OpPlus:
		return solid(re.Sub[0])
	case syntax.OpQuest, syntax.OpStar:
		_, all = solid(re.Sub[0])
		return 0, all
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			m, whole := solid(sub)
			n += m
			if !whole {
				return n, false
			}
		}
		return n, true
	case syntax.OpAlternate:
		n, all = solid(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			m, whole := solid(sub)
			n, all = min(n, m), all && whole
		}
		return n, all
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return 0, true
	}
	return 0, false
}

// longest returns how many bytes a match can have, or a number over maxReach.
func longest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(string(re.Rune))
	case syntax.OpCharClass:
		return 1
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 4
	case syntax.OpCapture, syntax.OpQuest:
		return longest(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return 2 * maxReach
	case syntax.OpRepeat:
		if re.Max < 0 {
			return 2 * maxReach
		}
		return longest(re.Sub[0]) * re.Max
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += longest(sub)
		}
		return n
	case syntax.OpAlternate:
		n := 0
		for _, sub := range re.Sub {
			n = max(n, longest(sub))
		}
		return n
	}
	return 0
}
