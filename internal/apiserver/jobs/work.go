package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dormouse/dream"
	"dormouse/dream/bymodel"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/wire"
	"dormouse/model"
)

// failure ends a dream as failed.
type failure struct{ wire.DreamError }

func (f *failure) Error() string { return f.Type + ": " + f.Message }

func fail(kind, message string) *failure {
	return &failure{wire.DreamError{Type: kind, Message: message}}
}

// stepPlan is what is to be changed in the output store: from then on nobody is asked.
const stepPlan = "plan"

// plan is what a dream came to.
type plan struct {
	Ops []db.Op `json:"ops"`
	// Says is the account, for the session that tells of the dream.
	Says []string `json:"says"`
	// Silent is why the model that was asked for gave no answer; "" if it did.
	Silent string `json:"silent,omitempty"`
}

// carryOut takes a dream from wherever it is to its end.
func (r *Runner) carryOut(ctx context.Context, run *db.Run) error {
	if err := r.tell(ctx, run, "running"); err != nil {
		return err
	}
	if err := there(ctx, run); err != nil {
		return err
	}
	if err := clone(ctx, run); err != nil {
		return err
	}
	p, err := r.planned(ctx, run)
	if err != nil {
		return err
	}
	if err := there(ctx, run); err != nil {
		return err
	}
	return r.apply(ctx, run, p)
}

// there fails where the input is gone.
func there(ctx context.Context, run *db.Run) error {
	gone, err := run.InputThere(ctx)
	if err == nil && gone != nil {
		return &failure{*gone}
	}
	return err
}

// clone makes the output store.
func clone(ctx context.Context, run *db.Run) error {
	err := run.Clone(ctx)
	e, ok := errors.AsType[*wire.Error](err)
	switch {
	case ok && e.Type == wire.NotFound:
		return fail(wire.DreamStoreUnavailable, "the input store was deleted")
	case ok:
		return fail(wire.DreamStoreUnavailable, e.Message)
	}
	return err
}

// planned is the plan that was kept, or a new one, which is kept.
func (r *Runner) planned(ctx context.Context, run *db.Run) (*plan, error) {
	p := &plan{}
	body, err := run.Step(ctx, stepPlan)
	if err != nil {
		return nil, err
	}
	if body != "" {
		if err := json.Unmarshal([]byte(body), p); err != nil {
			return nil, fmt.Errorf("reading the plan: %w", err)
		}
		return p, nil
	}
	if p, err = r.dream(ctx, run); err != nil {
		return nil, err
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return p, run.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return run.Keep(ctx, tx, stepPlan, string(b)) })
}

// dream consolidates; nothing is written but the answers of the model.
func (r *Runner) dream(ctx context.Context, run *db.Run) (*plan, error) {
	heads, err := run.Heads(ctx)
	if err != nil {
		return nil, err
	}
	size := 0
	for i := range heads {
		size += len(heads[i].Content)
	}
	if size > r.c.MaxInput {
		return nil, fail(wire.DreamStoreTooLarge, fmt.Sprintf("the memories of the input have %d bytes together, and a dream takes %d", size, r.c.MaxInput))
	}
	m, err := r.model(run)
	if err != nil {
		return nil, fail(wire.DreamInternal, err.Error())
	}
	s := newShelf(heads)
	said, err := r.listen(ctx, run, s, m)
	if err != nil {
		return nil, err
	}
	in := s.input(run.Dream.CreatedAt.Time, said)
	if m != nil {
		in.Judge = bymodel.NewKept(m, answers{run})
	}
	res, err := dream.Dream(ctx, in)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fail(wire.DreamInternal, "the consolidation did not pass its own checks")
	}
	p := s.plan(&in, res)
	if m == nil && run.Dream.Instructions != nil {
		p.Says = append(p.Says, "The instructions were for a model, and rules alone were asked.")
	}
	if m != nil {
		p.Silent = m.silence()
	}
	return p, nil
}

// model opens the model that the dream asks for; nil for rules.
func (r *Runner) model(run *db.Run) (*asked, error) {
	spec, err := r.spec(run.Dream.Model.ID)
	if err != nil {
		return nil, err
	}
	if spec == Rules {
		return nil, nil //nolint:nilnil // no model is asked
	}
	if r.c.Open == nil {
		return nil, errors.New("this server asks no models")
	}
	m, err := r.c.Open(spec)
	if err != nil {
		// The error may name the server's own settings.
		r.c.Log.Error("opening a model", "model", run.Dream.Model.ID, "error", err)
		return nil, fmt.Errorf("the model %q could not be opened, see the server's log", run.Dream.Model.ID)
	}
	if r.c.Tokens > 0 {
		m = model.Limit(m, model.Budget{Tokens: max(1, r.c.Tokens-spent(run)), Now: time.Now}, nil)
	}
	return &asked{Model: m, run: run, log: r.c.Log, instructions: run.Dream.Instructions}, nil
}

// spent is what the dream cost until it was taken.
func spent(run *db.Run) int {
	u := run.Dream.Usage
	return u.Input + u.Output + u.CacheCreation + u.CacheRead
}

// batch is how many changes one transaction carries out: the lease can't be renewed
// meanwhile.
const batch = 50

// apply carries the plan out. The last changes and the end are one transaction.
func (r *Runner) apply(ctx context.Context, run *db.Run, p *plan) error {
	var left []string
	ops := p.Ops
	for len(ops) > batch {
		some := ops[:batch]
		ops = ops[batch:]
		var missed []string
		if err := run.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			missed, err = run.Apply(ctx, tx, some)
			return err
		}); err != nil {
			return outputGone(err)
		}
		left = append(left, missed...)
		if err := there(ctx, run); err != nil {
			return err
		}
	}
	said := p.Says
	return outputGone(run.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		missed, err := run.Apply(ctx, tx, ops)
		if err != nil {
			return err
		}
		says := said
		if missed = append(left, missed...); len(missed) > 0 {
			says = append(says[:len(says):len(says)], missedWords(missed))
		}
		var end *wire.DreamError
		if p.Silent != "" {
			end = &wire.DreamError{Type: wire.DreamInternal, Message: "the model gave no answer that can be used (" + p.Silent + "); what the rules decided is in the output store"}
			says = append(says[:len(says):len(says)], end.Message)
		}
		if err := r.says(ctx, tx, run, "idle", true, says...); err != nil {
			return err
		}
		return run.End(ctx, tx, end)
	}))
}

// outputGone makes a failure of what the API refuses: somebody deleted or archived the
// output store, or filled it.
func outputGone(err error) error {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return fail(wire.DreamInternal, "the output store: "+e.Message)
	}
	return err
}

// fail ends a dream as failed. Its output store keeps what it has.
func (r *Runner) fail(ctx context.Context, run *db.Run, f *failure) error {
	err := run.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := r.says(ctx, tx, run, "idle", true, "The dream failed: "+f.Message+"."); err != nil {
			return err
		}
		return run.End(ctx, tx, &f.DreamError)
	})
	if errors.Is(err, db.ErrCanceled) {
		return errors.Join(run.Drop(ctx), run.Stop(ctx))
	}
	if errors.Is(err, db.ErrTaken) {
		return nil
	}
	return errors.Join(err, run.Drop(ctx))
}
