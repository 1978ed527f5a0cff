package codex

import (
	"errors"
	"path/filepath"
	"time"

	"dormouse/host"
	"dormouse/startup"
)

var _ host.Wired = Host{}

// Hooks and servers, measured on Client:
//   - hooks.json beside config.toml has Claude Code's form, its event names and
//     its stdin, but a hook is one line for the shell: "args" is not read. (The
//     same can stand in config.toml; a file of its own leaves that one alone.) With
//     a comment or a byte order mark in it, it is passed over with a warning.
//   - a hook runs only after the person has trusted it in the client (/hooks); one
//     that is new or changed is passed over without a word. Dormouse never writes
//     that trust.
//   - seen to run: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop,
//     SessionEnd; PreCompact is accepted, and was not seen. SessionEnd gets 3 s,
//     whatever is set. apply_patch in a shell command gives no PostToolUse.
//   - a project's .codex counts where the project is trusted.
const (
	hooksName  = "hooks.json"
	keyHooks   = "hooks"
	keyServers = "mcp_servers"
)

// hookEvents leaves the hooks around tools out: Dormouse reads this client's
// memory and guards no writes of it, so each would be a process for nothing.
func hookEvents() []host.HookEvent {
	return []host.HookEvent{
		{Name: "SessionStart", Timeout: 10 * time.Second},
		{Name: "UserPromptSubmit", Timeout: 5 * time.Second},
		{Name: "Stop", Timeout: 10 * time.Second},
		{Name: "SessionEnd", Timeout: 3 * time.Second},
	}
}

// Wiring tells where hooks and servers stand: hooks.json and config.toml, in the
// client's own folder or in that of a project, which everybody gets.
func (Host) Wiring(s host.Session, scope startup.Scope) (*host.Wiring, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	dir, within := c.home, ""
	w := &host.Wiring{Events: hookEvents(), Unit: time.Second}
	switch scope {
	case startup.User:
	case startup.Project:
		within, w.Shared = c.rep.Cwd, true
		dir = filepath.Join(c.rep.Cwd, homeName)
		w.Advice = append(w.Advice, "Codex reads the project's own folder only where the project is trusted.")
	default:
		return nil, errors.New("Codex CLI has no settings of one person in a project: install for all your projects, or for all who share this one (--shared)") //nolint:staticcheck // a name
	}
	w.Hooks = host.Place{Path: filepath.Join(dir, hooksName), Within: within, Keys: []string{keyHooks}}
	w.Server = host.Place{Path: filepath.Join(dir, configName), Within: within, Keys: []string{keyServers}, TOML: true}
	w.Advice = append(w.Advice, "Codex passes over new and changed hooks until you have trusted them: type /hooks in it.")
	return w, nil
}
