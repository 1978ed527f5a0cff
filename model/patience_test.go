package model

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// running is a clock on which every wait takes as long as it says, and takes no
// time.
type running struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func (c *running) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *running) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	c.now, c.waits = c.now.Add(d), append(c.waits, d)
	c.mu.Unlock()
	go f()
	return func() bool { return true }
}

// silent is a server that never answers.
type silent struct{ asked int }

func (s *silent) Ask(ctx context.Context, _ Request) (*Response, error) {
	s.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAServerThatNeverAnswersIsGivenUpAfterTwiceTheTimeOfATry(t *testing.T) {
	t.Parallel()
	begin := time.Unix(1e9, 0)
	for _, timeout := range []time.Duration{0, 10 * time.Second} {
		clock, server := &running{now: begin}, &silent{}
		m := open(t, server, Config{Clock: clock, Timeout: timeout, Tries: 9})
		_, err := m.Generate(t.Context(), ask("?"))
		if !errors.Is(err, ErrServer) {
			t.Fatal(err)
		}
		each := timeout
		if each == 0 {
			each = Patience
		}
		if took := clock.Now().Sub(begin); took > 2*each || server.asked != 2 {
			t.Errorf("%d tries took %s of %s", server.asked, took, 2*each)
		}
	}
	if Patience > time.Minute {
		t.Error("somebody who waits for a command does not wait for more than two minutes")
	}
}

func TestAnAnswerThatHasToBeRepairedHasNoMoreTime(t *testing.T) {
	t.Parallel()
	begin := time.Unix(1e9, 0)
	clock := &running{now: begin}
	first := true
	m := open(t, engineFunc(func(ctx context.Context, _ Request) (*Response, error) {
		if first {
			first = false
			return &Response{Text: "no JSON", Usage: Usage{Input: 1, Output: 1}}, nil
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}), Config{Clock: clock, Tries: 9})
	r := ask("?")
	r.Schema = []byte(`{"type":"object"}`)
	if _, err := m.Generate(t.Context(), r); !errors.Is(err, ErrServer) {
		t.Fatal(err)
	}
	if took := clock.Now().Sub(begin); took > 2*Patience {
		t.Errorf("it took %s", took)
	}
}

type engineFunc func(context.Context, Request) (*Response, error)

func (f engineFunc) Ask(ctx context.Context, r Request) (*Response, error) { return f(ctx, r) }
