// Command dormoused serves memory stores over the API that the official SDKs speak.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"dormouse/internal/apiserver/daemon"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := daemon.Main(ctx, os.Args[1:], daemon.System())
	stop()
	os.Exit(code)
}
