// Package words takes text apart into what is looked up: words without their
// endings, the parts of code identifiers, and pairs of characters where a script
// has no spaces. It knows no document and no question, and keeps nothing.
package words

import (
	"unicode"
	"unicode/utf8"
)

// MaxKey is the length of the longest key in bytes; the rest of a longer word (a
// line of base64) counts for nothing.
const MaxKey = 64

// A Token is a word at a place of a text.
type Token struct {
	// Key is the word in small letters, without accents and apostrophes. It is
	// valid until the function that was given the token returns.
	Key []byte
	// Start and End are the bytes of the text that the word stands on.
	Start, End int
	// Within reports whether the word is another reading of one that was given
	// before it (a part of an identifier, a joined name), so that it takes no place
	// of its own.
	Within bool
}

// Each gives all tokens of a text to yield, in their order: of an identifier with
// capitals (getName) the whole and then its parts, of one with signs (get_name,
// get-name) and of a version (1.26.0) the parts and then the whole.
func Each(text string, yield func(Token)) {
	s := scanner{text: text, yield: yield}
	for s.at < len(text) {
		s.next()
	}
}

// A scanner walks through one text.
type scanner struct {
	text  string
	at    int
	yield func(Token)
	key   []byte // of the word being read, kept to be used again
	joint []byte // of words joined by a sign
}

// A class is what a character is for the scanner.
type class uint8

const (
	other  class = iota
	letter       // of a script with spaces, marks too
	digit
	dense // of a script without spaces
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return letter
		case '0' <= r && r <= '9':
			return digit
		}
		return other
	case r < 0xC0:
		return other
	case r < 0x0E00:
		if unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) {
			return letter
		}
		if unicode.IsDigit(r) {
			return digit
		}
		return other
	case isDense(r):
		return dense
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// isDense reports whether a script writes words without spaces between them, or
// glues so much to a word that pairs of its characters find more.
func isDense(r rune) bool {
	switch {
	case 0x0E00 <= r && r <= 0x0EFF, // Thai, Lao
		0x1000 <= r && r <= 0x109F,   // Myanmar
		0x1100 <= r && r <= 0x11FF,   // Hangul, by parts
		0x1780 <= r && r <= 0x17FF,   // Khmer
		0x3041 <= r && r <= 0x30FF,   // Kana
		0x3105 <= r && r <= 0x312F,   // Bopomofo
		0x3400 <= r && r <= 0x4DBF,   // Han
		0x4E00 <= r && r <= 0x9FFF,   // Han
		0xAC00 <= r && r <= 0xD7A3,   // Hangul
		0xF900 <= r && r <= 0xFAFF,   // Han
		0xFF66 <= r && r <= 0xFF9F,   // Kana, narrow
		0x20000 <= r && r <= 0x3FFFF: // Han
		return r != 0x30FB // the dot between names
	}
	return false
}

// next reads what stands at s.at: a word, a dense stretch, or a sign to go over.
func (s *scanner) next() {
	if b := s.text[s.at]; b < utf8.RuneSelf {
		switch classOf(rune(b)) {
		case letter, digit:
			s.chain()
		default:
			s.at++
		}
		return
	}
	r, size := utf8.DecodeRuneInString(s.text[s.at:])
	switch classOf(r) {
	case letter, digit:
		if unicode.Is(unicode.Mn, r) { // a mark that belongs to nothing
			s.at += size
			return
		}
		s.chain()
	case dense:
		s.pairs()
	default:
		s.at += size
	}
}

// chain reads words joined by one sign each ("re-index", "user_name", "1.26.0"):
// the words, and the whole without the signs where that is one name or number.
func (s *scanner) chain() {
	start := s.at
	s.joint = s.joint[:0]
	count, numbers := 0, true
	for {
		number := s.word()
		numbers = numbers && number
		count++
		s.joint = append(s.joint, s.key...)
		sign := s.at
		if sign+1 >= len(s.text) || !joins(s.text[sign], numbers) {
			break
		}
		r, _ := utf8.DecodeRuneInString(s.text[sign+1:])
		if c := classOf(r); c != letter && c != digit || s.text[sign] == '.' && c != digit || unicode.Is(unicode.Mn, r) {
			break
		}
		if s.text[sign] == '.' {
			s.joint = append(s.joint, '.')
		}
		s.at = sign + 1
	}
	// The whole comes last here, as its parts are read first.
	if count > 1 && len(s.joint) <= MaxKey {
		key := s.joint
		if numbers && key[0] == 'v' { // v1.26.0 is 1.26.0
			key = key[1:]
		}
		s.give(key, start, s.at, true)
	}
}

// joins reports whether a sign between two words makes one name of them.
func joins(sign byte, numbers bool) bool {
	return sign == '_' || sign == '-' || sign == '.' && numbers
}

// give hands a word over; what is left of an empty one (marks alone) is nothing.
func (s *scanner) give(key []byte, start, end int, within bool) {
	if len(key) > 0 {
		s.yield(Token{Key: key, Start: start, End: end, Within: within})
	}
}

// word reads one word, gives it and the parts that its capitals show, and
// reports whether it is a number, v1 too.
func (s *scanner) word() (number bool) {
	if s.small() {
		return false
	}
	start := s.at
	s.key = s.key[:0]
	var humps [8]hump
	n := 0
	number = true
	before, beforeThat := rune(0), rune(0)
	for s.at < len(s.text) {
		r, size := rune(s.text[s.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.text[s.at:])
		}
		if isApostrophe(r) && before != 0 && s.letterAfter(s.at+size) {
			if end := s.possessive(s.at + size); end > 0 {
				s.finish(start, s.at, humps[:n])
				s.at = end
				return false
			}
			s.at += size
			continue
		}
		c := classOf(r)
		if c != letter && c != digit {
			break
		}
		number = number && (c == digit || before == 0 && fold(r) == 'v')
		if n < len(humps) && before != 0 {
			switch {
			case isUpper(r) && isLower(before): // getName
				humps[n] = hump{len(s.key), s.at}
				n++
			case isLower(r) && isUpper(before) && isUpper(beforeThat): // HTTPServer
				last := utf8.RuneLen(fold(before))
				humps[n] = hump{len(s.key) - last, s.at - utf8.RuneLen(before)}
				n++
			}
		}
		if len(s.key) < MaxKey-utf8.UTFMax {
			s.key = appendFolded(s.key, r)
		}
		beforeThat, before = before, r
		s.at += size
	}
	s.finish(start, s.at, humps[:n])
	return number && before != 'v' && before != 'V'
}

// small reads and gives a word of small English letters alone, as most are. Any
// other is left where it is.
func (s *scanner) small() bool {
	end := s.at
	for end < len(s.text) && 'a' <= s.text[end] && s.text[end] <= 'z' {
		end++
	}
	if end == s.at || end-s.at >= MaxKey-utf8.UTFMax {
		return false
	}
	if end < len(s.text) {
		next := s.text[end]
		if next >= utf8.RuneSelf || next == '\'' || next == '`' || classOf(rune(next)) != other {
			return false
		}
	}
	s.key = append(s.key[:0], s.text[s.at:end]...)
	s.yield(Token{Key: s.key, Start: s.at, End: end})
	s.at = end
	return true
}

// A hump is where a part of an identifier begins, in its key and in the text.
type hump struct{ key, text int }

// finish gives a word that ends before the byte end, and its parts.
func (s *scanner) finish(start, end int, humps []hump) {
	s.give(s.key, start, end, false)
	if len(humps) == 0 || len(s.key) >= MaxKey-utf8.UTFMax {
		return
	}
	from := hump{0, start}
	for _, h := range append(humps, hump{len(s.key), end}) {
		if h.key-from.key > 1 {
			s.give(s.key[from.key:h.key], from.text, h.text, true)
		}
		from = h
	}
}

func isUpper(r rune) bool {
	return 'A' <= r && r <= 'Z' || r >= 0xC0 && unicode.IsUpper(r)
}

func isLower(r rune) bool {
	return 'a' <= r && r <= 'z' || r >= 0xDF && unicode.IsLower(r)
}

func isApostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == 'ʼ' || r == '`' || r == '‘'
}

func (s *scanner) letterAfter(at int) bool {
	if at >= len(s.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return classOf(r) == letter
}

// possessive returns where an ending after an apostrophe ends that says nothing
// of what the word names ("Ann's", "they'll"), 0 for another.
func (s *scanner) possessive(at int) int {
	for _, ending := range [...]string{"s", "ll", "re", "ve", "d", "m"} {
		if end := at + len(ending); end <= len(s.text) && equalFold(s.text[at:end], ending) && !s.letterAfter(end) {
			return end
		}
	}
	return 0
}

func equalFold(s, small string) bool {
	for i := range len(small) {
		if s[i]|0x20 != small[i] {
			return false
		}
	}
	return true
}

// pairs reads a stretch without spaces: each two neighbours are a word, and a
// single character is one.
func (s *scanner) pairs() {
	first, size := utf8.DecodeRuneInString(s.text[s.at:])
	start := s.at
	s.at += size
	single := true
	for s.at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.at:])
		if classOf(r) != dense {
			break
		}
		s.key = appendFolded(appendFolded(s.key[:0], first), r)
		s.give(s.key, start, s.at+size, false)
		single = false
		first, start = r, s.at
		s.at += size
	}
	if single {
		s.key = appendFolded(s.key[:0], first)
		s.give(s.key, start, s.at, false)
	}
}
