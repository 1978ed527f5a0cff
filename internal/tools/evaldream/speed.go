package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// A timing is what one dream in a process of its own took.
type timing struct {
	Notes    int     `json:"notes"`
	Sessions int     `json:"sessions"`
	MiB      float64 `json:"mib"` // of sessions
	Wall     float64 `json:"wall_s"`
	CPU      float64 `json:"cpu_s"`
	PeakMB   float64 `json:"peak_mb"`
	Parts    parted  `json:"parts"`
	PerNLogN float64 `json:"us_per_n_log2_n"` // of the dream itself
}

// parted is what the process says of itself, in seconds.
type parted struct {
	Load    float64 `json:"load_s"`    // notes read, each judged by the gate
	Extract float64 `json:"extract_s"` // sessions read, facts drawn out
	Dream   float64 `json:"dream_s"`
	Said    int     `json:"said"`
	Files   int     `json:"files"`
	Rows    int     `json:"rows"`
}

// speed measures 2,000 notes with 100 sessions of 1 MB, and then how the time grows
// with the number of notes. SIZES names others, parted by spaces.
func speed() error {
	dir, err := os.MkdirTemp("", "evaldream")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	all, failed := []timing{}, 0
	fmt.Printf("%d CPUs\n%7s %8s %8s %8s %8s %8s %8s %8s %8s %12s\n", runtime.NumCPU(),
		"notes", "sessions", "wall s", "CPU s", "peak MB", "load s", "extract s", "dream s", "rows", "us/(n log n)")
	sizes := []struct{ notes, sessions int }{{2000, 100}, {500, 0}, {1000, 0}, {2000, 0}, {5000, 0}, {10000, 0}, {20000, 0}}
	if s := os.Getenv("SIZES"); s != "" {
		sizes = sizes[:0]
		for _, f := range bytes.Fields([]byte(s)) {
			n, err := strconv.Atoi(string(f))
			if err != nil || n <= 0 {
				return fmt.Errorf("SIZES: %q is no number of notes", f)
			}
			sizes = append(sizes, struct{ notes, sessions int }{n, 0})
		}
	}
	for i, s := range sizes {
		t, err := timed(filepath.Join(dir, strconv.Itoa(i)), s.notes, s.sessions)
		if err != nil { // the other sizes are worth knowing all the same
			failed++
			fmt.Println(err)
			continue
		}
		all = append(all, *t)
		fmt.Printf("%7d %8d %8.2f %8.2f %8.0f %8.2f %8.2f %8.2f %8d %12.3f\n",
			t.Notes, t.Sessions, t.Wall, t.CPU, t.PeakMB, t.Parts.Load, t.Parts.Extract, t.Parts.Dream, t.Parts.Rows, t.PerNLogN)
	}
	err = json.NewEncoder(os.Stdout).Encode(struct {
		CPUs    int      `json:"cpus"`
		Timings []timing `json:"timings"`
	}{runtime.NumCPU(), all})
	if err == nil && failed > 0 {
		return fmt.Errorf("%d of %d sizes failed", failed, len(sizes))
	}
	return err
}

// timed makes a folder and dreams on it. Both is done by processes of their own: one
// inherits its parent's peak of memory.
func timed(dir string, notes, sessions int) (*timing, error) {
	defer func() { _ = os.RemoveAll(dir) }()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	maker := exec.Command(self, "-make", strconv.Itoa(notes), "-sessions", strconv.Itoa(sessions), dir)
	if out, err := maker.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("making %d notes: %w: %s", notes, err, out)
	}
	cmd := exec.Command(self, "-part", dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begun := time.Now()
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("dreaming on %d notes: %w: %s", notes, err, bytes.TrimSpace(stderr.Bytes()))
	}
	t := &timing{Notes: notes, Sessions: sessions, Wall: time.Since(begun).Seconds()}
	t.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	t.PeakMB = peakMB(cmd.ProcessState)
	if err := json.Unmarshal(stdout.Bytes(), &t.Parts); err != nil {
		return nil, fmt.Errorf("dreaming on %d notes: %w", notes, err)
	}
	t.PerNLogN = t.Parts.Dream * 1e6 / (float64(notes) * math.Log2(float64(notes)))
	logs, err := filepath.Glob(filepath.Join(dir, "sessions", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, l := range logs {
		if info, err := os.Stat(l); err == nil {
			t.MiB += float64(info.Size()) / (1 << 20)
		}
	}
	return t, nil
}
