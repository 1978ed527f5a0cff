package shell

import "strings"

// nesting is an upper estimate of how deep the parser descends into a text: open
// brackets and compound commands, and operators of an expression that may be one
// under the other. The parser has no bound of its own, and a stack that overflows
// ends the whole process.
func nesting(text string) int {
	deepest, open, words, chain := 0, 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '{':
			open++
			chain++
		case c == ')' || c == ']' || c == '}':
			open = max(0, open-1)
			if c == ')' && i > 0 && text[i-1] == '(' {
				words++ // f() f() f()
			}
			if open == 0 {
				chain = 0
			}
		case strings.IndexByte("-+!~?*&|<>=,/%^:`", c) >= 0:
			chain++
		case c == ' ' || c == '\t' || c == '\n':
			if open == 0 && c == '\n' {
				chain = 0
			}
		case c >= 'a' && c <= 'z':
			n := lowerWord(text[i:])
			if i == 0 || !isNameByte(text[i-1]) {
				words = max(0, words+compound(text[i:i+n]))
			}
			i += n - 1
		}
		deepest = max(deepest, open+words+chain)
	}
	return deepest
}

func lowerWord(s string) int {
	n := 0
	for n < len(s) && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	return n
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// compound tells whether a word opens a compound command or ends one.
func compound(word string) int {
	switch word {
	case "if", "while", "until", "for", "select", "case", "function", "coproc", "time":
		return 1
	case "fi", "done", "esac":
		return -1
	}
	return 0
}
