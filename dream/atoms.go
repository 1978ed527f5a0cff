package dream

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/claim/token"
)

// The hard parts of a statement are those that no rewording may lose or add:
// numbers, versions, paths, addresses, identifiers, names, what is quoted, and
// whether it denies.

const denial = "¬"

// denials are the words that deny, English and Ukrainian, in lower case.
const denials = ` not no never don't dont do-not doesn't didn't won't can't cannot isn't aren't wasn't shouldn't mustn't nobody nothing none neither nor without avoid stop except unless не ні ніколи без жодного жодної жоден уникай уникати крім нема немає заборонено `

// atoms are the hard parts of a text, in lower case; true for those that stand in
// it in a way of their own (a name could be a word that begins a sentence).
func atoms(text string) map[string]bool {
	out := map[string]bool{}
	text = strings.NewReplacer("’", "'", "ʼ", "'").Replace(text)
	fresh := true // the next word begins a sentence
	for _, raw := range strings.Fields(text) {
		code := strings.Contains(raw, "`")
		w := strings.TrimFunc(raw, func(r rune) bool { return strings.ContainsRune(".,;:!?()[]{}\"*_~…<>|“”«»„—–`'", r) })
		begins := fresh
		fresh = strings.HasSuffix(strings.TrimRight(raw, "*_\"')`"), ".") || strings.HasSuffix(raw, "!") || strings.HasSuffix(raw, "?") || strings.HasSuffix(raw, ":") || strings.Trim(raw, "-*—–") == ""
		if w == "" {
			continue
		}
		w = strings.TrimSuffix(w, "'s") // whose it is
		low := strings.ToLower(w)
		switch {
		case strings.Contains(denials, " "+low+" "):
			out[denial] = true
		case hard(w), code:
			out[low] = true
		case capital(w) && !begins:
			out[claimStem(low)] = true
		case capital(w):
			out[claimStem(low)] = out[claimStem(low)] // seen, but not sure to be a name
		default:
			if n, ok := numerals[low]; ok {
				out[n] = true
			}
		}
	}
	return out
}

var numerals = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12",
	"два": "2", "дві": "2", "три": "3", "чотири": "4", "п'ять": "5", "шість": "6", "сім": "7", "вісім": "8", "дев'ять": "9", "десять": "10",
}

// claimStem is a word by its stem, so that forms of a name meet.
func claimStem(w string) string { return string(token.Stem([]byte(w))) }

// hard reports whether a word is an identifier, a number, a path: what has a digit,
// a sign inside, or capitals inside.
func hard(w string) bool {
	if strings.IndexFunc(w, unicode.IsDigit) >= 0 || strings.Contains(w, " ") { // what stood in backticks
		return true
	}
	inner := w
	if utf8.RuneCountInString(w) > 2 {
		_, n := utf8.DecodeRuneInString(w)
		_, m := utf8.DecodeLastRuneInString(w)
		inner = w[n : len(w)-m]
	}
	if strings.ContainsAny(inner, "/\\_@=&$:") || strings.HasPrefix(w, "-") || strings.HasPrefix(w, "/") || strings.HasPrefix(w, "$") || strings.HasPrefix(w, "~") {
		return true
	}
	if i := strings.IndexByte(inner, '.'); i >= 0 {
		return true
	}
	upper := 0
	for i, r := range w {
		if unicode.IsUpper(r) && i > 0 {
			upper++
		}
	}
	return upper > 0
}

func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// within reports whether all hard parts of one text stand in another. Names that
// begin a sentence are asked for only where they are names in the other.
func within(a, b string) bool {
	have := atoms(b)
	for w, sure := range atoms(a) {
		if _, ok := have[w]; !ok && sure {
			if w != denial && mentions(b, w) {
				continue
			}
			return false
		}
	}
	return atoms(a)[denial] == have[denial]
}

// mentions reports whether a word stands in a text in any form.
func mentions(text, w string) bool {
	for _, f := range strings.Fields(strings.ToLower(text)) {
		f = strings.Trim(f, ".,;:!?()[]{}\"*_~…<>|“”«»„—–`'")
		f = strings.TrimSuffix(f, "'s")
		if f == w || claimStem(f) == w {
			return true
		}
	}
	return false
}

// key is a statement's words, in order, without case, marks and white space.
func key(text string) string {
	var out strings.Builder
	for _, raw := range strings.Fields(strings.ToLower(strings.NewReplacer("’", "'", "ʼ", "'", "`", "", "*", "").Replace(text))) {
		w := strings.TrimFunc(raw, func(r rune) bool { return strings.ContainsRune(".,;:!?()[]{}\"*_~…<>|“”«»„—–`'", r) })
		if w == "" || strings.Trim(w, "-=") == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(w)
	}
	return out.String()
}

// dependent reports whether a statement only means something beside the one above
// it: it explains, or begins with a word that stands for something.
func dependent(text string) bool {
	low := strings.ToLower(strings.TrimLeft(text, "*_ `\"'("))
	for _, lead := range dependents {
		if rest, ok := strings.CutPrefix(low, lead); ok && (rest == "" || !letterOrDigit(firstRune(rest))) {
			return true
		}
	}
	return len(strings.Fields(low)) < fewWords
}

// pronoun reports whether a statement begins with a word that stands for something
// said before.
func pronoun(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(text, "-*_ ")), " ")
	return strings.Contains(" it its this that these those they he she він вона вони воно це цей ця ці його її їх ", " "+strings.Trim(first, ",.:;'’")+" ")
}

const fewWords = 3 // make no statement of their own

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

var dependents = []string{
	"why", "how to apply", "how", "because", "reason", "otherwise", "so", "then", "this", "that", "these", "those", "it", "its", "they", "he", "she", "also", "instead", "but", "and", "e.g", "for example", "example", "note", "see", "source", "context", "applies to", "when", "where",
	"чому", "як застосовувати", "бо", "тому", "причина", "інакше", "це", "цей", "ця", "ці", "він", "вона", "вони", "воно", "також", "натомість", "але", "і", "наприклад", "див", "джерело", "коли", "де",
}
