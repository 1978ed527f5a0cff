package evidence

import (
	"bufio"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// maxWalk is how many files are listed of a folder without git.
const maxWalk = 200_000

// entry is a file or folder of the tree; path is a slash path from the top.
type entry struct {
	path    string
	dir     bool
	link    bool // a symbolic link or a submodule: never opened
	module  bool // a submodule
	sparse  bool // not laid out on purpose
	tracked bool
	there   presence
}

// presence is what a look at the disk told of an entry.
type presence uint8

const (
	notLooked presence = iota
	isThere
	isGone
)

// tree is what the repository has now.
type tree struct {
	top     string
	prefix  string // of the folder that was asked for below top: "" or "a/b/"
	entries []entry
	byStem  map[uint64]chain // by stemHash
	next    []int32          // of each entry, the next one in its chain; 0: none
	lastDir string           // folder of the entry added last
	dirs    map[string]bool
	cut     bool // not all was listed
}

// chain is the first and last of the entries whose names begin alike.
type chain struct{ first, last int32 }

func newTree(top, prefix string) *tree {
	return &tree{top: top, prefix: prefix, byStem: map[uint64]chain{}, dirs: map[string]bool{}}
}

// stemHash is a hash of stem, without the memory that it takes.
func stemHash(p string) uint64 {
	base := strings.TrimRight(p, "/")
	base = base[strings.LastIndexByte(base, '/')+1:]
	h := uint64(14695981039346656037)
	for i := 0; i < len(base); i++ {
		c := base[i]
		switch {
		case c == '.' && i > 0 && !(i == 1 && base[0] == '.'):
			return h
		case c >= 0x80:
			return foldedHash(base)
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// foldedHash is stemHash for names beyond ASCII.
func foldedHash(base string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, stem(base)) //nolint:errcheck // a hash never fails
	return h.Sum64()
}

// stem is the key under which a path is filed.
func stem(p string) string {
	base := path.Base(p)
	hidden := strings.HasPrefix(base, ".")
	base = strings.TrimPrefix(base, ".")
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	if hidden {
		base = "." + base
	}
	return strings.ToLower(base)
}

func (t *tree) add(e entry) {
	t.put(e)
	d := folderOf(e.path)
	if d == t.lastDir {
		return // listings are sorted: most files lie where the one before does
	}
	t.lastDir = d
	for ; d != "" && !t.dirs[d]; d = folderOf(d) {
		t.dirs[d] = true
		t.put(entry{path: d, dir: true})
	}
}

// folderOf is the folder that a clean slash path lies in, "" for the top.
func folderOf(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }

func (t *tree) put(e entry) {
	i := int32(len(t.entries))
	t.entries = append(t.entries, e)
	t.next = append(t.next, 0)
	k := stemHash(e.path)
	c, ok := t.byStem[k]
	if ok {
		t.next[c.last] = i
		c.last = i
	} else {
		c = chain{i, i}
	}
	t.byStem[k] = c
}

// alike calls each with the entries whose names begin as that of the path, in
// order, until it returns false.
func (t *tree) alike(p string, each func(int32) bool) {
	c, ok := t.byStem[stemHash(p)]
	for i := c.first; ok && each(i) && i != c.last; i = t.next[i] {
	}
}

// listTracked reads git's index.
func (g *gitRepo) listTracked(ctx context.Context, t *tree) error {
	each := func(rec string) error {
		meta, name, ok := strings.Cut(rec, "\t")
		if !ok || len(meta) < 8 || name == "" {
			return nil
		}
		e := entry{path: name, tracked: true, sparse: meta[0] == 'S'}
		switch mode := meta[2:8]; mode {
		case "120000":
			e.link = true
		case "160000":
			e.link, e.module = true, true
		}
		t.add(e)
		return nil
	}
	return g.run(ctx, "", func(r *bufio.Reader) error { return eachShared(r, each) }, "ls-files", "-z", "-s", "-t")
}

// listOthers lists files that are neither tracked nor ignored.
func (g *gitRepo) listOthers(ctx context.Context, each func(string) error) error {
	return g.records(ctx, each, "ls-files", "-z", "-o", "--exclude-standard")
}

// walk lists a folder without git.
func (t *tree) walk(ctx context.Context, root string) error {
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return nil //nolint:nilerr // what can't be listed is left out
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || rel == "." {
			return nil //nolint:nilerr // the root itself
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			switch d.Name() {
			case ".git", "node_modules", "dist", "target", "build", "vendor", ".venv", "venv", "__pycache__":
				return fs.SkipDir
			}
			if !t.dirs[rel] {
				t.dirs[rel] = true
				t.put(entry{path: rel, dir: true})
			}
			return nil
		}
		if len(t.entries) >= maxWalk {
			t.cut = true
			return fs.SkipAll
		}
		t.add(entry{path: rel, link: !d.Type().IsRegular()})
		return nil
	})
	if errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

// matches reports whether the entry is what the reference means: the path itself,
// or one that ends with it, in any case of letters. loose lets the ending of the
// name be missing.
func matches(p, ref string, loose bool) bool {
	if len(p) == len(ref) {
		return strings.EqualFold(p, ref)
	}
	if len(p) < len(ref) {
		return false
	}
	if n := len(p) - len(ref); p[n-1] == '/' && strings.EqualFold(p[n:], ref) {
		return true
	}
	if loose && path.Ext(ref) == "" {
		base := path.Base(p)
		if i := strings.IndexByte(base[1:], '.'); i >= 0 {
			return matches(p[:len(p)-len(base)+1+i], ref, false)
		}
	}
	return false
}

// find returns the entries that a path can mean, at most 16.
func (t *tree) find(ref string, dirOnly bool) []int32 {
	var out []int32
	t.alike(ref, func(i int32) bool {
		e := &t.entries[i]
		if (!dirOnly || e.dir || e.module || e.link) && matches(e.path, ref, !dirOnly) {
			out = append(out, i)
		}
		return len(out) < 16
	})
	return out
}

// onDisk reports whether the tree's entry is there in the working tree.
func (t *tree) onDisk(e *entry) bool {
	if e.sparse || e.there == isThere {
		return true
	}
	if e.there == isGone {
		return false
	}
	_, err := os.Lstat(t.full(e.path))
	return err == nil
}

// full is the path of a tree's file on the disk.
func (t *tree) full(p string) string { return filepath.Join(t.top, filepath.FromSlash(p)) }

// block is how many entries a goroutine takes at once: entries near each other lie
// in the same folder.
const block = 64

// visit calls each for the entries in that order, on several goroutines, each with
// folders and a buffer of maxSource+1 bytes of its own, until it returns false.
func (t *tree) visit(ctx context.Context, order []int32, size int, each func(d *folders, buf []byte, i int32) bool) {
	var next atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range scanWorkers {
		wg.Go(func() {
			d := newFolders(t.top)
			defer d.close()
			buf := make([]byte, size)
			for ctx.Err() == nil {
				to := int(next.Add(block))
				if to-block >= len(order) {
					return
				}
				for _, i := range order[to-block : min(to, len(order))] {
					if stop.Load() {
						return
					}
					if !each(d, buf, i) {
						stop.Store(true)
					}
				}
			}
		})
	}
	wg.Wait()
}

// from lists the entries from the first on.
func (t *tree) from(first int) []int32 {
	out := make([]int32, 0, len(t.entries)-first)
	for i := first; i < len(t.entries); i++ {
		out = append(out, int32(i))
	}
	return out
}

// baseOf is the last part of a clean slash path.
func baseOf(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// lies reports whether a path that no listing has is on the disk all the same, as
// an ignored file is. Links on the way are not followed.
func (t *tree) lies(p string) bool {
	full := t.top
	for seg := range strings.SplitSeq(strings.Trim(p, "/"), "/") {
		if seg == "" || seg == "." || seg == ".." {
			return false
		}
		full = filepath.Join(full, seg)
		info, err := os.Lstat(full)
		if err != nil {
			return false
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return true // what is behind it can't be told, and needn't be
		}
	}
	return true
}

// underModule reports whether a path lies in a submodule that is not laid out here.
func (t *tree) underModule(p string) bool {
	for d := p; d != "." && d != "/" && d != ""; d = path.Dir(d) {
		for _, i := range t.find(d, true) {
			if t.entries[i].module {
				return true
			}
		}
	}
	return false
}
