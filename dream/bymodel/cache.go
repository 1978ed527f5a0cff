package bymodel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"dormouse/dream"
	"dormouse/internal/safefile"
)

// cacheForm changes when answers are read in another way than before; what the
// model is told counts by itself.
const cacheForm = "2"

// cache keeps answers, a file each, named by the hash of all that the answer hangs
// on. An entry holds that hash and the operations: neither statements nor what the
// model said besides. It is beside, never needed: what can't be read is asked again.
type cache struct{ dir string } // "": none

// entry is a file of the cache.
type entry struct {
	Key     string     `json:"key"`
	Sum     string     `json:"sum"` // of all the rest
	Ops     []dream.Op `json:"ops"`
	Refused []string   `json:"refused"` // of the answer: why what else it proposed has no sound form
}

func (e *entry) sum() string { return hash(e.Key, some(e.Ops), some(e.Refused)) }

// keyOf names a question: model, form, and the statements without their secrets.
func keyOf(model, cluster string, lines []string) string {
	return hash(cacheForm, instructions, answerSchema, model, cluster, lines)
}

// hash is the SHA-256 of values as a JSON list, which no two lists share.
func hash(values ...any) string {
	b, err := json.Marshal(values)
	if err != nil {
		// Texts and operations can always be written.
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (c cache) path(key string) string { return filepath.Join(c.dir, key+".json") }

// load returns what was kept under a key, and false where there is no entry, or one
// that is damaged. The operations are read as an answer is.
func (c cache) load(key string, r reader) (ops []dream.Op, refused []string, ok bool) {
	if c.dir == "" || c.private() != nil {
		return nil, nil, false
	}
	b, _, err := safefile.Read(c.path(key), maxAnswer)
	if err != nil {
		return nil, nil, false
	}
	var e entry
	if json.Unmarshal(b, &e) != nil || e.Key != key {
		return nil, nil, false
	}
	ops, unsound, err := r.read(b)
	e.Ops = ops
	if err != nil || len(unsound) > 0 || e.Sum != e.sum() {
		return nil, nil, false
	}
	return ops, e.Refused, true
}

// save keeps what an answer came to under a key. An entry is there as a whole or not at all,
// whenever the process or the machine stops.
func (c cache) save(key string, ops []dream.Op, refused []string) (err error) {
	if c.dir == "" {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("an answer could not be kept in %s, and will be asked for again: %w", c.dir, err)
		}
	}()
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	if err := c.private(); err != nil {
		return err
	}
	e := entry{Key: key, Ops: some(ops), Refused: some(refused)}
	e.Sum = e.sum()
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return writeNew(c.path(key), append(b, '\n'))
}

// some makes a list of nothing one that is written as such.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// private fails for a folder in which others could lay answers.
func (c cache) private() error {
	info, err := os.Stat(c.dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("it is a %s, not a folder", safefile.Kind(info.Mode()))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0: // there the mode says nothing
		return fmt.Errorf("others may write to it (mode %04o): chmod 700 it", info.Mode().Perm())
	}
	return nil
}

// writeNew puts a file into place, for its owner alone. Package atomicfile gives a
// new file the mode that the umask leaves, and compares with what was there; of an
// entry any version is as good.
func writeNew(path string, b []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".*.tmp") // of mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()               // the first error counts
			_ = os.Remove(f.Name()) // likewise
		}
	}()
	if _, err := f.Write(b); err != nil {
		return err
	}
	// An entry without its bytes would only be asked for again; but each was paid for.
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
