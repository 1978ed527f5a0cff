package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newRollback(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "rollback TIME",
		Short: "Make the memory folder what it was at a time, byte for byte",
		Long: `Puts every note and the index back to what the journal says they were at TIME: a date
("2026-11-30"), a date and time ("2026-11-30 14:05", local, or RFC 3339), a span ("90m", "36h",
"2d": so long ago), or @ID (after that change). What other programs changed meanwhile is
recorded first. It is one change, and dormouse undo takes it back.

Exit status: 0; 1 when the journal does not reach so far, or a text of then was purged;
2 for wrong use.`,
		Example: `  dormouse rollback 2h
  dormouse rollback "2026-11-30 14:05"
  dormouse rollback @12`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{fmt.Errorf("to which time? (see %s --help)", cmd.CommandPath())}
			}
			return runRollback(c, strings.Join(args, " "))
		},
	}
}

func runRollback(c *common, word string) error {
	st, s, _, err := c.openToWrite()
	if err != nil {
		return err
	}
	defer release(st)
	var at time.Time
	n := 0
	if id, isID := strings.CutPrefix(word, "@"); isID {
		var ok bool
		if n, ok = changeID(id); !ok {
			return usageError{fmt.Errorf("%q is no change: @ and a number of dormouse history", word)}
		}
		history, err := st.History("")
		if err != nil {
			return err
		}
		e := findEntry(history, n)
		if e == nil {
			return fmt.Errorf("there is no change %d; dormouse history lists them", n)
		}
		at = e.Time
	} else if at, err = parseTime(word, c.io.Now()); err != nil {
		return usageError{err}
	}
	done, err := st.Rollback(c.by(s), at, n)
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(c.out, c.reportDone("rollback", "", done))
	}
	out := c.people()
	if done.ID == 0 && len(done.Said) > 0 { // all that would have come back stays away
		out.Line("nothing was changed")
		c.printDone(out, done)
		return nil
	}
	if done.ID == 0 {
		out.Line("the folder is what it was at %s", localTime(at))
		return nil
	}
	out.Line("the folder is what it was at %s: %s changed", localTime(at), count(len(done.Changes), "file"))
	for _, ch := range done.Changes {
		out.Line("  %s%s", mark(ch), ch.Path)
	}
	c.printDone(out, done)
	return nil
}

// parseTime reads a time as people write one.
func parseTime(word string, now time.Time) (time.Time, error) {
	if days, ok := strings.CutSuffix(word, "d"); ok {
		var n int
		if _, err := fmt.Sscanf(days, "%d", &n); err == nil && n >= 0 && fmt.Sprint(n) == days {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(word); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, word, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: write 2026-11-30, \"2026-11-30 14:05\", 90m, 2d, or @ and the number of a change", word)
}
