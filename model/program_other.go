//go:build !unix

package model

import (
	"os/exec"
	"strconv"
)

// ownGroup has a cancel end a program and all that it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		killTree(cmd)
		return cmd.Process.Kill()
	}
}

func killTree(cmd *exec.Cmd) {
	// /T takes the children with it; by its full name it can't be another program.
	_ = exec.Command(`C:\Windows\System32\taskkill.exe`, "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}

// killGroup has nothing to name the rest by once the program has ended.
func killGroup(*exec.Cmd) {}
