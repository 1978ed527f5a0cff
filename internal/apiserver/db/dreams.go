package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

const dreamColumns = "id, status, store, sessions, model, instructions, in_place, output, session, error_type, error, tokens_in, tokens_out, tokens_made, tokens_read, created_at, ended_at, archived_at"

func scanDream(row scanner) (*wire.Dream, error) {
	d := &wire.Dream{Type: "dream", Outputs: []wire.DreamOutput{}, Model: wire.DreamModel{Speed: "standard"}}
	var store, sessions string
	var inPlace bool
	var output, errType, errText *string
	var created int64
	var ended, archived *int64
	if err := row.Scan(&d.ID, &d.Status, &store, &sessions, &d.Model.ID, &d.Instructions, &inPlace, &output, &d.Session, &errType, &errText,
		&d.Usage.Input, &d.Usage.Output, &d.Usage.CacheCreation, &d.Usage.CacheRead, &created, &ended, &archived); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, wire.Missing("the dream")
		}
		return nil, fmt.Errorf("reading a dream: %w", err)
	}
	var ids []string
	if err := json.Unmarshal([]byte(sessions), &ids); err != nil {
		return nil, fmt.Errorf("reading the sessions of %s: %w", d.ID, err)
	}
	d.Inputs = []wire.DreamInput{{Type: "memory_store", Store: store}, {Type: "sessions", Sessions: ids}}
	d.OutputBehavior = wire.OutputBehavior{Type: wire.CreateNew}
	if inPlace {
		d.OutputBehavior = wire.OutputBehavior{Type: wire.UpdateExisting, Store: store}
	}
	if output != nil {
		d.Outputs = append(d.Outputs, wire.DreamOutput{Type: "memory_store", Store: *output})
	}
	if errType != nil && errText != nil {
		d.Error = &wire.DreamError{Type: *errType, Message: *errText}
	}
	d.CreatedAt, d.EndedAt, d.ArchivedAt = at(created), maybe(ended), maybe(archived)
	return d, nil
}

func (t *Tx) dream(ctx context.Context, id, lock string) (*wire.Dream, error) {
	return scanDream(t.QueryRow(ctx, "SELECT "+dreamColumns+" FROM dreams WHERE workspace = $1 AND id = $2"+lock, t.Workspace, id))
}

// CreateDream makes a dream and puts its job into the queue.
func (d *DB) CreateDream(ctx context.Context, who apiserver.Who, in apiserver.NewDream) (*wire.Dream, error) {
	var out *wire.Dream
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.open(ctx, in.Store, tx.d.forShare); err != nil {
			return err
		}
		for _, id := range in.Sessions {
			if _, err := tx.session(ctx, id, ""); err != nil {
				return err
			}
		}
		if err := tx.roomForDream(ctx); err != nil {
			return err
		}
		id := wire.NewID(wire.DreamID)
		sessions, err := json.Marshal(in.Sessions)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO dreams (workspace, id, status, store, sessions, model, instructions, in_place, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, who.Workspace, id, wire.Pending, in.Store, string(sessions), in.Model, in.Instructions, tx.d.boolean(in.Update), tx.Now); err != nil {
			return fmt.Errorf("writing a dream: %w", err)
		}
		var target any
		if in.Update {
			target = in.Store
		}
		n, err := tx.Exec(ctx, "INSERT INTO dream_runs (workspace, dream, target, until) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", who.Workspace, id, target, tx.Now)
		if err != nil {
			return fmt.Errorf("writing a dream: %w", err)
		}
		if n == 0 {
			return wire.Held(in.Store)
		}
		if d.o.Enqueue != nil {
			if err := d.o.Enqueue(ctx, tx.Tx, who.Workspace, id); err != nil {
				return fmt.Errorf("putting the dream into the queue: %w", err)
			}
		}
		out, err = tx.dream(ctx, id, "")
		return err
	})
	return out, err
}

func (t *Tx) roomForDream(ctx context.Context) error {
	if err := t.lockWorkspace(ctx); err != nil {
		return err
	}
	var open, most int
	if err := t.QueryRow(ctx, "SELECT w.max_dreams, (SELECT count(*) FROM dream_runs r WHERE r.workspace = w.id AND NOT r.done) FROM workspaces w WHERE w.id = $1", t.Workspace).Scan(&most, &open); err != nil {
		return fmt.Errorf("asking for the quota: %w", err)
	}
	if open >= most {
		return &wire.Error{Status: 429, Type: wire.RateLimit, Message: fmt.Sprintf("the workspace has %d dreams that have not ended, which is all that it may have", open), RetryAfter: 10}
	}
	return nil
}

// Dream reads a dream.
func (d *DB) Dream(ctx context.Context, who apiserver.Who, id string) (*wire.Dream, error) {
	var out *wire.Dream
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		out, err = tx.dream(ctx, id, "")
		return err
	})
	return out, err
}

// ListDreams lists dreams, newest first.
func (d *DB) ListDreams(ctx context.Context, who apiserver.Who, q apiserver.DreamQuery) ([]wire.Dream, apiserver.Cursor, error) {
	var w where
	w.add("workspace = ?", who.Workspace)
	p, more, err := placeOf(q.Page)
	if err != nil {
		return nil, "", err
	}
	if more {
		w.behind("created_at", p)
	}
	if !q.IncludeArchived {
		w.add("archived_at IS NULL")
	}
	if len(q.Statuses) > 0 {
		w.in("status", q.Statuses)
	}
	w.span("created_at", q.Created)
	var out []wire.Dream
	err = d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		return tx.each(ctx, "SELECT "+dreamColumns+" FROM dreams WHERE "+w.String()+fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT %d", q.Limit+1), w.args, func(rows *sql.Rows) error {
			d, err := scanDream(rows)
			if err == nil {
				out = append(out, *d)
			}
			return err
		})
	})
	page, next := cut(out, q.Limit, func(d wire.Dream) place { return place{micros(d.CreatedAt.Time), d.ID} })
	return page, next, err
}

// CancelDream cancels a dream that has not ended. A worker sees it before its next
// write, so nothing is written after this returns.
func (d *DB) CancelDream(ctx context.Context, who apiserver.Who, id string) (*wire.Dream, error) {
	var out *wire.Dream
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE dream_runs SET canceled = $3 WHERE workspace = $1 AND dream = $2 AND NOT done", who.Workspace, id, tx.d.boolean(true)); err != nil {
			return fmt.Errorf("canceling a dream: %w", err)
		}
		was, err := tx.dream(ctx, id, tx.d.forWrite)
		if err != nil {
			return err
		}
		switch was.Status {
		case wire.Canceled:
			out = was
			return nil
		case wire.Completed, wire.Failed:
			return wire.Invalid("the dream has " + was.Status + " already")
		}
		if _, err := tx.Exec(ctx, "UPDATE dreams SET status = $3, ended_at = $4 WHERE workspace = $1 AND id = $2", who.Workspace, id, wire.Canceled, tx.Now); err != nil {
			return fmt.Errorf("canceling a dream: %w", err)
		}
		// Nobody works on it: it has stopped.
		if _, err := tx.Exec(ctx, "UPDATE dream_runs SET done = $3 WHERE workspace = $1 AND dream = $2 AND fence = 0", who.Workspace, id, tx.d.boolean(true)); err != nil {
			return fmt.Errorf("canceling a dream: %w", err)
		}
		out, err = tx.dream(ctx, id, "")
		return err
	})
	return out, err
}

// ArchiveDream archives a dream that has ended, once.
func (d *DB) ArchiveDream(ctx context.Context, who apiserver.Who, id string) (*wire.Dream, error) {
	var out *wire.Dream
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if out, err = tx.dream(ctx, id, tx.d.forWrite); err != nil || out.ArchivedAt != nil {
			return err
		}
		if out.EndedAt == nil {
			return wire.Invalid("the dream has not ended: cancel it first")
		}
		out.ArchivedAt = maybe(&tx.Now)
		_, err = tx.Exec(ctx, "UPDATE dreams SET archived_at = $3 WHERE workspace = $1 AND id = $2", who.Workspace, id, tx.Now)
		return err
	})
	return out, err
}
