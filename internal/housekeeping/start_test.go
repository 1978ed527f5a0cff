package housekeeping

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What one package may allocate before main. Bytes and allocations, not time:
// they are the same at every run on every machine, and a package that costs
// milliseconds at start allocates far more than this.
const (
	maxInitBytes  = 64 << 10
	maxInitAllocs = 500
)

// heavyInits reads what GODEBUG=inittrace=1 prints (see package runtime):
//
//	init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs
//
// and returns the packages over a limit, without std, and the number of packages
// it saw.
func heavyInits(trace string) (heavy []string, seen int) {
	for line := range strings.Lines(trace) {
		f := strings.Fields(line)
		if len(f) != 11 || f[0] != "init" || f[8] != "bytes," || f[10] != "allocs" {
			continue
		}
		size, err1 := strconv.Atoi(f[7])
		allocs, err2 := strconv.Atoi(f[9])
		if err1 != nil || err2 != nil {
			continue
		}
		seen++
		// Only std has paths without a dot in the first element, and we.
		first, _, _ := strings.Cut(f[1], "/")
		if !strings.Contains(first, ".") && first != module && first != "main" {
			continue
		}
		if size > maxInitBytes || allocs > maxInitAllocs {
			heavy = append(heavy, fmt.Sprintf("%s allocates %d bytes in %d allocations before main (at most %d and %d)",
				f[1], size, allocs, maxInitBytes, maxInitAllocs))
		}
	}
	return heavy, seen
}

func TestNoPackageDoesHeavyWorkBeforeMain(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "dormouse")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/dormouse")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building cmd/dormouse: %v\n%s", err, out)
	}

	home := t.TempDir()
	cmd := exec.Command(program, "--help")
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "GODEBUG=inittrace=1", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("dormouse --help: %v\n%s", err, stderr.Bytes()[max(0, stderr.Len()-1000):])
	}
	heavy, seen := heavyInits(stderr.String())
	// Package runtime is always in the trace: without a line the format changed.
	if seen == 0 {
		t.Fatalf("no line of an init trace in:\n%s", stderr.Bytes())
	}
	for _, line := range heavy {
		t.Error(line)
	}
}

func TestHeavyInitsAreFound(t *testing.T) {
	t.Parallel()
	trace := `init runtime @0.1 ms, 0.5 ms clock, 999999 bytes, 9999 allocs
init net/http @0.1 ms, 0.5 ms clock, 999999 bytes, 9999 allocs
init example.com/small @0.3 ms, 0 ms clock, 65536 bytes, 500 allocs
init example.com/large @0.3 ms, 9 ms clock, 65537 bytes, 1 allocs
init dormouse/many @0.3 ms, 9 ms clock, 100 bytes, 501 allocs
init is a word
`
	heavy, seen := heavyInits(trace)
	want := []string{
		"example.com/large allocates 65537 bytes in 1 allocations before main (at most 65536 and 500)",
		"dormouse/many allocates 100 bytes in 501 allocations before main (at most 65536 and 500)",
	}
	if diff := cmp.Diff(want, heavy); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if seen != 5 {
		t.Errorf("saw %d packages, want 5", seen)
	}
}
