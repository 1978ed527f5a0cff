package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/note"
	"dormouse/scan"
	"dormouse/scan/secrets"
)

// masker prints changes of files without the secrets that stand in them.
type masker struct{ find *secrets.Finder }

// unified is the difference of two texts, secrets masked in every line, those
// that only surround a change as well.
func (k *masker) unified(from, to, before, after string) string {
	b, a := k.mask(before), k.mask(after)
	if b == a && before != after {
		return "--- " + from + "\n+++ " + to + "\n(the change lies within a secret, which is not shown)\n"
	}
	return unified(from, to, b, a)
}

// stretch is a part of a text, in bytes.
type stretch struct{ start, end int }

// mask writes a mark in the place of each secret and keeps all line breaks, so
// that lines keep their numbers. A secret that characters without width take
// apart is one as well.
func (k *masker) mask(text string) string {
	if k.find == nil {
		k.find = secrets.New()
	}
	var hits []stretch
	_, found := k.find.Redact(text)
	for _, h := range found {
		hits = append(hits, stretch{h.Start, h.End})
	}
	if seen, from := seenOnly(text); len(seen) != len(text) {
		_, found = k.find.Redact(seen)
		for _, h := range found {
			hits = append(hits, stretch{from[h.Start], from[h.End-1] + 1})
		}
	}
	slices.SortFunc(hits, func(a, b stretch) int { return a.start - b.start })
	var out strings.Builder
	at := 0
	for _, h := range hits {
		if h.end <= at {
			continue
		}
		if h.start >= at {
			out.WriteString(text[at:h.start] + "[secret]")
		}
		out.WriteString(strings.Repeat("\n", strings.Count(text[max(at, h.start):h.end], "\n")))
		at = h.end
	}
	return out.String() + text[at:]
}

// seenOnly is a text without the characters that nobody sees, and where each byte
// of it stood.
func seenOnly(text string) (seen string, from []int) {
	var out strings.Builder
	for i, r := range text {
		if hiddenRune(r) {
			continue
		}
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(text[i:])
		}
		out.WriteString(text[i : i+n])
		for j := range n {
			from = append(from, i+j)
		}
	}
	return out.String(), from
}

func hiddenRune(r rune) bool {
	return r >= 0x7f && r != utf8.RuneError && scan.Visible(string(r)) != string(r)
}

// seenLine makes an index line of what is seen of a note's title and description.
// A note whose name has hidden characters gets none: a line has to name it.
func seenLine(then func(note.Line) note.Line) func(note.Line) note.Line {
	return func(l note.Line) note.Line {
		if strings.ContainsFunc(l.File, hiddenRune) {
			l.File = "/" + scan.Visible(l.File) // no line can be made of it, and the store says so
		}
		l.Title, _ = seenOnly(l.Title)
		l.Hook, _ = seenOnly(l.Hook)
		if then != nil {
			return then(l)
		}
		return l
	}
}
