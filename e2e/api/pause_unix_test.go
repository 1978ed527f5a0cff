//go:build unix

package api

import (
	"os"
	"syscall"
)

// pause has a process stand still, as on a machine that is overloaded or asleep.
func pause(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
