package note

import (
	"fmt"
	"strings"
	"unicode"

	"dormouse/frontmatter"
)

// plainSafe reports whether s without quotes is read back as s: by the client's
// first attempt, on one line, whatever stands around it. Words like yes and dates
// are strings for the client, so they need no quotes. A comma at the start needs
// them for every other reader.
func plainSafe(s string) bool {
	if s == "" || s[0] == ',' || strings.Contains(s, mark) || strings.TrimFunc(s, edge) != s || strings.ContainsFunc(s, unprintable) {
		return false
	}
	f, err := frontmatter.ParseNote("k: " + s + "\n")
	return err == nil && f.Broken == nil && len(f.List) == 1 && f.List[0].Value.Kind == frontmatter.String && f.List[0].Value.Text == s
}

// edge holds for what a reader may take for white space at an end of a value.
func edge(r rune) bool { return unicode.IsSpace(r) || frontmatter.IsSpace(r) }

// unprintable holds for what must be escaped, or is seen by no one.
func unprintable(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == bomRune
}

// quoteDouble writes s in double quotes on one line, with the escapes that the
// client uses (measured on 2.1.332). Three dashes are broken up by an escape:
// they would end the front matter, even inside quotes.
func quoteDouble(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		const signs = "\x00\a\b\t\n\v\f\r\x1b\"\\\u0085\u00a0\u2028\u2029"
		const names = "0abtnvfre\"\\N_LP"
		at := -1
		if r < 0x20 || r == '"' || r == '\\' || r >= 0x85 && r <= 0x2029 {
			at = runeIndex(signs, r)
		}
		switch {
		case at >= 0:
			b.WriteByte('\\')
			b.WriteByte(names[at])
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == '-' && strings.HasPrefix(s[i:], mark):
			b.WriteString(`\x2d`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// runeIndex returns the place of r among the runes of s, or -1.
func runeIndex(s string, r rune) int {
	n := 0
	for _, c := range s {
		if c == r {
			return n
		}
		n++
	}
	return -1
}

// quoteSingle writes s in single quotes; ok is false where only double ones do.
func quoteSingle(s string) (text string, ok bool) {
	if strings.Contains(s, mark) || strings.ContainsFunc(s, unprintable) {
		return "", false
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
}

// scalar writes s without quotes where it can.
func scalar(s string) string {
	if plainSafe(s) {
		return s
	}
	return quoteDouble(s)
}

// clientScalar writes s as the client does, which puts more in quotes than its
// reader needs: yes, it's, a, b. Measured on 2.1.332, see testdata/scalars.json.
// Unlike the client it also quotes what can't be seen or trimmed off by a reader.
func clientScalar(s string) string {
	if clientQuotes(s) || !plainSafe(s) {
		return quoteDouble(s)
	}
	return s
}

func clientQuotes(s string) bool {
	if s == "" || strings.ContainsAny(s, "'\"{}[],#`\t") || strings.ContainsFunc(s, unlike) {
		return true
	}
	if strings.ContainsAny(s[:1], "&*?|-<>!%@: ") || strings.ContainsAny(s[len(s)-1:], ": ") || strings.Contains(s, ": ") {
		return true
	}
	return marked(s) || clientWord(s) || clientNumber(s) || radix(s) || strings.HasPrefix(s, bom)
}

// unlike holds for the characters that the client never leaves without quotes.
func unlike(r rune) bool {
	return r < 0x20 || r == 0x7f || r == 0x85 || r == 0xa0 || r == 0x2028 || r == 0x2029
}

// marked reports whether a document mark stands in s, before a space or the end.
func marked(s string) bool {
	for _, m := range []string{mark, "..."} {
		for rest := s; ; {
			i := strings.Index(rest, m)
			if i < 0 {
				break
			}
			if after := rest[i+len(m):]; after == "" || after[0] == ' ' {
				return true
			}
			rest = rest[i+1:]
		}
	}
	return false
}

func clientWord(s string) bool {
	switch s {
	case "~", "null", "Null", "NULL", "y", "Y", "n", "N",
		"true", "True", "TRUE", "false", "False", "FALSE",
		"yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return true
	}
	switch strings.TrimPrefix(s, "+") {
	case ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN":
		return true
	}
	return false
}

// clientNumber reports whether the client takes s for a number, which it does
// for 1-2, 1e and "." too. A leading minus is in quotes anyway.
func clientNumber(s string) bool {
	if c := s[0]; c != '+' && c != '.' && (c < '0' || c > '9') || s == "+" {
		return false
	}
	dots, exponents, signs := 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.':
			dots++
		case c == 'e' || c == 'E':
			exponents++
		case c == '+' || c == '-':
			if i > 0 {
				signs++
			}
		case c < '0' || c > '9':
			return false
		}
	}
	return dots <= 1 && exponents <= 1 && signs <= 1
}

// radix matches [+]0[xXoO] and hexadecimal digits.
func radix(s string) bool {
	s = strings.TrimPrefix(s, "+")
	return len(s) > 2 && s[0] == '0' && strings.IndexByte("xXoO", s[1]) >= 0 &&
		strings.Trim(s[2:], "0123456789abcdefABCDEF") == ""
}
