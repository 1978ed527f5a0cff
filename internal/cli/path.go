package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/host"
)

func newPath(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "path [memory|transcripts|config]",
		Short: "Print one of the agent's folders for this project, and nothing else",
		Long: `Prints the folder that a session started here uses, whether it exists or not:
its memory (the default), its transcripts, or the agent's configuration. Nothing is made.`,
		Example: `  cd "$(dormouse path)"
  ls "$(dormouse path transcripts)"`,
		ValidArgs: []string{string(host.MemoryFolder), string(host.TranscriptsFolder), string(host.ConfigFolder)},
		RunE: func(_ *cobra.Command, args []string) error {
			return runPath(c, args)
		},
	}
}

func runPath(c *common, args []string) error {
	kind := host.MemoryFolder
	switch {
	case len(args) > 1:
		return usageError{fmt.Errorf("path takes one of memory, transcripts, config, but got %d words", len(args))}
	case len(args) == 1:
		kind = host.Kind(args[0])
	}
	if kind != host.MemoryFolder && kind != host.TranscriptsFolder && kind != host.ConfigFolder {
		return usageError{fmt.Errorf("path: there is no folder %q; there are memory, transcripts, config", kind)}
	}
	s, err := c.session()
	if err != nil {
		return err
	}
	h, err := c.theHost()
	if err != nil {
		return err
	}
	dir, err := h.Folder(s, kind)
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(c.out, map[string]string{"path": dir})
	}
	_, err = fmt.Fprintln(c.out, dir)
	return err
}
