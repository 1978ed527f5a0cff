package model

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Embedder makes vectors of texts, of which near ones are near in meaning. Errors
// wrap those of Model.
type Embedder interface {
	// Name is the model and where it is, for people and caches.
	Name() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// EmbedPatience is how long one request for vectors may take unless Config.Timeout
// says otherwise: a person waits for a search.
const EmbedPatience = 15 * time.Second

// OpenEmbedder opens a model of vectors behind a server that speaks OpenAI's
// /v1/embeddings: "openai:NAME" or "openai:NAME@http://127.0.0.1:11434/v1". Nobody is
// asked yet. Errors wrap ErrNoEngine or ErrKey. Of Config, Spec, Getenv, Timeout and
// Embed count.
func OpenEmbedder(c Config) (Embedder, error) {
	if c.Getenv == nil {
		c.Getenv = func(string) string { return "" }
	}
	s, err := parseSpec(c.Spec)
	if err != nil {
		return nil, err
	}
	if s.provider != openaiName {
		return nil, fmt.Errorf("%w: %s makes no vectors here; give openai:NAME@URL of a server with /v1/embeddings", ErrNoEngine, s.provider)
	}
	base, own, err := s.address(c.Getenv)
	if err != nil {
		return nil, err
	}
	e := Endpoint{Provider: s.provider, Model: s.model, Base: base}
	e.Key, e.Bearer = findKey(s.provider, c.Getenv)
	if e.Key.Empty() && own {
		return nil, fmt.Errorf("%w: set %s, or keep it in the system's keychain as %s", ErrKey, keyVariable(s.provider), keychainName(s.provider))
	}
	out := &embedder{name: s.name() + "@" + base, timeout: c.Timeout}
	if out.timeout <= 0 {
		out.timeout = EmbedPatience
	}
	if c.Embed != nil {
		out.ask = func(ctx context.Context, texts []string) ([][]float32, error) { return c.Embed(ctx, e, texts) }
		return out, nil
	}
	path, err := helperPath(c.Getenv)
	if err != nil {
		return nil, err
	}
	out.ask = (&helper{path, e, c.Getenv}).vectors
	return out, nil
}

type embedder struct {
	name    string
	timeout time.Duration
	ask     func(ctx context.Context, texts []string) ([][]float32, error)
}

func (e *embedder) Name() string { return e.name }

// Embed asks once: whoever waits for a search has an answer by words already.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	out, err := e.ask(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if len(out) != len(texts) {
		return nil, fmt.Errorf("%s: %w: %d vectors for %d texts", e.name, ErrAnswer, len(out), len(texts))
	}
	return out, nil
}

// vectors runs the program once.
func (h *helper) vectors(ctx context.Context, texts []string) ([][]float32, error) {
	e := h.endpoint
	in, err := json.Marshal(Asked{Provider: e.Provider, Model: e.Model, Base: e.Base, Key: e.Key.Reveal(), Bearer: e.Bearer, Embed: texts})
	if err != nil {
		return nil, &Failure{Err: ErrRefused, Text: "the request can't be written as JSON"}
	}
	out, err := run(ctx, program{path: h.path, env: environment(h.getenv, nil), stdin: in})
	if err != nil {
		return nil, programFailure(helperName, err)
	}
	var a Answered
	switch err := json.Unmarshal(out, &a); {
	case err == nil && a.Failure != nil:
		return nil, a.Failure.failure()
	case err == nil && a.Vectors != nil:
		return a.Vectors, nil
	}
	return nil, &Failure{Err: ErrServer, Text: helperName + " printed no answer: is it of another version?", Unsure: true}
}
