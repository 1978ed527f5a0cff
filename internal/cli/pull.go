package cli

import "github.com/spf13/cobra"

func newPull(c *common) *cobra.Command {
	o := &syncOptions{common: c}
	cmd := &cobra.Command{
		Use:   "pull [STORE]",
		Short: "Bring what changed in a memory store on a server into the notes here",
		Long: `Brings the notes of a memory store (its id or name) here: what changed there since the
last pull or push, and only that. What changed here as well is merged line by line; where
both changed the same lines, the note here stays and the other text comes into a file
beside it. A note that was removed there goes, unless it changed here. Nothing on the
server is changed. The store is remembered, so that next time it need not be named.

What comes from a server loads in no session until you have approved it with
dormouse review; a note that comes back as you sent it needs none. The list MEMORY.md
there is not read: the index here gets its lines from the notes. All of it is one change
that dormouse undo takes back.

Servers are asked by the program dormouse-sync, which lies beside dormouse or in PATH.

Exit status: 0; 1 when there is a conflict or a note could not be brought; 2 for wrong use.`,
		Example: `  dormouse pull memstore_0123              from Anthropic, with $ANTHROPIC_API_KEY
  dormouse pull notes --url http://127.0.0.1:7337 --key-file ~/.dormouse-key
  dormouse pull --dry-run                  what the next pull would do
  dormouse pull                            the store of the last time`,
		RunE: o.started,
	}
	o.flags(cmd)
	return cmd
}
