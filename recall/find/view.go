package find

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dormouse/recall"
	"dormouse/store"
	"dormouse/trust"
)

// When an index is kept. Below both, all notes are read at each question, and no
// file is written: a hundred notes cost 8 ms of CPU more than their index would,
// half of it for judging what is about to be shown (measured, notes of 650 bytes);
// that grows by 0.05 ms a note.
const (
	manyNotes = 100
	manyBytes = 250 << 10
)

// When the index is written anew: past a tenth of changed notes the old texts are
// dead weight in every answer.
const (
	maxSegments = 8
	fewChanged  = 64
	tenth       = 10
)

// view is one store while a question is answered: a table that says what is
// there, and the segments that its documents are in. All of it holds for the
// files as they were found, whether it came out of the cache or not.
type view struct {
	f       *Finder
	st      *store.Store
	guard   *trust.Guard
	key     string
	cache   *cache // nil: nothing is read from there or written
	now     time.Time
	quick   bool // pass over most of many files, see quickFiles
	tab     *table
	segs    []*recall.Index
	alive   []bits // by segment: the documents that stand for a file as it is
	held    []bits // by segment: those of them that may not load
	anyHeld bool
	// lazy tells that the notes are judged when they are about to be shown: where no
	// verdict is kept.
	lazy bool

	l        *trust.Ledger
	broken   error // of the journal: nothing can be judged
	problems []error
	unread   int // notes that can't be read
}

// id is what a note is called in an index that may be one of several.
func (v *view) id(rel string) string { return v.key + "/" + rel }

// keyOf names a folder in the cache.
func keyOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

func (v *view) fail(err error) { v.problems = append(v.problems, err) }

// load brings the view up to the files as they are now.
func (v *view) load() error {
	if err := v.refresh(); err != nil {
		return err
	}
	v.mark()
	return nil
}

func (v *view) refresh() error {
	by, journal := v.by(), sha256.Sum256([]byte(v.st.JournalStamp()))
	v.readCache(by)
	d, err := difference(v.st.Dir(), v.tab, v.now, v.quick)
	if err != nil {
		return err
	}
	if v.tab != nil && d.clean() && v.tab.journal == journal {
		return nil
	}
	if v.quick && v.tab != nil {
		if d, err = difference(v.st.Dir(), v.tab, v.now, false); err != nil {
			return err
		}
	}
	if v.tab == nil {
		if n, size := d.size(); n < v.f.manyNotes && size < v.f.manyBytes {
			return v.small(d, by, journal)
		}
	}
	// What is written from here on was read under the lock: when somebody purges a
	// secret, no index with it can come into place afterwards.
	unlock, locked := v.cache.lock()
	defer unlock()
	if v.tab == nil && !locked {
		return v.small(d, by, journal)
	}
	if locked && v.cache.moved() {
		v.readCache(by)
		if d, err = difference(v.st.Dir(), v.tab, v.now, false); err != nil {
			return err
		}
		if v.tab != nil && d.clean() && v.tab.journal == journal {
			return nil
		}
	}
	return v.update(d, by, journal, locked)
}

// by names what decides how a note is read and judged: this very program, and
// what the person has set.
func (v *view) by() [32]byte {
	p := v.guard.Policy
	return sha256.Sum256(fmt.Appendf(programStamp(), "%s %s %v %v %s", p.Outside, p.Held, p.NoScan, v.guard.Imported, v.st.Dir()))
}

// programStamp names this very program: the next version may read and judge
// otherwise.
func programStamp() []byte {
	exe, err := os.Executable()
	if err != nil {
		return nil
	}
	info, err := os.Stat(exe)
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "%d %d ", info.Size(), info.ModTime().UnixNano())
}

// readCache takes table and segments from the cache. What is damaged, or was made
// by another program, is as if it were not there.
func (v *view) readCache(by [32]byte) {
	const tries = 3 // another process may replace it between two files
	v.tab, v.segs = nil, nil
	for range tries {
		t, segs, err := v.cache.read()
		if err == nil && t != nil && t.by == by {
			v.tab, v.segs = t, segs
		}
		if !errors.Is(err, errMoved) {
			return
		}
	}
}

// small reads all of a store that is small, or of which nothing can be kept, and
// judges nothing yet.
func (v *view) small(d *diff, by, journal [32]byte) error {
	v.lazy = true
	d.sorted()
	b := recall.NewBuilder()
	var rows []row
	for _, f := range d.changed {
		t := v.read(f)
		if t.note != nil {
			b.Add(v.doc(f.rel, t.note, time.Unix(0, f.look.mod)))
		}
		rows = append(rows, t.row)
	}
	return v.take(b, rows, d.dirs, nil, nil, by, journal)
}

// take makes the view of rows, of which those without a segment that the builder
// has are in it.
func (v *view) take(b *recall.Builder, rows []row, dirs []dirRow, refs []segRef, segs []*recall.Index, by, journal [32]byte) error {
	if b.Len() > 0 {
		idx := b.Index()
		for i := range rows {
			if rows[i].seg != none {
				continue
			}
			if doc, ok := idx.Find(v.id(rows[i].rel)); ok {
				rows[i].seg, rows[i].doc = uint32(len(segs)), uint32(doc)
			}
		}
		refs, segs = append(refs, segRef{docs: uint32(idx.Len())}), append(segs, idx)
	}
	t, err := readTable(writeTable(by, journal, refs, dirs, rows))
	if err != nil {
		return fmt.Errorf("indexing %s: %w", v.st.Dir(), err)
	}
	v.tab, v.segs = t, segs
	return nil
}

// mark tells by segment which documents count.
func (v *view) mark() {
	v.alive, v.held = make([]bits, len(v.segs)), make([]bits, len(v.segs))
	for i, s := range v.segs {
		v.alive[i], v.held[i] = newBits(s.Len()), newBits(s.Len())
	}
	for i := range v.tab.len() {
		seg, doc := v.tab.place(i)
		if v.tab.flags(i)&flagUnread != 0 {
			v.unread++
		}
		if seg == none {
			continue
		}
		v.alive[seg].set(doc)
		if v.tab.flags(i)&flagLoads == 0 && !v.lazy {
			v.held[seg].set(doc)
			v.anyHeld = true
		}
	}
}

// parts are the segments with those of their documents that count: with held
// notes, without them, or those alone.
func (v *view) parts(which notesOf) []recall.Part {
	out := make([]recall.Part, len(v.segs))
	for i, s := range v.segs {
		alive, held := v.alive[i], v.held[i]
		gone := func(doc int) bool { return !alive.has(doc) }
		switch which {
		case loadable:
			gone = func(doc int) bool { return !alive.has(doc) || held.has(doc) }
		case heldOnly:
			gone = func(doc int) bool { return !held.has(doc) }
		case allNotes:
		}
		out[i] = recall.Part{Index: s, Gone: gone}
	}
	return out
}

// notesOf says which notes of a store take part.
type notesOf int

const (
	loadable notesOf = iota
	heldOnly
	allNotes
)

// bits are the documents of one segment.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i uint32) {
	if int(i/64) < len(b) {
		b[i/64] |= 1 << (i % 64)
	}
}

func (b bits) has(i int) bool { return i >= 0 && i/64 < len(b) && b[i/64]&(1<<(uint(i)%64)) != 0 }

// path is where a note is.
func (v *view) path(rel string) string { return filepath.Join(v.st.Dir(), filepath.FromSlash(rel)) }
