package main

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// register is how somebody writes on this occasion.
type register int

const (
	plain register = iota
	lower
	chatty
	typo
	mixed
	registers
)

func pickRegister(r *rand.Rand) register {
	switch n := r.IntN(10); {
	case n < 4:
		return plain
	case n < 6:
		return lower
	case n < 8:
		return chatty
	case n < 9:
		return typo
	}
	return mixed
}

// before changes the wording while its slots are open: a slip of the finger hits a
// word of the wording, never a value.
func (g register) before(r *rand.Rand, line string) string {
	if g != typo {
		return line
	}
	words := strings.Split(line, " ")
	var at []int
	for i, w := range words {
		if utf8.RuneCountInString(w) >= 5 && strings.IndexFunc(w, func(c rune) bool { return !unicode.IsLetter(c) }) < 0 {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return line
	}
	i := at[r.IntN(len(at))]
	w := []rune(words[i])
	j := 1 + r.IntN(len(w)-2)
	switch r.IntN(3) {
	case 0:
		w[j], w[j+1] = w[j+1], w[j]
	case 1:
		w = append(w[:j], w[j+1:]...)
	default:
		w = append(w[:j+1], w[j:]...)
	}
	words[i] = string(w)
	return strings.Join(words, " ")
}

// after changes the text.
func (g register) after(r *rand.Rand, lang, text string, held bool) string {
	pick := func(words ...string) string {
		i := r.IntN(len(words)/2) * 2
		if held {
			i++
		}
		return words[i]
	}
	switch {
	case strings.HasPrefix(text, "# "):
		return text
	case g == lower:
		return strings.TrimRight(strings.ToLower(text), ".!")
	case g == chatty && lang == "uk":
		return pick("слухай, ", "дивись, ", "ок, ще одне: ", "о, і ще: ", "дякую! ", "супер. ", "привіт! ", "угу. ") + text + pick("", " дякую!", " :)", "")
	case g == chatty:
		return pick("hey, ", "ok so, ", "one more thing: ", "oh and ", "Thanks! ", "Great. ", "listen, ", "right, ") + text + pick(" thanks!", "", "", " :)")
	case g == mixed && lang == "uk":
		return pick("ok, ", "btw, ", "so, ", "well, ") + text
	case g == mixed:
		return pick("слухай, ", "так, ", "ок, ", "дивись, ") + text
	}
	return text
}
