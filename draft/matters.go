package draft

import (
	"strings"
	"unicode"
)

// A Part is a part of a text, see Split, and which of its matters it is about.
type Part struct {
	Text   string
	Matter int // 0, 1, … in the order in which they come first
}

// Matters takes a text apart by what it is about, and tells how many matters there
// are that have nothing to do with each other, nor with what the text is called
// (lead). Two parts belong together when they share a word that says something.
// There is one for a text that is about one thing, which most of its parts then
// name.
func Matters(lead, body string) ([]Part, int) {
	facts := Split(body)
	parts := make([]Part, len(facts))
	for i, f := range facts {
		parts[i].Text = f
	}
	if len(facts) < fewestParts {
		return parts, min(len(facts), 1)
	}
	subject := contentWords(lead)
	words := make([]map[string]bool, len(facts))
	of := make([]int, len(facts)) // the group of each; see below
	onSubject, others := 0, 0
	for i, f := range facts {
		w := contentWords(f)
		switch {
		case i >= maxParts || len(w) < fewestWords:
			of[i] = beside
		case shares(w, subject):
			of[i] = onIt
			onSubject++
		default:
			words[i] = w
			others++
		}
	}
	if others < onSubject {
		return parts, 1
	}
	n := connect(words, of)
	if onSubject > 0 {
		n++
	}
	return number(parts, of), n
}

// Groups that are none of the further matters.
const (
	beside = -1 // too short to be a matter: goes with the part before it
	onIt   = -2 // about what the text is called
)

// connect numbers the groups of parts that share words, from 1, and returns how
// many there are.
func connect(words []map[string]bool, of []int) int {
	n := 0
	for i := range words {
		if words[i] == nil || of[i] != 0 {
			continue
		}
		n++
		next := []int{i}
		for len(next) > 0 {
			k := next[0]
			next = next[1:]
			of[k] = n
			for j := range words {
				if words[j] != nil && of[j] == 0 && shares(words[k], words[j]) {
					of[j] = n
					next = append(next, j)
				}
			}
		}
	}
	return n
}

// number gives the matters their numbers in the order of the text.
func number(parts []Part, of []int) []Part {
	matters := map[int]int{}
	last, lead := -1, 0
	for i, g := range of {
		if g == beside {
			if last < 0 {
				lead = i + 1 // it goes with what follows
				continue
			}
			parts[i].Matter = last
			continue
		}
		if _, ok := matters[g]; !ok {
			matters[g] = len(matters)
		}
		last = matters[g]
		parts[i].Matter = last
	}
	for i := range lead {
		parts[i].Matter = 0
	}
	return parts
}

// fewestParts is how many parts a text of several matters has.
const fewestParts = 3

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
	for _, w := range strings.FieldsFunc(strings.ToLower(withoutLinks(text)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r := []rune(w)
		if len(r) < 4 || Grammatical(w) {
			continue
		}
		out[string(r[:min(stemRunes, len(r))])] = true
	}
	return out
}

// withoutLinks is a text without the names of notes in [[links]]: what a file is
// called is no matter of the text.
func withoutLinks(text string) string {
	for {
		i := strings.Index(text, "[[")
		if i < 0 {
			return text
		}
		j := strings.Index(text[i:], "]]")
		if j < 0 {
			return text
		}
		text = text[:i] + " " + text[i+j+2:]
	}
}

// Grammatical reports whether an English word, in lower case, is of grammar and
// names nothing.
func Grammatical(w string) bool { return strings.Contains(grammar, " "+w+" ") }

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
