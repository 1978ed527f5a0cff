package apiserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"dormouse/internal/apiserver/wire"
)

// Switches are the points that the specification leaves open. The zero value is what
// is done by default.
type Switches struct {
	RefuseFullLimit   bool // limit over 20 with view=full: 400, in place of 20
	ConflictOnHead    bool // redacting a head: 409, in place of 400
	AllowMissingBeta  bool // no anthropic-beta header: fine, in place of 400
	InvalidDreamInput bool // a dream's input is not there: 400, in place of 404
	IdempotentCreate  bool // creating what is there with that content: 200, in place of 409
	RequireAgents     bool // unknown agents and environments of a session: 404, in place of taken as given
	MountRoot         string
}

type storeBody struct {
	Name        *string            `json:"name,omitempty"`
	Description *string            `json:"description,omitempty"`
	Metadata    map[string]*string `json:"metadata,omitempty"`
}

func (c *call) storeFields(b storeBody) error {
	if b.Name != nil {
		if err := wire.CheckName(*b.Name); err != nil {
			return err
		}
	}
	if b.Description != nil {
		return wire.CheckText("description", *b.Description, 0, wire.MaxDescription)
	}
	return nil
}

func (c *call) createStore() (any, error) {
	var b storeBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if b.Name == nil {
		return nil, wire.Invalid("name is missing")
	}
	if err := c.storeFields(b); err != nil {
		return nil, err
	}
	in := NewStore{Name: *b.Name}
	if b.Description != nil {
		in.Description = *b.Description
	}
	for _, v := range b.Metadata {
		if v == nil {
			return nil, wire.Invalid("a value of metadata is null")
		}
	}
	var err error
	if in.Metadata, err = wire.PatchMetadata(nil, b.Metadata); err != nil {
		return nil, err
	}
	return c.s.c.Backend.CreateStore(c.ctx(), c.who, in)
}

func (c *call) updateStore() (any, error) {
	var b storeBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if err := c.storeFields(b); err != nil {
		return nil, err
	}
	return c.s.c.Backend.UpdateStore(c.ctx(), c.who, c.id("store"), StorePatch(b))
}

func (c *call) store() (any, error) {
	return c.s.c.Backend.Store(c.ctx(), c.who, c.id("store"))
}

func (c *call) listStores() (any, error) {
	q := c.values()
	limit, page, err := c.paging(q, wire.MaxPage)
	if err != nil {
		return nil, err
	}
	archived, err := truth(q, "include_archived")
	if err != nil {
		return nil, err
	}
	created, err := span(q)
	if err != nil {
		return nil, err
	}
	data, next, err := c.s.c.Backend.ListStores(c.ctx(), c.who, StoreQuery{Limit: limit, Page: page, IncludeArchived: archived, Created: created})
	return pageOf(c, q, data, next), err
}

func (c *call) archiveStore() (any, error) {
	if err := c.noBody(); err != nil {
		return nil, err
	}
	return c.s.c.Backend.ArchiveStore(c.ctx(), c.who, c.id("store"))
}

func (c *call) deleteStore() (any, error) {
	id := c.id("store")
	if err := c.s.c.Backend.DeleteStore(c.ctx(), c.who, id); err != nil {
		return nil, err
	}
	return wire.Gone{Type: "memory_store_deleted", ID: id}, nil
}

type memoryBody struct {
	Path    *string `json:"path"`
	Content *string `json:"content"`
}

func (c *call) createMemory() (any, error) {
	var b memoryBody
	full, err := view(c.values(), "basic")
	if err != nil {
		return nil, err
	}
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if b.Path == nil || b.Content == nil {
		return nil, wire.Invalid("path and content are both needed")
	}
	if err := wire.CheckPath(*b.Path); err != nil {
		return nil, err
	}
	if err := wire.CheckContent(*b.Content); err != nil {
		return nil, err
	}
	m, err := c.s.c.Backend.CreateMemory(c.ctx(), c.who, c.id("store"), *b.Path, *b.Content)
	if e, ok := errors.AsType[*wire.Error](err); ok && c.s.c.Switches.IdempotentCreate && e.Type == wire.PathConflict && *e.ConflictingPath == *b.Path {
		there, again := c.s.c.Backend.Memory(c.ctx(), c.who, c.id("store"), *e.ConflictingMemory, true)
		if again == nil && *there.Content == *b.Content {
			m, err = there, nil
		}
	}
	return viewed(m, full), err
}

// viewed leaves the content out of a memory where it was not asked for.
func viewed(m *wire.Memory, full bool) *wire.Memory {
	if m != nil && !full {
		m.Content = nil
	}
	return m
}

func (c *call) memory() (any, error) {
	full, err := view(c.values(), "full")
	if err != nil {
		return nil, err
	}
	return c.s.c.Backend.Memory(c.ctx(), c.who, c.id("store"), c.id("memory"), full)
}

type preconditionBody struct {
	Type string  `json:"type" enum:"content_sha256"`
	Hash *string `json:"content_sha256,omitempty"`
}

type memoryPatchBody struct {
	Content      *string           `json:"content,omitempty"`
	Path         *string           `json:"path,omitempty"`
	Precondition *preconditionBody `json:"precondition,omitempty"`
}

func (c *call) updateMemory() (any, error) {
	full, err := view(c.values(), "basic")
	if err != nil {
		return nil, err
	}
	var b memoryPatchBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	p := MemoryPatch{Content: b.Content, Path: b.Path, Full: full}
	if b.Content == nil && b.Path == nil {
		return nil, wire.Invalid("content or path is needed")
	}
	if b.Content != nil {
		if err := wire.CheckContent(*b.Content); err != nil {
			return nil, err
		}
	}
	if b.Path != nil {
		if err := wire.CheckPath(*b.Path); err != nil {
			return nil, err
		}
	}
	if b.Precondition != nil {
		if b.Precondition.Type != "content_sha256" || b.Precondition.Hash == nil {
			return nil, wire.Invalid("precondition must be of type content_sha256, with a content_sha256")
		}
		if err := wire.CheckHash(*b.Precondition.Hash); err != nil {
			return nil, err
		}
		p.Expected = b.Precondition.Hash
	}
	m, err := c.s.c.Backend.UpdateMemory(c.ctx(), c.who, c.id("store"), c.id("memory"), p)
	return viewed(m, full), err
}

func (c *call) deleteMemory() (any, error) {
	expected, err := one(c.values(), "expected_content_sha256")
	if err != nil {
		return nil, err
	}
	var want *string
	if expected != "" {
		if err := wire.CheckHash(expected); err != nil {
			return nil, err
		}
		want = &expected
	}
	if err := c.s.c.Backend.DeleteMemory(c.ctx(), c.who, c.id("store"), c.id("memory"), want); err != nil {
		return nil, err
	}
	return wire.Gone{Type: "memory_deleted", ID: c.id("memory")}, nil
}

func (c *call) listMemories() (any, error) {
	q := c.values()
	limit, page, err := c.paging(q, wire.MaxPage)
	if err != nil {
		return nil, err
	}
	m := MemoryQuery{Page: page}
	if m.Full, err = view(q, "basic"); err != nil {
		return nil, err
	}
	if m.Limit, err = c.fullLimit(limit, m.Full); err != nil {
		return nil, err
	}
	if m.Prefix, err = one(q, "path_prefix"); err != nil {
		return nil, err
	}
	if err := wire.CheckPrefix(m.Prefix); err != nil {
		return nil, err
	}
	if m.Depth, err = integer(q, "depth", 0, 0, 1); err != nil {
		return nil, err
	}
	data, next, err := c.s.c.Backend.ListMemories(c.ctx(), c.who, c.id("store"), m)
	return pageOf(c, q, data, next), err
}

func (c *call) version() (any, error) {
	full, err := view(c.values(), "full")
	if err != nil {
		return nil, err
	}
	return c.s.c.Backend.Version(c.ctx(), c.who, c.id("store"), c.id("version"), full)
}

func (c *call) listVersions() (any, error) {
	q := c.values()
	limit, page, err := c.paging(q, wire.MaxPage)
	if err != nil {
		return nil, err
	}
	v := VersionQuery{Page: page}
	if v.Full, err = view(q, "basic"); err != nil {
		return nil, err
	}
	if v.Limit, err = c.fullLimit(limit, v.Full); err != nil {
		return nil, err
	}
	if v.Op, err = choice(q, "operation", "", wire.Created, wire.Modified, wire.Deleted); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		to   *string
	}{{"memory_id", &v.Memory}, {"session_id", &v.Session}, {"api_key_id", &v.APIKey}, {"service_account_id", &v.ServiceAccount}} {
		if *f.to, err = one(q, f.name); err != nil {
			return nil, err
		}
	}
	if v.Created, err = span(q); err != nil {
		return nil, err
	}
	data, next, err := c.s.c.Backend.ListVersions(c.ctx(), c.who, c.id("store"), v)
	return pageOf(c, q, data, next), err
}

func (c *call) redactVersion() (any, error) {
	if err := c.noBody(); err != nil {
		return nil, err
	}
	v, err := c.s.c.Backend.RedactVersion(c.ctx(), c.who, c.id("store"), c.id("version"))
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Type == wire.InvalidRequest && c.s.c.Switches.ConflictOnHead {
		return nil, &wire.Error{Status: http.StatusConflict, Type: wire.Conflict, Message: e.Message, Again: new(false)}
	}
	return v, err
}

// dreamModel is a model as a request names it: an id, or an object.
type dreamModel struct {
	ID    string  `json:"id"`
	Speed *string `json:"speed,omitempty"`
}

// UnmarshalJSON reads either form.
func (m *dreamModel) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &m.ID)
	}
	type plain dreamModel
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(m))
}

type dreamInputBody struct {
	Type     string   `json:"type" enum:"memory_store,sessions"`
	Store    *string  `json:"memory_store_id,omitempty"`
	Sessions []string `json:"session_ids,omitempty"`
}

type dreamBody struct {
	Inputs       []dreamInputBody `json:"inputs"`
	Model        *dreamModel      `json:"model"`
	Instructions *string          `json:"instructions,omitempty"`
	Output       *struct {
		Type  string  `json:"type" enum:"create_new,update_existing"`
		Store *string `json:"memory_store_id,omitempty"`
	} `json:"output_behavior,omitempty"`
}

func (c *call) createDream() (any, error) {
	var b dreamBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	in, err := b.check()
	if err != nil {
		return nil, err
	}
	if err := c.s.c.Models(in.Model); err != nil {
		return nil, wire.Invalid(err.Error())
	}
	d, err := c.s.c.Backend.CreateDream(c.ctx(), c.who, in)
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Type == wire.NotFound && c.s.c.Switches.InvalidDreamInput {
		return nil, wire.Invalid(e.Message)
	}
	return d, err
}

func (b *dreamBody) check() (NewDream, error) {
	var in NewDream
	stores, sessions := 0, 0
	for _, i := range b.Inputs {
		switch {
		case i.Type == "memory_store" && i.Store != nil && i.Sessions == nil:
			stores++
			in.Store = *i.Store
		case i.Type == "sessions" && i.Store == nil:
			sessions++
			in.Sessions = i.Sessions
		default:
			return in, wire.Invalid("an input is a memory_store with its memory_store_id, or sessions with their session_ids")
		}
	}
	if stores != 1 || sessions != 1 {
		return in, wire.Invalid("inputs must be exactly one memory_store and one sessions")
	}
	if len(in.Sessions) < 1 || len(in.Sessions) > wire.MaxSessions {
		return in, wire.Invalid(fmt.Sprintf("session_ids must have 1 to %d ids", wire.MaxSessions))
	}
	in.Sessions = sortedUnique(in.Sessions)
	if in.Sessions == nil {
		return in, wire.Invalid("an id stands twice in session_ids")
	}
	if b.Model == nil {
		return in, wire.Invalid("model is missing")
	}
	if err := wire.CheckText("model", b.Model.ID, 1, wire.MaxModel); err != nil {
		return in, err
	}
	if b.Model.Speed != nil && *b.Model.Speed != "standard" {
		return in, wire.Invalid("speed must be standard")
	}
	in.Model = b.Model.ID
	if b.Instructions != nil {
		if err := wire.CheckText("instructions", *b.Instructions, 1, wire.MaxInstructions); err != nil {
			return in, err
		}
		in.Instructions = b.Instructions
	}
	if o := b.Output; o != nil {
		switch {
		case o.Type == wire.CreateNew && o.Store == nil:
		case o.Type == wire.UpdateExisting && o.Store != nil && *o.Store == in.Store:
			in.Update = true
		default:
			return in, wire.Invalid("output_behavior must be create_new, or update_existing with the memory_store_id of the input")
		}
	}
	return in, nil
}

func (c *call) dream() (any, error) { return c.s.c.Backend.Dream(c.ctx(), c.who, c.id("dream")) }

func (c *call) cancelDream() (any, error) {
	if err := c.noBody(); err != nil {
		return nil, err
	}
	return c.s.c.Backend.CancelDream(c.ctx(), c.who, c.id("dream"))
}

func (c *call) archiveDream() (any, error) {
	if err := c.noBody(); err != nil {
		return nil, err
	}
	return c.s.c.Backend.ArchiveDream(c.ctx(), c.who, c.id("dream"))
}

func (c *call) listDreams() (any, error) {
	q := c.values()
	limit, page, err := c.paging(q, wire.MaxPage)
	if err != nil {
		return nil, err
	}
	d := DreamQuery{Limit: limit, Page: page}
	if d.IncludeArchived, err = truth(q, "include_archived"); err != nil {
		return nil, err
	}
	if d.Statuses, err = several(q, "statuses", wire.Pending, wire.Running, wire.Completed, wire.Failed, wire.Canceled); err != nil {
		return nil, err
	}
	if d.Created, err = span(q); err != nil {
		return nil, err
	}
	data, next, err := c.s.c.Backend.ListDreams(c.ctx(), c.who, d)
	return pageOf(c, q, data, next), err
}

// stamp writes a time as the API does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999Z07:00") }
