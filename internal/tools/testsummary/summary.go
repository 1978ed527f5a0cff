package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A test is the run of one test or subtest; the test named "" is its package.
type test struct {
	pkg, name string
	result    string // "pass", "fail", "skip"; "" while it runs
	output    strings.Builder
	parent    bool // it has subtests
}

type summary struct {
	out   io.Writer
	tests map[[2]string]*test
	order []*test           // as they began
	build map[string]string // output of the compiler by import path

	failed []string // names, for the end
	counts map[string]int
	skips  []string
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, tests: map[[2]string]*test{}, build: map[string]string{}, counts: map[string]int{}}
}

func (s *summary) get(pkg, name string) *test {
	key := [2]string{pkg, name}
	t := s.tests[key]
	if t == nil {
		t = &test{pkg: pkg, name: name}
		s.tests[key] = t
		s.order = append(s.order, t)
		s.markParent(pkg, name)
	}
	return t
}

// markParent finds the test that a subtest belongs to. A subtest's own name can
// hold slashes, so it is the longest beginning that is a test.
func (s *summary) markParent(pkg, name string) {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if p := s.tests[[2]string{pkg, name[:i]}]; p != nil {
			p.parent = true
			return
		}
	}
}

func (s *summary) add(e event) {
	switch e.Action {
	case "stray":
		fmt.Fprint(s.out, e.Output)
	case "build-output":
		s.build[e.ImportPath] += e.Output
	case "output":
		s.get(e.Package, e.Test).output.WriteString(e.Output)
	case "run":
		s.get(e.Package, e.Test)
	case "pass", "fail", "skip":
		s.get(e.Package, e.Test).result = e.Action
		if e.Test == "" {
			s.finishPackage(e)
		}
	}
}

// finishPackage prints a package's line and what failed in it, so that a run
// that is stopped half-way has shown what it knew, and forgets its tests.
func (s *summary) finishPackage(e event) {
	var mine []*test
	for _, t := range s.order {
		if t.pkg == e.Package {
			mine = append(mine, t)
			delete(s.tests, [2]string{t.pkg, t.name})
		}
	}
	s.order = slices.DeleteFunc(s.order, func(t *test) bool { return t.pkg == e.Package })
	if e.Action == "skip" {
		return // a package without tests
	}
	failures := s.count(mine, e)
	if len(failures) == 0 {
		fmt.Fprintf(s.out, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
		return
	}
	fmt.Fprintf(s.out, "FAIL  %s  %.1fs\n", e.Package, e.Elapsed)
	if e.FailedBuild != "" {
		fmt.Fprint(s.out, indent(s.build[e.FailedBuild]))
	}
	for _, t := range failures {
		if t.name != "" || len(failures) == 1 {
			s.failed = append(s.failed, strings.TrimSpace(t.pkg+" "+t.name))
		}
		if t.name != "" {
			fmt.Fprintf(s.out, "  --- FAIL: %s\n", t.name)
		}
		fmt.Fprint(s.out, indent(t.output.String()))
	}
}

// count adds a package's tests to the counts and returns those that failed. Only
// leaves count: a test with subtests is their sum, unless it failed by itself. A
// package counts only if it failed and no test in it did (it does not build, or
// a race or a panic came between two tests).
func (s *summary) count(tests []*test, e event) []*test {
	var failures []*test
	var whole *test
	for _, t := range tests {
		switch {
		case t.name == "":
			whole = t
			continue
		case t.result == "":
			t.result = "fail" // its process died under it
		}
		if t.parent && (t.result != "fail" || childFailed(t, tests)) {
			continue
		}
		s.counts[t.result]++
		switch t.result {
		case "fail":
			failures = append(failures, t)
		case "skip":
			s.skips = append(s.skips, fmt.Sprintf("%s %s: %s", t.pkg, t.name, reason(t.output.String())))
		}
	}
	if e.Action != "fail" {
		return failures
	}
	if len(failures) == 0 {
		s.counts["fail"]++
	}
	// The package's own output has the seed of the order and what a dying
	// process said.
	return append(failures, whole)
}

func childFailed(t *test, tests []*test) bool {
	return slices.ContainsFunc(tests, func(c *test) bool {
		return strings.HasPrefix(c.name, t.name+"/") && c.result != "pass" && c.result != "skip"
	})
}

// finish prints the end and reports whether all is well.
func (s *summary) finish(notes []string) bool {
	unfinished := map[string]bool{}
	for _, t := range s.order {
		unfinished[t.pkg] = true
	}
	for _, pkg := range slices.Sorted(maps.Keys(unfinished)) {
		s.add(event{Action: "fail", Package: pkg}) // go test itself was stopped
	}
	s.list("failed:", s.failed)
	slices.Sort(s.skips)
	s.list("skipped, and why:", append(s.skips, notes...))
	if s.counts["pass"]+s.counts["fail"] == 0 {
		fmt.Fprintln(s.out, "\nno test ran: is this the output of go test -json?")
	}
	fmt.Fprintf(s.out, "\n%d passed, %d failed, %d skipped\n", s.counts["pass"], s.counts["fail"], s.counts["skip"])
	return s.counts["fail"] == 0 && s.counts["pass"] > 0
}

func (s *summary) list(head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(s.out, "\n%s\n", head)
	for _, l := range lines {
		fmt.Fprintf(s.out, "  %s\n", l)
	}
}

// reason is what a test said when it skipped, without the frame that the
// testing package puts around it.
func reason(output string) string {
	frame := regexp.MustCompile(`^\s*(=== |--- SKIP)`)
	position := regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: `)
	var said []string
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, "\n"); !frame.MatchString(line) {
			said = append(said, strings.TrimSpace(position.ReplaceAllString(line, "")))
		}
	}
	if len(said) == 0 {
		return "(no reason given)"
	}
	return strings.Join(said, " ")
}

func indent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("      " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}
