// Package pgtest runs a PostgreSQL server for tests: a cluster of its own in a
// temporary folder, on a Unix socket and a loopback port that the system gives.
package pgtest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // how a database is made
)

// Role is who a program under test connects as: no superuser, and no bypass of row
// security.
const Role = "dormouse"

// ErrAbsent is that PostgreSQL is not installed.
var ErrAbsent = errors.New("PostgreSQL is not installed: apt-get install postgresql, or scripts/install-postgres.sh")

// Server is a running server.
type Server struct {
	Dir   string // the cluster
	Port  int
	bin   string
	uid   uint32
	gid   uint32
	other bool // it runs as another user than this process
	made  atomic.Int64
}

// Options are settings of a cluster.
type Options struct {
	// Durable has it flush to disk as a real one does. Tests that crash only the
	// server, not the machine, need not.
	Durable bool
	Set     map[string]string // of postgresql.conf
}

// Start starts a server that ends with the test. Where PostgreSQL is not installed
// the test is skipped, or fails if DORMOUSE_REQUIRE_POSTGRES is set.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := Run(o)
	if errors.Is(err, ErrAbsent) && os.Getenv("DORMOUSE_REQUIRE_POSTGRES") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Database makes an empty database and returns its address, for Role.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	u, err := s.NewDatabase(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// bins finds the folder of the server's programs.
func bins() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is right
	slices.Sort(found)
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	p, err := exec.LookPath("initdb")
	if err != nil {
		return "", ErrAbsent
	}
	return filepath.Dir(p), nil
}

// Run makes a cluster and starts it. PostgreSQL refuses root: it runs as the user
// postgres then.
func Run(o Options) (s *Server, err error) {
	s = &Server{}
	if s.bin, err = bins(); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, fmt.Errorf("%w: there is no user postgres to run it as", ErrAbsent)
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		s.uid, s.gid, s.other = uint32(uid), uint32(gid), true
	}
	if s.Dir, err = os.MkdirTemp("", "pgtest"); err != nil {
		return nil, err
	}
	if s.other {
		if err := os.Chown(s.Dir, int(s.uid), int(s.gid)); err != nil {
			return nil, err
		}
	}
	if s.Port, err = freePort(); err != nil {
		return nil, err
	}
	if err := s.make(o); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.Dir))
	}
	return s, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close() //nolint:errcheck // nothing was written
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (s *Server) data() string { return filepath.Join(s.Dir, "data") }

func (s *Server) make(o Options) error {
	if err := s.run("initdb", "-N", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
		return err
	}
	var conf bytes.Buffer
	fmt.Fprintf(&conf, "\nlisten_addresses = '127.0.0.1'\nport = %d\nunix_socket_directories = '%s'\nmax_connections = 200\n", s.Port, s.Dir)
	if !o.Durable {
		conf.WriteString("fsync = off\n")
	}
	for k, v := range o.Set {
		fmt.Fprintf(&conf, "%s = '%s'\n", k, v)
	}
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(conf.Bytes())
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := s.Up(); err != nil {
		return err
	}
	return s.admin(context.Background(), "CREATE ROLE "+Role+" LOGIN NOSUPERUSER NOBYPASSRLS")
}

// Up starts a server that is down.
func (s *Server) Up() error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "-l", filepath.Join(s.Dir, "log"), "start")
}

// Restart restarts the server as a crash would: "immediate" leaves the rest to
// recovery.
func (s *Server) Restart(mode string) error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "-m", mode, "-l", filepath.Join(s.Dir, "log"), "restart")
}

// Close stops the server and removes the cluster.
func (s *Server) Close() error {
	err := s.run("pg_ctl", "-D", s.data(), "-w", "-m", "immediate", "stop")
	return errors.Join(err, os.RemoveAll(s.Dir))
}

// run runs one of the server's programs; as user postgres where this is root.
func (s *Server) run(name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	c.Dir = s.Dir
	c.Env = append(os.Environ(), "LC_ALL=C")
	if s.other {
		as(c, s.uid, s.gid)
	}
	// Files, not pipes: the server that pg_ctl leaves behind would hold a pipe open.
	out, err := os.CreateTemp("", "pgtest")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) //nolint:errcheck // a temporary file
	c.Stdout, c.Stderr = out, out
	err = c.Run()
	said, _ := os.ReadFile(out.Name()) // only for the message
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, said)
	}
	return nil
}

// URL is the address of a database for a role.
func (s *Server) URL(role, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", role, s.Port, database)
}

func (s *Server) admin(ctx context.Context, statements ...string) error {
	db, err := sql.Open("pgx", s.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	for _, q := range statements {
		if _, err := db.ExecContext(ctx, q); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", q, err), db.Close())
		}
	}
	return db.Close()
}

// NewDatabase makes an empty database that belongs to Role, and returns its address.
func (s *Server) NewDatabase(ctx context.Context) (string, error) {
	name := fmt.Sprintf("test%d", s.made.Add(1))
	if err := s.admin(ctx, "CREATE DATABASE "+name+" OWNER "+Role); err != nil {
		return "", err
	}
	return s.URL(Role, name), nil
}
