package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"dormouse/model"
)

// ollama speaks Ollama's own form, whose format field takes a schema.
type ollama struct {
	endpoint model.Endpoint
	client   *http.Client
}

type ollamaCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type ollamaMessage struct {
	Role      string       `json:"role"`
	Content   string       `json:"content"`
	ToolCalls []ollamaCall `json:"tool_calls,omitempty"`
	ToolName  string       `json:"tool_name,omitempty"`
}

type ollamaRequest struct {
	Model    string          `json:"model"`
	Messages []ollamaMessage `json:"messages"`
	Tools    []chatTool      `json:"tools,omitempty"`
	Format   json.RawMessage `json:"format,omitempty"`
	Stream   bool            `json:"stream"` // it streams when nothing is said
	Options  map[string]any  `json:"options"`
}

type ollamaResponse struct {
	Message    ollamaMessage `json:"message"`
	Done       bool          `json:"done"`
	DoneReason string        `json:"done_reason"`
	Prompt     int           `json:"prompt_eval_count"`
	Eval       int           `json:"eval_count"`
	Error      string        `json:"error"`
}

// Ask asks once.
func (o *ollama) Ask(ctx context.Context, r model.Request) (*model.Response, error) {
	res, err := post(ctx, o.client, o.endpoint.Base+"/api/chat", o.endpoint.Key, o.request(r))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if o.endpoint.Stream {
		return readOllamaStream(res.Body)
	}
	var a ollamaResponse
	if err := decode(res.Body, &a); err != nil {
		return nil, err
	}
	return ollamaAnswer(a)
}

func (o *ollama) request(r model.Request) ollamaRequest {
	q := ollamaRequest{
		Model: o.endpoint.Model, Format: r.Schema, Stream: o.endpoint.Stream,
		Options: map[string]any{"num_predict": r.MaxOutput()},
	}
	if len(r.Tools) > 0 {
		// format would also bind the turns that call tools.
		q.Format = nil
	}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, chatTool{"function", chatFunction{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	if r.System != "" {
		q.Messages = append(q.Messages, ollamaMessage{Role: "system", Content: r.System})
	}
	names := map[string]string{} // of calls by id: results are told by name here
	for _, m := range r.Messages {
		for _, result := range m.Results {
			text := result.Text
			if result.Failed {
				text = "failed: " + text
			}
			q.Messages = append(q.Messages, ollamaMessage{Role: "tool", Content: text, ToolName: names[result.ID]})
		}
		if m.Text == "" && len(m.Calls) == 0 {
			continue
		}
		t := ollamaMessage{Role: string(m.Role), Content: m.Text}
		for _, c := range m.Calls {
			names[c.ID] = c.Name
			var call ollamaCall
			call.Function.Name, call.Function.Arguments = c.Name, c.Input
			t.ToolCalls = append(t.ToolCalls, call)
		}
		q.Messages = append(q.Messages, t)
	}
	return q
}

func ollamaAnswer(a ollamaResponse) (*model.Response, error) {
	res := &model.Response{Text: a.Message.Content, Usage: model.Usage{Input: a.Prompt, Output: a.Eval}, Full: a.DoneReason == "length"}
	switch {
	case a.Error != "":
		return nil, &model.Failure{Err: model.ErrServer, Text: "it failed within its answer", Again: true, Unsure: true}
	case !a.Done:
		return nil, notJSON()
	}
	for _, c := range a.Message.ToolCalls {
		input := c.Function.Arguments
		if len(input) == 0 {
			input = json.RawMessage("{}")
		}
		// It has no ids; the caller of engines gives some.
		res.Calls = append(res.Calls, model.Call{Name: c.Function.Name, Input: input})
	}
	return validCalls(res)
}

// readOllamaStream joins the lines. Without one that says done, it was cut.
func readOllamaStream(body io.Reader) (*model.Response, error) {
	var all ollamaResponse
	var text strings.Builder
	lines := bufio.NewReader(body)
	for !all.Done {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, toFailure(err)
		}
		var part ollamaResponse
		if json.Unmarshal(line, &part) != nil {
			if text.Len() == 0 && len(line) > 0 && line[0] != '{' {
				return nil, notJSON()
			}
			return nil, cut(model.Usage{})
		}
		text.WriteString(part.Message.Content)
		part.Message.ToolCalls = append(all.Message.ToolCalls, part.Message.ToolCalls...)
		all = part
		if part.Error != "" {
			break
		}
	}
	all.Message.Content = text.String()
	return ollamaAnswer(all)
}
