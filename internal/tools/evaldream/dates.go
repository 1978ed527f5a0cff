package main

import (
	"math/rand/v2"
	"time"
)

// A said day is a date as somebody says it on a day, and what is meant: a day, or a
// month. It is worked out here for itself, not with what is measured.
type saidDay struct{ words, means string }

const (
	isoDay   = "2006-01-02"
	isoMonth = "2006-01"
)

func pastDay(r *rand.Rand, lang string, now time.Time) saidDay {
	back := func(n int) string { return now.AddDate(0, 0, -n).Format(isoDay) }
	month := time.Date(now.Year(), now.Month(), 0, 12, 0, 0, 0, time.UTC).Format(isoMonth)
	en := []saidDay{
		{"yesterday", back(1)},
		{"three days ago", back(3)},
		{"two weeks ago", back(14)},
		{"last month", month},
		{"today", back(0)},
		{"a week ago", back(7)},
		{"10 days ago", back(10)},
	}
	uk := []saidDay{
		{"вчора", back(1)},
		{"три дні тому", back(3)},
		{"два тижні тому", back(14)},
		{"минулого місяця", month},
		{"сьогодні", back(0)},
		{"тиждень тому", back(7)},
		{"10 днів тому", back(10)},
		{"позавчора", back(2)},
	}
	if lang == "uk" {
		return uk[r.IntN(len(uk))]
	}
	return en[r.IntN(len(en))]
}

func nextDay(r *rand.Rand, lang string, now time.Time) saidDay {
	ahead := func(n int) string { return now.AddDate(0, 0, n).Format(isoDay) }
	day := 1 + r.IntN(6) // of today's weekday it would be two days
	week := now.AddDate(0, 0, day)
	last := time.Date(now.Year(), now.Month()+1, 0, 12, 0, 0, 0, time.UTC).Format(isoDay)
	month := time.Date(now.Year(), now.Month()+1, 1, 12, 0, 0, 0, time.UTC).Format(isoMonth)
	by := []string{"до неділі", "до понеділка", "до вівторка", "до середи", "до четверга", "до п'ятниці", "до суботи"}
	en := []saidDay{
		{"tomorrow", ahead(1)},
		{"in two weeks", ahead(14)},
		{"by " + week.Weekday().String(), ahead(day)},
		{"next month", month},
		{"in three days", ahead(3)},
		{"by the end of the month", last},
		{"in 5 days", ahead(5)},
	}
	uk := []saidDay{
		{"завтра", ahead(1)},
		{"через два тижні", ahead(14)},
		{by[week.Weekday()], ahead(day)},
		{"наступного місяця", month},
		{"через три дні", ahead(3)},
		{"до кінця місяця", last},
		{"через 5 днів", ahead(5)},
		{"післязавтра", ahead(2)},
	}
	if lang == "uk" {
		return uk[r.IntN(len(uk))]
	}
	return en[r.IntN(len(en))]
}
