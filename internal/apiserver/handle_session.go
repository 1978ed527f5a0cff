package apiserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"dormouse/internal/apiserver/wire"
)

// SessionObject is a session as it is served. What the database has columns for is
// filled in from them.
type SessionObject struct {
	Type        string            `json:"type" enum:"session"`
	ID          string            `json:"id"`
	Status      string            `json:"status" enum:"rescheduling,running,idle,terminated"`
	CreatedAt   string            `json:"created_at"`
	UpdatedAt   string            `json:"updated_at"`
	ArchivedAt  *string           `json:"archived_at"`
	Environment string            `json:"environment_id"`
	Title       *string           `json:"title"`
	Metadata    map[string]string `json:"metadata"`
	Agent       json.RawMessage   `json:"agent"`
	Resources   []Resource        `json:"resources"`
	Vaults      []string          `json:"vault_ids"`
	Outcomes    []string          `json:"outcome_evaluations"`
	Usage       struct{}          `json:"usage"`
	Stats       struct{}          `json:"stats"`
	Budget      *struct{}         `json:"budget"`
}

// Resource is a memory store that is attached. Name and description are those of the
// moment when it was.
type Resource struct {
	Type         string  `json:"type" enum:"memory_store"`
	Store        string  `json:"memory_store_id"`
	Access       string  `json:"access" enum:"read_write,read_only"`
	Name         string  `json:"name"`
	Description  string  `json:"description"`
	Instructions *string `json:"instructions"`
	MountPath    *string `json:"mount_path"`
}

func served(s *Session) (*SessionObject, error) {
	o := &SessionObject{}
	if err := json.Unmarshal(s.Body, o); err != nil {
		return nil, fmt.Errorf("reading the session %s: %w", s.ID, err)
	}
	o.Type, o.ID, o.Status, o.Environment = "session", s.ID, s.Status, s.Environment
	o.CreatedAt, o.UpdatedAt = stamp(s.CreatedAt), stamp(s.UpdatedAt)
	if !s.ArchivedAt.IsZero() {
		at := stamp(s.ArchivedAt)
		o.ArchivedAt = &at
	}
	if o.Metadata == nil {
		o.Metadata = map[string]string{}
	}
	if o.Resources == nil {
		o.Resources = []Resource{}
	}
	if o.Vaults == nil {
		o.Vaults = []string{}
	}
	o.Outcomes = []string{}
	return o, nil
}

type resourceBody struct {
	Type         string  `json:"type" enum:"memory_store"`
	Store        string  `json:"memory_store_id"`
	Access       *string `json:"access,omitempty"`
	Instructions *string `json:"instructions,omitempty"`
}

type sessionBody struct {
	Agent       *agentRef          `json:"agent"`
	Environment string             `json:"environment_id"`
	Title       *string            `json:"title,omitempty"`
	Metadata    map[string]*string `json:"metadata,omitempty"`
	Resources   []resourceBody     `json:"resources,omitempty"`
	Vaults      []string           `json:"vault_ids,omitempty"`
	Initial     []json.RawMessage  `json:"initial_events,omitempty"`
	Budget      json.RawMessage    `json:"budget,omitempty"`
}

// agentRef is an agent as a request names it: an id, or an object.
type agentRef struct {
	ID      string
	Version int
}

// UnmarshalJSON reads either form. What an object overrides does not matter here: no
// agent runs.
func (a *agentRef) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &a.ID)
	}
	var o struct {
		Type    string `json:"type"`
		ID      string `json:"id"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	if o.ID == "" {
		return wire.Invalid("agent needs an id")
	}
	a.ID, a.Version = o.ID, o.Version
	return nil
}

func (c *call) createSession() (any, error) {
	var b sessionBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if b.Agent == nil || b.Agent.ID == "" {
		return nil, wire.Invalid("agent is missing")
	}
	if err := wire.CheckText("environment_id", b.Environment, 1, 128); err != nil {
		return nil, err
	}
	o := SessionObject{Title: b.Title, Vaults: b.Vaults}
	if b.Title != nil {
		if err := wire.CheckText("title", *b.Title, 0, wire.MaxTitle); err != nil {
			return nil, err
		}
	}
	var err error
	if o.Metadata, err = wire.PatchMetadata(nil, b.Metadata); err != nil {
		return nil, err
	}
	agent, version, err := c.agentSnapshot(*b.Agent)
	if err != nil {
		return nil, err
	}
	if err := c.environmentThere(b.Environment); err != nil {
		return nil, err
	}
	o.Agent = agent
	if o.Resources, err = c.attach(b.Resources); err != nil {
		return nil, err
	}
	if len(b.Initial) > wire.MaxInitial {
		return nil, wire.Invalid(fmt.Sprintf("initial_events must be at most %d", wire.MaxInitial))
	}
	events, err := sent(b.Initial, []string{"user.message", "user.define_outcome"})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	s := Session{Status: "idle", Agent: b.Agent.ID, AgentVersion: version, Environment: b.Environment, Body: body}
	for _, r := range o.Resources {
		s.Stores = append(s.Stores, r.Store)
	}
	made, err := c.s.c.Backend.CreateSession(c.ctx(), c.who, s, events)
	if err != nil {
		return nil, err
	}
	return served(made)
}

// attach makes resources of the stores that a session is to have.
func (c *call) attach(in []resourceBody) ([]Resource, error) {
	if len(in) > wire.MaxAttached {
		return nil, wire.Invalid("resources cannot contain more than 8 memory_store entries")
	}
	out := []Resource{}
	taken := map[string]bool{}
	for _, r := range in {
		if r.Type != "memory_store" {
			return nil, wire.Invalid("this server attaches memory stores alone: " + quoted(r.Type) + " is another kind of resource")
		}
		access := "read_write"
		if r.Access != nil {
			access = *r.Access
		}
		if access != "read_write" && access != "read_only" {
			return nil, wire.Invalid("access must be read_write or read_only")
		}
		if r.Instructions != nil {
			if err := wire.CheckText("instructions", *r.Instructions, 0, wire.MaxInstructions); err != nil {
				return nil, err
			}
		}
		if slices.ContainsFunc(out, func(o Resource) bool { return o.Store == r.Store }) {
			return nil, wire.Invalid("a memory store stands twice in resources")
		}
		st, err := c.s.c.Backend.Store(c.ctx(), c.who, r.Store)
		if err != nil {
			return nil, err
		}
		if st.ArchivedAt != nil {
			return nil, wire.Invalid("the memory store is archived")
		}
		out = append(out, Resource{
			Type: "memory_store", Store: r.Store, Access: access, Name: st.Name, Description: st.Description, Instructions: r.Instructions,
			MountPath: mountPath(c.s.c.Switches.MountRoot, st, taken),
		})
	}
	return out, nil
}

// quoted shortens what a client sent, for a message.
func quoted(s string) string { return fmt.Sprintf("%q", s[:min(len(s), 40)]) }

// mountPath is where an agent finds a store: below root by the slug of its name, or
// wherever the client likes, if no root is set.
func mountPath(root string, s *wire.MemoryStore, taken map[string]bool) *string {
	if root == "" {
		return nil
	}
	slug := Slug(s.Name)
	if slug == "" {
		slug = s.ID
	}
	for n, base := 2, slug; taken[slug]; n++ {
		slug = fmt.Sprintf("%s-%d", base, n)
	}
	taken[slug] = true
	p := strings.TrimSuffix(root, "/") + "/" + slug
	return &p
}

// Slug is a name in lowercase with a hyphen for each run of what is neither an ASCII
// letter nor a digit; none at its edges.
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

func (c *call) session() (any, error) {
	s, err := c.s.c.Backend.Session(c.ctx(), c.who, c.id("session"))
	if err != nil {
		return nil, err
	}
	return served(s)
}

type sessionPatchBody struct {
	Title    maybeText          `json:"title,omitempty"`
	Metadata map[string]*string `json:"metadata,omitempty"`
	Vaults   []string           `json:"vault_ids,omitempty"`
	Agent    json.RawMessage    `json:"agent,omitempty"`
	Budget   json.RawMessage    `json:"budget,omitempty"`
}

// maybeText is a field that can be left out, null, or a text.
type maybeText struct {
	set  bool
	text *string
}

// UnmarshalJSON is called for null as well.
func (m *maybeText) UnmarshalJSON(b []byte) error {
	m.set = true
	return json.Unmarshal(b, &m.text)
}

func (c *call) updateSession() (any, error) {
	var b sessionPatchBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if t := b.Title.text; t != nil {
		if err := wire.CheckText("title", *t, 1, wire.MaxTitle); err != nil {
			return nil, err
		}
	}
	s, err := c.s.c.Backend.UpdateSession(c.ctx(), c.who, c.id("session"), func(s *Session) error {
		if !s.ArchivedAt.IsZero() {
			return wire.Invalid("the session is archived")
		}
		o, err := served(s)
		if err != nil {
			return err
		}
		if b.Title.set {
			o.Title = b.Title.text
		}
		if o.Metadata, err = wire.PatchMetadata(o.Metadata, b.Metadata); err != nil {
			return err
		}
		if b.Vaults != nil {
			o.Vaults = b.Vaults
		}
		s.Body, err = json.Marshal(o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return served(s)
}

func (c *call) archiveSession() (any, error) {
	if err := c.noBody(); err != nil {
		return nil, err
	}
	now := time.Now()
	s, err := c.s.c.Backend.UpdateSession(c.ctx(), c.who, c.id("session"), func(s *Session) error {
		if s.ArchivedAt.IsZero() {
			s.ArchivedAt = now
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return served(s)
}

func (c *call) deleteSession() (any, error) {
	if err := c.s.c.Backend.DeleteSession(c.ctx(), c.who, c.id("session")); err != nil {
		return nil, err
	}
	return wire.Gone{Type: "session_deleted", ID: c.id("session")}, nil
}

type sessionPage struct {
	Data []*SessionObject `json:"data"`
	Next *string          `json:"next_page"`
	Prev *string          `json:"prev_page"`
}

func (c *call) listSessions() (any, error) {
	q := c.values()
	limit, page, err := c.paging(q, wire.MaxPage)
	if err != nil {
		return nil, err
	}
	s := SessionQuery{Limit: limit, Page: page}
	if s.IncludeArchived, err = truth(q, "include_archived"); err != nil {
		return nil, err
	}
	order, err := choice(q, "order", "desc", "asc", "desc")
	if err != nil {
		return nil, err
	}
	s.Ascending = order == "asc"
	if s.Statuses, err = several(q, "statuses", "rescheduling", "running", "idle", "terminated"); err != nil {
		return nil, err
	}
	if s.Agent, err = one(q, "agent_id"); err != nil {
		return nil, err
	}
	if s.Store, err = one(q, "memory_store_id"); err != nil {
		return nil, err
	}
	if s.AgentVersion, err = integer(q, "agent_version", 0, 0, 1<<30); err != nil {
		return nil, err
	}
	if s.Created, err = span(q); err != nil {
		return nil, err
	}
	list, next, prev, err := c.s.c.Backend.ListSessions(c.ctx(), c.who, s)
	if err != nil {
		return nil, err
	}
	out := sessionPage{Data: []*SessionObject{}, Next: c.wrap(q, next), Prev: c.wrap(q, prev)}
	if d, err := one(q, "deployment_id"); err != nil {
		return nil, err
	} else if d != "" {
		return sessionPage{Data: []*SessionObject{}}, nil // no session here has a deployment
	}
	for i := range list {
		o, err := served(&list[i])
		if err != nil {
			return nil, err
		}
		out.Data = append(out.Data, o)
	}
	return out, nil
}

func (c *call) listResources() (any, error) {
	q := c.values()
	if _, _, err := c.paging(q, wire.MaxPage); err != nil {
		return nil, err
	}
	s, err := c.s.c.Backend.Session(c.ctx(), c.who, c.id("session"))
	if err != nil {
		return nil, err
	}
	o, err := served(s)
	if err != nil {
		return nil, err
	}
	return wire.Page[Resource]{Data: o.Resources}, nil // 8 at most: one page
}

func (c *call) noResource() (any, error) {
	if _, err := c.s.c.Backend.Session(c.ctx(), c.who, c.id("session")); err != nil {
		return nil, err
	}
	if c.r.Method == http.MethodPost && c.id("resource") == "" {
		return nil, wire.Invalid("memory stores are attached when a session is made, and this server has no other resources")
	}
	return nil, wire.Missing("the resource")
}

func (c *call) noThreads() (any, error) {
	if _, err := c.s.c.Backend.Session(c.ctx(), c.who, c.id("session")); err != nil {
		return nil, err
	}
	if c.id("thread") != "" {
		return nil, wire.Missing("the thread")
	}
	return wire.Page[struct{}]{Data: []struct{}{}}, nil
}

// agentSnapshot is the agent of a session as it is now.
func (c *call) agentSnapshot(ref agentRef) (json.RawMessage, int, error) {
	if err := wire.CheckText("agent", ref.ID, 1, 128); err != nil {
		return nil, 0, err
	}
	o, err := c.s.c.Backend.Object(c.ctx(), c.who, "agent", ref.ID, ref.Version)
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Type == wire.NotFound && !c.s.c.Switches.RequireAgents {
		b, err := standIn(ref.ID, max(ref.Version, 1), "none")
		return b, max(ref.Version, 1), err
	}
	if err != nil {
		return nil, 0, err
	}
	if !o.ArchivedAt.IsZero() {
		return nil, 0, wire.Invalid("the agent is archived")
	}
	var a agentObject
	if err := json.Unmarshal(o.Body, &a); err != nil {
		return nil, 0, fmt.Errorf("reading the agent %s: %w", o.ID, err)
	}
	b, err := json.Marshal(a.snapshot())
	return b, o.Version, err
}

// standIn is the snapshot of an agent that was not made here.
func standIn(id string, version int, model string) (json.RawMessage, error) {
	name, err := json.Marshal(map[string]string{"id": model})
	if err != nil {
		return nil, err
	}
	a := agentObject{ID: id, Version: version, Name: id, Model: name}
	return json.Marshal(a.snapshot())
}

// DreamSession is the session that tells of a dream, as the Body of a Session: it has
// the stores that the dream reads and writes attached.
func DreamSession(title, agent, model string, stores ...Resource) (json.RawMessage, error) {
	snapshot, err := standIn(agent, 1, model)
	if err != nil {
		return nil, err
	}
	return json.Marshal(SessionObject{Title: &title, Agent: snapshot, Resources: stores})
}

func (c *call) environmentThere(id string) error {
	if !c.s.c.Switches.RequireAgents {
		return nil
	}
	_, err := c.s.c.Backend.Object(c.ctx(), c.who, "environment", id, 0)
	return err
}

// sortedUnique sorts ids; nil where one stands twice.
func sortedUnique(ids []string) []string {
	ids = slices.Sorted(slices.Values(ids))
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		return nil
	}
	return ids
}
