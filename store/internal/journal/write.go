package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
)

// Writer adds to a journal. It is used under the lock, and ends with Close.
type Writer struct {
	j    *Journal
	last int    // ID of the last entry
	head string // hash of its line
	log  *os.File
	pack *os.File
	size int64 // of the log, in bytes

	lines, contents []byte // not written yet
}

// State is where a journal's end is, so that the next writer need not read all
// of it. It holds only while Size is the log's size in bytes.
type State struct {
	Last int
	Head string
	Size int64
}

// Writer opens the journal to add to it. What a crash left at its end goes: it
// never took effect.
func (j *Journal) Writer(s State) (w *Writer, err error) {
	w = &Writer{j: j}
	defer func() {
		if err != nil {
			w.Close() //nolint:errcheck // the first error counts
			err = fmt.Errorf("opening the journal: %w", err)
		}
	}()
	for _, name := range []string{packName, logName} {
		if info, err := os.Lstat(filepath.Join(j.dir, name)); err == nil && !info.Mode().IsRegular() {
			return w, fmt.Errorf("%w: %s is a %s", ErrBroken, filepath.Join(j.dir, name), safefile.Kind(info.Mode()))
		}
	}
	if w.pack, err = os.OpenFile(filepath.Join(j.dir, packName), os.O_CREATE|os.O_RDWR|os.O_APPEND, fileMode); err != nil {
		return w, err
	}
	if err := w.pad(); err != nil {
		return w, err
	}
	if w.log, err = os.OpenFile(filepath.Join(j.dir, logName), os.O_CREATE|os.O_RDWR|os.O_APPEND, fileMode); err != nil {
		return w, err
	}
	info, err := w.log.Stat()
	if err != nil {
		return w, err
	}
	if s.Size == info.Size() && s.Size > 0 {
		w.last, w.head, w.size = s.Last, s.Head, s.Size
		return w, nil
	}
	b, err := io.ReadAll(w.log)
	if err != nil {
		return w, err
	}
	l := parse(b)
	w.last, w.head, w.size = l.Last(), l.head, l.size
	if l.torn {
		return w, w.log.Truncate(l.size)
	}
	return w, nil
}

// pad begins a new line in the pack where a crash cut a record short.
func (w *Writer) pad() error {
	info, err := w.pack.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var last [1]byte
	if _, err := w.pack.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	w.contents = append(w.contents, '\n')
	return nil
}

// State is where the journal ends now.
func (w *Writer) State() State { return State{w.last, w.head, w.size} }

// Last is the ID of the last entry.
func (w *Writer) Last() int { return w.last }

// Keep remembers a content, to be written with the next Flush, and returns its
// hash.
func (w *Writer) Keep(b []byte) string {
	hash := Hash(b)
	w.contents = appendRecord(w.contents, hash, b)
	return hash
}

// Add gives the entry its ID and its place in the chain; it is written with the
// next Flush.
func (w *Writer) Add(e Entry) (int, error) {
	e.ID, e.Prev = w.last+1, w.head
	e.Time, e.Changes, e.Marks = e.Time.UTC(), quoted(e.Changes), quoted(e.Marks)
	line, err := json.Marshal(e)
	if err != nil {
		return 0, fmt.Errorf("writing the journal: %w", err)
	}
	w.last, w.head = e.ID, Hash(line)
	w.lines = append(append(w.lines, line...), '\n')
	return e.ID, nil
}

// Done tells that an entry has come to its end. It needs no Flush: lost, the
// next writer finds the files as the entry says and writes it again.
func (w *Writer) Done(id int) error {
	w.lines = fmt.Appendf(w.lines, "%s%d}\n", donePrefix, id)
	return w.write()
}

// write hands all that was added to the system.
func (w *Writer) write() error {
	if len(w.contents) > 0 {
		if _, err := w.pack.Write(w.contents); err != nil {
			return fmt.Errorf("writing the journal: %w", err)
		}
		w.contents = nil
	}
	if len(w.lines) > 0 {
		n, err := w.log.Write(w.lines)
		w.size += int64(n)
		if err != nil {
			return fmt.Errorf("writing the journal: %w", err)
		}
		w.lines = nil
	}
	return nil
}

// Flush writes all that was added to the disk. The other syncs run at the same
// time: a file system takes many at once for little more than one. On an error
// the journal is as it was before.
func (w *Writer) Flush(from State, others ...func() error) error {
	packed, err := w.pack.Stat()
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	if err := w.flush(others); err != nil {
		w.lines, w.contents = nil, nil
		w.last, w.head, w.size = from.Last, from.Head, from.Size
		return errors.Join(err, w.log.Truncate(from.Size), w.pack.Truncate(packed.Size()))
	}
	return nil
}

// Rewind takes back the last entry, for which there is no room to say that it did
// not come to pass.
func (w *Writer) Rewind(to State) error {
	w.last, w.head, w.size = to.Last, to.Head, to.Size
	return w.log.Truncate(to.Size)
}

func (w *Writer) flush(others []func() error) error {
	made := w.size == 0
	if err := w.write(); err != nil {
		return err
	}
	syncs := append(others, w.log.Sync, w.pack.Sync)
	if made {
		syncs = append(syncs, func() error { return atomicfile.SyncDir(w.j.dir) })
	}
	errs := make([]error, len(syncs))
	var wg sync.WaitGroup
	for i, sync := range syncs {
		wg.Go(func() { errs[i] = sync() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Close ends the writing.
func (w *Writer) Close() error {
	var errs []error
	for _, f := range []*os.File{w.log, w.pack} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// Purge takes every content and every line away in which gone finds something.
// A hash of the line, or of the content, stays in its place. It returns how many
// contents and lines went, and adds e to the log if any did. What was added
// before must be flushed. The journal is closed.
func (w *Writer) Purge(gone func([]byte) bool, e Entry) (contents, lines int, err error) {
	if err := w.Close(); err != nil {
		return 0, 0, fmt.Errorf("purging the journal: %w", err)
	}
	if contents, err = w.j.rewrite(gone); err != nil {
		return contents, 0, fmt.Errorf("purging the journal: %w", err)
	}
	for _, name := range []string{packName, logName} {
		os.Remove(filepath.Join(w.j.dir, name+newSuffix)) //nolint:errcheck // what a crash left; mostly nothing
	}
	if lines, err = w.j.stub(gone, e, contents > 0); err != nil {
		return contents, lines, fmt.Errorf("purging the journal: %w", err)
	}
	return contents, lines, nil
}

// stub replaces the lines of the log that gone finds something in, and adds the
// entry that says so.
func (j *Journal) stub(gone func([]byte) bool, e Entry, always bool) (int, error) {
	path := filepath.Join(j.dir, logName)
	whole, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	l := parse(whole)
	lines, stubs, err := stubbed(whole[:l.size], gone)
	if err != nil || len(stubs) == 0 && !always {
		return 0, err
	}
	e.ID, e.Prev, e.Stubs, e.Time = l.Last()+1, l.head, stubs, e.Time.UTC()
	line, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	lines = append(append(lines, line...), '\n')
	lines = fmt.Appendf(lines, "%s%d}\n", donePrefix, e.ID)
	return len(stubs), replace(path, func(w *bufio.Writer) error { _, err := w.Write(lines); return err })
}

func stubbed(log []byte, gone func([]byte) bool) (out []byte, stubs []int, err error) {
	for line := range bytes.Lines(log) {
		var e Entry
		if !gone(line) || json.Unmarshal(line, &e) != nil {
			if gone(line) {
				continue // no entry: nothing is lost with it
			}
			out = append(out, line...)
			continue
		}
		if e.Stub == "" {
			e.Stub = Hash(bytes.TrimSuffix(line, []byte("\n")))
		}
		// What does not hold it stays, so that the entry still tells of the other
		// files.
		named := func(c Change) bool { return gone([]byte(c.Path)) }
		e.Changes, e.Marks = slices.DeleteFunc(e.Changes, named), slices.DeleteFunc(e.Marks, named)
		e.From = slices.DeleteFunc(e.From, func(f Source) bool { return gone([]byte(f.Note + f.Place + f.Quote + f.Session)) })
		if gone([]byte(e.Session)) {
			e.Session = ""
		}
		b, err := json.Marshal(e)
		if err != nil {
			return nil, nil, err
		}
		out = append(append(out, b...), '\n')
		stubs = append(stubs, e.ID)
	}
	return out, stubs, nil
}
