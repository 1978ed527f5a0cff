//go:build unix

package main

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// asNobody lets a program run without privileges, if this one has them: root may
// read anything, so that no mode would matter.
func asNobody(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// peakMB is the most memory that a program had, in MB.
func peakMB(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) / 1e6 // bytes there, KiB elsewhere
	}
	return float64(u.Maxrss) * 1024 / 1e6
}
