package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

// serverProgram serves agents. It is a program of its own because what it links
// would cost each other command 8 ms at every start.
const serverProgram = "dormouse-mcp"

const mcpName = "mcp"

func newMCP(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   mcpName,
		Short: "Serve the notes to an agent, by the Model Context Protocol on standard input",
		Long: `Offers six tools to the agent that started it: search, read, remember, update, forget
and status. dormouse install puts it into an agent's settings; by hand it is of no use.

Which project is meant the agent's program says (its roots), or --project, or the agent
with each call. The folder that the server itself was started in does not count. What
comes out of notes is fenced as data; what waits for a review is not told; and what the
agent writes is the agent's word. No tool approves anything.

It runs the program dormouse-mcp, which lies beside dormouse or in PATH.

Exit status: 0 when the agent has hung up; 1 when it cannot be served; 2 for wrong use.`,
		Example: `  dormouse mcp
  dormouse mcp --project ~/src/app
  dormouse mcp --store ~/notes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), c) },
	}
}

func runMCP(ctx context.Context, c *common) error {
	if c.json {
		return usageError{errors.New("--json: the server speaks JSON in any case")}
	}
	if _, err := c.theHost(); err != nil {
		return err
	}
	if _, err := c.session(); err != nil && (c.project != "" || c.store != "") {
		return err
	}
	if c.io.MCP == nil {
		return c.runServer()
	}
	// The limits of a look are not for a program that stays.
	runtime.GOMAXPROCS(runtime.NumCPU())
	debug.SetMemoryLimit(manyNotes)
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	d, err := c.desk()
	if err != nil {
		return err
	}
	return c.io.MCP(ctx, d)
}

// runServer lets the other program take the place of this one.
func (c *common) runServer() error {
	program, err := findServer()
	if err != nil {
		return err
	}
	args := []string{}
	for _, f := range []struct{ name, value string }{{"--project", c.project}, {"--store", c.store}, {"--host", c.host}} {
		if f.value != "" {
			args = append(args, f.name+"="+f.value)
		}
	}
	return become(program, args, c.io)
}

func findServer() (string, error) { return findProgram(serverProgram) }

// findProgram looks for a program of ours beside this one, and then in PATH.
func findProgram(name string) (string, error) {
	called := name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			path := filepath.Join(filepath.Dir(self), name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, nil
			}
		}
	}
	if path, err := exec.LookPath(name); err == nil && filepath.IsAbs(path) {
		return path, nil
	}
	return "", fmt.Errorf("the program %s is missing: it belongs beside dormouse or into PATH; install it with go install ./cmd/..., or take both out of the same release", called)
}
