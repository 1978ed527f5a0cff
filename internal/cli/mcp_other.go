//go:build !unix

package cli

import (
	"errors"
	"fmt"
	"os/exec"
)

// become runs the program with this one's streams until it ends.
func become(program string, args []string, streams *IO) error {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = streams.In, streams.Out, streams.Err
	err := cmd.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%s ended with %d, and told above why", program, failed.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("starting %s: %w", program, err)
	}
	return nil
}
