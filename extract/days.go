package extract

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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
	toks := tokens(text)
	for _, l := range d.languages {
		if out := l.absolute(text, toks, written); out != text {
			return out
		}
	}
	return text
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
		if ok && !dated(text[stop:]) && !s.toks[i].opaque && !inQuotes(text, start) && s.oneDay(i, end) {
			said := day.text
			if strings.HasSuffix(s.dateOf[i].op, "-week") && day.append {
				said = s.l.sayWeek + said
			}
			switch {
			case day.append:
				out.WriteString(text[done:stop] + " (" + said + ")")
			default:
				if i == 0 || !l.has("before-date", s.toks[i-1].norm) {
					said = strings.Replace(l.sayAhead, "$", said, 1)
				}
				if start == 0 {
					r, n := utf8.DecodeRuneInString(said)
					said = string(unicode.ToUpper(r)) + said[n:]
				}
				out.WriteString(text[done:start] + said)
			}
			done = stop
		}
		i = end - 1
	}
	out.WriteString(text[done:])
	return out.String()
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
	if i > 0 && s.l.has("day-of", s.toks[i-1].norm) {
		return false // "the orders of last week" are those of any
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
