// Package bymodel is the judge of a dream that asks a language model: what may be
// done about a few statements that rules could not settle. The model sees those
// statements alone, fenced and without secrets, and has no tools. What it answers
// is read as operations whose form is sound: known ones, on statements that it was
// shown, with texts of bounded size. Whether an operation is right is for package
// dream to check.
//
// What was answered is kept by content, so a dream that was broken off asks only
// about the rest when it is run again.
package bymodel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"dormouse/dream"
	"dormouse/model"
	"dormouse/scan/secrets"
)

// answerTokens is the most that an answer may have; the operations on 8,000 tokens
// of statements are shorter.
const answerTokens = 4_000

// Report says what an engine did so far.
type Report struct {
	Asked   int         // clusters that the model was asked about, whatever came of it
	Cached  int         // clusters whose answer was there from before
	Failed  int         // of Asked, those that got no answer that can be used
	Large   int         // clusters that were too large to ask about
	Left    int         // clusters that were not asked about, because of Ended
	Dropped int         // operations in answers that had no sound form
	Refused []string    // why those had none, a sentence each
	Usage   model.Usage // of all that was asked, as far as anybody knows
	// Ended is why nothing more is asked: it wraps model.ErrBudget or
	// model.ErrKey; nil while asking goes on.
	Ended error
	// Cache is why an answer could not be kept; nil if all were.
	Cache error
}

// Engine is a dream.Judge. It may be used by several goroutines at once.
type Engine struct {
	model  model.Model
	cache  cache
	finder *secrets.Finder

	mu     sync.Mutex
	report Report
	down   int // clusters in a row that the server failed
}

var _ dream.Judge = (*Engine)(nil)

// New makes an engine. Answers are kept in the folder cache, which is made when
// the first one comes; "" keeps none.
func New(m model.Model, cacheDir string) *Engine {
	if cacheDir == "" {
		return NewKept(m, nil)
	}
	return NewKept(m, folder{cacheDir})
}

// NewKept makes an engine that keeps answers elsewhere; nil keeps none.
func NewKept(m model.Model, kept Answers) *Engine {
	return &Engine{model: m, cache: cache{kept}, finder: secrets.New()}
}

// Report says what was done so far.
func (e *Engine) Report() Report {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.report
	r.Refused = slices.Clone(r.Refused)
	return r
}

// count changes the report.
func (e *Engine) count(change func(*Report)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.report)
}

// Request is the question that a cluster is put as; nothing is sent. ok is false
// where none would be put: of fewer than two statements, and of more than 24 KiB
// of them.
func (e *Engine) Request(c dream.Cluster) (r model.Request, ok bool) {
	q, err := e.question(c)
	if err != nil || q.alone || q.large {
		return model.Request{}, false
	}
	return q.request(), true
}

// Judge asks about one cluster. No operations and no error is the answer for a
// cluster that is too large or has nothing to compare. An error wraps one of
// package model, or the context's, and is of that cluster only; but when the
// budget is used up, the key refused or the server down, nothing more is asked, and each further
// cluster that has no kept answer gets that error at once.
func (e *Engine) Judge(ctx context.Context, c dream.Cluster) ([]dream.Op, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q, err := e.question(c)
	switch {
	case err != nil:
		return nil, err
	case q.alone:
		return nil, nil
	case q.large:
		e.count(func(r *Report) { r.Large++ })
		return nil, nil
	}
	key := keyOf(e.model.Name(), c.Key, q.lines)
	// What was paid for is used, also where nothing more may be spent.
	if ops, refused, ok := e.cache.load(ctx, key, e.reader(q)); ok {
		e.count(func(r *Report) {
			r.Cached++
			r.refuse(refused)
		})
		return ops, nil
	}
	if err := e.ended(); err != nil {
		return nil, err
	}
	ops, refused, err := e.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := e.cache.save(ctx, key, ops, refused); err != nil {
		e.count(func(r *Report) { r.Cache = err })
	}
	return ops, nil
}

// maxDown is how many clusters in a row a server may fail, each after all its tries,
// before it counts as down: a dream asks about hundreds.
const maxDown = 3

// ended is the error after which nothing is asked. It counts the cluster that asks
// for it.
func (e *Engine) ended() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.report.Ended != nil {
		e.report.Left++
	}
	return e.report.Ended
}

// ask puts the question to the model and reads what it says.
func (e *Engine) ask(ctx context.Context, q *question) (ops []dream.Op, refused []string, err error) {
	res, err := e.model.Generate(ctx, q.request())
	if err != nil {
		e.count(func(r *Report) {
			r.Asked++
			r.Failed++
			var f *model.Failure
			if errors.As(err, &f) {
				r.Usage = plus(r.Usage, f.Usage)
			}
			e.down++
			gone := (errors.Is(err, model.ErrServer) || errors.Is(err, model.ErrLimit)) && e.down >= maxDown
			if errors.Is(err, model.ErrBudget) || errors.Is(err, model.ErrKey) || gone {
				r.Ended = err
			}
		})
		return nil, nil, err
	}
	e.count(func(*Report) { e.down = 0 })
	text := []byte(res.JSON)
	if res.JSON == nil {
		text = []byte(res.Text)
	}
	ops, refused, err = e.reader(q).read(text)
	e.count(func(r *Report) {
		r.Asked++
		r.refuse(refused)
		r.Usage = plus(r.Usage, res.Usage)
		if err != nil {
			r.Failed++
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w: %w", e.model.Name(), model.ErrAnswer, err)
	}
	return ops, refused, nil
}

// maxRefused is how many reasons a report has: a model that answers nonsense says it
// of each cluster.
const maxRefused = 200

func (r *Report) refuse(why []string) {
	r.Dropped += len(why)
	r.Refused = append(r.Refused, why[:min(len(why), maxRefused-len(r.Refused))]...)
}

// Silent reports whether a model that was asked gave no answer that can be used, and
// none was kept of before. Where the person's own limit was in the way it could not.
func (r *Report) Silent() bool {
	return r.Failed > 0 && r.Failed == r.Asked && r.Cached == 0 && !errors.Is(r.Ended, model.ErrBudget)
}

func (e *Engine) reader(q *question) reader { return reader{ids: q.ids, finder: e.finder} }

func plus(a, b model.Usage) model.Usage {
	return model.Usage{
		Input: a.Input + b.Input, Output: a.Output + b.Output, CacheRead: a.CacheRead + b.CacheRead, CacheWrite: a.CacheWrite + b.CacheWrite,
		Dollars: a.Dollars + b.Dollars, Estimated: a.Estimated || b.Estimated,
	}
}
