package apiserver

import (
	"encoding/json"
	"fmt"
	"time"

	"dormouse/internal/apiserver/wire"
)

// Agents and environments are kept and given back, so that programs that make them
// before a session work; nothing here runs an agent.

type agentObject struct {
	Type        string            `json:"type" enum:"agent"`
	ID          string            `json:"id"`
	Version     int               `json:"version"`
	Name        string            `json:"name"`
	Description *string           `json:"description"`
	Model       json.RawMessage   `json:"model"`
	System      *string           `json:"system"`
	Tools       []json.RawMessage `json:"tools"`
	MCPServers  []json.RawMessage `json:"mcp_servers"`
	Skills      []json.RawMessage `json:"skills"`
	Metadata    map[string]string `json:"metadata"`
	CreatedAt   string            `json:"created_at"`
	UpdatedAt   string            `json:"updated_at"`
	ArchivedAt  *string           `json:"archived_at"`
	Multiagent  json.RawMessage   `json:"multiagent"`
	Identity    json.RawMessage   `json:"execution_identity"`
}

// snapshot is the agent as a session has it.
func (a agentObject) snapshot() map[string]any {
	a.fill()
	return map[string]any{
		"type": "agent", "id": a.ID, "version": a.Version, "name": a.Name, "description": a.Description, "model": a.Model, "system": a.System,
		"tools": a.Tools, "mcp_servers": a.MCPServers, "skills": a.Skills, "multiagent": nil, "execution_identity": a.Identity,
	}
}

func (a *agentObject) fill() {
	a.Type = "agent"
	for _, l := range []*[]json.RawMessage{&a.Tools, &a.MCPServers, &a.Skills} {
		if *l == nil {
			*l = []json.RawMessage{}
		}
	}
	if a.Metadata == nil {
		a.Metadata = map[string]string{}
	}
	if len(a.Multiagent) == 0 {
		a.Multiagent = json.RawMessage("null")
	}
	if len(a.Identity) == 0 || string(a.Identity) == "null" {
		a.Identity = json.RawMessage(`{"type":"service_account"}`)
	}
}

type agentBody struct {
	Version     *int               `json:"version,omitempty"` // of an update: the version that it is made of
	Name        *string            `json:"name,omitempty"`
	Model       json.RawMessage    `json:"model,omitempty"`
	Description maybeText          `json:"description,omitempty"`
	System      maybeText          `json:"system,omitempty"`
	Tools       []json.RawMessage  `json:"tools,omitempty"`
	MCPServers  []json.RawMessage  `json:"mcp_servers,omitempty"`
	Skills      []json.RawMessage  `json:"skills,omitempty"`
	Metadata    map[string]*string `json:"metadata,omitempty"`
	Multiagent  json.RawMessage    `json:"multiagent,omitempty"`
	Identity    json.RawMessage    `json:"execution_identity,omitempty"`
}

// apply puts what a request sets into an agent.
func (b *agentBody) apply(a *agentObject) error {
	if b.Name != nil {
		if err := wire.CheckText("name", *b.Name, 1, 256); err != nil {
			return err
		}
		a.Name = *b.Name
	}
	if len(b.Model) > 0 && string(b.Model) != "null" {
		m, err := modelObject(b.Model)
		if err != nil {
			return err
		}
		a.Model = m
	}
	if b.Description.set {
		a.Description = b.Description.text
	}
	if b.System.set {
		a.System = b.System.text
	}
	for _, l := range []struct {
		from []json.RawMessage
		to   *[]json.RawMessage
	}{{b.Tools, &a.Tools}, {b.MCPServers, &a.MCPServers}, {b.Skills, &a.Skills}} {
		if l.from != nil {
			*l.to = l.from
		}
	}
	if len(b.Multiagent) > 0 {
		a.Multiagent = b.Multiagent
	}
	if len(b.Identity) > 0 {
		a.Identity = b.Identity
	}
	var err error
	a.Metadata, err = wire.PatchMetadata(a.Metadata, b.Metadata)
	return err
}

// modelObject is a model as responses have it: always an object.
func modelObject(raw json.RawMessage) (json.RawMessage, error) {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		if err := wire.CheckText("model", id, 1, wire.MaxModel); err != nil {
			return nil, err
		}
		return json.Marshal(map[string]string{"id": id})
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil || json.Unmarshal(o["id"], &id) != nil || id == "" {
		return nil, wire.Invalid("model must be an id, or an object with one")
	}
	return raw, nil
}

func (c *call) createAgent() (any, error) {
	var b agentBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if b.Name == nil || len(b.Model) == 0 {
		return nil, wire.Invalid("name and model are both needed")
	}
	now := stamp(time.Now())
	a := agentObject{ID: wire.NewID(wire.AgentID), Version: 1, CreatedAt: now, UpdatedAt: now}
	if err := b.apply(&a); err != nil {
		return nil, err
	}
	return c.putAgent(&a, time.Time{})
}

func (c *call) putAgent(a *agentObject, archived time.Time) (any, error) {
	a.fill()
	body, err := json.Marshal(a)
	if err != nil {
		return nil, wire.Invalid("a field of the agent is no JSON")
	}
	created, err := time.Parse(time.RFC3339Nano, a.CreatedAt)
	if err != nil {
		return nil, fmt.Errorf("reading the agent %s: %w", a.ID, err)
	}
	return a, c.s.c.Backend.PutObject(c.ctx(), c.who, Object{
		Kind: "agent", ID: a.ID, Name: a.Name, Version: a.Version, Body: body, CreatedAt: created, ArchivedAt: archived,
	})
}

func (c *call) readAgent(version int) (*agentObject, *Object, error) {
	o, err := c.s.c.Backend.Object(c.ctx(), c.who, "agent", c.id("agent"), version)
	if err != nil {
		return nil, nil, err
	}
	a := &agentObject{}
	if err := json.Unmarshal(o.Body, a); err != nil {
		return nil, nil, fmt.Errorf("reading the agent %s: %w", o.ID, err)
	}
	return a, o, nil
}

func (c *call) agent() (any, error) {
	version, err := integer(c.values(), "version", 0, 0, 1<<30)
	if err != nil {
		return nil, err
	}
	a, _, err := c.readAgent(version)
	return a, err
}

func (c *call) updateAgent() (any, error) {
	var b agentBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	a, o, err := c.readAgent(0)
	if err != nil {
		return nil, err
	}
	if !o.ArchivedAt.IsZero() {
		return nil, wire.Invalid("the agent is archived")
	}
	if b.Version != nil && *b.Version != a.Version {
		// The status is that of a conflict; a type of that name is none of an agent's errors.
		return nil, &wire.Error{Status: 409, Type: wire.InvalidRequest, Message: "the agent has another version by now", Again: new(false)}
	}
	if err := b.apply(a); err != nil {
		return nil, err
	}
	a.Version++
	a.UpdatedAt = stamp(time.Now())
	return c.putAgent(a, time.Time{})
}

func (c *call) archiveAgent() (any, error) {
	a, o, err := c.readAgent(0)
	if err != nil || !o.ArchivedAt.IsZero() {
		return a, err
	}
	now := time.Now()
	at := stamp(now)
	a.ArchivedAt, a.UpdatedAt = &at, at
	return c.putAgent(a, now)
}

func (c *call) listObjects(kind, id string) (any, error) {
	q := c.values()
	limit, page, err := c.paging(q, wire.MaxPage)
	if err != nil {
		return nil, err
	}
	archived, err := truth(q, "include_archived")
	if err != nil {
		return nil, err
	}
	if id != "" {
		if _, err := c.s.c.Backend.Object(c.ctx(), c.who, kind, id, 0); err != nil {
			return nil, err
		}
	}
	list, next, err := c.s.c.Backend.ListObjects(c.ctx(), c.who, ObjectQuery{Kind: kind, ID: id, Limit: limit, Page: page, IncludeArchived: archived})
	data := make([]json.RawMessage, 0, len(list))
	for i := range list {
		data = append(data, list[i].Body)
	}
	return pageOf(c, q, data, next), err
}

func (c *call) listAgents() (any, error) { return c.listObjects("agent", "") }

func (c *call) listAgentVersions() (any, error) { return c.listObjects("agent", c.id("agent")) }

func (c *call) listEnvironments() (any, error) { return c.listObjects("environment", "") }

type environmentObject struct {
	Type        string            `json:"type" enum:"environment"`
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Description *string           `json:"description"`
	Config      json.RawMessage   `json:"config"`
	Metadata    map[string]string `json:"metadata"`
	CreatedAt   string            `json:"created_at"`
	UpdatedAt   string            `json:"updated_at"`
	ArchivedAt  *string           `json:"archived_at"`
}

type environmentBody struct {
	Name        *string            `json:"name,omitempty"`
	Description maybeText          `json:"description,omitempty"`
	Config      json.RawMessage    `json:"config,omitempty"`
	Metadata    map[string]*string `json:"metadata,omitempty"`
	Scope       *string            `json:"scope,omitempty"`
}

func (b *environmentBody) apply(e *environmentObject) error {
	if b.Name != nil {
		if err := wire.CheckText("name", *b.Name, 1, 256); err != nil {
			return err
		}
		e.Name = *b.Name
	}
	if b.Description.set {
		e.Description = b.Description.text
	}
	if len(b.Config) > 0 && string(b.Config) != "null" {
		var o struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(b.Config, &o) != nil || o.Type != "self_hosted" && o.Type != "cloud" {
			return wire.Invalid("config must be of type self_hosted or cloud")
		}
		e.Config = b.Config
		if o.Type == "cloud" {
			// What is not said is what the hosted API has by default.
			e.Config = cloudConfig(b.Config)
		}
	}
	if e.Config == nil {
		e.Config = json.RawMessage(`{"type":"self_hosted"}`)
	}
	var err error
	e.Metadata, err = wire.PatchMetadata(e.Metadata, b.Metadata)
	return err
}

// cloudConfig fills in what a cloud environment must have in responses. No sandbox is
// run here; it is kept for who reads it back.
func cloudConfig(raw json.RawMessage) json.RawMessage {
	o := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &o) != nil {
		return raw
	}
	if len(o["networking"]) == 0 || string(o["networking"]) == "null" {
		o["networking"] = json.RawMessage(`{"type":"unrestricted"}`)
	}
	packages := map[string]json.RawMessage{}
	_ = json.Unmarshal(o["packages"], &packages) // what is none is filled in
	for _, k := range []string{"apt", "cargo", "gem", "go", "npm", "pip"} {
		if len(packages[k]) == 0 || string(packages[k]) == "null" {
			packages[k] = json.RawMessage("[]")
		}
	}
	packages["type"] = json.RawMessage(`"packages"`)
	o["packages"], _ = json.Marshal(packages) // of parts that are JSON
	b, err := json.Marshal(o)
	if err != nil {
		return raw
	}
	return b
}

func (c *call) putEnvironment(e *environmentObject, archived time.Time) (any, error) {
	e.Type = "environment"
	body, err := json.Marshal(e)
	if err != nil {
		return nil, wire.Invalid("config is no JSON")
	}
	created, err := time.Parse(time.RFC3339Nano, e.CreatedAt)
	if err != nil {
		return nil, fmt.Errorf("reading the environment %s: %w", e.ID, err)
	}
	return e, c.s.c.Backend.PutObject(c.ctx(), c.who, Object{
		Kind: "environment", ID: e.ID, Name: e.Name, Version: 1, Body: body, CreatedAt: created, ArchivedAt: archived,
	})
}

func (c *call) createEnvironment() (any, error) {
	var b environmentBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if b.Name == nil {
		return nil, wire.Invalid("name is missing")
	}
	now := stamp(time.Now())
	e := environmentObject{ID: wire.NewID(wire.EnvironmentID), CreatedAt: now, UpdatedAt: now}
	if err := b.apply(&e); err != nil {
		return nil, err
	}
	return c.putEnvironment(&e, time.Time{})
}

func (c *call) readEnvironment() (*environmentObject, *Object, error) {
	o, err := c.s.c.Backend.Object(c.ctx(), c.who, "environment", c.id("environment"), 0)
	if err != nil {
		return nil, nil, err
	}
	e := &environmentObject{}
	if err := json.Unmarshal(o.Body, e); err != nil {
		return nil, nil, fmt.Errorf("reading the environment %s: %w", o.ID, err)
	}
	return e, o, nil
}

func (c *call) environment() (any, error) {
	e, _, err := c.readEnvironment()
	return e, err
}

func (c *call) updateEnvironment() (any, error) {
	var b environmentBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	e, o, err := c.readEnvironment()
	if err != nil {
		return nil, err
	}
	if !o.ArchivedAt.IsZero() {
		return nil, wire.Invalid("the environment is archived")
	}
	if err := b.apply(e); err != nil {
		return nil, err
	}
	e.UpdatedAt = stamp(time.Now())
	return c.putEnvironment(e, time.Time{})
}

func (c *call) archiveEnvironment() (any, error) {
	e, o, err := c.readEnvironment()
	if err != nil || !o.ArchivedAt.IsZero() {
		return e, err
	}
	now := time.Now()
	at := stamp(now)
	e.ArchivedAt, e.UpdatedAt = &at, at
	return c.putEnvironment(e, now)
}

func (c *call) deleteEnvironment() (any, error) {
	if err := c.s.c.Backend.DeleteObject(c.ctx(), c.who, "environment", c.id("environment")); err != nil {
		return nil, err
	}
	return wire.Gone{Type: "environment_deleted", ID: c.id("environment")}, nil
}
