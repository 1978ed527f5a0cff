// Command wordfilter makes the filter of package dream/spelled from a list of words,
// one a line, on standard input; the filter goes to standard output.
//
//	go run ./internal/tools/wordfilter </usr/share/dict/american-english-small >dream/spelled/words.bloom
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"dormouse/dream/spelled"
)

const (
	bitsOfWord = 16
	shortest   = 5 // letters: no shorter word is taken for a slip
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "wordfilter:", err)
		os.Exit(1)
	}
}

func run() error {
	var words []string
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		w := lines.Text()
		if len(w) >= shortest && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
			words = append(words, w)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	filter := make([]byte, len(words)*bitsOfWord/8)
	for _, w := range words {
		spelled.Set(filter, w)
	}
	_, err := os.Stdout.Write(filter)
	return err
}
