package mount

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/store"
	"dormouse/trust"
)

// occupied refuses a path that is a memory, or lies above or below one.
func (v *view) occupied(path, except string) error {
	for i := range v.heads {
		p := v.heads[i].path()
		if v.heads[i].id != except && (p == path || strings.HasPrefix(p, path+"/") || strings.HasPrefix(path, p+"/")) {
			return wire.Taken(p, v.heads[i].id)
		}
	}
	return nil
}

// by is who writes, for the journal. What comes over the API came from elsewhere,
// whoever holds the key.
func by(who apiserver.Who) store.By {
	a := who.Actor
	return store.By{Actor: store.Sync, Session: a.Session + a.APIKey + a.User + a.ServiceAccount, Origin: string(trust.Sync)}
}

// tries is how often a write is planned anew because another program was faster.
const tries = 8

// again repeats a write that was planned on what is no longer so.
func (f *folder) again(path string, write func(*store.Store, *view) error) error {
	var err error
	for range tries {
		err = f.use(write)
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrExists) {
			break
		}
	}
	return refused(err, path)
}

// refused is an error of the store as the API says it. Messages of the store name
// files by their paths within the folder, and hold no content.
func refused(err error, path string) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*wire.Error](err); ok {
		return known
	}
	for _, of := range []error{store.ErrName, store.ErrEncoding, store.ErrTooLarge, store.ErrNoNote, store.ErrUnsafe, store.ErrWords, trust.ErrHidden, ErrAltered} {
		if errors.Is(err, of) {
			return wire.Invalid("the folder does not take it: " + err.Error())
		}
	}
	if full, ok := errors.AsType[*store.FullError](err); ok {
		return wire.Invalid("the folder does not take it: " + full.Error())
	}
	switch {
	case errors.Is(err, store.ErrExists):
		return wire.Taken(path, "")
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrChanged):
		return &wire.Error{Status: http.StatusConflict, Type: wire.Conflict, Message: "another program writes into this memory at the same time"}
	case errors.Is(err, store.ErrLockBusy):
		return &wire.Error{Status: http.StatusServiceUnavailable, Type: wire.Overloaded, Message: "another program writes into the folder", RetryAfter: 1}
	}
	return fmt.Errorf("writing into the folder: %w", err)
}

// creatable refuses the path of a note that a folder can't have.
func creatable(path string) error {
	if err := store.ValidPath(path[1:]); err != nil {
		return wire.Invalid("this memory store is a folder of notes, where a new path has names of a-z, 0-9, dots, hyphens and underscores, and ends in .md: " + err.Error())
	}
	return nil
}

// answer is what a write left, as it was written: others may have changed it since.
func (f *folder) answer(st *store.Store, done *store.Done, rel string, text []byte, full bool) (*wire.Memory, error) {
	v, err := f.look(st)
	if err != nil {
		return nil, err
	}
	w := v.wrote(done.ID, rel)
	if w == nil {
		return nil, fmt.Errorf("change %d of %s is not in the journal", done.ID, rel)
	}
	return f.asMemory(&head{memory: w.memory, hash: w.hash, version: w.id, changed: w.at}, text, full), nil
}

// CreateMemory writes a new note. It gets no line in the index, so no session is told
// of it before a person has looked at it.
func (b *Backend) CreateMemory(ctx context.Context, who apiserver.Who, id, path, content string) (*wire.Memory, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.CreateMemory(ctx, who, id, path, content)
	}
	var m *wire.Memory
	err := f.again(path, func(st *store.Store, v *view) error {
		if err := v.occupied(path, ""); err != nil {
			return err
		}
		if len(v.heads) >= wire.MaxMemories {
			return wire.Invalid(fmt.Sprintf("the memory store has %d memories, which is all that it can hold", len(v.heads)))
		}
		if err := creatable(path); err != nil {
			return err
		}
		text := []byte(content)
		done, err := st.Exchange(by(who), trust.OpRequest, []store.Replacement{{Rel: path[1:], After: text}})
		if err != nil {
			return err
		}
		m, err = f.answer(st, done, path[1:], text, true)
		return err
	})
	return m, err
}

// Memory reads a note.
func (b *Backend) Memory(ctx context.Context, who apiserver.Who, id, memory string, full bool) (*wire.Memory, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.Memory(ctx, who, id, memory, full)
	}
	var m *wire.Memory
	err := f.use(func(st *store.Store, v *view) error {
		h, text, err := f.of(st, v, memory)
		if err == nil {
			m = f.asMemory(h, text, full)
		}
		return err
	})
	return m, err
}

// of is a memory and its text.
func (f *folder) of(st *store.Store, v *view, id string) (*head, []byte, error) {
	h, err := v.byID(id)
	if err != nil {
		return nil, nil, err
	}
	text, err := f.text(st, h)
	if err == nil && text == nil {
		err = wire.Missing("the memory")
	}
	return h, text, err
}

// UpdateMemory changes text or name of a note. What a session was told of it, it is
// told no more until a person has looked at it.
func (b *Backend) UpdateMemory(ctx context.Context, who apiserver.Who, id, memory string, p apiserver.MemoryPatch) (*wire.Memory, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.UpdateMemory(ctx, who, id, memory, p)
	}
	at := ""
	if p.Path != nil {
		at = *p.Path
	}
	var m *wire.Memory
	err := f.again(at, func(st *store.Store, v *view) (err error) {
		m, err = f.update(st, v, who, memory, p)
		return err
	})
	return m, err
}

func (f *folder) update(st *store.Store, v *view, who apiserver.Who, id string, p apiserver.MemoryPatch) (*wire.Memory, error) {
	h, was, err := f.of(st, v, id)
	if err != nil {
		return nil, err
	}
	path, text := h.path(), was
	if p.Path != nil {
		path = *p.Path
	}
	if p.Content != nil {
		text = []byte(*p.Content)
	}
	switch {
	case path == h.path() && string(text) == string(was):
		return f.asMemory(h, was, p.Full), nil
	case p.Expected != nil && *p.Expected != h.hash:
		return nil, wire.Stale()
	case h.rel == store.IndexName:
		return nil, isIndex()
	}
	notes := []store.Replacement{{Rel: h.rel, Before: was, After: text}}
	if path != h.path() {
		if err := v.occupied(path, h.id); err != nil {
			return nil, err
		}
		if strings.HasPrefix(path, h.path()+"/") || strings.HasPrefix(h.path(), path+"/") {
			return nil, wire.Invalid("in a folder a note can't move to a path above or below its own")
		}
		if err := creatable(path); err != nil {
			return nil, err
		}
		notes = []store.Replacement{
			{Rel: h.rel, Before: was},
			{Rel: path[1:], After: text, Origin: string(trust.Sync), From: []store.Source{{Note: h.rel, Hash: h.hash}}},
		}
	}
	done, err := st.Exchange(by(who), trust.OpRequest, notes)
	if err != nil {
		return nil, err
	}
	return f.answer(st, done, path[1:], text, p.Full)
}

// isIndex refuses a change of the index: what stands there is loaded by each session.
func isIndex() error {
	return wire.Invalid("/MEMORY.md is the index of the folder, which every session loads: it follows the notes and what a person decides, and is not written over the API")
}

// DeleteMemory removes a note; the journal keeps it.
func (b *Backend) DeleteMemory(ctx context.Context, who apiserver.Who, id, memory string, expected *string) error {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.DeleteMemory(ctx, who, id, memory, expected)
	}
	return f.again("", func(st *store.Store, v *view) error {
		h, was, err := f.of(st, v, memory)
		switch {
		case err != nil:
			return err
		case expected != nil && *expected != h.hash:
			return wire.Stale()
		case h.rel == store.IndexName:
			return isIndex()
		}
		_, err = st.Exchange(by(who), trust.OpRequest, []store.Replacement{{Rel: h.rel, Before: was}})
		return err
	})
}

// ListMemories lists notes by the bytes of their paths.
func (b *Backend) ListMemories(ctx context.Context, who apiserver.Who, id string, q apiserver.MemoryQuery) ([]wire.Listed, apiserver.Cursor, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.ListMemories(ctx, who, id, q)
	}
	if q.Page != "" && !strings.HasPrefix(string(q.Page), "/") {
		return nil, "", badCursor()
	}
	var out []wire.Listed
	var next apiserver.Cursor
	err := f.use(func(st *store.Store, v *view) (err error) {
		out, next, err = f.list(st, v, q)
		return err
	})
	return out, next, err
}

func badCursor() error { return wire.Invalid("page is no cursor of this list") }

func (f *folder) list(st *store.Store, v *view, q apiserver.MemoryQuery) ([]wire.Listed, apiserver.Cursor, error) {
	prefix := max(q.Prefix, "/")
	out := []wire.Listed{}
	last := string(q.Page)
	for i := range v.heads {
		h := &v.heads[i]
		rest, within := strings.CutPrefix(h.path(), prefix)
		if !within {
			continue
		}
		key := h.path()
		dir, _, deeper := strings.Cut(rest, "/")
		if deeper = deeper && q.Depth == 1; deeper {
			key = prefix + dir + "/"
		}
		if key <= last {
			continue // it was listed, or its folder was
		}
		m, err := f.found(st, h, q.Full)
		switch {
		case err != nil:
			return nil, "", err
		case m == nil:
			continue
		case len(out) == q.Limit:
			return out, apiserver.Cursor(last), nil
		}
		last = key
		if deeper {
			out = append(out, wire.Listed{Prefix: &wire.MemoryPrefix{Type: "memory_prefix", Path: key}})
		} else {
			out = append(out, wire.Listed{Memory: m})
		}
	}
	return out, "", nil
}
