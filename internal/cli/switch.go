package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/internal/term"
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
JSON is refused. Says so when a stronger switch makes the setting void.

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
	return cmd
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
		return err
	}
	changed := !bytes.Equal(change.Before, change.After)
	if changed {
		if err := atomicfile.Replace(change.Path, change.Before, change.After); err != nil {
			return err
		}
	}
	return reportSwitch(o, change, changed)
}

func reportSwitch(o *switchOptions, change *host.SettingChange, changed bool) error {
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
		out.Line("%s %s %v in %s", change.Key, did, o.on, term.Safe(change.Path))
		if rep.Void != "" {
			out.Line("But it has no effect: %s.", term.Safe(rep.Void))
		}
	}
	if rep.Void != "" {
		return errFound
	}
	return nil
}
