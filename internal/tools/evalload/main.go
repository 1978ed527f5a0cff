// Evalload measures dormoused under load: a million memories in PostgreSQL, asked by wrk
// over loopback, beside pgbench that runs the same statements; and durable writes on
// SQLite, beside the same statements without a server. See make eval-load.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/internal/tools/evalkit"
	"dormouse/testkit/pgtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "evalload:", err)
		os.Exit(1)
	}
}

// sizes are how much there is and how long it is asked.
type sizes struct {
	memories, perStore, seconds, rounds, clients int
	seed                                         uint64
}

func (s *sizes) stores() int { return s.memories / s.perStore }

func fromEnv() (*sizes, error) {
	s := &sizes{perStore: 2000, clients: 8}
	var errs []error
	number := func(name string, otherwise uint64) int {
		n, err := evalkit.Number(name, otherwise)
		errs = append(errs, err)
		return int(n) //nolint:gosec // somebody who asks for more than fits gets what they ask for
	}
	s.memories, s.seconds, s.rounds, s.seed = number("N", 1_000_000), number("SECONDS_EACH", 10), number("ROUNDS", 3), uint64(number("SEED", 1)) //nolint:gosec // likewise
	if s.memories < s.perStore {
		errs = append(errs, fmt.Errorf("too few memories: N is at least %d", s.perStore))
	}
	return s, errors.Join(errs...)
}

// row is one line of the table: what the server does, and what the database alone does.
type row struct {
	What   string    `json:"what"`
	Server []float64 `json:"server"` // a second, by round
	Alone  []float64 `json:"alone"`
	P99    []float64 `json:"p99_ms"` // of the server
	Failed int       `json:"failed"`
}

type result struct {
	Memories int     `json:"memories"`
	Seconds  int     `json:"seconds_each"`
	Clients  int     `json:"clients"`
	Seed     uint64  `json:"seed"`
	Rows     []row   `json:"rows"`
	RestMB   float64 `json:"rss_at_rest_mb"`
	AfterMB  float64 `json:"rss_after_mb"`
	LiteMB   float64 `json:"sqlite_rss_after_mb"`
}

func run(ctx context.Context) error {
	s, err := fromEnv()
	if err != nil {
		return err
	}
	for _, program := range []string{"wrk", "pgbench"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is missing: apt-get install wrk postgresql", program)
		}
	}
	dir, err := os.MkdirTemp("", "evalload")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()     // the system cleans its temporary folder
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // the database's user reads the scripts there
		return err
	}
	w := &work{sizes: s, dir: dir, program: filepath.Join(dir, "dormoused")}
	build := exec.CommandContext(ctx, "go", "build", "-o", w.program, "dormouse/cmd/dormoused")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building dormoused: %w\n%s", err, out)
	}
	if err := w.scripts(); err != nil {
		return err
	}
	out := &result{Memories: s.memories, Seconds: s.seconds, Clients: s.clients, Seed: s.seed}
	if err := w.postgres(ctx, out); err != nil {
		return err
	}
	if err := w.sqlite(ctx, out); err != nil {
		return err
	}
	return out.print()
}

func (w *work) postgres(ctx context.Context, out *result) error {
	pg, err := pgtest.Run(pgtest.Options{Durable: true, Set: map[string]string{"shared_buffers": "1GB", "max_wal_size": "4GB"}})
	if err != nil {
		return err
	}
	defer func() { _ = pg.Close() }() // all was measured
	if w.database, err = pg.NewDatabase(ctx); err != nil {
		return err
	}
	// Row security does not hold the one who owns the server: only so can rows be copied.
	w.owner = strings.Replace(w.database, pgtest.Role+"@", "postgres@", 1)
	began := time.Now()
	if err := w.fill(ctx); err != nil {
		return fmt.Errorf("filling the database: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%d memories written in %v\n", w.memories, time.Since(began).Round(time.Second))
	srv, err := w.serve(ctx)
	if err != nil {
		return err
	}
	defer srv.stop()
	time.Sleep(10 * time.Second) // what rest is
	if out.RestMB, err = srv.rss(); err != nil {
		return err
	}
	list, update := row{What: "list of 100 memories"}, row{What: "update with a precondition"}
	for round := range w.rounds {
		// By turns, so that what else the machine does meets both.
		for _, of := range []struct {
			row    *row
			script string
		}{{&list, "list"}, {&update, "update"}} {
			if err := w.round(ctx, srv, of.row, of.script, round); err != nil {
				return err
			}
		}
	}
	out.Rows = append(out.Rows, list, update)
	out.AfterMB, err = srv.rss()
	return err
}

func (w *work) round(ctx context.Context, srv *server, r *row, script string, round int) error {
	alone, err := w.pgbench(ctx, script, round)
	if err != nil {
		return err
	}
	if script == "update" {
		if err := w.plan(ctx, round); err != nil {
			return err
		}
	}
	m, err := w.wrk(ctx, srv, script, round)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "round %d, %s: server %.0f a second, p99 %.1f ms, %d failed; database alone %.0f\n", round+1, script, m.rate, m.p99, m.failed, alone)
	r.Server, r.Alone, r.P99, r.Failed = append(r.Server, m.rate), append(r.Alone, alone), append(r.P99, m.p99), r.Failed+m.failed
	return nil
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(of))
	return s[len(s)/2]
}

func (r *result) print() error {
	fmt.Printf("%d memories, %d connections, medians of %d rounds of %d s, seed %d\n\n", r.Memories, r.Clients, len(r.Rows[0].Server), r.Seconds, r.Seed)
	fmt.Printf("%-44s %10s %10s %8s %10s %7s\n", "", "server/s", "alone/s", "share", "p99 ms", "failed")
	for _, row := range r.Rows {
		var shares []float64
		for i := range row.Server {
			shares = append(shares, row.Server[i]/row.Alone[i])
		}
		fmt.Printf("%-44s %10.0f %10.0f %7.0f%% %10.1f %7d\n", row.What, median(row.Server), median(row.Alone), 100*median(shares), median(row.P99), row.Failed)
	}
	fmt.Printf("\nmemory of the server: %.0f MB at rest, %.0f MB after the load; on SQLite %.0f MB after it\n", r.RestMB, r.AfterMB, r.LiteMB)
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Println(string(b))
	return err
}
