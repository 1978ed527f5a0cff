package mount

import (
	"bytes"
	"errors"
	"fmt"

	"dormouse/internal/apiserver/wire"
	"dormouse/store"
)

// fact is what the API has to know of a content besides its bytes.
type fact struct {
	size   int
	served bool // it is text, and not longer than a memory may be
}

// factOf looks a content over, once.
func (f *folder) factOf(hash string, text []byte) fact {
	known, ok := f.facts[hash]
	if !ok {
		known = fact{len(text), wire.CheckContent(string(text)) == nil}
		f.facts[hash] = known
	}
	return known
}

// text is what a note held at the look. Another program may have changed it since; then
// the journal has it. nil: it is nothing that the API can hold, or is no plain file any
// more.
func (f *folder) text(st *store.Store, h *head) ([]byte, error) {
	if known, ok := f.facts[h.hash]; ok && !known.served || wire.CheckPath(h.path()) != nil {
		return nil, nil
	}
	b, err := st.Read(h.rel)
	switch {
	case errors.Is(err, store.ErrUnsafe), errors.Is(err, store.ErrTooLarge):
		return nil, nil
	case err != nil && !errors.Is(err, store.ErrNoNote):
		return nil, err
	case err != nil || store.HashOf(b) != h.hash:
		if b, err = st.Content(h.hash); errors.Is(err, store.ErrPurged) || errors.Is(err, store.ErrNotKept) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	if !f.factOf(h.hash, b).served {
		return nil, nil
	}
	return append([]byte{}, b...), nil // empty is not nil
}

// found is a note as the API serves it; nil for one that it can't hold.
func (f *folder) found(st *store.Store, h *head, full bool) (*wire.Memory, error) {
	text, err := f.text(st, h)
	if err != nil || text == nil {
		return nil, err
	}
	return f.asMemory(h, text, full), nil
}

func (f *folder) asMemory(h *head, text []byte, full bool) *wire.Memory {
	m := &wire.Memory{
		Type: "memory", ID: h.id, Store: f.store.ID, Path: h.path(), Size: len(text), SHA256: h.hash, Version: h.version,
		CreatedAt: wire.At(h.created), UpdatedAt: wire.At(h.changed),
	}
	if full {
		content := string(text)
		m.Content = &content
	}
	return m
}

// ErrAltered refuses a text that a gate would change.
var ErrAltered = errors.New("holds what looks like a secret, which does not belong into a note")

// Exact is a gate that refuses what the gate behind it would change: over the API a
// memory holds just what was sent, or is not written.
func Exact(behind store.Gate) store.Gate { return exact{behind} }

type exact struct{ store.Gate }

// Text refuses a text that would come back as another.
func (g exact) Text(p store.Proposal) ([]byte, []string, error) {
	text, said, err := g.Gate.Text(p)
	if err == nil && !bytes.Equal(text, p.After) {
		err = fmt.Errorf("it %w", ErrAltered)
	}
	return text, said, err
}
