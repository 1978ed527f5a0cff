package find

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"dormouse/recall"
)

// Names in the cache, below the state folder. Each store, and each project's
// session logs, have a folder of their own.
const (
	cacheName = "recall"
	tableName = "table"
	segEnding = ".seg"
	lockName  = "lock"
	tempStart = ".new-"
	dirMode   = 0o700
	fileMode  = 0o600
	maxCached = 2 << 30 // bytes of the largest file that is read
)

var (
	errForeign = errors.New("this is no file of ours")
	errMoved   = errors.New("it was replaced meanwhile")
)

// cache is a folder of files that are derived from others. A file is replaced as
// a whole, or not at all.
type cache struct {
	dir    string
	info   fs.FileInfo // of the table that was read; nil: there was none
	mapped [][]byte
	err    error // of the first write that failed
	step   func(string)
}

// cacheOf is the cache for a thing of that key. Nothing is made. Without a state
// folder there is none.
func (f *Finder) cacheOf(state, key string) *cache {
	if state == "" {
		return nil
	}
	c := &cache{dir: filepath.Join(state, cacheName, key), step: f.step}
	if c.step == nil {
		c.step = func(string) {}
	}
	return c
}

// file maps one file until the cache is closed.
func (c *cache) file(name string) ([]byte, fs.FileInfo, error) {
	b, info, err := mapFile(filepath.Join(c.dir, name))
	if err == nil {
		c.mapped = append(c.mapped, b)
	}
	return b, info, err
}

func (c *cache) close() {
	if c == nil {
		return
	}
	for _, b := range c.mapped {
		unmapFile(b)
	}
	c.mapped = nil
}

// read is the table and its segments; no table where there is none, or where it
// is damaged. errMoved tells that another process replaced it meanwhile.
func (c *cache) read() (*table, []*recall.Index, error) {
	if c == nil {
		return nil, nil, nil
	}
	c.info = nil
	b, info, err := c.file(tableName)
	if err != nil {
		return nil, nil, err
	}
	c.info = info
	t, err := readTable(b)
	if err != nil {
		return nil, nil, err
	}
	var segs []*recall.Index
	for _, ref := range t.segs {
		b, _, err := c.file(segName(ref.id))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, errMoved
		}
		if err != nil {
			return nil, nil, err
		}
		idx, err := recall.Load(b)
		if err != nil {
			return nil, nil, err
		}
		if idx.Len() != int(ref.docs) {
			return nil, nil, errForeign
		}
		segs = append(segs, idx)
	}
	return t, segs, nil
}

func segName(id uint64) string { return fmt.Sprintf("%016x%s", id, segEnding) }

// moved reports whether the table is another one than that which was read.
func (c *cache) moved() bool {
	info, err := os.Lstat(filepath.Join(c.dir, tableName))
	if err != nil || c.info == nil {
		return err == nil || c.info != nil
	}
	return !os.SameFile(info, c.info)
}

// lock makes the folder and takes its lock, if nobody has it: who can't get it
// answers from what it read itself, and writes nothing.
func (c *cache) lock() (unlock func(), ok bool) {
	if c == nil {
		return func() {}, false
	}
	if err := os.MkdirAll(c.dir, dirMode); err != nil {
		c.failed(err)
		return func() {}, false
	}
	l := flock.New(filepath.Join(c.dir, lockName), flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	if err != nil {
		c.failed(err)
	}
	if !ok || err != nil {
		_ = l.Close() // nothing was locked
		return func() {}, false
	}
	return func() { _ = l.Close() }, true // closing gives it back
}

func (c *cache) failed(err error) {
	if c.err == nil {
		c.err = err
	}
}

// write puts a table and its segments into place: the new segments first, then
// the table that names them, and then those go that it no longer names. The
// caller has the lock. What can't be written is not there; the answer at hand
// does not need it.
func (c *cache) write(t *table, segs []*recall.Index) {
	c.sweep(nil)
	for i, ref := range t.segs {
		if ref.id != 0 {
			continue // it is there
		}
		id := newID()
		if err := c.put(segName(id), segs[i].Bytes()); err != nil {
			c.failed(err)
			return
		}
		t.segs[i].id = id
	}
	if err := c.put(tableName, t.bytes()); err != nil {
		c.failed(err)
		c.sweep(func(name string) bool { return strings.HasSuffix(name, segEnding) && !c.names(name) })
		return
	}
	c.sweep(func(name string) bool { return strings.HasSuffix(name, segEnding) && !t.names(name) })
}

// names reports whether the table on the disk names a segment.
func (c *cache) names(seg string) bool {
	b, _, err := c.file(tableName)
	if err != nil {
		return false
	}
	t, err := readTable(b)
	return err == nil && t.names(seg)
}

func (t *table) names(seg string) bool {
	for _, ref := range t.segs {
		if segName(ref.id) == seg {
			return true
		}
	}
	return false
}

// newID is a name that no segment has; 0 is that of one that is not written.
func newID() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails, by its documentation
	return binary.LittleEndian.Uint64(b[:]) | 1
}

// put replaces one file.
func (c *cache) put(name string, b []byte) error {
	f, err := os.CreateTemp(c.dir, tempStart+"*") // mode 0600
	if err != nil {
		return err
	}
	c.step("write " + name)
	_, err = f.Write(b)
	c.step("rename " + name)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the next write sweeps it
	}
	return err
}

// sweep removes what a write that was killed left, and what else is gone.
func (c *cache) sweep(gone func(name string) bool) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempStart) || gone != nil && gone(e.Name()) {
			_ = os.Remove(filepath.Join(c.dir, e.Name())) // at the next write again
		}
	}
}
