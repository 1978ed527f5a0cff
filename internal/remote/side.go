package remote

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"dormouse/store"
	"dormouse/syncer"
)

// side is a memory store as a side of a sync. A note a.md is the memory /a.md.
type side struct {
	c  *Client
	id string

	index memory // the memory that lists the others; the zero memory: none
}

var (
	_ syncer.Remote = (*Client)(nil)
	_ syncer.Index  = (*side)(nil)
)

// Side is a store as one side of a sync.
func (c *Client) Side(id string) syncer.IndexedSide { return &side{c: c, id: id} }

// List tells which memories there are. What is no note says so.
func (s *side) List(ctx context.Context) ([]syncer.File, error) {
	list, err := s.c.memories(ctx, s.id, false)
	if err != nil {
		return nil, err
	}
	s.index = memory{}
	out := make([]syncer.File, 0, len(list))
	seen := map[string]bool{}
	for _, m := range list {
		rel, ok := strings.CutPrefix(m.Path, "/")
		if !ok || m.ID == "" || m.Hash == "" || seen[rel] {
			return nil, errors.New("the server's list holds what can't be a memory")
		}
		seen[rel] = true
		if rel == store.IndexName {
			s.index = m
			continue
		}
		out = append(out, syncer.File{Path: rel, Hash: m.Hash, ID: m.ID, Why: noNote(rel)})
	}
	return out, nil
}

// noNote tells why a memory is not one that a memory folder lists as a note.
func noNote(rel string) string {
	switch {
	case !strings.HasSuffix(rel, ".md"):
		return "it is no Markdown file"
	case rel[0] == '.' || strings.Contains(rel, "/."):
		return "files with a dot in front are no notes"
	case path.Base(rel) == store.IndexName:
		return "it is an index and no note"
	case path.Clean(rel) != rel || strings.HasPrefix(rel, "/"):
		return "it has no path that a folder can have"
	}
	return ""
}

// few memories are read one by one; for more the whole list costs fewer requests.
const few = 10

// Read reads memories and looks that they are what the list said.
func (s *side) Read(ctx context.Context, files []syncer.File) (map[string][]byte, error) {
	out := make(map[string][]byte, len(files))
	take := func(f syncer.File, m memory) {
		if m.Content != nil && store.HashOf([]byte(*m.Content)) == f.Hash {
			out[f.Path] = []byte(*m.Content)
		}
	}
	if len(files) > few {
		list, err := s.c.memories(ctx, s.id, true)
		if err != nil {
			return nil, err
		}
		by := make(map[string]memory, len(list))
		for _, m := range list {
			by[m.ID] = m
		}
		for _, f := range files {
			take(f, by[f.ID])
		}
		return out, nil
	}
	for _, f := range files {
		m, err := s.c.memory(ctx, s.id, f.ID)
		if errors.Is(err, syncer.ErrGone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		take(f, m)
	}
	return out, nil
}

// Holds lets the server decide, but for the index, which is none of the notes.
func (s *side) Holds(f syncer.File) error {
	if path.Base(f.Path) == store.IndexName {
		return errors.New("it is an index and no note")
	}
	return nil
}

// Apply asks for one change after the other. After one that could not be sent the rest
// is not tried: each would wait as long.
func (s *side) Apply(ctx context.Context, changes []syncer.Change) []syncer.Applied {
	out := make([]syncer.Applied, len(changes))
	for n, c := range changes {
		m, err := s.one(ctx, c)
		if err != nil {
			out[n].Err = err
			if _, answered := errors.AsType[*Error](err); !answered && fits(c.Text) == nil {
				for rest := n + 1; rest < len(changes); rest++ {
					out[rest].Err = fmt.Errorf("not sent: %w", err)
				}
				return out
			}
			continue
		}
		if c.Text != nil {
			out[n].File = syncer.File{Path: c.Path, Hash: m.Hash, ID: m.ID}
		}
	}
	return out
}

func (s *side) one(ctx context.Context, c syncer.Change) (memory, error) {
	was := memory{ID: c.Was.ID, Hash: c.Was.Hash}
	switch {
	case c.Text == nil:
		return memory{}, s.c.remove(ctx, s.id, was)
	case c.Was.Hash == "":
		return s.c.create(ctx, s.id, "/"+c.Path, c.Text)
	}
	return s.c.update(ctx, s.id, was, "/"+c.Path, c.Text)
}

// EditIndex changes the list of the store, again where somebody else was faster.
func (s *side) EditIndex(ctx context.Context, edit func(index []byte) ([]byte, error)) (bool, error) {
	const rounds = 3
	var err error
	for range rounds {
		var done bool
		if done, err = s.editIndex(ctx, edit); !errors.Is(err, syncer.ErrChanged) && !errors.Is(err, syncer.ErrGone) {
			return done, err
		}
		if _, err := s.List(ctx); err != nil {
			return false, err
		}
	}
	return false, err
}

func (s *side) editIndex(ctx context.Context, edit func(index []byte) ([]byte, error)) (bool, error) {
	var text string
	if s.index.ID != "" {
		m, err := s.c.memory(ctx, s.id, s.index.ID)
		if err != nil {
			return false, err
		}
		if m.Content == nil || store.HashOf([]byte(*m.Content)) != m.Hash {
			return false, errors.New("the server's answer is not what it says")
		}
		text, s.index = *m.Content, m
	}
	next, err := edit([]byte(text))
	if err != nil || string(next) == text {
		return false, err
	}
	if s.index.ID == "" {
		s.index, err = s.c.create(ctx, s.id, "/"+store.IndexName, next)
	} else {
		s.index, err = s.c.update(ctx, s.id, s.index, "/"+store.IndexName, next)
	}
	return err == nil, err
}
