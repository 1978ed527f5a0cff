// Package host is the one interface through which everything above sees a
// coding agent: where it keeps what, and what a session of it loads. Each agent
// is one package below this one; host/all lists them.
package host

import (
	"time"

	"dormouse/startup"
	"dormouse/store"
)

// Host is one coding agent whose files Dormouse reads in place.
type Host interface {
	Name() string  // short, as in --host: "claude"
	Title() string // for people: "Claude Code"
	// Present tells whether this machine has files of that agent for the user.
	Present(Session) bool
	// Startup tells what a session started so would load. It reads files and
	// never writes or makes one. An error means that nothing can be said at
	// all (no such start folder, no home, a client that would refuse to
	// start); what cannot be read on the way is in the report's problems.
	Startup(Session) (*startup.Report, error)
	// Folder returns the absolute path of one kind of folder, whether it
	// exists or not.
	Folder(Session, Kind) (string, error)
}

// Kind is a kind of folder that a host keeps.
type Kind string

// The kinds of folders.
const (
	MemoryFolder      Kind = "memory"
	TranscriptsFolder Kind = "transcripts"
	ConfigFolder      Kind = "config"
)

// Measured is a host whose rules were measured on one version of the client.
type Measured interface {
	Host
	Measured() string // product and version: "Claude Code 2.1.332"
}

// MemorySwitch is a host whose memory can be turned on and off by Dormouse.
type MemorySwitch interface {
	Host
	// SwitchMemory plans the change of the switch in one scope's settings
	// file. It writes nothing.
	SwitchMemory(s Session, scope startup.Scope, on bool) (*SettingChange, error)
}

// SettingChange is a planned edit of one settings file.
type SettingChange struct {
	Path   string // the settings file; links resolved
	Key    string
	Before []byte // nil: there is no such file yet
	After  []byte
	// Void says which stronger switch keeps the change from having an effect,
	// or is "" when a session started afterwards follows it.
	Void string
}

// Keeper is a host into whose memory Dormouse can write.
type Keeper interface {
	Host
	// IndexLimits are the limits past which the host does not load an index,
	// and the size at which it keeps one itself.
	IndexLimits() store.Limits
	// Global plans where the user's own notes across projects go, and how a
	// session in any project comes to see them. It writes nothing. Errors name
	// the file that is in the way; Dir and Defuse are told all the same, where
	// they can be.
	Global(Session) (*GlobalMemory, error)
}

// GlobalMemory is a store that the user's instructions for every project import.
type GlobalMemory struct {
	Dir    string     // the store's folder, whether it exists or not
	Import FileChange // the user's instructions; Before and After are equal when they import the index already
	Line   string     // the line that imports it, as it would be written
	// Defuse makes a text harmless for the index: in an imported file a word
	// can be an import itself.
	Defuse func(text string) string
	Advice string // what a person needs to know once, a whole sentence; may be ""
}

// FileChange is a planned edit of one file.
type FileChange struct {
	Path   string // links resolved
	Before []byte // nil: there is no such file yet
	After  []byte
}

// Insider is a host that can be told from the environment of the commands that
// its agent runs.
type Insider interface {
	Host
	// Inside tells whether this process was started by a session of the agent,
	// and by which; session is "" where that cannot be told.
	Inside(Env) (session string, inside bool)
}

// Session is a start of the agent that one asks about.
type Session struct {
	Cwd   string // the start folder, absolute; may go through links
	Env   Env
	Flags Flags
	Reads []string // files that the agent would then read, in order; absolute
	Agent string   // subagent whose own memory is asked for, "" for the session itself
	// Thorough also asks for what costs more: the ages of the notes, other
	// folders that share the store's name, stores that no session reads.
	Thorough bool
	// IndexOnly leaves the notes unlisted where an index file says which load: what
	// a hook asks must not cost more with each note.
	IndexOnly bool
	Store     string // this memory folder instead of the host's; "" for the host's
	Now       time.Time
}

// Env is what a host takes from its surroundings.
type Env struct {
	Home   string              // home folder; "" when it is not known
	Getenv func(string) string // environment
	Lookup func(string) (string, bool)
	OS     string // GOOS
	Root   string // prefix for machine-wide policy files, "" outside tests
}

// Flags are the client's own flags that change what loads.
type Flags struct {
	Bare           bool
	SafeMode       bool
	AddDirs        []string
	Settings       string  // a file, or a JSON object
	SettingSources *string // comma list; nil when not given
}

// Memory is a memory folder that a host keeps on this machine, with what tells
// whose it is: the folder's name alone does not.
type Memory struct {
	Dir   string // absolute
	Notes int
	// Roots are the folders that sessions beside it, or the host's own list of
	// projects, were started in, sorted. They may not exist any more.
	Roots []string
	Logs  []string // transcripts beside it, the newest first, a few
}

// Lister is a host that can tell all the memory folders it keeps.
type Lister interface {
	Host
	// Memories lists the folders that hold notes, sorted. It reads the beginning
	// of a few transcripts and writes nothing.
	Memories(Session) ([]Memory, error)
	// SameName lists folders of this machine, but for root, whose memory would
	// lie in dir: names of folders are not unique.
	SameName(dir, root string) []string
}
