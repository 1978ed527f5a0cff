// Package shelf keeps dreams until somebody decides on them, and what they moved
// out of a store after that. A dream is a folder of its own below Dormouse's state
// folder: what it found, what the new store would be, and the account of it. It is
// made beside and renamed into place, so one that is there is whole; every file in
// it is checked against its hash when it is read.
package shelf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/dream"
	"dormouse/extract"
	"dormouse/internal/safefile"
	"dormouse/store"
)

// Errors of a shelf; each comes wrapped with what it is about.
var (
	ErrBusy    = errors.New("another dream of this memory folder is running")
	ErrNone    = errors.New("there is no such dream")
	ErrDamaged = errors.New("is damaged")
	ErrName    = errors.New("is no name for a file of a dream")
)

// Status is what was decided on a dream.
type Status string

// The states.
const (
	Waiting   Status = "waiting"
	Applied   Status = "applied"
	Discarded Status = "discarded"
)

const format = 1 // of dream.json

// Modes of what is kept: for its owner only.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// maxFile is the size in bytes of the largest file of a dream that is read.
const maxFile = 1 << 30

// keyLength is how many hexadecimal digits name the shelf of a store.
const keyLength = 24

// Shelf is the dreams of one store. Nothing is made before the first is kept, or
// the lock is taken.
type Shelf struct{ dir string }

// At is the shelf of a store, given by its folder with links resolved.
func At(state, folder string) *Shelf {
	return &Shelf{dir: filepath.Join(state, "dreams", store.HashOf([]byte(folder))[:keyLength])}
}

// All are the shelves of all stores below a state folder.
func All(state string) ([]*Shelf, error) {
	entries, err := os.ReadDir(filepath.Join(state, "dreams"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []*Shelf
	for _, e := range entries {
		if e.IsDir() && len(e.Name()) == keyLength {
			out = append(out, &Shelf{dir: filepath.Join(state, "dreams", e.Name())})
		}
	}
	return out, err
}

// Dir is the folder of the shelf, whether it exists or not.
func (s *Shelf) Dir() string { return s.dir }

// Session is a session log that a dream has read, as it was then.
type Session struct {
	File     string    `json:"file"`
	ID       string    `json:"id,omitempty"`
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified"`
	Known    bool      `json:"known,omitempty"` // extract had read it before, as it was then
}

// Change is what a dream would do to one file: its bytes of before and after are
// kept if there are any.
type Change struct {
	Rel    string         `json:"rel"`
	Before bool           `json:"before"` // there was such a file
	After  bool           `json:"after"`  // there is to be one
	Origin string         `json:"origin,omitempty"`
	From   []store.Source `json:"from,omitempty"`
}

// Conflict is a conflict of a dream with both its places.
type Conflict struct {
	A    dream.Place `json:"a"`
	B    dream.Place `json:"b"`
	Why  string      `json:"why"`
	Left string      `json:"left"`
}

// Dated is when something was last said, and by what that is known.
type Dated struct {
	At time.Time `json:"at"`
	By string    `json:"by"` // as in dream.Note
}

// Made is what a dream was made of and by, beside its input.
type Made struct {
	Store    string    `json:"store"` // the folder
	At       time.Time `json:"at"`
	Build    string    `json:"build,omitempty"`
	Model    string    `json:"model,omitempty"`
	Auto     bool      `json:"auto,omitempty"` // no person asked for it
	Sessions []Session `json:"sessions"`
}

// Dream is a kept dream without its texts.
type Dream struct {
	Format int    `json:"format"`
	ID     string `json:"id"`
	// Seq grows with each time that a dream is made on a shelf, or made again: which is
	// the newest does not hang on the clock. 0 of dreams from before it was kept.
	Seq int `json:"seq,omitempty"`
	Made
	Inputs    map[string]string `json:"inputs"` // hashes of notes, index and pages by slash path
	Counts    dream.Counts      `json:"counts"`
	Conflicts []Conflict        `json:"conflicts"`
	Refused   []string          `json:"refused,omitempty"`
	Changes   []Change          `json:"changes"`
	Files     []dream.File      `json:"files"`   // bytes in out/
	Archive   []dream.Archive   `json:"archive"` // bytes in archive/
	// Dates tell of changed files how old what they say is: a dream says nothing new,
	// and the file is as new as the dream.
	Dates   map[string]Dated  `json:"dates,omitempty"`
	Sums    map[string]string `json:"sums"`    // hashes of all files of the dream but this one
	Content string            `json:"content"` // hash of all that it found and would do

	Status Status    `json:"status"`
	Change int       `json:"change,omitempty"` // of the journal, once applied
	Closed time.Time `json:"closed,omitzero"`  // when it was applied or discarded
	Why    string    `json:"why,omitempty"`    // it was discarded, if not by a person
}

// The files of a dream.
const (
	metaName    = "dream.json"
	ledgerName  = "ledger.jsonl"
	waitingName = "candidates.json"
	ranName     = "ran.json"
	lockName    = "lock"

	outDir, archiveDir, beforeDir = "out/", "archive/", "before/"
)

// checkName refuses what could lead out of a dream's folder.
func checkName(rel string) error {
	if rel == "." || !fs.ValidPath(rel) || !filepath.IsLocal(filepath.FromSlash(rel)) || strings.ContainsRune(rel, 0) {
		return fmt.Errorf("%q %w", rel, ErrName)
	}
	return nil
}

// List is all dreams, the newest first. A damaged one is passed over, and an error
// tells of each.
func (s *Shelf) List() ([]Dream, []error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{fmt.Errorf("the dreams can't be listed: %w", err)}
	}
	var out []Dream
	var damaged []error
	for _, e := range entries {
		if !isID(e.Name()) {
			continue
		}
		d, err := s.read(e.Name())
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b Dream) int {
		return cmp.Or(cmp.Compare(b.Seq, a.Seq), b.At.Compare(a.At), strings.Compare(b.ID, a.ID))
	})
	return out, damaged
}

// Find is the dream of an id, or of the beginning or the last part of one. Errors
// wrap ErrNone or ErrDamaged.
func (s *Shelf) Find(name string) (*Dream, error) {
	if isID(name) {
		return s.read(name)
	}
	dreams, damaged := s.List()
	var found []Dream
	for _, d := range dreams {
		_, last, _ := strings.Cut(d.ID, "-")
		if name != "" && (strings.HasPrefix(d.ID, name) || strings.HasPrefix(last, name)) {
			found = append(found, d)
		}
	}
	switch {
	case len(found) == 1:
		return &found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%s could be %s or %s: %w of just that id", name, found[0].ID, found[1].ID, ErrNone)
	}
	return nil, errors.Join(append(damaged, fmt.Errorf("%s: %w", name, ErrNone))...)
}

// isID tells 20261201-3f2a9c, or one with a longer hash.
func isID(name string) bool {
	day, hash, ok := strings.Cut(name, "-")
	return ok && len(day) == len("20261201") && strings.Trim(day, "0123456789") == "" &&
		len(hash) >= shortHash && len(hash) <= 64 && strings.Trim(hash, "0123456789abcdef") == ""
}

func (s *Shelf) read(id string) (*Dream, error) {
	damaged := func(err error) error { return fmt.Errorf("the dream %s %w: %w", id, ErrDamaged, err) }
	root, err := os.OpenRoot(filepath.Join(s.dir, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", id, ErrNone)
	}
	if err != nil {
		return nil, damaged(err)
	}
	defer release(root)
	b, err := readIn(root, metaName)
	if err != nil {
		return nil, damaged(err)
	}
	d := &Dream{}
	if err := json.Unmarshal(b, d); err != nil {
		return nil, damaged(err)
	}
	return d, d.check(id, damaged)
}

// check looks at what dream.json says.
func (d *Dream) check(id string, damaged func(error) error) error {
	switch {
	case d.Format != format:
		return damaged(fmt.Errorf("it is of format %d, and this Dormouse knows %d", d.Format, format))
	case d.ID != id:
		return damaged(fmt.Errorf("it calls itself %q", d.ID))
	case d.Status != Waiting && d.Status != Applied && d.Status != Discarded:
		return damaged(fmt.Errorf("its status is %q", d.Status))
	}
	var names []string
	for _, c := range d.Changes {
		names = append(names, c.Rel)
	}
	for _, f := range d.Files {
		names = append(names, f.Rel)
	}
	for _, a := range d.Archive {
		names = append(names, a.Rel)
	}
	for _, n := range names {
		if err := checkName(n); err != nil {
			return damaged(err)
		}
	}
	return nil
}

// release ends the use of a folder, which has nothing to lose.
func release(root *os.Root) { _ = root.Close() }

// readIn reads a file below an open folder, and follows no link out of it.
func readIn(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe would make us wait
		return nil, fmt.Errorf("%s is a %s", name, safefile.Kind(info.Mode()))
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := safefile.ReadAll(f, info.Size(), maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// texts reads files of a dream, each compared with its hash.
func (s *Shelf) texts(d *Dream, names ...string) ([][]byte, error) {
	damaged := func(err error) error { return fmt.Errorf("the dream %s %w: %w", d.ID, ErrDamaged, err) }
	root, err := os.OpenRoot(filepath.Join(s.dir, d.ID))
	if err != nil {
		return nil, damaged(err)
	}
	defer release(root)
	out := make([][]byte, 0, len(names))
	for _, name := range names {
		if err := checkName(name); err != nil {
			return nil, damaged(err)
		}
		b, err := readIn(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, damaged(fmt.Errorf("%s is gone", name))
		}
		if err != nil {
			return nil, damaged(err)
		}
		if store.HashOf(b) != d.Sums[name] {
			return nil, damaged(fmt.Errorf("%s was changed since", name))
		}
		out = append(out, b)
	}
	return out, nil
}

// Check reads all files of a dream. A discarded one has no texts left to read.
// Errors wrap ErrDamaged.
func (s *Shelf) Check(d *Dream) error {
	names := make([]string, 0, len(d.Sums))
	for name := range d.Sums {
		if d.Status != Discarded || name == ledgerName || name == waitingName {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	_, err := s.texts(d, names...)
	return err
}

// Rows is the ledger of a dream. Errors wrap ErrDamaged, here and below.
func (s *Shelf) Rows(d *Dream) ([]dream.Row, error) {
	b, err := s.texts(d, ledgerName)
	if err != nil {
		return nil, err
	}
	var rows []dream.Row
	for line := range bytes.Lines(b[0]) {
		var r dream.Row
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("the dream %s %w: its ledger: %w", d.ID, ErrDamaged, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Candidates are what sessions said that was not sure enough for a note.
func (s *Shelf) Candidates(d *Dream) ([]extract.Candidate, error) {
	b, err := s.texts(d, waitingName)
	if err != nil {
		return nil, err
	}
	var list []extract.Candidate
	if err := json.Unmarshal(b[0], &list); err != nil {
		return nil, fmt.Errorf("the dream %s %w: its candidates: %w", d.ID, ErrDamaged, err)
	}
	return list, nil
}

// Replacements is what the dream would do, as a store takes it. A dream that was
// discarded has none left.
func (s *Shelf) Replacements(d *Dream) ([]store.Replacement, error) {
	out := make([]store.Replacement, 0, len(d.Changes))
	for _, c := range d.Changes {
		r := store.Replacement{Rel: c.Rel, Origin: c.Origin, From: c.From}
		var names []string
		if c.Before {
			names = append(names, beforeDir+c.Rel)
		}
		if c.After {
			names = append(names, outDir+c.Rel)
		}
		b, err := s.texts(d, names...)
		if err != nil {
			return nil, err
		}
		if c.Before {
			r.Before, b = b[0], b[1:]
		}
		if c.After {
			r.After = b[0]
		}
		out = append(out, r)
	}
	return out, nil
}

// Output is a file of the new store.
func (s *Shelf) Output(d *Dream, rel string) ([]byte, error) { return s.one(d, outDir+rel) }

// Archived is a file of the archive.
func (s *Shelf) Archived(d *Dream, rel string) ([]byte, error) { return s.one(d, archiveDir+rel) }

// ArchivePath is where a file of the archive lies.
func (s *Shelf) ArchivePath(d *Dream, rel string) string {
	return filepath.Join(s.dir, d.ID, archiveDir, filepath.FromSlash(rel))
}

// OutputHash is the hash of a file of the new store; "" for none.
func (d *Dream) OutputHash(rel string) string { return d.Sums[outDir+rel] }

// Before is what a file held that the dream changes or removes.
func (s *Shelf) Before(d *Dream, rel string) ([]byte, error) { return s.one(d, beforeDir+rel) }

func (s *Shelf) one(d *Dream, name string) ([]byte, error) {
	b, err := s.texts(d, name)
	if err != nil {
		return nil, err
	}
	return b[0], nil
}
