package note

import (
	"slices"
	"strings"
)

// lineKind is what a line of Markdown belongs to.
type lineKind uint8

const (
	textLine lineKind = iota
	blankLine
	fencedLine   // a fenced code block, its fences included
	indentedLine // an indented code block
	commentLine  // an HTML comment that begins a line
)

// mdLine is one line of a text.
type mdLine struct {
	start, end int // end is behind the line break
	kind       lineKind
}

// mdLines sorts the lines of a Markdown text. It follows CommonMark closely
// enough to tell what is code and what is not; block quotes and list items are
// looked through by their signs, not by a tree.
func mdLines(s string) []mdLine {
	out := make([]mdLine, 0, strings.Count(s, "\n")+1)
	var r mdReader
	for at := 0; at < len(s); {
		end := lineEnd(s, at)
		out = append(out, mdLine{at, end, r.kind(strings.TrimRight(s[at:end], "\r\n"))})
		at = end
	}
	return out
}

// mdReader is the state between two lines.
type mdReader struct {
	fence   string // that is open, "" none
	quoted  bool   // the fence is inside a block quote, which ends it
	comment bool
	list    bool // inside a list, where indentation is no code
	before  lineKind
}

func (r *mdReader) kind(line string) lineKind {
	k := r.sort(line)
	r.before = k
	return k
}

func (r *mdReader) sort(line string) lineKind {
	if r.comment {
		r.comment = !strings.Contains(line, "-->")
		return commentLine
	}
	inner := unquote(line)
	content := strings.TrimLeft(inner, " \t")
	if r.quoted && inner == line {
		r.fence, r.quoted = "", false
	}
	if r.fence != "" {
		if closes(content, r.fence) {
			r.fence = ""
		}
		return fencedLine
	}
	if content == "" {
		return blankLine
	}
	indent := columns(inner[:len(inner)-len(content)])
	switch {
	case indent >= 4 && !r.list && r.before != textLine:
		return indentedLine
	case strings.HasPrefix(content, "<!--"):
		r.comment = !strings.Contains(content[len("<!--"):], "-->")
		return commentLine
	}
	item := content
	for size := bullet(item); size > 0; size = bullet(item) {
		r.list = true
		item = strings.TrimLeft(item[size:], " \t")
	}
	if item == content && indent == 0 && r.before != textLine {
		r.list = false
	}
	if r.fence = opens(item); r.fence != "" {
		r.quoted = inner != line
		return fencedLine
	}
	return textLine
}

// unquote removes the signs of a block quote.
func unquote(line string) string {
	for {
		t := strings.TrimLeft(line, " ")
		if len(line)-len(t) > 3 || !strings.HasPrefix(t, ">") {
			return line
		}
		line = strings.TrimPrefix(t[1:], " ")
	}
}

// columns is the width of white space, with tab stops every four.
func columns(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}

// bullet returns the length of the list marker and the blanks behind it that s
// begins with, or 0.
func bullet(s string) int {
	n := 0
	for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	switch {
	case n == len(s):
		return 0
	case n == 0 && strings.IndexByte("-*+", s[0]) < 0, n > 0 && s[n] != '.' && s[n] != ')':
		return 0
	}
	n++
	gap := blanks(s[n:])
	if gap == 0 && n < len(s) {
		return 0
	}
	return n + gap
}

// opens returns the fence that a line opens, or "".
func opens(s string) string {
	if !strings.HasPrefix(s, "```") && !strings.HasPrefix(s, "~~~") {
		return ""
	}
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	if s[0] == '`' && strings.IndexByte(s[n:], '`') >= 0 {
		return ""
	}
	return s[:n]
}

// closes reports whether a line ends the block that the fence opened.
func closes(s, fence string) bool {
	s = strings.TrimRight(s, " \t")
	return len(s) >= len(fence) && strings.Trim(s, fence[:1]) == ""
}

// span is a range of bytes.
type span struct{ start, end int }

// codeSpans returns the ranges of text between backticks, in order. They may go
// over line breaks but not over a paragraph's end.
func codeSpans(s string, lines []mdLine) []span {
	var out []span
	for i := 0; i < len(lines); i++ {
		if lines[i].kind != textLine {
			continue
		}
		first := i
		for i+1 < len(lines) && lines[i+1].kind == textLine {
			i++
		}
		out = append(out, ticks(s, lines[first].start, lines[i].end)...)
	}
	return out
}

// run is a run of backticks.
type run struct {
	at, size int
	escaped  bool
	next     int // index of the next run of the same size, 0: none
}

// ticks pairs the runs of backticks from start to end: a run closes at the next
// one of the same size. The table of next runs keeps it linear.
func ticks(s string, start, end int) []span {
	if strings.IndexByte(s[start:end], '`') < 0 {
		return nil
	}
	runs := tickRuns(s, start, end)
	later := map[int]int{}
	for i := range slices.Backward(runs) {
		runs[i].next = later[runs[i].size]
		later[runs[i].size] = i
	}
	var out []span
	for i := 0; i < len(runs); i++ {
		r := runs[i]
		if r.escaped || r.next == 0 {
			continue
		}
		to := runs[r.next]
		out = append(out, span{r.at, to.at + to.size})
		i = r.next
	}
	return out
}

func tickRuns(s string, start, end int) []run {
	var runs []run
	slashes := 0
	for i := start; i < end; i++ {
		switch s[i] {
		case '\\':
			slashes++
			continue
		case '`':
			r := run{at: i, escaped: slashes%2 == 1}
			for i < end && s[i] == '`' {
				i++
			}
			r.size = i - r.at
			runs = append(runs, r)
			i--
		}
		slashes = 0
	}
	return runs
}
