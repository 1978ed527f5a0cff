// Command evaldream measures package dream on generated memory folders: entities
// with slots whose values are set, change, come back and expire, told in several
// wordings in English and Ukrainian, with copies, contradictions, complements, dead
// references, relative dates, poison and secrets among them, and the truth about
// each fact beside. Five other ways to tidy a folder are measured with the same
// ruler. The table has n and 95 % Wilson intervals, the last line is one JSON object
// with the same figures.
//
//	SEED=1 N=24 go run ./internal/tools/evaldream
//
// N is the number of worlds, every other one Ukrainian; every eighth has more notes
// than an index has room for. Half of the wordings are those that rules may be
// written on (HALF=build), the rest is held out (HALF=held, the default). With V=1
// it takes the first half, and prints the first 20 failures of each row of our
// engines with their texts; ENGINES names the
// engines, parted by commas, KIND one engine to be taken apart by kind and language.
//
// With -speed it measures time and memory instead.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/dream"
	"dormouse/evidence"
	"dormouse/internal/tools/evalkit"
	"dormouse/scan/secrets"
	"dormouse/trust"
)

func main() {
	fast := flag.Bool("speed", false, "measure time and memory")
	make := flag.Int("make", 0, "write a folder of so many notes to the folder that is named (of -speed)")
	sessions := flag.Int("sessions", 0, "and so many sessions (of -make)")
	part := flag.Bool("part", false, "dream on the folder that is named, in a process of its own (of -speed)")
	flag.Parse()
	err := error(nil)
	switch {
	case *make > 0:
		err = makeHuge(flag.Arg(0), *make, *sessions)
	case *part:
		err = dreamHuge(flag.Arg(0))
	case *fast:
		err = speed()
	default:
		err = evaluate()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "evaldream:", err)
		os.Exit(1)
	}
}

func evaluate() error {
	seed, err := evalkit.Number("SEED", 1)
	if err != nil {
		return err
	}
	n, err := evalkit.Number("N", 24)
	if err != nil {
		return err
	}
	h := held
	if s := os.Getenv("HALF"); s != "" {
		h = half(s)
	} else if os.Getenv("V") != "" {
		h = build
	}
	if h != held && h != build {
		return fmt.Errorf("HALF=%q is neither build nor held", h)
	}
	which, detail, most := engines, engineRules, 0
	if s := os.Getenv("ENGINES"); s != "" {
		which = strings.Split(s, ",")
		detail = which[len(which)-1]
	}
	if s := os.Getenv("KIND"); s != "" {
		detail = s
	}
	for _, e := range append(slices.Clone(which), detail) {
		if !slices.Contains(engines, e) {
			return fmt.Errorf("%q is none of the engines %q", e, engines)
		}
	}
	if os.Getenv("V") != "" {
		if most = 20; h == held {
			return errors.New("with V texts are shown, and those of HALF=held are not to be seen by whoever writes rules: take HALF=build")
		}
	}
	dir, err := os.MkdirTemp("", "evaldream")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what a folder for temporary files keeps, the system clears away
	begun := time.Now()
	t, size, err := worlds(dir, seed, n, h, which, most)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %d worlds, half %s: %d notes, %d facts, %d relations; the model was asked %d times, %d of them hostile; %.1f s\n\n",
		seed, n, h, size.Notes, size.Facts, size.Relations, size.Asked, size.Hostile, time.Since(begun).Seconds())
	t.print(os.Stdout, which, detail)
	t.printFailures(os.Stdout, []string{engineRules, engineModel})
	return json.NewEncoder(os.Stdout).Encode(struct {
		Seed  uint64 `json:"seed"`
		N     uint64 `json:"n"`
		Half  half   `json:"half"`
		sizes `json:"sizes"`
		Rows  []entry `json:"rows"`
	}{seed, n, h, *size, t.entries()})
}

// worlds measures n worlds, as many at once as there are processors, and adds up what
// they gave in their order.
func worlds(dir string, seed, n uint64, h half, which []string, most int) (*table, *sizes, error) {
	tables, all, errs := make([]*table, n), make([]sizes, n), make([]error, n)
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		tables[i] = newTable(most)
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			if err := world1(tables[i], &all[i], dir, seed, i, h, which); err != nil {
				errs[i] = fmt.Errorf("world %d: %w", i, err)
			}
		})
	}
	wait.Wait()
	t, size := newTable(most), &sizes{}
	for i := range n {
		t.merge(tables[i])
		size.Notes += all[i].Notes
		size.Facts += all[i].Facts
		size.Relations += all[i].Relations
		size.Asked += all[i].Asked
		size.Hostile += all[i].Hostile
	}
	return t, size, errors.Join(errs...)
}

// sizes are what the worlds held.
type sizes struct {
	Notes     int `json:"notes"`
	Facts     int `json:"facts"`
	Relations int `json:"relations"`
	Asked     int `json:"asked"`
	Hostile   int `json:"hostile"`
}

// world1 makes one world and measures the engines on it.
func world1(t *table, size *sizes, dir string, seed, i uint64, h half, which []string) error {
	w, err := newWorld(seed, i, []string{"en", "uk"}[i%2], h, i%8 >= 6)
	if err != nil {
		return err
	}
	size.Notes, size.Facts, size.Relations = len(w.notes), len(w.Facts), len(w.Relations)
	proj := filepath.Join(dir, fmt.Sprint(i))
	if err := w.tree.write(proj); err != nil {
		return err
	}
	look, err := looker(proj)
	if err != nil {
		return err
	}
	r := &run{guard: trust.NewGuard(trust.Policy{}), finder: secrets.New(), answers: &strings.Builder{}}
	r.look = func(ctx context.Context, texts []evidence.Text) (*evidence.Checked, error) {
		c, err := look(ctx, texts)
		if err == nil {
			for _, f := range c.Findings {
				r.answers.WriteString(f.Why + " " + f.Now + " " + f.Stamp + "\n")
			}
		}
		return c, err
	}
	for _, engine := range which {
		c := &checker{table: t, w: w, r: r, engine: engine}
		if c.o, err = w.tidy(engine, r, size); engine == engineRules || engine == engineModel {
			c.done("the first", err)
			if err != nil { // then the folder stays as it was
				c.o = w.noop()
			}
		}
		c.all()
		if engine == engineRules && err == nil {
			c.repeat()
			c.shuffled(seed + i)
		}
	}
	return nil
}

// tidy lets one engine tidy a world.
func (w *world) tidy(engine string, r *run, size *sizes) (*output, error) {
	switch engine {
	case engineNoop:
		return w.noop(), nil
	case engineHash:
		return w.exactHash(), nil
	case engineMinHash:
		return w.minHash(), nil
	case engineNaive:
		return w.naive(), nil
	}
	var j dream.Judge
	if engine == engineModel {
		o := newOracle(w)
		defer func() { size.Asked, size.Hostile = size.Asked+o.asked, size.Hostile+o.hostile }()
		j = o
	}
	return r.dream(r.input(w, w.notes, w.lists, true), j)
}
