package transcript

import (
	"encoding/json"
	"errors"
	"time"
)

// Role is who speaks in a turn, as the log has it.
type Role string

// The roles.
const (
	User      Role = "user" // the person, or what the host puts into their mouth: see Origin
	Assistant Role = "assistant"
	System    Role = "system"
)

// Origin is where the text of one block came from. The role does not tell: a
// host writes tool results, reminders, summaries and recalled notes as user turns.
type Origin string

// The origins of blocks.
const (
	Person   Origin = "person"   // typed by the person
	Agent    Origin = "agent"    // written by the model
	Tool     Origin = "tool"     // a tool's result
	Web      Origin = "web"      // the result of a tool that reads the web
	Injected Origin = "injected" // put in by the host: reminders, command output, hooks, file contents, notifications
	Recalled Origin = "recalled" // notes or instructions that the host or a memory tool brought in
	Summary  Origin = "summary"  // a compaction's summary of what was said before
)

// Kind is what a block is.
type Kind string

// The kinds of blocks.
const (
	Text     Kind = "text"
	Thinking Kind = "thinking"
	Call     Kind = "call"   // of a tool
	Result   Kind = "result" // of a call
	Other    Kind = "other"  // an image, a document, what is not known; without its bytes
)

// Block is one part of a turn.
type Block struct {
	Kind   Kind
	Origin Origin
	Text   string          // of Text, Thinking and Result; at most MaxText bytes, see Cut
	Cut    bool            // Text is not whole
	Tool   string          // the tool's name, of Call and (where known) Result
	ID     string          // joins Call and Result
	Input  json.RawMessage // of Call; nil when it was over MaxText
	Failed bool            // of Result: the tool says that it failed, or the person refused or interrupted it
}

// Turn is one message of a session.
type Turn struct {
	Host    string // "claude", "codex", "gemini"
	Version string // of the host, as the log says
	Session string
	Agent   string // of a subagent: its id or name
	ID      string // of the message, unique over copies of a session; "" where the host has none
	Parent  string
	Line    int // of the log, 1-based
	Role    Role
	Time    time.Time
	Cwd     string
	Branch  string
	// Source is how a prompt came, as the host says: Claude Code has "typed",
	// "queued" (typed while it worked), "feedback" (typed when a call was refused: the
	// turn holds the result too), and "sdk" (headless: what was piped in stands
	// in the same text, so a program may have written part of it); Codex has "cli",
	// "vscode" and "exec" (headless). "" where it does not say.
	Source string
	// Sidechain tells a subagent's turn. (A branch of the conversation that was left
	// shows only in Parent: that it was left is written further down.)
	Sidechain bool
	// Compacted tells that what came before was replaced by a summary here.
	Compacted bool
	Blocks    []Block
	// Wrote is a file that the tool of this turn's result wrote, and what it held
	// afterwards, as the host says.
	Wrote   string
	Content []byte
}

// MaxText is how much of a block's text is kept, in bytes.
const MaxText = 64 << 10

// ErrFormat is returned for a log in a format that is not known; the error says
// which host and version wrote it, as far as that can be told.
var ErrFormat = errors.New("this format of session log is not known")
