package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"dormouse/internal/tools/evalkit"
)

// A row is one line of the table: what is counted, and what is wanted.
type row struct {
	name, want string
	bad        bool // what is counted should not be
}

// The rows, in the order of the table.
var (
	rowDone        = row{"dreams that pass their own checks", "100 %", false}
	rowRetained    = row{"facts retained", "100 %", false}
	rowMergedValue = row{"wrong merges: value changes", "0", true}
	rowMergedNot   = row{"wrong merges: negations", "0", true}
	rowMergedComp  = row{"wrong merges: complements", "0", true}
	rowExact       = row{"duplicates removed: exact", "100 %", false}
	rowLight       = row{"duplicates removed: light", "98 %", false}
	rowParaphrase  = row{"duplicates removed: paraphrase", "60 %", false}
	rowSubset      = row{"duplicates removed: subset", "-", false}
	rowSession     = row{"known facts from sessions not doubled", "100 %", false}
	rowContra      = row{"contradictions right", "95 %", false}
	rowFalse       = row{"false supersedes", "1 %", true}
	rowFixedLeft   = row{"conflicts with instructions left", "100 %", false}
	rowFixedSaid   = row{"conflicts with instructions reported", "95 %", false}
	rowEqualLeft   = row{"equal dates left", "100 %", false}
	rowEqualSaid   = row{"equal dates reported", "95 %", false}
	rowDates       = row{"dates right", "100 %", false}
	rowPrecision   = row{"dead references: precision", "95 %", false}
	rowRecall      = row{"dead references: recall", "95 %", false}
	rowNever       = row{"paths that never were, marked", "-", false}
	rowNew         = row{"new facts (hard atoms of no input)", "0", true}
	rowIndex       = row{"index within 140 lines, 17,500 units", "100 %", false}
	rowReach       = row{"notes reachable in one hop", "100 %", false}
	rowLinks       = row{"live links still lead somewhere", "100 %", false}
	rowDesc        = row{"descriptions that say what went", "0", true}
	rowWaiting     = row{"unsure candidates wait", "100 %", false}
	rowLedger      = row{"statements in the ledger", "100 %", false}
	rowBytes       = row{"dreams 2 to 10: same bytes", "100 %", false}
	rowTenth       = row{"facts retained after ten dreams", "100 %", false}
	rowShuffled    = row{"shuffled: same bytes", "100 %", false}
	rowRenamed     = row{"renamed: same texts", "100 %", false}
	rowTrust       = row{"trust risen", "0", true}
	rowPoison      = row{"poison copied, or in the index", "0", true}
	rowSecrets     = row{"secrets in store or archive", "0", true}
	rowSecretRows  = row{"secrets in the ledger", "0", true}
	rows           = []row{
		rowDone, rowRetained, rowMergedValue, rowMergedNot, rowMergedComp, rowExact, rowLight, rowParaphrase, rowSubset, rowSession,
		rowContra, rowFalse, rowFixedLeft, rowFixedSaid, rowEqualLeft, rowEqualSaid, rowDates, rowPrecision, rowRecall, rowNever,
		rowNew, rowIndex, rowReach, rowLinks, rowDesc, rowWaiting, rowLedger, rowBytes, rowTenth, rowShuffled, rowRenamed,
		rowTrust, rowPoison, rowSecrets, rowSecretRows,
	}
)

// A key names a count.
type key struct{ row, engine, kind, lang string }

type tally struct{ k, n int }

// A table counts.
type table struct {
	counts map[key]*tally
	// failures of each row and engine, as texts; at most most.
	failures map[[2]string][]string
	most     int
}

func newTable(most int) *table {
	return &table{counts: map[key]*tally{}, failures: map[[2]string][]string{}, most: most}
}

// count adds one case. why tells of a failure, for whoever mends it.
func (t *table) count(r row, engine, kind, lang string, is bool, why func() string) {
	for _, k := range []key{{r.name, engine, "", ""}, {r.name, engine, kind, lang}} {
		c := t.counts[k]
		if c == nil {
			c = &tally{}
			t.counts[k] = c
		}
		c.n++
		if is {
			c.k++
		}
	}
	if at := [2]string{r.name, engine}; is == r.bad && len(t.failures[at]) < t.most {
		t.failures[at] = append(t.failures[at], kind+" ("+lang+"): "+why())
	}
}

// merge adds what another table counted.
func (t *table) merge(o *table) {
	for k, c := range o.counts {
		if t.counts[k] == nil {
			t.counts[k] = &tally{}
		}
		t.counts[k].n += c.n
		t.counts[k].k += c.k
	}
	for at, f := range o.failures {
		t.failures[at] = append(t.failures[at], f[:min(len(f), t.most-len(t.failures[at]))]...)
	}
}

func (t *table) share(k key) evalkit.Share {
	if c := t.counts[k]; c != nil {
		return evalkit.Of(c.k, c.n)
	}
	return evalkit.Share{}
}

// print writes the table: each row for each engine, and of one engine what the rows
// are made of.
func (t *table) print(w io.Writer, engines []string, detail string) {
	for _, r := range rows {
		fmt.Fprintf(w, "%-42s wanted %s\n", r.name, r.want)
		for _, e := range engines {
			if s := t.share(key{r.name, e, "", ""}); s.N > 0 {
				fmt.Fprintf(w, "    %-14s %s\n", e, s)
			}
		}
	}
	fmt.Fprintf(w, "\nby kind and language, %s:\n", detail)
	for _, r := range rows {
		kinds := map[string]bool{}
		for k := range t.counts {
			if k.row == r.name && k.engine == detail && k.kind != "" {
				kinds[k.kind] = true
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			fmt.Fprintf(w, "  %-37s %-32s en %s  uk %s\n", r.name, kind, t.share(key{r.name, detail, kind, "en"}), t.share(key{r.name, detail, kind, "uk"}))
		}
	}
}

// printFailures writes the first failures of each row of the engines that are
// looked into.
func (t *table) printFailures(w io.Writer, engines []string) {
	for _, r := range rows {
		for _, e := range engines {
			for _, f := range t.failures[[2]string{r.name, e}] {
				fmt.Fprintf(w, "FAIL %s, %s: %s\n", r.name, e, strings.ReplaceAll(f, "\n", "\n     "))
			}
		}
	}
}

// An entry is a count as it goes into the JSON.
type entry struct {
	Row    string `json:"row"`
	Engine string `json:"engine"`
	Kind   string `json:"kind,omitempty"`
	Lang   string `json:"lang,omitempty"`
	evalkit.Share
}

func (t *table) entries() []entry {
	var out []entry
	for k := range t.counts {
		out = append(out, entry{k.row, k.engine, k.kind, k.lang, t.share(k)})
	}
	order := map[string]int{}
	for i, r := range rows {
		order[r.name] = i
	}
	slices.SortFunc(out, func(a, b entry) int {
		if c := order[a.Row] - order[b.Row]; c != 0 {
			return c
		}
		return strings.Compare(a.Engine+"\x00"+a.Kind+"\x00"+a.Lang, b.Engine+"\x00"+b.Kind+"\x00"+b.Lang)
	})
	return out
}
