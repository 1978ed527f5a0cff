package mount

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/internal/apiserver/wire"
	"dormouse/store"
)

// The journal of a folder has all that the API tells of a memory besides its text: a
// memory began with the entry that made its file, an entry that changed it is a
// version, and a rename of ours is one entry that names the file it took over.

// opRename is a rename over the API, in the journal.
const opRename = "rename"

// head is a note that is there.
type head struct {
	memory
	hash             string
	text             []byte
	version          string
	created, changed time.Time
}

// memory is what a note is over all its versions.
type memory struct{ id, rel string }

// path is that of the API.
func (m memory) path() string { return "/" + m.rel }

// version is what an entry of the journal did to a note.
type version struct {
	id, memory, rel, op string
	hash                string // "" of a deletion
	by                  wire.Actor
	at                  time.Time
}

// view is what a folder holds.
type view struct {
	stamp    string
	heads    []head    // by the bytes of the path
	versions []version // newest first
}

// begin begins a request: it has the folder for itself until it calls end.
func (f *folder) begin() (v *view, end func(), err error) {
	if err := f.On(); err != nil {
		return nil, nil, &wire.Error{Status: http.StatusNotFound, Type: wire.NotFound, Message: "the memory of this folder is switched off"}
	}
	f.mu.Lock()
	if f.st, err = f.Open(); err != nil {
		f.mu.Unlock()
		return nil, nil, fmt.Errorf("opening %s: %w", f.Name, err)
	}
	end = func() {
		_ = f.st.Close() // each write is on the disk when it returns
		f.st = nil
		f.mu.Unlock()
	}
	if v, err = f.look(); err != nil {
		end()
		return nil, nil, err
	}
	return v, end, nil
}

// look reads the folder, or returns what was read before if nothing changed since.
// What other programs changed is put into the journal first.
func (f *folder) look() (*view, error) {
	if _, err := f.st.Look(); err != nil && !errors.Is(err, store.ErrBroken) {
		return nil, err
	}
	stamp, err := f.st.Stamp()
	if err != nil {
		return nil, err
	}
	if f.seen != nil && stamp != "" && f.seen.stamp == stamp {
		return f.seen, nil
	}
	history, err := f.st.History("")
	if err != nil && !errors.Is(err, store.ErrBroken) {
		return nil, err
	}
	r := replay{store: f.store.ID, now: map[string]*head{}}
	for _, e := range slices.Backward(history) {
		r.entry(&e)
	}
	v := &view{stamp: stamp, versions: r.versions}
	slices.Reverse(v.versions)
	if v.heads, err = f.heads(r.now); err != nil {
		return nil, err
	}
	f.seen = v
	return v, nil
}

// heads are the notes that are there and that the API can hold: UTF-8 of a size and a
// path that it knows.
func (f *folder) heads(known map[string]*head) ([]head, error) {
	items, err := f.st.List()
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for i := range items {
		if items[i].Note != nil {
			texts[items[i].Rel] = items[i].Note.Bytes()
		}
	}
	if b, err := f.st.Read(store.IndexName); err == nil {
		texts[store.IndexName] = b
	}
	var out []head
	for rel, text := range texts {
		h := known[rel]
		if h == nil || h.hash != store.HashOf(text) || wire.CheckPath("/"+rel) != nil || wire.CheckContent(string(text)) != nil {
			continue // what changed since the look shows at the next one
		}
		h.text = text
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b head) int { return strings.Compare(a.rel, b.rel) })
	return out, nil
}

// replay goes through the journal from its beginning.
type replay struct {
	store    string
	now      map[string]*head
	versions []version
}

func (r *replay) id(prefix string, e *store.Entry, rel string) string {
	return wire.FixedID(prefix, e.Time, bits(r.store, strconv.Itoa(e.ID), rel))
}

func (r *replay) entry(e *store.Entry) {
	moved := r.moved(e)
	for _, c := range e.Changes {
		was := r.now[c.Path]
		op := wire.Modified
		switch {
		case c.After == "" && (was == nil || moved[c.Path] != ""):
			continue // it was not known, or lives on under its other name
		case c.After == "":
			delete(r.now, c.Path)
			r.add(e, was.memory, wire.Deleted, "")
			continue
		case was != nil:
			was.hash, was.changed = c.After, e.Time
		default:
			op, was = wire.Created, &head{memory: memory{id: r.id(wire.MemoryID, e, c.Path), rel: c.Path}, hash: c.After, created: e.Time, changed: e.Time}
			for from, to := range moved {
				if old := r.now[from]; to == c.Path && old != nil {
					op, was.id, was.created = wire.Modified, old.id, old.created
				}
			}
			r.now[c.Path] = was
		}
		was.version = r.add(e, was.memory, op, c.After)
	}
	for from := range moved {
		delete(r.now, from)
	}
}

// moved are the files that an entry of ours took over under another name: the old path
// by the new one.
func (r *replay) moved(e *store.Entry) map[string]string {
	if e.Op != opRename || e.Actor != store.Sync {
		return nil
	}
	out := map[string]string{}
	for _, c := range e.Changes {
		if c.Before == "" && c.After != "" && len(c.From) == 1 {
			out[c.From[0].Note] = c.Path
		}
	}
	return out
}

func (r *replay) add(e *store.Entry, m memory, op, hash string) (id string) {
	id = r.id(wire.VersionID, e, m.rel)
	r.versions = append(r.versions, version{id: id, memory: m.id, rel: m.rel, op: op, hash: hash, by: actorOf(e), at: e.Time})
	return id
}

// actorOf is who made an entry, as the API says it. What did not come over the API is
// a user's: the person, their agent, their editor.
func actorOf(e *store.Entry) wire.Actor {
	if e.Actor == store.Sync {
		switch {
		case strings.HasPrefix(e.Session, wire.APIKeyID):
			return wire.Actor{Type: wire.APIActor, APIKey: e.Session}
		case strings.HasPrefix(e.Session, wire.SessionID):
			return wire.Actor{Type: wire.SessionActor, Session: e.Session}
		}
	}
	return wire.Actor{Type: wire.UserActor, User: "user_" + string(e.Actor)}
}
