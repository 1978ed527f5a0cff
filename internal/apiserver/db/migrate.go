package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations
var migrations embed.FS

// Driver is how the queue speaks to the database.
func (d *DB) Driver() riverdriver.Driver[*sql.Tx] {
	if d.Postgres() {
		return riverdatabasesql.New(d.write)
	}
	return riversqlite.New(d.write)
}

func (d *DB) goose() (*goose.Provider, error) {
	name, dialect := "sqlite", goose.DialectSQLite3
	var o []goose.ProviderOption
	if d.Postgres() {
		name, dialect = "postgres", goose.DialectPostgres
		// Of several servers that start at once one migrates, and the others wait.
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return nil, fmt.Errorf("making the lock of migrations: %w", err)
		}
		o = append(o, goose.WithSessionLocker(locker))
	}
	sub, err := fs.Sub(migrations, "migrations/"+name)
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(dialect, d.write, sub, append(o, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return nil, fmt.Errorf("reading the migrations: %w", err)
	}
	return p, nil
}

// Migrate brings the schema up to date: ours, and that of the queue.
func (d *DB) Migrate(ctx context.Context) (err error) {
	if !d.Postgres() {
		// Two first starts on one file would both find a table missing.
		l := flock.New(d.file+".migrating", flock.SetPermissions(0o600))
		if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("waiting for another server that migrates: %w", err)
		}
		defer func() { err = errors.Join(err, l.Unlock()) }()
	}
	p, err := d.goose()
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	return d.migrateQueue(ctx)
}

func (d *DB) migrateQueue(ctx context.Context) error {
	m, err := rivermigrate.New(d.Driver(), nil)
	if err != nil {
		return fmt.Errorf("migrating the queue: %w", err)
	}
	// Servers that start at once take turns here as they do in ours; the queue's
	// migrations have no lock of their own. What is done already is a look at a table.
	if d.Postgres() {
		return d.alone(ctx, func() error { return upQueue(ctx, m) })
	}
	return upQueue(ctx, m)
}

func upQueue(ctx context.Context, m *rivermigrate.Migrator[*sql.Tx]) error {
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrating the queue: %w", err)
	}
	return nil
}

// queueLock names the lock of the queue's migrations among PostgreSQL's advisory locks
// of the database: any number that nothing else takes.
const queueLock = 0x646f726d // "dorm"

// alone runs f while no other server runs one of its own.
func (d *DB) alone(ctx context.Context, f func() error) (err error) {
	c, err := d.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("taking turns with other servers: %w", err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_lock($1)", queueLock); err != nil {
		return fmt.Errorf("taking turns with other servers: %w", err)
	}
	err = f()
	// Also where ctx has ended: the connection goes back to the pool with its locks.
	if _, unlock := c.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", queueLock); unlock != nil {
		return errors.Join(err, fmt.Errorf("letting other servers on: %w", unlock))
	}
	return err
}

// MigrateTo brings our schema to a version, forward or back. Back takes what the
// tables of later versions hold with it. The queue's stays.
func (d *DB) MigrateTo(ctx context.Context, version int64) error {
	p, err := d.goose()
	if err != nil {
		return err
	}
	at, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("asking for the version: %w", err)
	}
	if version < at {
		_, err = p.DownTo(ctx, version)
	} else {
		_, err = p.UpTo(ctx, version)
	}
	if err != nil && !errors.Is(err, goose.ErrNoNextVersion) {
		return fmt.Errorf("migrating to version %d: %w", version, err)
	}
	return nil
}

// SchemaVersion is the version of the schema, and the newest that this program knows.
func (d *DB) SchemaVersion(ctx context.Context) (at, newest int64, err error) {
	p, err := d.goose()
	if err != nil {
		return 0, 0, err
	}
	at, newest, err = p.GetVersions(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("asking for the version: %w", err)
	}
	return at, newest, nil
}
