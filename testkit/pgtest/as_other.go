//go:build !unix

package pgtest

import "os/exec"

// as does nothing: only root needs another user, and there is none here.
func as(*exec.Cmd, uint32, uint32) {}
