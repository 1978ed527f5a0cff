package modelserver

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Form is a wire form.
type Form string

// The wire forms.
const (
	Anthropic Form = "anthropic"
	OpenAI    Form = "openai"
	Ollama    Form = "ollama"
)

// Forms lists them.
func Forms() []Form { return []Form{Anthropic, OpenAI, Ollama} }

func (f Form) streamType() string {
	if f == Ollama {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}

// Request is what a client asked.
type Request struct {
	N         int // from 1
	Form      Form
	Header    http.Header
	Body      json.RawMessage // as sent
	Model     string
	Stream    bool
	System    string
	Turns     []Turn
	Tools     []string        // their names
	Schema    json.RawMessage // of the answer, where the form has a field for it
	MaxTokens int

	streamUsage bool // OpenAI tells the usage of a stream only when asked
}

// Turn is one message of a request.
type Turn struct {
	Role    string
	Text    string   // all of it, tool results included
	Calls   []string // ids of tool calls made
	Results []string // ids of tool calls answered
}

// Last is the text of the last turn.
func (r Request) Last() string {
	if len(r.Turns) == 0 {
		return ""
	}
	return r.Turns[len(r.Turns)-1].Text
}

type wireTool struct {
	Name     string `json:"name"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

type wireTurn struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID string `json:"id"`
	} `json:"tool_calls"`
}

type wireRequest struct {
	Model         string          `json:"model"`
	Stream        *bool           `json:"stream"`
	System        json.RawMessage `json:"system"`
	Messages      []wireTurn      `json:"messages"`
	Tools         []wireTool      `json:"tools"`
	MaxTokens     int             `json:"max_tokens"`
	MaxCompletion int             `json:"max_completion_tokens"`
	Format        json.RawMessage `json:"format"`
	OutputConfig  struct {
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
	ResponseFormat struct {
		JSONSchema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Options struct {
		NumPredict int `json:"num_predict"`
	} `json:"options"`
}

func read(form Form, header http.Header, body []byte) (Request, error) {
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return Request{}, err
	}
	r := Request{
		Form: form, Header: header.Clone(), Body: body, Model: w.Model,
		// Ollama streams unless told not to.
		Stream:    w.Stream != nil && *w.Stream || w.Stream == nil && form == Ollama,
		MaxTokens: max(w.MaxTokens, w.MaxCompletion, w.Options.NumPredict), streamUsage: w.StreamOptions.IncludeUsage,
	}
	switch form {
	case Anthropic:
		r.Schema = w.OutputConfig.Format.Schema
	case OpenAI:
		r.Schema = w.ResponseFormat.JSONSchema.Schema
	case Ollama:
		r.Schema = w.Format
	}
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Name+t.Function.Name) // a form has one of them
	}
	system, _ := content(w.System)
	r.System = system
	for _, m := range w.Messages {
		r.add(m)
	}
	return r, nil
}

func (r *Request) add(m wireTurn) {
	text, blocks := content(m.Content)
	if m.Role == "system" || m.Role == "developer" {
		r.System += text
		return
	}
	t := Turn{Role: m.Role, Text: text}
	for _, c := range m.ToolCalls {
		t.Calls = append(t.Calls, c.ID)
	}
	if m.ToolCallID != "" {
		t.Results = append(t.Results, m.ToolCallID)
	}
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			t.Calls = append(t.Calls, b.ID)
		case "tool_result":
			t.Results = append(t.Results, b.ToolUseID)
		}
	}
	r.Turns = append(r.Turns, t)
}

type wireBlock struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Text      string          `json:"text"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

// content reads a string, or a list of blocks, and joins the text.
func content(raw json.RawMessage) (string, []wireBlock) {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s, nil
	}
	var blocks []wireBlock
	if json.Unmarshal(raw, &blocks) != nil {
		return "", nil
	}
	var parts []string
	for _, b := range blocks {
		if b.Type == "tool_result" {
			b.Text, _ = content(b.Content)
		}
		if b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n"), blocks
}
