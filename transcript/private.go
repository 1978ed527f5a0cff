package transcript

import "strings"

// WithoutPrivate blanks <private>…</private>, to the end where it is not closed. Line
// breaks take its place: no sentence reaches over it. It reports whether there was any.
func WithoutPrivate(text string) (string, bool) {
	text = tightTags(text)
	const open, closing = "<private>", "</private>"
	i := indexFold(text, open)
	if i < 0 {
		return text, false
	}
	b := []byte(text)
	for i >= 0 {
		end := len(b)
		if j := indexFold(string(b[i:]), closing); j >= 0 {
			end = i + j + len(closing)
		}
		for k := i; k < end; k++ {
			b[k] = '\n'
		}
		j := indexFold(string(b[end:]), open)
		if j < 0 {
			break
		}
		i = end + j
	}
	return string(b), true
}

// tightTags writes "< private >" as "<private>", and as many spaces behind it as were
// in it: places stay what they were.
func tightTags(text string) string {
	var b []byte // a copy, made where the first such tag stands
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			if b != nil {
				return string(b)
			}
			return text
		}
		at += i
		end := strings.IndexByte(text[at:min(len(text), at+40)], '>')
		if end < 0 {
			at++
			continue
		}
		raw := text[at : at+end+1]
		tag := strings.Join(strings.Fields(raw), "")
		if len(tag) < len(raw) && (strings.EqualFold(tag, "<private>") || strings.EqualFold(tag, "</private>")) {
			if b == nil {
				b = []byte(text)
			}
			if pad := strings.Repeat(" ", len(raw)-len(tag)); tag[1] == '/' {
				copy(b[at:], pad+tag)
			} else {
				copy(b[at:], tag+pad)
			}
		}
		at++
	}
}

// indexFold is where sub, in lower-case ASCII, stands in s in any case.
func indexFold(s, sub string) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], sub[0])
		if i < 0 || from+i+len(sub) > len(s) {
			return -1
		}
		if strings.EqualFold(s[from+i:from+i+len(sub)], sub) {
			return from + i
		}
		from += i + 1
	}
}
