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
	Name       string
	Session    string
	Transcript string
	Cwd        string
	Source     string // of a session's start: startup, resume, clear, compact
	Prompt     string // of the person
	Tool       string
	input      map[string]json.RawMessage
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
		_, err = io.Copy(io.Discard, r) // what writes it must not fail
		return nil, errors.Join(fmt.Errorf("reading the event: %w", ErrTooLarge), err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &all); err != nil {
		return nil, fmt.Errorf("reading the event: %w", err)
	}
	// Field by field, and each under just its name: what one of them holds must not
	// decide whether a rule sees the others.
	e := &Event{
		Name: name, Session: text(all, "session_id"), Transcript: text(all, "transcript_path"), Cwd: text(all, "cwd"),
		Source: text(all, "source"), Prompt: text(all, "prompt"), Tool: text(all, "tool_name"),
	}
	if json.Unmarshal(all["tool_input"], &e.input) != nil {
		e.input = nil // another tool's own form
	}
	return e, nil
}

// text is a field that is a string, "" for any other.
func text(fields map[string]json.RawMessage, name string) (s string) {
	if json.Unmarshal(fields[name], &s) != nil {
		return ""
	}
	return s
}

// ErrUnknown is an event that nothing is done at.
var ErrUnknown = errors.New("this event is not known")

// ErrTooLarge is an event of more bytes than are read.
var ErrTooLarge = errors.New("it has more than 32 MB")

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
