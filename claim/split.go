package claim

import (
	"strings"
	"unicode"

	"dormouse/claim/token"
)

// A splitter reads a Markdown text line by line and cuts it into statements. A
// paragraph is held until it ends, since its sentences go over line breaks.
type splitter struct {
	text string
	out  []Claim
	line int // 1-based number of the line that is read

	lines   []span // of the open paragraph
	fence   string // of the code that is open
	comment bool   // within <!-- -->
	item    bool   // the paragraph is an item of a list
	gap     bool   // an empty line was before
	list    bool   // a list has begun and not ended
	heads   []head1
	under   string
}

// A span is a line of a paragraph: its content without marks.
type span struct{ start, end, line int }

// A head1 is a heading that what follows stands below.
type head1 struct {
	level int
	text  string
}

// take reads the line text[at:end], its line break included.
func (s *splitter) take(at, end int) {
	line := strings.TrimRight(s.text[at:end], "\r\n")
	bare := strings.TrimLeft(line, " \t")
	indent := len(line) - len(bare)
	if s.fence != "" {
		if f := token.Fence(bare); f != "" && strings.HasPrefix(f, s.fence) && strings.TrimSpace(bare[len(f):]) == "" {
			s.fence = ""
		}
		return
	}
	if s.comment {
		n := strings.Index(bare, "-->")
		if n < 0 {
			return
		}
		s.comment = false
		at, bare, indent = at+indent+n+3, bare[n+3:], 0
	}
	quoted := false
	for strings.HasPrefix(bare, ">") {
		rest := strings.TrimLeft(bare[1:], " \t")
		indent += len(bare) - len(rest)
		bare, quoted = rest, true
	}
	start := at + indent
	switch {
	case strings.TrimSpace(bare) == "":
		s.flush()
		s.gap = true
		return
	case token.Fence(bare) != "":
		s.flush()
		s.fence = token.Fence(bare)
	case strings.HasPrefix(bare, "<!--"):
		s.flush()
		s.comment = !strings.Contains(bare, "-->")
	case token.IsHeading(bare):
		s.flush()
		s.heading(len(bare)-len(strings.TrimLeft(bare, "#")), bare)
		s.list = false
	case underline(bare) && len(s.lines) == 1 && !s.item && !s.gap:
		l := s.lines[0]
		s.lines = s.lines[:0]
		level := 1
		if bare[0] == '-' {
			level = 2
		}
		s.heading(level, s.text[l.start:l.end])
	case ruler(bare):
		s.flush()
	case bare[0] == '|':
		s.flush()
		s.row(start, bare)
	case !quoted && indent >= 4 && s.gap && !s.list || !quoted && len(line) > 0 && line[0] == '\t' && s.gap && !s.list:
		// Code by indentation.
		return
	default:
		s.prose(start, bare)
	}
	s.gap = false
}

// prose reads a line of a paragraph or list.
func (s *splitter) prose(start int, bare string) {
	marked := false
	for n := token.MarkLen(bare); n > 0 && n < len(bare); n = token.MarkLen(bare) {
		start, bare, marked = start+n, bare[n:], true
		if strings.HasPrefix(bare, "[ ] ") || strings.HasPrefix(bare, "[x] ") || strings.HasPrefix(bare, "[X] ") {
			start, bare = start+4, bare[4:]
		}
	}
	switch {
	case marked:
		s.flush()
		s.item, s.list = true, true
	case s.gap && s.text[start-min(start, 1)] == '\n':
		s.list = false
	}
	if !marked && len(s.lines) > 0 && isField(bare) {
		last := s.lines[len(s.lines)-1]
		if isField(s.text[last.start:last.end]) {
			s.flush()
		}
	}
	end := start + len(strings.TrimRight(bare, " \t\r\n\\"))
	if end > start {
		s.lines = append(s.lines, span{start, end, s.line})
	}
}

// isField reports whether a line is like "port: 5432" or "**Why:** it broke".
func isField(line string) bool {
	n := strings.IndexByte(line, ':')
	if n < 1 || n > 40 || n+1 >= len(line) || line[n+1] != ' ' && line[n+1] != '*' && line[n+1] != '_' {
		return false
	}
	return strings.Count(strings.Trim(line[:n], " *_"), " ") < 4 && !strings.ContainsAny(line[:n], ".,;()")
}

// underline reports whether a line makes a heading of the one above it.
func underline(bare string) bool {
	bare = strings.TrimRight(bare, " \t")
	return len(bare) >= 2 && (strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == "")
}

func ruler(bare string) bool {
	bare = strings.ReplaceAll(strings.TrimRight(bare, " \t"), " ", "")
	return len(bare) >= 3 && (strings.Trim(bare, "-") == "" || strings.Trim(bare, "*") == "" || strings.Trim(bare, "_") == "")
}

func (s *splitter) heading(level int, line string) {
	for len(s.heads) > 0 && s.heads[len(s.heads)-1].level >= level {
		s.heads = s.heads[:len(s.heads)-1]
	}
	s.heads = append(s.heads, head1{level, strings.Trim(strings.TrimSpace(line), "# *_")})
	names := make([]string, len(s.heads))
	for i, h := range s.heads {
		names[i] = h.text
	}
	s.under = strings.Join(names, " / ")
}

// row reads a row of a table. The row above the line of dashes names the columns
// and says nothing.
func (s *splitter) row(start int, bare string) {
	bare = strings.TrimRight(bare, " \t")
	if strings.Trim(bare, "|-: \t") == "" {
		if n := len(s.out); n > 0 && s.out[n-1].Line == s.line-1 && s.text[s.out[n-1].Start] != '\n' && s.isRow(s.out[n-1].Start) {
			s.out = s.out[:n-1]
		}
		return
	}
	cells := strings.Split(strings.Trim(bare, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	s.add(strings.Join(cells, " | "), start, start+len(bare), s.line)
}

func (s *splitter) isRow(at int) bool { return s.text[at] == '|' }

// flush cuts the open paragraph into sentences.
func (s *splitter) flush() {
	lines := s.lines
	s.lines, s.item = s.lines[:0], false
	if len(lines) == 0 {
		return
	}
	from := 0
	for k := 1; k < len(lines); k++ {
		if s.apart(lines, k) {
			s.joined(lines[from:k])
			from = k
		}
	}
	s.joined(lines[from:])
}

// apart reports whether line k of a paragraph begins a statement of its own though
// the line before has no final point: it begins with a capital letter, its first
// word would have fitted on the line before, and that one breaks off nowhere.
func (s *splitter) apart(lines []span, k int) bool {
	line, before := s.text[lines[k].start:lines[k].end], s.text[lines[k-1].start:lines[k-1].end]
	if !isCapital(line) || strings.IndexByte(".!?…:,;-–—(", before[len(before)-1]) >= 0 {
		return false
	}
	width := 0
	for _, l := range lines {
		width = max(width, l.end-l.start)
	}
	first, _, _ := strings.Cut(line, " ")
	if len(before)+1+len(first)+looseEnd > width {
		return false
	}
	last := strings.ToLower(before[strings.LastIndexByte(before, ' ')+1:])
	r := roleOf(last).role
	return r == content || r == day || r == where
}

// looseEnd is how many bytes more than the next word a line must have room for to
// be broken on purpose.
const looseEnd = 8

// joined cuts lines that belong together into sentences.
func (s *splitter) joined(lines []span) {
	if len(lines) == 1 {
		l := lines[0]
		s.sentences(s.text[l.start:l.end], lines)
		return
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.text[l.start:l.end])
	}
	s.sentences(b.String(), lines)
}

// sentences adds each sentence of a joined paragraph. A byte of the paragraph is
// found again in the text by the lengths of its lines.
func (s *splitter) sentences(joined string, lines []span) {
	at, k, base := 0, 0, 0 // byte of joined; line, and the byte at which it begins
	place := func(i int) (int, int) {
		for k+1 < len(lines) && i >= base+lines[k].end-lines[k].start+1 {
			base += lines[k].end - lines[k].start + 1
			k++
		}
		return min(lines[k].start+i-base, lines[k].end), lines[k].line
	}
	for _, sentence := range token.Sentences(joined) {
		text := strings.TrimSpace(sentence)
		from := at + strings.Index(sentence, text)
		at += len(sentence)
		if text == "" {
			continue
		}
		start, line := place(from)
		end, _ := place(from + len(text) - 1)
		s.add(text, start, end+1, line)
	}
}

// add adds a statement, if it says anything.
func (s *splitter) add(text string, start, end, line int) {
	if onlyLinks(text) {
		return
	}
	s.out = append(s.out, Claim{Text: oneLine(text), Line: line, Start: start, End: end, Under: s.under})
}

// oneLine makes one space of each white space. Most texts have none else, and
// then nothing is copied.
func oneLine(text string) string {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c == ' ' && i+1 < len(text) && text[i+1] == ' ' || c == 0xC2 || c == 0xE2 || c == 0xE3 || c == 0xE1 {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return text
}

// onlyLinks reports whether a line is links and signs, and says nothing itself.
func onlyLinks(text string) bool {
	for text != "" {
		n := strings.IndexByte(text, '[')
		if n < 0 {
			n = len(text)
		}
		if strings.ContainsFunc(text[:n], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return false
		}
		text = text[n:]
		mid := strings.Index(text, "](")
		if mid < 0 {
			return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		}
		last := strings.IndexByte(text[mid:], ')')
		if last < 0 {
			return false
		}
		text = text[mid+last+1:]
	}
	return true
}
