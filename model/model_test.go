package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func none(string) string { return "" }

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// scripted is an engine that answers from a list.
type scripted struct {
	mu    sync.Mutex
	steps []func() (*Response, error)
	asked []Request
	then  func() (*Response, error)
}

func (s *scripted) Ask(_ context.Context, r Request) (*Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	if len(s.steps) == 0 {
		return s.then()
	}
	f := s.steps[0]
	s.steps = s.steps[1:]
	return f()
}

func says(text string, in, out int) func() (*Response, error) {
	return func() (*Response, error) {
		return &Response{Text: text, Usage: Usage{Input: in, Output: out}}, nil
	}
}

func fails(f Failure) func() (*Response, error) {
	return func() (*Response, error) { return nil, &f }
}

// atOnce is a clock whose waits are over when they begin; a try never takes too
// long.
type atOnce struct{ waits []time.Duration }

func (a *atOnce) Now() time.Time { return time.Unix(1e9, 0) }

func (a *atOnce) AfterFunc(d time.Duration, f func()) func() bool {
	if d != Patience {
		a.waits = append(a.waits, d)
		go f()
	}
	return func() bool { return true }
}

func open(t *testing.T, e Engine, c Config) Model {
	t.Helper()
	c.Remote = func(Endpoint) (Engine, error) { return e, nil }
	if c.Spec == "" {
		c.Spec = "openai:m@http://127.0.0.1:1/v1"
	}
	if c.Clock == nil {
		c.Clock = &atOnce{}
	}
	m, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ask(text string) Request {
	return Request{Messages: []Message{{Role: User, Text: text}}}
}

func TestASpecificationNamesAnEndpoint(t *testing.T) {
	t.Parallel()
	keys := []string{"ANTHROPIC_API_KEY", "ka", "OPENAI_API_KEY", "ko"}
	tests := []struct {
		spec string
		env  []string
		want string // provider model base key, or the error
	}{
		{"anthropic:claude-x", nil, "anthropic claude-x https://api.anthropic.com ka"},
		{"openai:gpt-x", nil, "openai gpt-x https://api.openai.com/v1 ko"},
		{"ollama:qwen3:8b", nil, "ollama qwen3:8b http://127.0.0.1:11434 "},
		{"ollama:q", []string{"OLLAMA_HOST", "0.0.0.0"}, "ollama q http://127.0.0.1:11434 "},
		{"ollama:q", []string{"OLLAMA_HOST", "127.0.0.1:999"}, "ollama q http://127.0.0.1:999 "},
		{"ollama:q", []string{"OLLAMA_HOST", "[::1]"}, "ollama q http://[::1]:11434 "},
		{"ollama:q", []string{"OLLAMA_HOST", "https://o.example"}, "ollama q https://o.example "},
		{"ollama:q", []string{"OLLAMA_HOST", "gpu.example:11434"}, "plain http"},
		{"ollama:q@http://gpu.example:11434/", nil, "ollama q http://gpu.example:11434 "},
		{"openai:m@http://127.0.0.1:8080/v1", nil, "openai m http://127.0.0.1:8080/v1 ko"},
		{"openai:org/m@2@https://h.example/v1", nil, "openai org/m@2 https://h.example/v1 ko"},
		{"openai:m", []string{"OPENAI_BASE_URL", "http://localhost:1/v1"}, "openai m http://localhost:1/v1 ko"},
		{"openai:m", []string{"OPENAI_BASE_URL", "http://h.example/v1"}, "plain http"},
		{"anthropic:m", []string{"ANTHROPIC_BASE_URL", "https://u:sesame@h.example"}, "may hold no password"},
		{"anthropic:m", []string{"ANTHROPIC_BASE_URL", "ftp://h"}, "holds no address"},
		{"anthropic:m", []string{"ANTHROPIC_BASE_URL", "http://h\x7f"}, "holds no address"},
		{"anthropic:", nil, "needs the name"},
		{"anthropic:--help", nil, "no name of a model"},
		{"anthropic:a b", nil, "no name of a model"},
		{"claude-cli@https://x.example", nil, "begins with none"},
		{"gemini:x", nil, "begins with none"},
		{"", nil, "begins with none"},
		{"claude-cli", nil, "claude is not on PATH"},
		{"codex-cli:gpt-x", nil, "codex is not on PATH"},
	}
	for _, tt := range tests {
		var got string
		_, err := Open(Config{Spec: tt.spec, Getenv: env(append(tt.env, keys...)...), Remote: func(e Endpoint) (Engine, error) {
			got = fmt.Sprintf("%s %s %s %s", e.Provider, e.Model, e.Base, e.Key.Reveal())
			return &scripted{}, nil
		}})
		if err != nil {
			got = err.Error()
			if !errors.Is(err, ErrNoEngine) || strings.Contains(got, "sesame") {
				t.Errorf("%s: %v", tt.spec, err)
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s: error %q, want %q in it", tt.spec, got, tt.want)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.spec, got, tt.want)
		}
	}
}

func TestAMissingKeyIsToldAtOnceAndATokenIsOne(t *testing.T) {
	t.Parallel()
	var bearer bool
	remote := func(e Endpoint) (Engine, error) { bearer = e.Bearer; return &scripted{}, nil }
	for _, spec := range []string{"anthropic:m", "openai:m"} {
		if _, err := Open(Config{Spec: spec, Getenv: none, Remote: remote}); !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if _, err := Open(Config{Spec: "anthropic:m", Getenv: env("ANTHROPIC_AUTH_TOKEN", "tok"), Remote: remote}); err != nil || !bearer {
		t.Errorf("with a token: %v, bearer %v", err, bearer)
	}
	if _, err := Open(Config{Spec: "anthropic:m"}); !errors.Is(err, ErrKey) {
		t.Errorf("without an environment: %v", err)
	}
}

func TestAKeyDoesNotPrint(t *testing.T) {
	t.Parallel()
	e := Endpoint{Provider: "openai", Key: NewKey("sk-secret")}
	type inside struct{ e Endpoint }
	out := fmt.Sprintf("%v %+v %#v %s %q %x %d %+v %#v", e, e, e, e.Key, e.Key, e.Key, e.Key, inside{e}, &inside{e})
	b, err := json.Marshal(e)
	if err != nil || strings.Contains(out+string(b), "sk-secret") || strings.Contains(out, "736b2d") {
		t.Errorf("%s %s %v", out, b, err)
	}
	if NewKey("sk-secret").Reveal() != "sk-secret" || !NewKey("").Empty() {
		t.Error("the key is lost")
	}
}

func TestBackoffDoublesFromItsUpperHalfAndHeedsTheServer(t *testing.T) {
	t.Parallel()
	for try, most := range map[int]time.Duration{1: 500 * time.Millisecond, 2: time.Second, 5: 8 * time.Second, 9: 30 * time.Second, 1000: 30 * time.Second} {
		for range 100 {
			if d := backoff(try, 0); d < most/2 || d > most {
				t.Errorf("try %d waits %s, want up to %s", try, d, most)
			}
			if d := backoff(try, time.Minute); d < time.Minute || d > 90*time.Second {
				t.Errorf("try %d waits %s where a minute was asked", try, d)
			}
		}
	}
}

func TestADeadlineIsNotSleptThrough(t *testing.T) {
	t.Parallel()
	c := &atOnce{}
	e := &scripted{then: fails(Failure{Err: ErrLimit, Again: true, RetryAfter: 30 * time.Second})}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Hour))
	defer cancel()
	m := open(t, e, Config{Clock: c})
	m.(*caller).clock = lateClock{c, time.Now().Add(time.Hour - time.Second)}
	if _, err := m.Generate(ctx, ask("x")); !errors.Is(err, ErrLimit) || len(c.waits) != 0 {
		t.Errorf("%v after waits %v", err, c.waits)
	}
}

type lateClock struct {
	*atOnce
	now time.Time
}

func (l lateClock) Now() time.Time { return l.now }

func TestAnEngineThatPanicsIsAFailure(t *testing.T) {
	t.Parallel()
	m := open(t, &scripted{then: func() (*Response, error) { panic("sk-secret in here") }}, Config{})
	if _, err := m.Generate(t.Context(), ask("x")); !errors.Is(err, ErrServer) || strings.Contains(err.Error(), "sk-secret") {
		t.Errorf("%v", err)
	}
}

func TestARequestThatMakesNoSenseIsRefusedBeforeItGoes(t *testing.T) {
	t.Parallel()
	e := &scripted{then: says("x", 1, 1)}
	m := open(t, e, Config{})
	schema := ask("x")
	schema.Schema = json.RawMessage(`{"$ref":"#/x"}`)
	tool := ask("x")
	tool.Tools = []Tool{{Name: "t", Schema: json.RawMessage(`{`)}}
	call := Request{Messages: []Message{{Role: Assistant, Calls: []Call{{Input: json.RawMessage(`{`)}}}, {Role: User}}}
	for _, r := range []Request{{}, {Messages: []Message{{Role: Assistant, Text: "x"}}}, schema, tool, call} {
		if _, err := m.Generate(t.Context(), r); !errors.Is(err, ErrRefused) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if len(e.asked) != 0 {
		t.Errorf("%d requests went out", len(e.asked))
	}
}

func TestTheRepairTurnShowsWhatWasWrong(t *testing.T) {
	t.Parallel()
	e := &scripted{steps: []func() (*Response, error){says(`{"n":-1}`, 10, 5), says(`{"n":3}`, 20, 5)}}
	r := ask("how many?")
	r.Schema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","minimum":0}},"required":["n"]}`)
	res, err := open(t, e, Config{}).Generate(t.Context(), r)
	if err != nil || string(res.JSON) != `{"n":3}` {
		t.Fatalf("%+v %v", res, err)
	}
	last := e.asked[1].Messages
	if len(last) != 3 || last[1].Text != `{"n":-1}` || !strings.Contains(last[2].Text, ".n is to be at least 0") {
		t.Errorf("asked again with %+v", last)
	}
	if len(r.Messages) != 1 {
		t.Error("the caller's own request was changed")
	}
	if diff := cmp.Diff(Usage{Input: 30, Output: 10}, res.Usage); diff != "" {
		t.Error(diff)
	}
}

func TestAnEstimateIsNoLessThanWhatIsCounted(t *testing.T) {
	t.Parallel()
	// Counted with a tokenizer of OpenAI (o200k): real tokens of these texts.
	for text, real := range map[string]int{
		"The quick brown fox jumps over the lazy dog.":                10,
		"Користувач просить завжди писати коментарі українською.":     16,
		`{"name":"build","args":["-o","bin/x"],"ok":true,"n":12345}`:  22,
		"func main() {\n\tfmt.Println(strings.Repeat(\"x\", 3))\n}\n": 18,
		"你好，世界": 4,
	} {
		if n := tokens(text); n < real || n > 5*real {
			t.Errorf("%q: %d, want %d or somewhat more", text, n, real)
		}
	}
	m := open(t, &scripted{}, Config{Spec: "anthropic:claude-sonnet-5-5", Getenv: env("ANTHROPIC_API_KEY", "k")})
	r := ask(strings.Repeat("word ", 1000))
	plain := m.Estimate(r)
	if plain.Input < 1250 || plain.Output != defaultMaxTokens || plain.Dollars < float64(plain.Output)*10/1e6 || !plain.Estimated {
		t.Errorf("estimate %+v", plain)
	}
	r.Schema = json.RawMessage(`{"type":"object"}`)
	if with := m.Estimate(r); with.Output != 2*plain.Output || with.Input < 2*plain.Input {
		t.Errorf("with a repair turn %+v, without %+v", with, plain)
	}
}

func TestThePriceListIsWhole(t *testing.T) {
	t.Parallel()
	rows := 0
	for line := range strings.Lines(priceText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 7 {
			t.Fatalf("%q has %d columns", line, len(f))
		}
		p := parseBand(f).price
		if !(p.In > 0 && p.Out > p.In && p.CacheRead > 0 && p.CacheRead <= p.In && p.CacheWrite >= p.In) {
			t.Errorf("%q: %+v", line, p)
		}
		rows++
	}
	if rows < 20 || !strings.Contains(priceText, "Read 2026-") {
		t.Errorf("%d rows, or no date", rows)
	}
}

func TestPricesAreFoundByNameDateAndLengthOfPrompt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		provider, model string
		prompt          int
		want            float64 // in; -1: none
	}{
		{anthropicName, "claude-haiku-5-5", 1000, 0.1},
		{anthropicName, "claude-haiku-5-5", 200_000, 0.5},
		{anthropicName, "claude-sonnet-4-5-20250929", 1, 3},
		{anthropicName, "claude-sonnet-4-50", 1, -1},
		{openaiName, "gpt-6-sol-2026-09-22", 1, 2},
		{openaiName, "gpt-6-sol-pro", 1, -1},
		{openaiName, "claude-sonnet-5-5", 1, -1},
		{claudeName, "opus", 1, 5},
		{claudeName, "", 1, -1},
		{ollamaName, "anything", 1, 0},
		{ollamaName, "big:cloud", 1, -1},
	}
	for _, tt := range tests {
		got := -1.0
		if f := priceList(tt.provider, tt.model); f != nil {
			got = f(tt.prompt).In
		}
		if got != tt.want {
			t.Errorf("%s:%s at %d: %v, want %v", tt.provider, tt.model, tt.prompt, got, tt.want)
		}
	}
	if p, err := ParsePrice(" 2 / 10 "); err != nil || p.In != 2 || p.Out != 10 {
		t.Errorf("%+v %v", p, err)
	}
	for _, bad := range []string{"", "2", "a/b", "-1/2", "NaN/1", "Inf/1", "1/2/3"} {
		if _, err := ParsePrice(bad); err == nil {
			t.Errorf("%q is taken for a price", bad)
		}
	}
}
