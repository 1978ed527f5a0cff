// Command dormouse-model makes one request to one model for dormouse, which links
// no network: the request comes on standard input, with its key, and the answer
// goes to standard output. It keeps nothing.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"dormouse/model/remote"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := remote.Serve(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dormouse-model:", err)
		os.Exit(1)
	}
}
