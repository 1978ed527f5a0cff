package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/host/all"
)

func newVersion(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and which agents' rules it knows",
		Long: `Prints the version that was built (the module's, else the revision), and of each agent
the version that its rules were measured on.`,
		Example: `  dormouse version
  dormouse --version --json | jq -r .version`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runVersion(c) },
	}
}

// versionReport is what version --json prints.
type versionReport struct {
	Version string       `json:"version"` // of the module, or the revision, or "devel"
	Changed bool         `json:"changed"` // built from files that differ from the revision
	Go      string       `json:"go"`
	Hosts   []ruledByRow `json:"hosts"`
}

type ruledByRow struct {
	Name  string `json:"name"`
	Rules string `json:"rules"` // the client and version that the rules were measured on
}

// builtVersion is the module's version, or the revision, or "devel"; changed tells
// that the files differed from the revision.
func builtVersion() (version string, changed bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel", false
	}
	return builtFrom(info)
}

func runVersion(c *common) error {
	rep := versionReport{Go: runtime.Version(), Hosts: []ruledByRow{}}
	rep.Version, rep.Changed = builtVersion()
	for _, h := range all.Hosts() {
		if m, ok := h.(host.Measured); ok {
			rep.Hosts = append(rep.Hosts, ruledByRow{h.Name(), m.Measured()})
		}
	}
	if c.json {
		return printJSON(c.out, rep)
	}
	out, changed := c.people(), ""
	if rep.Changed {
		changed = ", with changes"
	}
	out.Line("dormouse %s%s (%s)", rep.Version, changed, rep.Go)
	for _, h := range rep.Hosts {
		out.Line("  --host %-7s rules of %s", h.Name, h.Rules)
	}
	return nil
}

// builtFrom names what a binary was built from.
func builtFrom(info *debug.BuildInfo) (version string, changed bool) {
	revision := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	switch {
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version, changed
	case revision != "":
		return fmt.Sprintf("devel %.12s", revision), changed
	}
	return "devel", changed
}
