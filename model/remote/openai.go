package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"dormouse/model"
)

// openai speaks chat completions: OpenAI, vLLM, llama.cpp, and Ollama's /v1.
type openai struct {
	endpoint model.Endpoint
	client   *http.Client
}

type chatFunction struct {
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Arguments   string          `json:"arguments,omitempty"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatCall struct {
	Index    int          `json:"index,omitempty"` // of a stream
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function chatFunction `json:"function"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type chatRequest struct {
	Model          string         `json:"model"`
	Messages       []chatMessage  `json:"messages"`
	Tools          []chatTool     `json:"tools,omitempty"`
	ResponseFormat map[string]any `json:"response_format,omitempty"`
	MaxTokens      int            `json:"max_tokens,omitempty"`
	MaxCompletion  int            `json:"max_completion_tokens,omitempty"`
	Stream         bool           `json:"stream,omitempty"`
	StreamOptions  map[string]any `json:"stream_options,omitempty"`
}

type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"` // part of Prompt
	} `json:"prompt_tokens_details"`
}

func (u *chatUsage) usage() model.Usage {
	if u == nil {
		return model.Usage{}
	}
	return model.Usage{Input: u.Prompt - u.Details.Cached, CacheRead: u.Details.Cached, Output: u.Completion}
}

type chatChoice struct {
	Message      chatMessage `json:"message"`
	Delta        chatMessage `json:"delta"`
	FinishReason string      `json:"finish_reason"`
}

type chatResponse struct {
	Choices []chatChoice    `json:"choices"`
	Usage   *chatUsage      `json:"usage"`
	Error   json.RawMessage `json:"error"` // some servers put it into a stream
}

// Ask asks once.
func (o *openai) Ask(ctx context.Context, r model.Request) (*model.Response, error) {
	res, err := post(ctx, o.client, o.endpoint.Base+"/chat/completions", o.endpoint.Key, o.request(r))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if o.endpoint.Stream {
		return readChatStream(res.Body)
	}
	var c chatResponse
	if err := decode(res.Body, &c); err != nil {
		return nil, err
	}
	if len(c.Choices) == 0 {
		return nil, notJSON()
	}
	return chatAnswer(c.Choices[0].Message, c.Choices[0].FinishReason, c.Usage)
}

func (o *openai) request(r model.Request) chatRequest {
	q := chatRequest{Model: o.endpoint.Model, Messages: chatMessages(r)}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, chatTool{"function", chatFunction{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	if strings.HasPrefix(o.endpoint.Base, "https://api.openai.com/") {
		q.MaxCompletion = r.MaxOutput() // its newer models refuse the older name
	} else {
		q.MaxTokens = r.MaxOutput() // other servers may know the older one alone
	}
	if r.Schema != nil {
		// Not strict: that takes schemas of one shape only, and code checks anyhow.
		q.ResponseFormat = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": r.Schema}}
	}
	if o.endpoint.Stream {
		q.Stream, q.StreamOptions = true, map[string]any{"include_usage": true}
	}
	return q
}

func chatMessages(r model.Request) []chatMessage {
	var list []chatMessage
	if r.System != "" {
		list = append(list, chatMessage{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		for _, result := range m.Results {
			text := result.Text
			if result.Failed {
				text = "failed: " + text // the form has no field for it
			}
			list = append(list, chatMessage{Role: "tool", Content: text, ToolCallID: result.ID})
		}
		if m.Text == "" && len(m.Calls) == 0 {
			continue
		}
		c := chatMessage{Role: string(m.Role), Content: m.Text}
		for _, call := range m.Calls {
			c.ToolCalls = append(c.ToolCalls, chatCall{ID: call.ID, Type: "function", Function: chatFunction{Name: call.Name, Arguments: string(call.Input)}})
		}
		list = append(list, c)
	}
	return list
}

func chatAnswer(m chatMessage, stop string, usage *chatUsage) (*model.Response, error) {
	res := &model.Response{Text: m.Content, Usage: usage.usage(), Full: stop == "length"}
	if stop == "content_filter" {
		return nil, &model.Failure{Err: model.ErrAnswer, Text: "a filter of the server stopped it", Usage: res.Usage}
	}
	for _, c := range m.ToolCalls {
		input := c.Function.Arguments
		if strings.TrimSpace(input) == "" {
			input = "{}" // a tool without arguments
		}
		res.Calls = append(res.Calls, model.Call{ID: c.ID, Name: c.Function.Name, Input: json.RawMessage(input)})
	}
	if res.Full {
		res.Calls = nil // the last may be cut
	}
	return validCalls(res)
}

// maxCallIndex of a stream's parts of calls.
const maxCallIndex = 1 << 10

// readChatStream joins the parts. Without an end that the server says, it was cut.
func readChatStream(body io.Reader) (*model.Response, error) {
	var m chatMessage
	var text strings.Builder
	var stop string
	var usage *chatUsage
	done := false
	err := events(body, func(data []byte) error {
		if string(data) == "[DONE]" {
			done = true
			return nil
		}
		var c chatResponse
		if json.Unmarshal(data, &c) != nil {
			return cut(usage.usage())
		}
		if c.Error != nil && string(c.Error) != "null" {
			return &model.Failure{Err: model.ErrServer, Text: "it failed within its answer", Again: true, Unsure: true}
		}
		if c.Usage != nil {
			usage = c.Usage
		}
		if len(c.Choices) == 0 {
			return nil
		}
		text.WriteString(c.Choices[0].Delta.Content)
		if r := c.Choices[0].FinishReason; r != "" {
			stop = r
		}
		return joinCalls(&m, c.Choices[0].Delta.ToolCalls)
	})
	if err != nil {
		return nil, toFailure(err)
	}
	if !done && stop == "" {
		return nil, cut(usage.usage())
	}
	m.Content = text.String()
	return chatAnswer(m, stop, usage)
}

func joinCalls(m *chatMessage, parts []chatCall) error {
	for _, p := range parts {
		if p.Index < 0 || p.Index > maxCallIndex {
			return notJSON()
		}
		for len(m.ToolCalls) <= p.Index {
			m.ToolCalls = append(m.ToolCalls, chatCall{})
		}
		c := &m.ToolCalls[p.Index]
		c.ID += p.ID
		c.Function.Name += p.Function.Name
		c.Function.Arguments += p.Function.Arguments
	}
	return nil
}

// events calls f with the data of each server-sent event. A line may be as long
// as a whole answer.
func events(body io.Reader, f func([]byte) error) error {
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadBytes('\n')
		if data, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:")); ok && err == nil {
			if err := f(bytes.TrimSpace(data)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
