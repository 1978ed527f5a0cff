package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
)

// dialect is what differs between the two databases.
type dialect struct {
	postgres bool
	forShare string // locks a row against changes by others, until the transaction ends
	forWrite string
	texts    *sync.Map // statements as this database takes them
}

func sqliteDialect() dialect {
	// SQLite has one writer at a time, so a row needs no lock.
	return dialect{texts: &sync.Map{}}
}

func postgresDialect() dialect {
	return dialect{
		postgres: true, forShare: " FOR SHARE", forWrite: " FOR NO KEY UPDATE", texts: &sync.Map{},
	}
}

// sql returns a statement as the database takes it: SQLite has ?1 for $1.
func (d *dialect) sql(q string) string {
	if d.postgres {
		return q
	}
	if t, ok := d.texts.Load(q); ok {
		return t.(string)
	}
	t := strings.ReplaceAll(q, "$", "?")
	d.texts.Store(q, t)
	return t
}

// contentReference is the name of a version's reference to its content, as PostgreSQL
// gives it to a constraint that has none.
const contentReference = "memory_versions_workspace_sha256_fkey"

// again reports whether the same transaction may go well a second time.
func (d *dialect) again(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		// Serialization failure, deadlock, and a content that went while it was
		// about to be used, or came to be used while it was about to go. Any other
		// reference that leads nowhere leads nowhere the next time.
		return pg.Code == "40001" || pg.Code == "40P01" ||
			pg.Code == "23503" && pg.ConstraintName == contentReference
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		code := lite.Code() & 0xff
		return code == 5 || code == 6 // busy, locked
	}
	return false
}

// unique reports whether a statement failed because a row of that key is there.
func (d *dialect) unique(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "23505"
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code() == 2067 || lite.Code() == 1555 // constraint: unique, primary key
	}
	return false
}

// IsPostgres reports whether a database is PostgreSQL, by how it is named.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

func connect(u string, o Options) (*DB, error) {
	if IsPostgres(u) {
		conf, err := pgx.ParseConfig(u)
		if err != nil {
			return nil, errors.New("the address of the database can't be read: it is postgres://user:password@host:port/name") // err may hold the password
		}
		conf.RuntimeParams["application_name"] = "dormoused"
		pool := stdlib.OpenDB(*conf, stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error {
			// A server that stands still in the middle of a transaction (its machine
			// sleeps) keeps the rows that it locked; the others wait this long for them.
			_, err := c.Exec(ctx, "SET idle_in_transaction_session_timeout = '5s'")
			return err
		}))
		pool.SetMaxOpenConns(o.Conns)
		pool.SetMaxIdleConns(o.Conns)
		return &DB{dialect: postgresDialect(), write: pool, read: pool, o: o}, nil
	}
	return openFile(u, o)
}

func openFile(path string, o Options) (*DB, error) {
	if path == "" || strings.Contains(path, "://") {
		return nil, fmt.Errorf("%q is neither a file nor a postgres:// address", path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// The driver would make it with the modes of the process.
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	open := func(lock string, more ...string) (*sql.DB, error) {
		q := url.Values{"_txlock": {lock}, "_pragma": append([]string{
			"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "temp_store(MEMORY)",
		}, more...)}
		return sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}).String())
	}
	// Two processes that both read first and write then would stand in each other's way.
	write, err := open("immediate")
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	read, err := open("deferred", "query_only(ON)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(o.Conns)
	read.SetMaxIdleConns(o.Conns)
	return &DB{dialect: sqliteDialect(), write: write, read: read, file: path, o: o}, nil
}

// checkRole refuses a role that row security does not hold.
func (d *DB) checkRole(ctx context.Context) error {
	var free bool
	var role string
	err := d.write.QueryRowContext(ctx, "SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user").Scan(&role, &free)
	if err != nil {
		return fmt.Errorf("asking for the role: %w", err)
	}
	if free {
		return fmt.Errorf("the role %s is not held by row security, which keeps workspaces apart: make one that is no superuser (CREATE ROLE dormouse LOGIN; CREATE DATABASE dormouse OWNER dormouse), or allow it with --allow-superuser", role)
	}
	return nil
}
