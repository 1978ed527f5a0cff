package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"dormouse/startup"
	"dormouse/store"
)

type listOptions struct {
	*common
	types               []string
	sort                string
	reverse             bool
	loads, notLoading   bool
	indexed, notIndexed bool
	older               int
	words               []string
}

func newList(c *common) *cobra.Command {
	o := &listOptions{common: c}
	cmd := &cobra.Command{
		Use:   "list [WORDS]",
		Short: "List the notes: type, age, size, index line, and whether a session knows of them",
		Long: `Lists the notes, one a line, in the order of the index. With words only those that
have each of them in their file name, name or description.

AGE is in whole days, by the time that the agent wrote into the note, else by the file
time. INDEX is the note's line in MEMORY.md, or the note whose list names it. LOADS tells
whether a session started here is told of the note; held: it is kept from that until you
decide in dormouse review, or because you did.

Exit status: 0; 1 when a note could not be read; 2 for wrong use.`,
		Example: `  dormouse list
  dormouse list deploy --type feedback
  dormouse list --not-loading                what the agent does not know of
  dormouse list --older 90 --sort age
  dormouse list --json | jq -r '.notes[] | select(.loads | not) | .file'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.words = args
			if err := o.check(cmd.Flags().Changed("older")); err != nil {
				return err
			}
			return runList(o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.types, "type", nil, "only notes of this `type` (repeatable)")
	f.StringVar(&o.sort, "sort", "index", "`order`: name (of the file), age (oldest first), size (largest first), type or index")
	f.BoolVar(&o.reverse, "reverse", false, "the other way round")
	f.BoolVar(&o.loads, "loads", false, "only notes that a session is told of")
	f.BoolVar(&o.notLoading, "not-loading", false, "only notes that no session is told of")
	f.BoolVar(&o.indexed, "indexed", false, "only notes that the index leads to")
	f.BoolVar(&o.notIndexed, "not-indexed", false, "only notes that it does not lead to")
	f.IntVar(&o.older, "older", 0, "only notes of at least so many `days`")
	return cmd
}

func (o *listOptions) check(older bool) error {
	switch {
	case o.loads && o.notLoading:
		return usageError{errors.New("--loads and --not-loading exclude each other: give one of them")}
	case o.indexed && o.notIndexed:
		return usageError{errors.New("--indexed and --not-indexed exclude each other: give one of them")}
	case older && o.older < 0:
		return usageError{fmt.Errorf("--older %d: give a number of days from 0", o.older)}
	case orderOf(o.sort) == nil:
		return usageError{fmt.Errorf("--sort %s: there are name, age, size, type, index", o.sort)}
	}
	return nil
}

// listed is one note of the list.
type listed struct {
	File string `json:"file"` // slash path below the store
	Name string `json:"name"`
	Type string `json:"type"`
	Text string `json:"description"`
	age
	Size  int64  `json:"size"`           // bytes
	Line  int    `json:"index_line"`     // 1-based line of the index; 0: none
	Page  string `json:"page,omitempty"` // the note whose list names it
	Loads bool   `json:"loads"`
	Held  string `json:"held,omitempty"`  // why it is kept from loading
	Error string `json:"error,omitempty"` // why it could not be read

	place int // in the index, the loaded one if the client makes it; 0: nowhere
}

// listReport is what list --json prints.
type listReport struct {
	Store    string            `json:"store"`
	Exists   bool              `json:"exists"`
	Notes    []listed          `json:"notes"`
	Counts   listCounts        `json:"counts"`
	Unread   string            `json:"unread,omitempty"` // why no session started here reads the folder
	Problems []startup.Problem `json:"problems"`
}

// listCounts count all notes of the store, but for Shown.
type listCounts struct {
	Shown      int `json:"shown"`
	Notes      int `json:"notes"`
	Indexed    int `json:"indexed"`
	Loads      int `json:"loads"`
	Held       int `json:"held"` // kept from loading, by a review or until one
	Unreadable int `json:"unreadable"`
}

func runList(o *listOptions) error {
	st, s, rep, err := o.openStore()
	if err != nil {
		return err
	}
	defer release(st)
	items, err := listNotes(st)
	if err != nil {
		return err
	}
	told := o.toldOf(st, s, rep)
	held, err := o.keptBack(st, items, func(it *store.Item) bool { return told.lines[it.Rel] == 0 })
	if err != nil {
		return err
	}
	now := o.io.Now()
	all := make([]listed, 0, len(items))
	for i := range items {
		l := listedOf(&items[i], &told, now)
		l.Held = held[l.File]
		all = append(all, l)
	}
	res := listReport{Store: st.Dir(), Exists: st.Exists(), Unread: told.unread, Counts: countListed(all), Problems: indexProblems(rep)}
	res.Notes = slices.DeleteFunc(all, func(l listed) bool { return !o.wants(&l) })
	res.Counts.Shown = len(res.Notes)
	slices.SortStableFunc(res.Notes, func(a, b listed) int { return cmp.Or(orderOf(o.sort)(a, b), cmp.Compare(a.File, b.File)) })
	if o.reverse {
		slices.Reverse(res.Notes)
	}
	if o.json {
		err = printJSON(o.out, res)
	} else {
		err = printList(o, &res, told.generated, pathPrinter(s))
	}
	if err == nil && (res.Counts.Unreadable > 0 || len(res.Problems) > 0) {
		err = errFound
	}
	return err
}

func listedOf(it *store.Item, told *told, now time.Time) listed {
	l := listed{File: it.Rel, age: ageOf(it.Note, it.Mod, now), Size: it.Size, Line: it.IndexLine, Page: it.Page, place: it.IndexLine}
	l.Loads = told.lines[it.Rel] > 0
	if told.generated {
		l.place = told.lines[it.Rel]
	}
	if it.Err != nil {
		l.Error = it.Err.Error()
	}
	if it.Note != nil {
		l.Name, l.Type, l.Text = it.Note.Name(), it.Note.Type(), it.Note.Description()
	}
	return l
}

// indexProblems are the host's remarks on the index and the folder itself; the
// notes are read here again.
func indexProblems(rep *startup.Report) []startup.Problem {
	out := []startup.Problem{}
	for _, p := range rep.Problems {
		if p.Path == rep.Mem.Dir || p.Path == filepath.Join(rep.Mem.Dir, store.IndexName) {
			out = append(out, p)
		}
	}
	return out
}

func (l *listed) indexed() bool { return l.Line > 0 || l.Page != "" }

func countListed(all []listed) listCounts {
	c := listCounts{Notes: len(all)}
	for i := range all {
		if all[i].indexed() {
			c.Indexed++
		}
		if all[i].Loads {
			c.Loads++
		}
		if all[i].Held != "" {
			c.Held++
		}
		if all[i].Error != "" {
			c.Unreadable++
		}
	}
	return c
}

func (o *listOptions) wants(l *listed) bool {
	switch {
	case len(o.types) > 0 && !slices.Contains(o.types, l.Type),
		o.loads && !l.Loads, o.notLoading && l.Loads,
		o.indexed && !l.indexed(), o.notIndexed && l.indexed(),
		l.Days < o.older:
		return false
	}
	if len(o.words) == 0 {
		return true
	}
	text := folded(l.File + "\n" + l.Name + "\n" + l.Text)
	for _, w := range o.words {
		if !strings.Contains(text, folded(w)) {
			return false
		}
	}
	return true
}

// folded is a text as it is searched: without case, accents in one form.
func folded(s string) string { return norm.NFC.String(strings.ToLower(s)) }

// orderOf is the comparison of --sort, nil for a word that is none.
func orderOf(sort string) func(a, b listed) int {
	switch sort {
	case "name":
		return func(a, b listed) int { return cmp.Compare(strings.ToLower(a.File), strings.ToLower(b.File)) }
	case "age":
		return func(a, b listed) int { return a.Modified.Compare(b.Modified) }
	case "size":
		return func(a, b listed) int { return cmp.Compare(b.Size, a.Size) }
	case "type":
		return func(a, b listed) int { return cmp.Compare(a.Type, b.Type) }
	case "index":
		return func(a, b listed) int {
			if (a.place == 0) != (b.place == 0) {
				return cmp.Compare(b.place, a.place) // what has a line comes first
			}
			return cmp.Compare(a.place, b.place)
		}
	}
	return nil
}
