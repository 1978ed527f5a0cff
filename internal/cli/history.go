package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
)

// defaultHistory is how many changes people are shown at first.
const defaultHistory = 30

type historyOptions struct {
	*common
	limit int
	all   bool
}

func newHistory(c *common) *cobra.Command {
	o := &historyOptions{common: c}
	cmd := &cobra.Command{
		Use:   "history [NOTE]",
		Short: "Print what changed the notes, when and by whom, newest first",
		Long: `Prints the changes of the notes, or those of one note, newest first: the number that
undo, show and diff take, the time, who made it, what it did and to which files (+ made,
- removed, ~ changed). Changes by other programs are recorded by the look itself.

Exit status: 0; 1 when the journal is damaged (what can be read of it is printed); 2 for wrong use.`,
		Example: `  dormouse history
  dormouse history feedback_tests
  dormouse history --json | jq '.entries[] | select(.actor=="agent")'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && args[0] == "" {
				return usageError{fmt.Errorf("%s takes at most one note, but got %s", cmd.CommandPath(), count(len(args), "word"))}
			}
			given := cmd.Flags().Changed("limit")
			switch {
			case given && o.limit < 1:
				return usageError{fmt.Errorf("--limit %d: give a number from 1", o.limit)}
			case given && o.all:
				return usageError{fmt.Errorf("--limit and --all exclude each other: give one of them")}
			case !given && (o.all || o.json):
				o.limit = 0
			}
			return runHistory(o, args)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.limit, "limit", defaultHistory, "at most so many `changes` (with --json: all, unless given)")
	f.BoolVar(&o.all, "all", false, "all changes")
	return cmd
}

// historyReport is what history --json prints.
type historyReport struct {
	Store    string        `json:"store"`
	File     string        `json:"file,omitempty"`
	Entries  []store.Entry `json:"entries"` // newest first
	Older    int           `json:"older"`   // further ones that --limit left out
	Problems []jsonProblem `json:"problems"`
}

func runHistory(o *historyOptions, args []string) error {
	st, _, _, err := o.openStore()
	if err != nil {
		return err
	}
	defer release(st)
	_, looked := st.Look()
	rel := ""
	if len(args) == 1 {
		if rel, err = resolvePast(st, args[0]); err != nil {
			return err
		}
	}
	entries, read := st.History(rel)
	if looked != nil && read != nil && looked.Error() == read.Error() {
		looked = nil // one damage, found twice
	}
	res := historyReport{Store: st.Dir(), File: rel, Entries: orEmpty(entries), Problems: o.problemsOf(read, looked)}
	if o.limit > 0 && len(res.Entries) > o.limit {
		res.Older = len(res.Entries) - o.limit
		res.Entries = res.Entries[:o.limit]
	}
	if o.json {
		for i := range res.Entries {
			res.Entries[i].Time = res.Entries[i].Time.UTC()
			res.Entries[i].Changes = orEmpty(res.Entries[i].Changes)
		}
		if err := printJSON(o.out, res); err != nil {
			return err
		}
	} else {
		o.printHistory(o.people(), &res)
	}
	return o.said(read, looked)
}

func (o *historyOptions) printHistory(out *term.Out, res *historyReport) {
	if len(res.Entries) == 0 {
		of := ""
		if res.File != "" {
			of = " of " + term.Safe(res.File)
		}
		out.Line("no change%s is recorded", of)
		return
	}
	wide, actor := 1, 0
	for _, e := range res.Entries {
		wide = max(wide, len(strconv.Itoa(e.ID)))
		actor = max(actor, term.Width(term.Safe(who(e))))
	}
	for _, e := range res.Entries {
		printEntry(out, e, res.File, wide, actor)
	}
	if res.Older > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("… %s older: --all", thousands(res.Older))))
	}
	out.Line("%s", out.In(term.Faint, "times are in "+zoneOf(res.Entries[0].Time)))
}

func printEntry(out *term.Out, e store.Entry, rel string, wide, actor int) {
	const op = 8 // the longest: remember
	head := padLeft(strconv.Itoa(e.ID), wide) + "  " + localTime(e.Time) + "  " + term.Pad(term.Safe(who(e)), actor) + "  " + term.Pad(term.Safe(e.Op), op) + "  "
	tail := filesOf(e, rel) + bonds(e)
	if out.Width > 0 {
		tail = clip(tail, max(20, out.Width-term.Width(head)))
	}
	if e.UndoneBy > 0 {
		tail = out.In(term.Faint, tail)
	}
	out.Line("%s", strings.TrimRight(out.In(term.Bold, head[:wide])+head[wide:]+tail, " "))
}

// filesOf lists the files of a change with their marks: first the one that was
// asked for, last the index. Of a change of many it says how many more.
func filesOf(e store.Entry, rel string) string {
	const most = 12
	rank := func(c store.Change) int {
		switch c.Path {
		case rel:
			return 0
		case store.IndexName:
			return 2
		}
		return 1
	}
	changes := slices.Clone(e.Changes)
	slices.SortStableFunc(changes, func(a, b store.Change) int { return rank(a) - rank(b) })
	words := make([]string, 0, most+1)
	for i, c := range changes {
		if i == most {
			words = append(words, fmt.Sprintf("… %s more", thousands(len(changes)-most)))
			break
		}
		words = append(words, mark(c)+term.Safe(c.Path))
	}
	return strings.Join(words, " ")
}

// bonds tells which change this one took back, and which took it back.
func bonds(e store.Entry) string {
	words := ""
	if e.Undoes > 0 {
		words += fmt.Sprintf("  (takes back %d)", e.Undoes)
	}
	if e.UndoneBy > 0 {
		words += fmt.Sprintf("  (taken back by %d)", e.UndoneBy)
	}
	if e.Purged {
		words += "  (text purged)"
	}
	return words
}

// findEntry is one change of the journal, nil when there is none of that number.
func findEntry(entries []store.Entry, id int) *store.Entry {
	for i := range entries {
		if entries[i].ID == id {
			return &entries[i]
		}
	}
	return nil
}
