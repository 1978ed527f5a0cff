// Package jobs carries dreams out: as jobs of River, on as many servers as there are.
// Who works on a dream holds a lease in the database and renews it; whoever loses it
// can't write any more, and somebody else goes on from what was kept. The queue only
// says that there is work: that a dream has one worker is the lease's doing.
package jobs

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"dormouse/internal/apiserver/db"
	"dormouse/model"
)

// Rules is the id of the model that is none.
const Rules = "rules"

// Config is what a runner is made of.
type Config struct {
	DB *db.DB
	// Models are specifications (see model.Config.Spec) by the ids that clients ask
	// for; "rules" asks no model. "*" is for ids that are not listed.
	Models map[string]string
	// Open makes a model of a specification.
	Open func(spec string) (model.Model, error)
	// Tokens bounds what one dream may use of a model, all kinds together; 0: not.
	Tokens int
	// Workers is how many dreams are worked on at once; 0: 2.
	Workers int
	// MaxTime ends a dream with an error; 0: four hours.
	MaxTime time.Duration
	// MaxInput is the most that an input store may hold, in bytes; 0: 128 MiB. A dream
	// takes some 40 times that of memory.
	MaxInput int
	// Poll is how often the queue is looked at; 0: each second.
	Poll time.Duration
	Log  *slog.Logger // without content
}

// Runner works on dreams.
type Runner struct {
	c      Config
	owner  string
	queue  *river.Client[*sql.Tx]
	work   context.Context //nolint:containedctx // all workers end with it
	cancel context.CancelFunc
	sweeps sync.WaitGroup
}

// job is a dream in the queue.
type job struct {
	Workspace string `json:"workspace"`
	Dream     string `json:"dream"`
}

// Kind names the job in the queue.
func (job) Kind() string { return "dream" }

const queueName = "dreams"

// most is how often a dream is taken at most: one that brings every server down would
// go round for ever.
const most = 100

// New makes a runner, and has the database put new dreams into the queue.
func New(c Config) (*Runner, error) {
	if c.Workers == 0 {
		c.Workers = 2
	}
	if c.MaxTime == 0 {
		c.MaxTime = 4 * time.Hour
	}
	if c.MaxInput == 0 {
		c.MaxInput = 128 << 20
	}
	if c.Poll == 0 {
		c.Poll = time.Second
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	r := &Runner{c: c, owner: rand.Text()}
	r.work, r.cancel = context.WithCancel(context.Background())
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, river.WorkFunc(func(ctx context.Context, j *river.Job[job]) error { return r.Work(ctx, j.Args.Workspace, j.Args.Dream) })); err != nil {
		return nil, fmt.Errorf("making the queue: %w", err)
	}
	q, err := river.NewClient(c.DB.Driver(), &river.Config{
		ID: r.owner, Logger: slog.New(quiet{c.Log.Handler()}), Workers: workers,
		Queues: map[string]river.QueueConfig{queueName: {MaxWorkers: c.Workers}},
		// Neither driver listens.
		PollOnly: true, FetchPollInterval: c.Poll, FetchCooldown: min(c.Poll, river.FetchCooldownDefault),
		// The lease ends a job, not the queue: see Waiting.
		JobTimeout: -1, MaxAttempts: 3, CompletedJobRetentionPeriod: time.Hour,
	})
	if err != nil {
		return nil, fmt.Errorf("making the queue: %w", err)
	}
	r.queue = q
	c.DB.SetEnqueue(func(ctx context.Context, tx *sql.Tx, workspace, dream string) error {
		_, err := q.InsertTx(ctx, tx, job{workspace, dream}, &river.InsertOpts{Queue: queueName})
		return err
	})
	return r, nil
}

// quiet passes on what the queue warns of.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

// Check tells what is wrong with the model that a dream asks for.
func (r *Runner) Check(id string) error {
	_, err := r.spec(id)
	return err
}

// spec is the specification behind an id.
func (r *Runner) spec(id string) (string, error) {
	if s, ok := r.c.Models[id]; ok {
		return s, nil
	}
	if s, ok := r.c.Models["*"]; ok {
		return s, nil
	}
	if id == Rules {
		return Rules, nil
	}
	return "", fmt.Errorf("model %q is not set up here: ask for rules, or start the server with --model %s=SPEC", id[:min(len(id), 80)], strings.ReplaceAll(id[:min(len(id), 80)], "\n", " "))
}

// Start begins to work.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.queue.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("starting the queue: %w", err)
	}
	r.sweeps.Go(r.sweep)
	return nil
}

// Stop gives up all dreams, so that others can take them at once, and ends.
func (r *Runner) Stop(ctx context.Context) error {
	r.cancel()
	r.sweeps.Wait()
	if err := r.queue.StopAndCancel(ctx); err != nil {
		return fmt.Errorf("stopping the queue: %w", err)
	}
	return nil
}

// sweep puts dreams into the queue again whose worker is gone.
func (r *Runner) sweep() {
	_, every := r.c.DB.Wait()
	for {
		// Not all servers at the same moment.
		select {
		case <-r.work.Done():
			return
		case <-time.After(every/2 + mathrand.N(every/2)):
		}
		waiting, err := r.c.DB.Waiting(r.work)
		if err != nil {
			if r.work.Err() == nil {
				r.c.Log.Warn("looking for dreams that wait", "error", err)
			}
			continue
		}
		for _, w := range waiting {
			// Several servers see the same dream: one job of it will do. One too many
			// does no harm, since only one gets the lease.
			_, err := r.queue.Insert(r.work, job(w), &river.InsertOpts{Queue: queueName, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: max(every, time.Second)}})
			if err != nil && r.work.Err() == nil {
				r.c.Log.Warn("queueing a dream again", "dream", w.Dream, "error", err)
			}
		}
	}
}

// Reasons for which a worker stops.
var (
	errLost    = errors.New("the lease ran out")
	errTooLong = errors.New("the dream took too long")
	errStopped = errors.New("the server stops")
)

// Work takes a dream and carries it out. It returns nil where there is nothing to do,
// or nothing more for this worker.
func (r *Runner) Work(ctx context.Context, workspace, dream string) error {
	run, err := r.c.DB.Claim(ctx, workspace, dream, r.owner)
	if errors.Is(err, db.ErrTaken) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("claiming %s: %w", dream, err)
	}
	log := r.c.Log.With("dream", dream, "try", run.Tries)
	log.Info("dream begun")
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(r.work, func() { stop(errStopped) })()
	var renews sync.WaitGroup
	renews.Go(func() { r.renew(ctx, run, stop) })
	err = r.carryOut(ctx, run)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	stop(nil)
	renews.Wait()
	return r.finish(context.WithoutCancel(ctx), run, err, log)
}

// renew renews the lease until ctx ends, and stops the work when it is lost.
func (r *Runner) renew(ctx context.Context, run *db.Run, stop context.CancelCauseFunc) {
	lease, every := r.c.DB.Wait()
	last, begun := time.Now(), run.Dream.CreatedAt
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		began := time.Now()
		try, cancel := context.WithTimeout(ctx, lease-every)
		err := run.Renew(try)
		cancel()
		switch {
		case err == nil:
			last = began
		case errors.Is(err, db.ErrTaken) || errors.Is(err, db.ErrCanceled):
			stop(err)
			return
		case ctx.Err() == nil && time.Since(last) > lease:
			stop(errLost)
			return
		}
		if time.Since(begun.Time) > r.c.MaxTime {
			stop(errTooLong)
			return
		}
	}
}

// finish ends what a worker did, by how it went.
func (r *Runner) finish(ctx context.Context, run *db.Run, err error, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	f, failed := errors.AsType[*failure](err)
	switch {
	case err == nil:
		log.Info("dream completed")
		return nil
	case errors.Is(err, db.ErrCanceled):
		log.Info("dream canceled")
		return errors.Join(run.Drop(ctx), r.close(ctx, run, "The dream was canceled."), run.Stop(ctx))
	case errors.Is(err, db.ErrTaken), errors.Is(err, errLost):
		log.Warn("dream lost to another worker")
		return nil
	case errors.Is(err, errStopped):
		log.Info("dream given up, the server stops")
		return run.Stop(ctx)
	case errors.Is(err, errTooLong):
		f, failed = fail("timeout", "it took longer than "+r.c.MaxTime.String()), true
	case !failed && run.Tries >= most:
		f, failed = fail("internal_error", "it failed again and again"), true
	}
	if !failed {
		log.Warn("dream given back", "error", err)
		// Somebody takes it again, after a while: the database may be away.
		return nil
	}
	log.Warn("dream failed", "type", f.Type, "reason", f.Message)
	return r.fail(ctx, run, f)
}
