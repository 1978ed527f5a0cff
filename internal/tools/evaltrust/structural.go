package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"dormouse/testkit/trustpaths"
	"dormouse/trust"
)

// A wayResult is what one way in did with every poisoned text.
type wayResult struct {
	Way     string `json:"way"`
	Policy  string `json:"policy"`
	N       int    `json:"n"`
	Refused int    `json:"refused"` // the write itself was refused: as good as not reaching
	Reached share  `json:"reached"`
}

func (r wayResult) String() string {
	return fmt.Sprintf("%-60s %-12s n=%-4d reached %s  refused %d", r.Way, r.Policy, r.N, r.Reached.of(r.N), r.Refused)
}

// policies are the two that count: as a person has it who set nothing, and with
// nobody reading the text.
func policies() map[string]trust.Policy {
	return map[string]trust.Policy{"default": {}, "scanner off": {NoScan: true}}
}

// structural brings every poisoned text in on every path, in a folder of its own,
// and counts those that a session would be told of. What a model copies out of
// what it reads comes in as the text of a low writer. n bounds the texts, chosen
// by seed; 0 is all.
func structural(sets []set, n int, seed uint64) ([]wayResult, error) {
	var texts []string
	seen := map[string]bool{}
	for _, s := range sets {
		for _, t := range s.texts {
			if s.poison && !seen[t] && strings.TrimSpace(t) != "" {
				seen[t] = true
				texts = append(texts, t)
			}
		}
	}
	rand.New(rand.NewPCG(seed, seed)).Shuffle(len(texts), func(i, k int) { texts[i], texts[k] = texts[k], texts[i] })
	if n > 0 {
		texts = texts[:min(n, len(texts))]
	}
	var out []wayResult
	for _, path := range trustpaths.All() {
		for name, policy := range policies() {
			r, err := way(path, policy, texts)
			if err != nil {
				return out, fmt.Errorf("%s: %w", path.Name, err)
			}
			r.Policy = name
			out = append(out, r)
		}
	}
	return out, nil
}

func way(path trustpaths.Path, policy trust.Policy, texts []string) (wayResult, error) {
	r := wayResult{Way: path.Name, N: len(texts)}
	reached := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	work := make(chan string)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for text := range work {
				index, refused, err := toldOnce(path, policy, text)
				mu.Lock()
				failed = firstOf(failed, err)
				r.Refused += one(refused != nil)
				if refused == nil && trustpaths.Reaches(index, text) {
					reached++
					fmt.Fprintf(os.Stderr, "%s: reached: %.200q\n", path.Name, text)
				}
				mu.Unlock()
			}
		})
	}
	for _, t := range texts {
		work <- t
	}
	close(work)
	wg.Wait()
	r.Reached = wilson(reached, len(texts))
	return r, failed
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func toldOnce(path trustpaths.Path, policy trust.Policy, text string) (string, error, error) {
	root, err := os.MkdirTemp("", "evaltrust-")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(root) //nolint:errcheck // a temporary folder
	return trustpaths.Told(filepath.Join(root, "place"), policy, path, text)
}
