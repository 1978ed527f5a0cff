// Package main measures recall: how often the turn that answers a question is
// among the first that are found, on sets that others made, with plain BM25 in
// the same table; how often what is shown unasked is right; and how long it takes.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"dormouse/recall"
)

func main() {
	speed := flag.Bool("speed", false, "measure time instead")
	longmem := flag.String("longmemeval", "", "score on a LongMemEval `FILE` (longmemeval_s_cleaned.json)")
	flag.Parse()
	data := os.Getenv("DATA")
	if data == "" {
		data = "../shared/data"
	}
	var err error
	switch {
	case *speed:
		err = runSpeed(os.Stdout)
	case *longmem != "":
		err = runLongMemEval(os.Stdout, *longmem)
	default:
		err = run(os.Stdout, data)
	}
	var missing errNoData
	if errors.As(err, &missing) {
		fmt.Printf("skip: %v; DATA names the folder that holds locomo and beam-100k\n", missing)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints the tables of all sets and, last, the figures that have a floor.
func run(w io.Writer, data string) error {
	lo, err := locomo(data)
	if err != nil {
		return err
	}
	be, err := beam(data)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "Each conversation is its own corpus. Constants were chosen by dev; test was printed beside it all the while. 95 %: Wilson interval of hit@5.")
	turns := evaluate(lo, turnSearcher(0))
	turns.table(w, "LoCoMo, turns (categories 1 to 4)")
	sessions := evaluate(sessionsOf(lo), groupSearcher(lo, 0))
	sessions.table(w, "LoCoMo, sessions")
	messages := evaluate(be, turnSearcher(0))
	messages.table(w, "BEAM 100K, messages of both roles")
	certain(w, "LoCoMo", lo)
	certain(w, "BEAM 100K", be)
	apart(w, lo, be)
	without(w, lo, be)
	if err := meaning(w, os.Getenv("EMBED"), lo, be); err != nil {
		return err
	}
	last, err := json.Marshal(map[string]float64{
		"locomo_turn_hit5":           percent(float64(turns.ours["all"].hit5), turns.ours["all"].n),
		"locomo_session_hit5":        percent(float64(sessions.ours["all"].hit5), sessions.ours["all"].n),
		"beam_hit10":                 percent(float64(messages.ours["all"].hit10), messages.ours["all"].n),
		"beam_contradiction_all10":   percent(float64(messages.ours["contradiction_resolution"].all10), messages.ours["contradiction_resolution"].n),
		"beam_knowledgeupdate_all10": percent(float64(messages.ours["knowledge_update"].all10), messages.ours["knowledge_update"].n),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n", last)
	return nil
}

// A searcher answers the questions of one conversation with ranked IDs.
type searcher func(c conversation) func(question string) []string

// turnSearcher answers with turns, without some signals.
func turnSearcher(left recall.Signals) searcher {
	return func(c conversation) func(string) []string {
		parts := index(c.docs)
		return func(q string) []string {
			var ids []string
			for _, h := range recall.Search(recall.Query{Text: q, Without: left}, parts) {
				ids = append(ids, h.ID)
			}
			return ids
		}
	}
}

// groupSearcher answers with sessions, for which it needs the turns.
func groupSearcher(set []conversation, left recall.Signals) searcher {
	return func(c conversation) func(string) []string {
		var parts []recall.Part
		for _, o := range set {
			if o.name == c.name {
				parts = index(o.docs)
			}
		}
		return func(q string) []string {
			var ids []string
			for _, h := range recall.SearchGroups(recall.Query{Text: q, Without: left}, parts) {
				ids = append(ids, h.Group)
			}
			return ids
		}
	}
}

func index(docs []recall.Doc) []recall.Part {
	b := recall.NewBuilder()
	for _, d := range docs {
		b.Add(d)
	}
	return []recall.Part{{Index: b.Index()}}
}

func sessionsOf(set []conversation) []conversation {
	var all []conversation
	for _, c := range set {
		all = append(all, c.sessions())
	}
	return all
}

// results are the figures of one set by row: the splits, all, and each kind.
type results struct {
	rows        []string
	plain, ours map[string]*figures
}

func (r *results) add(row string, plain, ours, gold []string) {
	if r.plain[row] == nil {
		r.plain[row], r.ours[row] = &figures{}, &figures{}
		r.rows = append(r.rows, row)
	}
	r.plain[row].add(plain, gold)
	r.ours[row].add(ours, gold)
}

// split counts a kind by split, which is not a row of the table.
func (r *results) split(name string, ours, gold []string) {
	if r.ours[name] == nil {
		r.ours[name] = &figures{}
	}
	r.ours[name].add(ours, gold)
}

func evaluate(set []conversation, s searcher) *results {
	r := &results{plain: map[string]*figures{}, ours: map[string]*figures{}}
	for _, split := range []string{"all", "dev", "test"} {
		r.rows = append(r.rows, split)
		r.plain[split], r.ours[split] = &figures{}, &figures{}
	}
	audited := slices.ContainsFunc(set, func(c conversation) bool {
		return slices.ContainsFunc(c.questions, func(q question) bool { return len(q.corrected) > 0 })
	})
	for _, c := range set {
		split := "test"
		if c.dev {
			split = "dev"
		}
		plain, ours := newPlain(c.docs), s(c)
		for _, q := range c.questions {
			x, y := plain.search(q.text), ours(q.text)
			for _, row := range []string{"all", split, q.kind} {
				r.add(row, x, y, q.gold)
			}
			r.split(q.kind+", "+split, y, q.gold)
			switch {
			case len(q.corrected) > 0:
				r.add("all, evidence as audited", x, y, q.corrected)
			case audited:
				r.add("all, evidence as audited", x, y, q.gold)
			}
		}
	}
	return r
}

func (r *results) table(w io.Writer, title string) {
	fmt.Fprintf(w, "\n%s\n", title)
	head(w)
	for _, row := range r.rows {
		r.plain[row].row(w, row+": plain BM25")
		r.ours[row].row(w, row+": recall")
	}
}
