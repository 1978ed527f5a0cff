package main

import (
	"strings"
	"unicode"
)

// hole stands in a text for what may change: a date, the end of a link, a secret.
const hole = "\x00"

// norm writes a text so that two texts are compared by their words: lower case,
// without marks around words, one space between, and "|" where a sentence, a
// label, a list item or a paragraph begins.
func norm(text string) string {
	var b strings.Builder
	b.WriteByte('|')
	begin := true
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		item := len(fields) > 0 && (fields[0] == "-" || fields[0] == "*" || strings.HasPrefix(fields[0], "#") || strings.HasPrefix(fields[0], ">"))
		if i > 0 && !begin && (len(fields) == 0 || item) {
			b.WriteString(" |")
			begin = true
		}
		for _, f := range fields {
			w := strings.TrimFunc(f, aside)
			ends := strings.ContainsAny(tailOf(f, w), ".!?:;")
			if w != "" {
				b.WriteByte(' ')
				b.WriteString(strings.Map(plain, strings.ToLower(w)))
				begin = false
			}
			if ends && !begin {
				b.WriteString(" |")
				begin = true
			}
		}
	}
	b.WriteByte(' ')
	return b.String()
}

// aside reports whether a rune at the edge of a word is no part of it.
func aside(r rune) bool {
	return r != '#' && r != '\x00' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func plain(r rune) rune {
	switch r {
	case '’', 'ʼ', '‘', '`':
		return '\''
	}
	return r
}

// tailOf is what of a field stands behind its word.
func tailOf(field, word string) string {
	if word == "" {
		return field
	}
	return field[strings.LastIndex(field, word)+len(word):]
}

// A saying is a text as it is looked for: what stands before and behind its hole.
type saying struct {
	pre, post string
	holed     bool
}

func sayingOf(text string) saying {
	pre, post, cut := strings.Cut(text, hole)
	s := saying{holed: cut}
	if strings.TrimSpace(pre) != "" {
		s.pre = strings.TrimRight(norm(pre), " |")
	}
	if post = strings.Trim(norm(post), " |"); post != "" {
		s.post = " " + post
	}
	return s
}

// gap is how many bytes may stand in a hole.
const gap = 160

// in returns where a saying begins and ends in a normalised text from a place on,
// -1 if it is not there. What stands in its hole lies between.
func (s saying) in(text string, from int) (start, end int) {
	first := s.pre
	if first == "" {
		first = s.post
	}
	for from <= len(text) {
		i := strings.Index(text[from:], first)
		if i < 0 {
			break
		}
		start, end = from+i, from+i+len(first)
		from = start + 1
		if end < len(text) && text[end] != ' ' {
			continue
		}
		switch {
		case s.pre == "": // the hole reaches back to where the sentence begins
			start = max(0, strings.LastIndexByte(text[:start], '|'))
			return start, end
		case !s.holed:
			return start, end
		case s.post == "": // and here to where it ends
			if k := strings.IndexByte(text[end:], '|'); k >= 0 {
				return start, min(end+k, end+gap)
			}
			return start, min(len(text), end+gap)
		}
		if k := strings.Index(text[end:min(len(text), end+gap+len(s.post))], s.post); k >= 0 {
			return start, end + k + len(s.post)
		}
	}
	return -1, -1
}

// zone is one part of an output, normalised: what the notes say, or the archive.
type zone struct{ texts []string }

func (z *zone) add(body string) { z.texts = append(z.texts, norm(body)) }

// says reports whether a saying stands in the zone.
func (z *zone) says(s saying) bool { return len(z.all(s, 1)) > 0 }

// all returns the words from a saying's beginning to its end, at each of the first
// places where it stands.
func (z *zone) all(s saying, most int) []string {
	var out []string
	for _, t := range z.texts {
		for at := 0; len(out) < most; {
			i, end := s.in(t, at)
			if i < 0 {
				break
			}
			out = append(out, t[i:end])
			at = end
		}
	}
	return out
}

// copies counts places that state one of several sayings; of sayings that begin at
// one place only one counts.
func (z *zone) copies(of []saying) int {
	n := 0
	for _, t := range z.texts {
		seen := map[int]bool{}
		for _, s := range of {
			for at := 0; ; {
				i, end := s.in(t, at)
				if i < 0 {
					break
				}
				seen[i] = true
				at = end
			}
		}
		n += len(seen)
	}
	return n
}
