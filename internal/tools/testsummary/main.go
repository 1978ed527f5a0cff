// Command testsummary reads `go test -json` on standard input and prints what a
// person wants to know: a line for each package, the output of what failed, what
// was skipped and why, and the line "N passed, N failed, N skipped" on its own at
// the end. It exits 1 when anything failed.
//
//	go test -json ./... | testsummary [-note TEXT]...
//
// Each -note is a line under what was skipped: something that never became a
// test, such as the race detector on a machine without a C compiler.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	var notes []string
	flag.Func("note", "something else that did not run, and why (repeatable)", func(s string) error {
		notes = append(notes, s)
		return nil
	})
	flag.Parse()

	s := newSummary(os.Stdout)
	if err := readEvents(os.Stdin, s.add); err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
		os.Exit(1)
	}
	if !s.finish(notes) {
		os.Exit(1)
	}
}

// event is one line of `go test -json` (see `go doc test2json`, and `go help
// buildjson` for the two build actions).
type event struct {
	Action      string
	Package     string
	Test        string
	Elapsed     float64 // seconds
	Output      string
	ImportPath  string // of build-output and build-fail
	FailedBuild string // on a package's fail: the ImportPath that did not build
}

// readEvents calls add for each event of r. A line that is not JSON is output
// that something wrote past the tests, and is handed on as such.
func readEvents(r io.Reader, add func(event)) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				e = event{Action: "stray", Output: string(line)}
			}
			add(e)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading test events: %w", err)
		}
	}
}
