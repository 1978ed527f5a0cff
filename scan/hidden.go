package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A hiddenPass walks a text and reports runs of characters that are not seen.
type hiddenPass struct {
	text    string
	add     func(rule string, start, end int)
	prev    rune // the rune before the run, 0 at the start
	singles []int
	rtl     bool // the line has right-to-left letters
	lineEnd int  // where what rtl says ends
}

// singlesAreCode is how many lone zero-width characters, each harmless by
// itself, are taken for a code: people paste one or two.
const singlesAreCode = 4

// hidden reports the hidden channels of text.
func hidden(text string, add func(rule string, start, end int)) {
	if plain(text) {
		return
	}
	p := hiddenPass{text: text, add: add}
	for i := 0; i < len(text); {
		if c := text[i]; c >= 0x20 && c < 0x7F || c == '\n' || c == '\t' {
			p.prev = rune(c)
			i++
			continue
		}
		i = p.step(i)
	}
	if len(p.singles) >= singlesAreCode {
		for _, at := range p.singles {
			_, n := utf8.DecodeRuneInString(text[at:])
			add("hidden/zero-width-code", at, at+n)
		}
	}
}

// plain reports whether text is ASCII without control characters.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= 0x7F || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// step handles the rune at i and, when it is hidden, the run that it starts. It
// returns the offset behind.
func (p *hiddenPass) step(i int) int {
	r, n := utf8.DecodeRuneInString(p.text[i:])
	if r == utf8.RuneError && n <= 1 {
		return p.invalid(i)
	}
	c := classOf(r)
	if c == seen {
		p.prev = r
		return i + n
	}
	if end := p.flag(i, r); end > 0 {
		p.prev = 0x1F3F4
		return end
	}
	end, length := i+n, 1
	for end < len(p.text) {
		next, m := utf8.DecodeRuneInString(p.text[end:])
		if classOf(next) != c || next == utf8.RuneError && m <= 1 {
			break
		}
		end += m
		length++
	}
	p.run(c, i, end, length, r)
	p.prev = r
	return end
}

func (p *hiddenPass) invalid(i int) int {
	end := i
	for end < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[end:])
		if r != utf8.RuneError || n > 1 {
			break
		}
		end++
	}
	p.add("hidden/invalid-utf8", i, end)
	p.prev = utf8.RuneError
	return end
}

// flag returns the end of a flag of a region, as in Scotland's: a black flag, a
// region of two letters, one to four letters or digits, the closing tag.
func (p *hiddenPass) flag(i int, first rune) int {
	if p.prev != 0x1F3F4 || first < 0xE0061 || first > 0xE007A {
		return 0
	}
	n := 0
	for at, r := range p.text[i:] {
		letter := r >= 0xE0061 && r <= 0xE007A
		digit := r >= 0xE0030 && r <= 0xE0039
		switch {
		case r == 0xE007F && n >= 2:
			return i + at + utf8.RuneLen(r)
		case n == 6, n < 2 && !letter, !letter && !digit:
			return 0
		}
		n++
	}
	return 0
}

// run judges a run of n runes of one class in text[start:end].
func (p *hiddenPass) run(c class, start, end, n int, r rune) {
	switch c {
	case tag:
		p.add("hidden/tags", start, end)
	case selector:
		p.selectors(start, end, n)
	case standard:
		p.addWhen(n > 1, "hidden/selector-run", "hidden/selector", start, end)
	case emojiForm:
		p.emojiForms(start, end, n)
	case zeroWidth:
		p.zeroWidths(start, end, n, r)
	case joiner:
		p.joiners(start, end, n)
	case bidi:
		p.add("hidden/bidi", start, end)
	case mark:
		p.marks(start, end, n)
	case filler:
		p.fillers(start, end, n, r)
	case private:
		p.add("hidden/private-use", start, end)
	case escape:
		p.add("hidden/escape", start, end)
	case control:
		p.controls(start, end)
	case separator:
		p.add("hidden/line-separator", start, end)
	case mongolian:
		if n > 1 || !unicode.Is(unicode.Mongolian, p.prev) {
			p.add("hidden/invisible", start, end)
		}
	case invisible, seen:
		p.add("hidden/invisible", start, end)
	}
}

func (p *hiddenPass) addWhen(worse bool, bad, mild string, start, end int) {
	if worse {
		p.add(bad, start, end)
		return
	}
	p.add(mild, start, end)
}

// selectors lets one selector after an ideograph pass with a warning: that is
// how a variant of a name is written in Japan.
func (p *hiddenPass) selectors(start, end, n int) {
	p.addWhen(n > 1 || !unicode.Is(unicode.Han, p.prev), "hidden/selectors", "hidden/selector-han", start, end)
}

func (p *hiddenPass) emojiForms(start, end, n int) {
	switch {
	case n > 1:
		p.add("hidden/selector-run", start, end)
	case !takesForm(p.prev):
		p.add("hidden/selector", start, end)
	}
}

func (p *hiddenPass) zeroWidths(start, end, n int, r rune) {
	next := p.next(end)
	switch {
	case r == 0xFEFF && start == 0 && n == 1:
	case n > 1, latin(p.prev) && latin(next):
		p.add("hidden/zero-width", start, end)
	case hiddenNeighbour(p.prev), hiddenNeighbour(next):
		p.add("hidden/zero-width", start, end)
	case r == 0x200B && (unspaced(p.prev) || unspaced(next)):
	case r == 0x180E && unicode.Is(unicode.Mongolian, p.prev):
	default:
		p.singles = append(p.singles, start)
		p.add("hidden/zero-width-single", start, end)
	}
}

// hiddenNeighbour reports a neighbour of another class that makes two hidden
// characters in a row: mixing classes must not split a run into lone ones.
func hiddenNeighbour(r rune) bool {
	c := classOf(r)
	return r != 0 && (c == zeroWidth || c == joiner || c == filler || c == mark)
}

func (p *hiddenPass) joiners(start, end, n int) {
	next := p.next(end)
	switch {
	case n > 1, hiddenNeighbour(p.prev), hiddenNeighbour(next):
		p.add("hidden/zero-width", start, end)
	case joins(p.prev):
	case pictured(p.prev) && pictured(next):
	case latin(p.prev), latin(next), p.prev < 0x80 && next < 0x80 && p.prev > ' ' && next > ' ':
		p.add("hidden/zero-width", start, end)
	default:
		p.singles = append(p.singles, start)
		p.add("hidden/zero-width-single", start, end)
	}
}

// marks are let through where they have work to do: on a line with letters that
// run right to left.
func (p *hiddenPass) marks(start, end, n int) {
	if n > 2 {
		p.add("hidden/mark-run", start, end)
		return
	}
	if start >= p.lineEnd {
		p.lookAtLine(start)
	}
	if !p.rtl {
		p.add("hidden/mark", start, end)
	}
}

func (p *hiddenPass) lookAtLine(at int) {
	from := strings.LastIndexByte(p.text[:at], '\n') + 1
	if n := strings.IndexByte(p.text[at:], '\n'); n >= 0 {
		p.lineEnd = at + n
	} else {
		p.lineEnd = len(p.text)
	}
	p.rtl = strings.ContainsFunc(p.text[from:p.lineEnd], rightToLeft)
}

// fillers lets one blank cell pass inside Braille.
func (p *hiddenPass) fillers(start, end, n int, r rune) {
	braille := func(r rune) bool { return r > 0x2800 && r <= 0x28FF }
	if r == 0x2800 && n == 1 && braille(p.prev) && braille(p.next(end)) {
		return
	}
	p.add("hidden/filler", start, end)
}

// controls lets a carriage return pass at the end of a line, where it is half
// of a line end; elsewhere it overwrites the line in a terminal.
func (p *hiddenPass) controls(start, end int) {
	if p.text[end-1] == '\r' && (end == len(p.text) || p.text[end] == '\n') {
		end--
	}
	if start < end {
		p.add("hidden/control", start, end)
	}
}

func (p *hiddenPass) next(at int) rune {
	if at >= len(p.text) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(p.text[at:])
	return r
}

// latin reports letters of Latin words, for which a character without width is
// of no use.
func latin(r rune) bool {
	return asciiLetter(r) || r >= 0xC0 && unicode.Is(unicode.Latin, r)
}
