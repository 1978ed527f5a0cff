// Command benchrun compares whole processes: CPU time (user and system), wall
// time and peak memory of a program A and a reference program B, run in turn. It
// reads a JSON array of comparisons on standard input and prints a table and, as
// the last line, one JSON object with the same figures. A figure never makes it
// fail, a program that can't be run does.
//
//	benchrun [-n RUNS] <comparisons.json
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// minRuns is the least number of pairs from which a median is worth printing.
const minRuns = 40

// A comparison is one row to measure.
type comparison struct {
	Name string   `json:"name"`
	Goal string   `json:"goal"` // what the figure should be, in words
	Dir  string   `json:"dir"`
	Env  []string `json:"env"` // all of it
	A    []string `json:"a"`
	B    []string `json:"b"`
}

func main() {
	n := flag.Int("n", minRuns, "pairs of runs, at least 40")
	flag.Parse()
	if err := run(max(*n, minRuns)); err != nil {
		fmt.Fprintln(os.Stderr, "benchrun:", err)
		os.Exit(1)
	}
}

func run(n int) error {
	var cs []comparison
	if err := json.NewDecoder(os.Stdin).Decode(&cs); err != nil {
		return fmt.Errorf("reading comparisons: %w", err)
	}
	var rows []figures
	for _, c := range cs {
		row, err := measure(c, n)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		rows = append(rows, row)
	}
	return report(os.Stdout, n, rows)
}
