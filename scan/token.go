package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTokens is how long a sentence gets before it is cut: beyond any prose, and
// a bound on what one line can cost.
const maxTokens = 256

// Marks of a token.
const (
	inflected  = 1 << iota // an ending was taken off
	imperative             // a verb where a request has it
	negated                // within reach of a negation
	quoted                 // between double quotes
	coded                  // in a code span or block
	alien                  // from the foreign words
	afterBreak             // first of a clause
	startsLine             // first on its line
	verbForm               // a verb that has an imperative
)

// A token is a word, an address, a path, an option or an operator.
type token struct {
	start, end int // bytes of the view
	bits       set
	marks      uint16
	entry      *entry
}

func (t *token) is(marks uint16) bool { return t.marks&marks == marks }

// A sentence is what rules are matched against.
type sentence struct {
	tokens []token
	all    set // of its tokens
	before set // of the sentence before it, in the same paragraph
	alien  bool
	start  int // bytes of the view
	end    int
}

// A lexer cuts a view into sentences.
type lexer struct {
	text  string
	words *lexicon
	hosts *hosts
	own   *builtin

	at        int
	s         sentence
	quote     bool
	code      bool
	fence     bool
	table     bool
	broken    bool // a clause ended before the next token
	lineStart bool
	nested    int  // values inside values
	paragraph bool // a paragraph ended: nothing carries over
}

// next reads the next sentence; false at the end of the text.
func (l *lexer) next() bool {
	before := l.s.all
	if l.paragraph {
		before = set{}
		l.quote, l.code = false, false
	}
	l.paragraph = false
	l.s = sentence{tokens: l.s.tokens[:0], before: before, start: l.at}
	l.broken, l.lineStart = true, l.lineStart || l.at == 0
	for l.at < len(l.text) && len(l.s.tokens) < maxTokens {
		if l.step() && len(l.s.tokens) > 0 {
			break
		}
	}
	l.s.end = l.at
	if len(l.s.tokens) == 0 {
		return false
	}
	l.finish()
	return true
}

// step reads one thing and reports whether a sentence ends behind it.
func (l *lexer) step() bool {
	c := l.text[l.at]
	switch {
	case asciiLetter(rune(c)):
		return l.chunk()
	case c == ' ' || c == '\t':
		l.at++
		return false
	case c == '\n':
		return l.newline()
	case c >= 0x80:
		return l.other()
	}
	return l.sign(c)
}

// sign reads a sign of ASCII.
func (l *lexer) sign(c byte) bool {
	rest := l.text[l.at:]
	switch c {
	case '`':
		l.backticks(rest)
	case '"':
		l.quote = !l.quote
		l.broken = true
		l.at++
	case '<':
		if strings.HasPrefix(rest, "<!--") {
			l.at += 4
			return true
		}
		l.substitution(rest)
	case '$':
		if !strings.HasPrefix(rest, "$(") {
			return l.chunk()
		}
		l.substitution(rest)
	case '|':
		l.pipe(rest)
	case '>':
		l.redirect(rest)
	case ',', ';', ':', '(', ')', '[', ']', '{', '}', '*', '_', '#', '+', '=', '^', '\'', '\\', '!', '?':
		return l.punctuation(c)
	case '-':
		if strings.HasPrefix(rest, "-->") {
			l.at += 3
			return true
		}
		if len(rest) > 1 && rest[1] != ' ' && rest[1] != '\n' {
			return l.chunk()
		}
		l.broken = true
		l.at++
	case '.':
		if len(rest) > 1 && (rest[1] == '/' || rest[1] == '.' || asciiLetter(rune(rest[1]))) {
			return l.chunk()
		}
		return l.punctuation(c)
	default:
		return l.chunk()
	}
	return false
}

func (l *lexer) punctuation(c byte) bool {
	l.at++
	l.broken = l.broken || c != '*' && c != '_' && c != '\'' && c != '='
	if c == '!' || c == '?' || c == '.' {
		return l.endsSentence()
	}
	return false
}

// endsSentence reports whether the stop before l.at ends a sentence.
func (l *lexer) endsSentence() bool {
	if l.at >= len(l.text) {
		return true
	}
	switch l.text[l.at] {
	case ' ', '\n', '\t', '"', ')', '\'', '*', '_', '<':
		return !l.quote || l.text[l.at] == '"' || l.text[l.at] == '\n'
	}
	return false
}

func (l *lexer) backticks(rest string) {
	n := 1
	for n < len(rest) && rest[n] == '`' {
		n++
	}
	if n >= 3 && l.lineStart {
		l.fence = !l.fence
		l.code = false
	} else if !l.fence {
		l.code = !l.code
	}
	l.at += n
	l.broken = l.broken || !l.code
}

// substitution emits the token of "<(" and "$(": a command inside a command.
func (l *lexer) substitution(rest string) {
	if len(rest) > 1 && rest[1] == '(' {
		l.emit(l.at, l.at+2, l.own.subst, 0)
		l.at += 2
	} else {
		l.at++
	}
	l.broken = true
}

func (l *lexer) pipe(rest string) {
	switch {
	case l.lineStart:
		l.table = true
		l.at++
	case strings.HasPrefix(rest, "||"):
		l.at += 2
	default:
		if !l.table || l.code {
			l.emit(l.at, l.at+1, l.own.pipe, 0)
		}
		l.at++
	}
	l.broken = true
}

func (l *lexer) redirect(rest string) {
	n := 1
	if strings.HasPrefix(rest, ">>") {
		n = 2
	}
	if !l.lineStart && (n == 2 || l.code || l.fence) {
		l.emit(l.at, l.at+n, l.own.redir, 0)
	}
	l.at += n
	l.broken = true
}

// newline decides whether a line goes on in the next one.
func (l *lexer) newline() bool {
	l.at++
	l.lineStart = true
	l.table = false
	end, n := blankRun(l.text, l.at-1)
	if n > 1 {
		l.at = end
		l.paragraph = true
		return true
	}
	return l.fence || startsBlock(l.text[l.at:])
}

// startsBlock reports whether a line begins something new: a list item, a
// heading, a table row, a fence, a rule, a tag, "name:".
func startsBlock(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 80)], " \t")
	if rest == "" {
		return false
	}
	switch rest[0] {
	case '-', '*', '+', '#', '|', '>', '<', '`', '$', '~', '=', '[':
		return true
	}
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c == ':' || (c == '.' || c == ')') && i > 0 && rest[0] >= '0' && rest[0] <= '9':
			return i > 0 && i < 30 && !strings.HasPrefix(rest[i:], "://")
		case !asciiLetter(rune(c)) && c != ' ' && c != '_' && c != '-' && c != '(' && c != ')' && (c < '0' || c > '9'):
			return false
		}
	}
	return false
}

// other reads what is not ASCII: words of scripts without spaces, other words,
// and signs.
func (l *lexer) other() bool {
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	switch {
	case joined(r):
		l.run(r)
		return false
	case unicode.IsLetter(r):
		return l.chunk()
	case r == 0x3002 || r == 0xFF61 || r == 0x964 || r == 0x61F || r == 0x6D4:
		l.at += n
		return true
	}
	l.at += n
	l.broken = true
	return false
}

// run emits the longest word that stands here in a script without spaces; what
// is no word counts as one token for each two runes.
func (l *lexer) run(r rune) {
	if n := l.words.starts[r]; n > 0 {
		for end := runesEnd(l.text, l.at, n); end > l.at; {
			if e := l.words.runs[l.text[l.at:end]]; e != nil {
				marks := uint16(alien)
				if e.verb {
					marks |= imperative | verbForm
				}
				l.emit(l.at, end, e.bits, marks)
				l.at = end
				return
			}
			_, size := utf8.DecodeLastRuneInString(l.text[l.at:end])
			end -= size
		}
	}
	end := runesEnd(l.text, l.at, 1)
	if next, size := utf8.DecodeRuneInString(l.text[end:]); joined(next) && l.words.starts[next] == 0 {
		end += size
	}
	l.emit(l.at, end, set{}, 0)
	l.at = end
}

// runesEnd returns the offset n runes after i, less where the script ends.
func runesEnd(text string, i, n int) int {
	for ; n > 0 && i < len(text); n-- {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !joined(r) {
			break
		}
		i += size
	}
	return i
}

// emit appends a token with the marks of its place.
func (l *lexer) emit(start, end int, bits set, marks uint16) {
	if l.quote {
		marks |= quoted
	}
	if l.code || l.fence {
		marks |= coded
	}
	if l.broken {
		marks |= afterBreak
	}
	if l.lineStart {
		marks |= startsLine
	}
	l.broken, l.lineStart = false, false
	l.s.tokens = append(l.s.tokens, token{start: start, end: end, bits: bits, marks: marks})
}
