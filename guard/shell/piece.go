package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// piece is a part of a word while it is put together.
type piece struct {
	text   string
	quoted bool // stars in it are stars
	split  bool // white space in it parts words
	gap    bool // a word ends here
	many   bool // any number of words
}

func quoted(s string) []piece { return []piece{{text: s, quoted: true}} }

// hole is what a part gives that can't be told.
func hole(inQuotes bool) []piece {
	return []piece{{text: string(Hole), quoted: true, many: !inQuotes}}
}

// words splits pieces into words. given tells that there is a word even where
// all pieces are empty ("" and ”).
func words(pieces []piece, given bool) []Word {
	var out []Word
	var b strings.Builder
	w, begun := Word{}, given
	flush := func() {
		if begun {
			w.Text = b.String()
			out = append(out, w)
		}
		b.Reset()
		w, begun = Word{}, false
	}
	for _, p := range pieces {
		switch {
		case p.gap:
			flush()
			begun = true
			continue
		case p.many:
			w.Many = true
		}
		for i := 0; i < len(p.text); {
			r, n := utf8.DecodeRuneInString(p.text[i:])
			switch {
			case p.split && (r == ' ' || r == '\t' || r == '\n'):
				flush()
			default:
				begun = true
				b.WriteString(p.text[i : i+n])
				if !p.quoted && (r == '*' || r == '?' || r == '[') {
					w.Glob = true
				}
			}
			i += n
		}
		if p.quoted {
			begun = true
		}
	}
	flush()
	for i := range out {
		// Only a word that is nothing but holes can be several words, or none.
		out[i].Many = out[i].Many && strings.Trim(out[i].Text, string(Hole)) == ""
	}
	return out
}

// unescape takes the backslashes out of an unquoted literal.
func unescape(s string) []piece {
	if strings.IndexByte(s, '\\') < 0 {
		return []piece{{text: s}}
	}
	var out []piece
	for s != "" {
		n := strings.IndexByte(s, '\\')
		if n < 0 || n == len(s)-1 {
			return append(out, piece{text: s})
		}
		if n > 0 {
			out = append(out, piece{text: s[:n]})
		}
		_, size := utf8.DecodeRuneInString(s[n+1:])
		if c := s[n+1 : n+1+size]; c != "\n" {
			out = append(out, piece{text: c, quoted: true})
		}
		s = s[n+1+size:]
	}
	return out
}

// unescapeDouble takes the backslashes out of a literal in double quotes, where
// they count only before a few characters.
func unescapeDouble(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansi decodes the escapes of $'…', echo -e and printf.
func ansi(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	const names, values = `abeEfnrtv\'"?`, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if n := strings.IndexByte(names, c); n >= 0 {
			b.WriteByte(values[n])
			continue
		}
		base, most, from := 16, 0, i+1
		switch {
		case c == 'x':
			most = 2
		case c == 'u':
			most = 4
		case c == 'U':
			most = 8
		case c >= '0' && c <= '7':
			base, most, from = 8, 3, i
			if c == '0' {
				most = 4 // \0nnn of echo -e
			}
		}
		to := from
		for to < len(s) && to-from < most && isDigit(s[to], base) {
			to++
		}
		v, err := strconv.ParseUint(s[from:to], base, 32)
		switch {
		case err != nil:
			b.WriteString(s[i-1 : i+1])
		case c == 'u' || c == 'U':
			b.WriteRune(rune(v)) //nolint:gosec // at most eight digits; what is no character becomes U+FFFD
			i = to - 1
		default:
			b.WriteByte(byte(v))
			i = to - 1
		}
	}
	return strings.ReplaceAll(b.String(), string(Hole), "")
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
