package token

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// minStem is how many characters a stem keeps at least.
const minStem = 3

// Stem cuts the ending of a word in lower case, so that its forms meet: lightly,
// since two words that meet by chance make a wrong offer.
func Stem(w []byte) []byte {
	if len(w) == 0 {
		return w
	}
	if w[0] < utf8.RuneSelf {
		return stemEnglish(w)
	}
	if w[0] == 0xD0 || w[0] == 0xD1 || w[0] == 0xD2 {
		return stemCyrillic(w)
	}
	return w
}

func stemEnglish(w []byte) []byte {
	if len(w) <= minStem {
		return w
	}
	switch {
	case hasEnd(w, "ies"), hasEnd(w, "ied"):
		return append(w[:len(w)-3:len(w)-3], 'y')
	case hasEnd(w, "sses"), hasEnd(w, "shes"), hasEnd(w, "ches"), hasEnd(w, "xes"):
		w = w[:len(w)-2]
	case hasEnd(w, "ss"), hasEnd(w, "us"), hasEnd(w, "is"):
	case hasEnd(w, "s"):
		w = w[:len(w)-1]
	}
	for _, e := range []string{"ing", "ed", "ly"} {
		if hasEnd(w, e) && len(w)-len(e) >= minStem {
			w = w[:len(w)-len(e)]
			// planned, running: the letter was doubled for the ending.
			if n := len(w); n > minStem && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
				w = w[:n-1]
			}
			break
		}
	}
	// The mute e goes everywhere, for merging has lost it.
	if n := len(w); n > minStem && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

func hasEnd(w []byte, e string) bool {
	return len(w) > len(e) && string(w[len(w)-len(e):]) == e
}

// cyrillicEnds returns the endings of Ukrainian and Russian nouns, adjectives and
// verbs that have this last letter, longest first. A word of a text is held against
// a few of them instead of all hundred.
func cyrillicEnds(last string) string {
	switch last {
	case "и":
		return "ювати іями увати овувати ями ами ими іми ити ати іти яти ли и"
	case "о":
		return "юємо уємо аємо яємо имо ємо ього ого ено ло о"
	case "ь":
		return "юють овують ість ять ють уть ить ь"
	case "ю":
		return "ією ію ою ею єю ю"
	case "х":
		return "іях ах ях их іх"
	case "ї":
		return "ії ої еї ї"
	case "я":
		return "ія ується уються ення ання ася ися ться ая ся я"
	case "м":
		return "іям ім ям ам ом ем єм им"
	case "е":
		return "уйте юйте айте яйте ое ые е"
	case "у":
		return "ьому ому у"
	case "і":
		return "ості ові еві ені і"
	case "є":
		return "ає ує ює яє є"
	case "й":
		return "ай яй уй юй ий ій ый ой й"
	case "в":
		return "ав ів ив ов ев"
	case "а":
		return "ла а"
	case "ш":
		return "иш еш"
	case "н":
		return "ін ен"
	case "ы":
		return "ы"
	}
	return ""
}

func stemCyrillic(w []byte) []byte {
	w = bytes.TrimSuffix(bytes.TrimSuffix(w, []byte("ся")), []byte("сь"))
	runes := utf8.RuneCount(w)
	for rest := cyrillicEnds(string(w[max(0, len(w)-2):])); rest != ""; {
		var e string
		e, rest, _ = strings.Cut(rest, " ")
		n := len(e) / 2 // each of two bytes
		if runes-n >= minStem && hasEnd(w, e) {
			w = w[:len(w)-len(e)]
			break
		}
	}
	return soften(w)
}

// soften undoes the change of the last consonant: писати and пиши, рука and руці.
func soften(w []byte) []byte {
	for _, pair := range []string{"шс", "хс", "жз", "гз", "чк", "цк"} {
		if string(w[max(0, len(w)-2):]) == pair[:2] {
			return append(w[:len(w)-2:len(w)-2], pair[2:]...)
		}
	}
	return w
}
