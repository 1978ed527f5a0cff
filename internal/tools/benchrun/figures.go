package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// figures are what is printed of one comparison. Times are in milliseconds, CPU
// is user and system together, ratios are A to B.
type figures struct {
	Name  string  `json:"name"`
	Goal  string  `json:"goal"`
	Pairs int     `json:"pairs"`
	A     process `json:"a"`
	B     process `json:"b"`
	// Ratio of the medians of CPU time, and a 95 % interval of it.
	Ratio     float64    `json:"cpu_ratio"`
	Interval  [2]float64 `json:"cpu_ratio_95"`
	WallRatio float64    `json:"wall_ratio"`
}

type process struct {
	Command    string  `json:"command"`
	CPUMedian  float64 `json:"cpu_median_ms"`
	CPUMin     float64 `json:"cpu_min_ms"`
	WallMedian float64 `json:"wall_median_ms"`
	PeakMax    float64 `json:"peak_max_mib"`
	Exit       int     `json:"exit"` // the largest seen
}

func summarise(c comparison, as, bs []sample) figures {
	f := figures{Name: c.Name, Goal: c.Goal, Pairs: len(as), A: describe(c.A, as), B: describe(c.B, bs)}
	f.Ratio = ratio(f.A.CPUMedian, f.B.CPUMedian)
	f.WallRatio = ratio(f.A.WallMedian, f.B.WallMedian)
	f.Interval = interval(cpu(as), cpu(bs))
	return f
}

func describe(argv []string, samples []sample) process {
	var words []string
	for _, w := range argv {
		words = append(words, w[strings.LastIndexAny(w, `/\`)+1:]) // folders are temporary ones
	}
	times := cpu(samples)
	p := process{Command: strings.Join(words, " "), CPUMedian: median(times), CPUMin: slices.Min(times)}
	var walls []float64
	for _, s := range samples {
		walls = append(walls, ms(s.wall))
		p.PeakMax = max(p.PeakMax, float64(s.peak)/(1<<20))
		p.Exit = max(p.Exit, s.exit)
	}
	p.WallMedian = median(walls)
	return p
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func cpu(samples []sample) []float64 {
	var out []float64
	for _, s := range samples {
		out = append(out, ms(s.cpu))
	}
	return out
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

// ratio is 0 when there is nothing to compare with: NaN is no JSON.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// interval is the bootstrap's: pairs drawn anew with replacement, 2000 times, and
// the middle 95 % of the ratios of medians that come out. The seed is fixed, so
// the same samples give the same interval.
func interval(a, b []float64) [2]float64 {
	const draws = 2000
	rnd := rand.New(rand.NewPCG(1, 2))
	ratios := make([]float64, draws)
	x, y := make([]float64, len(a)), make([]float64, len(b))
	for i := range ratios {
		for j := range a {
			k := rnd.IntN(len(a))
			x[j], y[j] = a[k], b[k]
		}
		ratios[i] = ratio(median(x), median(y))
	}
	slices.Sort(ratios)
	return [2]float64{ratios[draws*25/1000], ratios[draws*975/1000-1]}
}

func report(w io.Writer, n int, rows []figures) error {
	fmt.Fprintf(w, "%d pairs of runs each; CPU is user + system of the whole process, median (minimum)\n\n", n)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "what\tA\tCPU A, ms\tB\tCPU B, ms\tA / B (95 %)\twall A, B, ms\tpeak A, B, MiB\tgoal")
	for _, f := range rows {
		fmt.Fprintf(t, "%s\t%s\t%.2f (%.2f)\t%s\t%.2f (%.2f)\t%.2f (%.2f to %.2f)\t%.1f, %.1f\t%.1f, %.1f\t%s\n",
			f.Name, f.A.Command, f.A.CPUMedian, f.A.CPUMin, f.B.Command, f.B.CPUMedian, f.B.CPUMin,
			f.Ratio, f.Interval[0], f.Interval[1], f.A.WallMedian, f.B.WallMedian, f.A.PeakMax, f.B.PeakMax, f.Goal)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	floor := float64(selfPeak()) / (1 << 20)
	fmt.Fprintf(w, "\npeaks below %.1f MiB, that of the measuring program, can't be told apart\n\n", floor)
	for i := range rows {
		rows[i].round()
	}
	line, err := json.Marshal(map[string]any{"pairs": n, "peak_floor_mib": round(floor), "rows": rows})
	if err != nil {
		return fmt.Errorf("printing figures: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", line)
	return err
}

// round keeps three digits after the point: what lies below is noise.
func (f *figures) round() {
	for _, v := range []*float64{
		&f.Ratio, &f.Interval[0], &f.Interval[1], &f.WallRatio,
		&f.A.CPUMedian, &f.A.CPUMin, &f.A.WallMedian, &f.A.PeakMax,
		&f.B.CPUMedian, &f.B.CPUMin, &f.B.WallMedian, &f.B.PeakMax,
	} {
		*v = round(*v)
	}
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }
