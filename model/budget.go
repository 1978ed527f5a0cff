package model

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Budget is what may be spent. 0 in a field is no limit.
type Budget struct {
	Tokens, TokensPerDay   int // all tokens: in, out, and those of caches
	Dollars, DollarsPerDay float64
	Now                    func() time.Time // whose day it is; nil: the system's clock, in local time
}

// Spent is a sum.
type Spent struct {
	Tokens  int     `json:"tokens"`
	Dollars float64 `json:"dollars"`
}

func (s Spent) plus(o Spent) Spent { return Spent{s.Tokens + o.Tokens, s.Dollars + o.Dollars} }

func (s Spent) minus(o Spent) Spent { return Spent{s.Tokens - o.Tokens, s.Dollars - o.Dollars} }

// cent is what sums of floating point may be off by.
const cent = 1e-9

// over reports what of s is more than most allows, "" for nothing.
func (s Spent) over(most Spent) string {
	switch {
	case most.Tokens > 0 && s.Tokens > most.Tokens:
		return fmt.Sprintf("it could come to %d tokens of %d", s.Tokens, most.Tokens)
	case most.Dollars > 0 && s.Dollars > most.Dollars+cent:
		return fmt.Sprintf("it could come to $%.4f of $%.4f", s.Dollars, most.Dollars)
	}
	return ""
}

// Spent is the usage as a sum.
func (u Usage) Spent() Spent {
	return Spent{u.Input + u.Output + u.CacheRead + u.CacheWrite, u.Dollars}
}

func (u *Usage) add(o Usage) {
	u.Input += o.Input
	u.Output += o.Output
	u.CacheRead += o.CacheRead
	u.CacheWrite += o.CacheWrite
	u.Dollars += o.Dollars
	u.Estimated = u.Estimated || o.Estimated
}

func (u Usage) negative() bool {
	return u.Input < 0 || u.Output < 0 || u.CacheRead < 0 || u.CacheWrite < 0 || u.Dollars < 0
}

// Ledger keeps what was spent on each day, for all processes of one person.
type Ledger interface {
	// Add books more on a day (2006-01-02); a field below zero is given back. When
	// the day would come to more than most, it books nothing and the error wraps
	// ErrBudget.
	Add(ctx context.Context, day string, more, most Spent) error
}

// Limit is a model that stops at a budget. Each try of each request is booked at
// its estimate before it is made and corrected afterwards, so that neither
// retries nor two processes at once pass a limit; a try that nobody knows the cost
// of (a cut answer, a cancel) stays booked at its estimate. A limit of money
// refuses a model without a price: see Config.Price. ledger may be nil when
// nothing is limited per day.
func Limit(m Model, b Budget, ledger Ledger) Model {
	if b.Now == nil {
		b.Now = time.Now
	}
	t := &meter{budget: b, ledger: ledger}
	if own, ok := m.(*caller); ok {
		return own.withMeter(t)
	}
	return &limited{Model: m, meter: t}
}

// Priced reports whether the cost of a model in money is known.
func Priced(m Model) bool {
	switch m := m.(type) {
	case *caller:
		return m.price != nil
	case *limited:
		return Priced(m.Model)
	case interface{ Priced() bool }:
		return m.Priced()
	}
	return m.Estimate(Request{Messages: []Message{{Role: User, Text: "?"}}}).Dollars > 0
}

// meter holds the sums of one run. A nil meter has no limits.
type meter struct {
	budget Budget
	ledger Ledger
	mu     sync.Mutex
	run    Spent
}

func noSettle(context.Context, Usage) error { return nil }

// reserve books an estimate. settle puts what it really was in its place.
func (t *meter) reserve(ctx context.Context, guess Usage, priced bool) (settle func(context.Context, Usage) error, err error) {
	if t == nil {
		return noSettle, nil
	}
	b := t.budget
	if !priced && (b.Dollars > 0 || b.DollarsPerDay > 0) {
		return nil, fmt.Errorf("%w: the price of this model is not known: give one (dollars a million tokens, in/out), or limit tokens", ErrBudget)
	}
	if t.ledger == nil && (b.TokensPerDay > 0 || b.DollarsPerDay > 0) {
		return nil, fmt.Errorf("%w: there is no ledger to keep the day's sum in", ErrBudget)
	}
	booked := guess.Spent()
	if err := t.book(booked, true); err != nil {
		return nil, err
	}
	day := b.Now().Format(time.DateOnly)
	if t.ledger != nil {
		if err := t.ledger.Add(ctx, day, booked, Spent{b.TokensPerDay, b.DollarsPerDay}); err != nil {
			_ = t.book(Spent{}.minus(booked), false)
			return nil, err
		}
	}
	return func(ctx context.Context, real Usage) error {
		change := real.Spent().minus(booked)
		_ = t.book(change, false) // what was spent was spent, limit or not
		if t.ledger == nil || change == (Spent{}) {
			return nil
		}
		// Also after a cancel: the day would stay too dear.
		return t.ledger.Add(context.WithoutCancel(ctx), day, change, Spent{})
	}, nil
}

// book adds to the run's sum; only an estimate, never a correction, can be refused.
func (t *meter) book(more Spent, refusable bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := t.run.plus(more)
	if refusable {
		if why := sum.over(Spent{t.budget.Tokens, t.budget.Dollars}); why != "" {
			return fmt.Errorf("%w: of this run: %s", ErrBudget, why)
		}
	}
	t.run = sum
	return nil
}

// limited is a Model of somebody else under a meter: booked once a request.
type limited struct {
	Model
	meter *meter
}

// Generate books the estimate, asks, and corrects.
func (l *limited) Generate(ctx context.Context, r Request) (*Response, error) {
	settle, err := l.meter.reserve(ctx, l.Estimate(r), Priced(l.Model))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name(), err)
	}
	res, err := l.Model.Generate(ctx, r)
	if err != nil {
		return nil, err // what it cost is not known, so the estimate stays
	}
	if err := settle(ctx, res.Usage); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name(), err)
	}
	return res, nil
}
