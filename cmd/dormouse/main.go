// Command dormouse shows and keeps the memory of coding agents.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"dormouse/internal/cli"
)

// memoryLimit in bytes: past it the collector works harder. A look at a few
// files must stay small; it is no hard limit.
const memoryLimit = 24 << 20

func main() {
	// A look is one thread's work, and every further thread costs a hook some
	// fifty microseconds: 7 % of the whole command, measured in pairs.
	runtime.GOMAXPROCS(1)
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
