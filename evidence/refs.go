package evidence

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxText is the size in bytes past which a text is cut before it is looked at.
const maxText = 4 << 20

// scanner walks a Markdown text, block by block.
type scanner struct {
	text string
	out  []Ref

	// The block at hand: a paragraph, list item, heading or table row.
	block, blockEnd int
	masked          string // the block in lower case, code and links blotted out, same length
	spans           []codeSpan

	heading int  // depth of the heading that excuses what stands below it, 0: none
	intro   bool // the list at hand was introduced as a list of what is not there
	fence   string
	shell   bool // the open fence holds shell lines
	comment bool
}

// codeSpan is a place between backticks in the text; inner is without them.
type codeSpan struct{ start, end, innerStart, innerEnd int }

// Refs finds what a Markdown text names that can be checked. It is pure. Examples
// and placeholders (path/to/x, foo.go, <name>, *.go, …), and what the sentence
// itself calls gone, old, renamed, planned, wrong or not there, are no claims that
// the thing is there, and left out. Of a text over 4 MiB only the head is looked at.
func Refs(text string) []Ref {
	if len(text) > maxText {
		text = text[:maxText]
	}
	s := &scanner{text: text}
	s.scan()
	slices.SortStableFunc(s.out, func(a, b Ref) int {
		if c := cmp.Compare(a.Start, b.Start); c != 0 {
			return c
		}
		return cmp.Compare(b.End, a.End)
	})
	s.out = slices.CompactFunc(s.out, func(a, b Ref) bool { return a.Start == b.Start && a.End == b.End })
	place(text, s.out)
	return s.out
}

// place sets lines and columns in one walk over the text.
func place(text string, refs []Ref) {
	line, column, at := 1, 1, 0
	for i := range refs {
		r := &refs[i]
		between := text[at:r.Start]
		if n := strings.LastIndexByte(between, '\n'); n >= 0 {
			line, column = line+strings.Count(between, "\n"), 1
			between = between[n+1:]
		}
		column += utf8.RuneCountInString(between)
		r.Line, r.Column, at = line, column, r.Start
	}
}

func (s *scanner) scan() {
	start := -1 // of the block that is open
	flush := func(end int) {
		if start >= 0 {
			s.readBlock(start, end)
			start = -1
		}
	}
	for at := 0; at < len(s.text); {
		end := len(s.text)
		if n := strings.IndexByte(s.text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := strings.Trim(s.text[at:end], " \t\r\n>")
		switch {
		case s.comment:
			s.comment = !strings.Contains(line, "-->")
		case s.fence != "":
			s.fenced(line, at, end)
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			flush(at)
			s.openFence(line)
		case strings.HasPrefix(line, "<!--"):
			flush(at)
			s.comment = !strings.Contains(line, "-->")
		case line == "":
			flush(at)
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "|"):
			flush(at)
			s.readBlock(at, end)
		case bullet(line):
			flush(at)
			start = at
		default:
			if start < 0 {
				start = at
			}
		}
		at = end
	}
	flush(len(s.text))
}

// bullet reports whether a line begins a list item.
func bullet(line string) bool {
	if len(line) < 2 {
		return false
	}
	n := 0
	for n < len(line)-1 && n < 4 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 {
		return (line[n] == '.' || line[n] == ')') && (n+1 == len(line) || line[n+1] == ' ')
	}
	return strings.IndexByte("-*+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t')
}

func (s *scanner) openFence(line string) {
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	info := strings.TrimSpace(line[n:])
	if strings.Contains(info, "`") {
		return // a code span over the whole line: rare, and no block
	}
	s.fence = line[:n]
	lang, _, _ := strings.Cut(strings.ToLower(info), " ")
	switch lang {
	case "", "sh", "bash", "zsh", "shell", "console", "shell-session", "text", "terminal", "fish":
		s.shell = true
	default:
		s.shell = false
	}
}

// fenced reads one line of a fenced block.
func (s *scanner) fenced(line string, at, end int) {
	if strings.HasPrefix(line, s.fence) && strings.Trim(line, s.fence[:1]) == "" {
		s.fence = ""
		return
	}
	if !s.shell || s.heading > 0 || len(line) > 1000 || line == "" || line[0] == '#' {
		return
	}
	from := at + strings.Index(s.text[at:end], line)
	s.commandLine(from, from+len(line), true)
}

// readBlock looks at one block of text.
func (s *scanner) readBlock(start, end int) {
	s.block, s.blockEnd = start, end
	body := s.text[start:end]
	first := strings.TrimLeft(body, " \t>")
	item := bullet(first)
	s.spans = codeSpans(body, start, s.spans[:0])
	s.mask()
	if depth := len(first) - len(strings.TrimLeft(first, "#")); depth > 0 {
		if s.heading == 0 || depth <= s.heading {
			s.heading = 0
			if headingExcuses(s.masked) {
				s.heading = depth
			}
		}
		s.intro = false
	}
	if !item {
		s.intro = introExcuses(s.masked)
	}
	if s.heading > 0 || item && s.intro {
		return
	}
	for i := range s.spans {
		s.readSpan(s.spans[i])
	}
	s.readProse()
}

// codeSpans finds the text between backticks: a run of them closes at the next
// of the same size. The table of next runs keeps it linear.
func codeSpans(body string, at int, out []codeSpan) []codeSpan {
	if strings.IndexByte(body, '`') < 0 {
		return out
	}
	type run struct{ at, size, next int }
	var few [16]run
	runs := few[:0]
	for i := 0; i < len(body); i++ {
		if body[i] != '`' {
			continue
		}
		r := run{at: i}
		for i < len(body) && body[i] == '`' {
			i++
		}
		r.size = i - r.at
		runs = append(runs, r)
	}
	later := make(map[int]int, 2)
	for i := range slices.Backward(runs) {
		runs[i].next = later[runs[i].size]
		later[runs[i].size] = i
	}
	for i := 0; i < len(runs); i++ {
		r := runs[i]
		if r.next == 0 {
			continue
		}
		to := runs[r.next]
		c := codeSpan{at + r.at, at + to.at + to.size, at + r.at + r.size, at + to.at}
		for c.innerStart < c.innerEnd && body[c.innerStart-at] <= ' ' {
			c.innerStart++
		}
		for c.innerEnd > c.innerStart && body[c.innerEnd-at-1] <= ' ' {
			c.innerEnd--
		}
		out = append(out, c)
		i = r.next
	}
	return out
}

// blot stands in the masked text for a byte of code.
const blot = '\x01'

// mask makes the lower-case copy of the block that sentences are read from.
func (s *scanner) mask() {
	b := []byte(s.text[s.block:s.blockEnd])
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c < ' ':
			b[i] = ' '
		}
	}
	for _, sp := range s.spans {
		for i := sp.start; i < sp.end; i++ {
			b[i-s.block] = blot
		}
	}
	s.masked = string(b)
}

// add takes a Ref whose bytes are start to end, unless its sentence excuses it.
func (s *scanner) add(kind Kind, start, end int) {
	if end <= start || end-start > 300 || s.excused(kind, start, end) {
		return
	}
	s.out = append(s.out, Ref{Kind: kind, Text: s.text[start:end], Start: start, End: end})
}
