package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
	"dormouse/store"
)

// doneSessions are the session logs that were read for one store, by path: a log
// that grew since is read again. It holds a lock, so that two runs do not read the same ones.
type doneSessions struct {
	file   string
	before []byte // nil: no file yet
	list   map[string]readLog
	lock   *flock.Flock
}

type readLog struct {
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified"`
}

const maxDone = 64 << 20

// openDone reads what was done, under the lock, which is one for all stores. The folder is made by the lock's
// file; a dry run takes none.
func (o *extractOptions) openDone() (*doneSessions, error) {
	state, err := host.StateFolder(o.io.Env)
	if err != nil {
		return nil, err
	}
	into, err := o.storeFolder()
	if err != nil {
		return nil, err
	}
	const enough = 16 // hexadecimal digits that tell stores apart
	name := "sessions-" + store.HashOf([]byte(into))[:enough] + ".json"
	d := &doneSessions{file: filepath.Join(state, "extract", name), list: map[string]readLog{}}
	if !o.dry {
		if err := d.take(); err != nil {
			return nil, err
		}
	}
	b, _, err := safefile.Read(d.file, maxDone)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err != nil {
		d.close()
		return nil, err
	}
	d.before = b
	if json.Unmarshal(b, &d.list) != nil {
		d.list = map[string]readLog{} // damaged: all are read again, which adds nothing
	}
	return d, nil
}

// storeFolder is the store that sessions are read into, links resolved.
func (o *extractOptions) storeFolder() (string, error) {
	if o.into != "" {
		return o.into, nil
	}
	s, err := o.session()
	if err != nil || s.Store != "" {
		return realPath(s.Store), err
	}
	_, rep, err := o.look(s)
	if err != nil {
		return "", err
	}
	return realPath(rep.Mem.Dir), nil
}

func (d *doneSessions) take() error {
	dir := filepath.Dir(d.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	d.lock = flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	ok, err := d.lock.TryLock()
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("another extraction is running; wait for it, or end it")
	}
	return nil
}

func (d *doneSessions) close() {
	if d.lock != nil {
		_ = d.lock.Unlock() // the system does it when the process ends
	}
}

func (d *doneSessions) has(path string, info fs.FileInfo) bool {
	had, ok := d.list[path]
	return ok && had.Size == info.Size() && had.Modified.Equal(info.ModTime())
}

func (d *doneSessions) add(path string, info fs.FileInfo) {
	d.list[path] = readLog{info.Size(), info.ModTime()}
}

func (d *doneSessions) save(dry bool) error {
	if dry || len(d.list) == 0 {
		return nil
	}
	b, err := json.Marshal(d.list)
	if err != nil {
		return err
	}
	return atomicfile.Replace(d.file, d.before, b)
}

// bar is a line on a terminal that says how far a long run is.
type bar struct {
	w    io.Writer
	n    int
	at   int
	show bool
}

// fewSessions need no bar.
const fewSessions = 5

func newBar(w io.Writer, n int) *bar { return &bar{w: w, n: n, show: n > fewSessions && isTerminal(w)} }

func (b *bar) step(name string) {
	b.at++
	if b.show {
		const width = 30
		filled := width * b.at / b.n
		fmt.Fprintf(b.w, "\r\x1b[K[%-*s] %d of %d  %s", width, string(repeated('=', filled)), b.at, b.n, shortSession(name)) // nobody waits for it
	}
}

func (b *bar) end() {
	if b.show {
		fmt.Fprint(b.w, "\r\x1b[K") // nobody waits for it
	}
}

func repeated(c byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = c
	}
	return out
}
