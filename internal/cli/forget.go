package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
)

func newForget(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "forget NOTE...",
		Short: "Remove notes and their index lines; each can be taken back",
		Long: `Removes each note and its line of the index, and says what still names it. Its bytes
stay in the journal, so dormouse undo brings it back; to remove a secret for good use
dormouse purge. With several notes each is a change of its own; the first that cannot be
removed ends the command.

Exit status: 0; 1 when a note could not be removed; 2 for wrong use.`,
		Example: `  dormouse forget project_old_ticket
  dormouse forget a.md b.md
  dormouse undo                              the last one is back`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{fmt.Errorf("%s takes at least one note (see dormouse list)", cmd.CommandPath())}
			}
			return runForget(c, args)
		},
	}
}

func runForget(c *common, words []string) error {
	st, s, _, err := c.openToWrite()
	if err != nil {
		return err
	}
	defer release(st)
	out := c.people()
	reports := []doneReport{}
	var failed error
	for _, word := range words {
		rel, done, err := forgetOne(st, c.by(s), word)
		if err != nil {
			failed = err
			break
		}
		reports = append(reports, c.reportDone("forget", rel, done))
		if !c.json {
			out.Line("%s is forgotten%s", term.Safe(rel), alsoChanged(done, rel))
			c.printDone(out, done)
		}
	}
	if failed != nil && len(words) > 1 {
		failed = fmt.Errorf("%w (%d of %d forgotten)", failed, len(reports), len(words))
	}
	if !c.json || failed != nil && len(reports) == 0 {
		return failed
	}
	return printForgotten(c, reports, failed)
}

func forgetOne(st *store.Store, by store.By, word string) (string, *store.Done, error) {
	if word == store.IndexName {
		return "", nil, errors.New("MEMORY.md is the index and no note: name the notes to forget")
	}
	rel, err := resolve(st, word)
	if err != nil {
		return "", nil, err
	}
	done, err := st.Forget(by, rel)
	return rel, done, err
}

// printForgotten prints what was done also when a later note stopped it.
func printForgotten(c *common, reports []doneReport, failed error) error {
	res := struct {
		Forgotten []doneReport  `json:"forgotten"`
		Problems  []jsonProblem `json:"problems"`
	}{reports, c.problemsOf(failed)}
	if err := printJSON(c.out, res); err != nil {
		return err
	}
	return c.said(failed)
}
