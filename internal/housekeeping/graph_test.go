package housekeeping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// module is this module's path; its packages are named below without it.
const module = "dormouse"

// root is the module's folder, from this package's.
const root = "../.."

// systems are looked at one by one: a file for Windows can import what no other
// file does.
func systems() []string { return []string{"linux", "darwin", "windows"} }

// A pkg is what `go list` says of one package.
type pkg struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
}

// graph holds packages by import path.
type graph map[string]pkg

// list runs `go list -deps` for the patterns as if on the system goos.
func list(t *testing.T, goos string, patterns ...string) graph {
	t.Helper()
	args := append([]string{"list", "-deps", "-json=ImportPath,Dir,Standard,Imports"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	g := graph{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return g
		}
		if err != nil {
			t.Fatalf("reading the answer of go list: %v", err)
		}
		g[p.ImportPath] = p
	}
}

// ours returns the import paths of this module's packages, sorted.
func (g graph) ours() []string {
	var paths []string
	for path := range g {
		if within(path, module) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// chain returns a shortest way of imports from one package to another, both
// included, for a message that says whose import it is; nil if there is none.
func (g graph) chain(from, to string) []string {
	before := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			var way []string
			for p := to; p != ""; p = before[p] {
				way = append(way, p)
			}
			slices.Reverse(way)
			return way
		}
		for _, next := range g[queue[0]].Imports {
			if _, seen := before[next]; !seen {
				before[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// within reports whether path is the package or module parent or lies below it.
func within(path, parent string) bool {
	return path == parent || strings.HasPrefix(path, parent+"/")
}

// sketch makes a graph from lines "package: import import".
func sketch(t *testing.T, text string) graph {
	t.Helper()
	g := graph{}
	for line := range strings.Lines(text) {
		name, imports, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			t.Fatalf("no colon in %q", line)
		}
		g[name] = pkg{ImportPath: name, Imports: strings.Fields(imports)}
	}
	return g
}

func TestChainIsAShortestWay(t *testing.T) {
	t.Parallel()
	g := sketch(t, "a: b c\nb: c\nc: d\nd:")
	if got, want := fmt.Sprint(g.chain("a", "d")), "[a c d]"; got != want {
		t.Errorf("chain = %s, want %s", got, want)
	}
	if got := g.chain("d", "a"); got != nil {
		t.Errorf("chain against the arrows = %v, want none", got)
	}
}
