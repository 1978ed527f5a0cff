package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

const storeColumns = "id, name, description, metadata, created_at, updated_at, archived_at"

type scanner interface{ Scan(...any) error }

func scanStore(row scanner) (*wire.MemoryStore, error) {
	s := &wire.MemoryStore{Type: "memory_store"}
	var metadata string
	var created, updated int64
	var archived *int64
	if err := row.Scan(&s.ID, &s.Name, &s.Description, &metadata, &created, &updated, &archived); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, wire.Missing("the memory store")
		}
		return nil, fmt.Errorf("reading a memory store: %w", err)
	}
	s.CreatedAt, s.UpdatedAt, s.ArchivedAt = at(created), at(updated), maybe(archived)
	if err := json.Unmarshal([]byte(metadata), &s.Metadata); err != nil {
		return nil, fmt.Errorf("reading the metadata of %s: %w", s.ID, err)
	}
	return s, nil
}

// store reads a store; lock is what the dialect has for that, or "".
func (t *Tx) store(ctx context.Context, id, lock string) (*wire.MemoryStore, error) {
	return scanStore(t.QueryRow(ctx, "SELECT "+storeColumns+" FROM memory_stores WHERE workspace = $1 AND id = $2"+lock, t.Workspace, id))
}

// open reads a store that may be written into, and locks it.
func (t *Tx) open(ctx context.Context, id, lock string) (*wire.MemoryStore, error) {
	s, err := t.store(ctx, id, lock)
	if err == nil && s.ArchivedAt != nil {
		return nil, wire.Invalid("the memory store is archived")
	}
	return s, err
}

// CreateStore makes a store.
func (d *DB) CreateStore(ctx context.Context, who apiserver.Who, in apiserver.NewStore) (*wire.MemoryStore, error) {
	var s *wire.MemoryStore
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if err := tx.room(ctx, "memory stores", "SELECT max_stores, (SELECT count(*) FROM memory_stores s WHERE s.workspace = w.id) FROM workspaces w WHERE w.id = $1"); err != nil {
			return err
		}
		made, err := tx.newStore(ctx, wire.NewID(wire.StoreID), in)
		s = made
		return err
	})
	return s, err
}

func (t *Tx) newStore(ctx context.Context, id string, in apiserver.NewStore) (*wire.MemoryStore, error) {
	s := &wire.MemoryStore{
		Type: "memory_store", ID: id, Name: in.Name, Description: in.Description, Metadata: maps.Clone(in.Metadata), CreatedAt: at(t.Now), UpdatedAt: at(t.Now),
	}
	if s.Metadata == nil {
		s.Metadata = map[string]string{}
	}
	metadata, err := json.Marshal(s.Metadata)
	if err != nil {
		return nil, err
	}
	if _, err := t.Exec(ctx, "INSERT INTO memory_stores (workspace, "+storeColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, NULL)",
		t.Workspace, s.ID, s.Name, s.Description, string(metadata), t.Now, t.Now); err != nil {
		return nil, fmt.Errorf("writing a memory store: %w", err)
	}
	return s, nil
}

// Store reads a store.
func (d *DB) Store(ctx context.Context, who apiserver.Who, id string) (*wire.MemoryStore, error) {
	var s *wire.MemoryStore
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		s, err = tx.store(ctx, id, "")
		return err
	})
	return s, err
}

// UpdateStore changes name, description and metadata.
func (d *DB) UpdateStore(ctx context.Context, who apiserver.Who, id string, p apiserver.StorePatch) (*wire.MemoryStore, error) {
	var s *wire.MemoryStore
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if s, err = tx.open(ctx, id, tx.d.forWrite); err != nil {
			return err
		}
		was := *s
		if p.Name != nil {
			s.Name = *p.Name
		}
		if p.Description != nil {
			s.Description = *p.Description
		}
		if s.Metadata, err = wire.PatchMetadata(was.Metadata, p.Metadata); err != nil {
			return err
		}
		if s.Name == was.Name && s.Description == was.Description && maps.Equal(s.Metadata, was.Metadata) {
			return nil
		}
		s.UpdatedAt = at(tx.Now)
		metadata, err := json.Marshal(s.Metadata)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE memory_stores SET name = $3, description = $4, metadata = $5, updated_at = $6 WHERE workspace = $1 AND id = $2",
			who.Workspace, id, s.Name, s.Description, string(metadata), tx.Now)
		return err
	})
	return s, err
}

// ListStores lists stores, newest first. A store that a dream has not filled yet is
// not listed.
func (d *DB) ListStores(ctx context.Context, who apiserver.Who, q apiserver.StoreQuery) ([]wire.MemoryStore, apiserver.Cursor, error) {
	var out []wire.MemoryStore
	var w where
	w.add("workspace = ?", who.Workspace)
	w.add("NOT hidden")
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
	w.span("created_at", q.Created)
	err = d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		return tx.each(ctx, "SELECT "+storeColumns+" FROM memory_stores WHERE "+w.String()+fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT %d", q.Limit+1), w.args, func(rows *sql.Rows) error {
			s, err := scanStore(rows)
			if err == nil {
				out = append(out, *s)
			}
			return err
		})
	})
	page, next := cut(out, q.Limit, func(s wire.MemoryStore) place { return place{micros(s.CreatedAt.Time), s.ID} })
	return page, next, err
}

// each calls f for each row of a query.
func (t *Tx) each(ctx context.Context, q string, args []any, f func(*sql.Rows) error) error {
	rows, err := t.Query(ctx, q, args...)
	if err != nil {
		return fmt.Errorf("asking the database: %w", err)
	}
	for rows.Next() {
		if err := f(rows); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// ArchiveStore archives a store, once.
func (d *DB) ArchiveStore(ctx context.Context, who apiserver.Who, id string) (*wire.MemoryStore, error) {
	var s *wire.MemoryStore
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if s, err = tx.store(ctx, id, tx.d.forWrite); err != nil || s.ArchivedAt != nil {
			return err
		}
		s.ArchivedAt, s.UpdatedAt = maybe(&tx.Now), at(tx.Now)
		_, err = tx.Exec(ctx, "UPDATE memory_stores SET archived_at = $3, updated_at = $3 WHERE workspace = $1 AND id = $2", who.Workspace, id, tx.Now)
		return err
	})
	return s, err
}

// DeleteStore deletes a store with its memories and versions, and the contents that
// nothing else has.
func (d *DB) DeleteStore(ctx context.Context, who apiserver.Who, id string) error {
	return d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.store(ctx, id, tx.d.forWrite); err != nil {
			return err
		}
		var hashes []string
		if err := tx.each(ctx, "SELECT DISTINCT sha256 FROM memory_versions WHERE workspace = $1 AND store = $2 AND sha256 IS NOT NULL", []any{who.Workspace, id}, func(rows *sql.Rows) error {
			var h string
			err := rows.Scan(&h)
			hashes = append(hashes, h)
			return err
		}); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM memory_stores WHERE workspace = $1 AND id = $2", who.Workspace, id); err != nil {
			return fmt.Errorf("deleting a memory store: %w", err)
		}
		_, err := tx.sweep(ctx, hashes)
		return err
	})
}

// sweep removes those contents that no version has any more.
func (t *Tx) sweep(ctx context.Context, hashes []string) (gone int64, err error) {
	const most = 500
	for len(hashes) > 0 {
		some := hashes[:min(most, len(hashes))]
		hashes = hashes[len(some):]
		var w where
		w.add("workspace = ?", t.Workspace)
		w.in("sha256", some)
		n, err := t.Exec(ctx, "DELETE FROM contents WHERE "+w.String()+" AND NOT EXISTS (SELECT 1 FROM memory_versions v WHERE v.workspace = contents.workspace AND v.sha256 = contents.sha256)", w.args...)
		if err != nil {
			return gone, fmt.Errorf("removing contents: %w", err)
		}
		gone += n
	}
	return gone, nil
}
