package note

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf8"
)

// Link is a link in a note's text.
type Link struct {
	Wiki    bool   // [[target]], else [text](target)
	Target  string // as written, without heading, alias, title and angle brackets
	Heading string // behind #
	Text    string // shown: the text in brackets, or the alias behind |
	File    string // the note it leads to, a slash path relative to this one, cleaned ("../…" leads out); "" for a web page or a heading

	Offset, End int // of the whole link in the file, in bytes
	Line        int // 1-based
	Column      int // 1-based, in characters (runes), a byte order mark not counted
}

// Links returns the links in the note's text, in order: Markdown links and wiki
// links, not those in code or comments, and no images. Of a note over MaxBytes
// none. Links by reference ([text][label]) are not found.
func (n *Note) Links() []Link {
	if n.frozen {
		return nil
	}
	body := string(n.Body())
	if strings.IndexByte(body, '[') < 0 {
		return nil
	}
	lines := mdLines(body)
	skip := codeSpans(body, lines)
	first := n.BodyLine()
	var out []Link
	for i, l := range lines {
		if l.kind != textLine {
			continue
		}
		line := strings.TrimRight(body[l.start:l.end], "\r\n")
		for _, found := range findLinks(line, true) {
			for len(skip) > 0 && skip[0].end <= l.start+found.start {
				skip = skip[1:]
			}
			if len(skip) > 0 && skip[0].start < l.start+found.end {
				continue
			}
			out = append(out, n.link(found, line, l.start, first+i))
		}
	}
	return out
}

func (n *Note) link(f foundLink, line string, lineAt, number int) Link {
	text := line[f.text.start:f.text.end]
	target := line[f.target.start:f.target.end]
	return Link{
		Wiki: f.wiki, Target: target, Heading: line[f.heading.start:f.heading.end], Text: text, File: f.file,
		Offset: n.bodyAt + lineAt + f.start, End: n.bodyAt + lineAt + f.end,
		Line: number, Column: 1 + utf8.RuneCountInString(line[:f.start]),
	}
}

// foundLink is a link in one line; all places are offsets in the line.
type foundLink struct {
	start, end int // the whole link; start is -1 for a Markdown link without an opening bracket
	wiki       bool
	text       span
	target     span // without heading, title and angle brackets
	heading    span
	file       string
}

// maxNesting bounds the parentheses within a link's target, as CommonMark does.
const maxNesting = 32

// findLinks finds the links of a line. With strict set, those that begin with an
// escaped bracket or a "!" are not among them.
func findLinks(line string, strict bool) []foundLink {
	var out []foundLink
	eachLink(line, strict, func(f foundLink) { out = append(out, f) })
	return out
}

// eachLink calls found for each link of a line, from the first to the last.
func eachLink(line string, strict bool, found func(foundLink)) {
	var few [8]int
	open := few[:0] // brackets that may begin a text
	for i := 0; i < len(line); i++ {
		if c := line[i]; c != '[' && c != ']' && c != '\\' {
			continue
		}
		switch {
		case line[i] == '\\':
			if strict {
				i++
			}
		case strings.HasPrefix(line[i:], "[["):
			if f, ok := wikiLink(line, i); ok {
				found(f)
				i, open = f.end-1, open[:0]
				continue
			}
			open = append(open, i)
		case line[i] == '[':
			open = append(open, i)
		default:
			start := -1
			if k := len(open) - 1; k >= 0 {
				start, open = open[k], open[:k]
			}
			if f, ok := inlineLink(line, start, i); ok && !(strict && (start < 0 || image(line, start))) {
				found(f)
				i, open = f.end-1, open[:0]
			}
		}
	}
}

func image(line string, start int) bool { return start > 0 && line[start-1] == '!' }

// wikiLink reads [[name#heading|alias]] at i.
func wikiLink(line string, i int) (foundLink, bool) {
	at := i + 2
	size := strings.IndexAny(line[at:], "[]")
	if size < 0 || !strings.HasPrefix(line[at+size:], "]]") {
		return foundLink{}, false
	}
	end := at + size
	f := foundLink{start: i, end: end + 2, wiki: true, text: span{at, end}, target: span{at, end}, heading: span{end, end}}
	if k := strings.IndexByte(line[at:end], '|'); k >= 0 {
		f.text.start, f.target.end, f.heading = at+k+1, at+k, span{at + k, at + k}
	}
	if k := strings.IndexByte(line[at:f.target.end], '#'); k >= 0 {
		f.heading = trimmed(line, span{at + k + 1, f.target.end})
		f.target.end = at + k
	}
	f.text, f.target = trimmed(line, f.text), trimmed(line, f.target)
	name := line[f.target.start:f.target.end]
	if name != "" {
		f.file = withSuffix(path.Clean(name))
	}
	return f, name != "" || f.heading.end > f.heading.start
}

func trimmed(line string, s span) span {
	for s.start < s.end && (line[s.start] == ' ' || line[s.start] == '\t') {
		s.start++
	}
	for s.end > s.start && (line[s.end-1] == ' ' || line[s.end-1] == '\t') {
		s.end--
	}
	return s
}

func withSuffix(name string) string {
	if path.Ext(name) == ".md" {
		return name
	}
	return name + ".md"
}

// inlineLink reads the target behind the bracket that closes a link's text.
func inlineLink(line string, start, closing int) (foundLink, bool) {
	if !strings.HasPrefix(line[closing:], "](") {
		return foundLink{}, false
	}
	at := closing + 2
	f := foundLink{start: start, text: span{max(start+1, 0), closing}}
	if start < 0 {
		f.start, f.text = closing, span{closing, closing}
	}
	if strings.HasPrefix(line[at:], "<") {
		size := strings.IndexAny(line[at+1:], "<>")
		if size < 0 || line[at+1+size] == '<' {
			return f, false
		}
		f.target = span{at + 1, at + 1 + size}
		rest := f.target.end + 1
		size = strings.IndexAny(line[rest:], ")[<")
		if size < 0 || line[rest+size] != ')' {
			return f, false
		}
		f.end = rest + size + 1
	} else {
		size := balanced(line[at:])
		if size <= 0 {
			return f, false
		}
		f.end = at + size + 1
		f.target = span{at, at + size}
		if k := strings.IndexByte(line[at:at+size], ' '); k >= 0 && !spaced(line[at:at+size], k) {
			f.target.end = at + k // a title
		}
	}
	f.heading = span{f.target.end, f.target.end}
	if k := strings.IndexByte(line[f.target.start:f.target.end], '#'); k >= 0 {
		f.heading.start = f.target.start + k + 1
		f.target.end = f.target.start + k
	}
	f.file = fileOf(line[f.target.start:f.target.end])
	return f, true
}

// spaced reports whether a target with a space at k is a file name with spaces
// rather than one with a title behind it. Markdown does not take it for a link, but
// people and agents write it, and whoever reads it knows what is meant.
func spaced(target string, k int) bool {
	title := strings.TrimLeft(target[k:], " \t")
	return title != "" && strings.IndexByte("\"'(", title[0]) < 0 && strings.HasSuffix(target, ".md")
}

// fileOf is the path of the file that a target names, "" if it names none: a
// target with a scheme, or a heading only.
func fileOf(s string) string {
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

// balanced is the length of s up to the parenthesis that closes the link, 0
// where none does.
func balanced(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			if depth++; depth > maxNesting {
				return 0
			}
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return 0
}
