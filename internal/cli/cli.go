// Package cli is the command line: flags in, library call, output out. One
// file a command.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dormouse/host"
	"dormouse/host/all"
	"dormouse/internal/term"
	"dormouse/model"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/syncer"
	"dormouse/trust"
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
	// Model changes how models are opened; nil: as they are.
	Model func(*model.Config)
	// Trust changes how notes are judged; nil: as the person has set it.
	Trust func(*trust.Policy)
	// MCP serves agents from the notes; nil: the program dormouse-mcp does, which
	// links what is needed for that.
	MCP func(context.Context, *Desk) error
	// Remote speaks to a server with memory stores; nil: the program dormouse-sync does.
	Remote func(base, key string) (syncer.Remote, error)
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
	out := &checked{w: streams.Out}
	c := &common{io: streams, out: out, args: args}
	root := newRoot(c, args)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would take the process's own
	err := root.Execute()
	if out.err != nil && (err == nil || errors.Is(err, errFound)) {
		err = fmt.Errorf("printing: %w", out.err)
	}
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errFound):
		return exitFound
	}
	if len(args) > 0 && args[0] == hookName {
		return c.unsaid(args, err)
	}
	c.json = c.json || slices.Contains(args, "--json") // a wrong flag may stand before it
	if len(args) > 0 && args[0] == mcpName {
		c.json = false // what stands there is the protocol's
	}
	return c.report(err)
}

// checked remembers the first error of what a command prints, so that no
// command has to look at each line's, and whether there was anything.
type checked struct {
	w     io.Writer
	err   error
	wrote bool
}

func (c *checked) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.wrote = c.wrote || n > 0
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// failure is what --json prints where a command ends with an error: in error, and
// as a problem where a report has its problems.
type failure struct {
	Error    string            `json:"error"`
	Problems []startup.Problem `json:"problems"`
}

// report says what went wrong, on standard error; with --json also on standard
// output, unless the command has printed its own object there.
func (c *common) report(err error) int {
	text := c.errorText(err)
	fmt.Fprintln(c.io.Err, "dormouse:", term.Safe(text)) // nowhere left to say it
	if c.json && c.out.err == nil && !c.out.wrote {
		_ = printJSON(c.out, failure{text, []startup.Problem{{What: text}}})
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFound
}

// common are the flags that every command takes.
type common struct {
	io      *IO
	out     *checked // where all output goes
	args    []string // the whole command line
	json    bool
	project string
	store   string
	host    string

	actor *store.By // who makes changes, where that is known from the start

	global   *host.GlobalMemory // the opened store is that of all projects
	globalAt string             // its --store for hints, where no such flag was given
}

func newRoot(c *common, args []string) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "dormouse",
		Short: "See and keep what your coding agent remembers",
		Long: `Dormouse shows what a coding agent loads when a session starts here, and why.

Without a command it prints the memory screen of this project.`,
		Example: `  dormouse                        the memory screen of this project
  dormouse context                every file that loads, in order, and what does not
  dormouse context --explain CLAUDE.md
  dormouse off --local            switch memory off for this checkout`,
		Args:              noArgs,
		SilenceErrors:     true,
		PersistentPreRunE: noEmptyValues,
		SilenceUsage:      true,
		RunE: func(*cobra.Command, []string) error {
			if version {
				return runVersion(c)
			}
			return runStatus(c)
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.SetIn(c.io.In)
	root.SetOut(c.out)
	root.SetErr(c.io.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%s (see %s --help)", plainFlag(err), cmd.CommandPath())}
	})
	f := root.PersistentFlags()
	f.BoolVar(&c.json, "json", false, "print JSON")
	f.StringVar(&c.project, "project", "", "as if started in this folder")
	f.StringVar(&c.store, "store", "", "use this memory folder instead of the agent's own")
	f.StringVar(&c.host, "host", defaultHost, "the agent: "+hostNames())
	addCommands(root, c, args)
	return root
}

// named is a command before it is set up.
type named struct {
	name string
	new  func() *cobra.Command
}

// commands are all there are.
func commands(c *common) []named {
	return []named{
		{"status", func() *cobra.Command { return newStatus(c) }},
		{"context", func() *cobra.Command { return newContext(c) }},
		{"path", func() *cobra.Command { return newPath(c) }},
		{"on", func() *cobra.Command { return newSwitch(c, true) }},
		{"off", func() *cobra.Command { return newSwitch(c, false) }},
		{"remember", func() *cobra.Command { return newRemember(c) }},
		{"extract", func() *cobra.Command { return newExtract(c) }},
		{"dream", func() *cobra.Command { return newDream(c) }},
		{"demo", func() *cobra.Command { return newDemo(c) }},
		{"list", func() *cobra.Command { return newList(c) }},
		{"search", func() *cobra.Command { return newSearch(c) }},
		{"show", func() *cobra.Command { return newShow(c) }},
		{"edit", func() *cobra.Command { return newEdit(c) }},
		{"forget", func() *cobra.Command { return newForget(c) }},
		{"history", func() *cobra.Command { return newHistory(c) }},
		{"undo", func() *cobra.Command { return newUndo(c) }},
		{"diff", func() *cobra.Command { return newDiff(c) }},
		{"purge", func() *cobra.Command { return newPurge(c) }},
		{"index", func() *cobra.Command { return newIndex(c) }},
		{"doctor", func() *cobra.Command { return newDoctor(c) }},
		{"verify", func() *cobra.Command { return newVerify(c) }},
		{"review", func() *cobra.Command { return newReview(c) }},
		{"why", func() *cobra.Command { return newWhy(c) }},
		{"trace", func() *cobra.Command { return newTrace(c) }},
		{"rollback", func() *cobra.Command { return newRollback(c) }},
		{"scan", func() *cobra.Command { return newScan(c) }},
		{"guard", func() *cobra.Command { return newGuard(c) }},
		{hookName, func() *cobra.Command { return newHook(c) }},
		{workName, func() *cobra.Command { return newHookWork(c) }},
		{"install", func() *cobra.Command { return newInstall(c) }},
		{"uninstall", func() *cobra.Command { return newUninstall(c) }},
		{mcpName, func() *cobra.Command { return newMCP(c) }},
		{"pull", func() *cobra.Command { return newPull(c) }},
		{"push", func() *cobra.Command { return newPush(c) }},
		{"import", func() *cobra.Command { return newImport(c) }},
		{"version", func() *cobra.Command { return newVersion(c) }},
	}
}

// plainFlag is what is wrong with a flag, without the names of functions.
func plainFlag(err error) string {
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) && strings.Contains(err.Error(), "strconv.") {
		return fmt.Sprintf("--%s %q: give a %s", bad.GetFlag().Name, bad.GetValue(), map[string]string{"int": "whole number", "bool": "true or false"}[bad.GetFlag().Value.Type()])
	}
	return err.Error()
}

// addCommands adds the command that the line begins with, or else all of them.
// Each costs some ten microseconds to set up, and a hook runs only one.
func addCommands(root *cobra.Command, c *common, args []string) {
	all := commands(c)
	for _, cmd := range all {
		if len(args) > 0 && args[0] == cmd.name {
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(cmd.new())
			return
		}
	}
	for _, cmd := range all {
		root.AddCommand(cmd.new())
	}
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
	c.project, c.store = c.fromHome(c.project), c.fromHome(c.store)
	if c.project != "" {
		s.Cwd = absolute(cwd, c.project)
		if info, err := os.Stat(s.Cwd); err != nil || !info.IsDir() {
			return host.Session{}, fmt.Errorf("--project %s: no folder is there", c.project)
		}
	}
	if c.store != "" {
		s.Store = absolute(cwd, c.store)
	}
	return s, nil
}

// fromHome expands ~/ as a shell does: most do not behind the = of a flag, and a
// folder of the name ~ is what nobody means.
func (c *common) fromHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && c.io.Env.Home != "" {
		return filepath.Join(c.io.Env.Home, rest)
	}
	return path
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

// people is the output for people.
func (c *common) people() *term.Out {
	out := term.New(c.io.Out, c.io.Env.Getenv)
	out.Writer = c.out
	return out
}

// noEmptyValues refuses a flag with nothing behind it: it is nearly always a
// variable that was not set.
func noEmptyValues(cmd *cobra.Command, _ []string) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = slices.Contains(list.GetSlice(), "")
		}
		if empty && f.Name != "setting-sources" && f.Name != "project" {
			err = usageError{fmt.Errorf("--%s has no value", f.Name)}
		}
	})
	if f := cmd.Flags().Lookup("project"); f != nil && f.Changed && f.Value.Type() == "string" && f.Value.String() == "" {
		err = usageError{errors.New("--project names no folder")}
	}
	return err
}

// verdict is the exit of a command that reports: 1 when an input could not be
// read or part of the index does not load.
func verdict(rep *startup.Report) error {
	if len(rep.Problems) > 0 || rep.IsCut() {
		return errFound
	}
	return nil
}
