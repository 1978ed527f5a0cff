// Package note reads the two formats of a memory folder: the index, MEMORY.md,
// and the notes. It is pure: text in, facts out.
package note

import (
	"net/url"
	"path"
	"strings"
)

// Entry is one line of an index that is not blank.
type Entry struct {
	Line  int      // 1-based
	Text  string   // the line, white space around it removed
	Files []string // files it links to: slash paths relative to the index, cleaned; "../…" leads out
}

// ParseIndex splits an index into its lines and finds the notes each names, by
// Markdown links ("[Title](file.md) — hook", "[file.md](file.md): hook") and
// by wiki links ("[[name]]"). Links with a scheme or to a heading are not files.
func ParseIndex(text string) []Entry {
	var out []Entry
	n := 0
	for line := range strings.Lines(text) {
		n++
		if t := strings.TrimSpace(line); t != "" {
			out = append(out, Entry{Line: n, Text: t, Files: links(t)})
		}
	}
	return out
}

func links(line string) []string {
	var out []string
	for i := 0; i+1 < len(line); i++ {
		if line[i] != '[' && line[i] != ']' {
			continue
		}
		switch {
		case strings.HasPrefix(line[i:], "]("):
			if f := linkTarget(line[i+2:]); f != "" {
				out = append(out, f)
			}
		case strings.HasPrefix(line[i:], "[["):
			name, _, ok := strings.Cut(line[i+2:], "]]")
			name, _, _ = strings.Cut(name, "|")
			if name = strings.TrimSpace(name); ok && name != "" && !strings.ContainsAny(name, "[]") {
				out = append(out, withSuffix(path.Clean(name)))
			}
		}
	}
	return out
}

func withSuffix(name string) string {
	if path.Ext(name) == ".md" {
		return name
	}
	return name + ".md"
}

// linkTarget reads a link's target, up to its closing parenthesis.
func linkTarget(s string) string {
	if rest, ok := strings.CutPrefix(s, "<"); ok {
		s, _, ok = strings.Cut(rest, ">")
		if !ok {
			return ""
		}
	} else {
		s = s[:balanced(s)]
		s, _, _ = strings.Cut(s, " ") // a title
	}
	s, _, _ = strings.Cut(s, "#")
	if i := strings.IndexByte(s, ':'); i > 0 && !strings.Contains(s[:i], "/") {
		return "" // a scheme
	}
	if strings.IndexByte(s, '%') >= 0 {
		if u, err := url.PathUnescape(s); err == nil {
			s = u
		}
	}
	if s == "" {
		return ""
	}
	if s[0] != '.' && s[0] != '/' && strings.IndexByte(s, '/') < 0 {
		return s // a plain name, as nearly all are
	}
	return path.Clean(s)
}

// balanced is the length of s up to the parenthesis that closes the link.
func balanced(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return 0
}
