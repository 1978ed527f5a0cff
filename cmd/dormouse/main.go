// Command dormouse shows and keeps the memory of coding agents.
package main

import (
	"os"

	"dormouse/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.System())) }
