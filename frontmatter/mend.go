package frontmatter

import (
	"strings"

	"dormouse/frontmatter/internal/yaml"
)

// mend makes of a block that is not YAML what the client tries next, and tells
// which lines it changed (1-based). Measured on 2.1.332: a line of the form
// "key: value" at the line's start gets its value put in double quotes when the
// value holds a sign that means something in YAML; a tab at the start of a line
// becomes two spaces. Nothing else is done, so a broken item of a list, an
// indented key, or a line that ends in \r stays broken.
func mend(front string) (string, []int) {
	all := strings.Split(front, "\n")
	var changed []int
	for i, line := range all {
		fixed := untab(line)
		if key, value, ok := keyValue(fixed); ok && needsQuotes(value) {
			fixed = key + `: "` + escape(value) + `"`
		}
		if fixed != line {
			all[i] = fixed
			changed = append(changed, i+1)
		}
	}
	return strings.Join(all, "\n"), changed
}

func untab(line string) string {
	rest := strings.TrimLeft(line, "\t")
	return strings.Repeat("  ", len(line)-len(rest)) + rest
}

// keyValue follows the client's pattern ^([a-zA-Z_-]+):\s+(.+)$ for one line,
// where the dot matches no line separator.
func keyValue(line string) (key, value string, ok bool) {
	n := 0
	for n < len(line) && isKeyByte(line[n]) {
		n++
	}
	if n == 0 || n == len(line) || line[n] != ':' {
		return "", "", false
	}
	value = line[n+1:]
	gap := spaces(value)
	value = value[gap:]
	if gap == 0 || value == "" || strings.ContainsAny(value, "\r\u2028\u2029") {
		return "", "", false
	}
	return line[:n], value, true
}

func isKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'
}

// needsQuotes reports whether the client quotes a value: one with a sign in it
// that is neither in quotes already nor a list that can be read by itself.
func needsQuotes(value string) bool {
	for _, q := range []string{`"`, `'`} {
		if strings.HasPrefix(value, q) && strings.HasSuffix(value, q) {
			return false
		}
	}
	if !strings.ContainsAny(value, "{}[]*&#!|>%@`") && !strings.Contains(value, ": ") {
		return false
	}
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		n, err := yaml.Parse(value)
		return err != nil || n.Kind != yaml.List
	}
	return true
}

func escape(s string) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	return strings.ReplaceAll(s, `"`, `\"`)
}
