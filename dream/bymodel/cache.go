package bymodel

import (
	"context"
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

// Answers keep what a model answered, under names of 64 hexadecimal digits. They are
// beside, never needed: what is not there, or damaged, is asked again.
type Answers interface {
	Load(ctx context.Context, key string) ([]byte, bool)
	Save(ctx context.Context, key string, b []byte) error
}

// cache keeps answers by the hash of all that they hang on. An entry holds that hash
// and the operations: neither statements nor what the model said besides.
type cache struct{ kept Answers } // nil: none

// folder keeps answers in files.
type folder struct{ dir string }

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

func (f folder) path(key string) string { return filepath.Join(f.dir, key+".json") }

// Load reads a file.
func (f folder) Load(_ context.Context, key string) ([]byte, bool) {
	if f.private() != nil {
		return nil, false
	}
	b, _, err := safefile.Read(f.path(key), maxAnswer)
	return b, err == nil
}

// load returns what was kept under a key, and false where there is no entry, or one
// that is damaged. The operations are read as an answer is.
func (c cache) load(ctx context.Context, key string, r reader) (ops []dream.Op, refused []string, ok bool) {
	if c.kept == nil {
		return nil, nil, false
	}
	b, ok := c.kept.Load(ctx, key)
	if !ok {
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

// save keeps what an answer came to under a key.
func (c cache) save(ctx context.Context, key string, ops []dream.Op, refused []string) error {
	if c.kept == nil {
		return nil
	}
	e := entry{Key: key, Ops: some(ops), Refused: some(refused)}
	e.Sum = e.sum()
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return c.kept.Save(ctx, key, append(b, '\n'))
}

// Save writes a file. It is there as a whole or not at all, whenever the process or the
// machine stops.
func (f folder) Save(_ context.Context, key string, b []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("an answer could not be kept in %s, and will be asked for again: %w", f.dir, err)
		}
	}()
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	if err := f.private(); err != nil {
		return err
	}
	return writeNew(f.path(key), b)
}

// some makes a list of nothing one that is written as such.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// private fails for a folder in which others could lay answers.
func (f folder) private() error {
	info, err := os.Stat(f.dir)
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
