package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/testkit/pgtest"
)

// shared is what all tests use: the program and a PostgreSQL server, made once each
// when the first test needs it.
type shared struct {
	dir     string
	program func() (string, error)
	cluster func() (*pgtest.Server, error)
	started bool // the cluster
	oracle  func() (*oracle, error)
}

var all shared //nolint:gochecknoglobals // TestMain makes and removes it

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dormoused")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	all = shared{
		dir: dir,
		program: sync.OnceValues(func() (string, error) {
			p := filepath.Join(dir, "dormoused")
			c := exec.Command("go", "build", "-o", p, "dormouse/cmd/dormoused")
			c.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := c.CombinedOutput(); err != nil {
				return "", fmt.Errorf("building dormoused: %w\n%s", err, out)
			}
			return p, nil
		}),
		cluster: sync.OnceValues(func() (*pgtest.Server, error) {
			s, err := pgtest.Run(pgtest.Options{})
			all.started = err == nil
			return s, err
		}),
		oracle: sync.OnceValues(newOracle),
	}
	code := m.Run()
	if all.started {
		if s, err := all.cluster(); err == nil {
			if err := s.Close(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// postgres is an empty database of the shared cluster. Where PostgreSQL is absent the
// test is skipped, or fails if DORMOUSE_REQUIRE_POSTGRES is set.
func postgres(t *testing.T) string {
	t.Helper()
	s, err := all.cluster()
	if errors.Is(err, pgtest.ErrAbsent) && os.Getenv("DORMOUSE_REQUIRE_POSTGRES") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Database(t)
}

func sqlite(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "server.db")
}

// server is a dormoused that runs, and a key of the workspace "a".
type server struct {
	t        *testing.T
	database string
	url, key string
	cmd      *exec.Cmd
	log      *safeBuffer
	ended    chan struct{}
}

// safeBuffer is what a program wrote, while it goes on writing.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// start starts a server over a database; it ends with the test.
func start(t *testing.T, database string, args ...string) *server {
	t.Helper()
	s := launch(t, database, args...)
	s.key = newKey(t, database, "a")
	return s
}

// launch starts a server and makes no key.
func launch(t *testing.T, database string, args ...string) *server {
	t.Helper()
	program, err := all.program()
	if err != nil {
		t.Fatal(err)
	}
	address := filepath.Join(t.TempDir(), "address")
	s := &server{t: t, database: database, log: &safeBuffer{}, ended: make(chan struct{})}
	s.cmd = exec.Command(program, append([]string{"--listen", "127.0.0.1:0", "--addr-file", address, "--database", database}, args...)...)
	s.cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "ANTHROPIC_API_KEY=sk-test")
	s.cmd.Stderr = s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait() // tests kill it
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			var said []string
			for l := range strings.Lines(s.log.String()) {
				if !strings.Contains(l, `"level":"INFO"`) {
					said = append(said, l)
				}
			}
			t.Logf("what the server said:\n%s", tail(strings.Join(said, ""), 4000))
		}
	})
	// What is waited for is the file; the time only says when to give up.
	for deadline := time.Now().Add(time.Minute); ; {
		if b, err := os.ReadFile(address); err == nil && bytes.HasSuffix(b, []byte("\n")) {
			s.url = strings.TrimSpace(string(b))
			return s
		}
		select {
		case <-s.ended:
			t.Fatalf("dormoused ended: %s", s.log)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatalf("dormoused does not start: %s", s.log)
		}
	}
}

// kill ends the server as a power cut would, and waits until it is gone.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may be gone already
	<-s.ended
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// newKey makes a key of a workspace by the command that people use.
func newKey(t *testing.T, database, workspace string) string {
	t.Helper()
	program, err := all.program()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "keys", "create", "--database", database, "--workspace", workspace)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := c.Output()
	if err != nil {
		t.Fatalf("keys create: %v %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// onEach runs a test on a server over each kind of database.
func onEach(t *testing.T, f func(t *testing.T, s *server), args ...string) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		f(t, start(t, sqlite(t), args...))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		f(t, start(t, postgres(t), args...))
	})
}
