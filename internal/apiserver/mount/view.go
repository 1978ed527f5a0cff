package mount

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/internal/apiserver/wire"
	"dormouse/store"
)

// The journal of a folder has all that the API tells of a memory besides its text: a
// memory began with the entry that made its file, each entry that changed it is a
// version, and one that moved the text to another name is a rename. Ids are worked out
// from that, so that nothing has to be kept beside the journal and two servers of one
// folder agree.

// head is a note that is there.
type head struct {
	memory
	hash, version string
	changed       time.Time
}

// memory is what a note is over all its versions.
type memory struct {
	id, rel string
	created time.Time
}

// path is that of the API.
func (m memory) path() string { return "/" + m.rel }

// version is what an entry of the journal did to a note.
type version struct {
	memory
	entry    int
	id, op   string
	hash     string // "" of a deletion
	by       wire.Actor
	at       time.Time
	redacted *redaction // by the purge that came next; nil: none did
}

// redaction is a purge.
type redaction struct {
	at time.Time
	by wire.Actor
}

// view is what a folder holds.
type view struct {
	stamp    string
	heads    []head    // by the bytes of the path
	versions []version // newest first
}

// look reads the folder, or returns what was read before if nothing changed since.
// What other programs changed is put into the journal first.
func (f *folder) look(st *store.Store) (*view, error) {
	stamp, err := st.Stamp()
	if err != nil {
		return nil, err
	}
	if f.seen != nil && stamp != "" && f.seen.stamp == stamp {
		return f.seen, nil
	}
	if _, err := st.Look(); err != nil && !errors.Is(err, store.ErrBroken) {
		return nil, err
	}
	// What changed while we looked may show in the stamp and not in the view.
	if after, err := st.Stamp(); err != nil || after != stamp {
		stamp = ""
	}
	history, err := st.History("")
	if err != nil && !errors.Is(err, store.ErrBroken) {
		return nil, err
	}
	r := replay{store: f.store.ID, now: map[string]*head{}}
	for _, e := range slices.Backward(history) {
		r.entry(&e)
	}
	f.seen = &view{stamp: stamp, heads: r.heads(), versions: r.newest()}
	return f.seen, nil
}

func (v *view) byID(id string) (*head, error) {
	for i := range v.heads {
		if v.heads[i].id == id {
			return &v.heads[i], nil
		}
	}
	return nil, wire.Missing("the memory")
}

// wrote is what an entry made of a note.
func (v *view) wrote(entry int, rel string) *version {
	for i := range v.versions {
		if v.versions[i].entry == entry && v.versions[i].rel == rel {
			return &v.versions[i]
		}
	}
	return nil
}

// replay goes through the journal from its beginning.
type replay struct {
	store    string
	now      map[string]*head
	versions []version
	at       time.Time // of the entry, behind that of the one before
	began    int       // of the versions of the entry
}

func (r *replay) id(prefix string, entry int, rel string) string {
	return wire.FixedID(prefix, r.at, bits(r.store, strconv.Itoa(entry), rel))
}

func (r *replay) entry(e *store.Entry) {
	// The clock may stand or go back; versions are in order all the same.
	at := e.Time.Truncate(time.Microsecond)
	if !at.After(r.at) {
		at = r.at.Add(time.Microsecond)
	}
	r.at, r.began = at, len(r.versions)
	moved := movedBy(e)
	for _, c := range e.Changes {
		if was := r.now[c.Path]; c.After == "" && was != nil && moved.to[c.Path] == "" {
			delete(r.now, c.Path)
			r.add(e, was, wire.Deleted, "")
		}
	}
	for _, c := range e.Changes {
		if c.After != "" {
			r.change(e, c, moved)
		}
	}
	for from := range moved.to {
		delete(r.now, from)
	}
	slices.SortFunc(r.versions[r.began:], func(a, b version) int { return strings.Compare(a.id, b.id) })
	if e.Op == "purge" {
		r.purged(&redaction{at, actorOf(e)})
	}
}

func (r *replay) change(e *store.Entry, c store.Change, moved moves) {
	h, op := r.now[c.Path], wire.Modified
	if h == nil {
		h = &head{memory: memory{id: r.id(wire.MemoryID, e.ID, c.Path), created: r.at}}
		if old := r.now[moved.from[c.Path]]; old != nil {
			h.id, h.created = old.id, old.created
		} else {
			op = wire.Created
		}
		h.rel = c.Path
		r.now[c.Path] = h
	}
	h.hash, h.changed = c.After, r.at
	h.version = r.add(e, h, op, c.After)
}

func (r *replay) add(e *store.Entry, h *head, op, hash string) (id string) {
	id = r.id(wire.VersionID, e.ID, h.rel)
	r.versions = append(r.versions, version{memory: h.memory, entry: e.ID, id: id, op: op, hash: hash, by: actorOf(e), at: r.at})
	return id
}

// purged marks what came before a purge, in case that its text is gone.
func (r *replay) purged(by *redaction) {
	for i := range r.versions {
		if r.versions[i].redacted == nil {
			r.versions[i].redacted = by
		}
	}
}

func (r *replay) heads() []head {
	out := make([]head, 0, len(r.now))
	for _, h := range r.now {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b head) int { return strings.Compare(a.rel, b.rel) })
	return out
}

func (r *replay) newest() []version {
	slices.Reverse(r.versions)
	return r.versions
}

// moves are the notes that an entry moved: each new path by the old one, and back.
type moves struct{ to, from map[string]string }

// movedBy finds what an entry moved to another name: what it says of itself, and
// where one file went and one came that holds just the same, as when a person renames
// a note, or takes a rename back.
func movedBy(e *store.Entry) moves {
	m := moves{map[string]string{}, e.Renamed()}
	for to, from := range m.from {
		m.to[from] = to
	}
	gone, came := map[string][]string{}, map[string][]string{}
	for _, c := range e.Changes {
		switch {
		case c.After == "" && m.to[c.Path] == "":
			gone[c.Before] = append(gone[c.Before], c.Path)
		case c.Before == "" && m.from[c.Path] == "":
			came[c.After] = append(came[c.After], c.Path)
		}
	}
	for hash, old := range gone {
		if now := came[hash]; len(old) == 1 && len(now) == 1 {
			m.to[old[0]], m.from[now[0]] = now[0], old[0]
		}
	}
	return m
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
		case strings.HasPrefix(e.Session, "svac_"):
			return wire.Actor{Type: wire.ServiceAccountActor, ServiceAccount: e.Session}
		}
	}
	return wire.Actor{Type: wire.UserActor, User: "user_" + string(e.Actor)}
}
