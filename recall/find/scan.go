package find

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"dormouse/store"
)

// settleTime is how long ago a file must have changed for its times to tell.
const settleTime = 2 * time.Second

// maxDepth bounds folders within folders, maxFiles all that is looked at: a
// folder with more is no memory folder. They are those of package store.
const (
	maxDepth = 64
	maxFiles = 200_000
)

// seen is a file as a look found it.
type seen struct {
	rel  string
	look look
	row  int // of the table, -1: it has none
}

// diff is how a store differs from its table.
type diff struct {
	dirs    []dirRow // all there are now
	changed []seen   // files that are new, or look otherwise than the table says
	same    []bool   // by row: it looks as the table says
	moved   bool     // a file came or went, or a folder looks otherwise
	problem error    // of a folder that can't be read
}

// clean reports whether everything is as the table says.
func (d *diff) clean() bool { return !d.moved && len(d.changed) == 0 }

// A quick look at a store of more than quickFiles notes passes over most of those
// that are said to be as they were: looking at ten thousand files takes longer
// than all the rest of an answer. It looks at the folders, at the newest notes, at
// those that are not sure, and at one in turns of the others. So a file that came, went
// or was replaced is seen at once, and one that was written in place after as many
// looks on average; a hit is read in any case.
const (
	quickFiles = 2048
	turns      = 16
)

// scanner looks at the files of one store.
type scanner struct {
	root  string
	t     *table // nil: nothing is known
	now   time.Time
	quick bool
	out   diff
	known map[string]int // folders of the table, by path
	files int
}

// difference looks at every file of a store and compares it with the table, which may
// be nil. While a folder looks as it did, nothing came or went in it, and it need
// not be listed.
func difference(root string, t *table, now time.Time, quick bool) (*diff, error) {
	s := &scanner{root: root, t: t, now: now, quick: quick && t != nil && t.len() > quickFiles}
	if t != nil {
		s.out.same = make([]bool, t.len())
		s.known = make(map[string]int, len(t.dirs))
		for i, d := range t.dirs {
			s.known[d.rel] = i
		}
	}
	if err := s.folder("", 0); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			s.out.moved = t != nil // all of it went
			return &s.out, nil
		}
		return nil, fmt.Errorf("listing the notes: %w", err)
	}
	if t != nil && len(s.out.dirs) != len(t.dirs) {
		s.out.moved = true
	}
	return &s.out, nil
}

func (s *scanner) folder(rel string, depth int) error {
	d, err := openFolder(s.root, rel)
	if err != nil {
		return err
	}
	defer d.close()
	own, err := d.own()
	if err != nil {
		return err
	}
	own.size = 0
	at, ok := s.known[rel]
	if ok && s.t.dirs[at].look == own {
		s.rows(d, s.t.dirs[at])
		s.out.dirs = append(s.out.dirs, dirRow{rel: rel, look: own})
		return s.below(rel, depth)
	}
	s.out.moved = true
	kept := own
	if !own.settled(s.now) {
		kept.mod = -1 // what comes now may not show
	}
	s.out.dirs = append(s.out.dirs, dirRow{rel: rel, look: kept})
	entries, err := d.list()
	if err != nil {
		return err
	}
	if s.files += len(entries); s.files > maxFiles {
		return fmt.Errorf("%s holds more than %d files; is it a memory folder?", s.root, maxFiles)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name[0] == '.':
		case e.IsDir() && depth < maxDepth:
			s.deeper(rel+name+"/", depth+1)
		case isNoteName(name) && e.Type().IsRegular():
			s.file(d, rel, name)
		}
	}
	return nil
}

func isNoteName(name string) bool { return strings.HasSuffix(name, ".md") && name != store.IndexName }

// below looks at the folders of the table that lie right below one that was not
// listed.
func (s *scanner) below(rel string, depth int) error {
	for _, d := range s.t.dirs {
		if rest, ok := strings.CutPrefix(d.rel, rel); ok && strings.Count(rest, "/") == 1 && depth < maxDepth {
			s.deeper(d.rel, depth+1)
		}
	}
	return nil
}

// deeper looks at a folder within the store. One that can't be read does not keep
// the others from being found.
func (s *scanner) deeper(rel string, depth int) {
	if err := s.folder(rel, depth); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.out.problem = err
		s.out.moved = true
	}
}

// rows looks at the files of a folder that the table knows; none came or went.
func (s *scanner) rows(d *openDir, dir dirRow) {
	slice := int(s.now.UnixMicro() % turns)
	for i := dir.from; i < dir.to; i++ {
		if s.quick && i%turns != slice && s.t.old(i) {
			s.out.same[i] = true
			continue
		}
		l, ok := d.lookAt(s.t.name(i))
		switch {
		case !ok:
			s.out.moved = true
		case l == s.t.lookOf(i):
			s.out.same[i] = true
		default:
			s.out.changed = append(s.out.changed, seen{string(s.t.path(i)), l, i})
		}
	}
}

// file looks at one entry of a folder that was listed.
func (s *scanner) file(d *openDir, dir, name string) {
	l, ok := d.lookAt(append([]byte(name), 0))
	if !ok {
		return
	}
	rel, at := dir+name, -1
	if s.t != nil {
		if i, ok := s.t.find(rel); ok {
			at = i
		}
	}
	if at >= 0 && l == s.t.lookOf(at) {
		s.out.same[at] = true
		return
	}
	s.out.changed = append(s.out.changed, seen{rel, l, at})
}

// size is how many files were found to be new or changed, and their bytes.
func (d *diff) size() (files int, bytes int64) {
	for _, f := range d.changed {
		bytes += f.look.size
	}
	return len(d.changed), bytes
}

// sorted brings the files into an order that does not depend on the file system.
func (d *diff) sorted() {
	slices.SortFunc(d.changed, func(a, b seen) int { return strings.Compare(a.rel, b.rel) })
}
