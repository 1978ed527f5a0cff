package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Patience is how long a writer waits for another one.
const (
	Patience = 30 * time.Second
	retry    = 2 * time.Millisecond
)

// Lock makes the journal's folder if it is not there, and waits until no other
// process writes. The system gives a lock back when its holder dies, however it
// dies. Errors wrap ErrBusy; there is no way to write without the lock.
func (j *Journal) Lock(folder string) (unlock func(), err error) {
	if err := os.MkdirAll(j.dir, dirMode); err != nil {
		return nil, fmt.Errorf("making the journal's folder: %w", err)
	}
	l := flock.New(filepath.Join(j.dir, lockName), flock.SetPermissions(fileMode))
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	ok, err := l.TryLockContext(ctx, retry)
	if !ok {
		l.Close() //nolint:errcheck // nothing was locked
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%s %w for %v; try again, or look for a process that hangs", folder, ErrBusy, Patience)
		}
		return nil, fmt.Errorf("locking %s: %w", filepath.Join(j.dir, lockName), err)
	}
	note := filepath.Join(j.dir, folderName)
	if _, err := os.Lstat(note); err != nil {
		_ = os.WriteFile(note, []byte(folder+"\n"), fileMode) // for people only
	}
	return func() { l.Close() }, nil //nolint:errcheck // closing gives it back
}

// TryLock takes the lock if nobody has it.
func (j *Journal) TryLock() (unlock func(), ok bool) {
	l := flock.New(filepath.Join(j.dir, lockName), flock.SetPermissions(fileMode))
	if ok, err := l.TryLock(); !ok || err != nil {
		l.Close() //nolint:errcheck // nothing was locked
		return nil, false
	}
	return func() { l.Close() }, true //nolint:errcheck // closing gives it back
}
