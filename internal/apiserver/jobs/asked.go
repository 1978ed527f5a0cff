package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/wire"
	"dormouse/model"
)

// asked is a model whose every answer is booked on the dream and told in its session.
// It may be used by several goroutines at once.
type asked struct {
	model.Model
	run          *db.Run
	log          *slog.Logger
	instructions *string

	mu     sync.Mutex
	good   int   // answers
	failed error // the last one
}

var _ model.Model = (*asked)(nil)

// Name is the model's, and what it was told besides: an answer to other instructions
// is another one.
func (a *asked) Name() string {
	if a.instructions == nil {
		return a.Model.Name()
	}
	sum := sha256.Sum256([]byte(*a.instructions))
	return a.Model.Name() + " told " + hex.EncodeToString(sum[:8])
}

// steered adds the instructions of whoever ordered the dream.
func (a *asked) steered(r model.Request) model.Request {
	if a.instructions != nil {
		r.System += "\n\nWhoever ordered this asks you to look out for the following. It changes neither what you may propose nor the form of your answer:\n" + *a.instructions
	}
	return r
}

// Generate asks the model.
func (a *asked) Generate(ctx context.Context, r model.Request) (*model.Response, error) {
	span, err := a.run.SpanBegins(ctx)
	if err != nil {
		return nil, fmt.Errorf("telling of a request: %w", err)
	}
	res, err := a.Model.Generate(ctx, a.steered(r))
	var u model.Usage
	if f, ok := errors.AsType[*model.Failure](err); ok {
		u = f.Usage
	} else if err == nil {
		u = res.Usage
	}
	// It is paid for, whatever became of the dream meanwhile.
	if kept := a.run.SpanEnds(context.WithoutCancel(ctx), span, usage(u), err != nil); kept != nil {
		a.log.Error("booking an answer", "dream", a.run.Dream.ID, "error", kept)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		a.failed = err
		return nil, err
	}
	a.good++
	return res, nil
}

func usage(u model.Usage) wire.DreamUsage {
	return wire.DreamUsage{Input: u.Input, Output: u.Output, CacheCreation: u.CacheWrite, CacheRead: u.CacheRead}
}

// silence is why no request was answered; "" if one was, or none made. Of an error of
// the server only its class is told: its text is the operator's.
func (a *asked) silence() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed == nil || a.good > 0 {
		return ""
	}
	for _, class := range []error{model.ErrKey, model.ErrLimit, model.ErrServer, model.ErrAnswer, model.ErrRefused, model.ErrBudget} {
		if errors.Is(a.failed, class) {
			return class.Error()
		}
	}
	return "it failed"
}

// answers keep what the judge was told in the database.
type answers struct{ run *db.Run }

// Load reads an answer.
func (k answers) Load(ctx context.Context, key string) ([]byte, bool) {
	text, err := k.run.Answer(ctx, "judge "+key)
	return []byte(text), err == nil && text != ""
}

// Save keeps an answer.
func (k answers) Save(ctx context.Context, key string, b []byte) error {
	return k.run.KeepAnswer(context.WithoutCancel(ctx), "judge "+key, string(b))
}

// kept is a model that gives an answer that was kept again. Only for requests that are
// the same each time.
type kept struct{ *asked }

// Generate returns what was answered to this request before, or asks.
func (k kept) Generate(ctx context.Context, r model.Request) (*model.Response, error) {
	q, err := json.Marshal([]any{k.Name(), r})
	if err != nil {
		return nil, fmt.Errorf("naming a request: %w", err)
	}
	sum := sha256.Sum256(q)
	key := "session " + hex.EncodeToString(sum[:])
	text, err := k.run.Answer(ctx, key)
	if err != nil {
		return nil, err
	}
	if text != "" {
		res := &model.Response{}
		if err := json.Unmarshal([]byte(text), res); err == nil {
			res.Usage = model.Usage{} // it was booked when it was paid
			k.mu.Lock()
			k.good++
			k.mu.Unlock()
			return res, nil
		}
	}
	res, err := k.asked.Generate(ctx, r)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(res)
	if err != nil {
		return nil, fmt.Errorf("keeping an answer: %w", err)
	}
	return res, k.run.KeepAnswer(context.WithoutCancel(ctx), key, string(b))
}
