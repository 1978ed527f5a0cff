package doctor

import (
	"strings"
	"unicode"

	"dormouse/draft"
)

// topics counts the matters of a text that have nothing to do with each other nor
// with what the note is called. Two parts belong together when they share a word
// that says something; the parts are those of draft.Split. It is 1 for a text
// that is about one thing, which most of its parts then name.
func topics(lead, body string) int {
	facts := draft.Split(body)
	if len(facts) < manyTopics {
		return min(len(facts), 1)
	}
	subject := contentWords(lead)
	var parts []map[string]bool
	onSubject := 0
	for _, p := range facts {
		if len(parts) == maxParts {
			break
		}
		words := contentWords(p)
		if len(words) < fewestWords {
			continue
		}
		if shares(words, subject) {
			onSubject++
			continue
		}
		parts = append(parts, words)
	}
	if len(parts) < onSubject {
		return 1
	}
	n := 0
	for i, seen := 0, make([]bool, len(parts)); i < len(parts); i++ {
		if seen[i] {
			continue
		}
		n++
		next := []int{i}
		for len(next) > 0 {
			k := next[0]
			next = next[1:]
			seen[k] = true
			for j := range parts {
				if !seen[j] && shares(parts[k], parts[j]) {
					seen[j] = true
					next = append(next, j)
				}
			}
		}
	}
	if onSubject > 0 {
		n++
	}
	return n
}

// maxParts bounds how many parts of a text are compared with each other.
const maxParts = 100

// fewestWords is how many words a part must have to be a fact of its own.
const fewestWords = 3

// stemRunes is how much of a word counts, so that its forms are one.
const stemRunes = 5

// contentWords are the words of a text by their first letters: those of four
// letters or more that are not grammar.
func contentWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r := []rune(w)
		if len(r) < 4 || strings.Contains(grammar, " "+w+" ") {
			continue
		}
		out[string(r[:min(stemRunes, len(r))])] = true
	}
	return out
}

const grammar = " about above after again also always because been before being below both cannot could does doing done each else even ever every from have having here into just like made make makes many more most much must need needs never none only other over same should since some still such than that their them then there these they this those through under until upon used uses using very want wants well were what when where which while will with within without would your "

func shares(a, b map[string]bool) bool {
	if len(b) < len(a) {
		a, b = b, a
	}
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}
