package hook

import (
	"encoding/json"
	"strings"
)

// Command is the command of a call that runs one; "" for others. A list of words, as
// Codex CLI and some MCP servers have it, becomes a line of a shell.
func (e *Event) Command() string {
	for _, name := range []string{"command", "cmd"} {
		if c := text(e.input, name); c != "" {
			return c
		}
		var words []string
		if json.Unmarshal(e.input[name], &words) != nil || len(words) == 0 {
			continue
		}
		for i, w := range words {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		return strings.Join(words, " ")
	}
	return ""
}

// Names under which tools take files: those of Claude Code (2.1.332), Codex CLI and
// Gemini CLI, and what MCP servers for files use.
func pathNames() []string {
	return []string{
		"file_path", "notebook_path", "path", "absolute_path", "dir_path", "filename", "file", "filepath", "filePath", "source", "destination", "target",
		"old_path", "new_path", "directory", "paths", "files", "file_paths", "edits",
	}
}

// maxPaths is how many files of one call are looked at.
const maxPaths = 1000

// Paths are the files and folders that a call names: as a text, in a list, or within
// the parts of a list.
func (e *Event) Paths() []string {
	var out []string
	for _, name := range pathNames() {
		out = append(out, pathsIn(e.input[name])...)
	}
	return out[:min(len(out), maxPaths)]
}

func pathsIn(raw json.RawMessage) (out []string) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		if one != "" {
			out = append(out, one)
		}
		return out
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, part := range list[:min(len(list), maxPaths)] {
		var fields map[string]json.RawMessage
		switch {
		case json.Unmarshal(part, &one) == nil && one != "":
			out = append(out, one)
		case json.Unmarshal(part, &fields) == nil:
			for _, name := range pathNames() {
				if p := text(fields, name); p != "" {
					out = append(out, p)
				}
			}
		}
	}
	return out
}
