package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// KeptVersions is how many versions of a memory stay however old they are.
const KeptVersions = 10

// sweepStep is how many versions one transaction looks at: writers wait for no longer.
const sweepStep = 500

// Swept is what a sweep removed.
type Swept struct {
	Versions int64 `json:"versions"`
	Contents int64 `json:"contents"`
	Answers  int64 `json:"model_answers"`
	Steps    int64 `json:"dream_steps"`
}

// Sweep removes what is older than a duration and not needed any more, in all
// workspaces: versions that are neither the present one of a memory nor among its
// KeptVersions newest, all versions of a memory that was deleted longer ago than that,
// the contents that only those had, answers of models, and the steps of dreams that
// ended. It works in short transactions; what was removed before an error stays so.
func (d *DB) Sweep(ctx context.Context, older time.Duration) (Swept, error) {
	var total Swept
	if older <= 0 {
		return total, errors.New("a sweep needs an age")
	}
	var workspaces []string
	var before int64
	err := d.System(ctx, func(ctx context.Context, tx *Tx) (err error) {
		before = tx.Now - older.Microseconds()
		workspaces, err = tx.texts(ctx, "SELECT id FROM workspaces ORDER BY id")
		return err
	})
	if err != nil {
		return total, fmt.Errorf("sweeping: %w", err)
	}
	for _, w := range workspaces {
		if err := d.sweepWorkspace(ctx, w, before, &total); err != nil {
			return total, fmt.Errorf("sweeping %s: %w", w, err)
		}
	}
	return total, nil
}

func (d *DB) sweepWorkspace(ctx context.Context, workspace string, before int64, total *Swept) error {
	var stores []string
	if err := d.Read(ctx, workspace, func(ctx context.Context, tx *Tx) (err error) {
		stores, err = tx.texts(ctx, "SELECT id FROM memory_stores WHERE workspace = $1 ORDER BY id", workspace)
		return err
	}); err != nil {
		return err
	}
	for _, s := range stores {
		at := place{at: -1 << 62}
		for more := true; more; {
			var n Swept
			var next place
			if err := d.Write(ctx, workspace, func(ctx context.Context, tx *Tx) (err error) {
				n, next, more, err = tx.sweepVersions(ctx, s, before, at)
				return err
			}); err != nil {
				return err
			}
			at = next
			total.Versions += n.Versions
			total.Contents += n.Contents
		}
	}
	for _, part := range []struct {
		count *int64
		q     string
	}{
		{&total.Answers, `DELETE FROM model_answers WHERE workspace = $1 AND question IN
			(SELECT a.question FROM model_answers a WHERE a.workspace = $1 AND a.created_at < $2 LIMIT 500)`},
		{&total.Steps, `DELETE FROM dream_steps WHERE workspace = $1 AND (dream, step) IN
			(SELECT s.dream, s.step FROM dream_steps s JOIN dreams d ON d.workspace = s.workspace AND d.id = s.dream
			WHERE s.workspace = $1 AND d.ended_at < $2 LIMIT 500)`},
	} {
		for n := int64(1); n > 0; {
			if err := d.Write(ctx, workspace, func(ctx context.Context, tx *Tx) (err error) {
				n, err = tx.Exec(ctx, part.q, workspace, before)
				return err
			}); err != nil {
				return err
			}
			*part.count += n
		}
	}
	return nil
}

// sweepVersions looks at the versions of a store behind a place, oldest first, and
// removes those that may go. A memory's versions have different times, so the time of
// the last one that is kept tells the older ones.
func (t *Tx) sweepVersions(ctx context.Context, store string, before int64, from place) (n Swept, next place, more bool, err error) {
	var ids, hashes []string
	seen := 0
	err = t.each(ctx, fmt.Sprintf(`SELECT v.id, v.created_at, v.sha256,
			v.id <> coalesce(m.version, '') AND (
				v.created_at < coalesce((SELECT k.created_at FROM memory_versions k WHERE k.workspace = v.workspace AND k.store = v.store AND k.memory = v.memory
					ORDER BY k.created_at DESC, k.id DESC LIMIT 1 OFFSET %d), v.created_at)
				OR m.id IS NULL AND NOT EXISTS (SELECT 1 FROM memory_versions k WHERE k.workspace = v.workspace AND k.store = v.store AND k.memory = v.memory AND k.created_at >= $3))
		FROM memory_versions v LEFT JOIN memories m ON m.workspace = v.workspace AND m.store = v.store AND m.id = v.memory
		WHERE v.workspace = $1 AND v.store = $2 AND v.created_at < $3 AND (v.created_at, v.id) > ($4, $5)
		ORDER BY v.created_at, v.id LIMIT %d`, KeptVersions-1, sweepStep),
		[]any{t.Workspace, store, before, from.at, from.id}, func(rows *sql.Rows) error {
			var sha *string
			var goes bool
			if err := rows.Scan(&next.id, &next.at, &sha, &goes); err != nil {
				return err
			}
			seen++
			if goes {
				ids = append(ids, next.id)
				if sha != nil {
					hashes = append(hashes, *sha)
				}
			}
			return nil
		})
	if err != nil || len(ids) == 0 {
		return n, next, seen == sweepStep, err
	}
	var w where
	w.add("workspace = ?", t.Workspace)
	w.add("store = ?", store)
	w.in("id", ids)
	// A memory that was deleted can't come back, and a head moves to a newer version
	// alone: what may go a moment ago may go now.
	if n.Versions, err = t.Exec(ctx, "DELETE FROM memory_versions WHERE "+w.String(), w.args...); err != nil {
		return n, next, false, fmt.Errorf("removing versions: %w", err)
	}
	n.Contents, err = t.sweep(ctx, hashes)
	return n, next, seen == sweepStep, err
}
