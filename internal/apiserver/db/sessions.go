package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

const (
	sessionColumns = "id, status, agent, agent_version, environment, body, created_at, updated_at, archived_at"
	sessionRead    = sessionColumns + ", events"
)

func scanSession(row scanner) (*apiserver.Session, error) {
	s := &apiserver.Session{}
	var body string
	var created, updated int64
	var archived *int64
	if err := row.Scan(&s.ID, &s.Status, &s.Agent, &s.AgentVersion, &s.Environment, &body, &created, &updated, &archived, &s.Events); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, wire.Missing("the session")
		}
		return nil, fmt.Errorf("reading a session: %w", err)
	}
	s.Body, s.CreatedAt, s.UpdatedAt = json.RawMessage(body), time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if archived != nil {
		s.ArchivedAt = time.UnixMicro(*archived).UTC()
	}
	return s, nil
}

func nullable(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return micros(t)
}

func (t *Tx) session(ctx context.Context, id, lock string) (*apiserver.Session, error) {
	s, err := scanSession(t.QueryRow(ctx, "SELECT "+sessionRead+" FROM sessions WHERE workspace = $1 AND id = $2"+lock, t.Workspace, id))
	if err != nil {
		return nil, err
	}
	s.Stores, err = t.texts(ctx, "SELECT store FROM session_stores WHERE workspace = $1 AND session = $2 ORDER BY store", t.Workspace, id)
	return s, err
}

func (t *Tx) texts(ctx context.Context, q string, args ...any) ([]string, error) {
	var out []string
	err := t.each(ctx, q, args, func(rows *sql.Rows) error {
		var s string
		err := rows.Scan(&s)
		out = append(out, s)
		return err
	})
	return out, err
}

// CreateSession keeps a session with its first events. Times that are zero are now.
func (d *DB) CreateSession(ctx context.Context, who apiserver.Who, in apiserver.Session, events []apiserver.Event) (*apiserver.Session, error) {
	s := in
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		s = in
		for _, id := range in.Stores {
			if _, err := tx.open(ctx, id, tx.d.forShare); err != nil {
				return err
			}
		}
		if err := tx.room(ctx, "sessions", "SELECT max_sessions, (SELECT count(*) FROM sessions s WHERE s.workspace = w.id) FROM workspaces w WHERE w.id = $1"); err != nil {
			return err
		}
		return tx.newSession(ctx, &s, events)
	})
	if err != nil {
		return nil, err
	}
	return &s, nil
}

func (t *Tx) newSession(ctx context.Context, s *apiserver.Session, events []apiserver.Event) error {
	now := time.UnixMicro(t.Now).UTC()
	if s.ID == "" {
		s.ID = wire.NewID(wire.SessionID)
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = now
	}
	if s.UpdatedAt.IsZero() {
		s.UpdatedAt = s.CreatedAt
	}
	if _, err := t.Exec(ctx, "INSERT INTO sessions (workspace, "+sessionColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		t.Workspace, s.ID, s.Status, s.Agent, s.AgentVersion, s.Environment, string(s.Body), micros(s.CreatedAt), micros(s.UpdatedAt), nullable(s.ArchivedAt)); err != nil {
		if t.d.unique(err) {
			return wire.Invalid("there is a session of this id already")
		}
		return fmt.Errorf("writing a session: %w", err)
	}
	for _, id := range s.Stores {
		if _, err := t.Exec(ctx, "INSERT INTO session_stores (workspace, session, store) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", t.Workspace, s.ID, id); err != nil {
			return fmt.Errorf("attaching a store: %w", err)
		}
	}
	_, err := t.addEvents(ctx, s.ID, events)
	return err
}

// Session reads a session.
func (d *DB) Session(ctx context.Context, who apiserver.Who, id string) (*apiserver.Session, error) {
	var s *apiserver.Session
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		s, err = tx.session(ctx, id, "")
		return err
	})
	return s, err
}

// UpdateSession changes a session.
func (d *DB) UpdateSession(ctx context.Context, who apiserver.Who, id string, change func(*apiserver.Session) error) (*apiserver.Session, error) {
	var s *apiserver.Session
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if s, err = tx.session(ctx, id, tx.d.forWrite); err != nil {
			return err
		}
		if err := change(s); err != nil {
			return err
		}
		s.UpdatedAt = time.UnixMicro(tx.Now).UTC()
		return tx.putSession(ctx, s)
	})
	return s, err
}

func (t *Tx) putSession(ctx context.Context, s *apiserver.Session) error {
	if _, err := t.Exec(ctx, "UPDATE sessions SET status = $3, body = $4, updated_at = $5, archived_at = $6 WHERE workspace = $1 AND id = $2",
		t.Workspace, s.ID, s.Status, string(s.Body), micros(s.UpdatedAt), nullable(s.ArchivedAt)); err != nil {
		return fmt.Errorf("writing a session: %w", err)
	}
	return nil
}

// ListSessions lists sessions by creation time. A cursor says in which direction it
// goes: one of a previous page begins with "-".
func (d *DB) ListSessions(ctx context.Context, who apiserver.Who, q apiserver.SessionQuery) (page []apiserver.Session, next, prev apiserver.Cursor, err error) {
	var w where
	w.add("workspace = ?", who.Workspace)
	back := strings.HasPrefix(string(q.Page), "-")
	p, more, err := placeOf(apiserver.Cursor(strings.TrimPrefix(string(q.Page), "-")))
	if err != nil {
		return nil, "", "", err
	}
	up := q.Ascending != back
	if more {
		sign := "<"
		if up {
			sign = ">"
		}
		w.add("(created_at "+sign+" ? OR (created_at = ? AND id "+sign+" ?))", p.at, p.at, p.id)
	}
	if !q.IncludeArchived {
		w.add("archived_at IS NULL")
	}
	if q.Agent != "" {
		w.add("agent = ?", q.Agent)
	}
	if q.AgentVersion != 0 {
		w.add("agent_version = ?", q.AgentVersion)
	}
	if q.Store != "" {
		w.add("id IN (SELECT session FROM session_stores WHERE workspace = ? AND store = ?)", who.Workspace, q.Store)
	}
	if len(q.Statuses) > 0 {
		w.in("status", q.Statuses)
	}
	w.span("created_at", q.Created)
	direction := "DESC"
	if up {
		direction = "ASC"
	}
	err = d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		page = page[:0]
		if err := tx.each(ctx, "SELECT "+sessionRead+" FROM sessions WHERE "+w.String()+fmt.Sprintf(" ORDER BY created_at %s, id %s LIMIT %d", direction, direction, q.Limit+1), w.args, func(rows *sql.Rows) error {
			s, err := scanSession(rows)
			if err == nil {
				page = append(page, *s)
			}
			return err
		}); err != nil {
			return err
		}
		for i := range page {
			var err error
			if page[i].Stores, err = tx.texts(ctx, "SELECT store FROM session_stores WHERE workspace = $1 AND session = $2 ORDER BY store", who.Workspace, page[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, "", "", err
	}
	page, next, prev = turn(page, q.Limit, back, more)
	return page, next, prev, nil
}

// turn makes a page of rows that were read in one direction or the other.
func turn(rows []apiserver.Session, limit int, back, more bool) (page []apiserver.Session, next, prev apiserver.Cursor) {
	of := func(s apiserver.Session) apiserver.Cursor { return place{micros(s.CreatedAt), s.ID}.cursor() }
	further := len(rows) > limit
	rows = rows[:min(len(rows), limit)]
	if len(rows) == 0 {
		return rows, "", ""
	}
	if back {
		for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
			rows[i], rows[j] = rows[j], rows[i]
		}
		if further {
			prev = "-" + of(rows[0])
		}
		return rows, of(rows[len(rows)-1]), prev
	}
	if further {
		next = of(rows[len(rows)-1])
	}
	if more {
		prev = "-" + of(rows[0])
	}
	return rows, next, prev
}

// DeleteSession deletes a session with its events.
func (d *DB) DeleteSession(ctx context.Context, who apiserver.Who, id string) error {
	return d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Exec(ctx, "DELETE FROM sessions WHERE workspace = $1 AND id = $2", who.Workspace, id)
		if err != nil {
			return fmt.Errorf("deleting a session: %w", err)
		}
		if n == 0 {
			return wire.Missing("the session")
		}
		return nil
	})
}
