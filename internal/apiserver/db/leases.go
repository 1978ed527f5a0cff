package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// Errors of a run.
var (
	// ErrTaken is that somebody else works on the dream, or it has ended.
	ErrTaken = errors.New("the dream is somebody else's, or has ended")
	// ErrCanceled is that the dream was canceled.
	ErrCanceled = errors.New("the dream was canceled")
)

// Lease is how long a worker that says nothing keeps its dream, unless Options say
// otherwise.
const Lease = 15 * time.Second

// Patience is how long a dream may wait that was never begun before the queue is asked
// again for it: the server that took its job may have died before it began.
const patience = 2 * time.Minute

// Answers of models are kept this long: as long as somebody may take a dream over.
const keepAnswers = 7 * 24 * time.Hour

// Run is a dream that this worker works on. Each of its writes is refused once the
// dream is somebody else's.
type Run struct {
	Dream *wire.Dream
	Who   apiserver.Who // the workspace, and the session that writes
	// Tries is how often the dream was taken, this time counted.
	Tries int64
	d     *DB
	fence int64
}

// Claim takes a dream that nobody works on. The dream becomes running, and has a
// session that tells of it.
func (d *DB) Claim(ctx context.Context, workspace, dream, owner string) (*Run, error) {
	r := &Run{d: d, Who: apiserver.Who{Workspace: workspace}}
	err := d.Write(ctx, workspace, func(ctx context.Context, tx *Tx) error {
		var until int64
		var canceled, done bool
		err := tx.QueryRow(ctx, "SELECT fence, until, canceled, done FROM dream_runs WHERE workspace = $1 AND dream = $2"+tx.d.forWrite, workspace, dream).Scan(&r.fence, &until, &canceled, &done)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (done || r.fence > 0 && until > tx.Now) {
			return ErrTaken
		}
		if err != nil {
			return fmt.Errorf("claiming a dream: %w", err)
		}
		r.fence++
		r.Tries = r.fence
		if _, err := tx.Exec(ctx, "UPDATE dream_runs SET owner = $3, fence = $4, until = $5, done = $6 WHERE workspace = $1 AND dream = $2",
			workspace, dream, owner, r.fence, tx.Now+d.o.Lease.Microseconds(), tx.d.boolean(canceled)); err != nil {
			return fmt.Errorf("claiming a dream: %w", err)
		}
		if r.Dream, err = tx.dream(ctx, dream, tx.d.forWrite); err != nil || canceled {
			return err
		}
		if r.Dream.Status == wire.Pending {
			r.Dream.Status = wire.Running
			if _, err := tx.Exec(ctx, "UPDATE dreams SET status = $3 WHERE workspace = $1 AND id = $2", workspace, dream, wire.Running); err != nil {
				return fmt.Errorf("claiming a dream: %w", err)
			}
		}
		return nil
	})
	if err == nil && r.Dream.EndedAt != nil {
		err = ErrTaken
	}
	if err != nil {
		return nil, err
	}
	r.Who.Actor = wire.Actor{Type: wire.SessionActor, Session: r.SessionID()}
	return r, nil
}

// derived makes an id that is the same for whoever works on the dream.
func (r *Run) derived(prefix, of string) string {
	h := sha256.Sum256([]byte(r.Dream.ID + "\n" + of))
	return wire.FixedID(prefix, r.Dream.CreatedAt.Time, [10]byte(h[:10]))
}

// SessionID is the session that tells of the dream.
func (r *Run) SessionID() string { return r.derived(wire.SessionID, "session") }

// OutputID is the store that the dream writes into.
func (r *Run) OutputID() string {
	if r.Dream.OutputBehavior.Type == wire.UpdateExisting {
		return r.Dream.OutputBehavior.Store
	}
	return r.derived(wire.StoreID, "output")
}

// Renew keeps the dream for another lease. ErrTaken and ErrCanceled are that it is
// not this worker's any more.
func (r *Run) Renew(ctx context.Context) error {
	return r.d.Write(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		if err := r.guard(ctx, tx); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE dream_runs SET until = $3 WHERE workspace = $1 AND dream = $2", r.Who.Workspace, r.Dream.ID, tx.Now+r.d.o.Lease.Microseconds())
		return err
	})
}

// guard refuses what a worker would write that lost its dream, and keeps others from
// taking it until the transaction ends.
func (r *Run) guard(ctx context.Context, tx *Tx) error {
	var fence int64
	var canceled, done bool
	if err := tx.QueryRow(ctx, "SELECT fence, canceled, done FROM dream_runs WHERE workspace = $1 AND dream = $2"+tx.d.forWrite, r.Who.Workspace, r.Dream.ID).Scan(&fence, &canceled, &done); err != nil {
		return fmt.Errorf("looking at the lease: %w", err)
	}
	switch {
	case fence != r.fence || done && !canceled:
		return ErrTaken
	case canceled:
		return ErrCanceled
	}
	return nil
}

// Write runs fn in a transaction in which the dream is this worker's.
func (r *Run) Write(ctx context.Context, fn func(context.Context, *Tx) error) error {
	return r.d.Write(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		if err := r.guard(ctx, tx); err != nil {
			return err
		}
		return fn(ctx, tx)
	})
}

// Stop says that a worker does not work on the dream any more. A dream that was
// canceled has ended with it; any other may be taken at once.
func (r *Run) Stop(ctx context.Context) error {
	return r.d.Write(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Exec(ctx, "UPDATE dream_runs SET until = 0, done = (done OR canceled) WHERE workspace = $1 AND dream = $2 AND fence = $3", r.Who.Workspace, r.Dream.ID, r.fence)
		return err
	})
}

// End ends the dream in a transaction of its run: completed, or failed with an error.
func (r *Run) End(ctx context.Context, tx *Tx, failure *wire.DreamError) error {
	status := wire.Completed
	var kind, text any
	if failure != nil {
		status, kind, text = wire.Failed, failure.Type, failure.Message
	}
	if _, err := tx.Exec(ctx, "UPDATE dreams SET status = $3, error_type = $4, error = $5, ended_at = $6 WHERE workspace = $1 AND id = $2 AND ended_at IS NULL",
		tx.Workspace, r.Dream.ID, status, kind, text, tx.Now); err != nil {
		return fmt.Errorf("ending a dream: %w", err)
	}
	if _, err := tx.Exec(ctx, "UPDATE dream_runs SET done = $3, until = 0 WHERE workspace = $1 AND dream = $2", tx.Workspace, r.Dream.ID, tx.d.boolean(true)); err != nil {
		return fmt.Errorf("ending a dream: %w", err)
	}
	if _, err := tx.Exec(ctx, "DELETE FROM model_answers WHERE workspace = $1 AND created_at < $2", tx.Workspace, tx.Now-keepAnswers.Microseconds()); err != nil {
		return fmt.Errorf("ending a dream: %w", err)
	}
	// What only a takeover would need.
	if _, err := tx.Exec(ctx, "DELETE FROM dream_steps WHERE workspace = $1 AND dream = $2", tx.Workspace, r.Dream.ID); err != nil {
		return fmt.Errorf("ending a dream: %w", err)
	}
	return nil
}

// Spend adds what a model was paid.
func (r *Run) Spend(ctx context.Context, tx *Tx, u wire.DreamUsage) error {
	_, err := tx.Exec(ctx, "UPDATE dreams SET tokens_in = tokens_in + $3, tokens_out = tokens_out + $4, tokens_made = tokens_made + $5, tokens_read = tokens_read + $6 WHERE workspace = $1 AND id = $2",
		tx.Workspace, r.Dream.ID, u.Input, u.Output, u.CacheCreation, u.CacheRead)
	return err
}

// Step reads what was kept of a step; "" where there is nothing.
func (r *Run) Step(ctx context.Context, name string) (string, error) {
	var body string
	err := r.d.Read(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		err := tx.QueryRow(ctx, "SELECT body FROM dream_steps WHERE workspace = $1 AND dream = $2 AND step = $3", tx.Workspace, r.Dream.ID, name).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return body, err
}

// Keep keeps what a step made.
func (r *Run) Keep(ctx context.Context, tx *Tx, name, body string) error {
	if _, err := tx.Exec(ctx, "INSERT INTO dream_steps (workspace, dream, step, body) VALUES ($1, $2, $3, $4) ON CONFLICT (workspace, dream, step) DO UPDATE SET body = excluded.body", tx.Workspace, r.Dream.ID, name, body); err != nil {
		return fmt.Errorf("keeping a step: %w", err)
	}
	return nil
}

// Answer reads what a model answered to a question before; "" where it was not asked.
func (r *Run) Answer(ctx context.Context, question string) (string, error) {
	var body string
	err := r.d.Read(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		err := tx.QueryRow(ctx, "SELECT answer FROM model_answers WHERE workspace = $1 AND question = $2", tx.Workspace, question).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return body, err
}

// KeepAnswer keeps an answer, also where the dream was lost meanwhile: it is paid for.
func (r *Run) KeepAnswer(ctx context.Context, question, answer string) error {
	return r.d.Write(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO model_answers (workspace, question, answer, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", tx.Workspace, question, answer, tx.Now); err != nil {
			return fmt.Errorf("keeping an answer: %w", err)
		}
		return nil
	})
}

// SpanBegins tells in the session of the dream that a model is asked, and returns the
// id of that event.
func (r *Run) SpanBegins(ctx context.Context) (string, error) {
	e := apiserver.Event{ID: wire.NewID(wire.EventID), Type: "span.model_request_start", Body: []byte("{}")}
	return e.ID, r.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return r.append(ctx, tx, e)
	})
}

// SpanEnds books what a model was paid, and tells so. It is booked where the dream was
// canceled or lost meanwhile, too.
func (r *Run) SpanEnds(ctx context.Context, span string, u wire.DreamUsage, failed bool) error {
	body, err := json.Marshal(map[string]any{"model_request_start_id": span, "is_error": failed, "model_usage": u})
	if err != nil {
		return err
	}
	return r.d.Write(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		if err := r.Spend(ctx, tx, u); err != nil {
			return err
		}
		return r.append(ctx, tx, apiserver.Event{Type: "span.model_request_end", Body: body})
	})
}

// After runs fn in a transaction of the workspace when the run has ended, or is lost.
func (r *Run) After(ctx context.Context, fn func(context.Context, *Tx) error) error {
	return r.d.Write(ctx, r.Who.Workspace, fn)
}

// Waiting is a dream that somebody has to take.
type Waiting struct{ Workspace, Dream string }

// Waiting lists dreams that nobody works on though they have not ended: those whose
// lease ran out, and those that were not begun for long. The latter are listed once
// in a while.
func (d *DB) Waiting(ctx context.Context) ([]Waiting, error) {
	var out []Waiting
	err := d.System(ctx, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		if err := tx.each(ctx, "SELECT workspace, dream FROM dream_runs WHERE NOT done AND (fence > 0 AND until < $1 OR until < $2) ORDER BY until LIMIT 100", []any{tx.Now, tx.Now - patience.Microseconds()}, func(rows *sql.Rows) error {
			var w Waiting
			err := rows.Scan(&w.Workspace, &w.Dream)
			out = append(out, w)
			return err
		}); err != nil {
			return fmt.Errorf("looking for dreams that wait: %w", err)
		}
		for _, w := range out {
			if _, err := tx.Exec(ctx, "UPDATE dream_runs SET until = $3 WHERE workspace = $1 AND dream = $2 AND fence = 0", w.Workspace, w.Dream, tx.Now); err != nil {
				return fmt.Errorf("looking for dreams that wait: %w", err)
			}
		}
		return nil
	})
	return out, err
}

// Wait is how long a worker may go without renewing its lease, and how often it should.
func (d *DB) Wait() (lease, every time.Duration) { return d.o.Lease, d.o.Lease / 3 }
