package guard

import "dormouse/guard/shell"

// matchWord compares a word with a pattern of * and ?, where * stands for any
// characters, a slash as well. A hole in the word is only what * stands for.
func matchWord(pattern, word string) bool {
	p, w, star, mark := 0, 0, -1, 0
	for w < len(word) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, w
			p++
		case p < len(pattern) && (pattern[p] == '?' && word[w] != shell.Hole || pattern[p] == word[w]):
			p++
			w++
		case star >= 0:
			p = star + 1
			mark++
			w = mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// meet tells whether some word matches both of two patterns. In b a hole is a *,
// as are brackets.
func meet(a, b string) bool {
	if len(a)*len(b) > 1<<20 {
		return true // longer than anything a name can be: in doubt they meet
	}
	row := make([]bool, len(b)+1) // row[j]: a[i:] and b[j:] meet
	for i := len(a); i >= 0; i-- {
		next := row[len(b)] // of the row below: a[i+1:] and b[j+1:]
		row[len(b)] = i == len(a) || a[i] == '*' && row[len(b)]
		for j := len(b) - 1; j >= 0; j-- {
			below := row[j] // a[i+1:] and b[j:]
			starB := b[j] == '*' || b[j] == shell.Hole || b[j] == '[' || b[j] == ']'
			switch {
			case i == len(a):
				row[j] = starB && row[j+1]
			case a[i] == '*':
				row[j] = below || row[j+1]
			case starB:
				row[j] = row[j+1] || below
			default:
				row[j] = next && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
			}
			next = below
		}
	}
	return row[0]
}
