package guard

import "strings"

// effect is what a tool does to the files it is given.
type effect uint8

const (
	runs    effect = 1 << iota // a command
	reads                      // files
	changes                    // files
)

// patchTool is Codex CLI's tool that is given a patch and no paths.
const patchTool = "apply_patch"

// toolEffect knows the tools of Claude Code (2.1.332, measured in its requests),
// Codex CLI and Gemini CLI (documentation and sources of 2026), and guesses by the
// name for those of MCP servers. A tool that is not known may do both to a file.
func toolEffect(name string) effect {
	switch name {
	case "Bash", "PowerShell", "Monitor", // Claude Code
		"shell", "local_shell", "shell_command", "exec_command", "unified_exec", "container.exec", // Codex CLI
		"run_shell_command": // Gemini CLI
		return runs | reads | changes
	case "Edit", "Write", "MultiEdit", "NotebookEdit", patchTool, "write_file", "replace", "edit":
		return changes
	case "Read", "NotebookRead", "Grep", "Glob", "LS",
		"read_file", "read_many_files", "list_directory", "list_dir", "glob", "grep_files", "search_file_content", "grep_search", "view_image":
		return reads
	}
	last := strings.ToLower(name[strings.LastIndex(name, "__")+1:])
	for _, verb := range []string{"write", "edit", "create", "delete", "remove", "move", "rename", "patch", "update", "replace", "insert", "append"} {
		if strings.Contains(last, verb) {
			return changes
		}
	}
	for _, verb := range []string{"read", "get", "list", "search", "view", "find", "grep"} {
		if strings.Contains(last, verb) {
			return reads
		}
	}
	return reads | changes
}
