package draft

// A spelled word is a word of a text: as it stands there, and plain.
type spelled struct {
	text, plain string
	kind        kind
	begins      bool // a clause begins with it
	comma       bool // and a comma or colon is before it
	title       bool // is written with a capital
}

// words returns the words, values, paths and so on of a text.
func words(text string) []spelled {
	s := scanner{text: text}
	var out []spelled
	begins, afterComma := true, false
	for {
		t := s.next()
		switch {
		case t.kind == end:
			return out
		case t.kind >= comma:
			begins, afterComma = true, t.kind == comma || t.kind == colon
			continue
		}
		raw := text[t.start:t.end]
		r := firstRune(raw)
		out = append(out, spelled{
			text: raw, plain: string(s.plain), kind: t.kind, begins: begins, comma: afterComma,
			title: t.kind == word && !isLower(r),
		})
		begins, afterComma = false, false
	}
}

// firstWords returns the first two words of a text, plain.
func firstWords(text string) (first, second string) {
	s := scanner{text: text[:cutAt(text, 200)]}
	for {
		switch t := s.next(); {
		case t.kind == end:
			return first, second
		case t.kind >= comma:
		case first == "":
			first = string(s.plain)
		default:
			return first, string(s.plain)
		}
	}
}
