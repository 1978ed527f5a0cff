package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"dormouse/store"
	"dormouse/syncer"
)

// Limits of the API, as its OpenAPI file in the Go SDK v2.15.0 has them.
const (
	maxContent = 102_400 // bytes of a memory
	maxList    = 10_000  // memories of a store
	page       = 100     // items of a page
	fullPage   = 20      // items of a page with content
)

// memory is one of a store.
type memory struct {
	ID      string  `json:"id"`
	Path    string  `json:"path"`
	Content *string `json:"content"` // not in a basic view
	Hash    string  `json:"content_sha256"`
}

// Store is a memory store.
type Store struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Archived *string `json:"archived_at"`
}

const stores = "/v1/memory_stores"

// Open finds a store by its id, or by its name if just one that is not archived has it.
func (c *Client) Open(ctx context.Context, word string) (syncer.RemoteStore, error) {
	var s Store
	if !strings.ContainsFunc(word, noID) {
		if _, err := c.ask(ctx, http.MethodGet, stores+"/"+word, nil, nil, &s); err == nil {
			return told(s), nil
		} else if !errors.Is(err, syncer.ErrGone) && !isStatus(err, http.StatusBadRequest) {
			return syncer.RemoteStore{}, err
		}
	}
	var found []Store
	err := pages(ctx, func(query url.Values) (string, int, error) {
		var list struct {
			Data []Store `json:"data"`
			Next string  `json:"next_page"`
		}
		query.Set("limit", strconv.Itoa(page))
		_, err := c.ask(ctx, http.MethodGet, stores, query, nil, &list)
		for _, s := range list.Data {
			if s.Name == word && s.Archived == nil {
				found = append(found, s)
			}
		}
		return list.Next, len(list.Data), err
	})
	switch {
	case err != nil:
		return syncer.RemoteStore{}, err
	case len(found) == 0:
		return syncer.RemoteStore{}, fmt.Errorf("%q: %w", word, syncer.ErrGone)
	case len(found) > 1:
		return syncer.RemoteStore{}, fmt.Errorf("%d stores are called %q: give the id of one, as %s", len(found), word, found[0].ID)
	}
	return told(found[0]), nil
}

// noID reports a character that stands in a name and in no id.
func noID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}

func told(s Store) syncer.RemoteStore {
	return syncer.RemoteStore{ID: s.ID, Name: s.Name, Archived: s.Archived != nil}
}

// Create makes a store.
func (c *Client) Create(ctx context.Context, name string) (syncer.RemoteStore, error) {
	var s Store
	_, err := c.ask(ctx, http.MethodPost, stores, nil, map[string]string{"name": name}, &s)
	if err != nil {
		return syncer.RemoteStore{}, err
	}
	return told(s), nil
}

// pages asks for one page after the other, and gives up on a server that never ends.
func pages(_ context.Context, ask func(query url.Values) (next string, items int, err error)) error {
	query := url.Values{}
	for n := 0; n <= maxList; {
		next, items, err := ask(query)
		if err != nil || next == "" {
			return err
		}
		if items == 0 || next == query.Get("page") {
			break
		}
		n += items
		query = url.Values{"page": {next}}
	}
	return errors.New("the server's list does not end")
}

func isStatus(err error, status int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Status == status
}

// memories lists all of a store, with content if full.
func (c *Client) memories(ctx context.Context, id string, full bool) ([]memory, error) {
	var out []memory
	err := pages(ctx, func(query url.Values) (string, int, error) {
		var list struct {
			Data []memory `json:"data"`
			Next string   `json:"next_page"`
		}
		query.Set("view", "basic")
		query.Set("limit", strconv.Itoa(page))
		if full {
			query.Set("view", "full")
			query.Set("limit", strconv.Itoa(fullPage))
		}
		_, err := c.ask(ctx, http.MethodGet, memoriesOf(id), query, nil, &list)
		out = append(out, list.Data...)
		return list.Next, len(list.Data), err
	})
	return out, err
}

func memoriesOf(store string) string { return stores + "/" + url.PathEscape(store) + "/memories" }

func (c *Client) memory(ctx context.Context, id, mem string) (m memory, err error) {
	_, err = c.ask(ctx, http.MethodGet, memoriesOf(id)+"/"+url.PathEscape(mem), url.Values{"view": {"full"}}, nil, &m)
	return m, err
}

// create makes a memory. If an answer was lost, the next try meets what the first one
// made, and that is then found by its path and content.
func (c *Client) create(ctx context.Context, id, path string, text []byte) (memory, error) {
	var m memory
	if err := fits(text); err != nil {
		return m, err
	}
	_, err := c.ask(ctx, http.MethodPost, memoriesOf(id), nil, map[string]string{"path": path, "content": string(text)}, &m)
	if !isStatus(err, http.StatusConflict) {
		return m, err
	}
	list, lerr := c.memories(ctx, id, false)
	for _, had := range list {
		if lerr == nil && had.Path == path && had.Hash == store.HashOf(text) {
			return had, nil
		}
	}
	return m, err
}

// update changes a memory that still holds what was listed. The server takes one that
// holds the new text at the new path already as done.
func (c *Client) update(ctx context.Context, id string, was memory, path string, text []byte) (m memory, err error) {
	if err := fits(text); err != nil {
		return m, err
	}
	_, err = c.ask(ctx, http.MethodPost, memoriesOf(id)+"/"+url.PathEscape(was.ID), nil, map[string]any{
		"path": path, "content": string(text), "precondition": map[string]string{"type": "content_sha256", "content_sha256": was.Hash},
	}, &m)
	return m, err
}

// remove removes a memory that still holds what was listed.
func (c *Client) remove(ctx context.Context, id string, was memory) error {
	var gone struct{}
	retried, err := c.ask(ctx, http.MethodDelete, memoriesOf(id)+"/"+url.PathEscape(was.ID), url.Values{"expected_content_sha256": {was.Hash}}, nil, &gone)
	if retried && isStatus(err, http.StatusNotFound) {
		return nil // the try before did it
	}
	return err
}

// fits tells why a text can't be a memory.
func fits(text []byte) error {
	switch {
	case len(text) > maxContent:
		return fmt.Errorf("it has %d bytes, and a memory at most %d: split it", len(text), maxContent)
	case !utf8.Valid(text):
		return errors.New("it is not UTF-8")
	}
	return nil
}
