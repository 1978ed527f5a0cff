package extract

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/claim/token"
)

// Days makes the relative days of a text absolute.
type Days struct{ languages []*language }

// NewDays reads what the languages call days. The error is that of the rules'
// files, of which a test makes sure that there is none.
func NewDays() (*Days, error) {
	languages, err := loadLanguages()
	return &Days{languages}, err
}

// Absolute returns a statement with its relative days written out, as they were
// on the day on which it was written: "yesterday" becomes "on 2026-03-04", "by
// Friday" becomes "by Friday (2026-03-06)". A day of a rule ("tokens expire in two
// weeks", "no deploys on Fridays") is none, and what can't be told stays. A text
// that was made absolute stays as it is.
func (d *Days) Absolute(text string, written time.Time) string {
	if !strings.HasPrefix(text, "|") {
		return d.sentences(text, written)
	}
	cells := strings.Split(text, "|") // each cell of a row is a text of its own
	for i, cell := range cells {
		bare := strings.TrimLeft(cell, " \t")
		cells[i] = cell[:len(cell)-len(bare)] + d.sentences(bare, written)
	}
	return strings.Join(cells, "|")
}

// sentences makes each sentence of a text absolute. One may have words of several
// languages.
func (d *Days) sentences(text string, written time.Time) string {
	var out strings.Builder
	for _, s := range token.Sentences(text) {
		bare := strings.TrimLeftFunc(s, unicode.IsSpace)
		out.WriteString(s[:len(s)-len(bare)])
		for _, l := range d.languages {
			bare = l.absolute(bare, tokens(bare), written)
		}
		out.WriteString(bare)
		text = text[len(s):]
	}
	return out.String() + text
}

func (l *language) absolute(text string, toks []lexeme, written time.Time) string {
	if !l.namesDay(toks) {
		return text
	}
	s := l.readSentence(text, 0, toks, nil)
	s.findDates(s.candidates())
	var out strings.Builder
	done := 0
	for i := 0; i < len(s.toks); i++ {
		end := s.until[i]
		if end <= i {
			continue
		}
		start, stop := s.toks[i].start, s.toks[end-1].end
		day, ok := s.resolve(s.dateOf[i], written)
		if ok && !dated(text[stop:]) && !s.toks[i].opaque && !inQuotes(text, start) && !inLink(text, start) && !s.isName(i, end) && s.oneDay(i, end) {
			if day.append {
				out.WriteString(text[done:stop] + " (" + s.appended(day, i) + ")")
			} else {
				out.WriteString(text[done:start] + s.instead(day, i, end))
			}
			done = stop
		}
		i = end - 1
	}
	out.WriteString(text[done:])
	return out.String()
}

// appended is what stands in brackets behind the words of a date.
func (s *sentence) appended(d day, i int) string {
	if strings.HasSuffix(s.dateOf[i].op, "-week") {
		return s.l.sayWeek + d.text
	}
	return d.text
}

// instead is what stands in place of the words of a date. Where they are what the
// sentence is about, it is the day alone: "2026-03-04 is the deadline".
func (s *sentence) instead(d day, i, end int) string {
	said := d.text
	if !s.isSubject(i, end) && (i == 0 || !s.l.has("before-date", s.toks[i-1].norm)) {
		said = strings.Replace(s.l.sayAhead, "$", said, 1)
	}
	if s.toks[i].start == 0 {
		r, n := utf8.DecodeRuneInString(said)
		said = string(unicode.ToUpper(r)) + said[n:]
	}
	return said
}

// isSubject reports whether the words of a date are what the sentence is about.
func (s *sentence) isSubject(i, end int) bool {
	return i == 0 && end < len(s.toks) && s.l.has("day-copula", s.toks[end].norm)
}

// isName reports whether the words of a date are a name, or spoken of as words: the
// title of a film, a label.
func (s *sentence) isName(i, end int) bool {
	for k := i; k < end; k++ {
		t := &s.toks[k]
		raw := s.raw[t.start:t.end]
		if !t.title || strings.ToUpper(raw) == raw || s.l.counted("weekday", t.norm) || s.l.counted("month", t.norm) {
			continue
		}
		if k > i || i > 0 && !s.toks[i-1].comma && !s.toks[i-1].colon {
			return true
		}
	}
	if i > 0 && s.l.has("day-named", s.toks[i-1].norm) {
		return true // "the word tomorrow"
	}
	if i > 0 || end == len(s.toks) || !s.isSubject(i, end) && !s.toks[end-1].colon {
		return false
	}
	for k := end; k < len(s.toks); k++ {
		if s.l.has("day-word", s.toks[k].norm) {
			return true // "Today is the default value"
		}
	}
	return s.isSubject(i, end) && end+1 < len(s.toks) && s.l.has("day-used", s.toks[end+1].norm)
}

// namesDay is a quick look whether anything could be a relative day.
func (l *language) namesDay(toks []lexeme) bool {
	for _, t := range toks {
		if l.has("day-one-day", t.norm) || l.has("day-deadline-word", t.norm) || l.has("day-this-day", t.norm) || l.unit[t.norm] != "" || l.counted("weekday", t.norm) || l.counted("month", t.norm) {
			return true
		}
		for _, ids := range [...][]int{l.byWord[t.norm], l.byPrefix[firstRunes(t.norm, prefixKey)]} {
			for _, id := range ids {
				if strings.HasPrefix(string(l.patterns[id].rule.kind), "date ") {
					return true
				}
			}
		}
	}
	return false
}

// dated reports whether a date stands right behind a place already.
func dated(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return len(rest) > 5 && (rest[0] == '(' || rest[0] == ',') && isYear(strings.TrimLeft(rest[1:], " "))
}

func isYear(s string) bool {
	return len(s) >= 7 && s[0] == '2' && s[1] == '0' && s[2] >= '0' && s[2] <= '9' && s[3] >= '0' && s[3] <= '9' && s[4] == '-' ||
		strings.Contains(s[:min(len(s), 30)], " 20") && strings.Contains(s[:min(len(s), 30)], "-")
}

// oneDay reports whether the words of a date mean one day, and not that of a rule.
func (s *sentence) oneDay(i, end int) bool {
	op := s.dateOf[i].op
	if op == "iso" || op == "month-day" {
		return false
	}
	for k := range s.toks {
		if s.l.has("day-habitual", s.toks[k].norm) {
			return false
		}
	}
	before := i > 0 && s.l.has("day-deadline-word", s.toks[i-1].norm)
	if s.directs() && !before && !s.l.has("day-deadline-word", s.toks[i].norm) {
		return false // what to do each time: "list what changed yesterday"
	}
	if i > 0 && (s.l.has("day-of", s.toks[i-1].norm) || s.l.has("day-compared", s.toks[i-1].norm)) {
		return false // "the orders of last week" are those of any, and so are those older than that
	}
	if s.isDone(end) {
		return false // "files made two days ago are deleted" happens each time
	}
	if op == "ago" || strings.HasPrefix(op, "last-") || op == "next-week" || op == "next-month" || op == "end-next-month" {
		return true
	}
	first, last := s.toks[i].norm, s.toks[end-1].norm
	switch {
	case strings.HasPrefix(op, "day") && (s.l.has("day-one-day", first) || s.l.has("day-one-day", last)):
		return true
	case op == "weekday":
		return before || s.l.has("day-this-day", first) || s.l.has("day-deadline-word", first)
	case op == "ahead":
		return last == "now" || last == "today" || s.l.has("day-in-words", first) && s.plannedBefore(i)
	case strings.HasPrefix(op, "end-"):
		return before || s.plannedBefore(i)
	}
	return s.plannedBefore(i)
}

// isDone reports whether right behind a place the sentence says what is done, always,
// with several things: "… are deleted".
func (s *sentence) isDone(at int) bool {
	if at+1 >= len(s.toks) || at > 0 && s.toks[at-1].comma || !s.l.has("day-done", s.toks[at].norm) {
		return false
	}
	verb := s.toks[at+1].norm
	return at > 1 && (s.l.has("day-done-to", verb) || strings.HasSuffix(verb, "ed"))
}

// directs reports whether the sentence says what to do, or what holds whenever
// something happens.
func (s *sentence) directs() bool {
	for k := range s.toks {
		if k > 0 && !s.toks[k-1].comma {
			continue
		}
		t := s.toks[k].norm
		if s.l.has("day-rule", t) || s.l.has("verb", t) {
			return true
		}
	}
	return false
}

// inQuotes reports whether a place in a text stands between quotation marks.
func inQuotes(text string, at int) bool {
	before := text[:at]
	for _, mark := range [...]string{`"`, "«", "“", "„", "`"} {
		if strings.HasPrefix(text[at:], mark) {
			return true
		}
	}
	return strings.Count(before, `"`)%2 == 1 || strings.Count(before, "«") > strings.Count(before, "»") || strings.Count(before, "“") > strings.Count(before, "”")
}

// inLink reports whether a place in a text is what a link is called or leads to.
func inLink(text string, at int) bool {
	before, after := text[:at], text[at:]
	open := strings.LastIndexByte(before, '[')
	if open < 0 || strings.IndexByte(before[open:], ']') >= 0 {
		return false
	}
	if open > 0 && before[open-1] == '[' {
		return strings.Contains(after, "]]")
	}
	return strings.Contains(after, "](")
}

// plannedBefore reports whether the sentence speaks of something planned before a
// place in it; without a subject before, what comes behind counts.
func (s *sentence) plannedBefore(at int) bool {
	toks := s.toks[:at]
	if at <= 1 {
		toks = s.toks
	}
	for _, t := range toks {
		if s.l.has("day-planned", t.norm) {
			return true
		}
	}
	return false
}
