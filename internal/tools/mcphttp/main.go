// Command mcphttp serves the tools of dormouse mcp over HTTP on loopback, which the
// product does not: the public conformance suite speaks nothing else. It prints its
// address and takes the flags of dormouse mcp.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/cli"
	"dormouse/internal/mcpserver"
)

func main() {
	streams := cli.System()
	streams.MCP = func(ctx context.Context, d *cli.Desk) error { return serve(ctx, d, streams) }
	os.Exit(cli.Main(append([]string{"mcp"}, os.Args[1:]...), streams))
}

func serve(ctx context.Context, d *cli.Desk, streams *cli.IO) error {
	server := mcpserver.New(d, mcpserver.Config{Version: d.Version(), Project: d.Project(), Store: d.Store(), Env: streams.Env, Log: streams.Err})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	fmt.Fprintf(streams.Out, "http://%s/mcp\n", l.Addr()) // whoever reads it sees that there is none
	s := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = s.Close() // it is over
	}()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
