package apiserver

import "dormouse/internal/apiserver/wire"

// parameter is one of a query, for the OpenAPI document.
type parameter struct {
	name, kind string // "string", "integer", "boolean", "time", "array"
	values     []string
}

func paged(more ...parameter) []parameter {
	return append([]parameter{{name: "limit", kind: "integer"}, {name: "page", kind: "string"}}, more...)
}

func times(names ...string) []parameter {
	var out []parameter
	for _, n := range names {
		out = append(out, parameter{name: "created_at[" + n + "]", kind: "time"})
	}
	return out
}

// operations are all endpoints. Routes and the OpenAPI document are made of them.
func (s *Server) operations() []operation {
	viewed := parameter{name: "view", kind: "string", values: []string{"basic", "full"}}
	archived := parameter{name: "include_archived", kind: "boolean"}
	var ops []operation
	add := func(sc scope, tag string, list ...operation) {
		for _, o := range list {
			o.scope, o.tag = sc, tag
			ops = append(ops, o)
		}
	}
	const stores, memories, versions = "/v1/memory_stores", "/v1/memory_stores/{store}/memories", "/v1/memory_stores/{store}/memory_versions"
	add(memory, "Memory stores",
		operation{method: "POST", path: stores, id: "createMemoryStore", summary: "Make a memory store", in: storeBody{}, out: wire.MemoryStore{}, do: (*call).createStore},
		operation{method: "GET", path: stores, id: "listMemoryStores", summary: "List memory stores, newest first", query: paged(append(times("gte", "lte"), archived)...), out: wire.Page[wire.MemoryStore]{}, do: (*call).listStores},
		operation{method: "GET", path: stores + "/{store}", id: "getMemoryStore", summary: "Read a memory store", out: wire.MemoryStore{}, do: (*call).store},
		operation{method: "POST", path: stores + "/{store}", id: "updateMemoryStore", summary: "Change name, description and metadata", in: storeBody{}, out: wire.MemoryStore{}, do: (*call).updateStore},
		operation{method: "POST", path: stores + "/{store}/archive", id: "archiveMemoryStore", summary: "Archive a memory store, for good", out: wire.MemoryStore{}, do: (*call).archiveStore},
		operation{method: "DELETE", path: stores + "/{store}", id: "deleteMemoryStore", summary: "Delete a memory store with all it holds", out: wire.Gone{}, do: (*call).deleteStore},
	)
	add(memory, "Memories",
		operation{method: "POST", path: memories, id: "createMemory", summary: "Make a memory; never in place of another", query: []parameter{viewed}, in: memoryBody{}, out: wire.Memory{}, do: (*call).createMemory},
		operation{method: "GET", path: memories, id: "listMemories", summary: "List memories by path", query: paged(viewed, parameter{name: "path_prefix", kind: "string"}, parameter{name: "depth", kind: "integer"}), out: wire.Page[wire.Listed]{}, do: (*call).listMemories},
		operation{method: "GET", path: memories + "/{memory}", id: "getMemory", summary: "Read a memory", query: []parameter{viewed}, out: wire.Memory{}, do: (*call).memory},
		operation{method: "POST", path: memories + "/{memory}", id: "updateMemory", summary: "Change content or path", query: []parameter{viewed}, in: memoryPatchBody{}, out: wire.Memory{}, do: (*call).updateMemory},
		operation{method: "DELETE", path: memories + "/{memory}", id: "deleteMemory", summary: "Delete a memory; its versions stay", query: []parameter{{name: "expected_content_sha256", kind: "string"}}, out: wire.Gone{}, do: (*call).deleteMemory},
		operation{
			method: "GET", path: versions, id: "listMemoryVersions", summary: "List versions, newest first",
			query: paged(append(times("gte", "lte"), viewed, parameter{name: "memory_id", kind: "string"}, parameter{name: "session_id", kind: "string"}, parameter{name: "api_key_id", kind: "string"},
				parameter{name: "service_account_id", kind: "string"}, parameter{name: "operation", kind: "string", values: []string{wire.Created, wire.Modified, wire.Deleted}})...),
			out: wire.Page[wire.MemoryVersion]{}, do: (*call).listVersions,
		},
		operation{method: "GET", path: versions + "/{version}", id: "getMemoryVersion", summary: "Read a version", query: []parameter{viewed}, out: wire.MemoryVersion{}, do: (*call).version},
		operation{method: "POST", path: versions + "/{version}/redact", id: "redactMemoryVersion", summary: "Take path and content out of a version", out: wire.MemoryVersion{}, do: (*call).redactVersion},
	)
	if s.c.Models != nil {
		add(dreaming, "Dreams", dreamOperations()...)
	}
	add(managed, "Sessions", s.sessionOperations()...)
	add(managed, "Agents and environments", s.objectOperations()...)
	return ops
}

func (s *Server) sessionOperations() []operation {
	const one = "/v1/sessions/{session}"
	all := times("gte", "gt", "lte", "lt")
	order := parameter{name: "order", kind: "string", values: []string{"asc", "desc"}}
	return []operation{
		{method: "POST", path: "/v1/sessions", id: "createSession", summary: "Make a session, with memory stores attached", in: sessionBody{}, out: SessionObject{}, do: (*call).createSession},
		{
			method: "GET", path: "/v1/sessions", id: "listSessions", summary: "List sessions",
			query: paged(append(all, order, parameter{name: "include_archived", kind: "boolean"}, parameter{name: "agent_id", kind: "string"}, parameter{name: "agent_version", kind: "integer"},
				parameter{name: "memory_store_id", kind: "string"}, parameter{name: "deployment_id", kind: "string"}, parameter{name: "statuses[]", kind: "array"})...),
			out: sessionPage{}, do: (*call).listSessions,
		},
		{method: "GET", path: one, id: "getSession", summary: "Read a session", out: SessionObject{}, do: (*call).session},
		{method: "POST", path: one, id: "updateSession", summary: "Change title and metadata", in: sessionPatchBody{}, out: SessionObject{}, do: (*call).updateSession},
		{method: "DELETE", path: one, id: "deleteSession", summary: "Delete a session with its events", out: wire.Gone{}, do: (*call).deleteSession},
		{method: "POST", path: one + "/archive", id: "archiveSession", summary: "Archive a session", out: SessionObject{}, do: (*call).archiveSession},
		{method: "GET", path: one + "/events", id: "listEvents", summary: "List the events of a session", query: paged(append(all, order, parameter{name: "types[]", kind: "array"})...), out: wire.Page[any]{}, do: (*call).listEvents},
		{method: "POST", path: one + "/events", id: "sendEvents", summary: "Send events", in: eventsBody{}, out: sentEvents{}, do: (*call).sendEvents},
		{method: "GET", path: one + "/events/stream", id: "streamEvents", summary: "Follow the events from now on, as server-sent events", stream: (*call).streamEvents},
		{method: "POST", path: one + "/events/import", id: "importEvents", summary: "Not of the official API: take in a session log of Claude Code, Codex or Gemini CLI, or whole events", in: eventsBody{}, out: map[string]any{}, do: (*call).importEvents, maxBody: s.c.MaxImport},
		{method: "GET", path: one + "/resources", id: "listResources", summary: "List what is attached", query: paged(), out: wire.Page[Resource]{}, do: (*call).listResources},
		{method: "POST", path: one + "/resources", id: "addResource", summary: "Refused: stores are attached when a session is made", do: (*call).noResource},
		{method: "GET", path: one + "/resources/{resource}", id: "getResource", summary: "Nothing: memory stores have no resource id", do: (*call).noResource},
		{method: "POST", path: one + "/resources/{resource}", id: "updateResource", summary: "Nothing: memory stores have no resource id", do: (*call).noResource},
		{method: "DELETE", path: one + "/resources/{resource}", id: "deleteResource", summary: "Nothing: memory stores have no resource id", do: (*call).noResource},
		{method: "GET", path: one + "/threads", id: "listThreads", summary: "None: no agent runs here", out: wire.Page[any]{}, do: (*call).noThreads},
		{method: "GET", path: one + "/threads/{thread}", id: "getThread", summary: "None: no agent runs here", do: (*call).noThreads},
	}
}

func (s *Server) objectOperations() []operation {
	archived := parameter{name: "include_archived", kind: "boolean"}
	const agent, environment = "/v1/agents/{agent}", "/v1/environments/{environment}"
	return []operation{
		{method: "POST", path: "/v1/agents", id: "createAgent", summary: "Keep an agent; it is not run", in: agentBody{}, out: agentObject{}, do: (*call).createAgent},
		{method: "GET", path: "/v1/agents", id: "listAgents", summary: "List agents", query: paged(archived), out: wire.Page[agentObject]{}, do: (*call).listAgents},
		{method: "GET", path: agent, id: "getAgent", summary: "Read an agent", query: []parameter{{name: "version", kind: "integer"}}, out: agentObject{}, do: (*call).agent},
		{method: "POST", path: agent, id: "updateAgent", summary: "Make the next version of an agent", in: agentBody{}, out: agentObject{}, do: (*call).updateAgent},
		{method: "POST", path: agent + "/archive", id: "archiveAgent", summary: "Archive an agent", out: agentObject{}, do: (*call).archiveAgent},
		{method: "GET", path: agent + "/versions", id: "listAgentVersions", summary: "List the versions of an agent", query: paged(), out: wire.Page[agentObject]{}, do: (*call).listAgentVersions},
		{method: "POST", path: "/v1/environments", id: "createEnvironment", summary: "Keep an environment; it is not run", in: environmentBody{}, out: environmentObject{}, do: (*call).createEnvironment},
		{method: "GET", path: "/v1/environments", id: "listEnvironments", summary: "List environments", query: paged(archived), out: wire.Page[environmentObject]{}, do: (*call).listEnvironments},
		{method: "GET", path: environment, id: "getEnvironment", summary: "Read an environment", out: environmentObject{}, do: (*call).environment},
		{method: "POST", path: environment, id: "updateEnvironment", summary: "Change an environment", in: environmentBody{}, out: environmentObject{}, do: (*call).updateEnvironment},
		{method: "DELETE", path: environment, id: "deleteEnvironment", summary: "Delete an environment", out: wire.Gone{}, do: (*call).deleteEnvironment},
		{method: "POST", path: environment + "/archive", id: "archiveEnvironment", summary: "Archive an environment", out: environmentObject{}, do: (*call).archiveEnvironment},
	}
}

func dreamOperations() []operation {
	const dreams = "/v1/dreams"
	archived := parameter{name: "include_archived", kind: "boolean"}
	return []operation{
		{method: "POST", path: dreams, id: "createDream", summary: "Have a store consolidated", in: dreamBody{}, out: wire.Dream{}, do: (*call).createDream},
		{method: "GET", path: dreams, id: "listDreams", summary: "List dreams, newest first", query: paged(append(times("gt", "lt"), archived, parameter{name: "statuses[]", kind: "array"})...), out: wire.Page[wire.Dream]{}, do: (*call).listDreams},
		{method: "GET", path: dreams + "/{dream}", id: "getDream", summary: "Read a dream", out: wire.Dream{}, do: (*call).dream},
		{method: "POST", path: dreams + "/{dream}/cancel", id: "cancelDream", summary: "Cancel a dream", out: wire.Dream{}, do: (*call).cancelDream},
		{method: "POST", path: dreams + "/{dream}/archive", id: "archiveDream", summary: "Archive a dream that has ended", out: wire.Dream{}, do: (*call).archiveDream},
	}
}
