package main

import (
	"math/rand/v2"
	"time"
)

// day is a date as somebody would say it on the day of the turn, and the date that
// is meant. It is worked out here for itself, not with what is measured.
type day struct{ on, by, iso string }

func pickDay(r *rand.Rand, lang string, now time.Time) day {
	en := []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	ukOn := []string{"у неділю", "у понеділок", "у вівторок", "у середу", "у четвер", "у п'ятницю", "у суботу"}
	ukBy := []string{"до неділі", "до понеділка", "до вівторка", "до середи", "до четверга", "до п'ятниці", "до суботи"}
	months := []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	ukMonths := []string{"січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада", "грудня"}
	ahead := func(n int) (time.Time, string) {
		d := now.AddDate(0, 0, n)
		return d, d.Format("2006-01-02")
	}
	end, endISO := time.Date(now.Year(), now.Month()+1, 0, 0, 0, 0, 0, time.UTC), ""
	endISO = end.Format("2006-01-02")
	switch r.IntN(7) {
	case 0, 1:
		d, iso := ahead(1 + r.IntN(6))
		if lang == "uk" {
			return day{ukOn[d.Weekday()], ukBy[d.Weekday()], iso}
		}
		return day{"on " + en[d.Weekday()], "by " + en[d.Weekday()], iso}
	case 2:
		_, iso := ahead(1)
		if lang == "uk" {
			return day{"завтра", "до завтра", iso}
		}
		return day{"tomorrow", "by tomorrow", iso}
	case 3:
		_, iso := ahead(14)
		if lang == "uk" {
			return day{"через два тижні", "за два тижні", iso}
		}
		return day{"in two weeks", "in two weeks", iso}
	case 4:
		if lang == "uk" {
			return day{"наприкінці місяця", "до кінця місяця", endISO}
		}
		return day{"at the end of the month", "by the end of the month", endISO}
	case 5:
		n := 3 + r.IntN(4)
		_, iso := ahead(n)
		if lang == "uk" {
			w := map[int]string{3: "три", 4: "чотири", 5: "п'ять", 6: "шість"}[n]
			unit := "дні"
			if n > 4 {
				unit = "днів"
			}
			return day{"через " + w + " " + unit, "за " + w + " " + unit, iso}
		}
		w := map[int]string{3: "three", 4: "four", 5: "five", 6: "six"}[n]
		return day{"in " + w + " days", "in " + w + " days", iso}
	default:
		d, iso := ahead(20 + r.IntN(200))
		num := d.Format("2")
		if lang == "uk" {
			m := ukMonths[d.Month()-1]
			return day{num + " " + m, "до " + num + " " + m, iso}
		}
		return day{"on " + months[d.Month()-1] + " " + num, "by " + months[d.Month()-1] + " " + num, iso}
	}
}
