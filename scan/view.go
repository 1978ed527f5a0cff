package scan

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// View returns what the scanner reads of text: NFKC, without hidden characters
// and terminal sequences, in lower case, with typographic quotes and dashes as
// ASCII, and with letters of other scripts that look Latin turned Latin where a
// word mixes the two.
func View(text string) string { return viewOf(text).text }

// A view is a text as the scanner reads it, with the way back.
type view struct {
	text string
	// Two steps of rewriting, each with its own map back; nil when the step
	// moved nothing.
	first, second mapping
	raw           string
}

// A stop says that offset out of the rewritten text came from offset in. From
// there on both run alike until the next stop.
type stop struct{ out, in int }

type mapping []stop

// in returns the offset before rewriting, of offset out after it.
func (m mapping) in(out int) int {
	if len(m) == 0 {
		return out
	}
	i := sort.Search(len(m), func(i int) bool { return m[i].out > out }) - 1
	if i < 0 {
		return out
	}
	in := m[i].in + out - m[i].out
	if i+1 < len(m) && in > m[i+1].in {
		in = m[i+1].in
	}
	return in
}

// span returns the bytes of the raw text that v.text[start:end] came from.
func (v *view) span(start, end int) (rawStart, rawEnd int) {
	if v.first == nil && v.second == nil {
		return start, end
	}
	rawStart = min(v.first.in(v.second.in(start)), len(v.raw))
	rawEnd = rawStart
	if end > start {
		rawEnd = min(v.first.in(v.second.in(end-1))+1, len(v.raw))
	}
	for rawStart > 0 && !utf8.RuneStart(v.raw[rawStart]) {
		rawStart--
	}
	for rawEnd < len(v.raw) && !utf8.RuneStart(v.raw[rawEnd]) {
		rawEnd++
	}
	return rawStart, max(rawStart, rawEnd)
}

func viewOf(text string) view {
	if plain(text) {
		return view{text: strings.ToLower(text), raw: text}
	}
	w := viewWriter{src: text, out: make([]byte, 0, len(text)+16)}
	for w.at < len(text) {
		w.step()
	}
	v := view{text: string(w.out), first: w.stops, raw: text}
	if v.first == nil {
		v.first = mapping{}
	}
	v.text, v.second = foldMixed(v.text)
	return v
}

// A viewWriter does the first step: cleaning, NFKC, lower case.
type viewWriter struct {
	src   string
	at    int
	out   []byte
	stops mapping
}

// stop records that what is written next came from offset in.
func (w *viewWriter) stop(in int) {
	if n := len(w.stops); n > 0 {
		last := w.stops[n-1]
		if in-last.in == len(w.out)-last.out {
			return
		}
		if last.out == len(w.out) {
			w.stops[n-1].in = in
			return
		}
	} else if in == len(w.out) {
		return
	}
	w.stops = append(w.stops, stop{len(w.out), in})
}

// step takes a stretch of ASCII, or one of the rest.
func (w *viewWriter) step() {
	c := w.src[w.at]
	if c < 0x80 {
		w.ascii(c)
		return
	}
	start := w.at
	for w.at < len(w.src) && w.src[w.at] >= 0x80 {
		w.at++
	}
	w.other(start, w.at)
}

func (w *viewWriter) ascii(c byte) {
	start := w.at
	w.at++
	switch {
	case c == 0x1B:
		w.at = sequenceEnd(w.src, w.at)
	case c == '\r':
		if w.at >= len(w.src) || w.src[w.at] != '\n' {
			w.stop(start)
			w.out = append(w.out, '\n')
		}
	case c == 0x7F || c < 0x20 && c != '\n' && c != '\t':
	default:
		w.stop(start)
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		w.out = append(w.out, c)
	}
}

// sequenceEnd returns the end of the terminal sequence whose ESC ends at i
// (ECMA-48: a control sequence ends with a byte of @ to ~).
func sequenceEnd(text string, i int) int {
	if i >= len(text) || text[i] != '[' {
		return i
	}
	for j := i + 1; j < len(text) && j < i+32; j++ {
		if c := text[j]; c >= '@' && c <= '~' {
			return j + 1
		}
	}
	return i
}

// other writes a stretch outside ASCII: hidden characters out, the rest in
// NFKC, segment by segment so that each keeps its place.
func (w *viewWriter) other(start, end int) {
	for start < end {
		r, n := utf8.DecodeRuneInString(w.src[start:])
		if r == utf8.RuneError && n <= 1 || isHidden(r) {
			if r == 0x2028 || r == 0x2029 {
				w.stop(start)
				w.out = append(w.out, '\n')
			}
			start += max(n, 1)
			continue
		}
		stop := start + n
		for stop < end {
			r, n := utf8.DecodeRuneInString(w.src[stop:])
			if r == utf8.RuneError && n <= 1 || isHidden(r) {
				break
			}
			stop += n
		}
		w.normal(start, stop)
		start = stop
	}
}

func (w *viewWriter) normal(start, end int) {
	text := w.src[start:end]
	if norm.NFKC.IsNormalString(text) {
		for i, r := range text {
			w.rune(start+i, r)
		}
		return
	}
	var it norm.Iter
	it.InitString(norm.NFKC, text)
	for !it.Done() {
		at := start + it.Pos()
		for _, r := range string(it.Next()) {
			w.rune(at, r)
		}
	}
}

// rune writes one rune that came from offset in, in lower case.
func (w *viewWriter) rune(in int, r rune) {
	if isHidden(r) {
		return
	}
	w.stop(in)
	r = punctuation(unicode.ToLower(r))
	w.out = utf8.AppendRune(w.out, r)
}

// punctuation turns typographic quotes, dashes and spaces into those of ASCII.
func punctuation(r rune) rune {
	switch {
	case r < 0xA0:
	case r == 0x2018 || r == 0x2019 || r == 0x201B || r == 0x2BC:
		return '\''
	case r >= 0x201C && r <= 0x201F || r == 0xAB || r == 0xBB:
		return '"'
	case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
		return '-'
	case r == 0x2044 || r == 0x2215:
		return '/'
	case r == 0x1680 || r == 0x3000 || unicode.Is(unicode.Zs, r):
		return ' '
	}
	return r
}
