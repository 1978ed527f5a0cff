package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind is what a token of a text is.
type kind uint8

const (
	end   kind = iota
	word       // letters only
	value      // a number, a version, a date, an address of numbers
	code       // a path, an identifier, a host, a link
	id         // #12, SHOP-318: names one thing of many
	pair       // two characters of a script without spaces
	comma      // , and line breaks that don't end a sentence are none
	colon
	hard // ; ( ) and dashes
	stop // the end of a sentence or a line that stands for itself
)

// A token is a piece of a text; start and end are byte offsets.
type token struct {
	kind       kind
	start, end int
}

// A scanner cuts a text into tokens in one pass. The token's text in lower case
// and without accents and apostrophes is in plain until the next one.
type scanner struct {
	text  string
	at    int
	until int // end of a chunk that is being split at its hyphens
	plain []byte

	// noHeads passes over headings: they name a matter and say nothing of it.
	noHeads bool
}

// maxPlain caps how many bytes of one word are compared: nobody writes longer
// ones, and hostile input does.
const maxPlain = 120

func (s *scanner) next() token {
	s.plain = s.plain[:0]
	for s.at < len(s.text) {
		c := s.text[s.at]
		if isAlnum(c) {
			if t, ok := s.letters(); ok {
				return t
			}
			return s.chunk(s.at)
		}
		if c >= utf8.RuneSelf {
			if t, ok := s.wide(); ok {
				return t
			}
			continue
		}
		if t, ok := s.sign(c); ok {
			return t
		}
	}
	return token{kind: end, start: s.at, end: s.at}
}

// letters reads a word of ASCII letters with white space or a comma behind it.
// Most words are, and chunk takes three times as long for them.
func (s *scanner) letters() (token, bool) {
	for i := s.at; i < len(s.text); i++ {
		c := s.text[i] | 0x20
		if c >= 'a' && c <= 'z' && s.text[i] >= 'A' {
			if len(s.plain) < maxPlain {
				s.plain = append(s.plain, c)
			}
			continue
		}
		if i > s.at && (isSpace(s.text[i]) || s.text[i] == ',') {
			t := token{kind: word, start: s.at, end: i}
			s.at = i
			return t, true
		}
		break
	}
	s.plain = s.plain[:0]
	return token{}, false
}

// sign reads one ASCII character that is not of a word, or the word that it
// begins.
func (s *scanner) sign(c byte) (token, bool) {
	start := s.at
	s.at++
	t := token{start: start, end: s.at}
	switch c {
	case '\n':
		if !lineEnds(s.text[s.at:]) {
			return t, false
		}
		t.kind = stop
	case '.', '!', '?':
		if s.at < len(s.text) && !isSpace(s.text[s.at]) && c == '.' {
			return s.pathFrom(start)
		}
		t.kind = stop
	case ',':
		t.kind = comma
	case ':':
		t.kind = colon
	case ';', '(', ')':
		t.kind = hard
	case '-':
		if !isSpace(at(s.text, start-1)) || !isSpace(at(s.text, s.at)) {
			return t, false
		}
		t.kind = hard
	case '#':
		if s.noHeads && lineStart(s.text, start) && isHeading(s.text[start:min(len(s.text), start+8)]) {
			s.at = lineEnd(s.text, start)
			return t, false
		}
		return s.pathFrom(start)
	case '/', '~', '@':
		return s.pathFrom(start)
	default:
		return t, false
	}
	return t, true
}

// pathFrom reads a word with its leading signs: ./x, /etc, ~/x, #12.
func (s *scanner) pathFrom(start int) (token, bool) {
	i := start
	for i < len(s.text) && i < start+3 && isJoiner(s.text[i]) {
		i++
	}
	if i >= len(s.text) || !isAlnum(s.text[i]) {
		return token{}, false
	}
	return s.chunk(start), true
}

// wide reads a character outside ASCII.
func (s *scanner) wide() (token, bool) {
	r, size := utf8.DecodeRuneInString(s.text[s.at:])
	start := s.at
	switch {
	case dense(r):
		return s.pair(r, size), true
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return s.chunk(start), true
	}
	s.at += size
	t := token{start: start, end: s.at}
	switch r {
	case '。', '！', '？', '…', '।', '؟':
		t.kind = stop
	case '、', '，', '،':
		t.kind = comma
	case '—', '–', '；':
		t.kind = hard
	case '：':
		t.kind = colon
	default:
		return t, false
	}
	return t, true
}

// pair reads one character and the one behind it, and goes on by one.
func (s *scanner) pair(r rune, size int) token {
	t := token{kind: pair, start: s.at, end: s.at + size}
	s.at += size
	s.plain = utf8.AppendRune(s.plain, r)
	if second, n := utf8.DecodeRuneInString(s.text[s.at:]); dense(second) {
		s.plain = utf8.AppendRune(s.plain, second)
		t.end += n
	}
	return t
}

// A shape is what a chunk is made of.
type shape struct {
	letters, digits, wide, hyphen, dot, joined bool
	end                                        int
}

// chunk reads from start a run of letters and digits with the signs inside it,
// and tells what it is.
func (s *scanner) chunk(start int) token {
	var sh shape
	if start < s.until {
		sh = shape{letters: true, hyphen: true, end: s.until}
	} else {
		sh = s.measure(start)
	}
	t := token{start: start, end: sh.end, kind: word}
	raw := s.text[start:sh.end]
	switch {
	case sh.joined, sh.dot && !isValue(raw):
		t.kind = code
	case raw[0] == '#':
		t.kind = id
	case sh.hyphen && !sh.digits:
		// table-driven is two words; the next call goes on behind the hyphen.
		s.until = sh.end
		t.end = start + indexHyphen(raw)
	case sh.hyphen && isTicket(raw):
		t.kind = id
	case isValue(raw):
		t.kind = value
	case sh.digits:
		t.kind = code
	}
	s.fold(t.start, t.end)
	s.at = t.end
	return t
}

func indexHyphen(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '-' {
			return i
		}
	}
	return len(s)
}

// measure finds the end of the chunk at start.
func (s *scanner) measure(start int) (sh shape) {
	i := start
	for i < len(s.text) && isJoiner(s.text[i]) { // signs in front, see pathFrom
		sh.joined = sh.joined || s.text[i] != '#'
		i++
	}
	for i < len(s.text) {
		c := s.text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.text[i:])
			if apostrophe(r) && i+size < len(s.text) && i > start {
				i += size
				continue
			}
			if dense(r) || !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
				sh.end = i
				return sh
			}
			sh.letters, sh.wide = true, true
			i += size
			continue
		case c >= '0' && c <= '9':
			sh.digits = true
		case isAlnum(c):
			sh.letters = true
		case c == '\'' && letterAt(s.text, i+1):
		case c == '+' || c == '#':
			// C++ and C#.
		default:
			n := joinersAt(s.text, i)
			if n == 0 {
				sh.end = i
				return sh
			}
			for _, j := range []byte(s.text[i : i+n]) {
				switch j {
				case '-':
					sh.hyphen = true
				case '.':
					sh.dot = true
				default:
					sh.joined = true
				}
			}
			i += n
			continue
		}
		i++
	}
	sh.end = i
	return sh
}

// joinersAt counts the signs at i that join what is before them with what is
// behind: the :// of a link, the dot of a file name. Signs at the end of a word
// are punctuation.
func joinersAt(s string, i int) int {
	n := 0
	for n < 4 && isJoiner(at(s, i+n)) {
		n++
	}
	if n == 4 || n == 0 {
		return 0
	}
	if next := at(s, i+n); isAlnum(next) || next >= utf8.RuneSelf && letterAt(s, i+n) {
		return n
	}
	return 0
}

// fold puts the text from start to end into plain.
func (s *scanner) fold(start, end int) {
	for i := start; i < end && len(s.plain) < maxPlain; {
		c := s.text[i]
		if c < utf8.RuneSelf {
			i++
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			if c != '\'' {
				s.plain = append(s.plain, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		i += size
		accent, n := utf8.DecodeRuneInString(s.text[i:end])
		r = unicode.ToLower(r)
		if c, ok := compose(r, accent); ok {
			r = c
			i += n
		}
		switch p := plainLatin(r); {
		case apostrophe(r), isAccent(r):
		case p != "":
			s.plain = append(s.plain, p...)
		default:
			s.plain = utf8.AppendRune(s.plain, r)
		}
	}
}

// isValue reports whether a chunk begins with a digit, or with v and a digit.
func isValue(s string) bool {
	if s[0] == 'v' || s[0] == 'V' {
		s = s[1:]
	}
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// isTicket reports whether a chunk is like SHOP-318 or CVE-2026-1234.
func isTicket(s string) bool {
	i := 0
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	return i >= 2 && i+1 < len(s) && s[i] == '-' && strings.Trim(s[i:], "-0123456789") == ""
}

// lineEnds reports whether what follows a line break begins anew: an empty line,
// a list mark, a heading, a quote, a fence, a table. Other lines continue.
func lineEnds(rest string) bool {
	i := 0
	for i < len(rest) && (rest[i] == ' ' || rest[i] == '\t' || rest[i] == '\r') {
		i++
	}
	if i == len(rest) {
		return true
	}
	switch rest[i] {
	case '\n', '#', '>', '|', '`', '-', '*', '+':
		return true
	}
	return markLen(rest[i:min(len(rest), i+12)]) > 0
}

// lineStart reports whether only a few spaces are between i and the line's start.
func lineStart(s string, i int) bool {
	for n := 0; n < 4 && i > 0 && s[i-1] == ' '; n++ {
		i--
	}
	return i == 0 || s[i-1] == '\n'
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0 }

func isJoiner(c byte) bool {
	switch c {
	case '.', '_', '/', ':', '@', '-', '\\', '~', '%', '&', '=', '?', '#', '+':
		return true
	}
	return false
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// at is s[i], 0 outside.
func at(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func letterAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r) && !dense(r)
}
