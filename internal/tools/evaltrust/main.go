// Command evaltrust measures packages scan and trust on the data in the folder
// DATA: what the scan flags, quarantines and blocks of each set, and what of the
// poison a session is told on each way in, with 95 % Wilson intervals. The last
// line is one JSON object with the same figures. SEED chooses the generated
// hidden-text items and the order of the texts, N how many go through the ways
// in (none: all).
//
//	DATA=../shared/data SEED=1 go run ./internal/tools/evaltrust
//
// Of the even items of own.jsonl only totals are printed: they are the test
// half, and whoever writes rules must not see them.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"dormouse/scan"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "evaltrust:", err)
		os.Exit(1)
	}
}

func run() error {
	data := os.Getenv("DATA")
	if data == "" {
		data = "../shared/data"
	}
	seed := uint64(1)
	if s := os.Getenv("SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return fmt.Errorf("SEED: %w", err)
		}
		seed = n
	}
	sets, err := load(data)
	if err != nil {
		return err
	}
	results := measure(scan.New(), append(generated(seed), sets...))
	for _, r := range results {
		fmt.Println(r)
	}
	n, _ := strconv.Atoi(os.Getenv("N")) // none: all
	ways, err := structural(sets, n, seed)
	if err != nil {
		return err
	}
	for _, r := range ways {
		fmt.Println(r)
	}
	return json.NewEncoder(os.Stdout).Encode(struct {
		Seed uint64      `json:"seed"`
		Sets []result    `json:"sets"`
		Ways []wayResult `json:"ways"`
	}{seed, results, ways})
}
