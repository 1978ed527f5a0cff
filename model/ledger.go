package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"dormouse/internal/atomicfile"
)

const (
	ledgerName = "spent.json"
	ledgerLock = "spent.lock"
	ledgerDays = 40 // how many are kept: a month and a bit, to look back on
	lockPoll   = 10 * time.Millisecond
	lockTime   = 10 * time.Second
)

// fileLedger is a JSON object of days. It holds dates and numbers and nothing
// else: not which model, not what for.
type fileLedger struct{ folder string }

// OpenLedger keeps the sums in a file below folder, which is made at the first
// booking. Processes take turns by a lock.
func OpenLedger(folder string) Ledger { return fileLedger{folder} }

// Add books: see Ledger. A file that can't be read refuses everything, or a
// damaged one would be a way around the limit.
func (l fileLedger) Add(ctx context.Context, day string, more, most Spent) error {
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return fmt.Errorf("the ledger of what was spent: %w", err)
	}
	lock := flock.New(filepath.Join(l.folder, ledgerLock), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, lockPoll); err != nil || !ok {
		return fmt.Errorf("locking the ledger of what was spent: %w", err)
	}
	defer lock.Unlock() //nolint:errcheck // closing the file gives it back whatever this says
	path := filepath.Join(l.folder, ledgerName)
	before, days, err := readLedger(path)
	if err != nil {
		return err
	}
	sum := days[day].plus(more)
	if why := sum.over(most); why != "" {
		return fmt.Errorf("%w: of this day: %s", ErrBudget, why)
	}
	days[day] = Spent{max(sum.Tokens, 0), max(sum.Dollars, 0)}
	after, err := json.MarshalIndent(newest(days), "", "  ")
	if err != nil {
		return fmt.Errorf("the ledger of what was spent: %w", err)
	}
	if err := atomicfile.Replace(path, before, append(after, '\n')); err != nil {
		return fmt.Errorf("writing the ledger of what was spent: %w", err)
	}
	return nil
}

func readLedger(path string) ([]byte, map[string]Spent, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		// Made here, for its mode: what replaces it keeps that.
		text = []byte("{}\n")
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the ledger of what was spent: %w", err)
	}
	var days map[string]Spent
	if err := json.Unmarshal(text, &days); err != nil || days == nil {
		return nil, nil, fmt.Errorf("%w: the ledger %s can't be read; when nothing more must be counted for today, delete it", ErrBudget, path)
	}
	for day, s := range days {
		if _, err := time.Parse(time.DateOnly, day); err != nil || s.Tokens < 0 || s.Dollars < 0 {
			return nil, nil, fmt.Errorf("%w: the ledger %s holds what Dormouse did not write; when nothing more must be counted for today, delete it", ErrBudget, path)
		}
	}
	return text, days, nil
}

func newest(days map[string]Spent) map[string]Spent {
	names := make([]string, 0, len(days))
	for d := range days {
		names = append(names, d)
	}
	slices.Sort(names)
	for len(names) > ledgerDays {
		delete(days, names[0])
		names = names[1:]
	}
	return days
}
