package gemini

import (
	"errors"
	"path/filepath"
	"time"

	"dormouse/host"
	"dormouse/startup"
)

var _ host.Wired = Host{}

// Hooks and servers, measured on Client:
//   - both stand in settings.json. A hook is one line for bash (on Windows for
//     PowerShell; source, getShellConfiguration), its timeout counts milliseconds.
//   - seen to run: SessionStart, BeforeAgent, BeforeTool, AfterTool, AfterAgent,
//     SessionEnd. PreCompress runs before every request to the model, whether or
//     not anything is compressed. Names of other clients' events are passed over
//     with a warning at every start.
//   - settings.json may have comments. With a comma behind the last element, or a
//     byte order mark, the client does not start.
//   - what SessionStart adds comes before the prompt in <hook_context>, also in the
//     prompt that BeforeAgent gets.
//   - a server's tool is called mcp_SERVER_TOOL; what it answers reaches the model
//     in <untrusted_context>.
const (
	keyHooks   = "hooks"
	keyServers = "mcpServers"
)

// hookEvents leaves the hooks around tools out, as Dormouse reads this client's
// memory and guards no writes of it, and PreCompress, see above.
func hookEvents() []host.HookEvent {
	return []host.HookEvent{
		{Name: "SessionStart", Timeout: 10 * time.Second},
		{Name: "BeforeAgent", Timeout: 5 * time.Second},
		{Name: "AfterAgent", Timeout: 10 * time.Second},
		{Name: "SessionEnd", Timeout: 10 * time.Second},
	}
}

// Wiring tells where hooks and servers stand: in settings.json below the home
// folder, or in that of a project, which everybody gets.
func (Host) Wiring(s host.Session, scope startup.Scope) (*host.Wiring, error) {
	home, err := homeFolder(s)
	if err != nil {
		return nil, err
	}
	w := &host.Wiring{Events: hookEvents(), Unit: time.Millisecond}
	dir, within := filepath.Join(home, dotFolder), ""
	switch scope {
	case startup.User:
	case startup.Project:
		within, w.Shared = s.Cwd, true
		dir = filepath.Join(s.Cwd, dotFolder)
		w.Advice = []string{"Gemini CLI reads the project's settings only where the folder is trusted."}
	default:
		return nil, errors.New("Gemini CLI has no settings of one person in a project: install for all your projects, or for all who share this one (--shared)") //nolint:staticcheck // a name
	}
	path := filepath.Join(dir, settingsName)
	w.Hooks = host.Place{Path: path, Within: within, Keys: []string{keyHooks}, Comments: true}
	w.Server = host.Place{Path: path, Within: within, Keys: []string{keyServers}, Comments: true}
	return w, nil
}
