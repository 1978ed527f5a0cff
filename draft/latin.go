package draft

// cyrillic is a Cyrillic letter in Latin ones: Ukrainian by the decree 55 of 27
// January 2010, letters that only Russian or Belarusian have by common use.
// first tells that it begins a word, which matters for five letters.
func cyrillic(r rune, first bool) string {
	if first {
		switch r {
		case 'є':
			return "ye"
		case 'ї':
			return "yi"
		case 'й':
			return "y"
		case 'ю':
			return "yu"
		case 'я':
			return "ya"
		}
	}
	const from, to = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэёъў",
		"a b v h g d e ie zh z y i i i k l m n o p r s t u f kh ts ch sh shch - iu ia y e io - u "
	return lookUp(r, from, to)
}

func greek(r rune) string {
	const from, to = "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
		"a v g d e z i th i k l m n x o p r s s t y f ch ps o a e i i o y o i y i y "
	return lookUp(r, from, to)
}

// lookUp returns the word of to that stands at the place of r in from; "-" is a
// letter that is not written.
func lookUp(r rune, from, to string) string {
	n := 0
	for _, f := range from {
		if f == r {
			break
		}
		n++
	}
	for ; n > 0 && to != ""; n-- {
		_, to = cutSpace(to)
	}
	word, _ := cutSpace(to)
	if word == "-" {
		return ""
	}
	return word
}

func cutSpace(s string) (word, rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
