package dream

import (
	"maps"
	"strings"

	"dormouse/claim"
	"dormouse/claim/token"
)

// cut returns a text without some of its statements, by number. ok is false where
// what stays would hang in the air: below an item of a list that goes, or where it
// speaks of what went. emptied are the headings that go with them, by their number.
func cut(body string, claims []claim.Claim, drop map[int]bool) (text string, emptied map[int]bool, ok bool) {
	if hangs(body, claims, drop) {
		return "", nil, false
	}
	var out strings.Builder
	var gaps []gap
	at := 0
	for i, c := range claims {
		if !drop[i] {
			continue
		}
		start, end, whole := span(body, c)
		if start < at {
			start = at
		}
		if whole && i+1 < len(claims) && !drop[i+1] && indent(body, claims[i+1].Start) > indent(body, c.Start) && isItem(body, c.Start) {
			return "", nil, false
		}
		if end < at {
			continue
		}
		out.WriteString(body[at:start])
		if n, width, ok := numbered(body[start:]); whole && ok {
			gaps = append(gaps, gap{out.Len(), n, width})
		}
		at = end
	}
	out.WriteString(body[at:])
	text, emptied = tidy(renumber(out.String(), gaps), hollow(body))
	return text, emptied, true
}

// without takes statements out of the note, by number, and returns them. What only
// explains one of them goes along, see takeAlong. Those stay, and ok is false where all
// do, without which others would hang in the air or be read otherwise, or nothing would
// be left.
func (l *leaf) without(drop map[int]bool) (gone []*cell, ok bool) {
	was, claims, cells := l.body(), claim.Split(l.body()), l.cells
	if len(claims) != len(cells) {
		return nil, false
	}
	drop, all, emptied, ok := l.takeOut(was, claims, drop)
	if !ok {
		return nil, false
	}
	heads := headings(was)
	for i, c := range cells {
		switch {
		case drop[i]:
			l.remember(c, was, claims[i], heads, emptied)
			gone = append(gone, c)
		case all[i]:
			l.remember(c, was, claims[i], heads, emptied)
			l.along = append(l.along, along{c, gone[len(gone)-1]})
		}
	}
	return gone, true
}

// takeOut changes the text: without all that is to go, or else without as much of it as
// can go, from the top. all has what goes along as well, emptied the headings.
func (l *leaf) takeOut(was string, claims []claim.Claim, drop map[int]bool) (went, all, emptied map[int]bool, ok bool) {
	cells := l.cells
	try := func(some map[int]bool) bool {
		with := maps.Clone(some)
		for i := range claims {
			if !with[i] && i > 0 && with[i-1] && !l.said && goesAlong(was, claims, i) {
				with[i] = true
			}
		}
		body, heads, fits := cut(was, claims, with)
		var stay []*cell
		for i, c := range cells {
			if !with[i] {
				stay = append(stay, c)
			}
		}
		if !fits || len(stay) == 0 || !l.setBody(body, stay) {
			return false
		}
		went, all, emptied = maps.Clone(some), with, heads
		return true
	}
	if try(drop) {
		return went, all, emptied, true
	}
	some := map[int]bool{}
	for i := 0; i < len(claims); i++ {
		if !drop[i] {
			continue
		}
		some[i] = true
		last := i
		for drop[last+1] && (leans(was, claims, last+1) || goesAlong(was, claims, last+1)) {
			last++ // it goes with the one before it, or not at all
			some[last] = true
		}
		if !try(some) {
			for k := i; k <= last; k++ {
				delete(some, k)
			}
		}
		i = last
	}
	return went, all, emptied, len(went) > 0
}

// takeAlong lets statements go into the archive with the ones that they explain.
func (d *desk) takeAlong() {
	for _, l := range d.leaves {
		for _, x := range l.along {
			rel, ok := d.into[x.with]
			if !ok {
				continue
			}
			x.c.end(x.with.row.Fate, "it belongs to a statement that went", nil)
			x.c.row.By = x.with.row.By
			x.with.was += "\n\n" + x.c.was
			d.into[x.c] = rel
			d.lost[l] = append(d.lost[l], x.c.text)
		}
		l.along = nil
	}
}

// remember notes how a statement stood that went: with the mark of its list, and with
// the headings that went with it.
func (l *leaf) remember(c *cell, body string, said claim.Claim, heads []heading, emptied map[int]bool) {
	start, end, whole := span(body, said)
	if !whole {
		start, end = said.Start, said.End
	}
	c.was = strings.TrimSpace(body[start:end])
	var above []string
	for k, h := range heads {
		if h.at < said.Start && emptied[k] {
			delete(emptied, k) // it goes with the first of those that stood below it
			above = append(above, h.text)
			l.heads = append(l.heads, head{h.text, c})
		}
	}
	if len(above) > 0 {
		c.was = strings.Join(above, "\n\n") + "\n\n" + c.was
	}
}

// span is what of a text goes with a statement: its lines where nothing else
// stands on them, else the sentence and the space behind it.
func span(body string, c claim.Claim) (start, end int, whole bool) {
	lineStart := strings.LastIndexByte(body[:c.Start], '\n') + 1
	lineEnd := len(body)
	if n := strings.IndexByte(body[c.End:], '\n'); n >= 0 {
		lineEnd = c.End + n + 1
	}
	before := strings.TrimLeft(body[lineStart:c.Start], " \t>")
	before = strings.TrimSpace(before)
	if n := token.MarkLen(before + " "); n > 0 {
		before = strings.TrimSpace((before + " ")[n:])
	}
	before = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(before, "[ ]"), "[x]"), "[X]")
	after := strings.TrimSpace(body[c.End:lineEnd])
	if strings.Trim(before, "*_|") == "" && strings.Trim(after, "*_|\\") == "" {
		return lineStart, lineEnd, true
	}
	end = c.End
	for end < len(body) && body[end] == ' ' {
		end++
	}
	return c.Start, end, false
}

func indent(body string, at int) int {
	start := strings.LastIndexByte(body[:at], '\n') + 1
	line := body[start:]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

func isItem(body string, at int) bool {
	start := strings.LastIndexByte(body[:at], '\n') + 1
	return token.MarkLen(strings.TrimLeft(body[start:at], " \t>")+" ") > 0
}

// A heading is one of a text.
type heading struct {
	at    int // byte
	text  string
	empty bool // nothing stands below it
}

// headings are those of a text, in order.
func headings(body string) []heading {
	var out []heading
	lines := strings.SplitAfter(body, "\n")
	fence, at := "", 0
	for i, l := range lines {
		bare := strings.TrimSpace(l)
		fence = fenced(fence, bare)
		if fence == "" && token.IsHeading(bare) {
			out = append(out, heading{at, bare, emptyBelow(lines[i:], level(bare))})
		}
		at += len(l)
	}
	return out
}

// fenced is the fence that is open behind a line.
func fenced(open, line string) string {
	f := token.Fence(line)
	switch {
	case f == "":
	case open == "":
		return f
	case strings.HasPrefix(f, open):
		return ""
	}
	return open
}

// hollow are the headings below which there is nothing, by their number.
func hollow(body string) map[int]bool {
	out := map[int]bool{}
	for i, h := range headings(body) {
		if h.empty {
			out[i] = true
		}
	}
	return out
}

// tidy drops headings below which nothing is left, but those that were so before, and
// blank lines in a row. dropped are those headings by their number.
func tidy(body string, before map[int]bool) (text string, dropped map[int]bool) {
	lines := strings.SplitAfter(body, "\n")
	var out []string
	dropped = map[int]bool{}
	fence, n := "", -1
	for i, l := range lines {
		bare := strings.TrimSpace(l)
		fence = fenced(fence, bare)
		if fence == "" && token.IsHeading(bare) {
			if n++; !before[n] && emptyBelow(lines[i:], level(bare)) {
				dropped[n] = true
				continue
			}
		}
		if fence == "" && bare == "" && len(out) > 0 && strings.TrimSpace(out[len(out)-1]) == "" {
			continue
		}
		out = append(out, l)
	}
	text = strings.TrimRight(strings.Join(out, ""), " \t\r\n")
	if text == "" {
		return "", dropped
	}
	return strings.TrimLeft(text, "\r\n") + "\n", dropped
}

func level(heading string) int { return len(heading) - len(strings.TrimLeft(heading, "#")) }

// emptyBelow reports whether nothing stands below the heading that lines begin
// with, up to the next one of its level.
func emptyBelow(lines []string, of int) bool {
	for _, l := range lines[1:] {
		bare := strings.TrimSpace(l)
		switch {
		case bare == "":
		case token.IsHeading(bare) && level(bare) <= of:
			return true
		case token.IsHeading(bare):
		default:
			return false
		}
	}
	return true
}

// residue are the lines of a text that are no statement and no heading: code,
// links, tables' heads. Who takes a note's place must have them too.
func residue(body string, claims []claim.Claim) []string {
	var out []string
	at := 0
	take := func(s string) {
		for l := range strings.Lines(s) {
			l = strings.Trim(strings.TrimSpace(l), "-*>|`~_# :")
			if l != "" && strings.IndexFunc(l, letterOrDigit) >= 0 {
				out = append(out, l)
			}
		}
	}
	for _, c := range claims {
		if c.Start > at {
			take(withoutHeadings(body[at:c.Start]))
		}
		at = max(at, c.End)
	}
	take(withoutHeadings(body[at:]))
	return out
}

func withoutHeadings(s string) string {
	var out strings.Builder
	fenced := false
	for l := range strings.Lines(s) {
		bare := strings.TrimSpace(l)
		if token.Fence(bare) != "" {
			fenced = !fenced
		}
		if !fenced && token.IsHeading(bare) {
			continue
		}
		out.WriteString(l)
	}
	return out.String()
}
