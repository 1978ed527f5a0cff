package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// ListMemories lists the memories of a store by the bytes of their paths. The cursor
// is the path behind which the next page begins; of a folder that was rolled up the
// folder's, with its slash.
func (d *DB) ListMemories(ctx context.Context, who apiserver.Who, store string, q apiserver.MemoryQuery) ([]wire.Listed, apiserver.Cursor, error) {
	if q.Prefix == "/" {
		q.Prefix = ""
	}
	if q.Page != "" && !strings.HasPrefix(string(q.Page), "/") {
		return nil, "", badCursor()
	}
	var out []wire.Listed
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.store(ctx, store, ""); err != nil {
			return err
		}
		var err error
		if q.Depth == 1 {
			out, err = tx.rolledUp(ctx, store, q)
		} else {
			out, err = tx.below(ctx, store, q, string(q.Page), q.Limit+1)
		}
		return err
	})
	if err != nil || len(out) <= q.Limit {
		return out, "", err
	}
	out = out[:q.Limit]
	last := out[q.Limit-1]
	if last.Prefix != nil {
		return out, apiserver.Cursor(last.Prefix.Path), nil
	}
	return out, apiserver.Cursor(last.Memory.Path), nil
}

// below reads the memories below a prefix whose paths come after one.
func (t *Tx) below(ctx context.Context, store string, q apiserver.MemoryQuery, after string, limit int) ([]wire.Listed, error) {
	var w where
	w.add("m.workspace = ?", t.Workspace)
	w.add("m.store = ?", store)
	from := "memories m"
	columns := memoryColumns
	if q.Full {
		from += " JOIN contents c ON c.workspace = m.workspace AND c.sha256 = m.sha256"
		columns += ", c.content"
	}
	w.add("m.path > ?", max(after, q.Prefix)) // no path ends in a slash, so none equals a prefix
	if q.Prefix != "" {
		w.add("m.path < ?", behindFolder(q.Prefix))
	}
	var out []wire.Listed
	err := t.each(ctx, "SELECT "+columns+" FROM "+from+" WHERE "+w.String()+fmt.Sprintf(" ORDER BY m.path LIMIT %d", limit), w.args, func(rows *sql.Rows) error {
		var content string
		var more []any
		if q.Full {
			more = append(more, &content)
		}
		m, err := scanMemory(rows, more...)
		if err != nil {
			return err
		}
		if q.Full {
			m.Content = &content
		}
		out = append(out, wire.Listed{Memory: m})
		return nil
	})
	return out, err
}

// behindFolder is the first string behind all that begin with a folder's path.
func behindFolder(folder string) string { return folder[:len(folder)-1] + "0" }

// rolledUp lists what lies directly below a prefix, a folder once. It skips from
// folder to folder, so that it reads as many rows as it returns.
func (t *Tx) rolledUp(ctx context.Context, store string, q apiserver.MemoryQuery) ([]wire.Listed, error) {
	after := string(q.Page)
	if strings.HasSuffix(after, "/") {
		after = behindFolder(after)
	}
	var out []wire.Listed
	base := max(q.Prefix, "/")
	for len(out) <= q.Limit {
		some, err := t.below(ctx, store, q, after, q.Limit+1-len(out))
		if err != nil {
			return nil, err
		}
		skipped := false
		for _, l := range some {
			rest := l.Memory.Path[len(base):]
			folder, _, deeper := strings.Cut(rest, "/")
			if !deeper {
				out = append(out, l)
				after = l.Memory.Path
				continue
			}
			p := base + folder + "/"
			out = append(out, wire.Listed{Prefix: &wire.MemoryPrefix{Type: "memory_prefix", Path: p}})
			after, skipped = behindFolder(p), true
			break
		}
		if !skipped {
			return out, nil // fewer than asked for, or enough
		}
	}
	return out, nil
}

const versionColumns = "v.id, v.store, v.memory, v.operation, v.path, v.sha256, v.size, v.actor_type, v.actor, v.created_at, v.redacted_at, v.redacted_type, v.redacted_by"

func scanVersion(row scanner, more ...any) (*wire.MemoryVersion, error) {
	v := &wire.MemoryVersion{Type: "memory_version"}
	var kind, actor string
	var created int64
	var redacted *int64
	var byKind, by *string
	if err := row.Scan(append([]any{
		&v.ID, &v.Store, &v.Memory, &v.Operation, &v.Path, &v.SHA256, &v.Size, &kind, &actor, &created, &redacted, &byKind, &by,
	}, more...)...); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, wire.Missing("the memory version")
		}
		return nil, fmt.Errorf("reading a version: %w", err)
	}
	v.CreatedBy, v.CreatedAt, v.RedactedAt = actorOf(kind, actor), at(created), maybe(redacted)
	if byKind != nil && by != nil {
		a := actorOf(*byKind, *by)
		v.RedactedBy = &a
	}
	return v, nil
}

func (t *Tx) oneVersion(ctx context.Context, store, id, lock string) (*wire.MemoryVersion, error) {
	return scanVersion(t.QueryRow(ctx, "SELECT "+versionColumns+" FROM memory_versions v WHERE v.workspace = $1 AND v.store = $2 AND v.id = $3"+lock, t.Workspace, store, id))
}

// Version reads a version.
func (d *DB) Version(ctx context.Context, who apiserver.Who, store, id string, full bool) (*wire.MemoryVersion, error) {
	var v *wire.MemoryVersion
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if !full {
			v, err = tx.oneVersion(ctx, store, id, "")
			return err
		}
		var content *string
		if v, err = scanVersion(tx.QueryRow(ctx, "SELECT "+versionColumns+", c.content FROM memory_versions v LEFT JOIN contents c ON c.workspace = v.workspace AND c.sha256 = v.sha256 WHERE v.workspace = $1 AND v.store = $2 AND v.id = $3",
			who.Workspace, store, id), &content); err != nil {
			return err
		}
		v.Content = content
		return nil
	})
	return v, err
}

// ListVersions lists versions, newest first.
func (d *DB) ListVersions(ctx context.Context, who apiserver.Who, store string, q apiserver.VersionQuery) ([]wire.MemoryVersion, apiserver.Cursor, error) {
	var w where
	w.add("v.workspace = ?", who.Workspace)
	w.add("v.store = ?", store)
	p, more, err := placeOf(q.Page)
	if err != nil {
		return nil, "", err
	}
	if more {
		w.add("(v.created_at < ? OR (v.created_at = ? AND v.id < ?))", p.at, p.at, p.id)
	}
	for _, f := range []struct{ column, value string }{{"v.memory", q.Memory}, {"v.operation", q.Op}} {
		if f.value != "" {
			w.add(f.column+" = ?", f.value)
		}
	}
	for _, f := range []struct{ kind, value string }{{wire.SessionActor, q.Session}, {wire.APIActor, q.APIKey}, {wire.ServiceAccountActor, q.ServiceAccount}} {
		if f.value != "" {
			w.add("v.actor_type = ?", f.kind)
			w.add("v.actor = ?", f.value)
		}
	}
	w.span("v.created_at", q.Created)
	from, columns := "memory_versions v", versionColumns
	if q.Full {
		from += " LEFT JOIN contents c ON c.workspace = v.workspace AND c.sha256 = v.sha256"
		columns += ", c.content"
	}
	var out []wire.MemoryVersion
	err = d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		if _, err := tx.store(ctx, store, ""); err != nil {
			return err
		}
		return tx.each(ctx, "SELECT "+columns+" FROM "+from+" WHERE "+w.String()+fmt.Sprintf(" ORDER BY v.created_at DESC, v.id DESC LIMIT %d", q.Limit+1), w.args, func(rows *sql.Rows) error {
			var content *string
			var more []any
			if q.Full {
				more = append(more, &content)
			}
			v, err := scanVersion(rows, more...)
			if err == nil {
				v.Content = content
				out = append(out, *v)
			}
			return err
		})
	})
	page, next := cut(out, q.Limit, func(v wire.MemoryVersion) place { return place{micros(v.CreatedAt.Time), v.ID} })
	return page, next, err
}

// RedactVersion takes path and content out of a version.
func (d *DB) RedactVersion(ctx context.Context, who apiserver.Who, store, id string) (*wire.MemoryVersion, error) {
	var v *wire.MemoryVersion
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if _, err = tx.store(ctx, store, tx.d.forShare); err != nil {
			return err
		}
		if v, err = tx.oneVersion(ctx, store, id, tx.d.forWrite); err != nil || v.RedactedAt != nil {
			return err
		}
		m, err := tx.memory(ctx, store, v.Memory, tx.d.forShare)
		if wrong, ok := errors.AsType[*wire.Error](err); ok && wrong.Type == wire.NotFound {
			err = nil
		} else if err == nil && m.Version == id {
			return wire.Invalid("this is the present version of a memory that is there: change or delete the memory first")
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE memory_versions SET path = NULL, sha256 = NULL, size = NULL, redacted_at = $4, redacted_type = $5, redacted_by = $6
			WHERE workspace = $1 AND store = $2 AND id = $3`, who.Workspace, store, id, tx.Now, who.Actor.Type, actorID(who.Actor)); err != nil {
			return fmt.Errorf("redacting a version: %w", err)
		}
		sha := v.SHA256
		v.Path, v.SHA256, v.Size = nil, nil, nil
		v.RedactedAt, v.RedactedBy = maybe(&tx.Now), &who.Actor
		if sha == nil {
			return nil
		}
		_, err = tx.sweep(ctx, []string{*sha})
		return err
	})
	return v, err
}
