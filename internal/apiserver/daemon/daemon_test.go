package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	v1 "github.com/anthropics/anthropic-sdk-go"
	option1 "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"dormouse/testkit/pgtest"
)

// locked is a writer that several goroutines may use.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// command runs a command to its end.
func command(t *testing.T, args ...string) (code int, out, said string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Main(t.Context(), args, IO{Out: &o, Err: &e, Getenv: func(string) string { return "" }})
	return code, o.String(), e.String()
}

// running starts a server, and returns its address and a key.
func running(t *testing.T, place string, more ...string) (address, key string) {
	t.Helper()
	return runningIn(t, IO{Out: io.Discard, Getenv: func(string) string { return "" }}, place, more...)
}

// runningIn is running in a home of its own.
func runningIn(t *testing.T, outside IO, place string, more ...string) (address, key string) {
	t.Helper()
	code, out, said := command(t, "keys", "create", "--database", place, "--workspace", "team")
	if code != 0 {
		t.Fatal(said)
	}
	ctx, stop := context.WithCancel(context.Background())
	file := filepath.Join(t.TempDir(), "address")
	var log locked
	ended := make(chan int, 1)
	go func() {
		outside.Err = &log
		ended <- Main(ctx, append([]string{"--database", place, "--listen", "127.0.0.1:0", "--addr-file", file}, more...), outside)
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("it ended with %d: %s", code, log.b.String())
		}
		if strings.Contains(log.b.String(), strings.TrimSpace(out)) || strings.Contains(log.b.String(), "kept words") {
			t.Error("the log holds a key or a content")
		}
	})
	for range 200 {
		if b, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(b), "\n") {
			return strings.TrimSpace(string(b)), strings.TrimSpace(out)
		}
		select {
		case code := <-ended:
			ended <- code
			t.Fatalf("it ended with %d: %s", code, log.b.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("it did not begin to serve")
	return "", ""
}

func onEach(t *testing.T, f func(t *testing.T, address, key string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		address, key := running(t, filepath.Join(t.TempDir(), "server.db"))
		f(t, address, key)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		address, key := running(t, pgtest.Start(t, pgtest.Options{}).Database(t))
		f(t, address, key)
	})
}

func TestTheSecondSDKSpeaksToIt(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, address, key string) {
		ctx := t.Context()
		c := anthropic.NewClient(option.WithBaseURL(address), option.WithAPIKey(key))
		store, err := c.Beta.MemoryStores.New(ctx, anthropic.BetaMemoryStoreNewParams{Name: "notes"})
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Beta.MemoryStores.Memories.New(ctx, store.ID, anthropic.BetaMemoryStoreMemoryNewParams{Path: "/a.md", Content: anthropic.String("kept words")})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Beta.MemoryStores.Memories.Get(ctx, m.ID, anthropic.BetaMemoryStoreMemoryGetParams{MemoryStoreID: store.ID})
		if err != nil || got.Content != "kept words" {
			t.Errorf("%+v %v", got, err)
		}
		_, err = c.Beta.MemoryStores.Memories.New(ctx, store.ID, anthropic.BetaMemoryStoreMemoryNewParams{Path: "/a.md", Content: anthropic.String("x")})
		if e, ok := errors.AsType[*anthropic.Error](err); !ok || e.StatusCode != http.StatusConflict {
			t.Errorf("the same path again: %v", err)
		}
		for _, p := range []string{"/b.md", "/c.md", "/d.md"} {
			if _, err := c.Beta.MemoryStores.Memories.New(ctx, store.ID, anthropic.BetaMemoryStoreMemoryNewParams{Path: p, Content: anthropic.String("x")}); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		list := c.Beta.MemoryStores.Memories.ListAutoPaging(ctx, store.ID, anthropic.BetaMemoryStoreMemoryListParams{Limit: anthropic.Int(2)})
		for list.Next() {
			n++
		}
		if list.Err() != nil || n != 4 {
			t.Errorf("%d memories in pages, %v", n, list.Err())
		}
		s, err := c.Beta.Sessions.New(ctx, anthropic.BetaSessionNewParams{
			Agent: anthropic.BetaSessionNewParamsAgentUnion{OfString: anthropic.String("agent_x")}, EnvironmentID: "env_x",
		})
		if err != nil || s.Status != "idle" {
			t.Errorf("%+v %v", s, err)
		}
	})
}

func TestTheFirstSDKSpeaksToIt(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, address, key string) {
		ctx := t.Context()
		c := v1.NewClient(option1.WithBaseURL(address), option1.WithAPIKey(key))
		store, err := c.Beta.MemoryStores.New(ctx, v1.BetaMemoryStoreNewParams{Name: "notes"})
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Beta.MemoryStores.Memories.New(ctx, store.ID, v1.BetaMemoryStoreMemoryNewParams{Path: "/a.md", Content: v1.String("kept words")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Beta.MemoryStores.Memories.Delete(ctx, m.ID, v1.BetaMemoryStoreMemoryDeleteParams{MemoryStoreID: store.ID, ExpectedContentSha256: v1.String(m.ContentSha256)}); err != nil {
			t.Error(err)
		}
		page, err := c.Beta.MemoryStores.MemoryVersions.List(ctx, store.ID, v1.BetaMemoryStoreMemoryVersionListParams{})
		if err != nil || len(page.Data) != 2 {
			t.Errorf("%+v %v", page, err)
		}
		if _, err := c.Beta.MemoryStores.Archive(ctx, store.ID, v1.BetaMemoryStoreArchiveParams{}); err != nil {
			t.Error(err)
		}
	})
}

func TestTheFirstStartNeedsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	place := filepath.Join(dir, "state", "server.db")
	ctx, stop := context.WithCancel(t.Context())
	file := filepath.Join(dir, "address")
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, []string{"--database", place, "--listen", "127.0.0.1:0", "--addr-file", file}, IO{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	}()
	var key string
	for range 200 {
		if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
			secret, err := os.ReadFile(filepath.Join(dir, "state", "server.key"))
			if err != nil {
				t.Error(err)
			}
			key = strings.TrimSpace(string(secret))
			break
		}
		time.Sleep(50 * time.Millisecond) // it is asked again: nothing hangs on how long
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("it ended with %d", code)
	}
	code, out, said := command(t, "keys", "list", "--json", "--database", place)
	var keys []map[string]any
	if err := json.Unmarshal([]byte(out), &keys); code != 0 || err != nil || len(keys) != 1 || key == "" {
		t.Errorf("%d %q %q %v", code, out, said, err)
	}
	for _, name := range []string{"server.db", "server.key"} {
		if info, err := os.Stat(filepath.Join(dir, "state", name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "server.db")
	tests := []struct {
		name, want string
		args       []string
	}{
		{"an address that others reach", "--allow-remote", []string{"--listen", "0.0.0.0:0"}},
		{"no address", "--listen", []string{"--listen", "here"}},
		{"a switch that is not known", "switches", []string{"--set", "colour=red"}},
		{"half of TLS", "go together", []string{"--tls-cert", "x"}},
		{"a command that is not known", "no command", []string{"dance"}},
		{"a flag that is not known", "unknown flag", []string{"--dance"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, _, said := command(t, append(tt.args, "--database", place)...)
			if code != exitUsage || !strings.Contains(said, tt.want) {
				t.Errorf("%d %q, want %q", code, said, tt.want)
			}
		})
	}
	if code, _, said := command(t, "keys", "revoke", "apikey_none", "--database", place); code != exitFailed || !strings.Contains(said, "keys list") {
		t.Errorf("%d %q", code, said)
	}
}
