package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
)

type undoOptions struct {
	*common
	room bool
}

func newUndo(c *common) *cobra.Command {
	o := &undoOptions{common: c}
	cmd := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Take a change back: the last one, or the one of that number",
		Long: `Takes back one change of the notes: without a number the last one made by Dormouse that
is not taken back yet. What other programs wrote can be taken back by its number, and so
can an undo. What was changed in other lines since stays; where the same lines were
changed again, nothing is touched.

Exit status: 0; 1 when the change cannot be taken back; 2 for wrong use.`,
		Example: `  dormouse undo
  dormouse history
  dormouse undo 12`,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := o.undoID(cmd, args)
			if err != nil {
				return err
			}
			return runUndo(o, id)
		},
	}
	cmd.Flags().BoolVar(&o.room, "make-room", false, "when the index is full, move its least valuable lines to a page")
	return cmd
}

func (o *undoOptions) undoID(cmd *cobra.Command, args []string) (int, error) {
	switch {
	case len(args) == 0:
		return 0, nil
	case len(args) > 1:
		return 0, usageError{fmt.Errorf("%s takes one number, but got %d", cmd.CommandPath(), len(args))}
	}
	id, ok := changeID(args[0])
	if !ok {
		return 0, usageError{fmt.Errorf("%q is no number of a change: %s lists them", args[0], o.command("history"))}
	}
	return id, nil
}

func runUndo(o *undoOptions, id int) error {
	st, s, _, err := o.openToWrite()
	if err != nil {
		return err
	}
	defer release(st)
	done, err := st.Undo(o.by(s), id, store.Room(o.room))
	if err != nil {
		words := "undo"
		if id > 0 {
			words = fmt.Sprintf("undo %d", id)
		}
		return o.withRoom(err, words) // a conflict names the later changes and the ways out
	}
	entries, damage := st.History("") // the undo itself is done: only its words depend on this
	o.warn(damage)
	undone := 0
	if e := findEntry(entries, done.ID); e != nil {
		undone = e.Undoes
	}
	if o.json {
		rep := o.reportDone("undo", "", done)
		rep.Undoes = undone
		return printJSON(o.out, rep)
	}
	o.printUndo(o.people(), done, findEntry(entries, undone))
	return nil
}

func (o *undoOptions) printUndo(out *term.Out, done *store.Done, e *store.Entry) {
	if e != nil {
		out.Line("%s", out.In(term.Bold, fmt.Sprintf("change %d is taken back (%s by %s, %s)", e.ID, term.Safe(e.Op), term.Safe(who(*e)), localTime(e.Time))))
	}
	for _, c := range done.Changes {
		switch mark(c) {
		case "+":
			out.Line("  %s is back", term.Safe(c.Path))
		case "-":
			out.Line("  %s is gone again", term.Safe(c.Path))
		default:
			out.Line("  %s is changed back", term.Safe(c.Path))
		}
	}
	o.printDone(out, done)
}
