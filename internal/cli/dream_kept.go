package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/dream"
	"dormouse/dream/shelf"
	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// keptDreams are the dreams of one store, and the store.
type keptDreams struct {
	c       *common
	st      *store.Store
	s       host.Session
	guard   *trust.Guard
	shelf   *shelf.Shelf
	history []store.Entry // newest first, once it was read
}

func (k *keptDreams) close() { release(k.st) }

// readHistory reads the journal. A damaged one is told of, and what of it can be
// read counts.
func (k *keptDreams) readHistory() error {
	if !k.st.HasJournal() {
		return nil
	}
	var err error
	k.history, err = k.st.History("")
	if errors.Is(err, store.ErrBroken) {
		k.c.warn(err)
		err = nil
	}
	return err
}

// How a dream stands, in a word.
const (
	standWaiting    = "waiting"
	standUnfinished = "unfinished" // its changes are made, and what comes after was cut off
	standApplied    = "applied"
	standTakenBack  = "taken back"
	standDiscarded  = "discarded"
)

// dreamStands is how a dream stands: what the journal says of it comes before what
// the dream itself says.
type dreamStands struct {
	word   string
	change int // that applied it
	by     int // that took it back
}

// open reports whether it can be applied, or the end of it be done.
func (s dreamStands) open() bool { return s.word == standWaiting || s.word == standUnfinished }

// wayBack says how to take it back, where it changed anything.
func (s dreamStands) wayBack() string {
	if s.change == 0 {
		return "; the notes were as dreamt before"
	}
	return fmt.Sprintf(": dormouse undo %d takes it back", s.change)
}

// dreamPlace begins the source of a change that applied a dream.
const dreamPlace = "dream "

func (k *keptDreams) standing(d *shelf.Dream) dreamStands {
	for i := range k.history {
		e := &k.history[i]
		if e.Actor != store.Dream || len(e.From) == 0 || e.From[0].Place != dreamPlace+d.ID {
			continue
		}
		switch {
		case e.UndoneBy > 0 && d.Status == shelf.Applied:
			return dreamStands{standTakenBack, e.ID, e.UndoneBy}
		case e.UndoneBy == 0 && d.Status == shelf.Waiting:
			return dreamStands{standUnfinished, e.ID, 0}
		case e.UndoneBy == 0:
			return dreamStands{standApplied, e.ID, 0}
		}
		break
	}
	return dreamStands{string(d.Status), d.Change, 0}
}

// choose finds the dream of an id; without one the newest that waits, and with
// others set the newest if none does.
func (k *keptDreams) choose(args []string, others bool) (*shelf.Dream, error) {
	if err := k.readHistory(); err != nil {
		return nil, err
	}
	if len(args) > 0 {
		d, err := k.shelf.Find(args[0])
		if errors.Is(err, shelf.ErrNone) {
			err = fmt.Errorf("%w; %s names those that are there", err, k.c.command("dream list"))
		}
		return d, err
	}
	dreams, damaged := k.shelf.List()
	for i := range dreams {
		if k.standing(&dreams[i]).open() {
			return &dreams[i], nil
		}
	}
	if others && len(dreams) > 0 {
		return &dreams[0], nil
	}
	return nil, errors.Join(append(damaged, errors.New("no dream waits: dormouse dream makes one"))...)
}

// oneID refuses more than one argument.
func oneID(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Errorf("%s takes one dream, but got %d", cmd.CommandPath(), len(args))}
	}
	return nil
}

// dreamRow is a dream in dream list --json, and the head of dream show --json.
type dreamRow struct {
	ID       string       `json:"id"`
	Made     time.Time    `json:"made"`
	Status   string       `json:"status"` // waiting, unfinished, applied, taken back, discarded
	Change   int          `json:"change,omitempty"`
	UndoneBy int          `json:"undone_by,omitempty"`
	Auto     bool         `json:"auto"`
	Model    string       `json:"model,omitempty"`
	Sessions int          `json:"sessions"`
	Counts   dream.Counts `json:"counts"`
	Files    []fileMark   `json:"files"`
	Why      string       `json:"why,omitempty"`
}

func (k *keptDreams) row(d *shelf.Dream) dreamRow {
	stands := k.standing(d)
	r := dreamRow{
		ID: d.ID, Made: d.At, Status: stands.word, Change: stands.change, UndoneBy: stands.by,
		Auto: d.Auto, Model: d.Model, Sessions: len(d.Sessions), Counts: d.Counts, Files: []fileMark{}, Why: d.Why,
	}
	for _, c := range d.Changes {
		m := "~"
		switch {
		case !c.Before:
			m = "+"
		case !c.After:
			m = "-"
		}
		r.Files = append(r.Files, fileMark{c.Rel, m})
	}
	return r
}

// stands is the status of a row for people.
func (r *dreamRow) stands() string {
	switch r.Status {
	case standApplied:
		if r.Change == 0 {
			break
		}
		return fmt.Sprintf("applied as change %d", r.Change)
	case standTakenBack:
		return fmt.Sprintf("applied as change %d, taken back by %d", r.Change, r.UndoneBy)
	case standUnfinished:
		return fmt.Sprintf("applied as change %d, and cut off then: dream apply finishes it", r.Change)
	}
	return r.Status
}

func newDreamList(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "The dreams of this memory folder, the newest first",
		Long: `Lists the dreams that are kept, and what was decided on each.

Exit status: 0; 1 when one is damaged; 2 for wrong use.`,
		Example: `  dormouse dream list`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			k, _, err := c.openDreams(false)
			if err != nil {
				return err
			}
			defer k.close()
			return k.list()
		},
	}
}

func (k *keptDreams) list() error {
	if err := k.readHistory(); err != nil {
		return err
	}
	dreams, damaged := k.shelf.List()
	rows := []dreamRow{}
	for i := range dreams {
		rows = append(rows, k.row(&dreams[i]))
	}
	if k.c.json {
		err := printJSON(k.c.out, struct {
			Store    string        `json:"store"`
			Dreams   []dreamRow    `json:"dreams"`
			Problems []jsonProblem `json:"problems"`
		}{k.st.Dir(), rows, k.c.problemsOf(damaged...)})
		if err != nil {
			return err
		}
		return k.c.said(damaged...)
	}
	out := k.c.people()
	if len(rows) == 0 {
		out.Line("no dream is kept: %s makes one", term.Safe(k.c.command("dream")))
	}
	for i := range rows {
		r := &rows[i]
		out.Line("%s  %s  %s to %d, %s  %s", out.In(term.Bold, r.ID), localTime(r.Made), count(r.Counts.Notes, "note"), r.Counts.After, count(r.Sessions, "session"), r.stands())
		if r.Why != "" {
			out.Line("    %s", out.In(term.Faint, term.Safe(r.Why)))
		}
	}
	return k.c.said(damaged...)
}

func newDreamShow(c *common) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "What became of every statement: what went, why, and where both are",
		Long: `Prints the account of a dream: first the conflicts that nobody decided, then what happened to
statements, each with its reason and both places. Those that stand as they did are only
counted, unless --all is given. Without an ID it is the newest dream that waits, or else the
newest.

Exit status: 0; 1 when there is no such dream; 2 for wrong use.`,
		Example: `  dormouse dream show
  dormouse dream show 20261201-3f2a9c --all`,
		Args: oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			k, _, err := c.openDreams(false)
			if err != nil {
				return err
			}
			defer k.close()
			d, err := k.choose(args, true)
			if err != nil {
				return err
			}
			rows, err := k.shelf.Rows(d)
			if err != nil {
				return err
			}
			return k.show(d, rows, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also the statements that stand as they did")
	return cmd
}

// showReport is what dream show --json prints.
type showReport struct {
	dreamRow
	Store     string           `json:"store"`
	Read      []shelf.Session  `json:"read"` // the sessions
	Conflicts []shelf.Conflict `json:"conflicts"`
	Refused   []string         `json:"refused"`
	Archive   []dream.Archive  `json:"archive"`
	Held      []heldRow        `json:"held"`       // the notes that wait for a decision
	Waiting   []candidateRow   `json:"candidates"` // for the review, once it is applied
	Ledger    []dream.Row      `json:"ledger"`
}

// heldRow is a note that waits for a decision.
type heldRow struct {
	File string `json:"file"`
	Why  string `json:"why"`
	// Told is whether a line leads to it all the same: one that it had stays until a
	// person has decided.
	Told bool `json:"told"`
}

// held are the notes of a ledger that wait, as they are in the new store.
func (k *keptDreams) held(d *shelf.Dream, rows []dream.Row) ([]heldRow, error) {
	told := map[string]bool{}
	for _, f := range d.Files {
		if !f.List || d.Status == shelf.Discarded { // of which the texts are gone
			continue
		}
		text, err := k.shelf.Output(d, f.Rel)
		if err != nil {
			return nil, err
		}
		for rel := range note.ReadIndex(text).Lines() {
			told[rel] = true
		}
	}
	out, seen := []heldRow{}, map[string]bool{}
	for i := range rows {
		if r := &rows[i]; waits(r) && !seen[r.File+r.Why] {
			seen[r.File+r.Why] = true
			out = append(out, heldRow{r.File, r.Why, told[r.File]})
		}
	}
	return out, nil
}

// waits reports whether a statement stands in a note that waits for a decision, as
// it did.
func waits(r *dream.Row) bool {
	return r.Fate == dream.Quarantined && r.Field == "" && r.Now == "" && len(r.Also) == 0 && r.To == r.File && !r.Gone
}

// candidateRow is something that a session said, and that is not sure enough for a
// note.
type candidateRow struct {
	Text    string `json:"text"`
	Quote   string `json:"quote"`
	Why     string `json:"why"`
	Session string `json:"session"`
	Line    int    `json:"line"`
}

func (k *keptDreams) show(d *shelf.Dream, rows []dream.Row, all bool) error {
	kept, ledger := 0, []dream.Row{}
	for i := range rows {
		if rows[i].Fate == dream.Kept && len(rows[i].Also) == 0 {
			kept++
			if !all {
				continue
			}
		}
		ledger = append(ledger, rows[i])
	}
	rep := showReport{
		dreamRow: k.row(d), Store: k.st.Dir(), Read: orEmpty(d.Sessions), Conflicts: orEmpty(d.Conflicts),
		Refused: orEmpty(d.Refused), Archive: orEmpty(d.Archive), Waiting: []candidateRow{}, Ledger: ledger,
	}
	candidates, err := k.shelf.Candidates(d)
	if err != nil {
		return err
	}
	for _, c := range candidates {
		rep.Waiting = append(rep.Waiting, candidateRow{c.Text, c.Quote, c.Why, c.Session, c.Line})
	}
	if rep.Held, err = k.held(d, rows); err != nil {
		return err
	}
	if k.c.json {
		return printJSON(k.c.out, rep)
	}
	out := k.c.people()
	out.Line("%s  %s: %s to %d, %s read", out.In(term.Bold, "dream "+d.ID), rep.stands(), count(d.Counts.Notes, "note"), d.Counts.After, count(len(d.Sessions), "session"))
	printConflicts(out, d.Conflicts)
	for _, f := range fates() {
		printFate(out, f, &rep, all)
	}
	for i, c := range rep.Waiting {
		if i == 0 {
			out.Line("%s", out.In(term.Cyan, "for the review, once it is applied"))
		}
		out.Line("  session %s, line %d: %s", term.Safe(shortSession(c.Session)), c.Line, term.Safe(c.Text))
	}
	printRefused(out, d.Refused, len(d.Refused))
	if kept > 0 && !all {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s as it was (--all lists them)", count(kept, "statement"))))
	}
	if rep.Status == standWaiting {
		out.Line("%s", out.In(term.Faint, "apply it: "+term.Safe(k.c.command("dream apply "+d.ID))))
	}
	if i := slices.IndexFunc(d.Archive, func(a dream.Archive) bool { return a.Whole }); i >= 0 && rep.Status == standApplied {
		out.Line("%s", out.In(term.Faint, "bring one back: "+term.Safe(k.c.command("dream restore "+d.ID+" "+shellWord(d.Archive[i].Rel)))))
	}
	return nil
}

func printConflicts(out *term.Out, conflicts []shelf.Conflict) {
	if len(conflicts) == 0 {
		return
	}
	out.Line("%s", out.In(term.Yellow, "conflicts that nobody decided"))
	for _, c := range conflicts {
		for _, p := range []dream.Place{c.A, c.B} {
			out.Line("  %s: %s", term.Safe(at(p.File, p.Line)), term.Safe(p.Claim))
		}
		out.Line("      %s", term.Safe(strings.Join(nonEmpty(c.Why, c.Left), "; ")))
	}
}

func nonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

type fateWords struct {
	fate  dream.Fate
	words string
}

// fates are all there are, what went first.
func fates() []fateWords {
	return []fateWords{
		{dream.Superseded, "something else took its place"},
		{dream.Archived, "you took it back"},
		{dream.Quarantined, "it waits for your decision, or a secret in it was masked"},
		{dream.Merged, "another note says it"},
		{dream.Stale, "it names what the repository no longer has, and is marked"},
		{dream.Dated, "a day became a date"},
		{dream.Rewritten, "made to fit the text"},
		{dream.New, "a session brought it"},
		{dream.Kept, "it stands as it did"},
	}
}

// printFate prints the statements of one fate. The fields of what went go with it:
// they are counted, unless all is asked for.
func printFate(out *term.Out, f fateWords, rep *showReport, all bool) {
	first, fields, rows := true, 0, rep.Ledger
	held := map[string]int{} // statements of a file that stand as they did, by file and reason
	var order []string
	for i := range rows {
		r := &rows[i]
		if r.Fate != f.fate {
			continue
		}
		if !all && r.Field != "" && r.Gone && r.By == nil {
			fields++
			continue
		}
		if first {
			out.Line("%s", out.In(term.Cyan, string(f.fate)+": "+f.words))
			first = false
		}
		if !all && waits(r) {
			k := term.Safe(r.File) + ": " + term.Safe(r.Why)
			if held[k] == 0 {
				order = append(order, k)
			}
			held[k]++
			continue
		}
		printRow(out, r)
	}
	for _, k := range order {
		out.Line("  %s (%s)", k, count(held[k], "statement"))
	}
	if f.fate == dream.Quarantined && rep.Status != standDiscarded {
		tellHeld(out, rep.Held)
	}
	if fields > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("  %s: and %s of the notes that went", f.fate, count(fields, "field"))))
	}
}

// tellHeld tells which of the notes that wait a session learns of all the same.
func tellHeld(out *term.Out, rows []heldRow) {
	told, n := []string{}, map[string]bool{}
	for _, h := range rows {
		if !n[h.File] {
			n[h.File] = true
			if h.Told {
				told = append(told, h.File)
			}
		}
	}
	switch {
	case len(n) == 0:
	case len(told) == 0:
		out.Line("%s", out.In(term.Faint, "  no line of the index leads a session to them; dormouse review shows them"))
	default:
		out.Line("%s", out.In(term.Faint, "  "+term.Safe(strings.Join(told, ", "))+": the line in the index stays, and sessions read it, until you decide: dormouse review"))
	}
}

func printRow(out *term.Out, r *dream.Row) {
	what := r.Claim
	if r.Field != "" {
		what = r.Field + ": " + what
	}
	out.Line("  %s: %s", term.Safe(at(r.File, r.Line)), term.Safe(what))
	to := at(r.To, r.ToLine)
	if r.Gone {
		to += " in the archive"
	}
	if r.Now != "" {
		to += ": " + r.Now
	}
	if r.To != "" {
		out.Line("      → %s", term.Safe(to))
	}
	if r.By != nil {
		now := ""
		if r.By.To != "" && r.By.To != r.By.File {
			now = " (now in " + r.By.To + ")"
		}
		out.Line("      by %s%s: %s", term.Safe(at(r.By.File, r.By.Line)), term.Safe(now), term.Safe(r.By.Claim))
	}
	why := r.Why
	for _, a := range r.Also {
		why += fmt.Sprintf(" (also %s)", a)
	}
	if why = strings.TrimSpace(why); why != "" {
		out.Line("      %s", out.In(term.Faint, term.Safe(why)))
	}
}

func newDreamDiff(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "diff [ID]",
		Short: "Print what a dream would do to the notes, or did",
		Long: `Prints a unified diff of every file that a dream changes, from the notes as it found them to
the notes as it would have them. Without an ID it is the newest dream that waits, or else
the newest.

Exit status: 0; 1 when there is no such dream, or it was discarded; 2 for wrong use.`,
		Example: `  dormouse dream diff
  dormouse dream diff 20261201-3f2a9c`,
		Args: oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			k, _, err := c.openDreams(false)
			if err != nil {
				return err
			}
			defer k.close()
			return k.diff(args, c.io.Out)
		},
	}
}

func (k *keptDreams) diff(args []string, w io.Writer) error {
	d, err := k.choose(args, true)
	if err != nil {
		return err
	}
	if d.Status == shelf.Discarded {
		return fmt.Errorf("the dream %s was discarded, and its texts are gone: dormouse dream makes a new one", d.ID)
	}
	files, err := k.shelf.Replacements(d)
	if err != nil {
		return err
	}
	res := &diffReport{Files: []fileDiff{}}
	for _, f := range files {
		from := content{text: string(f.Before), none: f.Before == nil}.labelled(f.Rel, "before dream "+d.ID)
		to := content{text: string(f.After), none: f.After == nil}.labelled(f.Rel, "after dream "+d.ID)
		res.Files = append(res.Files, diffContents(f.Rel, markOf(f), from, to))
	}
	if k.c.json {
		return printJSON(k.c.out, struct {
			ID    string     `json:"id"`
			Files []fileDiff `json:"files"`
		}{d.ID, res.Files})
	}
	printDiff(k.c.people(), res, isTerminal(w))
	return nil
}
