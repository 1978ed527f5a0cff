//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach takes a program out of this one's session, so that the end of a terminal,
// or of an agent, does not end it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
