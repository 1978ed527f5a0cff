package recall

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/recall/words"
)

// A period is some days in a row that a question names: a month or a day of it,
// or what is told from now.
type period struct {
	year, month, day int       // a day of 0 is the whole month, a year of 0 any year
	from, to         time.Time // told from now: from the first to before the second
}

// What is told of a day is most often told that day or in the next two weeks.
const toldWithin = 14 * 24 * time.Hour

// holds reports whether a time is within what was named, or close behind it.
func (p period) holds(t time.Time) bool {
	if !p.from.IsZero() {
		return !t.Before(p.from) && t.Before(p.to)
	}
	for _, year := range [...]int{t.Year(), t.Year() - 1} {
		if p.year != 0 && year != p.year {
			continue
		}
		from := time.Date(year, time.Month(p.month), max(p.day, 1), 0, 0, 0, 0, time.UTC)
		to := from.AddDate(0, 0, 1)
		if p.day == 0 {
			to = from.AddDate(0, 1, 0)
		}
		if !t.Before(from) && t.Before(to.Add(toldWithin)) {
			return true
		}
	}
	return false
}

// The months by all words for them, each behind its number: in English, and in
// Ukrainian those that end unlike the others.
const monthWords = " 1 january 2 february 2 лютий 2 лютого 2 лютому 2 лютим 3 march 4 april 5 may 6 june 7 july 8 august 9 september 10 october " +
	"11 november 11 листопад 11 листопада 11 листопаду 11 листопаді 11 листопадом 12 december "

// Short forms are words as well, so a number must stand beside them.
const monthShort = " 1 jan 2 feb 3 mar 4 apr 6 jun 7 jul 8 aug 9 sep 9 sept 10 oct 11 nov 12 dec "

// Ukrainian months that end alike: травень, травня.
const (
	monthStems   = " 1 січ 3 берез 4 квіт 5 трав 6 черв 7 лип 8 серп 9 верес 10 жовт 12 груд "
	monthEndings = "ень ня ню нем ні"
)

// monthOf returns the month that a key names, 0 for none, and whether the key may
// be another word.
func monthOf(key string) (month int, unsure bool) {
	if n := numbered(monthWords, key); n > 0 {
		return n, key == "may" || key == "march"
	}
	if n := numbered(monthShort, key); n > 0 {
		return n, true
	}
	for ending := range strings.SplitSeq(monthEndings, " ") {
		if stem, ok := strings.CutSuffix(key, ending); ok && stem != "" {
			if n := numbered(monthStems, stem); n > 0 {
				return n, false
			}
		}
	}
	return 0, false
}

// numbered returns the number before a word in a list.
func numbered(list, word string) int {
	at := strings.Index(list, " "+word+" ")
	if at < 0 {
		return 0
	}
	n, _ := strconv.Atoi(list[strings.LastIndexByte(list[:at], ' ')+1 : at])
	return n
}

// periods finds the days that a question names: dates, and days told from now.
func periods(text string, now time.Time) []period {
	var keys, raw []string
	words.Each(text, func(t words.Token) {
		if !t.Within {
			keys = append(keys, string(t.Key))
			raw = append(raw, text[t.Start:t.End])
		}
	})
	var found []period
	for i, key := range keys {
		number := func(j, low, high int) int {
			if j < 0 || j >= len(keys) {
				return 0
			}
			digits := strings.TrimRight(keys[j], "stndrh")
			if n, err := strconv.Atoi(digits); err == nil && low <= n && n <= high {
				return n
			}
			return 0
		}
		if year := number(i, 1990, 2100); year > 0 && len(key) == 4 {
			month := number(i+1, 1, 12)
			if month > 0 && len(keys[i+1]) == 2 { // 2023-05-08
				found = append(found, period{year: year, month: month, day: number(i+2, 1, 31)})
			}
			continue
		}
		month, unsure := monthOf(key)
		if month == 0 {
			continue
		}
		p := period{month: month, day: number(i-1, 1, 31)}
		next := i + 1
		if p.day == 0 && i > 1 && (keys[i-1] == "of") {
			p.day = number(i-2, 1, 31)
		}
		if p.day == 0 {
			if p.day = number(next, 1, 31); p.day > 0 {
				next++
			}
		}
		p.year = number(next, 1990, 2100)
		if unsure && p.day == 0 && p.year == 0 && (i == 0 || !capital(raw[i])) {
			continue
		}
		found = append(found, p)
	}
	return append(found, fromNow(keys, now)...)
}

// capital reports whether a word starts with a capital letter.
func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// fromNow finds days told from now: yesterday, last week.
func fromNow(keys []string, now time.Time) []period {
	if now.IsZero() {
		return nil
	}
	text := " " + strings.Join(keys, " ") + " "
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	var found []period
	for _, named := range [...]struct {
		words    string
		from, to int // days from today
	}{
		{"today|сьогодні", 0, 1},
		{"yesterday|вчора|учора", -1, 0},
		{"last week|past week|минулого тижня|минулий тиждень", -14, 0},
		{"this week|цього тижня|цей тиждень", -7, 1},
		{"last month|past month|минулого місяця|минулий місяць", -62, 0},
		{"this month|цього місяця", -31, 1},
		{"recently|lately|нещодавно|останнім часом", -31, 1},
	} {
		for w := range strings.SplitSeq(named.words, "|") {
			if strings.Contains(text, " "+w+" ") {
				found = append(found, period{from: today.AddDate(0, 0, named.from), to: today.AddDate(0, 0, named.to)})
			}
		}
	}
	return found
}
