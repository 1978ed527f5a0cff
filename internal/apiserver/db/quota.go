package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"dormouse/internal/apiserver/wire"
)

// Quota is what a workspace may have.
type Quota struct {
	Stores   int64 `json:"stores"`
	Memories int64 `json:"memories"`
	Sessions int64 `json:"sessions"`
	Events   int64 `json:"events"` // of all sessions
	Dreams   int64 `json:"dreams"` // that wait or run
}

// near is how far below a quota writers begin to wait for each other. Farther off they
// need not: a count that misses what others have not committed yet is short by less.
const near = 1000

// lockWorkspace makes the transactions of a workspace that count go one after another,
// until each ends. Rows of stores are locked before it, never behind.
func (t *Tx) lockWorkspace(ctx context.Context) error {
	if !t.d.postgres {
		return nil // one writer at a time
	}
	var id string
	if err := t.QueryRow(ctx, "SELECT id FROM workspaces WHERE id = $1"+t.d.forWrite, t.Workspace).Scan(&id); err != nil {
		return fmt.Errorf("waiting for the workspace: %w", err)
	}
	return nil
}

// room refuses one more of what a query counts where the workspace has all it may have.
// The query has the quota and the count.
func (t *Tx) room(ctx context.Context, what, query string) error {
	if err := t.lockWorkspace(ctx); err != nil {
		return err
	}
	var most, have int64
	if err := t.QueryRow(ctx, query, t.Workspace).Scan(&most, &have); err != nil {
		return fmt.Errorf("asking for the quota: %w", err)
	}
	if have >= most {
		return wire.Invalid(fmt.Sprintf("the workspace has %d %s, which is all that it may have: delete one first", have, what))
	}
	return nil
}

// eventsAtOnce is after how many events of a session those of the workspace are
// counted: each session may go over the quota by less than that.
const eventsAtOnce = 100

// roomForEvents refuses events where the workspace has all that it may have. had are
// those of the session they go into.
func (t *Tx) roomForEvents(ctx context.Context, had int64, more int) error {
	if had/eventsAtOnce == (had+int64(more))/eventsAtOnce && had > 0 {
		return nil
	}
	var most, have int64
	if err := t.QueryRow(ctx, "SELECT max_events, (SELECT coalesce(sum(s.events), 0) FROM sessions s WHERE s.workspace = w.id) FROM workspaces w WHERE w.id = $1", t.Workspace).Scan(&most, &have); err != nil {
		return fmt.Errorf("asking for the quota: %w", err)
	}
	if have+int64(more) > most {
		return wire.Invalid(fmt.Sprintf("the workspace has %d events of sessions and may have %d: delete sessions first", have, most))
	}
	return nil
}

// Quota is what the workspace of a name may have, and what it has.
func (d *DB) Quota(ctx context.Context, name string) (may, has Quota, err error) {
	var id string
	err = d.System(ctx, func(ctx context.Context, tx *Tx) error {
		err := tx.QueryRow(ctx, "SELECT id, max_stores, max_memories, max_sessions, max_events, max_dreams FROM workspaces WHERE name = $1", name).Scan(&id, &may.Stores, &may.Memories, &may.Sessions, &may.Events, &may.Dreams)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("there is no workspace %q: a key makes one, see `dormoused keys create`", name)
		}
		return err
	})
	if err != nil {
		return may, has, err
	}
	err = d.Read(ctx, id, func(ctx context.Context, tx *Tx) error {
		return tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM memory_stores WHERE workspace = $1),
			(SELECT coalesce(sum(memories), 0) FROM memory_stores WHERE workspace = $1),
			(SELECT count(*) FROM sessions WHERE workspace = $1),
			(SELECT coalesce(sum(events), 0) FROM sessions WHERE workspace = $1),
			(SELECT count(*) FROM dream_runs WHERE workspace = $1 AND NOT done)`, id).Scan(&has.Stores, &has.Memories, &has.Sessions, &has.Events, &has.Dreams)
	})
	if err != nil {
		err = fmt.Errorf("counting what the workspace has: %w", err)
	}
	return may, has, err
}

// SetQuota sets what the workspace of a name may have. What it has already stays,
// though it be more.
func (d *DB) SetQuota(ctx context.Context, name string, q Quota) error {
	return d.System(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Exec(ctx, "UPDATE workspaces SET max_stores = $2, max_memories = $3, max_sessions = $4, max_events = $5, max_dreams = $6 WHERE name = $1",
			name, q.Stores, q.Memories, q.Sessions, q.Events, q.Dreams)
		if err != nil {
			return fmt.Errorf("setting the quota: %w", err)
		}
		if n == 0 {
			return fmt.Errorf("there is no workspace %q: a key makes one, see `dormoused keys create`", name)
		}
		return nil
	})
}

// DreamStates counts the dreams that have not ended, in all workspaces.
func (d *DB) DreamStates(ctx context.Context) (map[string]int, error) {
	states := map[string]int{"waiting": 0, "running": 0}
	err := d.System(ctx, func(ctx context.Context, tx *Tx) error {
		var waiting, running int
		if err := tx.QueryRow(ctx, "SELECT coalesce(sum(CASE WHEN owner = '' THEN 1 ELSE 0 END), 0), coalesce(sum(CASE WHEN owner = '' THEN 0 ELSE 1 END), 0) FROM dream_runs WHERE NOT done").Scan(&waiting, &running); err != nil {
			return err
		}
		states["waiting"], states["running"] = waiting, running
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("counting dreams: %w", err)
	}
	return states, nil
}
