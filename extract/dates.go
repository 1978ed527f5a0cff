package extract

import (
	"strconv"
	"strings"
	"time"
)

// dateMatch is a date in a sentence: which pattern, and the tokens that count.
type dateMatch struct {
	op         string
	start, end int
}

// counted tells whether a word is a number, a day of the week and so on.
func (l *language) counted(class, w string) bool {
	switch class {
	case "weekday":
		_, ok := l.weekday[w]
		return ok
	case "month":
		_, ok := l.month[w]
		return ok
	case "unit":
		return l.unit[w] != ""
	case "number":
		n, ok := l.numeral(w)
		return ok && n >= 0
	case "day":
		n, ok := l.ordinal(w)
		return ok && n >= 1 && n <= 31
	case "year":
		n, err := strconv.Atoi(w)
		return err == nil && n >= 2000 && n < 2200
	case "isodate":
		_, err := time.Parse(time.DateOnly, w)
		return err == nil
	}
	return false
}

func (l *language) numeral(w string) (int, bool) {
	if n, ok := l.number[w]; ok {
		return n, true
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && n >= 0
}

// ordinal reads 15, 15th, 1st, 15-го.
func (l *language) ordinal(w string) (int, bool) {
	i := 0
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		i++
	}
	if i == 0 || i > 2 || len(w)-i > 5 {
		return 0, false
	}
	n, _ := strconv.Atoi(w[:i])
	switch w[i:] {
	case "", "st", "nd", "rd", "th", "-го", "го", "-е":
		return n, true
	}
	return 0, false
}

// findDates notes the dates of a sentence, the longest of those that overlap.
func (s *sentence) findDates(ids []int) {
	for _, id := range ids {
		p := s.l.patterns[id]
		op, ok := strings.CutPrefix(string(p.rule.kind), "date ")
		if !ok {
			continue
		}
		for at := range s.toks {
			if h, ok := s.match(p, at); ok && h.end > s.until[at] {
				s.until[at] = h.end
				s.dateOf[at] = dateMatch{op, at, h.end}
			}
		}
	}
	for at := 0; at < len(s.toks); at++ {
		if end := s.until[at]; end > 0 {
			for i := at + 1; i < end; i++ {
				s.until[i] = 0
			}
			at = end - 1
		}
	}
}

// A day is a date that was worked out.
type day struct {
	text   string // 2026-12-03, 2026-12, "the week of 2026-11-30"
	append bool   // stands behind the words, which stay: they name the day themselves
	past   bool
}

// resolve works a date out from the time of the turn.
func (s *sentence) resolve(d dateMatch, now time.Time) (day, bool) {
	y, m, dd := now.Date()
	today := time.Date(y, m, dd, 0, 0, 0, 0, time.UTC)
	op, offset, _ := strings.Cut(d.op, "day")
	if op == "" { // day+1
		n, err := strconv.Atoi(offset)
		return day{text: iso(today.AddDate(0, 0, n)), past: n < 0}, err == nil
	}
	switch d.op {
	case "ahead", "ago":
		return s.counting(d, today)
	case "weekday":
		n := (s.weekdayIn(d) - int(today.Weekday()) + 7) % 7
		if n == 0 {
			n = 7
		}
		return day{text: iso(today.AddDate(0, 0, n)), append: true}, true
	case "last-weekday":
		n := (int(today.Weekday()) - s.weekdayIn(d) + 7) % 7
		if n == 0 {
			n = 7
		}
		return day{text: iso(today.AddDate(0, 0, -n)), append: true, past: true}, true
	case "month-day":
		return s.monthDay(d, today)
	case "iso":
		return day{}, false // is absolute as it stands
	}
	return periods(d.op, today)
}

func periods(op string, today time.Time) (day, bool) {
	y, m, _ := today.Date()
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	last := func(y int, m time.Month) string { return iso(time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC)) }
	switch op {
	case "end-week":
		friday := monday.AddDate(0, 0, 4)
		if today.After(friday) {
			friday = monday.AddDate(0, 0, 6)
		}
		return day{text: iso(friday)}, true
	case "end-month":
		return day{text: last(y, m)}, true
	case "end-next-month":
		return day{text: last(y, m+1)}, true
	case "end-quarter":
		return day{text: last(y, (m-1)/3*3+3)}, true
	case "end-year":
		return day{text: last(y, 12)}, true
	case "next-week":
		return day{text: iso(monday.AddDate(0, 0, 7)), append: true}, true
	case "last-week":
		return day{text: iso(monday.AddDate(0, 0, -7)), append: true, past: true}, true
	case "next-month":
		return day{text: time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01"), append: true}, true
	case "last-month":
		return day{text: time.Date(y, m-1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01"), append: true, past: true}, true
	}
	return day{}, false
}

func (s *sentence) counting(d dateMatch, today time.Time) (day, bool) {
	n, unit := 1, ""
	for _, t := range s.toks[d.start:d.end] {
		if v, ok := s.l.numeral(t.norm); ok {
			n = v
		}
		if u := s.l.unit[t.norm]; u != "" {
			unit = u
		}
	}
	if n > 1000 {
		return day{}, false
	}
	if d.op == "ago" {
		n = -n
	}
	switch unit {
	case "week":
		today = today.AddDate(0, 0, 7*n)
	case "month":
		today = today.AddDate(0, n, 0)
	case "year":
		today = today.AddDate(n, 0, 0)
	case "day":
		today = today.AddDate(0, 0, n)
	default:
		return day{}, false
	}
	return day{text: iso(today), past: n < 0}, true
}

func (s *sentence) weekdayIn(d dateMatch) int {
	for _, t := range s.toks[d.start:d.end] {
		if n, ok := s.l.weekday[t.norm]; ok {
			return n
		}
	}
	return 0
}

// monthDay takes the next such day where no year is said.
func (s *sentence) monthDay(d dateMatch, today time.Time) (day, bool) {
	var m, n, y int
	for _, t := range s.toks[d.start:d.end] {
		switch {
		case s.l.counted("month", t.norm):
			m = s.l.month[t.norm]
		case s.l.counted("year", t.norm):
			y, _ = strconv.Atoi(t.norm)
		case s.l.counted("day", t.norm):
			n, _ = s.l.ordinal(t.norm)
		}
	}
	said := y != 0
	if !said {
		y = today.Year()
	}
	date := time.Date(y, time.Month(m), n, 0, 0, 0, 0, time.UTC)
	if date.Day() != n {
		return day{}, false
	}
	if !said && date.Before(today) {
		date = time.Date(y+1, time.Month(m), n, 0, 0, 0, 0, time.UTC)
	}
	return day{text: iso(date), append: true, past: date.Before(today)}, true
}

func iso(t time.Time) string { return t.Format(time.DateOnly) }
