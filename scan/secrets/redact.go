package secrets

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What may be shown of a credential, in characters: nothing of one shorter than
// maskFrom, the first maskShown of the others.
const (
	maskFrom  = 16
	maskShown = 4
)

// Mask returns what may be shown of a credential: its first four characters and
// its length, "ghp_… (40 characters)"; of one with fewer than 16 characters
// nothing.
func Mask(secret string) string {
	n := utf8.RuneCountInString(secret)
	if n < maskFrom {
		return "… (short)"
	}
	var b strings.Builder
	shown := 0
	for _, r := range secret {
		if shown == maskShown {
			break
		}
		if !unicode.IsGraphic(r) {
			r = '?'
		}
		b.WriteRune(r)
		shown++
	}
	return fmt.Sprintf("%s… (%d characters)", b.String(), n)
}

const (
	markBefore = "[secret: "
	markAfter  = " removed]"
	markName   = 60 // bytes, more than the longest name of a rule
)

// Redact replaces each credential by "[secret: NAME removed]", NAME being its
// rule without "secret/", and returns the new text and what was found, with the
// offsets in the text it was given. Find finds nothing in the new text, and
// Redact leaves it as it is.
func (f *Finder) Redact(text string) (string, []Hit) {
	var all []Hit
	removed := text
	// What is left can be a credential by itself: of two in one word the second
	// was hidden. Each pass takes away what the next one would look at; a text for
	// which four are not enough was made for it, and then whole words go.
	for pass := 0; ; pass++ {
		hits := f.Find(removed)
		if len(hits) == 0 {
			return removed, settled(all)
		}
		if pass >= 4 {
			for i := range hits {
				hits[i].Start, hits[i].End = wordAround(removed, hits[i].Start, hits[i].End)
			}
			hits = settled(hits)
		}
		back := origin{hits: all}
		for _, h := range hits {
			h.Start, h.End = back.of(h.Start), back.of(h.End)
			all = append(all, h)
		}
		slices.SortFunc(all, func(a, b Hit) int { return a.Start - b.Start })
		all = settled(all)
		removed = replaced(text, all)
	}
}

func wordAround(text string, start, end int) (int, int) {
	for start > 0 && !isSpace(text[start-1]) {
		start--
	}
	for end < len(text) && !isSpace(text[end]) {
		end++
	}
	return start, end
}

// settled joins hits that overlap, given in order.
func settled(hits []Hit) []Hit {
	var list []Hit
	for _, h := range hits {
		if n := len(list); n > 0 && h.Start < list[n-1].End {
			list[n-1].End = max(list[n-1].End, h.End)
			continue
		}
		list = append(list, h)
	}
	return list
}

func replaced(text string, hits []Hit) string {
	var b strings.Builder
	at := 0
	for _, h := range hits {
		b.WriteString(text[at:h.Start])
		b.WriteString(mark(h))
		at = h.End
	}
	b.WriteString(text[at:])
	return b.String()
}

func mark(h Hit) string {
	return markBefore + strings.TrimPrefix(h.Rule, "secret/") + markAfter
}

// An origin turns offsets in the text after replacing hits into those in the
// text before. It goes through the hits once: the offsets must not go down.
type origin struct {
	hits  []Hit
	shift int // what replacing made the text before the first of hits longer
}

func (o *origin) of(at int) int {
	for len(o.hits) > 0 {
		h := o.hits[0]
		start, end := h.Start+o.shift, h.Start+o.shift+len(mark(h))
		if at <= start {
			break
		}
		if at < end {
			return h.End
		}
		o.shift += len(mark(h)) - (h.End - h.Start)
		o.hits = o.hits[1:]
	}
	return at - o.shift
}

// marks finds what an earlier Redact left. Only the names of rules count: nobody
// hides a credential by writing the words around it.
func (f *Finder) marks(text string) []span {
	var list []span
	for at := 0; ; {
		n := strings.Index(text[at:], markBefore)
		if n < 0 {
			return list
		}
		start := at + n
		name := start + len(markBefore)
		at = name
		end := strings.Index(text[name:min(len(text), name+markName+len(markAfter))], markAfter)
		if end < 0 {
			continue
		}
		known := func(r *rule) bool { return r.id == text[name:name+end] }
		if slices.ContainsFunc(f.rules, known) {
			at = name + end + len(markAfter)
			list = append(list, span{start, at})
		}
	}
}
