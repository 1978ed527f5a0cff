// Package apifolder is a memory store on a server as the folder of a memory tool:
// Anthropic's own, or dormoused. It asks by the official SDK.
package apifolder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"

	"dormouse/memorytool"
)

// Folder is a memory store. It may be used by several goroutines, and the store by
// several programs: what changed meanwhile is not overwritten.
type Folder struct {
	Client anthropic.Client
	Store  string // memstore_…
}

var _ memorytool.Folder = (*Folder)(nil)

// memory is one as a list has it.
type memory struct {
	id, path, sha string // the path without its slash in front
	size          int64
}

// list reads what lies below a path, and the path itself.
func (f *Folder) list(ctx context.Context) ([]memory, error) {
	var out []memory
	p := f.Client.Beta.MemoryStores.Memories.ListAutoPaging(ctx, f.Store, anthropic.BetaMemoryStoreMemoryListParams{Limit: anthropic.Int(100)})
	for p.Next() {
		if m := p.Current(); m.Type == "memory" {
			out = append(out, memory{m.ID, strings.TrimPrefix(m.Path, "/"), m.ContentSha256, m.ContentSizeBytes})
		}
	}
	return out, told(p.Err())
}

// told is an error of the API as a Folder says it, or for the model.
func told(err error) error {
	e, ok := errors.AsType[*anthropic.Error](err)
	if !ok {
		return err
	}
	switch e.StatusCode {
	case http.StatusNotFound:
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		return &memorytool.Refused{Text: "Error: The memory store does not take it: " + message(e)}
	case http.StatusConflict:
		if strings.Contains(e.RawJSON(), "memory_path_conflict_error") {
			return fmt.Errorf("%w: %w", fs.ErrExist, err)
		}
		return fmt.Errorf("%w: %w", memorytool.ErrChanged, err)
	}
	return err
}

// message is what the server says is wrong.
func message(e *anthropic.Error) string {
	const begin = `"message":"`
	_, rest, ok := strings.Cut(strings.ReplaceAll(e.RawJSON(), `"message": "`, begin), begin)
	if !ok {
		return "the request is refused"
	}
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

// find is the memory of a path.
func (f *Folder) find(ctx context.Context, path string) (*memory, error) {
	all, err := f.list(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].path == path {
			return &all[i], nil
		}
	}
	return nil, fs.ErrNotExist
}

// below are the memories of a path: itself, or all in that folder.
func (f *Folder) below(ctx context.Context, path string) ([]memory, error) {
	all, err := f.list(ctx)
	if err != nil {
		return nil, err
	}
	var out []memory
	for _, m := range all {
		if m.path == path || strings.HasPrefix(m.path, path+"/") {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil, fs.ErrNotExist
	}
	return out, nil
}

// List lists the memories.
func (f *Folder) List(ctx context.Context) ([]memorytool.File, error) {
	all, err := f.list(ctx)
	out := make([]memorytool.File, 0, len(all))
	for _, m := range all {
		out = append(out, memorytool.File{Path: m.path, Size: m.size})
	}
	return out, err
}

// Read reads a memory.
func (f *Folder) Read(ctx context.Context, path string) (string, error) {
	m, err := f.find(ctx, path)
	if err != nil {
		return "", err
	}
	got, err := f.Client.Beta.MemoryStores.Memories.Get(ctx, m.id, anthropic.BetaMemoryStoreMemoryGetParams{MemoryStoreID: f.Store})
	if err != nil {
		return "", told(err)
	}
	return got.Content, nil
}

// Create makes a memory.
func (f *Folder) Create(ctx context.Context, path, text string) error {
	_, err := f.Client.Beta.MemoryStores.Memories.New(ctx, f.Store, anthropic.BetaMemoryStoreMemoryNewParams{Path: "/" + path, Content: anthropic.String(text)})
	return told(err)
}

// Write replaces a memory that still holds what it was read as.
func (f *Folder) Write(ctx context.Context, path, before, after string) error {
	m, err := f.find(ctx, path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(before))
	_, err = f.Client.Beta.MemoryStores.Memories.Update(ctx, m.id, anthropic.BetaMemoryStoreMemoryUpdateParams{
		MemoryStoreID: f.Store, Content: anthropic.String(after), Precondition: precondition(hex.EncodeToString(sum[:])),
	})
	return told(err)
}

func precondition(sha string) anthropic.BetaManagedAgentsPreconditionParam {
	return anthropic.BetaManagedAgentsPreconditionParam{Type: "content_sha256", ContentSha256: anthropic.String(sha)}
}

// Remove deletes a memory, or each in a folder that is as it was listed.
func (f *Folder) Remove(ctx context.Context, path string) error {
	below, err := f.below(ctx, path)
	for _, m := range below {
		if err != nil {
			return err
		}
		_, err = f.Client.Beta.MemoryStores.Memories.Delete(ctx, m.id, anthropic.BetaMemoryStoreMemoryDeleteParams{MemoryStoreID: f.Store, ExpectedContentSha256: anthropic.String(m.sha)})
		if err = told(err); errors.Is(err, fs.ErrNotExist) {
			err = nil // somebody else did it
		}
	}
	return err
}

// Rename renames a memory, or each in a folder. The API renames one at a time: if one
// fails, those before it have their new names.
func (f *Folder) Rename(ctx context.Context, from, to string) error {
	all, err := f.list(ctx)
	if err != nil {
		return err
	}
	var move []memory
	for _, m := range all {
		switch {
		case m.path == from || strings.HasPrefix(m.path, from+"/"):
			move = append(move, m)
		case m.path == to || strings.HasPrefix(m.path, to+"/"):
			return fs.ErrExist
		}
	}
	if len(move) == 0 {
		return fs.ErrNotExist
	}
	if from == to {
		return fs.ErrExist
	}
	for _, m := range move {
		path := "/" + to + strings.TrimPrefix(m.path, from)
		if _, err := f.Client.Beta.MemoryStores.Memories.Update(ctx, m.id, anthropic.BetaMemoryStoreMemoryUpdateParams{MemoryStoreID: f.Store, Path: anthropic.String(path)}); err != nil {
			return told(err)
		}
	}
	return nil
}
