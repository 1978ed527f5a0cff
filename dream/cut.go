package dream

import (
	"strings"

	"dormouse/claim"
	"dormouse/claim/token"
)

// cut returns a text without some of its statements, by number. ok is false where
// what stays would hang in the air: below an item of a list that goes.
func cut(body string, claims []claim.Claim, drop map[int]bool) (string, bool) {
	var out strings.Builder
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
			return "", false
		}
		if end < at {
			continue
		}
		out.WriteString(body[at:start])
		at = end
	}
	out.WriteString(body[at:])
	return tidy(out.String()), true
}

// without takes statements out of the note, by number, and returns them. Nothing is
// changed, and ok is false, where what stays would hang in the air or be read
// otherwise.
func (l *leaf) without(drop map[int]bool) (gone []*cell, ok bool) {
	body, ok := cut(l.body(), claim.Split(l.body()), drop)
	if !ok {
		return nil, false
	}
	var stay []*cell
	for i, c := range l.cells {
		if drop[i] {
			gone = append(gone, c)
		} else {
			stay = append(stay, c)
		}
	}
	return gone, l.setBody(body, stay)
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
	before = strings.TrimSuffix(strings.TrimSuffix(before, "[ ]"), "[x]")
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

// tidy drops headings below which nothing is left, and blank lines in a row.
func tidy(body string) string {
	lines := strings.SplitAfter(body, "\n")
	var out []string
	fence := ""
	for i := 0; i < len(lines); i++ {
		bare := strings.TrimSpace(lines[i])
		if f := token.Fence(bare); f != "" {
			if fence == "" {
				fence = f
			} else if strings.HasPrefix(f, fence) {
				fence = ""
			}
		}
		switch {
		case fence != "":
		case token.IsHeading(bare) && emptyBelow(lines[i:], level(bare)):
			continue
		case bare == "" && len(out) > 0 && strings.TrimSpace(out[len(out)-1]) == "":
			continue
		}
		out = append(out, lines[i])
	}
	text := strings.TrimRight(strings.Join(out, ""), " \t\r\n")
	if text == "" {
		return ""
	}
	return strings.TrimLeft(text, "\r\n") + "\n"
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
