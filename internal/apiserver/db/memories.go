package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

const memoryColumns = "m.id, m.store, m.path, m.version, m.sha256, m.size, m.created_at, m.updated_at"

func scanMemory(row scanner, more ...any) (*wire.Memory, error) {
	m := &wire.Memory{Type: "memory"}
	var created, updated int64
	if err := row.Scan(append([]any{&m.ID, &m.Store, &m.Path, &m.Version, &m.SHA256, &m.Size, &created, &updated}, more...)...); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, wire.Missing("the memory")
		}
		return nil, fmt.Errorf("reading a memory: %w", err)
	}
	m.CreatedAt, m.UpdatedAt = at(created), at(updated)
	return m, nil
}

// HashOf names a content: SHA-256 of its bytes in lowercase hex.
func HashOf(content string) string {
	h := sha256.Sum256([]byte(content))
	return hex.EncodeToString(h[:])
}

func (t *Tx) memory(ctx context.Context, store, id, lock string) (*wire.Memory, error) {
	return scanMemory(t.QueryRow(ctx, "SELECT "+memoryColumns+" FROM memories m WHERE m.workspace = $1 AND m.store = $2 AND m.id = $3"+lock, t.Workspace, store, id))
}

func (t *Tx) content(ctx context.Context, sha string) (string, error) {
	var c string
	if err := t.QueryRow(ctx, "SELECT content FROM contents WHERE workspace = $1 AND sha256 = $2", t.Workspace, sha).Scan(&c); err != nil {
		return "", fmt.Errorf("reading a content: %w", err)
	}
	return c, nil
}

// occupied refuses a path that is taken, or lies above or below one that is; that of
// the memory except does not count.
func (t *Tx) occupied(ctx context.Context, store, path, except string) error {
	above := []string{path}
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		above = append(above, path[:i])
	}
	var w where
	w.add("workspace = ?", t.Workspace)
	w.add("store = ?", store)
	if except != "" {
		w.add("id <> ?", except)
	}
	below := w
	w.in("path", above)
	below.args = append([]any{}, below.args...)
	below.text = append([]string{}, below.text...)
	below.add("path > ?", path+"/")
	below.add("path < ?", path+"0") // the byte behind the slash
	for _, c := range []where{w, below} {
		var taken, id string
		err := t.QueryRow(ctx, "SELECT path, id FROM memories WHERE "+c.String()+" ORDER BY path LIMIT 1", c.args...).Scan(&taken, &id)
		switch {
		case err == nil:
			return wire.Taken(taken, id)
		case !errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("looking whether a path is taken: %w", err)
		}
	}
	return nil
}

// keep writes a content, once.
func (t *Tx) keep(ctx context.Context, sha, content string) error {
	if _, err := t.Exec(ctx, "INSERT INTO contents (workspace, sha256, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", t.Workspace, sha, content); err != nil {
		return fmt.Errorf("writing a content: %w", err)
	}
	return nil
}

// version writes a version; sha nil means that there is no content.
func (t *Tx) version(ctx context.Context, m *wire.Memory, op string, by wire.Actor, now int64) error {
	var sha, size any = m.SHA256, m.Size
	if op == wire.Deleted {
		sha, size = nil, nil
	}
	if _, err := t.Exec(ctx, `INSERT INTO memory_versions (workspace, store, id, memory, operation, path, sha256, size, actor_type, actor, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		t.Workspace, m.Store, m.Version, m.ID, op, m.Path, sha, size, by.Type, actorID(by), now); err != nil {
		return fmt.Errorf("writing a version: %w", err)
	}
	return nil
}

func actorID(a wire.Actor) string { return a.Session + a.APIKey + a.User + a.ServiceAccount }

func actorOf(kind, id string) wire.Actor {
	a := wire.Actor{Type: kind}
	switch kind {
	case wire.SessionActor:
		a.Session = id
	case wire.APIActor:
		a.APIKey = id
	case wire.UserActor:
		a.User = id
	default:
		a.ServiceAccount = id
	}
	return a
}

// CreateMemory makes a memory. It never takes the place of another.
func (d *DB) CreateMemory(ctx context.Context, who apiserver.Who, store, path, content string) (*wire.Memory, error) {
	var m *wire.Memory
	sha := HashOf(content)
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.open(ctx, store, tx.d.forWrite); err != nil {
			return err
		}
		if err := tx.occupied(ctx, store, path, ""); err != nil {
			return err
		}
		m = &wire.Memory{
			Type: "memory", ID: wire.NewID(wire.MemoryID), Store: store, Path: path, Content: &content, Size: len(content), SHA256: sha,
			Version: wire.NewID(wire.VersionID), CreatedAt: at(tx.Now), UpdatedAt: at(tx.Now),
		}
		return tx.add(ctx, m, who.Actor)
	})
	return m, err
}

// add writes a new memory into a store that is locked.
func (t *Tx) add(ctx context.Context, m *wire.Memory, by wire.Actor) error {
	if err := t.grow(ctx, m.Store, 1); err != nil {
		return err
	}
	if err := t.keep(ctx, m.SHA256, *m.Content); err != nil {
		return err
	}
	now := micros(m.CreatedAt.Time)
	if _, err := t.Exec(ctx, `INSERT INTO memories (workspace, store, id, path, version, sha256, size, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`, t.Workspace, m.Store, m.ID, m.Path, m.Version, m.SHA256, m.Size, now); err != nil {
		return fmt.Errorf("writing a memory: %w", err)
	}
	return t.version(ctx, m, wire.Created, by, now)
}

// grow counts the memories of a store that is locked, and refuses what would be too
// many, there or in the workspace.
func (t *Tx) grow(ctx context.Context, store string, memories int) error {
	var inStore int
	if err := t.QueryRow(ctx, "UPDATE memory_stores SET memories = memories + $3 WHERE workspace = $1 AND id = $2 RETURNING memories",
		t.Workspace, store, memories).Scan(&inStore); err != nil {
		return fmt.Errorf("counting memories: %w", err)
	}
	if memories <= 0 {
		return nil
	}
	if inStore > wire.MaxMemories {
		return wire.Invalid(fmt.Sprintf("the memory store has %d memories, which is all that one may have: delete some first", wire.MaxMemories))
	}
	const count = "SELECT w.max_memories, (SELECT coalesce(sum(s.memories), 0) FROM memory_stores s WHERE s.workspace = w.id) FROM workspaces w WHERE w.id = $1"
	var all, most int
	if err := t.QueryRow(ctx, count, t.Workspace).Scan(&most, &all); err != nil {
		return fmt.Errorf("asking for the quota: %w", err)
	}
	if t.d.postgres && all+near > most {
		// Others may be about to commit memories of theirs.
		if err := t.lockWorkspace(ctx); err != nil {
			return err
		}
		if err := t.QueryRow(ctx, count, t.Workspace).Scan(&most, &all); err != nil {
			return fmt.Errorf("asking for the quota: %w", err)
		}
	}
	if all > most {
		return wire.Invalid(fmt.Sprintf("the workspace has %d memories, which is all that it may have: delete some first", most))
	}
	return nil
}

// Memory reads a memory.
func (d *DB) Memory(ctx context.Context, who apiserver.Who, store, id string, full bool) (*wire.Memory, error) {
	var m *wire.Memory
	err := d.Read(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		if !full {
			m, err = tx.memory(ctx, store, id, "")
			return err
		}
		var content string
		// One statement, so that nobody can take the content away in between.
		if m, err = scanMemory(tx.QueryRow(ctx, "SELECT "+memoryColumns+", c.content FROM memories m JOIN contents c ON c.workspace = m.workspace AND c.sha256 = m.sha256 WHERE m.workspace = $1 AND m.store = $2 AND m.id = $3",
			who.Workspace, store, id), &content); err != nil {
			return err
		}
		m.Content = &content
		return nil
	})
	return m, err
}

// UpdateMemory changes content and path.
func (d *DB) UpdateMemory(ctx context.Context, who apiserver.Who, store, id string, p apiserver.MemoryPatch) (*wire.Memory, error) {
	var m *wire.Memory
	err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) (err error) {
		m, err = tx.update(ctx, who.Actor, store, id, p)
		return err
	})
	return m, err
}

func (t *Tx) update(ctx context.Context, by wire.Actor, store, id string, p apiserver.MemoryPatch) (*wire.Memory, error) {
	// Where a path is about to change, nobody may take it meanwhile; a content is of
	// the memory alone. A store that is archived meanwhile waits.
	lock := t.d.forShare
	if p.Path != nil {
		lock = t.d.forWrite
	}
	if _, err := t.open(ctx, store, lock); err != nil {
		return nil, err
	}
	m, err := t.memory(ctx, store, id, t.d.forWrite)
	if err != nil {
		return nil, err
	}
	if p.Full && p.Content == nil {
		c, err := t.content(ctx, m.SHA256)
		if err != nil {
			return nil, err
		}
		m.Content = &c
	} else if p.Full {
		m.Content = p.Content
	}
	sha, path := m.SHA256, m.Path
	if p.Content != nil {
		sha = HashOf(*p.Content)
	}
	if p.Path != nil {
		path = *p.Path
	}
	if sha == m.SHA256 && path == m.Path {
		return m, nil
	}
	if p.Expected != nil && *p.Expected != m.SHA256 {
		return nil, wire.Stale()
	}
	if path != m.Path {
		if err := t.occupied(ctx, store, path, id); err != nil {
			return nil, err
		}
	}
	return m, t.change(ctx, m, path, sha, p.Content, by)
}

// change writes what a memory is to be.
func (t *Tx) change(ctx context.Context, m *wire.Memory, path, sha string, content *string, by wire.Actor) error {
	if sha != m.SHA256 {
		if err := t.keep(ctx, sha, *content); err != nil {
			return err
		}
		m.Size = len(*content)
	}
	// The clock may stand or go back; versions of a memory are in order all the same.
	now := max(t.Now, micros(m.UpdatedAt.Time)+1)
	m.Path, m.SHA256, m.Version, m.UpdatedAt = path, sha, wire.NewID(wire.VersionID), at(now)
	if _, err := t.Exec(ctx, "UPDATE memories SET path = $4, version = $5, sha256 = $6, size = $7, updated_at = $8 WHERE workspace = $1 AND store = $2 AND id = $3",
		t.Workspace, m.Store, m.ID, m.Path, m.Version, m.SHA256, m.Size, now); err != nil {
		return fmt.Errorf("writing a memory: %w", err)
	}
	return t.version(ctx, m, wire.Modified, by, now)
}

// DeleteMemory deletes a memory; its versions stay.
func (d *DB) DeleteMemory(ctx context.Context, who apiserver.Who, store, id string, expected *string) error {
	return d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.store(ctx, store, tx.d.forWrite); err != nil {
			return err
		}
		return tx.remove(ctx, who.Actor, store, id, expected)
	})
}

func (t *Tx) remove(ctx context.Context, by wire.Actor, store, id string, expected *string) error {
	m, err := t.memory(ctx, store, id, t.d.forWrite)
	if err != nil {
		return err
	}
	if expected != nil && *expected != m.SHA256 {
		return wire.Stale()
	}
	if _, err := t.Exec(ctx, "DELETE FROM memories WHERE workspace = $1 AND store = $2 AND id = $3", t.Workspace, store, id); err != nil {
		return fmt.Errorf("deleting a memory: %w", err)
	}
	if err := t.grow(ctx, store, -1); err != nil {
		return err
	}
	m.Version = wire.NewID(wire.VersionID)
	return t.version(ctx, m, wire.Deleted, by, max(t.Now, micros(m.UpdatedAt.Time)+1))
}
