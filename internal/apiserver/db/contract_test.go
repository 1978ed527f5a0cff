package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/testkit/pgtest"
)

// eachDB runs a test on both databases.
func eachDB(t *testing.T, f func(t *testing.T, open func(t *testing.T) *DB)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		f(t, func(t *testing.T) *DB {
			t.Helper()
			return opened(t, filepath.Join(t.TempDir(), "server.db"))
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		s := pgtest.Start(t, pgtest.Options{})
		f(t, func(t *testing.T) *DB {
			t.Helper()
			return opened(t, s.Database(t))
		})
	})
}

func opened(t *testing.T, url string) *DB {
	t.Helper()
	d, err := Open(t.Context(), url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// somebody makes a workspace with a key and returns who it lets in.
func somebody(t *testing.T, d *DB, workspace string) apiserver.Who {
	t.Helper()
	_, secret, err := d.CreateKey(t.Context(), workspace, "test")
	if err != nil {
		t.Fatal(err)
	}
	who, err := d.Enter(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	return who
}

func aStore(t *testing.T, d *DB, who apiserver.Who) string {
	t.Helper()
	s, err := d.CreateStore(t.Context(), who, apiserver.NewStore{Name: "S"})
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

func typeOf(err error) string {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e.Type
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestMemoriesAreKept(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		m, err := d.CreateMemory(ctx, who, store, "/a.md", "one")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.CreateMemory(ctx, who, store, "/a.md", "two"); typeOf(err) != wire.PathConflict {
			t.Errorf("a second memory of that path: %v", err)
		}
		two, wrong := "two", strings.Repeat("0", 64)
		if _, err := d.UpdateMemory(ctx, who, store, m.ID, apiserver.MemoryPatch{Content: &two, Expected: &wrong}); typeOf(err) != wire.PreconditionFailed {
			t.Errorf("an update of what is no longer so: %v", err)
		}
		same := "one"
		if _, err := d.UpdateMemory(ctx, who, store, m.ID, apiserver.MemoryPatch{Content: &same, Expected: &wrong}); err != nil {
			t.Errorf("an update that changes nothing: %v", err)
		}
		u, err := d.UpdateMemory(ctx, who, store, m.ID, apiserver.MemoryPatch{Content: &two, Expected: &m.SHA256, Full: true})
		if err != nil || *u.Content != "two" || u.Version == m.Version {
			t.Fatalf("%+v %v", u, err)
		}
		path := "/b/c.md"
		if _, err := d.UpdateMemory(ctx, who, store, m.ID, apiserver.MemoryPatch{Path: &path}); err != nil {
			t.Fatal(err)
		}
		if err := d.DeleteMemory(ctx, who, store, m.ID, &m.SHA256); typeOf(err) != wire.PreconditionFailed {
			t.Errorf("deleting what is no longer so: %v", err)
		}
		if err := d.DeleteMemory(ctx, who, store, m.ID, &u.SHA256); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Memory(ctx, who, store, m.ID, true); typeOf(err) != wire.NotFound {
			t.Errorf("a memory that was deleted: %v", err)
		}
		versions, next, err := d.ListVersions(ctx, who, store, apiserver.VersionQuery{Limit: 10, Memory: m.ID, Full: true})
		if err != nil || next != "" {
			t.Fatal(next, err)
		}
		var got []string
		for _, v := range versions {
			content := "-"
			if v.Content != nil {
				content = *v.Content
			}
			got = append(got, v.Operation+" "+*v.Path+" "+content)
		}
		want := []string{"deleted /b/c.md -", "modified /b/c.md two", "modified /a.md two", "created /a.md one"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("versions (-want +got):\n%s", diff)
		}
		for i := range versions {
			if _, err := d.RedactVersion(ctx, who, store, versions[i].ID); err != nil {
				t.Errorf("redacting %s: %v", versions[i].Operation, err)
			}
		}
		if n := count(t, d, who, "contents"); n != 0 {
			t.Errorf("%d contents are there after all that had them was redacted", n)
		}
	})
}

func count(t *testing.T, d *DB, who apiserver.Who, table string) (n int) {
	t.Helper()
	if err := d.Read(t.Context(), who.Workspace, func(ctx context.Context, tx *Tx) error {
		return tx.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&n)
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestListsOfMemories(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		for _, p := range []string{"/a.md", "/p/x.md", "/p/q/y.md", "/p2/z.md", "/p.md", "/A.md", "/é.md"} {
			if _, err := d.CreateMemory(ctx, who, store, p, p); err != nil {
				t.Fatal(err)
			}
		}
		tests := []struct {
			prefix string
			depth  int
			want   string
		}{
			{"", 0, "/A.md /a.md /p.md /p/q/y.md /p/x.md /p2/z.md /é.md"},
			{"/p/", 0, "/p/q/y.md /p/x.md"},
			{"", 1, "/A.md /a.md /p.md /p/ /p2/ /é.md"},
			{"/p/", 1, "/p/q/ /p/x.md"},
			{"/none/", 1, ""},
			{"/none/", 0, ""},
		}
		for _, tt := range tests {
			for _, limit := range []int{1, 2, 3, 100} {
				var got []string
				var page apiserver.Cursor
				for range 20 {
					items, next, err := d.ListMemories(ctx, who, store, apiserver.MemoryQuery{Limit: limit, Page: page, Prefix: tt.prefix, Depth: tt.depth, Full: true})
					if err != nil {
						t.Fatal(err)
					}
					for _, it := range items {
						if it.Prefix != nil {
							got = append(got, it.Prefix.Path)
						} else {
							got = append(got, it.Memory.Path)
						}
					}
					if page = next; page == "" {
						break
					}
				}
				if strings.Join(got, " ") != tt.want {
					t.Errorf("%q depth %d in pages of %d: %q, want %q", tt.prefix, tt.depth, limit, got, tt.want)
				}
			}
		}
	})
}

func TestOfSeveralWhoMakeTheSamePathOneDoes(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		var wg sync.WaitGroup
		made := make([]error, 32)
		for i := range made {
			path := []string{"/n", "/n/t.md", "/n/t.md/u", "/n"}[i%4]
			wg.Go(func() {
				_, made[i] = d.CreateMemory(ctx, who, store, path, fmt.Sprint(i))
			})
		}
		wg.Wait()
		ok := 0
		for i, err := range made {
			switch typeOf(err) {
			case "":
				ok++
			case wire.PathConflict:
			default:
				t.Errorf("%d: %v", i, err)
			}
		}
		if ok != 1 {
			t.Errorf("%d of 32 made the path, or one above or below it", ok)
		}
	})
}

func TestCompareAndSwapCounts(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		m, err := d.CreateMemory(ctx, who, store, "/n", "0")
		if err != nil {
			t.Fatal(err)
		}
		const workers, each = 8, 10
		var wg sync.WaitGroup
		for worker := range workers {
			wg.Go(func() {
				for done := 0; done < each; {
					now, err := d.Memory(ctx, who, store, m.ID, true)
					if err != nil {
						t.Error(err)
						return
					}
					var n int
					_, _ = fmt.Sscan(*now.Content, &n)
					next := fmt.Sprintf("%d by %d", n+1, worker) // what is equal is no conflict
					_, err = d.UpdateMemory(ctx, who, store, m.ID, apiserver.MemoryPatch{Content: &next, Expected: &now.SHA256})
					switch typeOf(err) {
					case "":
						done++
					case wire.PreconditionFailed:
					default:
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		end, err := d.Memory(ctx, who, store, m.ID, true)
		if err != nil || !strings.HasPrefix(*end.Content, fmt.Sprint(workers*each, " by ")) {
			t.Errorf("it counts %v, %v", end, err)
		}
		if n := count(t, d, who, "memory_versions"); n != workers*each+1 {
			t.Errorf("%d versions", n)
		}
		versions, _, err := d.ListVersions(ctx, who, store, apiserver.VersionQuery{Limit: 100, Memory: m.ID})
		if err != nil || versions[0].ID != end.Version {
			t.Errorf("the newest version is not the head: %v", err)
		}
	})
}

func TestAStoreHasRoomForTenThousand(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		if err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
			_, err := tx.Exec(ctx, "UPDATE memory_stores SET memories = $2 WHERE workspace = $1", who.Workspace, wire.MaxMemories-4)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		made := make([]error, 12)
		for i := range made {
			wg.Go(func() { _, made[i] = d.CreateMemory(ctx, who, store, fmt.Sprintf("/%d", i), "x") })
		}
		wg.Wait()
		ok := 0
		for _, err := range made {
			if err == nil {
				ok++
			} else if typeOf(err) != wire.InvalidRequest {
				t.Error(err)
			}
		}
		if ok != 4 {
			t.Errorf("%d found room, 4 had it", ok)
		}
	})
}

func TestContentsThatGoAndComeAtOnce(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				for range 8 {
					s, err := d.CreateStore(ctx, who, apiserver.NewStore{Name: "x"})
					if err != nil {
						t.Error(err)
						return
					}
					m, err := d.CreateMemory(ctx, who, s.ID, "/a", "the same everywhere")
					if err != nil {
						t.Error(i, err)
						return
					}
					if got, err := d.Memory(ctx, who, s.ID, m.ID, true); err != nil || *got.Content != "the same everywhere" {
						t.Error(got, err)
					}
					if err := d.DeleteStore(ctx, who, s.ID); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if n := count(t, d, who, "contents"); n != 0 {
			t.Errorf("%d contents are left", n)
		}
	})
}

func TestWorkspacesDoNotMeet(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, a, b := t.Context(), somebody(t, d, "a"), somebody(t, d, "b")
		store := aStore(t, d, a)
		m, err := d.CreateMemory(ctx, a, store, "/x", "secret of a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Store(ctx, b, store); typeOf(err) != wire.NotFound {
			t.Error(err)
		}
		if _, err := d.Memory(ctx, b, store, m.ID, true); typeOf(err) != wire.NotFound {
			t.Error(err)
		}
		if _, err := d.CreateMemory(ctx, b, store, "/y", "x"); typeOf(err) != wire.NotFound {
			t.Error(err)
		}
		if !d.Postgres() {
			return
		}
		// Row security, where a statement forgets the workspace.
		for _, table := range []string{"memory_stores", "memories", "memory_versions", "contents", "sessions", "session_events", "session_stores", "objects"} {
			if n := count(t, d, b, table); n != 0 {
				t.Errorf("%s: b sees %d rows", table, n)
			}
			if n := count(t, d, apiserver.Who{}, table); n != 0 {
				t.Errorf("%s: nobody sees %d rows", table, n)
			}
		}
		err = d.Write(ctx, b.Workspace, func(ctx context.Context, tx *Tx) error {
			n, err := tx.Exec(ctx, "DELETE FROM memories")
			if n != 0 {
				t.Errorf("b deleted %d rows of a", n)
			}
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO contents VALUES ($1, 'x', 'y')", a.Workspace)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "row-level security") {
			t.Errorf("b wrote a row of a: %v", err)
		}
	})
}

func TestMigrationsGoBackAndForward(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		_, newest, err := d.SchemaVersion(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.MigrateTo(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if err := d.MigrateTo(ctx, newest); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Store(ctx, who, store); err != nil {
			t.Errorf("a store after going back to the first version and forward again: %v", err)
		}
		if err := d.MigrateTo(ctx, 0); err != nil {
			t.Fatal(err)
		}
		if err := d.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

func TestKeysLetIn(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		k, secret, err := d.CreateKey(t.Context(), "team", "laptop")
		if err != nil {
			t.Fatal(err)
		}
		who, err := d.Enter(t.Context(), secret)
		if err != nil || who.Workspace != k.Workspace || who.Actor.APIKey != k.ID {
			t.Errorf("%+v %v", who, err)
		}
		if _, err := d.Enter(t.Context(), secret+"x"); !errors.Is(err, apiserver.ErrKey) {
			t.Error(err)
		}
		if err := d.RevokeKey(t.Context(), k.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Enter(t.Context(), secret); !errors.Is(err, apiserver.ErrKey) {
			t.Errorf("a revoked key: %v", err)
		}
		keys, err := d.Keys(t.Context())
		if err != nil || len(keys) != 1 || keys[0].RevokedAt == nil {
			t.Errorf("%+v %v", keys, err)
		}
	})
}

func TestSessionsAndEvents(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		var ids []string
		for i := range 5 {
			s, err := d.CreateSession(ctx, who, apiserver.Session{Status: "idle", Agent: "agent_1", Environment: "env_1", Stores: []string{store}, Body: []byte("{}")}, []apiserver.Event{
				{ID: "sevt_1", Type: "user.message", Body: []byte(`{"n":1}`)}, {ID: "sevt_2", Type: "agent.message", Body: []byte(`{"n":2}`)},
			})
			if err != nil {
				t.Fatal(i, err)
			}
			ids = append(ids, s.ID)
		}
		slices.Reverse(ids)
		var got []string
		var page, prev apiserver.Cursor
		for {
			list, next, before, err := d.ListSessions(ctx, who, apiserver.SessionQuery{Limit: 2, Page: page, Store: store})
			if err != nil {
				t.Fatal(err)
			}
			for i := range list {
				got = append(got, list[i].ID)
			}
			if page = next; page == "" {
				prev = before
				break
			}
		}
		if diff := cmp.Diff(ids, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		list, next, _, err := d.ListSessions(ctx, who, apiserver.SessionQuery{Limit: 2, Page: prev})
		if err != nil || len(list) != 2 || list[0].ID != ids[2] || next == "" {
			t.Errorf("the page before: %v %v", list, err)
		}
		if _, err := d.AddEvents(ctx, who, ids[0], []apiserver.Event{{ID: "sevt_2", Type: "x", Body: []byte("{}")}, {ID: "sevt_3", Type: "user.message", Body: []byte(`{"n":3}`)}}); err != nil {
			t.Fatal(err)
		}
		events, more, err := d.ListEvents(ctx, who, ids[0], apiserver.EventQuery{Limit: 2})
		if err != nil || len(events) != 2 || more == "" {
			t.Fatal(events, more, err)
		}
		rest, more, err := d.ListEvents(ctx, who, ids[0], apiserver.EventQuery{Limit: 2, Page: more})
		if err != nil || len(rest) != 1 || more != "" || rest[0].ID != "sevt_3" || rest[0].Seq != 3 {
			t.Errorf("%+v %v %v", rest, more, err)
		}
		if err := d.DeleteSession(ctx, who, ids[0]); err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.ListEvents(ctx, who, ids[0], apiserver.EventQuery{Limit: 2}); typeOf(err) != wire.NotFound {
			t.Error(err)
		}
	})
}
