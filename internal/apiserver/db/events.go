package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// AddEvents appends events to a session. Those whose ids are there stay as they are.
func (d *DB) AddEvents(ctx context.Context, who apiserver.Who, session string, events []apiserver.Event) ([]apiserver.Event, error) {
	var out []apiserver.Event
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		s, err := tx.session(ctx, session, tx.d.forWrite)
		if err != nil {
			return err
		}
		if !s.ArchivedAt.IsZero() {
			return wire.Invalid("the session is archived")
		}
		if err := tx.roomForEvents(ctx, s.Events, len(events)); err != nil {
			return err
		}
		out, err = tx.addEvents(ctx, session, events)
		return err
	})
	return out, err
}

// addEvents appends to a session that is locked.
func (t *Tx) addEvents(ctx context.Context, session string, events []apiserver.Event) ([]apiserver.Event, error) {
	if len(events) == 0 {
		return nil, nil
	}
	var last int64
	if err := t.QueryRow(ctx, "SELECT events FROM sessions WHERE workspace = $1 AND id = $2", t.Workspace, session).Scan(&last); err != nil {
		return nil, fmt.Errorf("numbering events: %w", err)
	}
	out := make([]apiserver.Event, 0, len(events))
	for _, e := range events {
		e.Seq = last + 1
		n, err := t.Exec(ctx, "INSERT INTO session_events (workspace, session, seq, id, type, processed_at, body) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
			t.Workspace, session, e.Seq, e.ID, e.Type, micros(e.ProcessedAt), string(e.Body))
		if err != nil {
			return nil, fmt.Errorf("writing an event: %w", err)
		}
		if n > 0 {
			last++
		}
		out = append(out, e)
	}
	if _, err := t.Exec(ctx, "UPDATE sessions SET events = $3, updated_at = $4 WHERE workspace = $1 AND id = $2", t.Workspace, session, last, t.Now); err != nil {
		return nil, fmt.Errorf("numbering events: %w", err)
	}
	return out, nil
}

// ListEvents lists the events of a session by time, then by their order. InOrder lists
// by order alone.
func (d *DB) ListEvents(ctx context.Context, who apiserver.Who, session string, q apiserver.EventQuery) ([]apiserver.Event, apiserver.Cursor, error) {
	var w where
	w.add("workspace = ?", who.Workspace)
	w.add("session = ?", session)
	if len(q.Types) > 0 {
		w.in("type", q.Types)
	}
	w.span("processed_at", q.Created)
	order := "processed_at, seq"
	sign := ">"
	if q.Descending {
		order, sign = "processed_at DESC, seq DESC", "<"
	}
	switch {
	case q.InOrder:
		w.add("seq > ?", q.After)
		order = "seq"
	case q.Page != "":
		p, _, err := placeOf(q.Page)
		if err != nil {
			return nil, "", err
		}
		seq, err := strconv.ParseInt(p.id, 10, 64)
		if err != nil {
			return nil, "", badCursor()
		}
		w.add("(processed_at "+sign+" ? OR (processed_at = ? AND seq "+sign+" ?))", p.at, p.at, seq)
	}
	var out []apiserver.Event
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		var id string
		if err := tx.QueryRow(ctx, "SELECT id FROM sessions WHERE workspace = $1 AND id = $2", who.Workspace, session).Scan(&id); err != nil {
			if errors.Is(err, sql.ErrNoRows) {
				return wire.Missing("the session")
			}
			return err
		}
		return tx.each(ctx, "SELECT id, type, seq, processed_at, body FROM session_events WHERE "+w.String()+" ORDER BY "+order+fmt.Sprintf(" LIMIT %d", q.Limit+1), w.args, func(rows *sql.Rows) error {
			var e apiserver.Event
			var us int64
			var body string
			if err := rows.Scan(&e.ID, &e.Type, &e.Seq, &us, &body); err != nil {
				return err
			}
			e.ProcessedAt, e.Body = time.UnixMicro(us).UTC(), json.RawMessage(body)
			out = append(out, e)
			return nil
		})
	})
	page, next := cut(out, q.Limit, func(e apiserver.Event) place {
		return place{micros(e.ProcessedAt), strconv.FormatInt(e.Seq, 10)}
	})
	return page, next, err
}

const objectColumns = "kind, id, name, version, body, created_at, archived_at"

func scanObject(row scanner) (*apiserver.Object, error) {
	o := &apiserver.Object{}
	var body string
	var created int64
	var archived *int64
	if err := row.Scan(&o.Kind, &o.ID, &o.Name, &o.Version, &body, &created, &archived); err != nil {
		return nil, err
	}
	o.Body, o.CreatedAt = json.RawMessage(body), time.UnixMicro(created).UTC()
	if archived != nil {
		o.ArchivedAt = time.UnixMicro(*archived).UTC()
	}
	return o, nil
}

// PutObject keeps a version of an agent or an environment, in place of what there was
// of it.
func (d *DB) PutObject(ctx context.Context, who apiserver.Who, o apiserver.Object) error {
	return d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE objects SET newest = $4 WHERE workspace = $1 AND kind = $2 AND id = $3", who.Workspace, o.Kind, o.ID, tx.d.boolean(false)); err != nil {
			return fmt.Errorf("writing an object: %w", err)
		}
		if o.CreatedAt.IsZero() {
			o.CreatedAt = time.UnixMicro(tx.Now)
		}
		if _, err := tx.Exec(ctx, `INSERT INTO objects (workspace, `+objectColumns+`, newest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (workspace, kind, id, version) DO UPDATE SET name = excluded.name, body = excluded.body, archived_at = excluded.archived_at, newest = excluded.newest`,
			who.Workspace, o.Kind, o.ID, o.Name, o.Version, string(o.Body), micros(o.CreatedAt), nullable(o.ArchivedAt), tx.d.boolean(true)); err != nil {
			return fmt.Errorf("writing an object: %w", err)
		}
		return nil
	})
}

func (d *dialect) boolean(b bool) any {
	if d.postgres {
		return b
	}
	if b {
		return 1
	}
	return 0
}

// Object reads a version of an agent or an environment; 0 is the newest.
func (d *DB) Object(ctx context.Context, who apiserver.Who, kind, id string, version int) (*apiserver.Object, error) {
	var o *apiserver.Object
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		var w where
		w.add("workspace = ?", who.Workspace)
		w.add("kind = ?", kind)
		w.add("id = ?", id)
		if version > 0 {
			w.add("version = ?", version)
		}
		o, err = scanObject(tx.QueryRow(ctx, "SELECT "+objectColumns+" FROM objects WHERE "+w.String()+" ORDER BY version DESC LIMIT 1", w.args...))
		if errors.Is(err, sql.ErrNoRows) {
			return wire.Missing("the " + kind)
		}
		return err
	})
	return o, err
}

// ListObjects lists agents or environments, newest first, or the versions of one.
func (d *DB) ListObjects(ctx context.Context, who apiserver.Who, q apiserver.ObjectQuery) ([]apiserver.Object, apiserver.Cursor, error) {
	var w where
	w.add("workspace = ?", who.Workspace)
	w.add("kind = ?", q.Kind)
	p, more, err := placeOf(q.Page)
	if err != nil {
		return nil, "", err
	}
	order := "created_at DESC, id DESC"
	key := func(o apiserver.Object) place { return place{micros(o.CreatedAt), o.ID} }
	if q.ID != "" {
		w.add("id = ?", q.ID)
		order = "version DESC"
		key = func(o apiserver.Object) place { return place{int64(o.Version), strings.ToLower(o.ID)} }
		if more {
			w.add("version < ?", p.at)
		}
	} else {
		w.add("newest = ?", (&d.dialect).boolean(true))
		if more {
			w.behind("created_at", p)
		}
		if !q.IncludeArchived {
			w.add("archived_at IS NULL")
		}
	}
	var out []apiserver.Object
	err = d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		return tx.each(ctx, "SELECT "+objectColumns+" FROM objects WHERE "+w.String()+" ORDER BY "+order+fmt.Sprintf(" LIMIT %d", q.Limit+1), w.args, func(rows *sql.Rows) error {
			o, err := scanObject(rows)
			if err == nil {
				out = append(out, *o)
			}
			return err
		})
	})
	page, next := cut(out, q.Limit, key)
	return page, next, err
}

// DeleteObject deletes an agent or an environment in all its versions.
func (d *DB) DeleteObject(ctx context.Context, who apiserver.Who, kind, id string) error {
	return d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Exec(ctx, "DELETE FROM objects WHERE workspace = $1 AND kind = $2 AND id = $3", who.Workspace, kind, id)
		if err != nil {
			return fmt.Errorf("deleting an object: %w", err)
		}
		if n == 0 {
			return wire.Missing("the " + kind)
		}
		return nil
	})
}
