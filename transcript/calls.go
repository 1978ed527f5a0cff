package transcript

import (
	"strings"
)

// call is what is known of a tool's call when its result comes.
type call struct {
	name   string
	origin Origin // of the result
}

// calls remembers the calls without a result, the last maxCalls of them.
type calls struct {
	open map[string]call
	ids  []string // a ring, in order of coming
	next int
}

const maxCalls = 1024

func (cs *calls) put(id string, c call) {
	if id == "" || len(id) > 256 {
		return
	}
	if cs.open == nil {
		cs.open, cs.ids = map[string]call{}, make([]string, maxCalls)
	}
	delete(cs.open, cs.ids[cs.next])
	cs.ids[cs.next] = id
	cs.next = (cs.next + 1) % maxCalls
	cs.open[id] = c
}

// get gives a call. It stays: a result may come in parts.
func (cs *calls) get(id string) (call, bool) {
	c, ok := cs.open[id]
	return c, ok
}

// originOf is where the result of a tool comes from.
func originOf(tool string, input []byte) Origin {
	name := strings.ToLower(tool)
	switch {
	case strings.HasPrefix(name, "mcp__") && anyOf(name, "memor", "recall", "dormouse", "remember", "knowledge"):
		return Recalled
	case strings.HasPrefix(name, "mcp__") && anyOf(name, "fetch", "brows", "search", "http", "web", "crawl", "scrape", "navigate", "playwright", "puppeteer"):
		return Web
	}
	switch name {
	case "webfetch", "websearch", "web_fetch", "web_search", "google_web_search", "web_search_call", "web.run":
		return Web
	case "read", "grep", "glob", "ls", "notebookread", "read_file", "read_many_files", "search_file_content", "list_directory":
		if readsMemory(input) {
			return Recalled
		}
	case "memory", "save_memory", "search_memory", "recall", "memory_search":
		return Recalled
	}
	return Tool
}

func anyOf(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// readsMemory reports whether a call's input names a note or an instruction file.
func readsMemory(input []byte) bool {
	found := false
	c := &cursor{b: input}
	if c.peek() != '{' {
		return false
	}
	c.members(func(name []byte) {
		switch string(name) {
		case "file_path", "path", "notebook_path", "absolute_path", "dir_path":
			found = found || isRecalled(c.short())
		}
	})
	return found
}

// isRecalled reports whether a file holds instructions or notes.
func isRecalled(path string) bool {
	if path == "" {
		return false
	}
	path = strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	switch base := path[strings.LastIndexByte(path, '/')+1:]; base {
	case "claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "memory.md":
		return true
	}
	dir := path + "/"
	return strings.Contains(dir, "/memory/") || strings.Contains(dir, "/agent-memory") || strings.Contains(dir, "/.claude/rules/") || strings.Contains(dir, "/memories/")
}
