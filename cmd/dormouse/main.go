// Command dormouse shows and keeps the memory of coding agents.
package main

import (
	"os"
	"runtime/debug"

	"dormouse/internal/cli"
)

// memoryLimit in bytes: past it the collector works harder. A look at a few
// files must stay small; it is no hard limit.
const memoryLimit = 24 << 20

func main() {
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
