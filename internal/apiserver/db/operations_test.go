package db

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/testkit/pgtest"
)

// age makes what a workspace has older by a day.
func age(t *testing.T, d *DB, workspace string) {
	t.Helper()
	day := (24 * time.Hour).Microseconds()
	err := d.Write(t.Context(), workspace, func(ctx context.Context, tx *Tx) error {
		for _, q := range []string{
			"UPDATE memory_versions SET created_at = created_at - $2 WHERE workspace = $1",
			"UPDATE model_answers SET created_at = created_at - $2 WHERE workspace = $1",
			"UPDATE dreams SET ended_at = ended_at - $2 WHERE workspace = $1",
		} {
			if _, err := tx.Exec(ctx, q, workspace, day); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func rowsOf(t *testing.T, d *DB, workspace, table string) (n int) {
	t.Helper()
	if err := d.Read(t.Context(), workspace, func(ctx context.Context, tx *Tx) error {
		return tx.QueryRow(ctx, "SELECT count(*) FROM "+table+" WHERE workspace = $1", workspace).Scan(&n)
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestASweepLeavesWhatIsNeeded(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		written := func(path string, times int) string {
			m, err := d.CreateMemory(ctx, who, store, path, path+" 0")
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i < times; i++ {
				text := path + " " + strconv.Itoa(i)
				if _, err := d.UpdateMemory(ctx, who, store, m.ID, apiserver.MemoryPatch{Content: &text}); err != nil {
					t.Fatal(err)
				}
			}
			return m.ID
		}
		long, short := written("/long.md", sweepStep+30), written("/short.md", KeptVersions)
		gone, lately := written("/gone.md", 3), written("/lately.md", 3)
		if err := d.DeleteMemory(ctx, who, store, gone, nil); err != nil {
			t.Fatal(err)
		}
		if n, err := d.Sweep(ctx, time.Hour); err != nil || n != (Swept{}) {
			t.Errorf("nothing is old, and %+v went (%v)", n, err)
		}
		age(t, d, who.Workspace)
		if err := d.DeleteMemory(ctx, who, store, lately, nil); err != nil {
			t.Fatal(err)
		}
		n, err := d.Sweep(ctx, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		// All but the ten newest of the long one; the deleted one with its deletion.
		want := Swept{Versions: sweepStep + 30 - KeptVersions + 4, Contents: sweepStep + 30 - KeptVersions + 3}
		if n != want {
			t.Errorf("%+v went, not %+v", n, want)
		}
		if v, c := rowsOf(t, d, who.Workspace, "memory_versions"), rowsOf(t, d, who.Workspace, "contents"); v != 2*KeptVersions+4 || c != 2*KeptVersions+3 {
			t.Errorf("%d versions and %d contents stay", v, c)
		}
		for _, id := range []string{long, short} {
			if m, err := d.Memory(ctx, who, store, id, true); err != nil || m.Content == nil || HashOf(*m.Content) != m.SHA256 {
				t.Errorf("a memory is not whole after the sweep: %+v %v", m, err)
			}
		}
		if n, err := d.Sweep(ctx, time.Hour); err != nil || n != (Swept{}) {
			t.Errorf("a second sweep took %+v (%v)", n, err)
		}
	})
}

func TestASweepTakesOldAnswersAndStepsOfEndedDreams(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		store := aStore(t, d, who)
		add := func(suffix string, ended bool) {
			if err := d.Write(ctx, who.Workspace, func(ctx context.Context, tx *Tx) error {
				var end any
				if ended {
					end = tx.Now
				}
				if _, err := tx.Exec(ctx, `INSERT INTO dreams (workspace, id, status, store, sessions, model, in_place, created_at, ended_at)
					VALUES ($1, $2, 'completed', $3, '[]', 'm', $4, $5, $6)`, who.Workspace, "drm_"+suffix, store, tx.d.boolean(false), tx.Now, end); err != nil {
					return err
				}
				if _, err := tx.Exec(ctx, "INSERT INTO dream_steps (workspace, dream, step, body) VALUES ($1, $2, 's', '{}')", who.Workspace, "drm_"+suffix); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, "INSERT INTO model_answers (workspace, question, answer, created_at) VALUES ($1, $2, 'a', $3)", who.Workspace, suffix, tx.Now)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		add("old", true)
		add("runs", false)
		age(t, d, who.Workspace)
		add("new", true)
		n, err := d.Sweep(ctx, time.Hour)
		if want := (Swept{Answers: 2, Steps: 1}); err != nil || n != want {
			t.Errorf("%+v went, not %+v (%v)", n, want, err)
		}
		if s := rowsOf(t, d, who.Workspace, "dream_steps"); s != 2 {
			t.Errorf("%d steps stay", s)
		}
	})
}

func TestQuotasHoldAgainstWritersAtOnce(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		ctx, who := t.Context(), somebody(t, d, "a")
		stores := []string{aStore(t, d, who), aStore(t, d, who), aStore(t, d, who)}
		if err := d.SetQuota(ctx, "a", Quota{Stores: 7, Memories: 9, Sessions: 5, Events: 150, Dreams: 1}); err != nil {
			t.Fatal(err)
		}
		atOnce := func(want int, f func(i int) error) {
			t.Helper()
			var wg sync.WaitGroup
			var mu sync.Mutex
			fine := 0
			for i := range 24 {
				wg.Go(func() {
					err := f(i)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						fine++
					} else if typeOf(err) != wire.InvalidRequest {
						t.Errorf("refused as %v", err)
					}
				})
			}
			wg.Wait()
			if fine != want {
				t.Errorf("%d were let in, not %d", fine, want)
			}
		}
		atOnce(4, func(int) error {
			_, err := d.CreateStore(ctx, who, apiserver.NewStore{Name: "S"})
			return err
		})
		atOnce(9, func(i int) error {
			_, err := d.CreateMemory(ctx, who, stores[i%3], fmt.Sprintf("/%d.md", i), "text")
			return err
		})
		atOnce(5, func(i int) error {
			_, err := d.CreateSession(ctx, who, apiserver.Session{ID: wire.NewID(wire.SessionID), Status: "idle", Body: []byte("{}")}, nil)
			return err
		})
		may, has, err := d.Quota(ctx, "a")
		if err != nil || has != (Quota{Stores: 7, Memories: 9, Sessions: 5}) || may.Dreams != 1 {
			t.Errorf("it may %+v and has %+v (%v)", may, has, err)
		}
		if err := d.SetQuota(ctx, "nobody", may); err == nil {
			t.Error("a workspace that is not there got a quota")
		}
	})
}

func TestAKeyTellsWhenItWasLastUsed(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		k, _, err := d.CreateKey(t.Context(), "a", "laptop")
		if err != nil {
			t.Fatal(err)
		}
		used := time.Date(2026, 3, 2, 15, 4, 5, 0, time.UTC)
		for _, at := range []time.Time{used, used.Add(-time.Hour)} {
			if err := d.MarkUsed(t.Context(), map[string]time.Time{k.ID: at, "apikey_nobody": at}); err != nil {
				t.Fatal(err)
			}
		}
		keys, err := d.Keys(t.Context())
		if err != nil || len(keys) != 1 || keys[0].UsedAt == nil || !keys[0].UsedAt.Equal(used) {
			t.Errorf("%+v %v", keys, err)
		}
	})
}

func TestFirstStartsAtOnceAllSucceed(t *testing.T) {
	t.Parallel()
	pg := pgtest.Start(t, pgtest.Options{})
	for name, url := range map[string]string{"SQLite": filepath.Join(t.TempDir(), "server.db"), "PostgreSQL": pg.Database(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					d, err := Open(t.Context(), url, Options{})
					if err != nil {
						t.Error(err)
						return
					}
					if err := d.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestEventsAreRefusedPastTheQuota(t *testing.T) {
	t.Parallel()
	eachDB(t, func(t *testing.T, open func(*testing.T) *DB) {
		d := open(t)
		who := somebody(t, d, "a")
		if err := d.SetQuota(t.Context(), "a", Quota{Stores: 1, Sessions: 5, Events: 150}); err != nil {
			t.Fatal(err)
		}
		s, err := d.CreateSession(t.Context(), who, apiserver.Session{Status: "idle", Agent: "a", AgentVersion: 1, Environment: "e", Body: []byte("{}")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		some := func(n int) []apiserver.Event {
			out := make([]apiserver.Event, n)
			for i := range out {
				out[i] = apiserver.Event{ID: wire.NewID(wire.EventID), Type: "user.message", ProcessedAt: time.Now(), Body: []byte("{}")}
			}
			return out
		}
		if _, err := d.AddEvents(t.Context(), who, s.ID, some(120)); err != nil {
			t.Fatal(err)
		}
		if _, err := d.AddEvents(t.Context(), who, s.ID, some(100)); typeOf(err) != wire.InvalidRequest {
			t.Errorf("%v", err)
		}
		_, has, err := d.Quota(t.Context(), "a")
		if err != nil || has.Events != 120 {
			t.Errorf("%+v %v", has, err)
		}
	})
}
