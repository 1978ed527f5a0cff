package shelf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"dormouse/dream"
	"dormouse/extract"
	"dormouse/store"
)

// shortHash is how many hexadecimal digits of its content an id has, unless
// another dream of the day has the same.
const shortHash = 6

// halfway begins the name of a dream's folder that is not whole yet, or no more.
const halfway = ".half-"

// Lock keeps other dreams of the store away, and decisions on them. The system
// gives it back when its holder dies. Errors wrap ErrBusy.
func (s *Shelf) Lock() (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, dirMode); err != nil {
		return nil, fmt.Errorf("a place to keep dreams can't be made: %w", err)
	}
	l := flock.New(filepath.Join(s.dir, lockName), flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	if ok {
		return func() { l.Close() }, nil //nolint:errcheck // closing gives it back
	}
	l.Close() //nolint:errcheck // nothing was locked
	if err != nil {
		return nil, fmt.Errorf("locking the dreams of this memory folder: %w", err)
	}
	return nil, fmt.Errorf("%w; wait for it, or end it", ErrBusy)
}

// Keep puts a dream onto the shelf, whose lock the caller has. One that is there
// already is not kept twice, but is the newest then; fresh tells that it was not
// there. One that is damaged is made anew. One that was discarded waits again with
// again set, and else stays discarded; one that was applied waits again, for the
// notes are what they were before it. Errors wrap ErrName.
func (s *Shelf) Keep(made Made, in *dream.Input, res *dream.Result, again bool) (d *Dream, fresh bool, err error) {
	d, files, err := draw(made, in, res)
	if err != nil {
		return nil, false, err
	}
	dreams, _ := s.List() // a damaged one is none to be the same as
	for i := range dreams {
		d.Seq = max(d.Seq, dreams[i].Seq+1)
	}
	if i := slices.IndexFunc(dreams, func(had Dream) bool { return had.Content == d.Content }); i >= 0 {
		had := &dreams[i]
		if (had.Status == Waiting || had.Status == Discarded && !again) && s.Check(had) == nil {
			had.Seq = d.Seq
			return had, false, s.write(had)
		}
		d.ID = had.ID
	}
	if d.ID == "" {
		d.ID = s.freeID(d)
	}
	return d, true, s.place(d, files)
}

// draw makes the files of a dream.
func draw(made Made, in *dream.Input, res *dream.Result) (*Dream, map[string][]byte, error) {
	d := &Dream{
		Format: format, Made: made, Status: Waiting, Inputs: map[string]string{}, Sums: map[string]string{}, Dates: map[string]Dated{},
		Counts: res.Counts, Refused: res.Refused, Files: orEmpty(res.Files), Archive: orEmpty(res.Archive), Conflicts: []Conflict{}, Changes: []Change{},
	}
	d.Sessions = orEmpty(d.Sessions)
	said := map[string]Dated{}
	for _, n := range in.Notes {
		if n.From == nil {
			d.Inputs[n.Rel], said[n.Rel] = store.HashOf(n.Bytes), Dated{n.At, n.AtBy}
		}
	}
	for rel, b := range in.Lists {
		d.Inputs[rel] = store.HashOf(b)
	}
	for _, c := range res.Conflicts {
		d.Conflicts = append(d.Conflicts, Conflict{A: c.A, B: c.B, Why: c.Why, Left: c.Left})
	}
	files := map[string][]byte{}
	for _, r := range res.Diff(in) {
		d.Changes = append(d.Changes, Change{Rel: r.Rel, Before: r.Before != nil, After: r.After != nil, Origin: r.Origin, From: r.From})
		if r.Before != nil {
			files[beforeDir+r.Rel] = r.Before
		}
	}
	for _, f := range res.Files {
		files[outDir+f.Rel] = f.Bytes
		if len(f.Of) > 0 && d.Inputs[f.Rel] != store.HashOf(f.Bytes) && !said[f.Of[0]].At.IsZero() {
			d.Dates[f.Rel] = said[f.Of[0]]
		}
	}
	for _, a := range res.Archive {
		files[archiveDir+a.Rel] = a.Bytes
	}
	var err error
	if files[ledgerName], err = ledger(res.Rows); err != nil {
		return nil, nil, err
	}
	if files[waitingName], err = json.Marshal(orEmpty[extract.Candidate](res.Waiting)); err != nil {
		return nil, nil, err
	}
	for name, b := range files {
		if err := checkName(name); err != nil {
			return nil, nil, fmt.Errorf("the dream can't be kept: %w", err)
		}
		d.Sums[name] = store.HashOf(b)
	}
	content, err := json.Marshal([]any{d.Store, d.Inputs, d.Changes, d.Conflicts, d.Sums})
	d.Content = store.HashOf(content)
	return d, files, err
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func ledger(rows []dream.Row) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range rows {
		if err := enc.Encode(rows[i]); err != nil {
			return nil, fmt.Errorf("the ledger: %w", err)
		}
	}
	return b.Bytes(), nil
}

// write writes down what is known of a dream.
func (s *Shelf) write(d *Dream) error {
	root, err := os.OpenRoot(filepath.Join(s.dir, d.ID))
	if err == nil {
		defer release(root)
		err = writeJSON(root, metaName, d)
	}
	if err != nil {
		return fmt.Errorf("the dream %s: %w", d.ID, err)
	}
	return nil
}

// freeID is the day and so much of the hash that no other dream has it.
func (s *Shelf) freeID(d *Dream) string {
	for n := shortHash; n < len(d.Content); n += shortHash {
		id := d.At.UTC().Format("20060102") + "-" + d.Content[:n]
		if _, err := os.Lstat(filepath.Join(s.dir, id)); errors.Is(err, fs.ErrNotExist) {
			return id
		}
	}
	return d.At.UTC().Format("20060102") + "-" + d.Content
}

// place makes the folder beside and renames it. One of the same name, which is
// decided and has the same content, goes before.
func (s *Shelf) place(d *Dream, files map[string][]byte) error {
	wrap := func(err error) error { return fmt.Errorf("keeping the dream: %w", err) }
	if err := os.MkdirAll(s.dir, dirMode); err != nil {
		return wrap(err)
	}
	if err := s.sweep(); err != nil {
		return wrap(err)
	}
	half := filepath.Join(s.dir, halfway+d.ID)
	if err := os.Mkdir(half, dirMode); err != nil {
		return wrap(err)
	}
	if err := fill(half, d, files); err != nil {
		return wrap(errors.Join(err, os.RemoveAll(half)))
	}
	final := filepath.Join(s.dir, d.ID)
	if _, err := os.Lstat(final); err == nil {
		if err := os.Rename(final, filepath.Join(s.dir, halfway+d.ID+"-old")); err != nil {
			return wrap(err)
		}
	}
	if err := os.Rename(half, final); err != nil {
		return wrap(err)
	}
	return s.sweep()
}

// sweep removes what a dream that was killed has left. The caller has the lock.
func (s *Shelf) sweep() error {
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), halfway) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.dir, e.Name())))
		}
	}
	return err
}

func fill(dir string, d *Dream, files map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer release(root)
	for name, b := range files {
		name = filepath.FromSlash(name)
		if err := root.MkdirAll(filepath.Dir(name), dirMode); err != nil {
			return err
		}
		if err := root.WriteFile(name, b, fileMode); err != nil {
			return err
		}
	}
	return writeJSON(root, metaName, d)
}

// writeJSON replaces a file below an open folder as a whole.
func writeJSON(root *os.Root, name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	const next = ".next" // the lock is held: nobody else makes one
	f, err := root.OpenFile(name+next, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return root.Rename(name+next, name)
}

// Decide records that a dream was applied, by which change of the journal, or
// discarded, and why if no person did it. Of a discarded one the account stays and
// the texts go. The caller has the lock.
func (s *Shelf) Decide(d *Dream, status Status, at time.Time, change int, why string) error {
	d.Status, d.Closed, d.Change, d.Why = status, at, change, why
	if err := s.write(d); err != nil || status != Discarded {
		return err
	}
	root, err := os.OpenRoot(filepath.Join(s.dir, d.ID))
	if err != nil {
		return fmt.Errorf("the dream %s: %w", d.ID, err)
	}
	defer release(root)
	for _, dir := range []string{outDir, archiveDir, beforeDir} {
		err = errors.Join(err, root.RemoveAll(strings.TrimSuffix(dir, "/")))
	}
	return err
}

// Ran is when a dream was last made, kept or not.
type Ran struct {
	At   time.Time `json:"at"`
	ID   string    `json:"id,omitempty"`   // "" if it would have changed nothing
	Left int       `json:"left,omitempty"` // sessions that it left for the next one
}

// LastRan is when a dream of this store was last made; the zero Ran for never, or
// where it can't be told.
func (s *Shelf) LastRan() Ran {
	var r Ran
	if root, err := os.OpenRoot(s.dir); err == nil {
		defer release(root)
		if b, err := readIn(root, ranName); err == nil && json.Unmarshal(b, &r) != nil {
			r = Ran{}
		}
	}
	dreams, _ := s.List() // those that can't be read tell no date
	for _, d := range dreams {
		if d.At.After(r.At) {
			r = Ran{At: d.At, ID: d.ID}
		}
	}
	return r
}

// SetRan records it. The caller has the lock.
func (s *Shelf) SetRan(r Ran) error {
	root, err := os.OpenRoot(s.dir)
	if err == nil {
		defer release(root)
		err = writeJSON(root, ranName, r)
	}
	if err != nil {
		return fmt.Errorf("recording that a dream was made: %w", err)
	}
	return nil
}
