package claim

import (
	"strconv"
	"strings"
)

// The sorts of values. Values of different sorts don't exclude each other.
const (
	plainNumber uint8 = iota + 1
	duration
	bytesize
	percent
	version
	date
	clock
	address
	weekday
	month
)

// valueOf writes a value as it is compared: 30 seconds, 30s and half a minute in
// one way, a version without its v.
func valueOf(w string) string {
	if len(w) > 1 && w[0] == 'v' && w[1] >= '0' && w[1] <= '9' {
		return w[1:]
	}
	if n := numberWord(w); n != "" {
		return n
	}
	num, unit := cutNumber(w)
	if num == "" || unit == "" {
		return w
	}
	u := unitOf(strings.Trim(unit, " -.\u00a0"))
	f, err := strconv.ParseFloat(num, 64)
	if u == 0 || err != nil {
		if n := numberWord(num); n != "" {
			return valueOf(n + unit)
		}
		return w
	}
	kind := "~b"
	switch {
	case u == 1:
		return num + "%"
	case u < 0:
		kind = "~t"
		f *= float64(-u)
	default:
		f *= float64(u)
	}
	return kind + strconv.FormatFloat(f, 'g', -1, 64)
}

// cutNumber parts 30s, 30 seconds, two weeks.
func cutNumber(w string) (num, unit string) {
	if n, u, ok := strings.Cut(w, " "); ok {
		if digits := numberWord(n); digits != "" {
			n = digits
		}
		return n, u
	}
	i := 0
	for i < len(w) && (w[i] >= '0' && w[i] <= '9' || w[i] == '.') {
		i++
	}
	return w[:i], w[i:]
}

// isClock reports whether a word is digits and colons, like 9:30.
func isClock(w string) bool {
	return w[0] >= '0' && w[0] <= '9' && strings.Trim(w, "0123456789:") == "" && strings.Count(w, ":") < 3
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") < 2
}

// unitOf is the size of a unit: of time below 0, in milliseconds; of data above
// 1, in bytes; 1 is percent; 0 no unit.
func unitOf(w string) int64 {
	const (
		second = 1000
		minute = 60 * second
		hour   = 60 * minute
		day    = 24 * hour
	)
	switch w {
	case "%", "percent", "pct", "відсоток", "відсотка", "відсотків", "відсотки":
		return 1
	case "ms", "millisecond", "milliseconds", "мс", "мілісекунд", "мілісекунди":
		return -1
	case "s", "sec", "secs", "second", "seconds", "с", "сек", "секунд", "секунди", "секунда", "секунду":
		return -second
	case "m", "min", "mins", "minute", "minutes", "хв", "хвилин", "хвилини", "хвилина", "хвилину":
		return -minute
	case "h", "hr", "hrs", "hour", "hours", "год", "годин", "години", "година", "годину":
		return -hour
	case "d", "day", "days", "день", "дні", "днів", "дня":
		return -day
	case "week", "weeks", "тиждень", "тижні", "тижнів", "тижня":
		return -7 * day
	case "month", "months", "місяць", "місяці", "місяців", "місяця":
		return -30 * day
	case "year", "years", "рік", "роки", "років", "року":
		return -365 * day
	case "kb", "kib", "kilobytes", "кб":
		return 1 << 10
	case "mb", "mib", "megabytes", "megabyte", "мб", "мегабайт", "мегабайти":
		return 1 << 20
	case "gb", "gib", "gigabytes", "gigabyte", "гб", "гігабайт", "гігабайти":
		return 1 << 30
	case "tb", "tib", "terabytes":
		return 1 << 40
	}
	return 0
}

// sortOf tells what a value is, of the way it is compared by.
func sortOf(v, plain string, counts bool) uint8 {
	switch {
	case strings.HasPrefix(v, "~t"):
		return duration
	case strings.HasPrefix(v, "~b"):
		return bytesize
	case strings.HasSuffix(v, "%"):
		return percent
	case isNumber(v):
		return plainNumber
	case counts && isMonth(plain):
		return month
	case counts:
		return weekday
	case strings.Contains(v, ":"):
		return clock
	case strings.Count(v, "-") == 2:
		return date
	case strings.Count(v, ".") == 3:
		return address
	}
	return version
}

// numberWord returns the digits of a number that is written as a word.
func numberWord(w string) string {
	switch w {
	case "one", "один", "одна", "одне":
		return "1"
	case "two", "два", "дві":
		return "2"
	case "three", "три":
		return "3"
	case "four", "чотири":
		return "4"
	case "five", "пять":
		return "5"
	case "six", "шість":
		return "6"
	case "seven", "сім":
		return "7"
	case "eight", "вісім":
		return "8"
	case "nine", "девять":
		return "9"
	case "ten", "десять":
		return "10"
	case "twelve", "дванадцять":
		return "12"
	case "twenty", "двадцять":
		return "20"
	case "thirty", "тридцять":
		return "30"
	case "forty":
		return "40"
	case "fifty":
		return "50"
	case "hundred":
		return "100"
	}
	return ""
}

func isMonth(w string) bool {
	switch w {
	case "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
		"січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада",
		"грудня", "січень", "лютий", "березень", "квітень", "травень", "червень", "липень", "серпень", "вересень", "жовтень", "листопад", "грудень":
		return true
	}
	return false
}

// runsTasks reports whether a word is a program that is told a task by name.
func runsTasks(w string) bool {
	switch w {
	case "make", "npm", "pnpm", "yarn", "bun", "cargo", "go", "just", "task", "mvn", "gradle", "gradlew", "poetry", "uv", "dotnet", "tox", "rake",
		"bazel", "nox", "mix", "composer", "deno", "swift", "sbt", "ninja", "npx":
		return true
	}
	return false
}

func isTask(w string) bool {
	switch w {
	case "test", "build", "lint", "check", "fmt", "vet", "verify", "clippy", "dev", "watch", "jest", "vitest", "package":
		return true
	}
	return false
}
