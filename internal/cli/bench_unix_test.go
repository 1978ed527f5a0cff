//go:build unix

package cli

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"dormouse/testkit"
)

// cpuOf runs a program in a layout and returns its user and system time and
// its peak memory in KB.
func cpuOf(b *testing.B, l *testkit.Layout, path string, args ...string) (time.Duration, int64) {
	b.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = l.Cwd, []string{"HOME=" + l.Home}
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		b.Fatal(err)
	}
	s := cmd.ProcessState
	return s.UserTime() + s.SystemTime(), s.SysUsage().(*syscall.Rusage).Maxrss
}
