// Command evaldoctor measures `dormouse doctor` on seeded faults. For every rule it
// makes projects (a repository with history, instructions, settings, a memory folder,
// sessions), seeds one fault into each, and checks that a finding of that rule names
// its place. Beside each stands its clean twin, the same project without the fault:
// there every finding, of whatever rule, counts as false. The last line is one JSON
// object with the figures.
//
//	SEED=1 N=0 go run ./internal/tools/evaldoctor [-v] [-rule a,b] [-speed]
//
// N is how many cases a rule has (0: one for each kind of fault, at least 5), SEED
// chooses names, layouts and notes, BIN is a binary to use instead of building one,
// KEEP a folder in which the projects stay. -speed measures time and memory in a
// repository of 20,000 files with 10,000 notes instead.
//
// The cases were written from the list of rules and from what the client does, not
// from the rules' code.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A config is what the environment and the flags ask for.
type config struct {
	seed    uint64
	n       int
	bin     string
	dir     string // of the projects
	keep    bool
	verbose bool
	speed   bool
	rules   map[string]bool // only these; nil: all
	now     time.Time
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "evaldoctor:", err)
		os.Exit(1)
	}
}

func run() error {
	c := config{seed: 1, now: time.Now()}
	only := flag.String("rule", "", "only these rules, with commas")
	flag.BoolVar(&c.verbose, "v", false, "print the findings of missed cases")
	flag.BoolVar(&c.speed, "speed", false, "measure time and memory instead")
	home := flag.String("make", "", "only make the large project below this home folder")
	flag.Parse()
	if *only != "" {
		c.rules = map[string]bool{}
		for r := range strings.SplitSeq(*only, ",") {
			c.rules[r] = true
		}
	}
	if s := os.Getenv("SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return fmt.Errorf("SEED: %w", err)
		}
		c.seed = n
	}
	if *home != "" {
		return large(*home, c.seed, c.now)
	}
	c.n, _ = strconv.Atoi(os.Getenv("N")) // none: what each rule has
	dir, err := workFolder()
	if err != nil {
		return err
	}
	c.dir, c.keep = dir, os.Getenv("KEEP") != ""
	if !c.keep {
		defer remove(dir)
	}
	if c.bin, err = binary(dir); err != nil {
		return err
	}
	if c.speed {
		return speed(c)
	}
	return evaluate(c)
}

// workFolder is where the projects go. Others may enter it, because the cases about
// modes need a way in from outside, and a tool that runs as root hands them over.
func workFolder() (string, error) {
	if keep := os.Getenv("KEEP"); keep != "" {
		return keep, os.MkdirAll(keep, 0o755)
	}
	dir, err := os.MkdirTemp("", "evaldoctor-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755)
}

// binary puts the program where anybody may run it.
func binary(dir string) (string, error) {
	path := filepath.Join(dir, "bin", "dormouse")
	if from := os.Getenv("BIN"); from != "" {
		b, err := os.ReadFile(from)
		if err != nil {
			return "", fmt.Errorf("BIN: %w", err)
		}
		if err := put(path, b); err != nil {
			return "", err
		}
		return path, os.Chmod(path, 0o755)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, "./cmd/dormouse")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, os.Chmod(filepath.Dir(path), 0o755)
}
