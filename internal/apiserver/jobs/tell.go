package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dormouse/dream"
	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/session"
)

// The session of a dream tells what it does: who follows its events sees it run.

// tell says that the session is in a state.
func (r *Runner) tell(ctx context.Context, run *db.Run, status string) error {
	return run.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return r.says(ctx, tx, run, status, false) })
}

// says writes texts and the state into the session, in a transaction of the run.
func (r *Runner) says(ctx context.Context, tx *db.Tx, run *db.Run, status string, end bool, texts ...string) error {
	events := make([]apiserver.Event, 0, len(texts)+1)
	for _, t := range texts {
		e, err := session.Says(t)
		if err != nil {
			return err
		}
		events = append(events, e)
	}
	state, err := session.Status(status)
	if err != nil {
		return err
	}
	events = append(events, state)
	body, err := apiserver.DreamSession("Dream "+run.Dream.ID, db.DreamAgent, run.Dream.Model.ID, resources(run)...)
	if err != nil {
		return err
	}
	return run.Tell(ctx, tx, body, status, end, events...)
}

// resources are the stores of the dream, as a session has them attached.
func resources(run *db.Run) []apiserver.Resource {
	in, out := run.Dream.Inputs[0].Store, run.OutputID()
	write := apiserver.Resource{Type: "memory_store", Store: out, Access: "read_write", Name: "output"}
	if in == out {
		return []apiserver.Resource{write}
	}
	return []apiserver.Resource{{Type: "memory_store", Store: in, Access: "read_only", Name: "input"}, write}
}

// close says the last word of a dream that was canceled: its run can't be written any
// more, and the session can.
func (r *Runner) close(ctx context.Context, run *db.Run, text string) error {
	return run.After(ctx, func(ctx context.Context, tx *db.Tx) error { return r.says(ctx, tx, run, "idle", true, text) })
}

func missedWords(paths []string) string {
	slices.Sort(paths)
	return fmt.Sprintf("Somebody changed these while the dream ran, so they stay as they are: %s", strings.Join(paths, ", "))
}

// An account of a large store is told in several events, and not without end.
const (
	linesAnEvent = 50
	mostLines    = 2_000
)

// account says what became of every statement that did not stay as it was.
func account(res *dream.Result, path func(rel string) string) []string {
	c := &res.Counts
	var fates []string
	for _, f := range []dream.Fate{dream.Kept, dream.New, dream.Merged, dream.Superseded, dream.Archived, dream.Dated, dream.Stale, dream.Rewritten, dream.Quarantined} {
		if n := c.Fates[f]; n > 0 {
			fates = append(fates, fmt.Sprintf("%d %s", n, f))
		}
	}
	says := []string{fmt.Sprintf("%d memories before, %d after. Statements: %s.", c.Notes, c.After, strings.Join(fates, ", "))}
	var lines []string
	for i := range res.Rows {
		row := &res.Rows[i]
		if row.Fate == dream.Kept && len(row.Also) == 0 {
			continue
		}
		l := fmt.Sprintf("%s %s: %s", row.Fate, where(path(row.File), row.Line), row.Claim)
		if row.Now != "" {
			l += " | now: " + row.Now
		}
		if row.By != nil {
			l += fmt.Sprintf(" | by %s: %s", where(path(row.By.File), row.By.Line), row.By.Claim)
		}
		if row.Why != "" {
			l += " | " + row.Why
		}
		lines = append(lines, l)
	}
	for _, k := range res.Conflicts {
		lines = append(lines, fmt.Sprintf("undecided %s: %s | %s: %s | %s", where(path(k.A.File), k.A.Line), k.A.Claim, where(path(k.B.File), k.B.Line), k.B.Claim, k.Left))
	}
	for _, w := range res.Waiting {
		lines = append(lines, fmt.Sprintf("not taken over, a person's own word is missing: %s | session %s", w.Text, w.Session))
	}
	for _, f := range res.Refused {
		lines = append(lines, "refused of the model: "+f)
	}
	if n := len(lines); n > mostLines {
		lines = append(lines[:mostLines], fmt.Sprintf("… and %d more", n-mostLines))
	}
	for some := range slices.Chunk(lines, linesAnEvent) {
		says = append(says, strings.Join(some, "\n"))
	}
	return says
}

func where(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}
