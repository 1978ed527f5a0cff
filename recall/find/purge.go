package find

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// patience is how long a purge waits for a process that just writes an index.
const patience = 30 * time.Second

// Purge removes all that is kept below a state folder, and returns how many
// indexes that were. Words stand in an index in other forms than in a text, so
// nobody can tell which of them hold a secret; each is made anew at the next
// search. A process that writes one has the lock while it reads, so none with
// words of before comes into place afterwards.
func Purge(state string) (removed int, err error) {
	root := filepath.Join(state, cacheName)
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("removing the search index: %w", err)
	}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		n, perr := purgeOne(dir)
		if removed += n; perr != nil {
			err = errors.Join(err, fmt.Errorf("removing the search index %s, which may still hold it: %w", dir, perr))
		}
	}
	return removed, err
}

// purgeOne empties one folder of the cache; the lock stays, as others may wait for
// it.
func purgeOne(dir string) (removed int, err error) {
	l := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(fileMode))
	defer l.Close() //nolint:errcheck // closing gives it back
	const retry = 5 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if ok, lerr := l.TryLockContext(ctx, retry); !ok {
		return 0, lerr
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() == lockName {
			continue
		}
		if rerr := os.RemoveAll(filepath.Join(dir, e.Name())); rerr != nil {
			err = errors.Join(err, rerr)
			continue
		}
		removed = 1
	}
	return removed, err
}
