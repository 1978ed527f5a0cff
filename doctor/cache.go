package doctor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"dormouse/internal/safefile"
	"dormouse/startup"
)

// cacheForm changes when the rules do, so that no finding of older ones is shown.
const cacheForm = "1"

// Key names all that a check-up would look at, by file times and sizes where the
// text is not at hand: while it is the same, so is what Check finds. It is ""
// where that can't be told.
func Key(ctx context.Context, in Input) string {
	if in.Store == nil || in.Unsafe != nil || in.Repo == nil {
		return "" // without notes there is nothing to save
	}
	stamp, err := in.Store.Stamp()
	if err != nil || stamp == "" {
		return ""
	}
	tree, err := in.Repo.Fingerprint(ctx)
	if err != nil || tree == "" {
		return ""
	}
	h := sha256.New()
	say := func(words ...any) { fmt.Fprintln(h, words...) }
	say(cacheForm, in.Build, in.Now.UTC().Format(time.DateOnly), stamp, tree, in.Store.Dir())
	h.Write(in.Startup.AppendJSON(nil))
	for _, l := range in.Startup.Left { // rules that wait, whose text is not in the report
		stat(h, l.Path)
	}
	for _, m := range in.Memories {
		say(m)
		stat(h, m.Dir)
		for _, l := range m.Logs {
			stat(h, l)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func stat(w io.Writer, path string) {
	if info, err := os.Lstat(path); err == nil {
		fmt.Fprintln(w, path, info.Size(), info.ModTime().UnixNano(), info.Mode()) // a hash takes all
	}
}

func rootOf(rep *startup.Report) string {
	if rep.Root != "" {
		return rep.Root
	}
	return rep.Cwd
}

// maxCache is the size in bytes of the largest report that is kept.
const maxCache = 64 << 20

// kept is a report with the key of what it is about.
type kept struct {
	Key    string  `json:"key"`
	Report *Report `json:"report"`
}

// Load returns the report that was saved under the key; its fixes tell what they
// would do, and can't be applied.
func Load(path, key string) (*Report, bool) {
	if key == "" {
		return nil, false
	}
	b, _, err := safefile.Read(path, maxCache)
	if err != nil {
		return nil, false
	}
	var k kept
	if json.Unmarshal(b, &k) != nil || k.Key != key || k.Report == nil {
		return nil, false
	}
	return k.Report, true
}

// Save is what Load reads.
func Save(key string, rep *Report) ([]byte, error) { return json.Marshal(kept{key, rep}) }
