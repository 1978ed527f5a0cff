package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"dormouse/scan"
)

func TestWilsonAgreesWithPublishedValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{{82, 82, 0.955, 1}, {0, 75, 0, 0.049}, {1, 82, 0.002, 0.066}} {
		got := wilson(tt.k, tt.n)
		if math.Abs(got.Low-tt.low) > 0.0011 || math.Abs(got.High-tt.high) > 0.0011 {
			t.Errorf("wilson(%d, %d) = %.4f to %.4f, want %.3f to %.3f", tt.k, tt.n, got.Low, got.High, tt.low, tt.high)
		}
	}
}

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
