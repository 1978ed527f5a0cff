package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"dormouse/note"
)

// The sizes that the speed is asked for.
const (
	speedFiles = 20000
	speedNotes = 10000
	speedRuns  = 5
)

// A timing is what was measured of the large project.
type timing struct {
	Files    int     `json:"files"`
	Notes    int     `json:"notes"`
	MiB      float64 `json:"mib"`
	ReadMS   float64 `json:"read_ms"`
	StatMS   float64 `json:"stat_ms"`
	ColdMS   float64 `json:"cold_ms"`
	WarmMS   float64 `json:"warm_ms"`
	Cold     float64 `json:"cold_to_read"`
	Warm     float64 `json:"warm_to_stat"`
	ColdMB   float64 `json:"cold_rss_mb"`
	WarmMB   float64 `json:"warm_rss_mb"`
	Findings int     `json:"findings"`
	CPUs     int     `json:"cpus"`
}

// words are pseudo-words, so that no two notes are alike by chance.
func words(r *rand.Rand, n int) []string {
	out := make([]string, n)
	parts := []string{"ba", "co", "du", "fe", "gi", "lo", "ma", "ne", "pi", "ro", "su", "ta", "ve", "zo", "kla", "bri"}
	for i := range out {
		for range 2 + r.IntN(3) {
			out[i] += parts[r.IntN(len(parts))]
		}
	}
	return out
}

func sentence(r *rand.Rand, vocabulary []string, n int) string {
	s := make([]string, n)
	for i := range s {
		s[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return upper(strings.Join(s, " ")) + "."
}

// large makes the project below a home folder.
func large(home string, seed uint64, now time.Time) error {
	r := rand.New(rand.NewPCG(seed, 77))
	vocabulary := words(r, 4000)
	proj := filepath.Join(home, "code", "large")
	memory := filepath.Join(home, ".claude/projects", slug(proj), "memory")
	var stream bytes.Buffer
	text := "# large\n\nA service of many parts.\n"
	fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter Maria Koval <maria@corp.example> 1757000000 +0200\ndata 7\ninitial\nM 100644 inline CLAUDE.md\ndata %d\n%s\n", len(text), text)
	paths := make([]string, speedFiles-1)
	for i := range paths {
		name := fmt.Sprintf("%s%d", vocabulary[i%len(vocabulary)], i)
		paths[i] = fmt.Sprintf("internal/%s/%s/%s.go", vocabulary[i/400], vocabulary[100+i/20%20], name)
		text := fmt.Sprintf("package p\n\n// %s %s\nfunc %s(n int) int { return n + %d }\n", upper(name), sentence(r, vocabulary, 60+r.IntN(100)), upper(name), i)
		fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", paths[i], len(text), text)
	}
	if err := os.MkdirAll(proj, 0o755); err != nil {
		return err
	}
	for _, g := range []struct {
		in   []byte
		args []string
	}{{nil, []string{"init", "-q", "-b", "main"}}, {stream.Bytes(), []string{"fast-import", "--quiet"}}, {nil, []string{"reset", "-q", "--hard"}}} {
		if err := gitIn(proj, g.in, g.args...); err != nil {
			return err
		}
	}
	var index strings.Builder
	for i := range speedNotes {
		p := paths[i*7919%len(paths)] // no two notes about one file
		symbol := upper(strings.TrimSuffix(filepath.Base(p), ".go"))
		body := fmt.Sprintf("%s See `%s` in `%s`.\n\n**Why:** %s\n", sentence(r, vocabulary, 14), symbol, p, sentence(r, vocabulary, 12))
		name := fmt.Sprintf("%s-%d", vocabulary[r.IntN(len(vocabulary))], i)
		description := sentence(r, vocabulary, 5)
		b, err := note.New(note.Fields{Name: name, Description: description, Type: "project", Modified: now.Add(-time.Duration(i%500) * time.Hour)}, body)
		if err != nil {
			return err
		}
		if err := put(filepath.Join(memory, name+".md"), b); err != nil {
			return err
		}
		fmt.Fprintf(&index, "- [%s](%s.md) — %s\n", upper(name), name, description)
	}
	return put(filepath.Join(memory, "MEMORY.md"), []byte(index.String()))
}

// each calls f with every file of the project, but for git's own, and of the notes.
func each(f func(path string, d fs.DirEntry) error, dirs ...string) error {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == ".git":
				return filepath.SkipDir
			case d.IsDir():
				return nil
			}
			return f(path, d)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

func median(f func() (float64, error)) (float64, error) {
	all := make([]float64, speedRuns)
	for i := range all {
		x, err := f()
		if err != nil {
			return 0, err
		}
		all[i] = x
	}
	slices.Sort(all)
	return all[speedRuns/2], nil
}

func speed(c config) error {
	home := filepath.Join(c.dir, "speed", "home")
	proj := filepath.Join(home, "code", "large")
	memory := filepath.Join(home, ".claude/projects", slug(proj), "memory")
	// Another process makes it: a program inherits its parent's peak of memory.
	self, err := os.Executable()
	if err != nil {
		return err
	}
	maker := exec.Command(self, "-make", home)
	if out, err := maker.CombinedOutput(); err != nil {
		return fmt.Errorf("making the project: %w: %s", err, out)
	}
	t := timing{Notes: speedNotes, CPUs: runtime.NumCPU()}
	read := func() (float64, error) {
		start, size := time.Now(), 0
		t.Files = 0
		err := each(func(path string, _ fs.DirEntry) error {
			b, err := os.ReadFile(path)
			size += len(b)
			t.Files++
			return err
		}, proj, memory)
		t.MiB = float64(size) / (1 << 20)
		return milliseconds(start), err
	}
	stat := func() (float64, error) {
		start := time.Now()
		err := each(func(path string, _ fs.DirEntry) error {
			_, err := os.Lstat(path)
			return err
		}, proj, memory)
		return milliseconds(start), err
	}
	cold := func() (float64, error) {
		for _, d := range []string{".local", ".cache", ".config"} {
			if err := os.RemoveAll(filepath.Join(home, d)); err != nil {
				return 0, err
			}
		}
		return c.timed(home, proj, &t.ColdMB, &t.Findings)
	}
	warm := func() (float64, error) { return c.timed(home, proj, &t.WarmMB, &t.Findings) }
	for _, m := range []struct {
		to *float64
		f  func() (float64, error)
	}{{&t.ReadMS, read}, {&t.StatMS, stat}, {&t.ColdMS, cold}, {&t.WarmMS, warm}} {
		if *m.to, err = median(m.f); err != nil {
			return err
		}
	}
	t.Cold, t.Warm = t.ColdMS/t.ReadMS, t.WarmMS/t.StatMS
	fmt.Printf("%d files and notes, %.1f MiB, %d CPUs; medians of %d\n", t.Files, t.MiB, t.CPUs, speedRuns)
	fmt.Printf("read all once  %8.0f ms\nstat all once  %8.0f ms\n", t.ReadMS, t.StatMS)
	fmt.Printf("doctor, cold   %8.0f ms  %.1f times the reading  %.0f MB\n", t.ColdMS, t.Cold, t.ColdMB)
	fmt.Printf("doctor, warm   %8.0f ms  %.1f times the stat     %.0f MB\n", t.WarmMS, t.Warm, t.WarmMB)
	return json.NewEncoder(os.Stdout).Encode(t)
}

// timed runs the doctor once, and keeps the largest memory that was seen.
func (c config) timed(home, proj string, rss *float64, findings *int) (float64, error) {
	cmd := exec.Command(c.bin, "doctor", "--json", "--project", proj)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	took := milliseconds(start)
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		return 0, fmt.Errorf("doctor: %w: %s", err, stderr.String())
	}
	*rss = max(*rss, peakMB(cmd.ProcessState))
	var r struct{ Findings []finding }
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return 0, fmt.Errorf("doctor: %w", err)
	}
	*findings = len(r.Findings)
	return took, nil
}
