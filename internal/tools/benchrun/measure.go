package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// A sample is one process from start to end.
type sample struct {
	cpu, wall time.Duration
	peak      int64 // bytes resident, at most; 0 where the system does not say
	exit      int
}

func start(argv []string, c comparison) (sample, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	// 1 is a program's word for "found something"; anything above is no result.
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return sample{}, fmt.Errorf("%q: %w\n%s", argv, err, stderr.Bytes())
	}
	s := cmd.ProcessState
	return sample{s.UserTime() + s.SystemTime(), wall, peakBytes(s), s.ExitCode()}, nil
}

// measure runs A and B in turn, the other one first in every second pair, so that
// what drifts (clock speed, other load) meets both alike.
func measure(c comparison, n int) (figures, error) {
	var as, bs []sample
	for i := range n + 1 {
		var a, b sample
		var errA, errB error
		if i%2 == 0 {
			a, errA = start(c.A, c)
			b, errB = start(c.B, c)
		} else {
			b, errB = start(c.B, c)
			a, errA = start(c.A, c)
		}
		if err := errors.Join(errA, errB); err != nil {
			return figures{}, err
		}
		if i == 0 {
			continue // the first pair fills the system's file cache
		}
		as, bs = append(as, a), append(bs, b)
	}
	return summarise(c, as, bs), nil
}
