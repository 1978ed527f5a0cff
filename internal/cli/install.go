package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/host/all"
	"dormouse/internal/install"
	"dormouse/startup"
)

type installOptions struct {
	*common
	away      bool // uninstall
	project   projectFlag
	shared    bool
	hooksOnly bool
	mcpOnly   bool
	dryRun    bool
	program   string
}

func newInstall(c *common) *cobra.Command {
	o := &installOptions{common: c}
	cmd := &cobra.Command{
		Use:   "install [AGENT]",
		Short: "Put Dormouse's hooks and its MCP server into an agent's settings",
		Long: `Adds command hooks and the MCP server to the settings of AGENT (claude, codex or gemini; claude without one),
for every project of yours. No other byte of a file changes: hooks and servers of others stay
and run. Doing it twice does nothing twice; a newer or moved program takes the old one's place.
A file that the agent cannot read as it stands is refused, and so is one that is read-only or that
another program changes at the same moment.

--project installs for one project and for you alone; --shared for all who share the project, in files
that are committed: those call dormouse by its name, as each machine has it elsewhere.
--dry-run prints what would change, as a diff.

Exit status: 0; 1 when something was refused; 2 for wrong use.`,
		Example: `  dormouse install claude
  dormouse install claude --dry-run
  dormouse install claude --project        for this project, for you alone
  dormouse install codex --mcp-only`,
	}
	o.setUp(cmd)
	cmd.Flags().StringVar(&o.program, "program", "", "call this program instead of the one that runs")
	return cmd
}

func newUninstall(c *common) *cobra.Command {
	o := &installOptions{common: c, away: true}
	cmd := &cobra.Command{
		Use:   "uninstall [AGENT]",
		Short: "Take Dormouse's hooks and its MCP server out of an agent's settings again",
		Long: `Takes out what dormouse install put in, from the same files: with the same flags. Files come back byte
for byte as they were. Where somebody has changed a file since, only Dormouse's own entries go,
and it says so. Notes, journal and configuration stay.

Exit status: 0, also when nothing was installed; 1 when something was refused; 2 for wrong use.`,
		Example: `  dormouse uninstall claude
  dormouse uninstall claude --project
  dormouse uninstall codex --dry-run`,
	}
	o.setUp(cmd)
	return cmd
}

func (o *installOptions) setUp(cmd *cobra.Command) {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.take(cmd, args); err != nil {
			return err
		}
		return runInstall(cmd.Context(), o)
	}
	f := cmd.Flags()
	f.Var(&o.project, "project", "for one project and you alone: this one, or that in the folder")
	f.Lookup("project").NoOptDefVal = bareProject
	f.BoolVar(&o.shared, "shared", false, "for all who share the project, in files that are committed")
	f.BoolVar(&o.hooksOnly, "hooks-only", false, "the hooks, not the MCP server")
	f.BoolVar(&o.mcpOnly, "mcp-only", false, "the MCP server, not the hooks")
	f.BoolVar(&o.dryRun, "dry-run", false, "print what would change, and change nothing")
	plainUsage(cmd)
}

// take reads the arguments: an agent, and the folder behind a bare --project.
func (o *installOptions) take(cmd *cobra.Command, args []string) error {
	known := func(a string) bool {
		return slices.ContainsFunc(all.Hosts(), func(h host.Host) bool { return h.Name() == a })
	}
	named := ""
	if i := slices.IndexFunc(args, known); i >= 0 {
		named = args[i]
		args = slices.Delete(slices.Clone(args), i, i+1)
	}
	given := o.project.bare > 0 || o.project.folder != ""
	if len(args) == 1 && o.project.folder == "" && o.project.bare > 0 {
		o.project.folder, args = args[0], nil
	}
	switch {
	case len(args) > 0 && named == "":
		return usageError{fmt.Errorf("%s knows no agent %q; there are %s", cmd.CommandPath(), args[0], hostNames())}
	case len(args) > 0:
		return usageError{fmt.Errorf("%s takes one agent, but also got %q", cmd.CommandPath(), args[0])}
	case named != "" && cmd.Flags().Changed("host") && o.host != named:
		return usageError{fmt.Errorf("--host %s and the agent %s contradict each other", o.host, named)}
	case o.hooksOnly && o.mcpOnly:
		return usageError{errors.New("--hooks-only and --mcp-only together leave nothing; give neither for both")}
	case o.store != "":
		return usageError{fmt.Errorf("--store does not go with %s: hooks find the folder of each session themselves", cmd.Name())}
	}
	if named != "" {
		o.host = named
	}
	o.common.project = o.project.folder
	if given {
		o.project.bare = 1
	}
	return nil
}

// scope is whose settings are meant.
func (o *installOptions) scope() startup.Scope {
	switch {
	case o.shared:
		return startup.Project
	case o.project.bare > 0:
		return startup.Local
	}
	return startup.User
}

func runInstall(ctx context.Context, o *installOptions) error {
	s, err := o.session()
	if err != nil {
		return err
	}
	h, err := o.theHost()
	if err != nil {
		return err
	}
	wired, ok := h.(host.Wired)
	if !ok {
		return fmt.Errorf("nothing can be installed into %s", h.Title())
	}
	state, err := host.StateFolder(s.Env)
	if err != nil {
		return err
	}
	w, err := wired.Wiring(s, o.scope())
	if err != nil {
		return err
	}
	r := install.Request{
		Wiring: w, Hooks: !o.mcpOnly, Server: !o.hooksOnly,
		Program: install.Program{OS: s.Env.OS, Host: h.Name()},
	}
	plan := install.PlanRemoval
	if !o.away {
		if w.Twice != "" {
			return fmt.Errorf("nothing was installed: %s. Both together would do everything twice", w.Twice)
		}
		if r.Program.Path, err = o.programPath(s); err != nil {
			return err
		}
		plan = install.Plan
	}
	planned := func(notes *install.Notes) ([]install.Change, error) {
		r := r
		r.Notes = notes
		return plan(r)
	}
	run := install.Run
	if o.dryRun {
		run = install.DryRun
	}
	changes, err := run(ctx, state, planned)
	if err != nil {
		return err
	}
	return o.report(h, s, r, changes)
}

// programPath is how the agent is to call Dormouse.
func (o *installOptions) programPath(s host.Session) (string, error) {
	if o.program != "" {
		return o.namedProgram(s)
	}
	if o.shared {
		return "dormouse", nil
	}
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("where this program lies cannot be told: %w (name it with --program)", err)
	}
	return install.Find(exe, exec.LookPath)
}

// namedProgram is what --program names: a bare name is left to the agent to find.
func (o *installOptions) namedProgram(s host.Session) (string, error) {
	path := o.fromHome(o.program)
	if filepath.Base(path) == path {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("--program %s: no program of that name is in PATH", o.program)
		}
		return path, nil
	}
	cwd, err := o.io.Getwd()
	if err != nil {
		cwd = s.Cwd
	}
	path = absolute(cwd, path)
	if info, err := os.Stat(path); err != nil || info.IsDir() || s.Env.OS != "windows" && info.Mode()&0o111 == 0 {
		return "", fmt.Errorf("--program %s: no program is there", o.program)
	}
	return path, nil
}

// undoing is the command that takes an installation back, or makes it again.
func (o *installOptions) undoing() string {
	words := []string{"dormouse uninstall", o.host}
	switch {
	case o.common.project != "":
		words = append(words, "--project="+shellWord(o.common.project))
	case o.project.bare > 0:
		words = append(words, "--project")
	}
	if o.shared {
		words = append(words, "--shared")
	}
	return strings.Join(words, " ")
}
