// Command benchref does the least that can be done with a folder of notes that
// has no index: it stats them all and reads the newest. `make bench` compares the
// whole of `dormouse context` with it.
//
//	benchref DIR N
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "benchref:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a folder and a number, got %q", args)
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return fmt.Errorf("reading the number of notes: %w", err)
	}
	notes, err := newest(args[0], n)
	if err != nil {
		return err
	}
	for _, note := range notes {
		if _, err := os.ReadFile(filepath.Join(args[0], note.Name())); err != nil {
			return err
		}
	}
	return nil
}

// newest stats every file of dir and returns the n changed last.
func newest(dir string, n int) ([]fs.FileInfo, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	notes := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		notes = append(notes, info)
	}
	slices.SortFunc(notes, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return notes[:min(n, len(notes))], nil
}
