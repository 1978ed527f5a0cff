//go:build claude

package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	hostclaude "dormouse/host/claude"
	"dormouse/startup"
	"dormouse/testkit"
)

const projects = 25 // at least so many a run; N asks for more

// TestClaudeSendsWhatContextSays lays out random projects, starts the real
// client in each, and compares what it sent with dormouse context --json. The
// seed of every project is printed with its failure; SEED repeats a run.
func TestClaudeSendsWhatContextSays(t *testing.T) {
	program := os.Getenv("DORMOUSE_CLAUDE")
	if program == "" {
		t.Skip("DORMOUSE_CLAUDE does not name the client's program: run make test-claude")
	}
	binary := build(t)
	seed := envNumber(t, "SEED", uint64(time.Now().UnixNano()))
	n := int(envNumber(t, "N", projects))
	t.Logf("SEED=%d N=%d", seed, n)
	slots := make(chan struct{}, max(1, runtime.NumCPU()))
	for i := range n {
		one := seed + uint64(i)
		t.Run(fmt.Sprintf("seed-%d", one), func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			compare(t, program, binary, one)
		})
	}
}

func compare(t *testing.T, program, binary string, seed uint64) {
	c := generate(rand.New(rand.NewPCG(seed, 0)))
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.Lay(root, hostclaude.FolderName)
	if err != nil {
		t.Fatal(err)
	}
	before := listing(t, root)
	rep := ours(t, binary, l)
	if after := listing(t, root); after != before {
		t.Errorf("a look changed the disk:\n%s", after)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	obs, err := testkit.RunClaude(ctx, program, l)
	if err != nil {
		t.Fatal(err)
	}
	if diffs := l.Compare(&obs.Want, rep); len(diffs) > 0 {
		text, _ := json.MarshalIndent(c, "", " ")
		t.Errorf("SEED=%d N=1 repeats this project\n%s\n%s", seed, strings.Join(diffs, "\n"), text)
	}
}

// ours runs the built program in a layout.
func ours(t *testing.T, binary string, l *testkit.Layout) *startup.Report {
	t.Helper()
	args := append([]string{"context", "--json"}, l.Args...)
	for _, r := range l.Reads {
		args = append(args, "--read", r)
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = l.Cwd
	cmd.Env = []string{"HOME=" + l.Home, "PATH=/nowhere"}
	for k, v := range l.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("dormouse: %v\n%s", err, errs.String())
	}
	rep := &startup.Report{}
	if err := json.Unmarshal(out.Bytes(), rep); err != nil {
		t.Fatalf("dormouse printed no JSON: %v\n%s", err, errs.String())
	}
	return rep
}

func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dormouse")
	cmd := exec.Command("go", "build", "-o", path, "dormouse/cmd/dormouse")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return path
}

// listing is every path below root with its size.
func listing(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func envNumber(t *testing.T, name string, def uint64) uint64 {
	v := os.Getenv(name)
	if v == "" {
		return def
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		t.Fatalf("%s=%q is no number", name, v)
	}
	return n
}
