package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/dream"
	"dormouse/dream/shelf"
	"dormouse/extract"
	"dormouse/extract/keep"
	"dormouse/internal/term"
	"dormouse/store"
)

func newDreamApply(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "apply [ID]",
		Short: "Make the notes what a dream would have them, as one change",
		Long: `Applies a dream to the notes, as one change of the journal: all of it or nothing. What was
written since into other lines stays. Where the same lines are others by now, nothing is
written, and the files are named: dream again.

What sessions said that was not sure enough for a note then waits in the review. Without an
ID it is the newest dream that waits.

Exit status: 0; 1 when it is refused; 2 for wrong use.`,
		Example: `  dormouse dream apply
  dormouse dream apply 20261201-3f2a9c
  dormouse undo`,
		Args: oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			return c.decideDream(args, func(k *keptDreams, d *shelf.Dream) error {
				done, err := k.apply(d)
				return k.printApplied(d, done, err)
			})
		},
	}
}

func newDreamDiscard(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "discard [ID]",
		Short: "Turn a dream down; its account stays",
		Long: `Turns a dream down. The notes are as they were; what became of each statement can still be
shown. Without an ID it is the newest dream that waits.

Exit status: 0; 1 when there is none, or it was applied; 2 for wrong use.`,
		Example: `  dormouse dream discard`,
		Args:    oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			return c.decideDream(args, (*keptDreams).discard)
		},
	}
}

// decideDream opens what is needed to decide on a dream, under the lock. A shelf
// that is not there is not made for it.
func (c *common) decideDream(args []string, decide func(*keptDreams, *shelf.Dream) error) error {
	k, _, err := c.openDreams(true)
	if err != nil {
		return err
	}
	defer k.close()
	if _, err := os.Stat(k.shelf.Dir()); err == nil {
		unlock, err := k.shelf.Lock()
		if err != nil {
			return err
		}
		defer unlock()
	}
	d, err := k.choose(args, false)
	if err != nil {
		return err
	}
	return decide(k, d)
}

// apply makes the notes what the dream would have them, and does what comes after.
// One that was cut off between the two goes on there. What the error is about, what
// done tells of was written.
func (k *keptDreams) apply(d *shelf.Dream) (*store.Done, error) {
	if err := k.readHistory(); err != nil {
		return nil, err
	}
	stands := k.standing(d)
	switch stands.word {
	case standApplied:
		return nil, fmt.Errorf("the dream %s was applied already%s", d.ID, stands.wayBack())
	case standDiscarded:
		return nil, fmt.Errorf("the dream %s was discarded, and its texts are gone: dormouse dream makes a new one", d.ID)
	}
	if stands.word != standUnfinished {
		// Of what would go the archive is all that is left, so it has to be whole too.
		if err := k.shelf.Check(d); err != nil {
			return nil, fmt.Errorf("%w; nothing was written: dormouse dream makes it anew, dormouse dream discard %s turns it down", err, d.ID)
		}
	}
	read, err := (&extractOptions{common: k.c}).openDone() // no extraction runs meanwhile
	if err != nil {
		return nil, err
	}
	defer read.close()
	candidates, err := k.shelf.Candidates(d)
	if err != nil {
		return nil, err
	}
	done := &store.Done{ID: stands.change}
	if stands.word != standUnfinished {
		if done, err = k.replace(d, read); err != nil {
			return nil, err
		}
	}
	waits, err := k.review(candidates)
	if waits > 0 {
		done.Said = append(done.Said, fmt.Sprintf("%s from sessions: dormouse review shows what waits", count(waits, "candidate")))
	}
	if err != nil {
		return done, fmt.Errorf("the notes are as dreamt, but not all that sessions said is in the review: %w; %s goes on", err, k.c.command("dream apply "+d.ID))
	}
	for _, s := range d.Sessions {
		if _, had := read.list[s.File]; !had || read.list[s.File].Modified.Before(s.Modified) {
			read.list[s.File] = readLog{s.Size, s.Modified}
		}
	}
	if err := read.save(false); err != nil {
		return done, err
	}
	return done, k.shelf.Decide(d, shelf.Applied, k.c.io.Now().UTC(), done.ID, "")
}

// replace changes the notes.
func (k *keptDreams) replace(d *shelf.Dream, read *doneSessions) (*store.Done, error) {
	if err := errors.Join(k.alone(d, read), k.decidersStand(d)); err != nil {
		return nil, err
	}
	files, err := k.shelf.Replacements(d)
	if err != nil {
		return nil, err
	}
	by := k.c.by(k.s)
	by.Actor, by.From = store.Dream, []store.Source{{Place: dreamPlace + d.ID}}
	done, err := k.st.Replace(by, files)
	switch {
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrExists):
		return nil, fmt.Errorf("%w; nothing was written: dream again", err)
	case err != nil:
		return nil, k.c.withRoom(err, "index --fix")
	}
	return done, nil
}

// alone refuses where extract has brought in meanwhile what a session said, so that
// it would stand twice.
func (k *keptDreams) alone(d *shelf.Dream, read *doneSessions) error {
	if d.Counts.Fates[dream.New] == 0 || k.standing(d).word == standTakenBack { // then it was this dream that had read them
		return nil
	}
	for _, s := range d.Sessions {
		if had, ok := read.list[s.File]; ok && !s.Known && !had.Modified.Before(s.Modified) {
			return fmt.Errorf("dormouse extract has read session %s meanwhile, so its facts would stand twice; nothing was written: dream again", shortSession(s.ID))
		}
	}
	return nil
}

// decidersStand refuses where a note is others by now for which another one went:
// the store compares only files that a dream changes.
func (k *keptDreams) decidersStand(d *shelf.Dream) error {
	rows, err := k.shelf.Rows(d)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for _, c := range d.Changes {
		changed[c.Rel] = true
	}
	var others []string
	for i := range rows {
		r := &rows[i]
		if r.By == nil || changed[r.By.File] || d.Inputs[r.By.File] == "" || r.By.File == r.File {
			continue
		}
		changed[r.By.File] = true // once is enough
		if b, err := k.st.Read(r.By.File); err != nil || store.HashOf(b) != d.Inputs[r.By.File] {
			others = append(others, r.By.File)
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("%s %w, and other notes went for what it said; nothing was written: dream again", strings.Join(others, ", "), store.ErrConflict)
	}
	return nil
}

// review brings what sessions said that is not sure enough to where it waits, and
// returns how much came there. What is there already does not come twice.
func (k *keptDreams) review(candidates []extract.Candidate) (int, error) {
	if len(candidates) == 0 {
		return 0, nil
	}
	outcomes, err := (&keep.Keeper{St: k.st, Guard: k.guard}).Keep(candidates)
	n := 0
	for _, o := range outcomes {
		if o.Action == keep.Review {
			n++
		}
	}
	return n, err
}

// appliedReport is what dream apply --json prints.
type appliedReport struct {
	doneReport
	Dream    string        `json:"dream"`
	Status   string        `json:"status"`
	Problems []jsonProblem `json:"problems"`
}

func (k *keptDreams) printApplied(d *shelf.Dream, done *store.Done, failed error) error {
	if done == nil {
		return failed
	}
	if k.c.json {
		rep := appliedReport{k.c.reportDone("dream", "", done), d.ID, string(d.Status), k.c.problemsOf(failed)}
		if err := printJSON(k.c.out, rep); err != nil {
			return err
		}
		return k.c.said(failed)
	}
	out := k.c.people()
	if done.ID > 0 {
		out.Line("%s", out.In(term.Bold, fmt.Sprintf("dream %s is applied, as change %d", d.ID, done.ID)))
	} else {
		out.Line("%s", out.In(term.Bold, fmt.Sprintf("dream %s is applied: the notes were as dreamt already", d.ID)))
	}
	for _, c := range done.Changes {
		out.Line("  %s%s", mark(c), term.Safe(c.Path))
	}
	k.c.printDone(out, done)
	return k.c.said(failed)
}

func (k *keptDreams) discard(d *shelf.Dream) error {
	stands := k.standing(d)
	switch stands.word {
	case standApplied, standUnfinished:
		return fmt.Errorf("the dream %s was applied%s", d.ID, stands.wayBack())
	case standDiscarded:
	default:
		if err := k.shelf.Decide(d, shelf.Discarded, k.c.io.Now().UTC(), 0, ""); err != nil {
			return err
		}
	}
	if k.c.json {
		return printJSON(k.c.out, k.row(d))
	}
	k.c.people().Line("dream %s is discarded", d.ID)
	return nil
}
