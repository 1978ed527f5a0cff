package scan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// hidingSpaces is the run of white space that pushes text out of sight.
	hidingSpaces = 200
	// hidingLines is the run of line feeds that does.
	hidingLines = 40
	// longLine is the line whose end is seldom read, in runes.
	longLine = 2000
)

// A region is a stretch of the text that a rendered page, or a person's window,
// does not show.
type region struct {
	span
	comment bool
	flagged bool
}

// findRegions finds what is out of sight. The text is looked at as it stands:
// the view keeps markup, and offsets are those of findings.
func (r *run) findRegions() {
	r.comments()
	r.hiddenElements()
	r.images()
	r.lines()
}

func (r *run) region(start, end int, comment bool) {
	if start < end && len(r.regions) < 4*overall {
		r.regions = append(r.regions, region{span: span{start, end}, comment: comment})
	}
}

// comments finds HTML comments and the comments that Markdown makes of link
// references that nothing refers to.
func (r *run) comments() {
	for at := 0; ; {
		i := strings.Index(r.text[at:], "<!--")
		if i < 0 {
			break
		}
		start := at + i
		n := strings.Index(r.text[start+4:], "-->")
		if n < 0 {
			r.region(start, len(r.text), true)
			break
		}
		at = start + 4 + n + 3
		r.region(start, at, true)
	}
	for at := 0; at < len(r.text); {
		end := lineEnd(r.text, at)
		line := strings.TrimLeft(r.text[at:end], " ")
		if strings.HasPrefix(line, "[") && strings.Contains(line[:min(len(line), 40)], "]:") {
			if strings.ContainsAny(line, "(\"'") {
				r.region(at, end, true)
			}
		}
		at = end + 1
	}
}

func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

// hiddenElements finds elements that are not displayed, outside code.
func (r *run) hiddenElements() {
	code := codeSpans{text: r.text}
	for at := 0; ; {
		i := strings.IndexByte(r.text[at:], '<')
		if i < 0 {
			return
		}
		start := at + i
		at = start + 1
		if at >= len(r.text) || !asciiLetter(rune(r.text[at])) {
			continue
		}
		limit := min(len(r.text), start+2000)
		n := strings.IndexByte(r.text[start:limit], '>')
		if n < 0 {
			continue
		}
		open := strings.ToLower(r.text[start : start+n+1])
		if !hides(open) || code.covers(start) {
			continue
		}
		inner := start + n + 1
		end := r.elementEnd(open, inner)
		at = max(at, end)
		if strings.ContainsFunc(stripTags(r.text[inner:end]), isWordRune) {
			r.add("markup/hidden-element", start, end)
			r.region(start, end, false)
		}
	}
}

func isWordRune(c rune) bool { return asciiLetter(c) || c >= 0xC0 }

// stripTags takes the tags out of a piece of markup.
func stripTags(text string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		n := strings.IndexByte(text[i:], '>')
		if n < 0 {
			break
		}
		text = text[i+n+1:]
	}
	b.WriteString(text)
	return b.String()
}

// elementEnd returns where the element that open begins ends: its closing tag,
// else the paragraph's end.
func (r *run) elementEnd(open string, inner int) int {
	name := open[1:]
	if i := strings.IndexAny(name, " \t\n/>"); i >= 0 {
		name = name[:i]
	}
	rest := r.text[inner:min(len(r.text), inner+20_000)]
	for at := 0; ; {
		i := strings.Index(rest[at:], "</")
		if i < 0 {
			break
		}
		at += i + 2
		if len(rest) >= at+len(name) && strings.EqualFold(rest[at:at+len(name)], name) {
			return inner + at - 2
		}
	}
	if i := strings.Index(rest, "\n\n"); i >= 0 {
		return inner + i
	}
	return inner + len(rest)
}

// hides reports an opening tag, in lower case, whose element is not displayed.
func hides(tag string) bool {
	squeezed := strings.NewReplacer(" ", "", "\t", "", "\n", "", "\"", "", "'", "").Replace(tag)
	for _, style := range [...]string{
		"display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", "opacity:0>", "opacity:0.0",
		"color:white", "color:#fff", "color:transparent", "height:0", "width:0", "max-height:0", "left:-999", "top:-999",
		"text-indent:-999", "clip:rect(0", "mso-hide:all", "line-height:0",
	} {
		if i := strings.Index(squeezed, style); i >= 0 && strings.Contains(squeezed[:i], "style=") {
			return true
		}
	}
	if strings.HasPrefix(tag, "<template") || strings.HasPrefix(tag, "<noscript") {
		return true
	}
	for _, f := range strings.Fields(strings.Trim(tag, "<>/")) {
		if f == "hidden" || strings.HasPrefix(f, "hidden=") {
			return true
		}
	}
	return false
}

// images finds what a picture says instead of itself, and pictures whose
// address takes something along.
func (r *run) images() {
	for at := 0; ; {
		i := strings.Index(r.text[at:], "![")
		if i < 0 {
			return
		}
		start := at + i
		at = start + 2
		end := lineEnd(r.text[:min(len(r.text), start+4000)], start)
		n := strings.Index(r.text[start:end], "](")
		if n < 0 {
			at = max(at, end)
			continue
		}
		r.region(start+2, start+n, false)
		link := start + n + 2
		url := r.text[link:urlEnd(r.text[:end], link)]
		if strings.Contains(url, "://") && placeholder(url) {
			r.add("markup/image-data", start, min(end, link+len(url)))
		}
		at = link
	}
}

// placeholder reports a place to fill in, in an address of a picture.
func placeholder(url string) bool {
	return isTemplate(url) || strings.Contains(url, "{{") || strings.Contains(url, "${") ||
		strings.Contains(url, "=<") || strings.Contains(url, "={") || strings.Contains(url, "=[") || strings.HasSuffix(url, "=%s")
}

// lines finds text behind spaces, below blank lines and far to the right.
func (r *run) lines() {
	for at := 0; at < len(r.text); {
		end, n := blankRun(r.text, at)
		if n > hidingLines && end < len(r.text) {
			r.add("markup/blank-lines", at, end)
			r.region(end, min(len(r.text), end+4000), false)
		}
		if end > at {
			at = end
			continue
		}
		at = r.line(at)
	}
}

// line looks at the line at offset at and returns its end.
func (r *run) line(at int) int {
	end := lineEnd(r.text, at)
	if end-at <= hidingSpaces {
		return end
	}
	line := r.text[at:end]
	for i := 0; i < len(line); {
		c := line[i]
		if c != ' ' && c != '\t' && c < 0xC2 {
			i++
			continue
		}
		stop, n := spaceRun(line, i)
		if n >= hidingSpaces && stop < len(line) {
			r.add("markup/spaces", at+i, at+stop)
			r.region(at+stop, end, false)
		}
		if stop > i {
			i = stop
			continue
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
	}
	if len(line) > longLine && utf8.RuneCountInString(line) > longLine {
		from := at + longLine
		for !utf8.RuneStart(r.text[from]) {
			from++
		}
		r.add("markup/long-line", from, end)
		r.region(from, end, false)
	}
	return end
}

// agentInRegion flags a comment or another hidden stretch that speaks to the
// agent and asks for something. That the word "agent" stands in a remark is not
// enough.
func (r *run) agentInRegion(s *sentence) {
	at := r.viewSpan(s.tokens[0].start, s.tokens[0].end).start
	reg := r.regionAt(at)
	if reg == nil || reg.flagged {
		return
	}
	spoken := false
	for i := range s.tokens {
		t := &s.tokens[i]
		spoken = spoken || r.spokenTo(s, i)
		if spoken && t.is(imperative) && !t.bits.meets(&r.agent) {
			reg.flagged = true
			return
		}
	}
}

// spokenTo reports that token i names the agent and is spoken to: first in its
// sentence, after "dear" or "to", before "must" or a colon.
func (r *run) spokenTo(s *sentence, i int) bool {
	t := &s.tokens[i]
	switch {
	case !t.bits.meets(&r.agent):
		return false
	case i+1 < len(s.tokens) && s.tokens[i+1].bits.meets(&r.own.modal):
		return true
	case strings.HasPrefix(r.view.text[t.end:], ":") || strings.HasPrefix(r.view.text[t.end:], ","):
		return true
	case i == 0:
		return t.is(imperative) || s.tokens[0].bits.meets(&r.own.calls)
	}
	before := &s.tokens[i-1]
	return before.bits.meets(&r.own.calls) || i > 1 && s.tokens[i-2].bits.meets(&r.own.calls)
}

// regionAt returns the region that covers offset at of the text. Regions are
// few where they matter; a text of comments alone is bounded by their number.
func (r *run) regionAt(at int) *region {
	if !r.sorted {
		r.sortRegions()
	}
	lo, hi := 0, len(r.regions)
	for lo < hi {
		mid := (lo + hi) / 2
		if r.regions[mid].start <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for i := lo - 1; i >= 0 && i >= lo-4; i-- {
		if r.regions[i].end > at {
			return &r.regions[i]
		}
	}
	return nil
}

func (r *run) sortRegions() {
	slices.SortFunc(r.regions, func(a, b region) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	r.sorted = true
}

// judgeRegions reports the regions that hold an instruction.
func (r *run) judgeRegions() {
	if len(r.regions) == 0 {
		return
	}
	for _, f := range r.found {
		switch f.Kind {
		case Instruction, Spoof, Encoded:
			if reg := r.regionAt(f.Start); reg != nil {
				reg.flagged = true
			}
		case Hidden, Markup, Frontmatter, Secret, Personal:
		}
	}
	for _, reg := range r.regions {
		switch {
		case !reg.flagged:
		case reg.comment:
			r.add("markup/comment", reg.start, reg.end)
		default:
			r.add("markup/hidden-instruction", reg.start, reg.end)
		}
	}
}

// codeSpans answers whether an offset lies in code; offsets must grow.
type codeSpans struct {
	text  string
	at    int
	fence bool
	tick  bool
	inked bool // the line has something other than spaces before at
}

func (c *codeSpans) covers(offset int) bool {
	for c.at < offset {
		switch c.text[c.at] {
		case '\n':
			if c.at+1 < len(c.text) && c.text[c.at+1] == '\n' {
				c.tick = false
			}
			c.inked = false
			c.at++
		case '`':
			c.ticks()
		case ' ', '\t':
			c.at++
		default:
			c.inked = true
			c.at++
		}
	}
	return c.fence || c.tick
}

func (c *codeSpans) ticks() {
	start := c.at
	for c.at < len(c.text) && c.text[c.at] == '`' {
		c.at++
	}
	switch {
	case c.at-start >= 3 && !c.inked:
		c.fence, c.tick = !c.fence, false
	case !c.fence:
		c.tick = !c.tick
	}
	c.inked = true
}
