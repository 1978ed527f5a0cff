package find

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/recall/words"
	"dormouse/scan"
	"dormouse/scan/secrets"
)

// cloned are strings that do not lie in a file of the cache.
func cloned(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.Clone(s)
	}
	return out
}

// masked is a text without its secrets, and with all its lines: what is about to
// be shown must not be cut first, as the half of a key is no key.
func masked(f *secrets.Finder, text string) string {
	hits := f.Find(text)
	if len(hits) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, h := range hits {
		b.WriteString(text[at:h.Start] + "[secret: " + strings.TrimPrefix(h.Rule, "secret/") + "]")
		b.WriteString(strings.Repeat("\n", strings.Count(text[h.Start:h.End], "\n")))
		at = h.End
	}
	return b.String() + text[at:]
}

// terms are the stems of a question's words, each with a number.
type terms map[string]int

func termsOf(question string) terms {
	t := terms{}
	words.Each(question, func(tok words.Token) {
		if stem := words.Stem(string(tok.Key)); !words.IsStop(tok.Key) {
			if _, ok := t[stem]; !ok {
				t[stem] = len(t)
			}
		}
	})
	return t
}

// span is where a word of the question stands, in any of its forms.
type span struct{ from, to, word int }

// maxSpans bounds the work on a text that repeats one word.
const maxSpans = 4096

// places are the places of the words, in order.
func (t terms) places(text string) []span {
	var out []span
	words.Each(text, func(tok words.Token) {
		if len(out) == maxSpans {
			return
		}
		if w, ok := t[words.Stem(string(tok.Key))]; ok {
			out = append(out, span{tok.Start, tok.End, w})
		}
	})
	slices.SortStableFunc(out, func(a, b span) int { return a.from - b.from })
	return out
}

// around returns the words around the place where most of the question's words
// stand together, as one line of about so many runes, that place in bytes, and
// the words that stand there. The place is -1 where none of them stands in the
// text.
func (t terms) around(text string, runes int) (excerpt string, at int, stand []string) {
	spans := t.places(text)
	if len(spans) == 0 {
		return "", -1, nil
	}
	best, first, most := 0, 0, 0
	count := make([]int, len(t)) // of each word within the window
	for i, j, n := 0, 0, 0; i < len(spans); i++ {
		// Runes take one byte or more: a window in bytes is narrow enough.
		for ; j < len(spans) && spans[j].to-spans[i].from <= runes; j++ {
			if count[spans[j].word]++; count[spans[j].word] == 1 {
				n++
			}
		}
		switch {
		case n > most:
			best, first, most = i, i, n
		case n == most && n > 1 && spans[i].from-spans[first].from < runes:
			best = i // as many words, closer together
		}
		if j > i {
			if count[spans[i].word]--; count[spans[i].word] == 0 {
				n--
			}
		} else {
			j = i + 1 // a word longer than the window
		}
	}
	at = spans[best].from
	for _, s := range spans[best:] {
		if word := flat(text[s.from:s.to]); s.to-at <= runes && !slices.Contains(stand, word) {
			stand = append(stand, word)
		}
	}
	return window(text, at, runes), at, stand
}

// window is about so many runes of a text around a place, of which a third is
// before it, as one line.
func window(text string, at, runes int) string {
	from := at
	for range runes / 3 {
		if from == 0 {
			break
		}
		_, n := utf8.DecodeLastRuneInString(text[:from])
		from -= n
	}
	to := from
	for n := 0; n < runes && to < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	if from > 0 {
		from = wordStart(text, from, at)
	}
	if to < len(text) {
		to = wordEnd(text, to, at)
	}
	out := flat(text[from:to])
	if strings.TrimSpace(text[:from]) != "" {
		out = "…" + out
	}
	if strings.TrimSpace(text[to:]) != "" {
		out += "…"
	}
	return out
}

// flat is a text in one line, with what nobody sees made visible.
func flat(s string) string { return strings.Join(strings.Fields(scan.Visible(s)), " ") }

// wordStart moves a cut forward to where a word begins, but not past a place.
func wordStart(text string, cut, place int) int {
	if i := strings.IndexFunc(text[cut:place], unicode.IsSpace); i >= 0 {
		return cut + i
	}
	return cut
}

// wordEnd moves a cut back to where a word ends.
func wordEnd(text string, cut, place int) int {
	if cut <= place {
		return cut
	}
	if i := strings.LastIndexFunc(text[place:cut], unicode.IsSpace); i > 0 {
		return place + i
	}
	return cut
}

// lineAt is the 1-based line of an offset.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
