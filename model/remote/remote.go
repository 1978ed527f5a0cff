// Package remote asks models behind HTTP: Anthropic by its official SDK, servers
// that speak OpenAI's chat completions and Ollama by a small client. (OpenAI's SDK
// makes a program 12 MB larger and was not worth that for one call.) A program
// whose every start must be fast does not link it: see model.Config.Remote.
package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"dormouse/model"
)

// New makes the engine of an endpoint. It asks nobody.
func New(e model.Endpoint) (model.Engine, error) {
	client := newClient()
	switch e.Provider {
	case "anthropic":
		return newAnthropic(e, client), nil
	case "openai":
		return &openai{e, client}, nil
	case "ollama":
		return &ollama{e, client}, nil
	}
	return nil, fmt.Errorf("%w: no wire form is called %.40q", model.ErrNoEngine, e.Provider)
}

// maxRequest in bytes of what Serve reads.
const maxRequest = 64 << 20

// Serve is the program dormouse-model: it reads one model.Asked, makes one try and
// writes one model.Answered. The error is one of reading or writing.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var asked model.Asked
	if err := json.NewDecoder(io.LimitReader(in, maxRequest)).Decode(&asked); err != nil {
		// Not the error's own text: it may quote what holds a key.
		return fmt.Errorf("standard input holds no request of dormouse: this program is run by it")
	}
	var a model.Answered
	var err error
	if asked.Embed != nil {
		a.Vectors, err = Embed(ctx, asked.Endpoint(), asked.Embed)
	} else {
		a.Response, err = ask(ctx, asked)
	}
	if err != nil {
		a = model.Answered{Failure: toFailure(err).Report()}
	}
	if err := json.NewEncoder(out).Encode(a); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

func ask(ctx context.Context, asked model.Asked) (res *model.Response, err error) {
	defer func() {
		if recover() != nil { // its text may hold what was sent
			res, err = nil, &model.Failure{Err: model.ErrServer, Text: "the answer broke its reader", Unsure: true}
		}
	}()
	engine, err := New(asked.Endpoint())
	if err != nil {
		return nil, &model.Failure{Err: model.ErrNoEngine, Text: "no such wire form"}
	}
	return engine.Ask(ctx, asked.Request)
}

// validCalls refuses an answer whose calls carry no JSON: nothing could be done
// with it, and it could not be handed on as JSON either.
func validCalls(res *model.Response) (*model.Response, error) {
	for _, c := range res.Calls {
		if !json.Valid(c.Input) {
			return nil, &model.Failure{Err: model.ErrAnswer, Text: "the input of a tool call is no JSON", Usage: res.Usage}
		}
	}
	return res, nil
}
