package remote_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/model"
	"dormouse/model/remote"
	"dormouse/testkit/modelserver"
)

const (
	secret     = "sk-ant-very-secret-0123456789"
	tryTimeout = 7777 * time.Second // told from waits by its length
	tries      = 3
)

// clock lets waits pass at once, and the time of a try when the server says that
// it keeps somebody waiting.
type clock struct {
	hanging <-chan struct{}
	mu      sync.Mutex
	now     time.Time
	waits   []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) AfterFunc(d time.Duration, f func()) func() bool {
	stopped := make(chan struct{})
	var once sync.Once
	stop := func() bool { once.Do(func() { close(stopped) }); return true }
	if d != tryTimeout {
		c.mu.Lock()
		c.now, c.waits = c.now.Add(d), append(c.waits, d)
		c.mu.Unlock()
		go f()
		return stop
	}
	go func() {
		select {
		case <-c.hanging:
			f()
		case <-stopped:
		}
	}()
	return stop
}

// bench is a server, a model of it, and what was logged.
type bench struct {
	server *modelserver.Server
	model  model.Model
	clock  *clock
	mu     sync.Mutex
	log    []string
}

func (b *bench) lines() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.log, "\n")
}

func provider(f modelserver.Form) (spec, key string) {
	switch f {
	case modelserver.Anthropic:
		return "anthropic:m", "ANTHROPIC_API_KEY"
	case modelserver.OpenAI:
		return "openai:m", "OPENAI_API_KEY"
	}
	return "ollama:m", "UNUSED"
}

func newBench(t *testing.T, f modelserver.Form, stream bool, script modelserver.Script) *bench {
	t.Helper()
	s, err := modelserver.Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := &bench{server: s, clock: &clock{hanging: s.Hanging(), now: time.Unix(1e9, 0)}}
	spec, key := provider(f)
	b.model, err = model.Open(model.Config{
		Spec: spec + "@" + s.Base(f), Timeout: tryTimeout, Tries: tries, Stream: stream, Clock: b.clock, Remote: remote.New,
		Getenv: func(name string) string {
			if name == key {
				return secret
			}
			return ""
		},
		Log: func(line string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.log = append(b.log, line)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func question() model.Request {
	return model.Request{System: "be short", Messages: []model.Message{{Role: model.User, Text: "hello"}}}
}

// each runs a test for each wire form, streamed and not.
func each(t *testing.T, f func(t *testing.T, form modelserver.Form, stream bool)) {
	t.Helper()
	for _, form := range modelserver.Forms() {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stream %v", form, stream), func(t *testing.T) { f(t, form, stream) })
		}
	}
}

func TestEveryFaultInEveryFormIsToldAndRetriedAsItShould(t *testing.T) {
	t.Parallel()
	wants := map[string]struct {
		err      error
		requests int
	}{
		"401": {model.ErrKey, 1}, "403": {model.ErrKey, 1},
		"400": {model.ErrRefused, 1}, "404": {model.ErrRefused, 1}, "redirect": {model.ErrRefused, 1},
		"429": {model.ErrLimit, tries}, "529": {model.ErrLimit, tries},
		"500": {model.ErrServer, tries}, "hang": {model.ErrServer, tries}, "hang midway": {model.ErrServer, tries},
		"cut": {model.ErrServer, tries}, "truncated": {model.ErrServer, tries}, "not JSON": {model.ErrServer, tries},
		"huge": {model.ErrAnswer, 1},
	}
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		t.Parallel()
		other, err := modelserver.Start(modelserver.Steps())
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close() //nolint:errcheck // a test server
		for name, fault := range modelserver.Faults() {
			want, ok := wants[name]
			if !ok {
				t.Errorf("nobody says what %q is to come to", name)
			}
			step := modelserver.Step{Text: strings.Repeat("some words ", 40), Fault: fault, Location: other.URL + "/v1/messages"}
			b := newBench(t, form, stream, modelserver.Always(step))
			res, err := b.model.Generate(t.Context(), question())
			if err == nil {
				t.Errorf("%s: answered %q", name, res.Text)
			}
			if want.err != nil && !errors.Is(err, want.err) {
				t.Errorf("%s: error %v, want one of %v", name, err, want.err)
			}
			if n := len(b.server.Requests()); want.requests > 0 && n != want.requests {
				t.Errorf("%s: %d requests, want %d", name, n, want.requests)
			}
			if b.lines() == "" {
				t.Errorf("%s: nothing was logged", name)
			}
			out := fmt.Sprintf("%s %v %+v %#v %v %+v %#v %+v", b.lines(), err, err, err, b.model, b.model, b.model, res)
			if strings.Contains(out, secret) {
				t.Errorf("%s: the key came out in %s", name, out)
			}
		}
		if n := len(other.Requests()); n != 0 {
			t.Errorf("%d requests went to the other host", n)
		}
	})
}

func TestAFaultThatPassesCostsOnlyAWait(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		t.Parallel()
		b := newBench(t, form, stream, modelserver.Steps(
			modelserver.Step{Fault: modelserver.TooMany, RetryAfter: "7"},
			modelserver.Step{Fault: modelserver.Cut, Text: strings.Repeat("lost ", 99)},
			modelserver.Step{Text: "here", Usage: &modelserver.Usage{Input: 30, Output: 4}},
		))
		res, err := b.model.Generate(t.Context(), question())
		if err != nil || res.Text != "here" {
			t.Fatalf("%+v, %v", res, err)
		}
		if len(b.clock.waits) != 2 || b.clock.waits[0] < 7*time.Second || b.clock.waits[1] > 2*time.Second {
			t.Errorf("waited %v, want 7 s or more as the server asked, then about 1 s", b.clock.waits)
		}
		if !res.Usage.Estimated || res.Usage.Output < 4 {
			t.Errorf("usage %+v, want the cut try counted at its estimate", res.Usage)
		}
	})
}

func TestAServerThatAsksForAnHourIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t, modelserver.Anthropic, false, modelserver.Always(modelserver.Step{Fault: modelserver.TooMany, RetryAfter: "3600"}))
	if _, err := b.model.Generate(t.Context(), question()); !errors.Is(err, model.ErrLimit) || len(b.clock.waits) != 0 {
		t.Errorf("error %v after waits %v", err, b.clock.waits)
	}
}

func TestACancelEndsAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		for _, fault := range []modelserver.Fault{modelserver.Hang, modelserver.HangMidway} {
			b := newBench(t, form, stream, modelserver.Always(modelserver.Step{Text: strings.Repeat("x ", 99), Fault: fault}))
			b.clock.hanging = nil // no try ever takes too long
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-b.server.Hanging()
				cancel()
			}()
			if _, err := b.model.Generate(ctx, question()); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want that it was cancelled", err)
			}
			if n := len(b.server.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		}
	})
}

// Not parallel: it counts goroutines.
func TestNothingRunsOnAfterwards(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, form := range modelserver.Forms() {
		for _, fault := range []modelserver.Fault{modelserver.None, modelserver.Cut, modelserver.HangMidway, modelserver.Huge} {
			b := newBench(t, form, true, modelserver.Always(modelserver.Step{Text: strings.Repeat("x ", 99), Fault: fault}))
			_, _ = b.model.Generate(t.Context(), question())
			if err := b.server.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	// What was told to end needs its turn to do so.
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); runtime.Gosched() {
		if runtime.NumGoroutine() <= before {
			return
		}
	}
	buf := make([]byte, 1<<20)
	t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}
