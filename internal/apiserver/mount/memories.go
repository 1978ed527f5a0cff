package mount

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/store"
	"dormouse/trust"
)

// found is a note as the API serves it.
func (f *folder) found(h *head, full bool) *wire.Memory {
	m := &wire.Memory{
		Type: "memory", ID: h.id, Store: f.store.ID, Path: h.path(), Size: len(h.text), SHA256: h.hash, Version: h.version,
		CreatedAt: wire.At(h.created), UpdatedAt: wire.At(h.changed),
	}
	if full {
		text := string(h.text)
		m.Content = &text
	}
	return m
}

func (v *view) byID(id string) (*head, error) {
	for i := range v.heads {
		if v.heads[i].id == id {
			return &v.heads[i], nil
		}
	}
	return nil, wire.Missing("the memory")
}

func (v *view) byRel(rel string) (*head, error) {
	i, ok := slices.BinarySearchFunc(v.heads, rel, func(h head, rel string) int { return strings.Compare(h.rel, rel) })
	if !ok {
		return nil, wire.Missing("the memory")
	}
	return &v.heads[i], nil
}

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

// CreateMemory writes a new note.
func (b *Backend) CreateMemory(ctx context.Context, who apiserver.Who, id, path, content string) (*wire.Memory, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.CreateMemory(ctx, who, id, path, content)
	}
	v, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	if err := v.occupied(path, ""); err != nil {
		return nil, err
	}
	if len(v.heads) >= wire.MaxMemories {
		return nil, wire.Invalid(fmt.Sprintf("the memory store has %d memories, which is all that it can hold", len(v.heads)))
	}
	rel := path[1:]
	if err := creatable(rel); err != nil {
		return nil, err
	}
	if _, err := f.st.Bring(by(who), "remember", []store.Replacement{{Rel: rel, After: []byte(content)}}, store.Refuse); err != nil {
		return nil, f.refused(err, path)
	}
	return f.again(rel, false)
}

// creatable refuses the path of a note that a folder can't have.
func creatable(rel string) error {
	if err := store.CanHold(rel); err != nil {
		return wire.Invalid("this memory store is a folder of notes, and the path of a new one is / and a name of a-z, 0-9, dots, hyphens and underscores that ends with .md: " + err.Error())
	}
	return nil
}

// again is what a note is after a write.
func (f *folder) again(rel string, full bool) (*wire.Memory, error) {
	v, err := f.look()
	if err != nil {
		return nil, err
	}
	h, err := v.byRel(rel)
	if err != nil {
		return nil, err
	}
	return f.found(h, full), nil
}

// refused is an error of the store as the API says it.
func (f *folder) refused(err error, path string) error {
	for _, of := range []error{store.ErrName, store.ErrEncoding, store.ErrTooLarge, store.ErrNoNote, trust.ErrHidden} {
		if errors.Is(err, of) {
			return wire.Invalid("the folder does not take it: " + err.Error())
		}
	}
	switch {
	case errors.Is(err, store.ErrExists):
		return wire.Taken(path, "")
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrChanged):
		return wire.Stale()
	case errors.Is(err, store.ErrLockBusy):
		return &wire.Error{Status: http.StatusServiceUnavailable, Type: wire.Overloaded, Message: "another program writes into the folder", RetryAfter: 1}
	}
	return fmt.Errorf("writing into %s: %w", f.Name, err)
}

// Memory reads a note.
func (b *Backend) Memory(ctx context.Context, who apiserver.Who, id, memory string, full bool) (*wire.Memory, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.Memory(ctx, who, id, memory, full)
	}
	v, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	h, err := v.byID(memory)
	if err != nil {
		return nil, err
	}
	return f.found(h, full), nil
}

// UpdateMemory changes text or name of a note.
func (b *Backend) UpdateMemory(ctx context.Context, who apiserver.Who, id, memory string, p apiserver.MemoryPatch) (*wire.Memory, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.UpdateMemory(ctx, who, id, memory, p)
	}
	v, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	h, err := v.byID(memory)
	if err != nil {
		return nil, err
	}
	path, text := h.path(), h.text
	if p.Path != nil {
		path = *p.Path
	}
	if p.Content != nil {
		text = []byte(*p.Content)
	}
	if path == h.path() && string(text) == string(h.text) {
		return f.found(h, p.Full), nil
	}
	if p.Expected != nil && *p.Expected != h.hash {
		return nil, wire.Stale()
	}
	if h.rel == store.IndexName {
		return nil, isIndex()
	}
	if err := v.occupied(path, h.id); err != nil {
		return nil, err
	}
	op, notes := "edit", []store.Replacement{{Rel: h.rel, Before: h.text, After: text}}
	if path != h.path() {
		if err := creatable(path[1:]); err != nil {
			return nil, err
		}
		op, notes = opRename, []store.Replacement{
			{Rel: h.rel, Before: h.text},
			{Rel: path[1:], After: text, From: []store.Source{{Note: h.rel, Hash: h.hash}}},
		}
	}
	if _, err := f.st.Bring(by(who), op, notes, store.Refuse); err != nil {
		return nil, f.refused(err, path)
	}
	return f.again(path[1:], p.Full)
}

// isIndex refuses a change of the index: its lines are made of the notes.
func isIndex() error {
	return wire.Invalid("/MEMORY.md is the index of the folder: its lines follow the notes, and are not written")
}

// DeleteMemory removes a note; the journal keeps it.
func (b *Backend) DeleteMemory(ctx context.Context, who apiserver.Who, id, memory string, expected *string) error {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.DeleteMemory(ctx, who, id, memory, expected)
	}
	v, end, err := f.begin()
	if err != nil {
		return err
	}
	defer end()
	h, err := v.byID(memory)
	switch {
	case err != nil:
		return err
	case expected != nil && *expected != h.hash:
		return wire.Stale()
	case h.rel == store.IndexName:
		return isIndex()
	}
	_, err = f.st.Bring(by(who), "forget", []store.Replacement{{Rel: h.rel, Before: h.text}}, store.Refuse)
	if err != nil {
		return f.refused(err, h.path())
	}
	return nil
}

// ListMemories lists notes by the bytes of their paths.
func (b *Backend) ListMemories(ctx context.Context, who apiserver.Who, id string, q apiserver.MemoryQuery) ([]wire.Listed, apiserver.Cursor, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.ListMemories(ctx, who, id, q)
	}
	v, end, err := f.begin()
	if err != nil {
		return nil, "", err
	}
	defer end()
	prefix := "/"
	if q.Prefix != "" {
		prefix = q.Prefix
	}
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
		if q.Depth == 1 && deeper {
			key = prefix + dir + "/"
		}
		if key <= last {
			continue // it was listed, or its folder was
		}
		if len(out) == q.Limit {
			return out, apiserver.Cursor(last), nil
		}
		last = key
		if key != h.path() {
			out = append(out, wire.Listed{Prefix: &wire.MemoryPrefix{Type: "memory_prefix", Path: key}})
		} else {
			out = append(out, wire.Listed{Memory: f.found(h, q.Full)})
		}
	}
	return out, "", nil
}
