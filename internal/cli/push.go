package cli

import "github.com/spf13/cobra"

func newPush(c *common) *cobra.Command {
	o := &syncOptions{common: c, push: true}
	cmd := &cobra.Command{
		Use:   "push [STORE]",
		Short: "Bring what changed in the notes here into a memory store on a server",
		Long: `Sends the notes to a memory store (its id or name): what changed here since the last pull
or push, and only that. What changed there as well is merged line by line; where both
changed the same lines, nothing is sent, and dormouse pull keeps both. A note that was
removed here goes there as well, unless it changed there. Nothing here is changed. The
store is remembered, so that next time it need not be named.

A note that holds a secret is not sent: take it out first. Nor is one that may not load
here until you have reviewed it. The list MEMORY.md there gets the lines of these notes;
lines of others stay.

Servers are asked by the program dormouse-sync, which lies beside dormouse or in PATH.

Exit status: 0; 1 when there is a conflict or a note could not be sent; 2 for wrong use.`,
		Example: `  dormouse push --create "notes of app"    a new store, and remember it
  dormouse push memstore_0123 --dry-run
  dormouse push                            to the store of the last time`,
		RunE: o.started,
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&o.create, "create", "", "make a store of this name, and push into it")
	return cmd
}
