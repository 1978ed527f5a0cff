package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/hook"
)

// workName is the command that reads the queue of sessions. Hooks start it; it is
// not for people.
const workName = "hook-work"

// start runs the reader of the queue in a session of its own, which nobody waits
// for: a hook at the end of a session has a second and a half.
func (o *hookOptions) start() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("starting the reader of sessions: %w", err)
	}
	cmd := exec.Command(self, workName)
	cmd.Args[0] = os.Args[0] // the name by which it was called
	cmd.Dir = o.s.Cwd
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the reader of sessions: %w", err)
	}
	return cmd.Process.Release()
}

func newHookWork(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     workName,
		Short:   "Draw notes out of the sessions that hooks have queued",
		Long:    "Reads the sessions in the queue, one after the other, as dormouse extract does. Hooks start it by themselves; only one runs at a time.",
		Example: "  dormouse " + workName,
		Hidden:  true,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHookWork(cmd.Context(), c)
		},
	}
}

func runHookWork(ctx context.Context, c *common) error {
	state, err := host.StateFolder(c.io.Env)
	if err != nil {
		return err
	}
	lock := flock.New(filepath.Join(state, hook.Dir, "work.lock"), flock.SetPermissions(0o600))
	if err := os.MkdirAll(filepath.Dir(lock.Path()), 0o700); err != nil {
		return err
	}
	if got, err := lock.TryLock(); err != nil || !got {
		return err // who has it reads on until the queue is empty
	}
	defer func() { _ = lock.Unlock() }()
	failed := map[string]bool{} // logs that could not be read: the next run tries them again
	for ctx.Err() == nil {
		jobs, err := hook.Queued(state)
		if err != nil {
			return err
		}
		jobs = slices.DeleteFunc(jobs, func(j hook.Job) bool { return failed[j.Transcript] })
		if len(jobs) == 0 {
			return nil
		}
		for i := range jobs {
			before := jobs[i].Tries
			if err := c.readSession(ctx, state, &jobs[i]); err != nil {
				return err
			}
			failed[jobs[i].Transcript] = jobs[i].Tries > before
		}
	}
	return ctx.Err()
}

// tries is how often a session is tried that can't be read.
const tries = 3

// readSession draws the notes out of one session. What goes wrong stands in the log
// afterwards, and the next one is read; the error says that the queue can't be kept.
func (c *common) readSession(ctx context.Context, state string, j *hook.Job) error {
	settle(ctx, j.Transcript)
	var said bytes.Buffer
	streams := *c.io
	streams.In, streams.Out, streams.Err = strings.NewReader(""), io.Discard, &said
	code := Main([]string{"extract", "--make-room", "--project=" + j.Project, "--", j.Transcript}, &streams)
	if code == exitFine {
		return j.Done()
	}
	what := strings.TrimSpace(said.String())
	if what == "" {
		what = "it found something that it could not do"
	}
	if err := hook.Log(state, hook.Failure{Time: c.io.Now().UTC(), Event: "extract " + j.Transcript, What: what}); err != nil {
		return err
	}
	if j.Tries++; j.Tries >= tries || code == exitUsage {
		return j.Done()
	}
	return j.Again()
}

// How long a log must not have grown before it is read, as the client writes it
// behind the session's back; and how long that is waited for at most.
const (
	settled    = 400 * time.Millisecond
	settleMost = 5 * time.Second
)

func settle(ctx context.Context, path string) {
	size, since, from := int64(-1), time.Now(), time.Now()
	for tick := time.NewTicker(settled / 4); time.Since(since) < settled && time.Since(from) < settleMost; {
		info, err := os.Stat(path)
		if err != nil {
			tick.Stop()
			return // extract says what is wrong
		}
		if info.Size() != size {
			size, since = info.Size(), time.Now()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}
