package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
	"dormouse/store"
	"dormouse/syncer"
)

// anthropicAddress is where Anthropic serves memory stores, as the Go SDK v2.15.0 has it.
const anthropicAddress = "https://api.anthropic.com"

// pair is a folder and a store on a server, and what both last agreed on. A key is not
// kept, only where it stands.
type pair struct {
	URL     string      `json:"url"`
	Store   string      `json:"store"`
	Name    string      `json:"name"`
	KeyFile string      `json:"key_file,omitempty"`
	Base    syncer.Base `json:"base"`
}

// pairs are all stores that a folder was ever synced with. It lies in Dormouse's state
// folder: no repository can say where notes go.
type pairs struct {
	Dir  string  `json:"dir"` // the memory folder, for people
	Last int     `json:"last"`
	List []*pair `json:"pairs"`

	file   string
	before []byte // nil: no file yet
	lock   *flock.Flock
}

const maxPairs = 64 << 20 // bytes

// openPairs reads what a folder was synced with, under a lock that keeps a second sync
// of it away.
func (c *common) openPairs(dir string) (*pairs, error) {
	state, err := host.StateFolder(c.io.Env)
	if err != nil {
		return nil, err
	}
	const enough = 16 // hexadecimal digits that tell folders apart
	p := &pairs{Dir: dir, file: filepath.Join(state, "sync", store.HashOf([]byte(dir))[:enough]+".json")}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o700); err != nil {
		return nil, err
	}
	p.lock = flock.New(strings.TrimSuffix(p.file, ".json")+".lock", flock.SetPermissions(0o600))
	ok, err := p.lock.TryLock()
	if err == nil && !ok {
		err = errors.New("another pull or push of these notes is running; wait for it, or end it")
	}
	if err != nil {
		return nil, err
	}
	b, _, err := safefile.Read(p.file, maxPairs)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		p.before = b
		if json.Unmarshal(b, p) != nil || p.Last < 0 || p.Last >= len(p.List) {
			err = fmt.Errorf("%s is damaged: remove it, and name the store again; where both sides differ then, both texts are kept", p.file)
		}
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pairs) close() { _ = p.lock.Unlock() } // the system does it when the process ends

// last is the store of the last sync; nil before the first one.
func (p *pairs) last() *pair {
	if len(p.List) == 0 {
		return nil
	}
	return p.List[p.Last]
}

// of is the pair with a store, which may be a new one.
func (p *pairs) of(url string, s syncer.RemoteStore) *pair {
	for n, had := range p.List {
		if had.URL == url && had.Store == s.ID {
			p.Last, had.Name = n, s.Name
			return had
		}
	}
	p.Last = len(p.List)
	p.List = append(p.List, &pair{URL: url, Store: s.ID, Name: s.Name, Base: syncer.Base{}})
	return p.List[p.Last]
}

func (p *pairs) save() error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(p.file, p.before, b); err != nil {
		return err
	}
	p.before = b
	return nil
}

// server is which server to ask, and with what.
type server struct{ url, key, keyFile string }

// server puts together what flags, the last sync and the environment say, in this
// order. The key of an environment does not go to another server than the one that the
// same environment names.
func (o *syncOptions) server(last *pair) (server, error) {
	env := o.io.Env.Getenv
	named := strings.TrimSuffix(env("ANTHROPIC_BASE_URL"), "/")
	s := server{url: strings.TrimSuffix(o.url, "/"), keyFile: o.fromHome(o.keyFile)}
	if last != nil && s.url == "" {
		s.url = last.URL
	}
	if last != nil && s.keyFile == "" && s.url == last.URL {
		s.keyFile = last.KeyFile
	}
	if s.url == "" {
		s.url = named
	}
	if s.url == "" {
		s.url = anthropicAddress
	}
	if s.keyFile != "" {
		cwd, err := o.io.Getwd()
		if err != nil {
			return s, err
		}
		s.keyFile = absolute(cwd, s.keyFile)
		const most = 4 << 10
		b, _, err := safefile.Read(s.keyFile, most)
		if err != nil {
			return s, fmt.Errorf("the key: %w", err)
		}
		if s.key = strings.TrimSpace(string(b)); s.key == "" {
			return s, fmt.Errorf("the key: %s is empty", s.keyFile)
		}
		return s, nil
	}
	if named != "" && named != s.url && o.url == "" {
		return s, usageError{fmt.Errorf("ANTHROPIC_BASE_URL is %s, but these notes were last synced with %s: say which one with --url", named, s.url)}
	}
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		if s.key = env(name); s.key != "" {
			return s, nil
		}
	}
	return s, usageError{fmt.Errorf("there is no key for %s: set ANTHROPIC_API_KEY, or name a file that holds it with --key-file", s.url)}
}
