package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// Head is a memory as a dream takes it in.
type Head struct {
	Path, SHA256 string
	Content      string
	At           time.Time // when it was last changed, in the input
}

// stepTimes keeps when the memories of the input were changed: in the output they are
// new.
const stepTimes = "times"

// rowsAtOnce is how many rows one statement writes.
const rowsAtOnce = 100

// Clone makes the output store, a copy of the input as it is at one moment, and says
// so in the dream. In place there is nothing to copy. Done once, whoever does it.
func (r *Run) Clone(ctx context.Context) error {
	if len(r.Dream.Outputs) > 0 {
		return nil
	}
	input := r.Dream.Inputs[0].Store
	out := r.OutputID()
	if out == input {
		return r.Write(ctx, func(ctx context.Context, tx *Tx) error {
			if _, err := tx.open(ctx, out, tx.d.forShare); err != nil {
				return err
			}
			return r.tellOutput(ctx, tx, out)
		})
	}
	store, rows, times, err := r.snapshot(ctx, input)
	if err != nil {
		return err
	}
	if err := r.Write(ctx, func(ctx context.Context, tx *Tx) error {
		// What somebody began who died may be of another moment.
		if _, err := tx.Exec(ctx, "DELETE FROM memory_stores WHERE workspace = $1 AND id = $2", tx.Workspace, out); err != nil {
			return fmt.Errorf("removing a copy that was begun: %w", err)
		}
		name := []rune(store.Name)
		suffix := " (dreamt " + r.Dream.CreatedAt.Format("2006-01-02") + ")"
		name = name[:min(len(name), wire.MaxName-len(suffix))]
		if _, err := tx.newStore(ctx, out, apiserver.NewStore{Name: string(name) + suffix, Description: store.Description, Metadata: store.Metadata}); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE memory_stores SET hidden = $3, memories = $4 WHERE workspace = $1 AND id = $2", tx.Workspace, out, tx.d.boolean(true), len(rows))
		return err
	}); err != nil {
		return err
	}
	for len(rows) > 0 {
		some := rows[:min(len(rows), 10*rowsAtOnce)]
		rows = rows[len(some):]
		if err := r.Write(ctx, func(ctx context.Context, tx *Tx) error { return r.copyRows(ctx, tx, out, some) }); err != nil {
			return err
		}
	}
	body, err := json.Marshal(times)
	if err != nil {
		return err
	}
	return r.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE memory_stores SET hidden = $3 WHERE workspace = $1 AND id = $2", tx.Workspace, out, tx.d.boolean(false)); err != nil {
			return fmt.Errorf("showing the output store: %w", err)
		}
		if err := r.Keep(ctx, tx, stepTimes, string(body)); err != nil {
			return err
		}
		return r.tellOutput(ctx, tx, out)
	})
}

func (r *Run) tellOutput(ctx context.Context, tx *Tx, out string) error {
	if _, err := tx.Exec(ctx, "UPDATE dreams SET output = $3, session = $4 WHERE workspace = $1 AND id = $2", tx.Workspace, r.Dream.ID, out, r.SessionID()); err != nil {
		return fmt.Errorf("telling the output store: %w", err)
	}
	r.Dream.Outputs = []wire.DreamOutput{{Type: "memory_store", Store: out}}
	return nil
}

type headRow struct {
	path, sha string
	size      int
}

func (r *Run) snapshot(ctx context.Context, input string) (store *wire.MemoryStore, rows []headRow, times map[string]int64, err error) {
	err = r.d.Read(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		rows, times = nil, map[string]int64{}
		var err error
		if store, err = tx.open(ctx, input, ""); err != nil {
			return err
		}
		return tx.each(ctx, "SELECT path, sha256, size, updated_at FROM memories WHERE workspace = $1 AND store = $2 ORDER BY path", []any{tx.Workspace, input}, func(rs *sql.Rows) error {
			var h headRow
			var us int64
			err := rs.Scan(&h.path, &h.sha, &h.size, &us)
			rows, times[h.path] = append(rows, h), us
			return err
		})
	})
	return store, rows, times, err
}

// copyRows writes memories and their first versions. Contents are there already.
func (r *Run) copyRows(ctx context.Context, tx *Tx, out string, rows []headRow) error {
	for len(rows) > 0 {
		some := rows[:min(len(rows), rowsAtOnce)]
		rows = rows[len(some):]
		var memories, versions []string
		var margs, vargs []any
		for _, h := range some {
			id, version := r.derived(wire.MemoryID, "copy\n"+h.path), r.derived(wire.VersionID, "copy\n"+h.path)
			margs = append(margs, tx.Workspace, out, id, h.path, version, h.sha, h.size, tx.Now, tx.Now)
			memories = append(memories, marks(len(margs)-9, 9))
			vargs = append(vargs, tx.Workspace, out, version, id, wire.Created, h.path, h.sha, h.size, r.Who.Actor.Type, actorID(r.Who.Actor), tx.Now)
			versions = append(versions, marks(len(vargs)-11, 11))
		}
		if _, err := tx.Exec(ctx, "INSERT INTO memory_versions (workspace, store, id, memory, operation, path, sha256, size, actor_type, actor, created_at) VALUES "+strings.Join(versions, ", ")+" ON CONFLICT DO NOTHING", vargs...); err != nil {
			return fmt.Errorf("copying versions: %w", err)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO memories (workspace, store, id, path, version, sha256, size, created_at, updated_at) VALUES "+strings.Join(memories, ", ")+" ON CONFLICT DO NOTHING", margs...); err != nil {
			return fmt.Errorf("copying memories: %w", err)
		}
	}
	return nil
}

// marks is "($n+1, …)" of so many arguments.
func marks(n, count int) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf("$%d", n+i+1)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Drop removes an output store that was never shown.
func (r *Run) Drop(ctx context.Context) error {
	if len(r.Dream.Outputs) > 0 || r.OutputID() == r.Dream.Inputs[0].Store {
		return nil
	}
	return r.d.Write(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM memory_stores WHERE workspace = $1 AND id = $2 AND hidden = $3", tx.Workspace, r.OutputID(), tx.d.boolean(true))
		return err
	})
}

// Heads reads what the output store holds, with the times of the input.
func (r *Run) Heads(ctx context.Context) ([]Head, error) {
	body, err := r.Step(ctx, stepTimes)
	if err != nil {
		return nil, err
	}
	times := map[string]int64{}
	if body != "" {
		if err := json.Unmarshal([]byte(body), &times); err != nil {
			return nil, fmt.Errorf("reading the times of the input: %w", err)
		}
	}
	var out []Head
	err = r.d.Read(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		out = nil
		return tx.each(ctx, "SELECT m.path, m.sha256, c.content, m.updated_at FROM memories m JOIN contents c ON c.workspace = m.workspace AND c.sha256 = m.sha256 WHERE m.workspace = $1 AND m.store = $2 ORDER BY m.path",
			[]any{tx.Workspace, r.OutputID()}, func(rows *sql.Rows) error {
				var h Head
				var us int64
				if err := rows.Scan(&h.Path, &h.SHA256, &h.Content, &us); err != nil {
					return err
				}
				if was, ok := times[h.Path]; ok {
					us = was
				}
				h.At = time.UnixMicro(us).UTC()
				out = append(out, h)
				return nil
			})
	})
	return out, err
}

// Op is one change of the output store: of the content whose hash is Before ("": there
// is none) into After (nil: none).
type Op struct {
	Path   string  `json:"path"`
	Before string  `json:"before,omitempty"`
	After  *string `json:"after"`
}

// Apply carries changes out, in a transaction of the run. What somebody changed
// meanwhile is left, and its path returned; what is so already is fine: somebody did
// it who died.
func (r *Run) Apply(ctx context.Context, tx *Tx, ops []Op) (left []string, err error) {
	store := r.OutputID()
	if _, err := tx.open(ctx, store, tx.d.forWrite); err != nil {
		return nil, err
	}
	for _, op := range ops {
		done, err := r.apply(ctx, tx, store, op)
		if err != nil {
			return nil, err
		}
		if !done {
			left = append(left, op.Path)
		}
	}
	return left, nil
}

func (r *Run) apply(ctx context.Context, tx *Tx, store string, op Op) (bool, error) {
	m, err := scanMemory(tx.QueryRow(ctx, "SELECT "+memoryColumns+" FROM memories m WHERE m.workspace = $1 AND m.store = $2 AND m.path = $3"+tx.d.forWrite, tx.Workspace, store, op.Path))
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Type == wire.NotFound {
		m, err = nil, nil
	}
	if err != nil {
		return false, err
	}
	after := ""
	if op.After != nil {
		after = HashOf(*op.After)
	}
	switch {
	case m == nil && op.After == nil, m != nil && op.After != nil && m.SHA256 == after:
		return true, nil
	case m == nil && op.Before != "", m != nil && m.SHA256 != op.Before:
		return false, nil
	case m == nil:
		if err := tx.occupied(ctx, store, op.Path, ""); err != nil {
			return false, ignored(err)
		}
		made := &wire.Memory{
			ID: wire.NewID(wire.MemoryID), Store: store, Path: op.Path, Content: op.After, Size: len(*op.After), SHA256: after,
			Version: wire.NewID(wire.VersionID), CreatedAt: at(tx.Now), UpdatedAt: at(tx.Now),
		}
		return true, tx.add(ctx, made, r.Who.Actor)
	case op.After == nil:
		return true, tx.remove(ctx, r.Who.Actor, store, m.ID, nil)
	}
	return true, tx.change(ctx, m, op.Path, after, op.After, r.Who.Actor)
}

// ignored is nil for what a client did in the way, and the error otherwise.
func ignored(err error) error {
	if _, ok := errors.AsType[*wire.Error](err); ok {
		return nil
	}
	return err
}

// Events reads the events of a session of the input, in their order.
func (r *Run) Events(ctx context.Context, session string, f func(apiserver.Event) error) error {
	q := apiserver.EventQuery{Limit: 500, InOrder: true}
	for {
		list, _, err := r.d.ListEvents(ctx, r.Who, session, q)
		if err != nil {
			return err
		}
		for i := range list {
			if err := f(list[i]); err != nil {
				return err
			}
		}
		if len(list) < q.Limit {
			return nil
		}
		q.After = list[len(list)-1].Seq
	}
}

// InputThere tells whether store and sessions of the input are still there; the error
// is a wire.DreamError's type and text.
func (r *Run) InputThere(ctx context.Context) (failure *wire.DreamError, err error) {
	err = r.d.Read(ctx, r.Who.Workspace, func(ctx context.Context, tx *Tx) error {
		failure = nil
		if _, err := tx.open(ctx, r.Dream.Inputs[0].Store, ""); err != nil {
			if ignored(err) != nil {
				return err
			}
			failure = &wire.DreamError{Type: wire.DreamStoreUnavailable, Message: "the input store was archived or deleted"}
			return nil
		}
		var w where
		w.add("workspace = ?", tx.Workspace)
		w.in("id", r.Dream.Inputs[1].Sessions)
		var n int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM sessions WHERE "+w.String(), w.args...).Scan(&n); err != nil {
			return fmt.Errorf("looking for the input sessions: %w", err)
		}
		if n != len(r.Dream.Inputs[1].Sessions) {
			failure = &wire.DreamError{Type: wire.DreamSessionUnavailable, Message: "an input session was deleted"}
		}
		return nil
	})
	return failure, err
}

// DreamAgent is the agent of the sessions that tell of dreams.
const DreamAgent = "agent_dream"

// Tell makes the session that tells of the dream, if there is none yet, and adds
// events to it.
func (r *Run) Tell(ctx context.Context, tx *Tx, body json.RawMessage, status string, archive bool, events ...apiserver.Event) error {
	id := r.SessionID()
	if _, err := tx.session(ctx, id, tx.d.forWrite); err != nil {
		if ignored(err) != nil {
			return err
		}
		if err := tx.newSession(ctx, &apiserver.Session{ID: id, Status: status, Agent: DreamAgent, AgentVersion: 1, Environment: "env_dream", Body: body}, nil); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE dreams SET session = $3 WHERE workspace = $1 AND id = $2", tx.Workspace, r.Dream.ID, id); err != nil {
			return err
		}
	}
	if err := r.append(ctx, tx, events...); err != nil {
		return err
	}
	var archived any
	if archive {
		archived = tx.Now
	}
	_, err := tx.Exec(ctx, "UPDATE sessions SET status = $3, archived_at = coalesce(archived_at, $4) WHERE workspace = $1 AND id = $2", tx.Workspace, id, status, archived)
	return err
}

// append adds events to the session of the dream, which is there. They are of this
// moment, one microsecond after the other, so that a list by time has their order.
func (r *Run) append(ctx context.Context, tx *Tx, events ...apiserver.Event) error {
	if _, err := tx.session(ctx, r.SessionID(), tx.d.forWrite); err != nil {
		return ignored(err) // somebody deleted it
	}
	events = slices.Clone(events)
	for i := range events {
		events[i].ProcessedAt = time.UnixMicro(tx.Now + int64(i)).UTC()
		if err := stampEvent(&events[i]); err != nil {
			return err
		}
	}
	_, err := tx.addEvents(ctx, r.SessionID(), events)
	return err
}

// stampEvent puts id and time into the event as it is served.
func stampEvent(e *apiserver.Event) error {
	var o map[string]any
	if err := json.Unmarshal(e.Body, &o); err != nil {
		return err
	}
	if e.ID == "" {
		e.ID = wire.NewID(wire.EventID)
	}
	o["id"], o["type"], o["processed_at"] = e.ID, e.Type, wire.At(e.ProcessedAt)
	b, err := json.Marshal(o)
	e.Body = b
	return err
}
