// Package session turns the session logs of coding agents into the events that the
// API serves, and events back into the turns that extraction reads.
//
// What of a log is not a person's own words becomes no user.message: tool results,
// reminders, recalled notes and summaries stand in logs as the user's turns, and an
// event of that type counts as what a person said.
package session

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/transcript"
)

// The types of events that are made of a log, or read for a dream; see the
// specification of the API, section 7.
const (
	userMessage   = "user.message"
	systemMessage = "system.message"
	agentMessage  = "agent.message"
	agentThinking = "agent.thinking"
	toolUse       = "agent.tool_use"
	toolResult    = "agent.tool_result"
)

// block is a text in the content of an event.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// event is the JSON of the events that are made here.
type event struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	At      wire.Time       `json:"processed_at"`
	Content []block         `json:"content,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Use     string          `json:"tool_use_id,omitempty"`
	Failed  *bool           `json:"is_error,omitempty"`
}

// Import reads a session log of any host that package transcript knows. Importing a
// log again, or one that has grown, gives the same events the same ids. A turn
// without a time has that of the one before it. The error is that of transcript.Read.
func Import(r io.Reader) ([]apiserver.Event, error) {
	im := importer{last: time.Unix(0, 0).UTC()}
	_, err := transcript.Read(r, nil, im.turn)
	return im.out, err
}

type importer struct {
	out  []apiserver.Event
	last time.Time
}

func (im *importer) turn(t *transcript.Turn) error {
	if !t.Time.IsZero() {
		im.last = t.Time.UTC().Truncate(time.Microsecond)
	}
	for i := range t.Blocks {
		b := &t.Blocks[i]
		e, ok := im.event(t, b)
		if !ok {
			continue
		}
		e.At = wire.At(im.last)
		e.ID = im.id(t, i)
		if b.Kind == transcript.Call && b.ID != "" {
			e.ID = im.callID(t, b.ID)
		}
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		im.out = append(im.out, apiserver.Event{ID: e.ID, Type: e.Type, ProcessedAt: im.last, Body: body})
	}
	return nil
}

// event is what a block is as an event. A subagent's prompts are another agent's
// words, and its answers were not said to the person.
func (im *importer) event(t *transcript.Turn, b *transcript.Block) (e event, ok bool) {
	text := strings.TrimSpace(b.Text) != ""
	switch {
	case t.Sidechain:
		return event{Type: systemMessage, Content: []block{{"text", b.Text}}}, b.Kind == transcript.Text && text
	case b.Kind == transcript.Thinking:
		return event{Type: agentThinking}, true
	case b.Kind == transcript.Call:
		return event{Type: toolUse, Name: orUnknown(b.Tool), Input: objectOf(b.Input)}, true
	case b.Kind == transcript.Result:
		e := event{Type: toolResult, Use: im.callID(t, b.ID), Failed: &b.Failed}
		if text {
			e.Content = []block{{"text", b.Text}}
		}
		return e, true
	case b.Kind != transcript.Text || !text:
		return event{}, false
	case b.Origin == transcript.Person && t.Role == transcript.User:
		e.Type = userMessage
	case b.Origin == transcript.Agent && t.Role == transcript.Assistant:
		e.Type = agentMessage
	default:
		e.Type = systemMessage
	}
	e.Content = []block{{"text", b.Text}}
	return e, true
}

func orUnknown(tool string) string {
	if tool == "" {
		return "unknown"
	}
	return tool
}

// objectOf makes an input an object, as the schema of the event wants it.
func objectOf(raw json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) == nil && o != nil {
		return raw
	}
	if !json.Valid(raw) {
		return json.RawMessage("{}")
	}
	return json.RawMessage(`{"input":` + string(raw) + "}")
}

// id is that of a block: of its message's id, which copies of a session share, or of
// its line where the host has none.
func (im *importer) id(t *transcript.Turn, n int) string {
	key := t.ID
	if key == "" {
		key = "line " + itoa(t.Line)
	}
	return im.fixed(t.Host, t.Session, key, itoa(n))
}

// callID is that of a call, by which its result names it.
func (im *importer) callID(t *transcript.Turn, id string) string {
	return wire.FixedID(wire.EventID, time.Unix(0, 0), bits(t.Host, t.Session, "call", id))
}

func (im *importer) fixed(parts ...string) string {
	return wire.FixedID(wire.EventID, im.last, bits(parts...))
}

func bits(parts ...string) [10]byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return [10]byte(sum[:10])
}
