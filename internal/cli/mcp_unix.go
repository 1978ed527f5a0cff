//go:build unix

package cli

import (
	"fmt"
	"os"
	"syscall"
)

// become replaces this process, so that signals and streams reach the program that
// serves. It returns only when it fails.
func become(program string, args []string, _ *IO) error {
	if err := syscall.Exec(program, append([]string{program}, args...), os.Environ()); err != nil {
		return fmt.Errorf("starting %s: %w", program, err)
	}
	return nil
}
