package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the same statements without a server

	"dormouse/internal/apiserver/db"
)

// liteMemories are enough for the index to have some depth.
const liteMemories = 20_000

// sqlite measures durable updates on SQLite: the server, and one program that runs its
// statements, each update in a transaction of its own.
func (w *work) sqlite(ctx context.Context, out *result) error {
	lite := *w
	s := *w.sizes
	s.memories, s.perStore = liteMemories, liteMemories/10
	lite.sizes = &s
	r := row{What: "durable update on SQLite"}
	for round := range w.rounds {
		lite.database = filepath.Join(w.dir, fmt.Sprintf("%d.db", round))
		if err := lite.fillLite(ctx); err != nil {
			return fmt.Errorf("filling SQLite: %w", err)
		}
		alone, err := lite.alone(ctx)
		if err != nil {
			return fmt.Errorf("writing to SQLite: %w", err)
		}
		srv, err := lite.serve(ctx)
		if err != nil {
			return err
		}
		m, err := lite.wrk(ctx, srv, "update", round)
		if err == nil {
			out.LiteMB, err = srv.rss()
		}
		srv.stop()
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "round %d, SQLite: server %.0f a second, p99 %.1f ms, %d failed; alone %.0f\n", round+1, m.rate, m.p99, m.failed, alone)
		r.Server, r.Alone, r.P99, r.Failed = append(r.Server, m.rate), append(r.Alone, alone), append(r.P99, m.p99), r.Failed+m.failed
	}
	out.Rows = append(out.Rows, r)
	return nil
}

// fillLite writes the memories, and the plans of what is to be updated: the first half
// is the server's.
func (w *work) fillLite(ctx context.Context) error {
	d, err := db.Open(ctx, w.database, db.Options{})
	if err != nil {
		return err
	}
	k, secret, err := d.CreateKey(ctx, "load", "load")
	if err != nil {
		return errors.Join(err, d.Close())
	}
	w.key, w.workspace = secret, k.Workspace
	err = d.Write(ctx, w.workspace, func(ctx context.Context, tx *db.Tx) error {
		for i := range w.stores() {
			if _, err := tx.Exec(ctx, "INSERT INTO memory_stores (workspace, id, name, description, metadata, created_at, updated_at, memories) VALUES ($1, $2, 'S', '', '{}', 1, 1, $3)", w.workspace, storeID(i), w.perStore); err != nil {
				return err
			}
		}
		for i := range w.memories {
			text := content(i)
			hash, store, path := db.HashOf(text), storeID(i/w.perStore), fmt.Sprintf("/notes/%05d.md", i%w.perStore)
			if _, err := tx.Exec(ctx, "INSERT INTO contents (workspace, sha256, content) VALUES ($1, $2, $3)", w.workspace, hash, text); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "INSERT INTO memories (workspace, store, id, path, version, sha256, size, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 1)", w.workspace, store, memoryID(i), path, versionID(i), hash, len(text)); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "INSERT INTO memory_versions (workspace, store, id, memory, operation, path, sha256, size, actor_type, actor, created_at) VALUES ($1, $2, $3, $4, 'created', $5, $6, $7, 'api_actor', $8, 1)", w.workspace, store, versionID(i), memoryID(i), path, hash, len(text), k.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	for thread := range threads {
		var plan []byte
		for i := thread; i < w.memories/2; i += threads {
			plan = fmt.Appendf(plan, "%d %s\n", i, db.HashOf(content(i)))
		}
		if err := os.WriteFile(filepath.Join(w.dir, "plan."+strconv.Itoa(thread)), plan, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// alone does what an update does, one after the other, on the second half of the
// memories, and returns how many it did in a second.
func (w *work) alone(ctx context.Context) (float64, error) {
	d, err := sql.Open("sqlite", "file:"+w.database+"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)")
	if err != nil {
		return 0, err
	}
	defer func() { _ = d.Close() }() // each write is on the disk when it returns
	d.SetMaxOpenConns(1)
	began, n := time.Now(), 0
	for i := w.memories / 2; i < w.memories && time.Since(began) < time.Duration(w.seconds)*time.Second; i++ {
		if err := w.one(ctx, d, i); err != nil {
			return 0, err
		}
		n++
	}
	return float64(n) / time.Since(began).Seconds(), nil
}

func (w *work) one(ctx context.Context, d *sql.DB, i int) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	store, memory := storeID(i/w.perStore), memoryID(i)
	text := fmt.Sprintf("changed %d %s", i, content(i))
	hash, version := db.HashOf(text), fmt.Sprintf("memver_b%021d", i)
	var was, path string
	err = errors.Join(
		tx.QueryRowContext(ctx, "SELECT id FROM memory_stores WHERE workspace = ?1 AND id = ?2", w.workspace, store).Scan(&was),
		tx.QueryRowContext(ctx, "SELECT sha256, path FROM memories WHERE workspace = ?1 AND store = ?2 AND id = ?3", w.workspace, store, memory).Scan(&was, &path),
	)
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	for _, s := range []struct {
		q    string
		args []any
	}{
		{"INSERT INTO contents (workspace, sha256, content) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", []any{w.workspace, hash, text}},
		{"UPDATE memories SET path = ?4, version = ?5, sha256 = ?6, size = ?7, updated_at = ?8 WHERE workspace = ?1 AND store = ?2 AND id = ?3", []any{w.workspace, store, memory, path, version, hash, len(text), 2}},
		{"INSERT INTO memory_versions (workspace, store, id, memory, operation, path, sha256, size, actor_type, actor, created_at) VALUES (?1, ?2, ?3, ?4, 'modified', ?5, ?6, ?7, 'api_actor', 'k', ?8)", []any{w.workspace, store, version, memory, path, hash, len(text), 2}},
	} {
		if _, err := tx.ExecContext(ctx, s.q, s.args...); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
