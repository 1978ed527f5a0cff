// Package hook is a host's hook event in, its answer out, and what Dormouse keeps
// between the events of one session.
//
// A hook stands in somebody's way: whatever fails in it, the session goes on as if
// it were not there. So there is one error path, the log, and an answer is whole or
// none.
package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
)

// Event is what a host tells of an event. Fields that the host did not give are empty.
type Event struct {
	Name       string          `json:"hook_event_name"`
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Cwd        string          `json:"cwd"`
	Source     string          `json:"source"`  // of a session's start: startup, resume, clear, compact
	Prompt     string          `json:"prompt"`  // of the person
	Reason     string          `json:"reason"`  // of a session's end
	Trigger    string          `json:"trigger"` // of a compaction: manual, auto
	Tool       string          `json:"tool_name"`
	Input      json.RawMessage `json:"tool_input"`
	Response   json.RawMessage `json:"tool_response"`
}

// maxEvent is how many bytes of an event are read. A tool's input holds whole files.
const maxEvent = 32 << 20

// Read reads an event from a host. name is what the command line calls it, which
// counts: the settings say when the program runs.
func Read(r io.Reader, name string) (*Event, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the event: %w", err)
	case len(b) > maxEvent:
		return nil, fmt.Errorf("reading the event: it has more than %d bytes", maxEvent)
	}
	e := &Event{}
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), e); err != nil {
		return nil, fmt.Errorf("reading the event: %w", err)
	}
	e.Name = name
	return e, nil
}

// Tool's inputs, as far as a hook looks at them.
type toolInput struct {
	Command      string `json:"command"`
	FilePath     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
	Path         string `json:"path"`
}

// Command is the command of a call that runs one; "" for others.
func (e *Event) Command() string { return e.input().Command }

// Paths are the files and folders that a call names.
func (e *Event) Paths() []string {
	in := e.input()
	var out []string
	for _, p := range []string{in.FilePath, in.NotebookPath, in.Path} {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

func (e *Event) input() (in toolInput) {
	if json.Unmarshal(e.Input, &in) != nil {
		return toolInput{} // another tool's own form
	}
	return in
}

// ErrUnknown is an event that nothing is done at.
var ErrUnknown = errors.New("this event is not known")

// MaxContext is how long a text for the model may be, in UTF-16 units: a longer one
// is put into a file by Claude Code, which shows a preview (documented; 10,000 since
// 2.1.89's 50,000).
const MaxContext = 10_000

// output is what hosts read of a hook's standard output. Gemini CLI and Codex CLI
// took over Claude Code's form.
type output struct {
	Specific specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event    string `json:"hookEventName"`
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

// Context is the answer that gives the model a text; nil for none, or for one that
// is too long to be shown.
func Context(event, text string) []byte {
	if text == "" || len(utf16.Encode([]rune(text))) > MaxContext {
		return nil
	}
	return encode(output{specific{Event: event, Context: text}})
}

// Decision is the answer that stops a call, or has the person asked: "deny" or "ask".
func Decision(event, decision, reason string) []byte {
	return encode(output{specific{Event: event, Decision: decision, Reason: reason}})
}

func encode(o output) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(o) != nil {
		return nil // strings always can be written
	}
	return b.Bytes()
}
