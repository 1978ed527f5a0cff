//go:build unix

package model

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a program and all that it starts into one group, which a cancel
// ends as a whole.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends what a program left running. The group keeps its number as long
// as anybody is in it, so nobody else is hit.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // no such group: nothing is left
	}
}
