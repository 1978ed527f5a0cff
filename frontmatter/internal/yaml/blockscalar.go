package yaml

import "strings"

// header is what stands after | or >.
type header struct {
	folded bool
	chomp  byte // '-' strip, '+' keep, 0 one break at the end
	indent int  // 0: taken from the first line with text
}

func (r *reader) blockHeader() (header, error) {
	h := header{folded: r.peek(0) == '>'}
	r.pos++
	r.blanks() // Bun takes "| -" for "|-"
	for range 2 {
		switch c := r.peek(0); {
		case (c == '-' || c == '+') && h.chomp == 0:
			h.chomp = c
		case c >= '1' && c <= '9' && h.indent == 0:
			h.indent = int(c - '0')
		default:
			continue
		}
		r.pos++
	}
	r.blanks()
	r.comment()
	if !r.end() && !isBreak(r.src[r.pos]) {
		return h, r.unexpected()
	}
	return h, nil
}

// blockScalar reads a literal or folded scalar inside a construct indented by n.
func (r *reader) blockScalar(n, at int, p props) (*Node, error) {
	h, err := r.blockHeader()
	if err != nil {
		return nil, err
	}
	node := &Node{Kind: String, Start: at, End: r.pos, weight: 1}
	if !r.end() {
		r.newline()
	}
	indent := max(n, 0) + h.indent
	if h.indent == 0 {
		if indent, err = r.blockIndent(n); err != nil {
			return nil, err
		}
	}
	lines, trailing := r.blockLines(indent, node)
	if r.peek(0) == '\t' && r.col() == 0 && (len(lines) == 0 || r.afterEmptyLine()) {
		return nil, r.unexpected() // another of Bun's oddities with tabs
	}
	node.Text = joinLines(lines, h.folded) + tail(len(lines) > 0, trailing, h.chomp)
	r.anchor(p, node)
	return node, r.count(1)
}

// tail is what the chomping sign leaves of the line breaks at the end.
func tail(text bool, trailing int, chomp byte) string {
	switch {
	case chomp == '-':
		return ""
	case chomp == '+' && text:
		return strings.Repeat("\n", trailing+1)
	case chomp == '+':
		return strings.Repeat("\n", trailing)
	case text:
		return "\n"
	}
	return ""
}

// blockIndent finds the indentation of the first line with text.
func (r *reader) blockIndent(n int) (int, error) {
	save, bol := r.pos, r.bol
	defer func() { r.pos, r.bol = save, bol }()
	widest := 0
	for {
		for r.peek(0) == ' ' {
			r.pos++
		}
		if !r.end() && !isBreak(r.src[r.pos]) {
			break
		}
		widest = max(widest, r.col())
		if r.end() {
			break
		}
		r.newline()
	}
	indent := r.col()
	if r.peek(0) == '\t' && indent <= max(n, 0) {
		return 0, r.unexpected()
	}
	if r.end() || indent <= n {
		return max(n+1, widest), nil
	}
	if widest > indent {
		return 0, r.fail("an empty line is indented more than the text")
	}
	return indent, nil
}

// blockLines reads the lines indented by indent or more, without it, and counts
// the empty lines after the last.
func (r *reader) blockLines(indent int, node *Node) (lines []string, trailing int) {
	for !r.end() {
		if indent == 0 && r.marker() {
			break
		}
		for r.peek(0) == ' ' && r.col() < indent {
			r.pos++
		}
		blank := r.end() || isBreak(r.src[r.pos])
		if blank && r.end() {
			if len(lines) == 0 && r.col() > 0 {
				trailing++ // Bun counts a last line of spaces only where there is no text
			}
			break
		}
		if blank {
			trailing++
			r.newline()
			continue
		}
		if r.col() < indent {
			break
		}
		at := r.pos
		for !r.end() && !isBreak(r.src[r.pos]) {
			r.pos++
		}
		for ; trailing > 0; trailing-- {
			lines = append(lines, "")
		}
		lines = append(lines, r.src[at:r.pos])
		node.End = r.pos
		if r.end() {
			break
		}
		r.newline()
	}
	return lines, trailing
}

// afterEmptyLine reports whether the line before pos's line has no bytes.
func (r *reader) afterEmptyLine() bool {
	before := strings.TrimSuffix(strings.TrimSuffix(r.src[:r.bol], "\n"), "\r")
	return len(before) < r.bol && (strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r"))
}

// joinLines joins with breaks; folded, single breaks between lines of text that
// start without white space become spaces.
func joinLines(lines []string, folded bool) string {
	if !folded {
		return strings.Join(lines, "\n")
	}
	var b strings.Builder
	prevMore, breaks := true, 0
	for i, l := range lines {
		if l == "" {
			breaks++
			continue
		}
		more := isBlank(l[0])
		switch {
		case i == breaks: // only empty lines so far
			b.WriteString(strings.Repeat("\n", breaks))
		case more || prevMore:
			b.WriteString(strings.Repeat("\n", breaks+1))
		default:
			writeFold(&b, breaks+1)
		}
		b.WriteString(l)
		prevMore, breaks = more, 0
	}
	return b.String()
}
