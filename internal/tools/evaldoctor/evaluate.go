package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"dormouse/doctor"
)

// A finding is what of a finding of the doctor counts here.
type finding struct {
	Rule     string           `json:"rule"`
	Severity string           `json:"severity"`
	Message  string           `json:"message"`
	Place    doctor.Place     `json:"place"`
	Related  []doctor.Related `json:"related"`
	Evidence []string         `json:"evidence"`
}

// A job is one case: a kind of fault in one project.
type job struct {
	rule    string
	variant variant
	kind    string
	number  int
}

func (j job) String() string {
	return fmt.Sprintf("%s / %s (%s, %d)", j.rule, j.variant.name, j.kind, j.number)
}

// An outcome is what the doctor said of a case and of its twin.
type outcome struct {
	job
	err      error
	found    bool
	label    label
	findings []finding // with the fault, when it was missed
	false    []finding // on the clean twin
}

// jobs are the cases of a run, in the order of the rules.
func jobs(c config) []job {
	var out []job
	all := faults()
	for i, r := range doctor.Rules() {
		variants := all[r.ID]
		if len(variants) == 0 || c.rules != nil && !c.rules[r.ID] {
			continue
		}
		n := c.n
		if n <= 0 {
			n = max(5, len(variants))
		}
		for j := range n {
			// In a second round the same kind of fault meets another kind of project.
			v := variants[j%len(variants)]
			kind := kindNames[(i+j+j/len(variants)*(1+len(variants)))%len(kindNames)]
			if v.kind != "" {
				kind = v.kind
			}
			out = append(out, job{r.ID, v, kind, seedOf(r.ID)*1000 + j})
		}
	}
	return out
}

// seedOf is a number of a rule that stays when other rules come and go.
func seedOf(rule string) int {
	h := fnv.New32a()
	h.Write([]byte(rule))
	return int(h.Sum32() % 100000)
}

func evaluate(c config) error {
	js := jobs(c)
	outcomes := make([]outcome, len(js))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, j := range js {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer wg.Done()
			outcomes[i] = c.try(j)
			<-slots
		}()
	}
	wg.Wait()
	return report(c, outcomes)
}

// try runs a case and its twin.
func (c config) try(j job) outcome {
	o := outcome{job: j}
	_, clean, err := c.build(j, false)
	if err != nil {
		o.err = fmt.Errorf("the clean twin: %w", err)
		return o
	}
	o.false = clean
	l, got, err := c.build(j, true)
	if err != nil {
		o.err = err
		return o
	}
	o.label = l
	for _, f := range got {
		o.found = o.found || (f.Rule == j.rule || f.Rule == j.variant.also) && l.names(f)
	}
	o.findings = got
	return o
}

// build makes a world, and runs the doctor in it.
func (c config) build(j job, faulty bool) (label, []finding, error) {
	name := fmt.Sprintf("%s-%d-clean", j.rule, j.number%1000)
	if faulty {
		name = strings.Replace(name, "-clean", "-fault", 1)
	}
	dir := filepath.Join(c.dir, name)
	remove(dir) // of an earlier run with KEEP
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return label{}, nil, err
	}
	if !c.keep {
		defer remove(dir)
	}
	w := newWorld(dir, j.kind, c.seed, uint64(j.number), c.now, faulty)
	l := j.variant.make(w)
	if err := w.write(); err != nil {
		return l, nil, err
	}
	start := w.proj
	if w.start != "" {
		start = w.start
	}
	found, err := c.doctor(w.home, start)
	return l.located(), found, err
}

// remove takes a tree away in which some folders can't be entered.
func remove(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir) // the whole work folder goes at the end
}

// doctor runs the program as somebody without privileges.
func (c config) doctor(home, project string) ([]finding, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.bin, "doctor", "--json", "--project", project)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	asNobody(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, fmt.Errorf("doctor: %w: %s", err, stderr.String())
	}
	var r struct{ Findings []finding }
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return nil, fmt.Errorf("doctor: %w: %s%s", err, stdout.String(), stderr.String())
	}
	return r.Findings, nil
}

// located is the label with its lines looked up in the files.
func (l label) located() label {
	if l.text != "" {
		l.line = lineOf(l.path, l.text)
	}
	l.path = real(l.path)
	where := make([]label, len(l.where))
	for i, o := range l.where {
		where[i] = o.located()
	}
	l.where = where
	return l
}

func real(path string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path)) // the last part can be the link that it is about
	}
	return path
}

func lineOf(path, text string) int {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	i := bytes.Index(b, []byte(strings.TrimPrefix(text, "\n")))
	if i < 0 {
		return 0
	}
	lead := text[:len(text)-len(strings.TrimLeft(text, "\n"))]
	rest := strings.TrimLeft(text, "\n")
	if j := strings.LastIndexByte(strings.TrimRight(rest, "\n"), '\n'); j >= 0 && lead != "" {
		i += j // under a heading of its own: the last line counts
		return bytes.Count(b[:i], []byte("\n")) + 2
	}
	return bytes.Count(b[:i], []byte("\n")) + 1
}

// names reports whether a finding names the place of the fault.
func (l label) names(f finding) bool {
	for _, p := range append([]label{l}, l.where...) {
		if p.is(f.Place) {
			return true
		}
		for _, r := range f.Related {
			if p.is(r.Place) {
				return true
			}
		}
	}
	return false
}

func (l label) is(p doctor.Place) bool {
	got := real(p.Path)
	if l.line > 0 {
		return got == l.path && p.Line >= l.line-1 && p.Line <= l.line+1
	}
	return got == l.path || strings.HasPrefix(got, l.path+"/")
}

func (l label) String() string {
	s := l.path
	if l.line > 0 {
		s += fmt.Sprintf(":%d", l.line)
	}
	return s
}
