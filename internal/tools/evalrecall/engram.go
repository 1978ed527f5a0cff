package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// engram is the program of that name (github.com/Gentleman-Programming/engram) with
// the same text in its own database: its export format and commands as its source
// had them in 2026. It is built outside the project; ENGRAM names it, else PATH is
// looked at. It is measured as a whole process, like grep, with a home of its own.
type engram struct {
	path, home string
}

// openEngram fills the database of engram, which lies below folder. nil: it is not
// at hand. why tells why it takes no part.
func openEngram(ctx context.Context, made *world, folder string) (e *engram, why string) {
	path := os.Getenv("ENGRAM")
	if path == "" {
		path, _ = exec.LookPath("engram")
	}
	if path == "" {
		return nil, "not at hand (ENGRAM=path, or on PATH)"
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err.Error()
	}
	e = &engram{path: path, home: filepath.Join(folder, "engram")}
	file := filepath.Join(folder, "engram.json")
	if err := writeEngram(file, made); err != nil {
		return nil, err.Error()
	}
	start := time.Now()
	out, err := e.command(ctx, "import", file).CombinedOutput()
	if err != nil {
		return nil, fmt.Sprintf("its import failed: %v: %.200s", err, out)
	}
	return e, fmt.Sprintf("imported in %.1f s", time.Since(start).Seconds())
}

func (e *engram) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, e.path, args...)
	cmd.Env = []string{"HOME=" + e.home, "ENGRAM_DATA_DIR=" + e.home}
	return cmd
}

// search runs one search; a program that fails has no time.
func (e *engram) search(ctx context.Context, question string) (time.Duration, error) {
	start := time.Now()
	err := e.command(ctx, "search", question, "--limit", "10").Run()
	if err != nil {
		err = fmt.Errorf("engram search: %w", err)
	}
	return time.Since(start), err
}

// writeEngram writes the documents as engram exports them.
func writeEngram(path string, made *world) error {
	const when = "2026-01-02 03:04:05"
	type object = map[string]any
	notes := make([]object, len(made.docs))
	for i, d := range made.docs {
		notes[i] = object{
			"id": i + 1, "sync_id": "obs-" + strconv.Itoa(i), "session_id": "s", "type": "manual", "title": d.Title, "content": d.Body,
			"scope": "project", "revision_count": 1, "duplicate_count": 1, "created_at": when, "updated_at": when,
		}
	}
	text, err := json.Marshal(object{
		"version": "0.1.0", "exported_at": when, "observations": notes, "prompts": []object{},
		"sessions": []object{{"id": "s", "project": "p", "directory": "/p", "started_at": when}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// whole are the programs that are measured as a whole process.
type whole struct {
	folder string // of files with the text, for grep
	engram *engram
}

// cell prints a median, or that there is none.
func cell(w io.Writer, times []time.Duration) {
	if len(times) == 0 {
		fmt.Fprintf(w, " %14s", "not at hand")
		return
	}
	fmt.Fprintf(w, " %11.1f ms", ms(median(times)))
}
