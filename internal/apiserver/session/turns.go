package session

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"dormouse/internal/apiserver"
	"dormouse/transcript"
)

func itoa(n int) string { return strconv.Itoa(n) }

// read is what is read of an event, whatever it is.
type read struct {
	Content json.RawMessage `json:"content"` // a list of blocks, or of some a text
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Use     string          `json:"tool_use_id"`
	MCP     string          `json:"mcp_tool_use_id"`
	Custom  string          `json:"custom_tool_use_id"`
	Failed  *bool           `json:"is_error"`
	Thread  *string         `json:"session_thread_id"`
}

// Turn makes a turn of an event; nil of one in which nothing is said or done. Line is
// its Seq. Only a user.message is a person's. The error is that the event is damaged.
func Turn(session string, e *apiserver.Event) (*transcript.Turn, error) {
	t := &transcript.Turn{Host: "api", Session: session, ID: e.ID, Line: int(e.Seq), Time: e.ProcessedAt, Role: transcript.User}
	b := transcript.Block{Kind: transcript.Text}
	var r read
	if err := json.Unmarshal(e.Body, &r); err != nil {
		return nil, fmt.Errorf("reading the event %s: %w", e.ID, err)
	}
	t.Sidechain = r.Thread != nil && *r.Thread != ""
	switch e.Type {
	case userMessage:
		b.Origin = transcript.Person
	case systemMessage:
		t.Role, b.Origin = transcript.System, transcript.Injected
	case agentMessage:
		t.Role, b.Origin = transcript.Assistant, transcript.Agent
	case toolUse, "agent.mcp_tool_use", "agent.custom_tool_use":
		t.Role = transcript.Assistant
		b = transcript.Block{Kind: transcript.Call, Origin: transcript.Agent, Tool: r.Name, ID: e.ID, Input: r.Input}
		if len(r.Input) > transcript.MaxText {
			b.Input = nil
		}
		t.Blocks = append(t.Blocks, b)
		return t, nil
	case toolResult, "agent.mcp_tool_result", "user.custom_tool_result", "user.tool_result":
		b = transcript.Block{Kind: transcript.Result, Origin: transcript.Tool, ID: r.Use + r.MCP + r.Custom, Failed: r.Failed != nil && *r.Failed}
	default:
		return nil, nil //nolint:nilnil // nothing is said or done
	}
	b.Text = textOf(r.Content)
	if len(b.Text) > transcript.MaxText {
		b.Text, b.Cut = strings.ToValidUTF8(b.Text[:transcript.MaxText], ""), true
	}
	if b.Text == "" && b.Kind == transcript.Text {
		return nil, nil //nolint:nilnil // an image, say
	}
	t.Blocks = append(t.Blocks, b)
	return t, nil
}

// textOf are the texts of a content, a line apart.
func textOf(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var blocks []block
	if json.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" && b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Status is an event that says what state a session is in now: "running", "idle" (its
// turn has ended) or "terminated".
func Status(status string) (apiserver.Event, error) {
	body := map[string]any{"type": "session.status_" + status}
	if status == "idle" {
		body["stop_reason"], body["stop_details"] = map[string]any{"type": "end_turn"}, nil
	}
	return made(body)
}

// Says is an event in which the agent of a session says something.
func Says(text string) (apiserver.Event, error) {
	return made(map[string]any{"type": agentMessage, "content": []block{{"text", text}}})
}

// made is an event whose id and time are given by whoever keeps it.
func made(body map[string]any) (apiserver.Event, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return apiserver.Event{}, err
	}
	return apiserver.Event{Type: body["type"].(string), Body: b, ProcessedAt: time.Time{}}, nil
}
