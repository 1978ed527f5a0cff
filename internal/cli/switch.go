package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/startup"
)

type switchOptions struct {
	*common
	on          bool
	user, local bool
	project     projectFlag
}

// projectFlag is --project of on and off, which must be two things at once: the
// scope of that name, and the folder that every command takes. Alone it is the
// scope, with a value it is the folder.
type projectFlag struct {
	bare   int
	folder string
}

const bareProject = "(scope)"

func (p *projectFlag) String() string { return p.folder }
func (p *projectFlag) Type() string   { return "DIR" }

func (p *projectFlag) Set(v string) error {
	switch v {
	case bareProject:
		p.bare++
	case "":
		return errors.New("no folder is named")
	default:
		p.folder = v
	}
	return nil
}

// takeFolder gives the word behind a bare --project back to it: the command
// itself takes no argument.
func (p *projectFlag) takeFolder(args []string) []string {
	if len(args) == 1 && p.bare > 0 && p.folder == "" {
		p.bare--
		p.folder = args[0]
		return nil
	}
	return args
}

func newSwitch(c *common, on bool) *cobra.Command {
	o := &switchOptions{common: c, on: on}
	word := "off"
	if on {
		word = "on"
	}
	cmd := &cobra.Command{
		Use:   word,
		Short: "Switch the agent's memory " + word,
		Long: `Sets autoMemoryEnabled in one settings file of the agent: yours for every project
(--user, the default), the project's (--project: shared through its repository), or
this checkout's (--local). No other byte of the file changes, and a file that is not
JSON is refused, as are a link that leads nowhere and a file that another program
changes at the same moment. Says so when a stronger switch makes the setting void.

--project alone is the scope; --project=DIR is the folder to start in, as for every
command, and then the scope is yours unless --local or a second --project says otherwise.

Exit status: 0; 1 when a stronger switch makes it void, or the file was refused; 2 for wrong use.`,
		Example: fmt.Sprintf("  dormouse %s             for all my projects\n  dormouse %s --local     for this checkout only", word, word),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := noArgs(cmd, o.project.takeFolder(args)); err != nil {
				return err
			}
			if cmd.Flags().Changed("user") && !o.user || cmd.Flags().Changed("local") && !o.local {
				return usageError{errors.New("--user and --local are given or left out; false says nothing")}
			}
			if o.store != "" {
				return usageError{errors.New("--store does not go with on and off: they set the agent's own switch")}
			}
			o.common.project = o.project.folder
			return runSwitch(o)
		},
	}
	f := cmd.Flags()
	f.Var(&o.project, "project", "in the project's shared settings; with a folder: as if started there")
	f.Lookup("project").NoOptDefVal = bareProject
	f.BoolVar(&o.user, "user", false, "in your own settings (the default)")
	f.BoolVar(&o.local, "local", false, "in this checkout's local settings")
	plainUsage(cmd)
	return cmd
}

// plainUsage prints --project as people write it: pflag would print what the
// bare flag stands for.
func plainUsage(cmd *cobra.Command) {
	usage := cmd.UsageFunc()
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		var b strings.Builder
		cmd.SetOut(&b)
		defer cmd.SetOut(nil)
		if err := usage(cmd); err != nil {
			return err
		}
		long, short := "--project DIR[="+bareProject+"]", "--project[=DIR]"
		_, err := io.WriteString(out, strings.ReplaceAll(b.String(), long, short+strings.Repeat(" ", len(long)-len(short))))
		return err
	})
}

// scope returns the one scope that was asked for.
func (o *switchOptions) scope() (startup.Scope, error) {
	picked := startup.User
	n := 0
	for scope, on := range map[startup.Scope]bool{startup.User: o.user, startup.Project: o.project.bare > 0, startup.Local: o.local} {
		if on {
			picked = scope
			n++
		}
	}
	if n > 1 {
		return "", usageError{fmt.Errorf("only one of --user, --project, --local can be given")}
	}
	return picked, nil
}

type switchReport struct {
	Path    string `json:"path"`
	Key     string `json:"key"`
	Value   bool   `json:"value"`
	Changed bool   `json:"changed"`
	Void    string `json:"void,omitempty"`
}

func runSwitch(o *switchOptions) error {
	scope, err := o.scope()
	if err != nil {
		return err
	}
	s, err := o.session()
	if err != nil {
		return err
	}
	h, err := o.theHost()
	if err != nil {
		return err
	}
	sw, ok := h.(host.MemorySwitch)
	if !ok {
		return fmt.Errorf("the memory of %s cannot be switched from here", h.Title())
	}
	change, err := sw.SwitchMemory(s, scope, o.on)
	if err != nil {
		return errors.New(pathPrinter(s)(err.Error()))
	}
	changed := !bytes.Equal(change.Before, change.After)
	if changed {
		if err := atomicfile.Replace(change.Path, change.Before, change.After); err != nil {
			return err
		}
	}
	return reportSwitch(o, scope, pathPrinter(s), change, changed)
}

// scopeFor says for whom a setting counts.
func scopeFor(scope startup.Scope) string {
	switch scope {
	case startup.Project:
		return "for this project and all who share it"
	case startup.Local:
		return "for this checkout"
	}
	return "for every project of yours"
}

func reportSwitch(o *switchOptions, scope startup.Scope, show func(string) string, change *host.SettingChange, changed bool) error {
	rep := switchReport{change.Path, change.Key, o.on, changed, change.Void}
	if o.json {
		if err := printJSON(o.out, rep); err != nil {
			return err
		}
	} else {
		out := o.people()
		did := "is already"
		if changed {
			did = "is now"
		}
		out.Line("%s %s %v in %s (%s)", change.Key, did, o.on, show(change.Path), scopeFor(scope))
		if rep.Void != "" {
			out.Line("But it has no effect: %s.", show(rep.Void))
		}
	}
	if rep.Void != "" {
		return errFound
	}
	return nil
}
