package draft

import "dormouse/claim/token"

// A spelled word is a word of a text: as it stands there, and plain.
type spelled struct {
	text, plain string
	kind        token.Kind
	begins      bool // a clause begins with it
	comma       bool // and a comma or colon is before it
	title       bool // is written with a capital
}

// words returns the words, values, paths and so on of a text.
func words(text string) []spelled {
	s := token.Scanner{Text: text}
	var out []spelled
	begins, afterComma := true, false
	for {
		t := s.Next()
		switch {
		case t.Kind == token.End:
			return out
		case t.Kind >= token.Comma:
			begins, afterComma = true, t.Kind == token.Comma || t.Kind == token.Colon
			continue
		}
		raw := text[t.Start:t.End]
		r := token.FirstRune(raw)
		out = append(out, spelled{
			text: raw, plain: string(s.Plain), kind: t.Kind, begins: begins, comma: afterComma,
			title: t.Kind == token.Word && !token.IsLower(r),
		})
		begins, afterComma = false, false
	}
}

// firstWords returns the first two words of a text, plain.
func firstWords(text string) (first, second string) {
	s := token.Scanner{Text: text[:token.CutAt(text, 200)]}
	for {
		switch t := s.Next(); {
		case t.Kind == token.End:
			return first, second
		case t.Kind >= token.Comma:
		case first == "":
			first = string(s.Plain)
		default:
			return first, string(s.Plain)
		}
	}
}
