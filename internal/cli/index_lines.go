package cli

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"dormouse/note"
	"dormouse/store"
)

// compareLines sorts out what the lines of the index lead to.
func (r *indexReport) compareLines(index []byte, items []store.Item) {
	there := make(map[string]bool, len(items))
	for i := range items {
		there[items[i].Rel] = true
	}
	for i := range r.Ignored {
		there[r.Ignored[i].File] = true
	}
	root, err := os.OpenRoot(r.Store)
	if err == nil {
		defer release(root)
	}
	lines := map[string][]int{} // of each note, those that stand for it
	var order []string
	for _, l := range note.ReadIndex(index).Listed() {
		if file := l.Files[0]; l.Stands {
			if lines[file] == nil {
				order = append(order, file)
			}
			lines[file] = append(lines[file], l.Line)
		}
		for k, file := range l.Files {
			flaw := indexFlaw{File: file, Line: l.Line, Text: l.Text}
			switch {
			case there[file]:
			case escapes(file):
				r.Escaping = append(r.Escaping, flaw)
			case err == nil && lies(root, file):
			case k == 0 && strings.HasSuffix(l.Text, strings.TrimSpace(store.DeadMark)):
				r.Marked = append(r.Marked, flaw)
			default:
				r.Dead = append(r.Dead, flaw)
			}
		}
	}
	for _, file := range order {
		if l := lines[file]; len(l) > 1 {
			r.Duplicates = append(r.Duplicates, indexFlaw{File: file, Line: l[0], More: l})
		}
	}
}

// lies looks for a file without leaving the store, links on the way included.
func lies(root *os.Root, file string) bool {
	_, err := root.Lstat(file)
	return err == nil
}

// escapes tells whether a link's path leads out of the store.
func escapes(file string) bool {
	return file == ".." || strings.HasPrefix(file, "../") || strings.HasPrefix(file, "/")
}

// maxIgnored bounds what is listed of the files that are no notes.
const maxIgnored = 1000

// otherFiles lists the files of the store that are no notes, so that nobody
// looks for them in vain. Links are not followed, names with a dot in front are
// left out: they are somebody's own business.
func (r *indexReport) otherFiles(dir string, items []store.Item) {
	notes := make(map[string]bool, len(items))
	for i := range items {
		notes[items[i].Rel] = true
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return // the notes told that already
	}
	defer release(root)
	_ = fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil, file == ".":
			return nil
		case path.Base(file)[0] == '.':
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir(), notes[file], file == store.IndexName:
			return nil
		case len(r.Ignored) == maxIgnored:
			return fs.SkipAll
		}
		r.Ignored = append(r.Ignored, indexFlaw{File: file, Why: whyNoNote(file, d)})
		return nil
	})
}

func whyNoNote(file string, d fs.DirEntry) string {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		return "a link: only files that lie here are notes"
	case !d.Type().IsRegular():
		return "not a file"
	case path.Base(file) == store.IndexName:
		return "only the index at the top is read"
	case strings.EqualFold(path.Ext(file), ".md"):
		return "only .md in lower case is read"
	}
	return "its name does not end in .md"
}
