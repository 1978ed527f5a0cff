//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakBytes returns the most memory that the process had resident. A process
// inherits its parent's figure when it is started, so nothing below the peak of
// benchrun itself can be seen; see selfPeak.
func peakBytes(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return maxrss(u)
}

// selfPeak returns the same for benchrun.
func selfPeak() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return maxrss(&u)
}

// maxrss is in bytes on Apple's systems and in KiB elsewhere (getrusage(2)).
func maxrss(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
