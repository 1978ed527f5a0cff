package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind is what a token of a text is.
type Kind uint8

// The kinds; from Comma on they are signs.
const (
	End   Kind = iota
	Word       // letters only
	Value      // a number, a version, a date, an address of numbers
	Code       // a path, an identifier, a host, a link
	ID         // #12, SHOP-318: names one thing of many
	Pair       // two characters of a script without spaces
	Comma      // , and line breaks that don't end a sentence are none
	Colon
	Hard // ; ( ) and dashes
	Stop // the end of a sentence or a line that stands for itself
)

// A Token is a piece of a text; Start and End are byte offsets.
type Token struct {
	Kind       Kind
	Start, End int
}

// A Scanner cuts a text into tokens in one pass. The token's text in lower case
// and without accents and apostrophes is in Plain until the next one.
type Scanner struct {
	Text  string
	at    int
	until int // end of a chunk that is being split at its hyphens
	tick  int // the backtick that closes the open one
	Plain []byte

	// NoHeads passes over headings: they name a matter and say nothing of it.
	NoHeads bool
	// Spans makes one Code token of several words between backticks: `make test`.
	Spans bool
}

// maxPlain caps how many bytes of one word are compared: nobody writes longer
// ones, and hostile input does.
const maxPlain = 120

// Next returns the next token; its Kind is End behind the last one.
func (s *Scanner) Next() Token {
	s.Plain = s.Plain[:0]
	for s.at < len(s.Text) {
		c := s.Text[s.at]
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
	return Token{Kind: End, Start: s.at, End: s.at}
}

// letters reads a word of ASCII letters with white space or a comma behind it.
// Most words are, and chunk takes three times as long for them.
func (s *Scanner) letters() (Token, bool) {
	for i := s.at; i < len(s.Text); i++ {
		c := s.Text[i] | 0x20
		if c >= 'a' && c <= 'z' && s.Text[i] >= 'A' {
			if len(s.Plain) < maxPlain {
				s.Plain = append(s.Plain, c)
			}
			continue
		}
		if i > s.at && (IsSpace(s.Text[i]) || s.Text[i] == ',') {
			t := Token{Kind: Word, Start: s.at, End: i}
			s.at = i
			return t, true
		}
		break
	}
	s.Plain = s.Plain[:0]
	return Token{}, false
}

// sign reads one ASCII character that is not of a word, or the word that it
// begins.
func (s *Scanner) sign(c byte) (Token, bool) {
	start := s.at
	s.at++
	t := Token{Start: start, End: s.at}
	switch c {
	case '\n':
		if !lineEnds(s.Text[s.at:]) {
			return t, false
		}
		t.Kind = Stop
	case '.', '!', '?':
		if s.at < len(s.Text) && !IsSpace(s.Text[s.at]) && c == '.' {
			return s.pathFrom(start)
		}
		t.Kind = Stop
	case ',':
		t.Kind = Comma
	case ':':
		t.Kind = Colon
	case ';', '(', ')':
		t.Kind = Hard
	case '-':
		if !IsSpace(at(s.Text, start-1)) || !IsSpace(at(s.Text, s.at)) {
			return t, false
		}
		t.Kind = Hard
	case '#':
		if s.NoHeads && lineStart(s.Text, start) && IsHeading(s.Text[start:min(len(s.Text), start+8)]) {
			s.at = lineEnd(s.Text, start)
			return t, false
		}
		return s.pathFrom(start)
	case '/', '~', '@':
		return s.pathFrom(start)
	case '`':
		return s.span(start)
	default:
		return t, false
	}
	return t, true
}

// maxSpan is how long a command between backticks can be, in bytes.
const maxSpan = 100

// span reads a command between backticks; a single word is read as elsewhere.
func (s *Scanner) span(start int) (Token, bool) {
	rest := s.Text[s.at:min(len(s.Text), s.at+maxSpan)]
	n := strings.IndexByte(rest, '`')
	if !s.Spans || n < 0 {
		return Token{}, false
	}
	if start == s.tick && start > 0 {
		return Token{}, false
	}
	s.tick = s.at + n
	f := strings.Fields(rest[:n])
	if len(f) < 2 || strings.Contains(rest[:n], "\n") {
		return Token{}, false
	}
	for i, w := range f {
		if i > 0 {
			s.Plain = append(s.Plain, ' ')
		}
		s.fold(start+1+strings.Index(rest, w), start+1+strings.Index(rest, w)+len(w))
	}
	s.at += n + 1
	return Token{Kind: Code, Start: start, End: s.at}, true
}

// pathFrom reads a word with its leading signs: ./x, /etc, ~/x, #12.
func (s *Scanner) pathFrom(start int) (Token, bool) {
	i := start
	for i < len(s.Text) && i < start+3 && isJoiner(s.Text[i]) {
		i++
	}
	if i >= len(s.Text) || !isAlnum(s.Text[i]) {
		return Token{}, false
	}
	return s.chunk(start), true
}

// wide reads a character outside ASCII.
func (s *Scanner) wide() (Token, bool) {
	r, size := utf8.DecodeRuneInString(s.Text[s.at:])
	start := s.at
	switch {
	case Dense(r):
		return s.pair(r, size), true
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return s.chunk(start), true
	}
	s.at += size
	t := Token{Start: start, End: s.at}
	switch r {
	case '。', '！', '？', '…', '।', '؟':
		t.Kind = Stop
	case '、', '，', '،':
		t.Kind = Comma
	case '—', '–', '；':
		t.Kind = Hard
	case '：':
		t.Kind = Colon
	default:
		return t, false
	}
	return t, true
}

// pair reads one character and the one behind it, and goes on by one.
func (s *Scanner) pair(r rune, size int) Token {
	t := Token{Kind: Pair, Start: s.at, End: s.at + size}
	s.at += size
	s.Plain = utf8.AppendRune(s.Plain, r)
	if second, n := utf8.DecodeRuneInString(s.Text[s.at:]); Dense(second) {
		s.Plain = utf8.AppendRune(s.Plain, second)
		t.End += n
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
func (s *Scanner) chunk(start int) Token {
	var sh shape
	if start < s.until {
		sh = shape{letters: true, hyphen: true, end: s.until}
	} else {
		sh = s.measure(start)
	}
	t := Token{Start: start, End: sh.end, Kind: Word}
	raw := s.Text[start:sh.end]
	switch {
	case sh.joined, sh.dot && !isValue(raw):
		t.Kind = Code
	case raw[0] == '#':
		t.Kind = ID
	case sh.hyphen && !sh.digits:
		// table-driven is two words; the next call goes on behind the hyphen.
		s.until = sh.end
		t.End = start + indexHyphen(raw)
	case sh.hyphen && isTicket(raw):
		t.Kind = ID
	case isValue(raw):
		t.Kind = Value
	case sh.digits:
		t.Kind = Code
	}
	s.fold(t.Start, t.End)
	s.at = t.End
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
func (s *Scanner) measure(start int) (sh shape) {
	i := start
	for i < len(s.Text) && isJoiner(s.Text[i]) { // signs in front, see pathFrom
		sh.joined = sh.joined || s.Text[i] != '#'
		i++
	}
	for i < len(s.Text) {
		c := s.Text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.Text[i:])
			if Apostrophe(r) && i+size < len(s.Text) && i > start {
				i += size
				continue
			}
			if Dense(r) || !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
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
		case c == '\'' && letterAt(s.Text, i+1):
		case c == '+' || c == '#':
			// C++ and C#.
		default:
			n := joinersAt(s.Text, i)
			if n == 0 {
				sh.end = i
				return sh
			}
			for _, j := range []byte(s.Text[i : i+n]) {
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
func (s *Scanner) fold(start, end int) {
	for i := start; i < end && len(s.Plain) < maxPlain; {
		c := s.Text[i]
		if c < utf8.RuneSelf {
			i++
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			if c != '\'' {
				s.Plain = append(s.Plain, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s.Text[i:])
		i += size
		accent, n := utf8.DecodeRuneInString(s.Text[i:end])
		r = unicode.ToLower(r)
		if c, ok := Compose(r, accent); ok {
			r = c
			i += n
		}
		switch p := PlainLatin(r); {
		case Apostrophe(r), IsAccent(r):
		case p != "":
			s.Plain = append(s.Plain, p...)
		default:
			s.Plain = utf8.AppendRune(s.Plain, r)
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
	return MarkLen(rest[i:min(len(rest), i+12)]) > 0
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

// IsSpace reports whether c is white space, or 0, the end of a text.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0 }

func isJoiner(c byte) bool {
	switch c {
	case '.', '_', '/', ':', '@', '-', '\\', '~', '%', '&', '=', '?', '#', '+':
		return true
	}
	return false
}

// Apostrophe reports whether r is one.
func Apostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

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
	return unicode.IsLetter(r) && !Dense(r)
}
