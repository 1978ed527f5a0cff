package main

import (
	"fmt"
	"io"
	"strings"

	"dormouse/recall"
)

// without prints what is lost, or gained, when one signal at a time is left out:
// what gains nowhere has no place in the engine.
func without(w io.Writer, lo, be []conversation) {
	fmt.Fprintln(w, "\nSignals: the figures with all of them, and by how much each figure changes without one")
	fmt.Fprintf(w, "%-24s %22s %22s %22s %22s %16s %16s\n", "", "LoCoMo turn", "LoCoMo session", "BEAM message", "BEAM message", "contradiction", "update")
	fmt.Fprintf(w, "%-24s %22s %22s %22s %22s %16s %16s\n", "dev / test", "hit@5", "hit@5", "hit@10", "ndcg10", "all@10", "all@10")
	all := measured(lo, be, 0)
	all.row(w, "all signals", nil)
	names, signals := recall.SignalNames()
	for i, s := range signals {
		measured(lo, be, s).row(w, "without "+names[i], all)
	}
	// The questions of the sets are spelt right, so spelling is measured on others.
	typed := mistyped(lo)
	with, left := evaluate(typed, turnSearcher(0)).ours, evaluate(typed, turnSearcher(recall.SignalSpell)).ours
	for _, split := range []string{"dev", "test"} {
		a, b := with[split], left[split]
		fmt.Fprintf(w, "LoCoMo turn, two letters of the longest word exchanged, %s: hit@5 %.1f, without spelling %.1f (n=%d)\n",
			split, percent(float64(a.hit5), a.n), percent(float64(b.hit5), b.n), a.n)
	}
}

// mistyped are the same conversations, in each question the longest word with two
// letters exchanged in its middle.
func mistyped(set []conversation) []conversation {
	var out []conversation
	for _, c := range set {
		own := c
		own.questions = nil
		for _, q := range c.questions {
			q.text = mistype(q.text)
			own.questions = append(own.questions, q)
		}
		out = append(out, own)
	}
	return out
}

func mistype(text string) string {
	longest := ""
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' }) {
		if len(w) > len(longest) {
			longest = w
		}
	}
	mid := len(longest) / 2
	for at := mid; at+1 < len(longest); at++ {
		if longest[at] != longest[at+1] {
			wrong := longest[:at] + longest[at+1:at+2] + longest[at:at+1] + longest[at+2:]
			return strings.Replace(text, longest, wrong, 1)
		}
	}
	return text
}

// pairOf is a figure of the two splits.
type pairOf struct{ dev, test float64 }

// columns are the figures of one row, in the order of the table.
type columns []pairOf

func measured(lo, be []conversation, left recall.Signals) columns {
	turns := evaluate(lo, turnSearcher(left)).ours
	sessions := evaluate(sessionsOf(lo), groupSearcher(lo, left)).ours
	messages := evaluate(be, turnSearcher(left)).ours
	split := func(of map[string]*figures, row string, figure func(*figures) float64) pairOf {
		at := func(split string) float64 {
			if f := of[row+split]; f != nil {
				return figure(f)
			}
			return 0
		}
		return pairOf{at("dev"), at("test")}
	}
	hit5 := func(f *figures) float64 { return percent(float64(f.hit5), f.n) }
	hit10 := func(f *figures) float64 { return percent(float64(f.hit10), f.n) }
	all10 := func(f *figures) float64 { return percent(float64(f.all10), f.n) }
	ndcg := func(f *figures) float64 { return percent(f.ndcg10, f.n) }
	return columns{
		split(turns, "", hit5), split(sessions, "", hit5), split(messages, "", hit10), split(messages, "", ndcg),
		split(messages, "contradiction_resolution, ", all10), split(messages, "knowledge_update, ", all10),
	}
}

// row prints figures, or how they differ from those with all signals.
func (c columns) row(w io.Writer, name string, all columns) {
	fmt.Fprintf(w, "%-24s", name)
	for i, p := range c {
		format, width := "%.1f / %.1f", 22
		if all != nil {
			format = "%+.1f / %+.1f"
			p.dev, p.test = p.dev-all[i].dev, p.test-all[i].test
		}
		if i >= 4 {
			width = 16
		}
		fmt.Fprintf(w, " %*s", width, fmt.Sprintf(format, p.dev, p.test))
	}
	fmt.Fprintln(w)
}
