package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// helperName is the program that speaks HTTP for a program that doesn't link it.
const helperName = "dormouse-model"

// helper runs dormouse-model once a try: the request in, the answer out. The key
// goes through the pipe, where no list of processes shows it.
type helper struct {
	path     string
	endpoint Endpoint
	getenv   func(string) string
}

func newHelper(e Endpoint, getenv func(string) string) (Engine, error) {
	path, err := helperPath(getenv)
	if err != nil {
		return nil, err
	}
	return &helper{path, e, getenv}, nil
}

func helperPath(getenv func(string) string) (string, error) {
	path := beside(helperName)
	if path == "" {
		path = lookPath(helperName, getenv)
	}
	if path == "" {
		return "", fmt.Errorf("%w: models behind a network need the program %s beside dormouse or on PATH", ErrNoEngine, helperName)
	}
	return path, nil
}

// beside finds a program in the folder of the one that runs.
func beside(name string) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return ""
	}
	return lookPath(name, func(string) string { return filepath.Dir(self) })
}

// Asked is what dormouse-model reads: an endpoint with its key in the clear, and a
// request.
type Asked struct {
	Provider, Model, Base, Key string
	Bearer, Stream             bool
	Request                    Request
	Embed                      []string `json:",omitempty"` // vectors of these are asked for instead
}

// Endpoint is the endpoint, its key wrapped again.
func (a Asked) Endpoint() Endpoint {
	return Endpoint{a.Provider, a.Model, a.Base, NewKey(a.Key), a.Bearer, a.Stream}
}

// Answered is what dormouse-model prints: one of them.
type Answered struct {
	Response *Response      `json:",omitempty"`
	Failure  *FailureReport `json:",omitempty"`
	Vectors  [][]float32    `json:",omitempty"`
}

// FailureReport is a Failure on the way between processes.
type FailureReport struct {
	Kind          int // place in the list of errors
	Text          string
	Status        int
	RetryAfter    time.Duration
	Again, Unsure bool
	Usage         Usage
}

func kinds() []error {
	return []error{ErrServer, ErrKey, ErrLimit, ErrAnswer, ErrRefused, ErrNoEngine}
}

// Report makes a failure fit for the way.
func (f *Failure) Report() *FailureReport {
	r := &FailureReport{Text: f.Text, Status: f.Status, RetryAfter: f.RetryAfter, Again: f.Again, Unsure: f.Unsure, Usage: f.Usage}
	for i, k := range kinds() {
		if errors.Is(f.Err, k) {
			r.Kind = i
		}
	}
	return r
}

func (r *FailureReport) failure() *Failure {
	f := &Failure{Err: ErrServer, Text: r.Text, Status: r.Status, RetryAfter: r.RetryAfter, Again: r.Again, Unsure: r.Unsure, Usage: r.Usage}
	if list := kinds(); r.Kind >= 0 && r.Kind < len(list) {
		f.Err = list[r.Kind]
	}
	return f
}

// Ask runs the program once.
func (h *helper) Ask(ctx context.Context, r Request) (*Response, error) {
	e := h.endpoint
	in, err := json.Marshal(Asked{Provider: e.Provider, Model: e.Model, Base: e.Base, Key: e.Key.Reveal(), Bearer: e.Bearer, Stream: e.Stream, Request: r})
	if err != nil {
		return nil, &Failure{Err: ErrRefused, Text: "the request can't be written as JSON"}
	}
	out, err := run(ctx, program{path: h.path, env: environment(h.getenv, nil), stdin: in})
	if err != nil {
		return nil, programFailure(helperName, err)
	}
	var a Answered
	switch err := json.Unmarshal(out, &a); {
	case err == nil && a.Response != nil:
		return a.Response, nil
	case err == nil && a.Failure != nil:
		return nil, a.Failure.failure()
	}
	return nil, &Failure{Err: ErrServer, Text: helperName + " printed no answer: is it of another version?", Unsure: true}
}
