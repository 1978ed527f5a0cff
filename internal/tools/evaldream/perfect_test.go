package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dormouse/dream"
	"dormouse/note"
	"dormouse/scan/secrets"
	"dormouse/trust"
)

// perfect is a dream out of the truth: what holds once each, what went in the
// archive, dates as they are meant, and a ledger of it.
func perfect(t *testing.T, w *world) *output {
	t.Helper()
	res := &dream.Result{}
	o := &output{result: res}
	origins := map[string]trust.Origin{}
	for _, n := range w.notes {
		origins[n.rel] = n.origin
	}
	var lines []string
	for _, f := range w.Facts {
		text := strings.Replace(planted(f), hole, map[string]string{"date": f.Means, "link": "[[fact-0]]", "link to a copy": "[[fact-0]]"}[f.Kind], 1)
		for i, n := range f.Notes {
			row := dream.Row{File: n, Line: 1, Claim: strings.ReplaceAll(f.Texts[i], hole, " then "), Fate: dream.Kept}
			if f.State == isDeleted || f.State == isRenamed {
				row.Fate = dream.Stale
			}
			res.Rows = append(res.Rows, row)
		}
		name := fmt.Sprintf("fact-%d", f.ID)
		origin, of := trust.UserTurn, []string(nil)
		if len(f.Notes) > 0 {
			origin, of = origins[f.Notes[0]], f.Notes[:1]
		}
		if f.Where == "instructions" || f.Where == "waiting" {
			continue
		}
		b, err := note.New(note.Fields{Name: name, Description: "a fact", Type: "project"}, text)
		if err != nil {
			t.Fatal(err)
		}
		if f.Where == inAny {
			res.Archive = append(res.Archive, dream.Archive{Rel: name + ".md", Bytes: b})
			continue
		}
		o.files = append(o.files, dream.File{Rel: name + ".md", Bytes: b, Origin: origin, Of: of})
		if f.Kind != "poison" {
			lines = append(lines, fmt.Sprintf("- [%s](%s.md) — a fact\n", name, name))
		}
	}
	index := "# Memory\n\n"
	for at := 0; at < len(lines); at += 50 {
		page := fmt.Sprintf("page-%d.md", at)
		index += "- [more](" + page + ") — facts\n"
		o.files = append(o.files, dream.File{Rel: page, List: true, Bytes: []byte("# More\n\n" + strings.Join(lines[at:min(at+50, len(lines))], ""))})
	}
	o.files = append(o.files, dream.File{Rel: "MEMORY.md", List: true, Bytes: []byte(index)})
	for _, r := range w.Relations {
		if a, b := w.Facts[r.A], w.Facts[r.B]; strings.Contains(r.Kind, "equal dates") {
			res.Conflicts = append(res.Conflicts, dream.Conflict{A: dream.Place{File: b.Notes[0], Claim: b.Texts[0]}, B: dream.Place{File: a.Notes[0], Claim: a.Texts[0]}})
		} else if r.Kind == "instructions, otherwise" {
			res.Conflicts = append(res.Conflicts, dream.Conflict{A: dream.Place{File: "CLAUDE.md", Claim: a.Texts[0]}, B: dream.Place{File: b.Notes[0], Claim: b.Texts[0]}})
		}
	}
	res.Waiting = w.said
	o.archived = res.Archive
	return o.read()
}

// planted is the longest text of a fact: of a statement and one that says more it is
// the latter that stays.
func planted(f *fact) string {
	return slices.MaxFunc(f.Texts, func(a, b string) int { return len(a) - len(b) })
}

func TestADreamOutOfTheTruthReachesEveryTarget(t *testing.T) {
	r := &run{guard: trust.NewGuard(trust.Policy{}), finder: secrets.New(), answers: &strings.Builder{}}
	for i, w := range made(t) {
		if w.Large {
			continue
		}
		table := newTable(3)
		(&checker{table: table, w: w, r: r, engine: engineRules, o: perfect(t, w)}).all()
		for _, row := range rows {
			switch row {
			case rowNever, rowDone, rowBytes, rowTenth, rowShuffled, rowRenamed, rowDesc, rowSubset:
				continue // of no one output, or wanted of none; a longer fact and a shorter are two here
			}
			s := table.share(key{row.name, engineRules, "", ""})
			want := s.N
			if row.bad {
				want = 0
			}
			if fixed := row == rowFixedLeft || row == rowFixedSaid; s.N == 0 && !(fixed && w.fixed == nil) || s.K != want {
				t.Errorf("world %d: %s: %s\n%s", i, row.name, s, strings.Join(table.failures[[2]string{row.name, engineRules}], "\n"))
			}
		}
	}
}

func TestDoingNothingFailsWhereThereIsSomethingToDo(t *testing.T) {
	r := &run{guard: trust.NewGuard(trust.Policy{}), finder: secrets.New(), answers: &strings.Builder{}}
	for i, w := range made(t) {
		table := newTable(0)
		(&checker{table: table, w: w, r: r, engine: engineNoop, o: w.noop()}).all()
		for row, want := range map[row]bool{
			rowRetained: true, rowEqualLeft: true, rowExact: false, rowLight: false, rowParaphrase: false, rowSubset: false, rowEqualSaid: false,
		} {
			s := table.share(key{row.name, engineNoop, "", ""})
			if s.N == 0 || want && s.K != s.N || !want && s.K != 0 {
				t.Errorf("world %d: %s: %s", i, row.name, s)
			}
		}
		if s := table.share(key{rowSecrets.name, engineNoop, "", ""}); s.K != s.N || s.N == 0 {
			t.Errorf("world %d: secrets: %s", i, s)
		}
	}
}
