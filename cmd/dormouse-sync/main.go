// Command dormouse-sync is what dormouse pull and dormouse push run: the client of
// servers with memory stores, in a program of its own, as linking HTTP would cost every
// other command.
package main

import (
	"os"

	"dormouse/internal/cli"
	"dormouse/internal/remote"
	"dormouse/syncer"
)

func main() {
	streams := cli.System()
	streams.Remote = func(base, key string) (syncer.Remote, error) {
		return remote.New(remote.Config{Base: base, Key: key})
	}
	os.Exit(cli.Main(os.Args[1:], streams))
}
