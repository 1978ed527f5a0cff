package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/recall"
)

// A longQuestion is one entry of LongMemEval: a question with a haystack of its own.
type longQuestion struct {
	ID       string       `json:"question_id"`
	Type     string       `json:"question_type"`
	Question string       `json:"question"`
	Date     string       `json:"question_date"`
	Sessions []string     `json:"haystack_session_ids"`
	Dates    []string     `json:"haystack_dates"`
	Turns    [][]longTurn `json:"haystack_sessions"`
}

type longTurn struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	HasAnswer bool   `json:"has_answer"`
}

const longDate = "2006/01/02 (Mon) 15:04"

// conversation returns the haystack as the official script makes it at session
// level: what the user said, and a session as an answer only where one of his
// turns has it. ok is false for what that script leaves out of its means: questions
// to abstain from, and those without such a session.
func (q longQuestion) conversation() (c conversation, ok bool) {
	c = conversation{name: q.ID}
	one := question{id: q.ID, kind: q.Type, text: q.Question}
	for i, turns := range q.Turns {
		if i >= len(q.Sessions) {
			break
		}
		id, answers := q.Sessions[i], false
		var when time.Time
		if i < len(q.Dates) {
			when, _ = time.Parse(longDate, q.Dates[i])
		}
		for j, t := range turns {
			if t.Role != "user" {
				continue
			}
			answers = answers || t.HasAnswer
			c.docs = append(c.docs, recall.Doc{
				ID: id + "_" + strconv.Itoa(j+1), Kind: recall.Turn, Type: t.Role, Body: t.Content, When: when, Group: id, Seq: j,
			})
		}
		if answers && strings.Contains(id, "answer") && !slices.Contains(one.gold, id) {
			one.gold = append(one.gold, id)
		}
	}
	c.questions = []question{one}
	return c, !strings.HasSuffix(q.ID, "_abs") && len(one.gold) > 0
}

// officialNDCG is the gain of LongMemEval's eval_utils.py, which counts the second
// place like the first.
func officialNDCG(ranked, gold []string, k int) float64 {
	discount := func(place int) float64 {
		if place == 0 {
			return 1
		}
		return 1 / math.Log2(float64(place)+1)
	}
	gain, ideal := 0.0, 0.0
	for i, id := range ranked[:min(k, len(ranked))] {
		if slices.Contains(gold, id) {
			gain += discount(i)
		}
	}
	for i := range min(k, len(gold)) {
		ideal += discount(i)
	}
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}

// longFigures are sums over questions, by k.
type longFigures struct {
	n               int
	some, all, gain map[int]float64
}

func (f *longFigures) add(ranked, gold []string) {
	if f.some == nil {
		f.some, f.all, f.gain = map[int]float64{}, map[int]float64{}, map[int]float64{}
	}
	f.n++
	for _, k := range longKs() {
		top := ranked[:min(k, len(ranked))]
		found := 0
		for _, g := range gold {
			if slices.Contains(top, g) {
				found++
			}
		}
		if found > 0 {
			f.some[k]++
		}
		if found == len(gold) {
			f.all[k]++
		}
		f.gain[k] += officialNDCG(ranked, gold, k)
	}
}

func longKs() []int { return []int{1, 3, 5, 10} }

func (f *longFigures) row(w io.Writer, name string) {
	fmt.Fprintf(w, "%-44s %5d", name, f.n)
	for _, k := range longKs() {
		n := max(float64(f.n), 1)
		fmt.Fprintf(w, "  %5.1f %5.1f %.3f", 100*f.some[k]/n, 100*f.all[k]/n, f.gain[k]/n)
	}
	fmt.Fprintln(w)
}

// runLongMemEval scores sessions on a file of LongMemEval, by the official rules.
func runLongMemEval(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("opening the LongMemEval file: %w", err)
	}
	defer f.Close()
	rows := []string{"all"}
	plain, ours := map[string]*longFigures{}, map[string]*longFigures{}
	left := 0
	err = eachLongQuestion(f, func(q longQuestion) {
		c, ok := q.conversation()
		if !ok {
			left++
			return
		}
		one := c.questions[0]
		x := newPlain(c.sessions().docs).search(one.text)
		now, _ := time.Parse(longDate, q.Date)
		var y []string
		for _, h := range recall.SearchGroups(recall.Query{Text: one.text, Now: now}, index(c.docs)) {
			y = append(y, h.Group)
		}
		for _, row := range []string{"all", q.Type} {
			if plain[row] == nil {
				plain[row], ours[row] = &longFigures{}, &longFigures{}
				if row != "all" {
					rows = append(rows, row)
				}
			}
			plain[row].add(x, one.gold)
			ours[row].add(y, one.gold)
		}
	})
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	fmt.Fprintf(w, "LongMemEval, sessions, what the user said; %d questions left out as the official script does\n", left)
	fmt.Fprintf(w, "%-44s %5s", "", "n")
	for _, k := range longKs() {
		fmt.Fprintf(w, "  any@%-2d all@%-2d ndcg", k, k)
	}
	fmt.Fprintln(w)
	for _, row := range rows {
		if plain[row] != nil {
			plain[row].row(w, row+": plain BM25")
			ours[row].row(w, row+": recall")
		}
	}
	return nil
}

// eachLongQuestion reads one entry after the other: the file has hundreds of MB.
func eachLongQuestion(r io.Reader, f func(longQuestion)) error {
	d := json.NewDecoder(r)
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("it is no list of questions (%w)", orEOF(err))
	}
	for d.More() {
		var q longQuestion
		if err := d.Decode(&q); err != nil {
			return err
		}
		f(q)
	}
	_, err := d.Token()
	return err
}

func orEOF(err error) error {
	if err == nil {
		return io.ErrUnexpectedEOF
	}
	return err
}
