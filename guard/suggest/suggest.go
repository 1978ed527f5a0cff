// Package suggest finds lines of an instruction file that forbid something, or want a
// person to be asked, and writes the guard rule that would enforce it.
//
// It offers a rule only for what has a command, a path or a tool: "never commit
// secrets" has none. English and Ukrainian are read, by tables of verbs; a line that
// only describes or allows is left alone. The package is pure.
package suggest

import (
	"slices"
	"strings"

	"dormouse/guard"
	"dormouse/instructions/markdown"
)

// Suggestion is one line and the rules it could be.
type Suggestion struct {
	Line  int    // 1-based
	Text  string // the line, without list mark
	Rules []string
}

// maxLine is the length in bytes past which a line is no sentence of a person.
const maxLine = 2000

// Lines looks through a file's text. Rules that the file has already, and those
// that were offered for a line before, are not offered again. Code blocks and
// comments are left out.
func Lines(text string, has guard.Rules) []Suggestion {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	seen := map[string]bool{}
	for i := range has {
		seen[has[i].String()] = true
	}
	skip := hiddenLines(text)
	var out []Suggestion
	n := 0
	for line := range strings.Lines(text) {
		n++
		if skip[n] || len(line) > maxLine {
			continue
		}
		s := Suggestion{Line: n, Text: plain(line)}
		for _, r := range Line(s.Text) {
			if !seen[r] {
				seen[r] = true
				s.Rules = append(s.Rules, r)
			}
		}
		if s.Rules != nil {
			out = append(out, s)
		}
	}
	return out
}

// hiddenLines are the lines of code blocks, comments and front matter.
func hiddenLines(text string) map[int]bool {
	hidden := map[int]bool{}
	hide := func(from, to int) {
		first := strings.Count(text[:from], "\n") + 1
		for i := range strings.Count(strings.TrimRight(text[from:to], "\n"), "\n") + 1 {
			hidden[first+i] = true
		}
	}
	if end := strings.Index(text, "\n---\n"); strings.HasPrefix(text, "---\n") && end > 0 {
		hide(0, end+5)
	}
	for _, s := range markdown.Lex(text).Spans {
		if s.Kind == markdown.Code || s.Kind == markdown.Comment {
			hide(s.Start, s.End)
		}
	}
	return hidden
}

// plain takes the marks of lists, quotes, headings and emphasis off.
func plain(line string) string {
	line = strings.TrimSpace(line)
	for {
		rest := strings.TrimLeft(line, "-+>#• \t")
		if r, ok := strings.CutPrefix(rest, "* "); ok {
			rest = r
		}
		if n := strings.IndexByte(rest, '.'); n > 0 && n < 4 && strings.Trim(rest[:n], "0123456789") == "" {
			rest = strings.TrimSpace(rest[n+1:])
		}
		if rest == line {
			break
		}
		line = rest
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "__", "")
}

// Line returns the rules that one line could be, strongest wording first.
func Line(line string) []string {
	var out []string
	path := "" // the last that was named: "them" in a next sentence means it
	for _, s := range sentences(line) {
		for _, r := range s.rules(path) {
			// What can't be a rule, such as a path with a comma, is not offered.
			if _, err := guard.ParseLine(guard.Source{Base: "/"}, r); err == nil && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
		if p := s.firstPath(0); p != "" {
			path = p
		}
	}
	return out
}
