package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// IndexName is the file that lists the notes and is no note itself.
const IndexName = "MEMORY.md"

const noteSuffix = ".md" // exact case

// maxDepth bounds folders within folders, maxEntries all that is looked at: a
// folder with more is no memory folder.
const (
	maxDepth   = 64
	maxEntries = 200_000
)

// File is one note in a memory folder.
type File struct {
	Rel string // path relative to the folder, slashes

	// Of the file when it was looked at; zero when not asked for.
	Mod  time.Time
	Size int64 // bytes

	stamp stamp
}

// Notes lists the notes in a folder and the folders below it, in the file
// system's order; with times set it also looks at each one's file time. Names
// that begin with a dot are no notes, nor is what lies in such a folder. Links
// are not followed below the folder itself. An error tells of a folder that
// could not be read; what could be is returned.
func Notes(dir string, times bool) ([]File, error) {
	l := lister{times: times}
	l.list(dir, "", 0)
	return l.files, l.err
}

type lister struct {
	times bool
	files []File
	temps []string // what a write that was killed left
	seen  int
	err   error // the first one
}

// list adds what one folder holds. Files are looked at relative to the open
// folder: with thousands of notes, walking down the whole path for each would
// cost more than the look itself.
func (l *lister) list(dir, rel string, depth int) {
	f, err := os.Open(dir)
	if err != nil {
		l.failed(err)
		return
	}
	defer f.Close() // only read
	entries, err := f.ReadDir(-1)
	if err != nil {
		l.failed(err)
	}
	if l.seen += len(entries); l.seen > maxEntries {
		l.failed(fmt.Errorf("%s holds more than %d files; is it a memory folder?", dir, maxEntries))
		return
	}
	if l.files == nil {
		l.files = make([]File, 0, len(entries))
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix):
			l.temps = append(l.temps, rel+name)
		case name[0] == '.':
		case e.IsDir():
			if depth < maxDepth {
				l.list(filepath.Join(dir, name), rel+name+"/", depth+1)
			}
		case e.Type().IsRegular() && strings.HasSuffix(name, noteSuffix) && name != IndexName:
			l.add(f, name, rel+name)
		}
	}
}

func (l *lister) failed(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *lister) add(dir *os.File, name, rel string) {
	note := File{Rel: rel}
	if l.times {
		if note.statIn(dir, name) != nil {
			return // gone meanwhile
		}
	}
	l.files = append(l.files, note)
}
