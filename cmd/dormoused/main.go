// Command dormoused serves memory stores over the API that the official SDKs speak.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"dormouse/internal/apiserver/daemon"
	"dormouse/internal/cli"
	"dormouse/trust"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	outside := daemon.System()
	outside.Guard = func() (*trust.Guard, error) { return cli.Guard(cli.System().Env) }
	code := daemon.Main(ctx, os.Args[1:], outside)
	stop()
	os.Exit(code)
}
