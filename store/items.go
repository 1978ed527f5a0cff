package store

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"dormouse/note"
)

// List reads every note, sorted by path. What can't be read is in the item's
// Err.
func (s *Store) List() ([]Item, error) {
	if s.folder == nil {
		return nil, nil
	}
	files, err := Notes(s.dir, false)
	if err != nil {
		return nil, fmt.Errorf("listing the notes: %w", err)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	items := s.readAll(files)
	return items, s.locate(items)
}

// block is how many notes a worker takes at once.
const block = 64

// readAll reads the notes, on as many processors as the program may use.
func (s *Store) readAll(files []File) []Item {
	items := make([]Item, len(files))
	var next atomic.Int64
	work := func() {
		for {
			from := int(next.Add(block)) - block
			if from >= len(files) {
				return
			}
			for i := from; i < min(from+block, len(files)); i++ {
				items[i] = s.item(files[i])
			}
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(files)-1)/block+1) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return items
}

func (s *Store) item(f File) Item {
	it := Item{Rel: f.Rel}
	b, info, err := s.folder.Read(f.Rel, note.MaxBytes)
	if info != nil {
		it.Size, it.Mod = info.Size(), info.ModTime()
	}
	if err != nil {
		it.Err = err
		if info == nil {
			if st, err := statAt(s.dir, f.Rel); err == nil {
				it.Size, it.Mod = st.Size, st.Mod
			}
		}
		return it
	}
	it.Note = note.Parse(b)
	return it
}

// locate finds the index line of each note, or the page that names it.
func (s *Store) locate(items []Item) error {
	at := make(map[string]int, len(items)) // to the item
	for i := range items {
		at[items[i].Rel] = i
	}
	index, err := s.Read(IndexName)
	if err != nil && !errors.Is(err, ErrNoNote) {
		return err
	}
	x := note.ReadIndex(index)
	for rel, line := range x.Lines() {
		if i, ok := at[rel]; ok && items[i].IndexLine == 0 {
			items[i].IndexLine = line
		}
	}
	for i := range items {
		if items[i].Note == nil || items[i].IndexLine == 0 || !isPage(items[i].Rel, items[i].Note.Bytes()) {
			continue
		}
		for rel := range note.ReadIndex(items[i].Note.Bytes()).Lines() {
			if k, ok := at[rel]; ok && items[k].IndexLine == 0 {
				items[k].Page = items[i].Rel
			}
		}
	}
	return nil
}

// Find turns what a person calls a note into its path: the path itself, with or
// without .md, or the name in its front matter. Errors wrap ErrNoNote, with
// names that are near.
func (s *Store) Find(name string) (string, error) {
	if s.folder == nil {
		return "", fmt.Errorf("%s: %w: the memory folder %s does not exist", name, ErrNoNote, s.dir)
	}
	asked := strings.TrimPrefix(strings.ReplaceAll(name, "\\", "/"), "./")
	for _, rel := range []string{name, asked, asked + noteSuffix} {
		if info, err := s.folder.Lstat(rel); err == nil && !info.IsDir() && s.isOurs(rel) == nil {
			return rel, nil
		}
	}
	items, err := s.List()
	if err != nil {
		return "", err
	}
	var found, near []string
	for _, it := range items {
		switch {
		case it.Note != nil && it.Note.Name() == name, sameName(it.Rel, asked), sameName(it.Rel, asked+noteSuffix), path.Base(it.Rel) == asked+noteSuffix, path.Base(it.Rel) == asked:
			found = append(found, it.Rel)
		case isNear(strings.TrimSuffix(it.Rel, noteSuffix), strings.TrimSuffix(asked, noteSuffix)):
			near = append(near, it.Rel)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("%s could be %s: %w of just that name", name, strings.Join(found, " or "), ErrNoNote)
	case len(near) > 0:
		return "", fmt.Errorf("%s: %w; did you mean %s?", name, ErrNoNote, strings.Join(near[:min(3, len(near))], ", "))
	}
	return "", fmt.Errorf("%s: %w; dormouse list names those that are there", name, ErrNoNote)
}

// isOurs refuses a file that is neither a note nor the index, such as notes.txt
// or what lies in a folder with a dot.
func (s *Store) isOurs(rel string) error {
	for part := range strings.SplitSeq(rel, "/") {
		if strings.HasPrefix(part, ".") {
			return fmt.Errorf("%s is no note, as its name begins with a dot: %w", rel, ErrNoNote)
		}
	}
	if rel != IndexName && (!strings.HasSuffix(rel, noteSuffix) || path.Base(rel) == IndexName) {
		return fmt.Errorf("%s is no note: %w", rel, ErrNoNote)
	}
	return nil
}

// isNear reports whether a name could be a slip for another.
func isNear(have, asked string) bool {
	have, asked = strings.ToLower(have), strings.ToLower(asked)
	const shortest = 3
	if len(asked) >= shortest && strings.Contains(have, asked) {
		return true
	}
	return distance(have, asked) <= max(1, min(len(asked)/4, 3))
}

// distance is the number of letters to add, drop or change, at most 4.
func distance(a, b string) int {
	const most = 4
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= most || len(y)-len(x) >= most || len(x) > maxName || len(y) > maxName {
		return most
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return min(row[len(y)], most)
}
