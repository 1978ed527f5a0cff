package host

import (
	"time"

	"dormouse/startup"
)

// Wired is a host that can be told to run a program at the events of a session
// (hooks), and to start servers of the Model Context Protocol.
type Wired interface {
	Host
	// Wiring tells where the settings of one scope have both. It reads settings
	// and writes nothing. The error says that the host has no such scope, or that
	// its folder cannot be told.
	Wiring(s Session, scope startup.Scope) (*Wiring, error)
}

// Wiring is where hooks and servers of one scope stand, and how they are written.
type Wiring struct {
	Hooks  Place // Keys lead to the object of events
	Server Place // Keys lead to the object, or the table, of servers

	// Events are those that are worth a process of Dormouse, in the order in
	// which a session has them.
	Events []HookEvent
	// Apart: a hook's program and its arguments are written apart, and no shell
	// reads them. Otherwise a hook is one line for the system's shell.
	Apart bool
	// Unit is what a hook's timeout counts.
	Unit time.Duration

	// Shared: other people get these settings too, through the repository.
	Shared bool
	// Twice says what does the same already, such as a plugin, with the file that
	// switches it on and the way to switch it off; "" when nothing does.
	Twice string
	// Advice is what the person has to do once before it works, whole sentences.
	Advice []string
}

// Place is where in a settings file something stands.
type Place struct {
	Path string
	Keys []string
	TOML bool // else JSON
	// What the host reads in its JSON beyond strict JSON. With anything else it
	// ignores the whole file, or does not start.
	Comments bool
	BOM      bool // a byte order mark
	// Within is the project's folder for a file of a project, "" for others. What a
	// repository brings can be a link, and must not lead out of it: installing into
	// one project would write the user's own files.
	Within string
}

// HookEvent is one event of a session.
type HookEvent struct {
	Name    string // as the host calls it
	Matcher string // the tools, as the host names them; "" for all, or where there are none
	Timeout time.Duration
}
