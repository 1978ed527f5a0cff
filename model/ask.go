package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// caller is what is the same for all engines: retries, budget, checks.
type caller struct {
	name     string
	engine   Engine
	timeout  time.Duration
	total    time.Duration
	tries    int
	log      func(string)
	clock    Clock
	secrets  []Key
	price    priceFunc
	overhead int // tokens that the engine adds to each request
	meter    *meter
}

var _ Model = (*caller)(nil)

// Name is the provider and the model.
func (c *caller) Name() string { return c.name }

func (c *caller) withMeter(m *meter) Model {
	n := *c
	n.meter = m
	return &n
}

// Generate answers one request: see Model. With a schema, an answer that is none
// gets one turn to be repaired.
func (c *caller) Generate(ctx context.Context, r Request) (*Response, error) {
	var want *schema
	if err := checkRequest(r); err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	if r.Schema != nil {
		var err error
		if want, err = parseSchema(r.Schema); err != nil {
			return nil, fmt.Errorf("%s: %w: the schema of the answer: %w", c.name, ErrRefused, err)
		}
		r = tellSchema(r)
	}
	var spent Usage
	res, err := c.answer(ctx, r, want, &work{until: c.clock.Now().Add(c.total), spent: &spent})
	if err != nil {
		var f *Failure
		if errors.As(err, &f) {
			f.Usage = spent
		}
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	res.Usage = spent
	return res, nil
}

// work is one answer in the making.
type work struct {
	until time.Time // no try goes on for longer
	spent *Usage
}

func (c *caller) answer(ctx context.Context, r Request, want *schema, w *work) (*Response, error) {
	res, err := c.turn(ctx, r, w)
	if err != nil || want == nil || len(res.Calls) > 0 {
		return res, err
	}
	why := res.read(want)
	if why == nil {
		return res, nil
	}
	if res.Full {
		return nil, &Failure{Err: ErrAnswer, Text: "it was cut at its greatest length and is no whole JSON value"}
	}
	if res, err = c.turn(ctx, repair(r, res, why), w); err != nil {
		return nil, err
	}
	if why = res.read(want); why != nil {
		// why names places and rules of our schema, and nothing that was said.
		return nil, &Failure{Err: ErrAnswer, Text: why.Error() + ", also after a second turn"}
	}
	res.Calls = nil
	return res, nil
}

// read finds the JSON value of an answer.
func (r *Response) read(want *schema) error {
	value, err := findJSON(r.Text, want)
	r.JSON = value
	return err
}

func checkRequest(r Request) error {
	if len(r.Messages) == 0 || r.Messages[len(r.Messages)-1].Role != User {
		return fmt.Errorf("%w: the last message must be the user's", ErrRefused)
	}
	for _, t := range r.Tools {
		if !json.Valid(t.Schema) || t.Name == "" {
			return fmt.Errorf("%w: a tool needs a name and a schema that is JSON", ErrRefused)
		}
	}
	for _, m := range r.Messages {
		for _, call := range m.Calls {
			if !json.Valid(call.Input) {
				return fmt.Errorf("%w: the input of a call is no JSON", ErrRefused)
			}
		}
	}
	return nil
}

// tellSchema says it in words too: servers that don't know the field for it pass
// over it in silence.
func tellSchema(r Request) Request {
	var compact bytes.Buffer
	_ = json.Compact(&compact, r.Schema) // parseSchema has read it
	r.Schema = compact.Bytes()
	r.System = strings.TrimSpace(r.System + "\n\nYour final answer is one JSON value of this JSON schema, and nothing else:\n" + compact.String())
	return r
}

// repairQuote in bytes is how much of a bad answer is shown to the model again.
const repairQuote = 4 << 10

func repair(r Request, bad *Response, why error) Request {
	text := bad.Text
	if len(text) > repairQuote {
		text = strings.ToValidUTF8(text[:repairQuote], "") + "…"
	}
	if strings.TrimSpace(text) == "" {
		text = "(nothing)" // no server takes an empty turn
	}
	r.Messages = append(r.Messages[:len(r.Messages):len(r.Messages)],
		Message{Role: Assistant, Text: text},
		Message{Role: User, Text: "That can't be used: " + why.Error() + ". Answer again with the one JSON value, without any other text."})
	return r
}

// turn gets one answer, with as many tries as there are.
func (c *caller) turn(ctx context.Context, r Request, w *work) (*Response, error) {
	for try := 1; ; try++ {
		res, err := c.once(ctx, r, w)
		var f *Failure
		if err == nil || !errors.As(err, &f) {
			return res, err
		}
		// An older model or server that knows no schemas says 400. It was told in
		// words as well.
		if f.Status == 400 && r.Schema != nil {
			c.say("the server refuses the schema (status 400); once more without it")
			r.Schema = nil
			continue
		}
		if !f.Again || try >= c.tries {
			c.say(fmt.Sprintf("try %d of %d failed: %s", try, c.tries, f))
			return nil, f
		}
		wait := backoff(try, f.RetryAfter)
		next := c.clock.Now().Add(wait)
		if deadline, ok := ctx.Deadline(); wait > maxWait || next.Add(shortest).After(w.until) || ok && next.After(deadline) {
			c.say(fmt.Sprintf("try %d of %d failed: %s; the next would be in %s, too late", try, c.tries, f, wait.Round(time.Second)))
			return nil, f
		}
		c.say(fmt.Sprintf("try %d of %d failed: %s; again in %s", try, c.tries, f, wait.Round(time.Millisecond)))
		if err := c.wait(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (c *caller) say(line string) {
	if c.log != nil {
		c.log(scrub(c.name+": "+line, c.secrets))
	}
}

const (
	firstWait = 500 * time.Millisecond
	longWait  = 30 * time.Second // the most that is waited by ourselves
	maxWait   = 2 * time.Minute  // the most that a server may ask for
	shortest  = time.Second      // a try that has less time is not worth making
)

// backoff doubles with each try and is drawn from its upper half, so that many
// processes that failed together don't come back together. A server that says
// how long gets at least that.
func backoff(try int, asked time.Duration) time.Duration {
	wait := min(firstWait<<min(try-1, 10), longWait)
	jitter := time.Duration(rand.Int64N(int64(wait/2) + 1))
	if asked > 0 {
		return asked + jitter/2
	}
	return wait/2 + jitter
}

func (c *caller) wait(ctx context.Context, d time.Duration) error {
	done := make(chan struct{})
	stop := c.clock.AfterFunc(d, func() { close(done) })
	defer stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-done:
		return nil
	}
}

var errTooLong = errors.New("the try takes too long")

// once is one try: booked before, corrected after.
func (c *caller) once(ctx context.Context, r Request, w *work) (*Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	guess := c.guess(r)
	settle, err := c.meter.reserve(ctx, guess, c.price != nil)
	if err != nil {
		return nil, err
	}
	res, err := c.timed(ctx, r, min(c.timeout, w.until.Sub(c.clock.Now())))
	cost := guess // what is not known stays as it was guessed
	var f *Failure
	switch {
	case err == nil:
		cost = res.Usage
	case errors.As(err, &f) && (f.Usage != (Usage{}) || !f.Unsure):
		cost = f.Usage
	}
	cost = c.priced(cost)
	w.spent.add(cost)
	if serr := settle(ctx, cost); err == nil && serr != nil {
		return nil, serr
	}
	return res, err
}

// timed asks the engine, for no longer than that.
func (c *caller) timed(ctx context.Context, r Request, most time.Duration) (res *Response, err error) {
	tctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := c.clock.AfterFunc(most, func() { cancel(errTooLong) })
	defer stop()
	// A panic's text may hold what was sent; it ends here as an answer that can't
	// be used.
	defer func() {
		if recover() != nil {
			res, err = nil, &Failure{Err: ErrServer, Text: "the answer broke its reader", Unsure: true}
		}
	}()
	res, err = c.engine.Ask(tctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && errors.Is(context.Cause(tctx), errTooLong):
		return nil, &Failure{Err: ErrServer, Text: fmt.Sprintf("no answer in %s", most.Round(time.Millisecond)), Again: true, Unsure: true}
	case err != nil:
		return nil, asFailure(err)
	}
	if err := c.clean(res, r); err != nil {
		return nil, err
	}
	return res, nil
}

// asFailure keeps what is a Failure and hides the text of everything else.
func asFailure(err error) error {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return &Failure{Err: ErrServer, Text: "the connection failed", Again: true, Unsure: true}
}

// maxCalls in one answer; a model that asks for more is lost.
const maxCalls = 128

// clean makes an answer fit to be handed on: no secret of ours, valid UTF-8
// without NUL, calls that are JSON with ids that differ, usage that adds up.
func (c *caller) clean(res *Response, r Request) error {
	res.JSON = nil
	res.Text = c.tidy(res.Text)
	if res.Usage.negative() || res.Usage == (Usage{}) {
		res.Usage = c.guess(r)
		res.Usage.Output, res.Usage.Estimated = tokens(res.Text), true
	}
	if len(res.Calls) > maxCalls {
		return &Failure{Err: ErrAnswer, Text: fmt.Sprintf("it asks for %d tools at once", len(res.Calls)), Usage: res.Usage}
	}
	seen := map[string]bool{}
	for i := range res.Calls {
		call := &res.Calls[i]
		input, err := readJSON(call.Input)
		if err != nil {
			return &Failure{Err: ErrAnswer, Text: "the input of a tool call is no JSON", Usage: res.Usage}
		}
		if call.Input, err = json.Marshal(c.tidyValue(input)); err != nil {
			return &Failure{Err: ErrAnswer, Text: "the input of a tool call is no JSON", Usage: res.Usage}
		}
		call.ID, call.Name = strings.TrimSpace(c.tidy(call.ID)), c.tidy(call.Name)
		for n := i; call.ID == "" || seen[call.ID]; n++ {
			call.ID = fmt.Sprintf("call-%d", n+1)
		}
		seen[call.ID] = true
	}
	return nil
}

func (c *caller) tidy(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(scrub(s, c.secrets), "\uFFFD"), "\x00", "")
}

// tidyValue tidies all texts of a JSON value: in its written form an escape could
// hide one.
func (c *caller) tidyValue(v any) any {
	switch v := v.(type) {
	case string:
		return c.tidy(v)
	case []any:
		for i := range v {
			v[i] = c.tidyValue(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[c.tidy(k)] = c.tidyValue(x)
		}
		return out
	}
	return v
}
