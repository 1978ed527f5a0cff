// Command dormouse-mcp is what dormouse mcp runs: the server for agents, in a
// program of its own, as linking it would cost every other command.
package main

import (
	"context"
	"os"

	"dormouse/internal/cli"
	"dormouse/internal/mcpserver"
)

func main() {
	streams := cli.System()
	streams.MCP = func(ctx context.Context, d *cli.Desk) error {
		return mcpserver.Serve(ctx, streams.In, streams.Out, d, mcpserver.Config{
			Version: d.Version(), Project: d.Project(), Store: d.Store(), Env: streams.Env, Log: streams.Err,
		})
	}
	os.Exit(cli.Main(append([]string{"mcp"}, os.Args[1:]...), streams))
}
