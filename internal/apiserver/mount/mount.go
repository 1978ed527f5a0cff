// Package mount serves folders of notes as memory stores, beside those that a database
// keeps. A folder stays a person's own: what comes in over the API goes through its
// store, with journal and undo, and waits for a person before a session is told of it.
package mount

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/store"
)

// Folder is a folder of notes that is served.
type Folder struct {
	Name string // of the memory store
	// Open opens the folder with its gate, within Exact. It is asked for each request,
	// as a command of its own would: the folder may come, go and be made anew meanwhile.
	Open func() (*store.Store, error)
	// On tells why nothing may be read or written now; nil: it may. It is asked each
	// time: a memory that was switched off meanwhile is off.
	On func() error
}

// Backend serves folders beside what another backend has.
type Backend struct {
	apiserver.Backend
	workspace string
	folders   []*folder
}

var _ apiserver.Backend = (*Backend)(nil)

// folder is a folder and what was last seen of it.
type folder struct {
	Folder
	dir   string // links resolved
	store *wire.MemoryStore

	mu    sync.Mutex      // a store is for one at a time
	seen  *view           // as of its stamp
	facts map[string]fact // of contents, by hash
}

// Over serves folders to a workspace. Their ids are the same each time: they are made
// of the workspace and the folder.
func Over(b apiserver.Backend, workspace string, folders ...Folder) (*Backend, error) {
	out := &Backend{Backend: b, workspace: workspace}
	for _, f := range folders {
		if err := wire.CheckName(f.Name); err != nil {
			return nil, fmt.Errorf("%q is no name for a memory store: %w", f.Name, err)
		}
		st, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("opening %s: %w", f.Name, err)
		}
		dir := st.Dir()
		_ = st.Close() // nothing was written
		// When a folder came to be nobody knows: it is older than all else, so that
		// lists by age have one order.
		began := wire.At(time.Unix(0, 0))
		id := wire.FixedID(wire.StoreID, began.Time, bits("store", workspace, dir))
		if slices.ContainsFunc(out.folders, func(o *folder) bool { return o.dir == dir }) {
			return nil, fmt.Errorf("%s is mounted twice", dir)
		}
		out.folders = append(out.folders, &folder{Folder: f, dir: dir, facts: map[string]fact{}, store: &wire.MemoryStore{
			Type: "memory_store", ID: id, Name: f.Name, Description: "A folder of notes on the server's own machine.", Metadata: map[string]string{}, CreatedAt: began, UpdatedAt: began,
		}})
	}
	slices.SortFunc(out.folders, func(a, b *folder) int { return strings.Compare(b.store.ID, a.store.ID) })
	return out, nil
}

// Stores are the ids under which folders are served, by their absolute paths.
func (b *Backend) Stores() map[string]string {
	out := map[string]string{}
	for _, f := range b.folders {
		out[f.dir] = f.store.ID
	}
	return out
}

// use opens a folder for one request and looks at it. A memory that is off is not
// touched.
func (f *folder) use(do func(*store.Store, *view) error) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.off(); err != nil {
		return err
	}
	st, err := f.Open()
	if err != nil {
		return fmt.Errorf("opening the folder of %s: %w", f.store.ID, err)
	}
	defer func() { _ = st.Close() }() // each write is on the disk when it returns
	if st.Dir() != f.dir {
		return isOff() // a setting has moved the memory: what is there now was not mounted
	}
	v, err := f.look(st)
	if err != nil {
		return fmt.Errorf("looking at the folder of %s: %w", f.store.ID, err)
	}
	return do(st, v)
}

// off is why the folder is not served now.
func (f *folder) off() error {
	if f.On == nil || f.On() == nil {
		return nil
	}
	return isOff()
}

// isOff tells that a memory is off; which switch of which file it was is not for those
// who only have a key.
func isOff() error {
	return &wire.Error{Status: http.StatusNotFound, Type: wire.NotFound, Message: "the memory store was not found: it is a folder, and its memory is switched off on the server's machine"}
}

func bits(parts ...string) [10]byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return [10]byte(sum[:10])
}

// at is the folder of an id; nil where it is none, or another workspace's.
func (b *Backend) at(who apiserver.Who, id string) *folder {
	if who.Workspace != b.workspace {
		return nil
	}
	for _, f := range b.folders {
		if f.store.ID == id {
			return f
		}
	}
	return nil
}

func (f *folder) asStore() *wire.MemoryStore {
	s := *f.store
	s.Metadata = maps.Clone(s.Metadata)
	return &s
}

// Store reads a store.
func (b *Backend) Store(ctx context.Context, who apiserver.Who, id string) (*wire.MemoryStore, error) {
	if f := b.at(who, id); f != nil {
		return f.asStore(), f.off()
	}
	return b.Backend.Store(ctx, who, id)
}

// asFolder refuses what would change the store itself: the folder is not the API's.
func asFolder() error {
	return wire.Invalid("this memory store is a folder on the server's machine: it is named and taken away where the server is started")
}

// UpdateStore refuses a folder.
func (b *Backend) UpdateStore(ctx context.Context, who apiserver.Who, id string, p apiserver.StorePatch) (*wire.MemoryStore, error) {
	if b.at(who, id) != nil {
		return nil, asFolder()
	}
	return b.Backend.UpdateStore(ctx, who, id, p)
}

// ArchiveStore refuses a folder.
func (b *Backend) ArchiveStore(ctx context.Context, who apiserver.Who, id string) (*wire.MemoryStore, error) {
	if b.at(who, id) != nil {
		return nil, asFolder()
	}
	return b.Backend.ArchiveStore(ctx, who, id)
}

// DeleteStore refuses a folder: no request removes a person's files.
func (b *Backend) DeleteStore(ctx context.Context, who apiserver.Who, id string) error {
	if b.at(who, id) != nil {
		return asFolder()
	}
	return b.Backend.DeleteStore(ctx, who, id)
}

// cursorOf is where a list goes on among the folders; other cursors are the database's.
const cursorOf = "folders:"

// ListStores lists the database's stores, and then the folders.
func (b *Backend) ListStores(ctx context.Context, who apiserver.Who, q apiserver.StoreQuery) ([]wire.MemoryStore, apiserver.Cursor, error) {
	mine := b.within(who, q.Created)
	if len(mine) == 0 {
		return b.Backend.ListStores(ctx, who, q)
	}
	var out []wire.MemoryStore
	after := ""
	if rest, ok := strings.CutPrefix(string(q.Page), cursorOf); ok {
		after = rest
	} else {
		list, next, err := b.Backend.ListStores(ctx, who, q)
		if err != nil || next != "" {
			return list, next, err
		}
		if out = list; len(out) == q.Limit {
			return out, cursorOf, nil
		}
	}
	for i, f := range mine {
		if after != "" && f.store.ID >= after {
			continue
		}
		out = append(out, *f.asStore())
		if len(out) == q.Limit && i < len(mine)-1 {
			return out, apiserver.Cursor(cursorOf + f.store.ID), nil
		}
	}
	return out, "", nil
}

// within are the folders that somebody may list, of a span.
func (b *Backend) within(who apiserver.Who, s apiserver.Span) []*folder {
	if who.Workspace != b.workspace {
		return nil
	}
	var out []*folder
	for _, f := range b.folders {
		if inSpan(f.store.CreatedAt.Time, s) && f.off() == nil {
			out = append(out, f)
		}
	}
	return out
}

func inSpan(at time.Time, s apiserver.Span) bool {
	switch {
	case !s.After.IsZero() && at.Before(s.After), !s.Before.IsZero() && at.After(s.Before):
		return false
	}
	return true
}

// CreateSession attaches folders too: what is served of a session stands in its body,
// and the database is asked for its own stores alone.
func (b *Backend) CreateSession(ctx context.Context, who apiserver.Who, in apiserver.Session, events []apiserver.Event) (*apiserver.Session, error) {
	var own []string
	for _, id := range in.Stores {
		if b.at(who, id) == nil {
			own = append(own, id)
		}
	}
	in.Stores = own
	return b.Backend.CreateSession(ctx, who, in, events)
}

// CreateDream refuses a folder: dreams over a folder are for its own machine, where a
// person looks at them before they are applied.
func (b *Backend) CreateDream(ctx context.Context, who apiserver.Who, in apiserver.NewDream) (*wire.Dream, error) {
	if b.at(who, in.Store) != nil {
		return nil, wire.Invalid("this memory store is a folder on the server's machine: there `dormouse dream` consolidates it")
	}
	return b.Backend.CreateDream(ctx, who, in)
}
