package claude

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/host"
	"dormouse/startup"
)

var _ host.Wired = Host{}

// Hooks and servers, measured on Client:
//   - hooks of all settings files run. The same handler in two of them runs once
//     (its timeout is no part of it); the same handler in a plugin runs again, and
//     so does the plugin's server beside one of the user's.
//   - of a project, settings.local.json counts from the repository's root also in
//     a session of a subfolder; settings.json only from the start folder.
//   - a hook with "args" is started without a shell: blanks and quotes in a name
//     do no harm.
//   - a matcher of names and bars is a list of exact names.
//   - a program that is not in PATH: each event prints an error, and the session
//     goes on.
//   - the state file keeps the mode it has; the client makes it for its owner alone.
const (
	keyHooks   = "hooks"
	keyServers = "mcpServers"
	keyEntries = "projects" // of stateName: one entry for each repository's root
	keyPlugins = "enabledPlugins"
	keyNoHooks = "disableAllHooks" // documented

	serversName = ".mcp.json"
	pluginName  = "dormouse" // ours: in enabledPlugins "dormouse@MARKETPLACE"

	writingTools = "Write|Edit|MultiEdit|NotebookEdit"

	envPluginRoot = "CLAUDE_PLUGIN_ROOT" // of a plugin's hooks and servers only
)

// FromPlugin tells that the client started this process for a plugin, not for what
// stands in settings.
func FromPlugin(env host.Env) bool { return env.Getenv(envPluginRoot) != "" }

// hookEvents are what Dormouse has something to do at. The client waits for each
// but the last, so the times are short; SessionEnd gets 1.5 s in all unless the
// settings give a hook more (documented).
func hookEvents() []host.HookEvent {
	return []host.HookEvent{
		{Name: "SessionStart", Timeout: 10 * time.Second},
		{Name: "UserPromptSubmit", Timeout: 5 * time.Second},
		{Name: "PreToolUse", Timeout: 5 * time.Second}, // all tools: a person's rules can be about any
		{Name: "PostToolUse", Matcher: writingTools, Timeout: 10 * time.Second},
		{Name: "Stop", Timeout: 10 * time.Second},
		{Name: "PreCompact", Timeout: 10 * time.Second},
		{Name: "SessionEnd", Timeout: 10 * time.Second},
	}
}

// Wiring tells where hooks and servers stand: the user's own in settings.json and
// in the client's state file; a person's own for one project in
// settings.local.json and in that project's entry of the state file; those that a
// repository brings to everybody in its settings.json and .mcp.json.
//
// Where the user's own files are, only the environment says: settings can name
// another folder for the client, and those of a repository must not lead there.
func (Host) Wiring(s host.Session, scope startup.Scope) (*host.Wiring, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	if scope != startup.Project {
		if c.config, err = configFolder(s); err != nil {
			return nil, err
		}
	}
	path, err := c.settingsPath(scope)
	if err != nil {
		return nil, err
	}
	w := &host.Wiring{
		Hooks:  host.Place{Path: path, Keys: []string{keyHooks}, BOM: true},
		Server: host.Place{Path: c.statePath(), Keys: []string{keyServers}, BOM: true},
		Events: hookEvents(), Apart: true, Unit: time.Second, Twice: c.plugin(scope),
	}
	switch scope {
	case startup.Local:
		w.Server.Keys = []string{keyEntries, c.root(), keyServers}
		w.Hooks.Within = c.root()
	case startup.Project:
		w.Server.Path, w.Shared = filepath.Join(c.cwd, serversName), true
		w.Server.Within, w.Hooks.Within = c.cwd, c.cwd
		w.Advice = []string{"Claude Code asks each person once whether a server of " + serversName + " may start."}
	}
	if at := c.hooksOff(); at != "" {
		w.Advice = append(w.Advice, fmt.Sprintf("Claude Code runs no hook at all: %s is true in %s.", keyNoHooks, at))
	}
	return w, nil
}

// hooksOff is the settings file that switches all hooks off, "" for none. The
// strongest layer that says anything decides.
func (c *client) hooksOff() string {
	for _, l := range slices.Backward(c.settings.layers) {
		switch string(l.keys[keyNoHooks]) {
		case "true":
			return l.path
		case "false":
			return ""
		}
	}
	return ""
}

// plugin says that Dormouse's plugin is switched on, and where. The strongest
// layer that names a plugin decides; what is the user's own, no project's.
func (c *client) plugin(scope startup.Scope) string {
	decided := map[string]bool{}
	for _, l := range slices.Backward(c.settings.layers) {
		if scope == startup.User && (l.scope == startup.Project || l.scope == startup.Local) {
			continue
		}
		var on map[string]json.RawMessage
		if json.Unmarshal(l.keys[keyPlugins], &on) != nil {
			continue
		}
		for id, v := range on {
			if name, _, _ := strings.Cut(id, "@"); name != pluginName || decided[id] {
				continue
			}
			decided[id] = true
			if string(v) == "true" {
				return fmt.Sprintf("the plugin %s is switched on in %s and does the same; to switch it off: claude plugin disable %s", id, l.path, id)
			}
		}
	}
	return ""
}
