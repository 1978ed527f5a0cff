package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"dormouse/internal/apiserver/db"
)

//go:embed scripts
var scripts embed.FS

// threads are those of wrk.
const threads = 2

type work struct {
	*sizes
	dir, program    string
	database, owner string // addresses
	key, workspace  string
}

// scripts are put where wrk and pgbench find them.
func (w *work) scripts() error {
	files, err := scripts.ReadDir("scripts")
	if err != nil {
		return err
	}
	for _, f := range files {
		b, err := scripts.ReadFile("scripts/" + f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(w.dir, f.Name()), b, 0o644); err != nil { //nolint:gosec // the database's user reads it
			return err
		}
	}
	return nil
}

// ids are such that the scripts can make them of a number.
func storeID(n int) string   { return fmt.Sprintf("memstore_%022d", n) }
func memoryID(n int) string  { return fmt.Sprintf("mem_%022d", n) }
func versionID(n int) string { return fmt.Sprintf("memver_%022d", n) }

// content is what a memory holds at first: a kilobyte.
func content(n int) string {
	return fmt.Sprintf("memory %d %s", n, strings.Repeat("The staging server is called otter. ", 28))
}

func (w *work) fill(ctx context.Context) error {
	d, err := db.Open(ctx, w.database, db.Options{})
	if err != nil {
		return err
	}
	k, secret, err := d.CreateKey(ctx, "load", "load")
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	w.key, w.workspace = secret, k.Workspace
	c, err := pgx.Connect(ctx, w.owner)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }() // what failed before is told
	const now = int64(1_790_000_000_000_000)
	copyIn := func(table string, n int, columns []string, of func(int) []any) error {
		_, err := c.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(n, func(i int) ([]any, error) { return of(i), nil }))
		return err
	}
	path := func(i int) string { return fmt.Sprintf("/notes/%05d.md", i%w.perStore) }
	hash := func(i int) string { return db.HashOf(content(i)) }
	if err := errors.Join(
		copyIn("memory_stores", w.stores(), []string{"workspace", "id", "name", "description", "metadata", "created_at", "updated_at", "memories"}, func(i int) []any {
			return []any{w.workspace, storeID(i), "S", "", "{}", now, now, w.perStore}
		}),
		copyIn("contents", w.memories, []string{"workspace", "sha256", "content"}, func(i int) []any { return []any{w.workspace, hash(i), content(i)} }),
		copyIn("memories", w.stores()*w.perStore, []string{"workspace", "store", "id", "path", "version", "sha256", "size", "created_at", "updated_at"}, func(i int) []any {
			return []any{w.workspace, storeID(i / w.perStore), memoryID(i), path(i), versionID(i), hash(i), len(content(i)), now, now}
		}),
		copyIn("memory_versions", w.stores()*w.perStore, []string{"workspace", "store", "id", "memory", "operation", "path", "sha256", "size", "actor_type", "actor", "created_at"}, func(i int) []any {
			return []any{w.workspace, storeID(i / w.perStore), versionID(i), memoryID(i), "created", path(i), hash(i), len(content(i)), "api_actor", k.ID, now}
		}),
	); err != nil {
		return err
	}
	_, err = c.Exec(ctx, "VACUUM ANALYZE")
	return errors.Join(err, checkpoint(ctx, c))
}

func checkpoint(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, "CHECKPOINT")
	return err
}

// server is a dormoused that runs.
type server struct {
	url string
	cmd *exec.Cmd
}

func (w *work) serve(ctx context.Context) (*server, error) {
	address := filepath.Join(w.dir, "address")
	_ = os.Remove(address) // of the server before
	s := &server{cmd: exec.CommandContext(ctx, w.program, "--listen", "127.0.0.1:0", "--addr-file", address, "--database", w.database)}
	s.cmd.Env = append(os.Environ(), "HOME="+w.dir)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(address); err == nil && bytes.HasSuffix(b, []byte("\n")) {
			s.url = strings.TrimSpace(string(b))
			return s, nil
		}
	}
	s.stop()
	return nil, errors.New("dormoused does not start")
}

func (s *server) stop() {
	_ = s.cmd.Process.Kill() // it may be gone
	_ = s.cmd.Wait()         // it was killed
}

// rss is the memory that the server has, in MB.
func (s *server) rss() (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(b)
	if m == nil {
		return 0, errors.New("the system does not tell how much memory a process has")
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024, err
}

// pgbench runs a script of the same statements, and returns how many transactions it
// did in a second.
func (w *work) pgbench(ctx context.Context, script string, round int) (float64, error) {
	c := exec.CommandContext(ctx, "pgbench", "-n", "-M", "prepared", "-c", strconv.Itoa(w.clients), "-j", strconv.Itoa(threads), "-T", strconv.Itoa(w.seconds),
		"-D", "stores="+strconv.Itoa(w.stores()), "-D", "memories="+strconv.Itoa(w.stores()*w.perStore), "-D", "per_store="+strconv.Itoa(w.perStore), "-D", "workspace="+w.workspace,
		"--random-seed="+strconv.FormatUint(w.seed+uint64(round), 10), "-f", filepath.Join(w.dir, script+".sql"), w.database)
	out, err := c.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	m := regexp.MustCompile(`tps = ([0-9.]+)`).FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("pgbench says %s", out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// plan chooses the memories that a round updates, some for each thread, and writes down
// what each holds. None is one that pgbench or an earlier round changed.
func (w *work) plan(ctx context.Context, round int) error {
	d, err := sql.Open("pgx", w.owner)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()                  // it only reads
	r := rand.New(rand.NewPCG(w.seed, uint64(round))) //nolint:gosec // to be repeatable
	for thread := range threads {
		f, err := os.Create(filepath.Join(w.dir, "plan."+strconv.Itoa(thread)))
		if err != nil {
			return err
		}
		out := bufio.NewWriter(f)
		n := min(w.memories/threads/2, 4000*w.seconds)
		rows, err := d.QueryContext(ctx, `SELECT id, sha256 FROM memories WHERE workspace = $1 AND right(id, 1)::int % $2 = $3 AND sha256 NOT LIKE 'bench%' ORDER BY md5(id || $4) LIMIT $5`,
			w.workspace, threads, thread, strconv.FormatUint(r.Uint64(), 10), n)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		for rows.Next() {
			var id, hash string
			if err := rows.Scan(&id, &hash); err != nil {
				return errors.Join(err, rows.Close(), f.Close())
			}
			fmt.Fprintln(out, strings.TrimLeft(strings.TrimPrefix(id, "mem_"), "0")+" "+hash) // Flush tells
		}
		if err := errors.Join(rows.Err(), rows.Close(), out.Flush(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// measured is what wrk says.
type measured struct {
	rate, p99 float64 // a second, ms
	failed    int
}

func (w *work) wrk(ctx context.Context, s *server, script string, round int) (*measured, error) {
	c := exec.CommandContext(ctx, "wrk", "-t", strconv.Itoa(threads), "-c", strconv.Itoa(w.clients), "-d", strconv.Itoa(w.seconds)+"s", "--latency", "-s", filepath.Join(w.dir, script+".lua"), s.url)
	c.Env = append(os.Environ(), "LOAD_KEY="+w.key, "LOAD_STORES="+strconv.Itoa(w.stores()), "LOAD_PER_STORE="+strconv.Itoa(w.perStore), "LOAD_SEED="+strconv.FormatUint(w.seed, 10),
		"LOAD_PLAN="+filepath.Join(w.dir, "plan"), "LOAD_RUN="+strconv.Itoa(round))
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	return readWrk(out)
}

func readWrk(out []byte) (*measured, error) {
	var m measured
	rate := regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`).FindSubmatch(out)
	p99 := regexp.MustCompile(`99%\s+([0-9.]+)(us|ms|s)\b`).FindSubmatch(out)
	if rate == nil || p99 == nil {
		return nil, fmt.Errorf("wrk says %s", out)
	}
	var err, err2, err3 error
	m.rate, err = strconv.ParseFloat(string(rate[1]), 64)
	m.p99, err2 = strconv.ParseFloat(string(p99[1]), 64)
	switch string(p99[2]) {
	case "us":
		m.p99 /= 1000
	case "s":
		m.p99 *= 1000
	}
	if bad := regexp.MustCompile(`Non-2xx or 3xx responses: (\d+)`).FindSubmatch(out); bad != nil {
		m.failed, err3 = strconv.Atoi(string(bad[1]))
	}
	return &m, errors.Join(err, err2, err3)
}
