// Package db keeps what the API serves: in a SQLite file, or in PostgreSQL. Both have
// the same tables and nearly the same statements; where they differ is dialect.go.
//
// Every transaction is within one workspace. Statements name it, and in PostgreSQL
// row security holds them to it: a statement that forgets the workspace finds nothing.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"dormouse/internal/apiserver"
)

// Options says how a database is opened.
type Options struct {
	// NoMigrate leaves the schema as it is.
	NoMigrate bool
	// AllowSuperuser takes a PostgreSQL role that row security does not hold.
	AllowSuperuser bool
	// Conns is how many connections read at once; 0: 8.
	Conns int
	// Enqueue puts the job of a dream into the queue, in the dream's transaction.
	Enqueue func(ctx context.Context, tx *sql.Tx, workspace, dream string) error
	// Lease is how long a worker that says nothing keeps its dream; 0: Lease.
	Lease time.Duration
	// Trace is told when a transaction begins, and returns what is told when it ends;
	// nil: nobody.
	Trace func(ctx context.Context, reads bool) (context.Context, func(error))
}

// DB is an open database. It may be used by several goroutines at once.
type DB struct {
	dialect dialect
	write   *sql.DB // of SQLite one connection
	read    *sql.DB
	file    string // of SQLite
	o       Options
}

var _ apiserver.Backend = (*DB)(nil)

// Open opens a database, "postgres://…" or the path of a SQLite file, and brings its
// schema up to date.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	if o.Conns == 0 {
		o.Conns = 8
	}
	if o.Lease == 0 {
		o.Lease = Lease
	}
	d, err := connect(url, o)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	if err := d.ready(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database: %w", err), d.Close())
	}
	return d, nil
}

func (d *DB) ready(ctx context.Context) error {
	if err := d.write.PingContext(ctx); err != nil {
		return err
	}
	if d.Postgres() && !d.o.AllowSuperuser {
		if err := d.checkRole(ctx); err != nil {
			return err
		}
	}
	if d.o.NoMigrate {
		return nil
	}
	return d.Migrate(ctx)
}

// Close closes the database.
func (d *DB) Close() error {
	err := d.write.Close()
	if d.read != d.write {
		err = errors.Join(err, d.read.Close())
	}
	return err
}

// SQL is the pool that writes; of SQLite it has one connection.
func (d *DB) SQL() *sql.DB { return d.write }

// SetEnqueue sets Options.Enqueue after opening: the queue needs the database first.
func (d *DB) SetEnqueue(f func(ctx context.Context, tx *sql.Tx, workspace, dream string) error) {
	d.o.Enqueue = f
}

// Postgres reports whether this is PostgreSQL.
func (d *DB) Postgres() bool { return d.dialect.postgres }

// Ping tells whether the database answers.
func (d *DB) Ping(ctx context.Context) error { return d.write.PingContext(ctx) }

// Write runs fn in a transaction of a workspace. fn may run several times: when the
// database could not order it beside others, or was busy.
func (d *DB) Write(ctx context.Context, workspace string, fn func(context.Context, *Tx) error) error {
	return d.in(ctx, d.write, nil, workspace, fn)
}

// Read runs fn in a transaction that only reads.
func (d *DB) Read(ctx context.Context, workspace string, fn func(context.Context, *Tx) error) error {
	return d.in(ctx, d.read, &sql.TxOptions{ReadOnly: true}, workspace, fn)
}

// System runs fn in a transaction of no workspace: only tables without row security
// have rows then.
func (d *DB) System(ctx context.Context, fn func(context.Context, *Tx) error) error {
	return d.in(ctx, d.write, nil, "", fn)
}

const tries = 6

func (d *DB) in(ctx context.Context, pool *sql.DB, o *sql.TxOptions, workspace string, fn func(context.Context, *Tx) error) error {
	if d.o.Trace != nil {
		traced, ended := d.o.Trace(ctx, o != nil)
		ctx = traced
		err := d.tried(ctx, pool, o, workspace, fn)
		ended(err)
		return err
	}
	return d.tried(ctx, pool, o, workspace, fn)
}

func (d *DB) tried(ctx context.Context, pool *sql.DB, o *sql.TxOptions, workspace string, fn func(context.Context, *Tx) error) error {
	var err error
	for i := range tries {
		if err = d.once(ctx, pool, o, workspace, fn); err == nil || !d.dialect.again(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(1<<i) * 5 * time.Millisecond):
		}
	}
	return err
}

func (d *DB) once(ctx context.Context, pool *sql.DB, o *sql.TxOptions, workspace string, fn func(context.Context, *Tx) error) (err error) {
	tx, err := pool.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback() // the panic is what matters
			panic(p)
		}
		if err != nil {
			_ = tx.Rollback() // err is what matters; a connection that is broken rolls back by itself
		}
	}()
	t := &Tx{Tx: tx, Workspace: workspace, d: &d.dialect, Now: time.Now().UnixMicro()}
	if d.dialect.postgres {
		// One round trip for both: the workspace until the transaction ends, and the time.
		var set string
		if err := tx.QueryRowContext(ctx, "SELECT set_config('app.workspace', $1, true), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint", workspace).Scan(&set, &t.Now); err != nil {
			return fmt.Errorf("entering the workspace: %w", err)
		}
	}
	if err := fn(ctx, t); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return nil
}

// Tx is a transaction. Statements have $1, $2, … for both databases.
type Tx struct {
	*sql.Tx
	Workspace string
	// Now is when it began by the database's clock, the same for all servers on it, in
	// microseconds.
	Now int64
	d   *dialect
}

// Exec runs a statement and returns how many rows it changed.
func (t *Tx) Exec(ctx context.Context, q string, args ...any) (int64, error) {
	res, err := t.ExecContext(ctx, t.d.sql(q), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Query asks for rows.
func (t *Tx) Query(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(ctx, t.d.sql(q), args...)
}

// QueryRow asks for one row.
func (t *Tx) QueryRow(ctx context.Context, q string, args ...any) *sql.Row {
	return t.QueryRowContext(ctx, t.d.sql(q), args...)
}
