package db

import (
	"strconv"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// place is where a list ordered by time and id goes on: behind this row.
type place struct {
	at int64 // microseconds
	id string
}

func (p place) cursor() apiserver.Cursor {
	return apiserver.Cursor(strconv.FormatInt(p.at, 36) + "." + p.id)
}

// placeOf reads a cursor. ok is false of the first page's, which is empty.
func placeOf(c apiserver.Cursor) (p place, ok bool, err error) {
	if c == "" {
		return place{}, false, nil
	}
	at, id, found := strings.Cut(string(c), ".")
	p.at, err = strconv.ParseInt(at, 36, 64)
	if err != nil || !found || id == "" {
		return place{}, false, badCursor()
	}
	p.id = id
	return p, true, nil
}

func badCursor() error { return wire.Invalid("page is no cursor of this list") }

func micros(t time.Time) int64 { return t.UnixMicro() }

func at(us int64) wire.Time { return wire.At(time.UnixMicro(us)) }

func maybe(us *int64) *wire.Time {
	if us == nil {
		return nil
	}
	t := at(*us)
	return &t
}

// where collects conditions of a statement and their arguments.
type where struct {
	text []string
	args []any
}

// add appends a condition; each ? in it becomes the number of its argument.
func (w *where) add(cond string, args ...any) {
	for _, a := range args {
		w.args = append(w.args, a)
		cond = strings.Replace(cond, "?", "$"+strconv.Itoa(len(w.args)), 1)
	}
	w.text = append(w.text, cond)
}

func (w *where) span(column string, s apiserver.Span) {
	if !s.After.IsZero() {
		w.add(column+" >= ?", micros(s.After))
	}
	if !s.Before.IsZero() {
		w.add(column+" <= ?", micros(s.Before))
	}
}

func (w *where) String() string { return strings.Join(w.text, " AND ") }

// behind bounds a list that is newest first to what comes after a place.
func (w *where) behind(column string, p place) {
	w.add("("+column+" < ? OR ("+column+" = ? AND id < ?))", p.at, p.at, p.id)
}

// cut takes the row too many off a page, which was asked for to know whether there is
// one, and returns the cursor of the next page.
func cut[T any](rows []T, limit int, of func(T) place) ([]T, apiserver.Cursor) {
	if len(rows) <= limit {
		return rows, ""
	}
	rows = rows[:limit]
	return rows, of(rows[limit-1]).cursor()
}

// in makes "$2, $3" of a list.
func (w *where) in(column string, values []string) {
	marks := make([]string, len(values))
	args := make([]any, len(values))
	for i, v := range values {
		marks[i], args[i] = "?", v
	}
	w.add(column+" IN ("+strings.Join(marks, ", ")+")", args...)
}
