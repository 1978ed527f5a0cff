package words

import (
	"strings"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Stem returns what the forms of a word have in common: for Latin letters by the
// English Snowball rules, for Cyrillic by the endings of Ukrainian, anything else
// as it is. A key with a digit in it is a name and stays whole.
func Stem(key string) string {
	latin, cyrillic := true, true
	for _, r := range key {
		latin = latin && 'a' <= r && r <= 'z'
		cyrillic = cyrillic && 0x0400 <= r && r <= 0x04FF
	}
	switch {
	case latin && len(key) > 2:
		return english.Stem(regular(key), true)
	case cyrillic && len(key) > 2*leastStem:
		return ukrainian(key)
	}
	return key
}

// leastStem is how many letters of a Cyrillic word are never taken away.
const leastStem = 3

// Endings of one kind, longest first: those that only inflect, those that make
// another word of the same root, and what a reflexive verb has behind all of them.
const (
	inflections = "уватиму юватиму ватиму ватиме атиму итиму " +
		"увала увало ували ювала ювало ювали увати ювати овувати ували " +
		"яєть уєть юєть аєть єть еть ають яють ують юють аєте яєте уєте юєте аємо яємо уємо юємо уєш юєш аєш яєш єш еш " +
		"ував ював увала ила ило или ала ало али яла яло яли іла іло іли ула уло ули " +
		"ати яти ити іти ути ого ому ими ыми іми ією ами ями еві єві ові ать " +
		"ому его ему ого ій ий ый ім им ым их ых іх ої ою ею єю ая яя ое ее ие ые " +
		"ав яв ив ів їв ув ам ям ах ях ом ем єм ує ює ає яє уть ють ем ете емо єте ємо иш ить ите имо " +
		"а я у ю о е є и і ї ы ь й"
	derivations = "уванн юванн ованн уваль увань ован йован ован енн анн інн янн ень ань ість іст ост ськ цьк"
)

// ukrainian takes the endings off a Cyrillic word.
func ukrainian(word string) string {
	for _, reflexive := range [...]string{"ся", "сь"} {
		if rest, ok := strings.CutSuffix(word, reflexive); ok && isStem(rest) {
			word = rest
			break
		}
	}
	word = cutLongest(word, inflections)
	word = cutLongest(word, derivations)
	return alternate(word)
}

// cutLongest takes the longest ending of a list off a word that leaves a stem.
func cutLongest(word, endings string) string {
	best := 0
	for rest := endings; rest != ""; {
		var ending string
		ending, rest, _ = strings.Cut(rest, " ")
		if len(ending) > best && strings.HasSuffix(word, ending) && isStem(word[:len(word)-len(ending)]) {
			best = len(ending)
		}
	}
	return word[:len(word)-best]
}

// isStem reports whether enough is left to tell a word by.
func isStem(s string) bool {
	return utf8.RuneCountInString(s) >= leastStem && strings.ContainsAny(s, "аеєиіїоуюяыэ")
}

// alternate writes sounds that change within one word the same way: ринок and
// ринку, вибір and вибору, рука and руці. That other words get a letter of
// another does no harm: all their forms get it.
func alternate(stem string) string {
	letters := []rune(stem)
	n := len(letters)
	if n < leastStem {
		return stem
	}
	last := letters[n-1]
	switch before := letters[n-2]; {
	case last == 'к' && (before == 'о' || before == 'е') && n > 4:
		letters = append(letters[:n-2], last)
	case last == 'ц' && before == 'е' && n > 4:
		letters = append(letters[:n-2], 'к')
	case last == 'ц':
		letters[n-1] = 'к'
	case n > leastStem && before == 'і' && strings.ContainsRune("бвгдзклмнрст", last):
		letters[n-2] = 'о'
	}
	return string(letters)
}
