// Package cli is the command line: flags in, library call, output out. One
// file a command.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/host/all"
	"dormouse/internal/term"
	"dormouse/startup"
)

// Exit codes of every command.
const (
	exitFine  = 0
	exitFound = 1 // something was found, or the command refused
	exitUsage = 2
)

// IO is what a command touches of the outside.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Env      host.Env
	Getwd    func() (string, error)
	Now      func() time.Time
}

// System is the real outside.
func System() *IO {
	home, _ := os.UserHomeDir()
	return &IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getwd: os.Getwd, Now: time.Now,
		Env: host.Env{Home: home, Getenv: os.Getenv, Lookup: os.LookupEnv, OS: runtime.GOOS},
	}
}

// errFound ends a command that has already printed what it found.
var errFound = errors.New("found")

// usageError is a wrong use: it exits 2.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// Main runs one command line and returns its exit code.
func Main(args []string, streams *IO) int {
	root := newRoot(streams)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would take the process's own
	err := root.Execute()
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errFound):
		return exitFound
	}
	fmt.Fprintln(streams.Err, "dormouse:", term.Safe(err.Error())) // nowhere left to say it
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFound
}

// common are the flags that every command takes.
type common struct {
	io      *IO
	json    bool
	project string
	store   string
	host    string
}

func newRoot(streams *IO) *cobra.Command {
	c := &common{io: streams}
	root := &cobra.Command{
		Use:   "dormouse",
		Short: "See and keep what your coding agent remembers",
		Long: `Dormouse shows what a coding agent loads when a session starts here, and why.

Without a command it prints the memory screen of this project.`,
		Example: `  dormouse                        the memory screen of this project
  dormouse context                every file that loads, in order, and what does not
  dormouse context --explain CLAUDE.md
  dormouse off --local            switch memory off for this checkout`,
		Args:          noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(*cobra.Command, []string) error { return runStatus(c) },
	}
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())}
	})
	f := root.PersistentFlags()
	f.BoolVar(&c.json, "json", false, "print JSON")
	f.StringVar(&c.project, "project", "", "as if started in this folder")
	f.StringVar(&c.store, "store", "", "use this memory folder instead of the agent's own")
	f.StringVar(&c.host, "host", "claude", "the agent: "+hostNames())
	root.AddCommand(newStatus(c), newContext(c), newPath(c), newSwitch(c, true), newSwitch(c, false), newDemo(c))
	return root
}

// noArgs refuses arguments; on the root that is an unknown command.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasParent() {
		return usageError{fmt.Errorf("%s takes no argument, but got %q (see %s --help)", cmd.CommandPath(), args[0], cmd.CommandPath())}
	}
	hint := ""
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("; did you mean %q?", near[0])
	}
	return usageError{fmt.Errorf("there is no command %q%s (see dormouse --help)", args[0], hint)}
}

func hostNames() string {
	names := ""
	for i, h := range all.Hosts() {
		if i > 0 {
			names += ", "
		}
		names += h.Name()
	}
	return names
}

// theHost returns the host that --host names.
func (c *common) theHost() (host.Host, error) {
	for _, h := range all.Hosts() {
		if h.Name() == c.host {
			return h, nil
		}
	}
	return nil, usageError{fmt.Errorf("--host: %q is not known; there are %s", c.host, hostNames())}
}

// session is the start that the common flags describe.
func (c *common) session() (host.Session, error) {
	cwd, err := c.io.Getwd()
	if err != nil {
		return host.Session{}, fmt.Errorf("the current folder cannot be told: %w (name one with --project DIR)", err)
	}
	s := host.Session{Cwd: cwd, Env: c.io.Env, Now: c.io.Now()}
	if c.project != "" {
		s.Cwd = absolute(cwd, c.project)
		if info, err := os.Stat(s.Cwd); err != nil || !info.IsDir() {
			return host.Session{}, fmt.Errorf("--project %s: there is no such folder", c.project)
		}
	}
	if c.store != "" {
		s.Store = absolute(cwd, c.store)
	}
	return s, nil
}

// absolute keeps the spelling of a path but makes it absolute.
func absolute(cwd, p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(cwd, p)
}

// look runs the host's question for a session.
func (c *common) look(s host.Session) (host.Host, *startup.Report, error) {
	h, err := c.theHost()
	if err != nil {
		return nil, nil, err
	}
	rep, err := h.Startup(s)
	return h, rep, err
}

func (c *common) out() *term.Out { return term.New(c.io.Out, c.io.Env.Getenv) }

// verdict is the exit of a command that reports: 1 when an input could not be
// read or part of the index does not load.
func verdict(rep *startup.Report) error {
	if len(rep.Problems) > 0 || rep.IsCut() {
		return errFound
	}
	return nil
}
