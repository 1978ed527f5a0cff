package yaml

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAgainstBun holds the reader against the YAML reader that the client has.
// YAML_PEER names a folder with the npm package bun; SEED and N vary the texts.
func TestAgainstBun(t *testing.T) {
	dir := os.Getenv("YAML_PEER")
	if dir == "" {
		t.Skip("YAML_PEER is not set: install the npm package bun in a folder and name it there to compare")
	}
	texts := generated(envInt("SEED", 1), envInt("N", 20_000))
	answers := askBun(t, dir, texts)
	valid, bad, odd := 0, 0, 0
	for i, text := range texts {
		var a struct {
			OK    json.RawMessage `json:"ok"`
			Cycle bool            `json:"cycle"`
			Error string          `json:"error"`
		}
		if err := json.Unmarshal(answers[i], &a); err != nil {
			t.Fatal(err)
		}
		if a.Cycle {
			continue
		}
		n, err := Parse(text)
		var got, want any = "ERROR", "ERROR"
		if a.Error == "" {
			valid++
			if err := json.Unmarshal(a.OK, &want); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil {
			got = plain(n)
		} else if isDocuments(err) {
			_, list := want.([]any)
			if list {
				continue
			}
		}
		if oddities(text) || strings.Contains(string(a.OK), `"[object Object]`) {
			odd++
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			if bad++; bad <= 25 {
				t.Logf("%q\n(-bun +ours; ours: %v, bun: %s)\n%s", text, err, a.Error, d)
			}
		}
	}
	// What is left are texts like "a: |1 -" and "!<x]>".
	if bad*20_000 > len(texts) {
		t.Errorf("more than 1 text in 20,000 is read differently")
	}
	t.Logf("%d texts, %d valid for bun, %d left out as known oddities, %d read differently", len(texts), valid, odd, bad)
}

// oddities reports whether a text is of a kind where Bun departs from YAML in a
// way that nobody writes in front matter, so that this reader does not follow: keys
// written with a question mark or made of a list or map, and a block that is one
// literal text with tabs.
func oddities(text string) bool {
	text = strings.ReplaceAll(text, "\r", "\n")
	if r := strings.TrimLeft(text, "\n"); r != "" && strings.Contains("|>&!#", r[:1]) && strings.Contains(text, "\n\t") {
		return true
	}
	for line := range strings.SplitSeq(text, "\n") {
		t := strings.TrimLeft(line, "- \t")
		if t == "?" || strings.HasPrefix(t, "? ") || strings.HasPrefix(t, "?\t") {
			return true
		}
	}
	return false
}

func isDocuments(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Msg == ErrDocuments
}

func envInt(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

func askBun(t *testing.T, dir string, texts []string) [][]byte {
	t.Helper()
	script, err := filepath.Abs("testdata/peer/yaml.mjs")
	if err != nil {
		t.Fatal(err)
	}
	var in, out bytes.Buffer
	for _, s := range texts {
		b, _ := json.Marshal(s)
		in.Write(append(b, '\n'))
	}
	cmd := exec.Command(filepath.Join(dir, "node_modules", ".bin", "bun"), script)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	var answers [][]byte
	sc := bufio.NewScanner(&out)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		answers = append(answers, bytes.Clone(sc.Bytes()))
	}
	if len(answers) != len(texts) {
		t.Fatalf("%d answers to %d texts", len(answers), len(texts))
	}
	return answers
}

// plain is a node as encoding/json would decode it, merge keys applied.
func plain(n *Node) any {
	switch n.Kind {
	case Bool:
		return n.Text[0] == 't' || n.Text[0] == 'T'
	case Number:
		return map[string]any{"number": true}
	case String:
		return n.Text
	case List:
		list := []any{}
		for _, i := range n.Items {
			list = append(list, plain(i))
		}
		return list
	case Map:
		m := map[string]any{}
		for _, p := range n.Properties() {
			m[p.Key] = plain(p.Value)
		}
		return m
	}
	return nil
}

func newRand(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 7)) }

func generated(seed, n int) []string {
	r := &rnd{newRand(seed)}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = r.text()
	}
	return texts
}
