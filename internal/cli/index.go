package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"dormouse/note"
	"dormouse/store"
)

type indexOptions struct {
	*common
	fix, room bool
}

func newIndex(c *common) *cobra.Command {
	o := &indexOptions{common: c}
	cmd := &cobra.Command{
		Use:   "index [--fix]",
		Short: "Compare the index with the notes; --fix adds what is missing and marks what is dead",
		Long: `Compares MEMORY.md with the notes: lines that name no note, lines that lead out of the
memory folder, notes without a line, notes with several, and files that are no notes.

--fix gives each note without a line one, from the note's own description, and marks the
lines that name a note that is not there. It deletes no line and no file, and a second
run changes nothing.

Exit status: 0; 1 when something is wrong (with --fix: is still wrong); 2 for wrong use.`,
		Example: `  dormouse index
  dormouse index --fix
  dormouse index --json | jq -r '.orphans[].file'`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runIndex(o) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.fix, "fix", false, "add the missing lines and mark the dead ones")
	f.BoolVar(&o.room, "make-room", false, "with --fix, when the index is full: move its least valuable lines to a page")
	return cmd
}

// indexReport is what index --json prints.
type indexReport struct {
	Store      string      `json:"store"`
	Exists     bool        `json:"exists"` // the index; without one the client makes its own
	Notes      int         `json:"notes"`
	Dead       []indexFlaw `json:"dead"`             // links to a note that is not there
	Marked     []indexFlaw `json:"marked"`           // such lines that --fix has marked, which is no flaw
	Escaping   []indexFlaw `json:"escaping"`         // links that lead out of the store
	Orphans    []indexFlaw `json:"orphans"`          // notes that no line leads to
	Held       []indexFlaw `json:"held"`             // notes that no line may lead to
	Duplicates []indexFlaw `json:"duplicates"`       // notes with a line of their own more than once
	Unreadable []indexFlaw `json:"unreadable"`       // notes that could not be read
	Ignored    []indexFlaw `json:"ignored"`          // files that are no notes
	Locked     string      `json:"locked,omitempty"` // why no line of the index can be read or edited

	Fixed *fixedReport `json:"fixed,omitempty"`

	index []byte
}

// indexFlaw is one thing that was found.
type indexFlaw struct {
	File string `json:"file"`            // slash path as the line has it, or below the store
	Line int    `json:"line,omitempty"`  // of the index, 1-based
	Text string `json:"text,omitempty"`  // the line
	Why  string `json:"why,omitempty"`   // where the list does not say it
	More []int  `json:"lines,omitempty"` // of a duplicate: all its lines
}

func (r *indexReport) flaws() int {
	more := 0
	if r.Locked != "" {
		more++
	}
	for _, f := range r.Held {
		if f.Why == heldWaits { // what was turned down is settled
			more++
		}
	}
	return more + len(r.Dead) + len(r.Escaping) + len(r.Orphans) + len(r.Duplicates) + len(r.Unreadable)
}

func runIndex(o *indexOptions) error {
	if o.room && !o.fix {
		return usageError{errors.New("--make-room goes with --fix")}
	}
	open := o.openStore
	if o.fix {
		open = o.openToWrite
	}
	st, s, _, err := open()
	if err != nil {
		return err
	}
	defer release(st)
	var done *store.Done
	before, _ := st.Read(store.IndexName) // one that can't be read is refused below
	if o.fix {
		if done, err = st.FixIndex(o.by(s), store.Room(o.room)); err != nil {
			return o.withRoom(err, "index --fix")
		}
	}
	res, err := o.compareIndex(st)
	if err != nil {
		return err
	}
	if done != nil {
		res.Fixed = o.reportFixed(before, res.index, done)
	}
	if o.json {
		if err := printJSON(o.out, res); err != nil {
			return err
		}
	} else {
		o.printIndex(o.people(), res, done, pathPrinter(s))
	}
	if res.flaws() > 0 {
		return errFound
	}
	return nil
}

func (c *common) compareIndex(st *store.Store) (*indexReport, error) {
	items, err := listNotes(st)
	if err != nil {
		return nil, err
	}
	res := &indexReport{
		Store: st.Dir(), Exists: true, Notes: len(items),
		Dead: []indexFlaw{}, Marked: []indexFlaw{}, Escaping: []indexFlaw{}, Orphans: []indexFlaw{}, Held: []indexFlaw{}, Duplicates: []indexFlaw{}, Unreadable: []indexFlaw{}, Ignored: []indexFlaw{},
	}
	text, err := st.Read(store.IndexName)
	switch {
	case errors.Is(err, store.ErrNoNote):
		res.Exists = false
	case err != nil:
		return nil, err
	}
	res.index = text
	if _, err := note.ReadIndex(text).Remove("any.md"); errors.Is(err, note.ErrLocked) {
		res.Locked = err.Error()
	}
	held, err := c.keptBack(st, items, func(it *store.Item) bool { return res.unlisted(it) })
	if err != nil {
		return nil, err
	}
	res.compareNotes(items, held)
	res.otherFiles(st.Dir(), items)
	res.compareLines(text, items)
	return res, nil
}

// unlisted reports whether the index has no line for a note. Without an index the
// client makes one, which has all of them.
func (r *indexReport) unlisted(it *store.Item) bool {
	return r.Exists && it.IndexLine == 0 && it.Page == ""
}

func (r *indexReport) compareNotes(items []store.Item, held map[string]string) {
	for i := range items {
		it := &items[i]
		if it.Err != nil {
			r.Unreadable = append(r.Unreadable, indexFlaw{File: it.Rel, Line: it.IndexLine, Why: it.Err.Error()})
		}
		switch why := held[it.Rel]; {
		case !r.unlisted(it):
		case why != "":
			r.Held = append(r.Held, indexFlaw{File: it.Rel, Why: why})
		default:
			r.Orphans = append(r.Orphans, indexFlaw{File: it.Rel})
		}
	}
}
