//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/host/claude"
	"dormouse/testkit"
)

// The benchmarks time whole processes by the system's own accounting, each
// beside its reference in the same loop, so that the ratio holds on a busy
// machine: go test -bench . ./internal/cli

// BenchmarkContextProcess compares dormouse context --json, for a project with
// five instruction files and an index of 200 lines, with a program that does
// nothing.
func BenchmarkContextProcess(b *testing.B) {
	l := layBench(b, benchProject())
	benchPair(b, l, []string{"context", "--json"}, program(b, "package main\n\nfunc main() {}\n"))
}

// BenchmarkStatusProcess does the same for the memory screen.
func BenchmarkStatusProcess(b *testing.B) {
	l := layBench(b, benchProject())
	benchPair(b, l, nil, program(b, "package main\n\nfunc main() {}\n"))
}

// BenchmarkTenThousandNotes compares the context of a store with 10,000 notes
// and no index with a program that stats them all and reads the 140 newest.
func BenchmarkTenThousandNotes(b *testing.B) {
	c := &testkit.Case{Files: files("proj/CLAUDE.md", "PC\n")}
	for i := range 10_000 {
		c.Files.Set(fmt.Sprintf("@mem(proj)/note_%05d.md", i), fmt.Sprintf("---\nname: note-%d\ndescription: what was learnt on day %d\nmetadata:\n  type: project\n---\n\nBody %d.\n", i, i, i))
	}
	l := layBench(b, c)
	dir := filepath.Join(l.Root, l.Expand("@mem(proj)"))
	for i := range 10_000 {
		at := time.Now().Add(-time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(dir, fmt.Sprintf("note_%05d.md", i)), at, at); err != nil {
			b.Fatal(err)
		}
	}
	benchPair(b, l, []string{"context", "--json"}, program(b, statAndRead), dir)
}

const statAndRead = `package main

import (
	"os"
	"path/filepath"
	"sort"
)

func main() {
	dir := os.Args[1]
	entries, _ := os.ReadDir(dir)
	type file struct {
		name string
		at   int64
	}
	files := make([]file, 0, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			files = append(files, file{e.Name(), info.ModTime().UnixNano()})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].at > files[j].at })
	for _, f := range files[:min(140, len(files))] {
		os.ReadFile(filepath.Join(dir, f.name))
	}
}
`

func benchProject() *testkit.Case {
	text := strings.Repeat("Prices are integers in cents, and rounding happens once, at the end.\n", 20)
	var index strings.Builder
	for i := 1; i <= 200; i++ {
		fmt.Fprintf(&index, "- [Note %d](note_%03d.md) — what was learnt with order %d\n", i, i, i)
	}
	c := &testkit.Case{Files: files(
		"home/.claude/CLAUDE.md", text, "proj/CLAUDE.md", text+"See @docs/money.md for `@rounding`.\n", "proj/CLAUDE.local.md", text, "proj/.claude/rules/style.md", text, "proj/docs/money.md", text,
		"@mem(proj)/MEMORY.md", index.String())}
	for i := 1; i <= 200; i++ {
		c.Files.Set(fmt.Sprintf("@mem(proj)/note_%03d.md", i), "x\n")
	}
	return c
}

func layBench(b *testing.B, c *testkit.Case) *testkit.Layout {
	b.Helper()
	root, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	l, err := c.Lay(root, claude.FolderName)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// program builds a Go program from one file.
func program(b *testing.B, text string) string {
	b.Helper()
	dir := b.TempDir()
	src := filepath.Join(dir, "main.go")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return buildFor(b, src)
}

func buildFor(b *testing.B, what string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	return path
}

func benchPair(b *testing.B, l *testkit.Layout, args []string, reference string, refArgs ...string) {
	ours := buildFor(b, "dormouse/cmd/dormouse")
	var a, r time.Duration
	var peak int64
	for b.Loop() {
		cpu, rss := cpuOf(b, l, ours, args...)
		a += cpu
		peak = max(peak, rss)
		cpu, _ = cpuOf(b, l, reference, refArgs...)
		r += cpu
	}
	b.ReportMetric(float64(a.Microseconds())/float64(b.N)/1000, "cpu-ms/op")
	b.ReportMetric(float64(a)/float64(r), "times-the-reference")
	b.ReportMetric(float64(peak)/1024, "peak-MB")
}
