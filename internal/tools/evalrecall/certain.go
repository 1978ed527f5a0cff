package main

import (
	"fmt"
	"io"
	"slices"

	"dormouse/internal/tools/evalkit"
	"dormouse/recall"
)

// certain measures what would be shown unasked: of the questions of each
// conversation, how often something is certain in its own corpus and how often
// that is right; and how often in the corpus of another conversation, where
// nothing should be.
func certain(w io.Writer, title string, set []conversation) {
	fmt.Fprintf(w, "\n%s, what is certain (at most 3 hits a question)\n", title)
	for _, split := range []string{"dev", "test"} {
		var asked, spoke, right, foreign, wrong int
		for _, c := range set {
			if c.dev != (split == "dev") {
				continue
			}
			parts := index(c.docs)
			for _, o := range set {
				for _, q := range o.questions {
					ids := shown(q.text, parts)
					switch {
					case o.name == c.name:
						asked++
						if len(ids) > 0 {
							spoke++
						}
						if slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(q.gold, id) }) {
							right++
						}
					default:
						foreign++
						if len(ids) > 0 {
							wrong++
						}
					}
				}
			}
		}
		low, high := evalkit.Wilson(right, spoke)
		fmt.Fprintf(w, "%-5s own: %d questions, something certain for %d (%.1f %%), of these with an answer among it %.1f %% (95 %%: %.1f–%.1f)\n",
			split, asked, spoke, percent(float64(spoke), asked), percent(float64(right), spoke), 100*low, 100*high)
		low, high = evalkit.Wilson(wrong, foreign)
		fmt.Fprintf(w, "%-5s of another conversation: %d questions, something certain for %d (%.2f %%; 95 %%: %.2f–%.2f)\n",
			split, foreign, wrong, percent(float64(wrong), foreign), 100*low, 100*high)
	}
}

// shown returns the IDs of the certain ones among the first three hits.
func shown(question string, parts []recall.Part) []string {
	var ids []string
	for _, h := range recall.Search(recall.Query{Text: question, Limit: 3}, parts) {
		if h.Certain {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// apart asks the questions of each conversation where all the others of all sets
// are one corpus: the more there is, the more comes together by chance.
func apart(w io.Writer, sets ...[]conversation) {
	all := slices.Concat(sets...)
	var asked, wrong, documents int
	for _, c := range all {
		var others []recall.Doc
		for _, o := range all {
			if o.name == c.name {
				continue
			}
			for _, d := range o.docs {
				d.ID, d.Group = o.name+" "+d.ID, o.name+" "+d.Group
				others = append(others, d)
			}
		}
		parts := index(others)
		documents += len(others)
		for _, q := range c.questions {
			asked++
			if len(shown(q.text, parts)) > 0 {
				wrong++
			}
		}
	}
	low, high := evalkit.Wilson(wrong, asked)
	fmt.Fprintf(w, "\nBoth sets, all other conversations as one corpus of %d documents: %d questions, something certain for %d (%.2f %%; 95 %%: %.2f–%.2f)\n",
		documents/max(len(all), 1), asked, wrong, percent(float64(wrong), asked), 100*low, 100*high)
}
