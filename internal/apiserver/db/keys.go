package db

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// Key is an API key as it is kept: its secret is not.
type Key struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Workspace string     `json:"workspace_id"`
	Of        string     `json:"workspace"` // the workspace's name
	CreatedAt wire.Time  `json:"created_at"`
	RevokedAt *wire.Time `json:"revoked_at"`
	UsedAt    *wire.Time `json:"last_used_at"` // to about a minute; nil: never
}

// CreateKey makes a key for the workspace of a name, which is made if there is none.
// The secret is returned this once.
func (d *DB) CreateKey(ctx context.Context, workspace, name string) (k Key, secret string, err error) {
	var b [30]byte
	_, _ = rand.Read(b[:]) // it never fails
	secret = "dmk-" + base64.RawURLEncoding.EncodeToString(b[:])
	err = d.System(ctx, func(ctx context.Context, tx *Tx) (err error) {
		k = Key{ID: wire.NewID(wire.APIKeyID), Name: name, Of: workspace, CreatedAt: at(tx.Now)}
		if k.Workspace, err = tx.workspace(ctx, workspace); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO api_keys (id, workspace, name, hash, created_at) VALUES ($1, $2, $3, $4, $5)", k.ID, k.Workspace, name, HashOf(secret), tx.Now)
		return err
	})
	return k, secret, err
}

// Workspace is the id of the workspace of a name, which is made if there is none.
func (d *DB) Workspace(ctx context.Context, name string) (id string, err error) {
	err = d.System(ctx, func(ctx context.Context, tx *Tx) error {
		id, err = tx.workspace(ctx, name)
		return err
	})
	return id, err
}

func (t *Tx) workspace(ctx context.Context, name string) (id string, err error) {
	if strings.TrimSpace(name) == "" {
		return "", errors.New("a workspace needs a name")
	}
	if _, err := t.Exec(ctx, "INSERT INTO workspaces (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", wire.NewID(wire.WorkspaceID), name, t.Now); err != nil {
		return "", fmt.Errorf("making the workspace: %w", err)
	}
	if err := t.QueryRow(ctx, "SELECT id FROM workspaces WHERE name = $1", name).Scan(&id); err != nil {
		return "", fmt.Errorf("making the workspace: %w", err)
	}
	return id, nil
}

// Keys lists the keys of all workspaces.
func (d *DB) Keys(ctx context.Context) ([]Key, error) {
	var out []Key
	err := d.System(ctx, func(ctx context.Context, tx *Tx) error {
		out = out[:0]
		return tx.each(ctx, "SELECT k.id, k.name, k.workspace, w.name, k.created_at, k.revoked_at, k.used_at FROM api_keys k JOIN workspaces w ON w.id = k.workspace ORDER BY k.created_at, k.id", nil, func(rows *sql.Rows) error {
			var k Key
			var created int64
			var revoked, used *int64
			if err := rows.Scan(&k.ID, &k.Name, &k.Workspace, &k.Of, &created, &revoked, &used); err != nil {
				return err
			}
			k.CreatedAt, k.RevokedAt, k.UsedAt = at(created), maybe(revoked), maybe(used)
			out = append(out, k)
			return nil
		})
	})
	return out, err
}

// RevokeKey ends a key. A key that is revoked stays so.
func (d *DB) RevokeKey(ctx context.Context, id string) error {
	return d.System(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Exec(ctx, "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", id, tx.Now)
		if err != nil {
			return fmt.Errorf("revoking a key: %w", err)
		}
		if n == 0 {
			return fmt.Errorf("there is no key %s: see `dormoused keys list`", id)
		}
		return nil
	})
}

// MarkUsed keeps when keys, by id, were last used. An earlier time than the one that is
// kept changes nothing: other servers mark as well.
func (d *DB) MarkUsed(ctx context.Context, keys map[string]time.Time) error {
	ids := slices.Sorted(maps.Keys(keys)) // in one order, so that two servers don't wait for each other
	if len(ids) == 0 {
		return nil
	}
	err := d.System(ctx, func(ctx context.Context, tx *Tx) error {
		for _, id := range ids {
			if _, err := tx.Exec(ctx, "UPDATE api_keys SET used_at = $2 WHERE id = $1 AND (used_at IS NULL OR used_at < $2)", id, micros(keys[id])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keeping when keys were used: %w", err)
	}
	return nil
}

// Enter tells who a key lets in. Errors wrap
// apiserver.ErrKey where it lets nobody in. The key
// is looked up by its hash, so how long it takes tells nothing about a key.
func (d *DB) Enter(ctx context.Context, secret string) (apiserver.Who, error) {
	var who apiserver.Who
	hash := HashOf(secret)
	err := d.in(ctx, d.read, &sql.TxOptions{ReadOnly: true}, "", func(ctx context.Context, tx *Tx) error {
		var id, kept string
		var revoked *int64
		err := tx.QueryRow(ctx, "SELECT id, workspace, hash, revoked_at FROM api_keys WHERE hash = $1", hash).Scan(&id, &who.Workspace, &kept, &revoked)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (revoked != nil || subtle.ConstantTimeCompare([]byte(kept), []byte(hash)) != 1) {
			return apiserver.ErrKey
		}
		if err != nil {
			return fmt.Errorf("looking up a key: %w", err)
		}
		who.Actor = wire.Actor{Type: wire.APIActor, APIKey: id}
		return nil
	})
	return who, err
}
