package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"dormouse/internal/atomicfile"
)

const (
	lockName = "install.lock"
	lockWait = 20 * time.Second // another installation takes milliseconds
	lockTick = 10 * time.Millisecond
	maxRuns  = 8 // an agent writes its state file every few seconds, not all the time
)

// Run plans and carries out, as the only one on this machine that does: what is
// planned by what a file and the note held is carried out while they still do. plan
// is called with the note as it is then, without the lock at first, so that where
// nothing is to be done nothing is written; and again where another program changed
// a file meanwhile, which is an error ([atomicfile.ErrChanged]) only if it goes on
// doing so.
func Run(ctx context.Context, state string, plan func(*Notes) ([]Change, error)) ([]Change, error) {
	notes, changes, err := planned(state, plan)
	if err == nil && !needed(changes, notes) {
		return changes, nil
	}
	// What stood in the way may be that another installation was at it; without its
	// folder none is.
	if _, there := os.Stat(state); err != nil && there != nil {
		return nil, err
	}
	free, err := lock(ctx, state)
	if err != nil {
		return nil, err
	}
	defer free()
	for run := 1; ; run++ {
		if notes, changes, err = planned(state, plan); err != nil {
			return nil, err
		}
		err = Apply(changes, notes, state)
		if run == maxRuns || !errors.Is(err, atomicfile.ErrChanged) {
			return changes, err
		}
	}
}

// DryRun plans as [Run] does, and carries nothing out.
func DryRun(_ context.Context, state string, plan func(*Notes) ([]Change, error)) ([]Change, error) {
	_, changes, err := planned(state, plan)
	return changes, err
}

func planned(state string, plan func(*Notes) ([]Change, error)) (*Notes, []Change, error) {
	notes, err := LoadNotes(state)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; move that file away, and what is installed is found by its content", err)
	}
	changes, err := plan(notes)
	return notes, changes, err
}

// needed tells whether a file or the note is to change.
func needed(changes []Change, notes *Notes) bool {
	for i := range changes {
		c := &changes[i]
		if c.Changed() || c.entry != notes.find(c.key) {
			return true
		}
	}
	return false
}

// lock waits until no other process installs. The lock is the system's, so it ends
// with whoever holds it; its file stays, as a removed one would be locked by two.
func lock(ctx context.Context, state string) (free func(), err error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("keeping the note of what was installed: %w", err)
	}
	l := flock.New(filepath.Join(state, lockName), flock.SetPermissions(0o600))
	ctx, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	if _, err := l.TryLockContext(ctx, lockTick); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("another dormouse installs or uninstalls at the moment; nothing was changed, try again")
		}
		return nil, fmt.Errorf("%s: %w", l.Path(), err)
	}
	return func() { _ = l.Unlock() }, nil // it ends with the process in any case
}
