package recall_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dormouse/recall"
)

// flaskTurns are turns of which most speak of Flask in nearly the same words, each a
// session and a day of its own: one denies it, and the first tells of it in words
// that go with it.
func flaskTurns() []recall.Doc {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	turn := func(n int, text string) recall.Doc {
		return recall.Doc{ID: fmt.Sprintf("t%02d", n), Kind: recall.Turn, Type: "user", Body: text, When: day(n), Group: fmt.Sprintf("s%02d", n)}
	}
	var docs []recall.Doc
	for n := 3; n <= 8; n++ {
		docs = append(docs, turn(n, "I read a page on flask and blueprints"))
	}
	docs = append(docs,
		turn(1, "I wrote the small shop with flask and blueprints, one route for each of the four pages that customers see, and the basket"),
		turn(9, "I have never used flask in this project"),
		turn(10, "we had soup"), turn(11, "the train was late"))
	return docs
}

// place is where an ID stands among hits, from 1; 0: nowhere.
func place(hits []recall.Hit, id string) int {
	for i, h := range hits {
		if h.ID == id {
			return i + 1
		}
	}
	return 0
}

func TestAQuestionWhetherSomethingIsSoHasBothSides(t *testing.T) {
	t.Parallel()
	parts := indexed(t, flaskTurns()...)
	const question = "Have I used flask in this project?"
	with := recall.Search(recall.Query{Text: question, Limit: 9}, parts)
	left := recall.Search(recall.Query{Text: question, Limit: 9, Without: recall.SignalWhether}, parts)
	if place(with, "t09") != 1 {
		t.Errorf("the turn that says it is not the first: %s", ids(with))
	}
	if a, b := place(with, "t01"), place(left, "t01"); a == 0 || a > 5 || b <= 5 {
		t.Errorf("where it began is in place %d of five, and %d without\n%s\n%s", a, b, ids(with), ids(left))
	}
}

func TestOtherQuestionsAreNoQuestionsWhetherSomethingIsSo(t *testing.T) {
	t.Parallel()
	parts := indexed(t, flaskTurns()...)
	for _, question := range []string{"Where have I used flask?", "flask in this project", "used flask, have I"} {
		with := recall.Search(recall.Query{Text: question}, parts)
		left := recall.Search(recall.Query{Text: question, Without: recall.SignalWhether}, parts)
		if ids(with) != ids(left) {
			t.Errorf("%q: %s, not %s", question, ids(with), ids(left))
		}
	}
	// Notes have no turns beside them, and no first time.
	var notes []recall.Doc
	for _, d := range flaskTurns() {
		notes = append(notes, note(d.ID, d.Body))
	}
	parts = indexed(t, notes...)
	const question = "Have I used flask in this project?"
	if a, b := recall.Search(recall.Query{Text: question}, parts), recall.Search(recall.Query{Text: question, Without: recall.SignalWhether}, parts); ids(a) != ids(b) {
		t.Errorf("notes: %s, not %s", ids(a), ids(b))
	}
}

func TestEachSignalHasANameAndCanBeLeftOut(t *testing.T) {
	t.Parallel()
	names, signals := recall.SignalNames()
	if len(names) != len(signals) {
		t.Fatal(names, signals)
	}
	var all recall.Signals
	for i, s := range signals {
		if s == 0 || all&s != 0 || strings.TrimSpace(names[i]) == "" {
			t.Errorf("%q is %b, beside %b", names[i], s, all)
		}
		all |= s
	}
	parts := indexed(t, flaskTurns()...)
	if hits := recall.Search(recall.Query{Text: "Have I used flask?", Without: all}, parts); len(hits) == 0 || len(hits[0].Why) > 0 {
		t.Errorf("without any signal words alone find, and say no why: %+v", hits)
	}
}
