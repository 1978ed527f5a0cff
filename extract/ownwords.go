package extract

import (
	"strings"

	"dormouse/transcript"
)

// OwnWords returns what of a text that the person typed is in their own words, a
// line each: without what is private, code, logs, mails, quotations and what
// somebody else's words were led in by. What else reads the person's turns goes
// by it.
func (r *Reader) OwnWords(text string) string {
	if r.languages == nil && r.err == nil {
		r.languages, r.err = loadLanguages()
	}
	text, _ = transcript.WithoutPrivate(text)
	var lines []string
	for _, s := range own(text, r.leadsIn) {
		lines = append(lines, withoutQuotes(text[s.start:s.end]))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// withoutQuotes drops what stands in quotation marks and is longer than a name.
func withoutQuotes(line string) string {
	const name = 40 // bytes
	for _, m := range [][2]string{{`"`, `"`}, {"“", "”"}, {"«", "»"}, {"„", "“"}} {
		for from := 0; ; {
			i := strings.Index(line[from:], m[0])
			if i < 0 {
				break
			}
			i += from
			j := strings.Index(line[i+len(m[0]):], m[1])
			if j < 0 {
				if len(line)-i > name {
					line = line[:i] // a quotation over several lines
				}
				break
			}
			end := i + len(m[0]) + j + len(m[1])
			if j > name {
				line = line[:i] + " " + line[end:]
				from = i + 1
				continue
			}
			from = end
		}
	}
	return line
}
