//go:build unix

package pgtest

import (
	"os/exec"
	"syscall"
)

// as has a program run as another user.
func as(c *exec.Cmd, uid, gid uint32) {
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}}
}
