package modelserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
)

func start(t *testing.T, script Script) *Server {
	t.Helper()
	s, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// answer is what an SDK made of a step.
type answer struct {
	Text  string
	Calls []Call
	Stop  string
	Usage Usage
}

func steps() []Step {
	return []Step{
		{Text: "Привіт, світе 👋 — done", Usage: &Usage{Input: 21, Output: 7, CacheRead: 3}},
		{JSON: map[string]any{"notes": []string{"a", "b"}}},
		{Text: "looking", Calls: []Call{{ID: "c1", Name: "read", Input: `{"path":"a b.md"}`}, {ID: "c2", Name: "read", Input: `{}`}}},
		{Text: "half", Full: true},
	}
}

func wants(stops [3]string) []answer {
	standard := Usage{Input: 10, Output: 5}
	return []answer{
		{Text: "Привіт, світе 👋 — done", Stop: stops[0], Usage: Usage{Input: 21, Output: 7, CacheRead: 3}},
		{Text: `{"notes":["a","b"]}`, Stop: stops[0], Usage: standard},
		{Text: "looking", Calls: []Call{{"c1", "read", `{"path":"a b.md"}`}, {"c2", "read", `{}`}}, Stop: stops[1], Usage: standard},
		{Text: "half", Stop: stops[2], Usage: standard},
	}
}

func anthropicClient(s *Server) anthropic.Client {
	return anthropic.NewClient(anthropicoption.WithoutEnvironmentDefaults(), anthropicoption.WithBaseURL(s.Base(Anthropic)),
		anthropicoption.WithAPIKey("k"), anthropicoption.WithMaxRetries(0))
}

func anthropicParams() anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "scripted", MaxTokens: 99,
		System:   []anthropic.TextBlockParam{{Text: "be short"}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hello"))},
	}
}

func askAnthropic(t *testing.T, c anthropic.Client, streamed bool) answer {
	t.Helper()
	m := &anthropic.Message{}
	if streamed {
		s := c.Messages.NewStreaming(t.Context(), anthropicParams())
		for s.Next() {
			if err := m.Accumulate(s.Current()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
	} else {
		var err error
		if m, err = c.Messages.New(t.Context(), anthropicParams()); err != nil {
			t.Fatal(err)
		}
	}
	a := answer{Stop: string(m.StopReason), Usage: Usage{
		Input: int(m.Usage.InputTokens), Output: int(m.Usage.OutputTokens), CacheRead: int(m.Usage.CacheReadInputTokens),
	}}
	for _, b := range m.Content {
		a.Text += b.Text
		if b.Type == "tool_use" {
			a.Calls = append(a.Calls, Call{b.ID, b.Name, string(b.Input)})
		}
	}
	return a
}

func TestTheOfficialAnthropicSDKAcceptsIt(t *testing.T) {
	t.Parallel()
	for _, streamed := range []bool{false, true} {
		s := start(t, Steps(steps()...))
		c := anthropicClient(s)
		for _, want := range wants([3]string{"end_turn", "tool_use", "max_tokens"}) {
			if diff := cmp.Diff(want, askAnthropic(t, c, streamed)); diff != "" {
				t.Errorf("stream %v (-want +got):\n%s", streamed, diff)
			}
		}
		r := s.Requests()[0]
		if r.Form != Anthropic || r.Model != "scripted" || r.System != "be short" || r.Last() != "hello" || r.MaxTokens != 99 || r.Stream != streamed {
			t.Errorf("recorded %+v", r)
		}
	}
}

func TestTheOfficialAnthropicSDKSeesTheFaults(t *testing.T) {
	t.Parallel()
	for _, f := range []Fault{Unauthorized, TooMany, Overloaded, Broken} {
		s := start(t, Always(Step{Fault: f, RetryAfter: "1"}))
		c := anthropicClient(s)
		_, err := c.Messages.New(t.Context(), anthropicParams())
		var e *anthropic.Error
		if !errors.As(err, &e) || e.StatusCode != f.status() || string(e.Type()) != f.kind() {
			t.Errorf("fault %d: %v", f, err)
		}
	}
	for _, f := range []Fault{Cut, HangMidway} {
		s := start(t, Always(Step{Text: strings.Repeat("word ", 50), Fault: f}))
		c := anthropicClient(s)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { // a cut never hangs, so this ends with the server there
			select {
			case <-s.Hanging():
			case <-s.closed:
			}
			cancel()
		}()
		st := c.Messages.NewStreaming(ctx, anthropicParams())
		for st.Next() { // only its end is looked at
			continue
		}
		if st.Err() == nil {
			t.Errorf("fault %d: a cut stream ended well", f)
		}
		if f == Cut {
			cancel()
		}
	}
}

func openaiClient(s *Server) openai.Client {
	return openai.NewClient(openaioption.WithBaseURL(s.Base(OpenAI)), openaioption.WithAPIKey("k"), openaioption.WithMaxRetries(0))
}

func openaiParams() openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    "scripted",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("be short"), openai.UserMessage("hello")},
	}
}

func askOpenAI(t *testing.T, c openai.Client, streamed bool) answer {
	t.Helper()
	var done openai.ChatCompletion
	if streamed {
		p := openaiParams()
		p.StreamOptions.IncludeUsage = openai.Bool(true)
		s := c.Chat.Completions.NewStreaming(t.Context(), p)
		var acc openai.ChatCompletionAccumulator
		for s.Next() {
			acc.AddChunk(s.Current())
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		done = acc.ChatCompletion
	} else {
		res, err := c.Chat.Completions.New(t.Context(), openaiParams())
		if err != nil {
			t.Fatal(err)
		}
		done = *res
	}
	u := done.Usage
	a := answer{Stop: done.Choices[0].FinishReason, Text: done.Choices[0].Message.Content, Usage: Usage{
		Input: int(u.PromptTokens - u.PromptTokensDetails.CachedTokens), Output: int(u.CompletionTokens), CacheRead: int(u.PromptTokensDetails.CachedTokens),
	}}
	for _, call := range done.Choices[0].Message.ToolCalls {
		a.Calls = append(a.Calls, Call{call.ID, call.Function.Name, call.Function.Arguments})
	}
	return a
}

func TestTheOfficialOpenAISDKAcceptsIt(t *testing.T) {
	t.Parallel()
	for _, streamed := range []bool{false, true} {
		s := start(t, Steps(steps()...))
		c := openaiClient(s)
		for i, want := range wants([3]string{"stop", "tool_calls", "length"}) {
			got := askOpenAI(t, c, streamed)
			if streamed { // the SDK's accumulator drops the details of the last chunk's usage
				got.Usage.Input += got.Usage.CacheRead
				got.Usage.CacheRead = 0
				want.Usage.Input += want.Usage.CacheRead
				want.Usage.CacheRead = 0
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("stream %v, step %d (-want +got):\n%s", streamed, i, diff)
			}
		}
		if r := s.Requests()[0]; r.Form != OpenAI || r.System != "be short" || r.Last() != "hello" || r.Stream != streamed {
			t.Errorf("recorded %+v", r)
		}
	}
}

func TestTheOfficialOpenAISDKSeesFaultsAndModels(t *testing.T) {
	t.Parallel()
	for _, f := range []Fault{Unauthorized, TooMany, Broken} {
		s := start(t, Always(Step{Fault: f}))
		c := openaiClient(s)
		_, err := c.Chat.Completions.New(t.Context(), openaiParams())
		var e *openai.Error
		if !errors.As(err, &e) || e.StatusCode != f.status() {
			t.Errorf("fault %d: %v", f, err)
		}
	}
	c := openaiClient(start(t, Steps()))
	page, err := c.Models.List(t.Context())
	if err != nil || len(page.Data) != 1 || page.Data[0].ID != "scripted" {
		t.Errorf("models: %v, %v", page, err)
	}
}

func TestARequestWithToolsAndResultsIsRead(t *testing.T) {
	t.Parallel()
	bodies := map[Form]string{
		Anthropic: `{"model":"m","stream":true,"max_tokens":7,"system":[{"type":"text","text":"sys"}],"tools":[{"name":"read"}],
			"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},
			"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"found"}]}]}]}`,
		OpenAI: `{"model":"m","stream":true,"max_tokens":7,"tools":[{"type":"function","function":{"name":"read"}}],
			"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object"}}},
			"messages":[{"role":"system","content":"sys"},{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1"}]},
			{"role":"tool","tool_call_id":"c1","content":"found"}]}`,
		Ollama: `{"model":"m","options":{"num_predict":7},"tools":[{"type":"function","function":{"name":"read"}}],"format":{"type":"object"},
			"messages":[{"role":"system","content":"sys"},{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"c1"}]},{"role":"tool","tool_call_id":"c1","content":"found"}]}`,
	}
	for _, f := range Forms() {
		r, err := read(f, nil, []byte(bodies[f]))
		if err != nil {
			t.Fatal(err)
		}
		if r.System != "sys" || !r.Stream || r.MaxTokens != 7 || r.Last() != "found" || string(r.Schema) != `{"type":"object"}` {
			t.Errorf("%s: %+v", f, r)
		}
		if len(r.Turns) != 3 || r.Turns[1].Calls[0] != "c1" || r.Turns[2].Results[0] != "c1" || r.Tools[0] != "read" {
			t.Errorf("%s: turns %+v tools %v", f, r.Turns, r.Tools)
		}
	}
}

func TestHostileAnswersDifferAndAreInEveryForm(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, h := range Hostile("sk-secret-1") {
		if names[h.Name] || len(h.Steps) == 0 {
			t.Errorf("%q twice or empty", h.Name)
		}
		names[h.Name] = true
		for _, f := range Forms() {
			for _, streamed := range []bool{false, true} {
				var b strings.Builder
				if streamed {
					stream(&b, Request{Form: f, N: 1}, h.Steps[0])
				} else {
					whole(&b, Request{Form: f, N: 1}, h.Steps[0])
					// encoding/json itself stops at 10,000 levels.
					if !json.Valid([]byte(b.String())) && !strings.Contains(h.Name, "deep") {
						t.Errorf("%s as %s is no JSON", h.Name, f)
					}
				}
				if b.Len() == 0 {
					t.Errorf("%s as %s is empty", h.Name, f)
				}
			}
		}
	}
	if names["a secret given back"] == (len(Hostile("")) == len(Hostile("x"))) {
		t.Error("the secret's scenario is there without a secret")
	}
}
