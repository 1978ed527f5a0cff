package main

import (
	"os"
	"path/filepath"
	"testing"

	"dormouse/scan"
)

func TestBenignDataIsNotBlocked(t *testing.T) {
	t.Parallel()
	data := os.Getenv("DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(data, "injection", "own.jsonl")); err != nil {
		t.Skip("no data set: set DATA to the folder with injection and notes")
	}
	sets, err := load(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range measure(scan.New(), sets) {
		if !r.Poison && (r.Blocked.K > 0 || 50*r.Quarantined.K > max(r.N, 50)) {
			t.Errorf("%s", r)
		}
		if r.Set == "own poison dev, not masked" && 10*r.Quarantined.K < 9*r.N {
			t.Errorf("%s", r)
		}
	}
}
