package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"dormouse/model"
)

// anthropic asks through the official SDK. Its retries are off (each try is booked
// by who asks us), and so is its own search for keys.
type anthropic struct {
	endpoint model.Endpoint
	client   sdk.Client
}

// noTimeout keeps the SDK from choosing one by itself; the context has ours.
const noTimeout = 24 * time.Hour

func newAnthropic(e model.Endpoint, client *http.Client) *anthropic {
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithBaseURL(e.Base),
		option.WithHTTPClient(client),
		option.WithMaxRetries(0),
		option.WithRequestTimeout(noTimeout),
		option.WithMiddleware(wholeJSON),
	}
	switch {
	case e.Key.Empty():
	case e.Bearer:
		options = append(options, option.WithAuthToken(e.Key.Reveal()))
	default:
		options = append(options, option.WithAPIKey(e.Key.Reveal()))
	}
	return &anthropic{e, sdk.NewClient(options...)}
}

// wholeJSON looks at what the SDK would not: its reader takes half a JSON body for
// a whole one, and a page of HTML for an empty answer. Errors are told here too,
// since those of the SDK quote the body.
func wholeJSON(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return nil, toFailure(err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, refused(res)
	}
	if req.Header.Get("Accept") == "text/event-stream" || isStream(res) {
		return res, nil
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, toFailure(err)
	}
	var any map[string]json.RawMessage
	if err := decodeText(text, &any); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	return res, nil
}

func isStream(res *http.Response) bool {
	kind := res.Header.Get("Content-Type")
	return len(kind) >= len(streamType) && kind[:len(streamType)] == streamType
}

const streamType = "text/event-stream"

// Ask asks once.
func (a *anthropic) Ask(ctx context.Context, r model.Request) (*model.Response, error) {
	params, err := a.params(r)
	if err != nil {
		return nil, err
	}
	if a.endpoint.Stream {
		return a.stream(ctx, params)
	}
	m, err := a.client.Messages.New(ctx, params)
	if err != nil {
		return nil, toFailure(err)
	}
	return anthropicAnswer(m)
}

func (a *anthropic) stream(ctx context.Context, params sdk.MessageNewParams) (*model.Response, error) {
	s := a.client.Messages.NewStreaming(ctx, params)
	defer s.Close() //nolint:errcheck // read to its end or given up
	var m sdk.Message
	ended := false
	for s.Next() {
		event := s.Current()
		if err := m.Accumulate(event); err != nil {
			return nil, &model.Failure{Err: model.ErrAnswer, Text: "its stream makes no answer", Unsure: true, Usage: anthropicUsage(&m)}
		}
		ended = ended || event.Type == "message_stop"
	}
	if err := s.Err(); err != nil {
		var f *model.Failure
		if errors.As(err, &f) || errors.Is(err, errTooLarge) || ctx.Err() != nil {
			return nil, toFailure(err)
		}
		return nil, cut(model.Usage{})
	}
	if !ended {
		return nil, cut(model.Usage{})
	}
	return anthropicAnswer(&m)
}

func (a *anthropic) params(r model.Request) (sdk.MessageNewParams, error) {
	p := sdk.MessageNewParams{Model: a.endpoint.Model, MaxTokens: int64(r.MaxOutput())}
	if r.System != "" {
		// The same for all requests of a run, so it is what a cache is good for.
		p.System = []sdk.TextBlockParam{{Text: r.System, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	}
	if len(r.Messages) > 1 {
		p.CacheControl = sdk.NewCacheControlEphemeralParam() // the turns so far come again
	}
	for _, m := range r.Messages {
		blocks := anthropicBlocks(m)
		if m.Role == model.Assistant {
			p.Messages = append(p.Messages, sdk.NewAssistantMessage(blocks...))
		} else {
			p.Messages = append(p.Messages, sdk.NewUserMessage(blocks...))
		}
	}
	for _, t := range r.Tools {
		var schema map[string]any
		if json.Unmarshal(t.Schema, &schema) != nil {
			return p, &model.Failure{Err: model.ErrRefused, Text: "the schema of a tool is no JSON object"}
		}
		delete(schema, "type") // always object; the SDK writes it
		tool := sdk.ToolParam{Name: t.Name, InputSchema: sdk.ToolInputSchemaParam{ExtraFields: schema}}
		if t.Description != "" {
			tool.Description = param.NewOpt(t.Description)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &tool})
	}
	if r.Schema != nil {
		schema, err := strictSchema(r.Schema)
		if err != nil {
			return p, err
		}
		p.OutputConfig = sdk.OutputConfigParam{Format: sdk.JSONOutputFormatParam{Schema: schema}}
	}
	return p, nil
}

func anthropicBlocks(m model.Message) []sdk.ContentBlockParamUnion {
	var blocks []sdk.ContentBlockParamUnion
	for _, r := range m.Results {
		blocks = append(blocks, sdk.NewToolResultBlock(r.ID, r.Text, r.Failed))
	}
	if m.Text != "" {
		blocks = append(blocks, sdk.NewTextBlock(m.Text))
	}
	for _, c := range m.Calls {
		blocks = append(blocks, sdk.NewToolUseBlock(c.ID, c.Input, c.Name))
	}
	return blocks
}

// strictSchema makes a schema fit for output_config: the API refuses limits on
// numbers, lengths and counts, and wants every object closed (documentation of
// structured outputs). What is left out here is checked on the answer.
func strictSchema(text json.RawMessage) (map[string]any, error) {
	var v map[string]any
	if json.Unmarshal(text, &v) != nil {
		return nil, &model.Failure{Err: model.ErrRefused, Text: "the schema of the answer is no JSON object"}
	}
	strict(v)
	return v, nil
}

func strict(s map[string]any) {
	for _, k := range []string{"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "examples", "default", "$schema", "$comment"} {
		delete(s, k)
	}
	if props, ok := s["properties"].(map[string]any); ok {
		for _, p := range props {
			if inner, ok := p.(map[string]any); ok {
				strict(inner)
			}
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		strict(items)
	}
	if s["type"] == "object" {
		s["additionalProperties"] = false
	}
}

func anthropicUsage(m *sdk.Message) model.Usage {
	u := m.Usage
	return model.Usage{
		Input: int(u.InputTokens), Output: int(u.OutputTokens),
		CacheRead: int(u.CacheReadInputTokens), CacheWrite: int(u.CacheCreationInputTokens),
	}
}

func anthropicAnswer(m *sdk.Message) (*model.Response, error) {
	res := &model.Response{Usage: anthropicUsage(m), Full: m.StopReason == sdk.StopReasonMaxTokens}
	if m.StopReason == sdk.StopReasonRefusal {
		return nil, &model.Failure{Err: model.ErrAnswer, Text: "the model declines to answer", Usage: res.Usage}
	}
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			res.Text += b.Text
		case "tool_use":
			res.Calls = append(res.Calls, model.Call{ID: b.ID, Name: b.Name, Input: b.Input})
		}
	}
	if res.Full {
		res.Calls = nil // the last may be cut
	}
	return validCalls(res)
}
