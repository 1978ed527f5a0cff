package token

import "strings"

// MarkLen returns the length in bytes of the list mark that s begins with, the
// space behind it included: "- ", "* ", "+ ", "• ", "12. ", "3) "; 0 without one.
func MarkLen(s string) int {
	n := 0
	switch {
	case strings.HasPrefix(s, "•"), strings.HasPrefix(s, "‣"):
		n = len("•")
	case s != "" && (s[0] == '-' || s[0] == '*' || s[0] == '+'):
		n = 1
	default:
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	}
	if n == len(s) || s[n] == '\n' || s[n] == '\r' {
		return n
	}
	if s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

// Fence returns the fence that a line without white space in front begins with,
// "```" or more, "" without one.
func Fence(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// IsHeading reports whether a line is like "## Testing".
func IsHeading(line string) bool {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	return n >= 1 && n <= 6 && (n == len(line) || line[n] == ' ' || line[n] == '\t')
}

// Sentences cuts a paragraph behind each sign that ends a sentence and is
// followed by white space and something that can begin one. Nothing is lost.
func Sentences(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		n := 0
		switch c := s[i]; {
		case c == '.' || c == '!' || c == '?':
			n = 1
		case strings.HasPrefix(s[i:], "…"), strings.HasPrefix(s[i:], "。"):
			n = len("…")
		}
		if n == 0 {
			continue
		}
		end := i + n
		for end < len(s) && strings.IndexByte(".!?)\"'`*_", s[end]) >= 0 {
			end++
		}
		if end < len(s) && !IsSpace(s[end]) && s[i] < 0x80 || !begins(s[end:]) || s[i] == '.' && abbreviated(s[start:i]) {
			i = end - 1
			continue
		}
		out = append(out, s[start:end])
		start, i = end, end-1
	}
	if strings.TrimSpace(s[start:]) != "" {
		out = append(out, s[start:])
	}
	return out
}

// begins reports whether what follows can begin a sentence: no small letter, and
// no dash that would then be taken for a list mark.
func begins(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	if rest == "" {
		return true
	}
	if MarkLen(rest) > 0 {
		return false
	}
	r := FirstRune(rest)
	return !IsLower(r) && r != ',' && r != ')'
}

// abbreviated reports whether the dot behind s ends an abbreviation, not a
// sentence: e.g., an initial, a number.
func abbreviated(s string) bool {
	last := s[strings.LastIndexAny(s, " \t\n(")+1:]
	switch strings.ToLower(last) {
	case "e.g", "i.e", "etc", "vs", "cf", "no", "mr", "mrs", "ms", "dr", "st", "напр", "т.д", "т.п", "див", "ім", "вул", "р", "ст":
		return true
	}
	if len(last) <= 3 && last != "" && strings.Trim(last, "0123456789") == "" {
		return strings.TrimSpace(s) == last // "1." begins a list; "is 10." ends one
	}
	r := FirstRune(last)
	return len(last) == len(string(r)) && !IsLower(r) // an initial
}
