package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   []float64
		want float64
	}{
		{"one", []float64{3}, 3},
		{"odd, in any order", []float64{9, 1, 4}, 4},
		{"even: between the middle two", []float64{8, 1, 4, 2}, 3},
	} {
		if got := median(tt.in); got != tt.want {
			t.Errorf("%s: median = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func samples(cpu ...float64) []sample {
	var out []sample
	for _, v := range cpu {
		d := time.Duration(v * float64(time.Millisecond))
		out = append(out, sample{cpu: d, wall: 2 * d, peak: int64(v) << 20})
	}
	return out
}

func TestFiguresAreRatiosOfMedians(t *testing.T) {
	t.Parallel()
	c := comparison{Name: "n", A: []string{"/x/prog", "arg"}, B: []string{"ref"}}
	f := summarise(c, samples(6, 5, 7, 90), samples(2, 2, 2, 2))
	if f.Ratio != 3.25 || f.WallRatio != 3.25 {
		t.Errorf("ratios = %v, %v, want 3.25: one slow run must not count", f.Ratio, f.WallRatio)
	}
	if f.A.CPUMin != 5 || f.A.PeakMax != 90 || f.A.Command != "prog arg" {
		t.Errorf("A = %+v", f.A)
	}
	if lo, hi := f.Interval[0], f.Interval[1]; lo < 2.5 || lo > 3.25 || hi < 3.25 || hi > 45 {
		t.Errorf("interval = %v, want it around 3.25 and within the samples", f.Interval)
	}
	if same := summarise(c, samples(6, 6, 6), samples(2, 2, 2)); same.Interval != [2]float64{3, 3} {
		t.Errorf("interval of equal samples = %v, want [3 3]", same.Interval)
	}
}

func TestTheLastLineIsTheFiguresAsJSON(t *testing.T) {
	t.Parallel()
	row := summarise(comparison{Name: "a|b", A: []string{"a"}, B: []string{"b"}}, samples(1.23456), samples(0))
	var out bytes.Buffer
	if err := report(&out, 1, []figures{row}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	var got struct{ Rows []figures }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
		t.Fatalf("last line: %v\n%s", err, out.String())
	}
	if len(got.Rows) != 1 || got.Rows[0].Name != "a|b" || got.Rows[0].A.CPUMedian != 1.235 {
		t.Errorf("rows = %+v", got.Rows)
	}
}

// TestMain lets the test binary be the program that is measured.
func TestMain(m *testing.M) {
	switch os.Getenv("BENCHRUN_AS") {
	case "work":
		for begin := time.Now(); time.Since(begin) < 30*time.Millisecond; {
		}
		os.Exit(1)
	case "nothing":
		os.Exit(0)
	case "wrong use":
		os.Exit(2)
	}
	os.Exit(m.Run())
}

func TestAProcessIsMeasured(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got, err := start([]string{self}, comparison{Env: []string{"BENCHRUN_AS=work"}})
	if err != nil {
		t.Fatalf("exit 1 is an answer, not a failure: %v", err)
	}
	if got.cpu < 10*time.Millisecond || got.wall < 30*time.Millisecond || got.exit != 1 {
		t.Errorf("a program that works for 30 ms: %+v", got)
	}
	if _, err := start([]string{self}, comparison{Env: []string{"BENCHRUN_AS=wrong use"}}); err == nil {
		t.Error("exit 2 was taken for a result")
	}
}
