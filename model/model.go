// Package model is one small interface to language models: the Anthropic Messages
// API, servers that speak OpenAI's chat completions (OpenAI, Ollama, vLLM,
// llama.cpp), and the command-line programs of people who have a subscription. A
// model proposes; nothing here acts on what it says.
//
// This package holds what is the same for all of them: retries, the budget, the
// reading and checking of JSON answers, keys, and the programs. What speaks HTTP
// is in package model/remote: linked into a command it costs every start of every
// command 15 % (net/http) to 31 % (with the official SDK of Anthropic), so Open
// leaves it to the program dormouse-model unless Config.Remote says otherwise.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Role is who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role    Role
	Text    string
	Calls   []Call   // of an Assistant turn
	Results []Result // of a User turn
}

// Tool is something that the model may ask for.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON schema of its input
}

// Call is the model asking for a tool.
type Call struct {
	ID    string
	Name  string
	Input json.RawMessage // always valid JSON
}

// Result is the answer to a call.
type Result struct {
	ID     string
	Text   string
	Failed bool
}

// Request is one question to a model.
type Request struct {
	System    string
	Messages  []Message
	Tools     []Tool
	Schema    json.RawMessage // the answer is a JSON value of this schema; nil: text
	MaxTokens int             // of the answer; 0: a sensible size
}

// Usage is what an answer cost.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int     // tokens
	Dollars                              float64 // by the price list; 0 where there is no price
	Estimated                            bool    // the server did not say
}

// Response is a model's answer.
type Response struct {
	Text  string
	JSON  json.RawMessage // with Request.Schema: the value, checked to be JSON of that schema
	Calls []Call
	Usage Usage
	Full  bool // it ended because MaxTokens was reached
}

// Model is something that answers.
type Model interface {
	// Name is what the model is called in reports: provider and model.
	Name() string
	// Generate answers one request. Errors wrap one of those below, or the
	// context's.
	Generate(ctx context.Context, r Request) (*Response, error)
	// Estimate says what a request will cost at most, without asking anybody.
	Estimate(r Request) Usage
}

// Errors of a model.
var (
	ErrKey      = errors.New("the key is missing or was refused")
	ErrLimit    = errors.New("the server refuses more for now")   // 429 and 529, after all retries
	ErrServer   = errors.New("the server failed")                 // 5xx, a cut stream, no answer in time
	ErrAnswer   = errors.New("the answer can't be used")          // no JSON, another schema, cut
	ErrRefused  = errors.New("the server refuses the request")    // 4xx
	ErrBudget   = errors.New("the budget is used up")             // see Budget
	ErrNoEngine = errors.New("there is no such model or program") // of Open
)

// Config says which model, and how patient to be.
type Config struct {
	// Spec names it: "anthropic:MODEL", "openai:MODEL", "ollama:MODEL", each with
	// "@URL" behind it for another server ("openai:MODEL@http://127.0.0.1:8080/v1"),
	// "claude-cli[:MODEL]", "codex-cli[:MODEL]".
	Spec    string
	Getenv  func(string) string // keys come from here alone, or from the system's keychain
	Timeout time.Duration       // of one try; 0: Patience
	Total   time.Duration       // of an answer with all its tries and waits; 0: twice the Timeout
	Tries   int                 // at most; 0: four
	Log     func(string)        // one line a try that failed, without a word of request, answer or key; may be nil
	Stream  bool                // ask the server to stream: for answers that take longer than a proxy waits
	Price   *Price              // the person's own; nil: the price list
	Clock   Clock               // nil: the system's
	// Remote opens a server's engine in this process (remote.New). nil: the
	// program dormouse-model beside this one, or on PATH, is run for each try.
	Remote func(Endpoint) (Engine, error)
	// Embed asks a server for vectors in this process (remote.Embed), for
	// OpenEmbedder. nil: the program dormouse-model is run.
	Embed func(ctx context.Context, e Endpoint, texts []string) ([][]float32, error)
}

// Engine asks a model once: no retries, no checks, no budget. It tells its errors
// as a *Failure, or the context's.
type Engine interface {
	Ask(ctx context.Context, r Request) (*Response, error)
}

// Failure is why one try failed. Its text never holds what the server or program
// said: that may echo a key, or be meant for whoever reads the log.
type Failure struct {
	Err        error  // one of the errors above
	Text       string // fixed words
	Status     int    // of HTTP; 0: there was none
	RetryAfter time.Duration
	Again      bool  // another try may help
	Unsure     bool  // it may have cost what nobody told
	Usage      Usage // as far as it was told
}

// Error says what failed.
func (f *Failure) Error() string {
	if f.Text == "" {
		return f.Err.Error()
	}
	return f.Err.Error() + ": " + f.Text
}

// Unwrap returns the error of this package.
func (f *Failure) Unwrap() error { return f.Err }

// Clock is time, for tests to replace.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in its own goroutine after d, unless stopped before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}
