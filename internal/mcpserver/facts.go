package mcpserver

import (
	"encoding/json"
	"strings"

	"dormouse/host"
)

// What clients do, as they were seen to do it against a server that wrote down
// what it was sent:
//
//   - Claude Code 2.1.332 starts the server in the session's folder, with
//     CLAUDE_PROJECT_DIR and its session in the environment, asks server/discover
//     with protocol 2026-07-28 first, and answers roots/list with that folder.
//   - Codex CLI 0.171.0 has no roots (it answers with an empty list). Each call of a
//     tool names the session, and, for a server that declares the experimental
//     capability below, the session's folder.
//   - Gemini CLI 0.61.0 answers roots/list with its workspace's folders, and speaks
//     protocol 2025-06-18.
const (
	claudeProject = "CLAUDE_PROJECT_DIR"

	codexSandbox = "codex/sandbox-state-meta" // capability, and key of a call's _meta
	codexFolder  = "sandboxCwd"               // within it: a file URI
	codexSession = "sessionId"                // key of a call's _meta
)

// codexSays reads what Codex tells with a call. What is not there is "".
func codexSays(meta map[string]any) (folder, session string) {
	if state, ok := meta[codexSandbox].(map[string]any); ok {
		uri, _ := state[codexFolder].(string)
		folder, _ = fileOf(uri)
	}
	session, _ = meta[codexSession].(string)
	if !isID(session) {
		session = ""
	}
	return folder, session
}

// isID keeps what goes into notes as a session from being anything else.
func isID(s string) bool {
	const longest = 64
	return s != "" && len(s) <= longest && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == ""
}

// inClaude is the folder of the Claude Code session that started this process; "":
// none did.
func inClaude(env host.Env) string { return env.Getenv(claudeProject) }

// experimental are the capabilities that the server declares for single clients.
func experimental() map[string]any {
	return map[string]any{codexSandbox: json.RawMessage("{}")}
}
