package memorytool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"dormouse/store"
)

// Notes keeps memories as the notes of a Dormouse store, beside those that an agent's
// own client writes: with a journal, undo, and lines in the index as far as the store's
// gate lets them. What a model writes is the agent's word, and a text that asks for
// action waits for a person. It is not for use by several goroutines.
type Notes struct {
	Store   *store.Store
	Session string // of the agent, for the journal
}

var _ Folder = (*Notes)(nil)

func (n *Notes) by() store.By { return store.By{Actor: store.Agent, Session: n.Session} }

// List lists the notes and the index.
func (n *Notes) List(context.Context) ([]File, error) {
	items, err := n.Store.List()
	if err != nil {
		return nil, err
	}
	var out []File
	for i := range items {
		if items[i].Note != nil {
			out = append(out, File{Path: items[i].Rel, Size: items[i].Size})
		}
	}
	b, err := n.Store.Read(store.IndexName)
	if errors.Is(err, store.ErrNoNote) {
		return out, nil
	}
	return append(out, File{Path: store.IndexName, Size: int64(len(b))}), err
}

// Read reads a note, or the index.
func (n *Notes) Read(_ context.Context, path string) (string, error) {
	b, err := n.Store.Read(path)
	return string(b), n.told(path, err)
}

// told is an error of the store as a Folder says it, or for the model.
func (n *Notes) told(path string, err error) error {
	switch {
	case errors.Is(err, store.ErrNoNote):
		return fs.ErrNotExist
	case errors.Is(err, store.ErrExists):
		return fs.ErrExist
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrChanged):
		return ErrChanged
	case errors.Is(err, store.ErrName):
		return &Refused{fmt.Sprintf("Error: Memories here are Markdown notes that lie in %s itself: give a name of a-z, 0-9, dots, hyphens and underscores that ends with .md, not %s/%s", Root, Root, path)}
	case errors.Is(err, store.ErrEncoding), errors.Is(err, store.ErrTooLarge), errors.Is(err, store.ErrUnsafe):
		return &Refused{"Error: The note is not taken: " + err.Error()}
	}
	if full, ok := errors.AsType[*store.FullError](err); ok {
		return &Refused{fmt.Sprintf("Error: The index of the notes is full (%d lines): delete or merge notes that are not needed first", full.Lines)}
	}
	return err
}

// Create writes a new note, and its line in the index.
func (n *Notes) Create(_ context.Context, path, text string) error {
	if path == store.IndexName {
		return errIndex
	}
	if _, err := n.Store.Read(path); err == nil {
		return fs.ErrExist
	}
	_, err := n.Store.Bring(n.by(), "remember", []store.Replacement{{Rel: path, After: []byte(text)}}, store.Refuse)
	if errors.Is(err, store.ErrConflict) {
		return fs.ErrExist
	}
	return n.told(path, err)
}

var errIndex = &Refused{"Error: " + Root + "/" + store.IndexName + " is the index of the notes: its lines follow them, and are not written"}

// Write changes a note.
func (n *Notes) Write(_ context.Context, path, before, after string) error {
	if path == store.IndexName {
		return errIndex
	}
	now, err := n.Store.Read(path)
	if err != nil {
		return n.told(path, err)
	}
	if string(now) != before {
		return ErrChanged
	}
	_, err = n.Store.Edit(n.by(), path, []byte(before), []byte(after))
	return n.told(path, err)
}

// Remove removes a note, or all notes of a folder, as one change; the journal keeps
// them.
func (n *Notes) Remove(ctx context.Context, path string) error {
	below, err := n.below(ctx, path)
	if err != nil {
		return err
	}
	var gone []store.Replacement
	for _, rel := range below {
		b, err := n.Store.Read(rel)
		if err != nil {
			return n.told(rel, err)
		}
		gone = append(gone, store.Replacement{Rel: rel, Before: b})
	}
	_, err = n.Store.Bring(n.by(), "forget", gone, store.Refuse)
	return n.told(path, err)
}

// below are the notes of a path: itself, or all in that folder.
func (n *Notes) below(ctx context.Context, path string) ([]string, error) {
	if path == store.IndexName {
		return nil, errIndex
	}
	files, err := n.List(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		if f.Path == path || strings.HasPrefix(f.Path, path+"/") {
			out = append(out, f.Path)
		}
	}
	if len(out) == 0 {
		return nil, fs.ErrNotExist
	}
	return out, nil
}

// Rename renames a note, as one change; what it was made of stays known.
func (n *Notes) Rename(ctx context.Context, from, to string) error {
	if to == store.IndexName {
		return errIndex
	}
	below, err := n.below(ctx, from)
	if err != nil {
		return err
	}
	if len(below) != 1 || below[0] != from {
		return n.told(to, store.ErrName) // folders of notes can't be made
	}
	if _, err := n.below(ctx, to); err == nil {
		return fs.ErrExist
	}
	b, err := n.Store.Read(from)
	if err != nil {
		return n.told(from, err)
	}
	_, err = n.Store.Bring(n.by(), "rename", []store.Replacement{
		{Rel: from, Before: b}, {Rel: to, After: b, From: []store.Source{{Note: from, Hash: store.HashOf(b)}}},
	}, store.Refuse)
	return n.told(to, err)
}
