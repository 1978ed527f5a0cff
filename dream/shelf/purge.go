package shelf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Answers is where the answers of models about dreams are kept, below a state
// folder.
func Answers(state string) string { return filepath.Join(state, "dreams", "answers") }

// PurgeAll is Purge on the shelves of all stores, and on the answers of models.
func PurgeAll(state string, texts ...[]byte) (removed []string, err error) {
	shelves, err := All(state)
	for _, s := range shelves {
		unlock, lerr := s.Lock()
		if lerr != nil {
			err = errors.Join(err, fmt.Errorf("the dreams in %s may still hold it: %w", s.dir, lerr))
			continue
		}
		ids, perr := s.Purge(texts...)
		unlock()
		removed, err = append(removed, ids...), errors.Join(err, perr)
	}
	root, oerr := os.OpenRoot(Answers(state))
	if errors.Is(oerr, fs.ErrNotExist) {
		return removed, err
	}
	if oerr != nil {
		return removed, errors.Join(err, oerr)
	}
	defer release(root)
	names, werr := holding(root, formsOf(texts))
	for _, name := range names {
		if rerr := root.Remove(filepath.FromSlash(name)); rerr != nil {
			werr = errors.Join(werr, rerr)
			continue
		}
		removed = append(removed, name)
	}
	return removed, errors.Join(err, werr)
}

// formsOf are the texts as they are, and as they stand in JSON.
func formsOf(texts [][]byte) [][]byte {
	var forms [][]byte
	for _, t := range texts {
		forms = append(forms, t)
		for _, html := range []bool{true, false} {
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(html)
			if enc.Encode(string(t)) == nil { // of a string there is no error
				forms = append(forms, b.Bytes()[1:b.Len()-len("\"\n")])
			}
		}
	}
	return forms
}

// Purge removes every dream that holds one of the texts in any of its files, as
// they are or as in JSON, and returns their ids. The caller has the lock. What an
// applied one did stays in the journal of the store.
func (s *Shelf) Purge(texts ...[]byte) (removed []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	forms := formsOf(texts)
	for _, e := range entries {
		if !isID(e.Name()) && !strings.HasPrefix(e.Name(), halfway) {
			continue
		}
		dir := filepath.Join(s.dir, e.Name())
		holds, herr := anyHolds(dir, forms)
		if err = errors.Join(err, herr); !holds {
			continue
		}
		if rerr := os.RemoveAll(dir); rerr != nil {
			err = errors.Join(err, rerr)
			continue
		}
		removed = append(removed, e.Name())
	}
	return removed, err
}

func anyHolds(dir string, forms [][]byte) (bool, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, err
	}
	defer release(root)
	names, err := holding(root, forms)
	return len(names) > 0, err
}

// holding are the files below a folder that hold one of the texts, or have it in
// their names.
func holding(root *os.Root, forms [][]byte) (names []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := readIn(root, name)
		for _, f := range forms {
			if len(f) > 0 && (bytes.Contains(b, f) || bytes.Contains([]byte(name), f)) {
				names = append(names, name)
				break
			}
		}
		return err
	})
	return names, err
}
