package markdown_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/instructions"
	"dormouse/instructions/markdown"
)

// peerResult is what testdata/peer/peer.mjs prints for a document.
type peerResult struct {
	Texts    []string `json:"texts"`
	HTML     [][2]any `json:"html"`
	Paths    []string `json:"paths"`
	Stripped string   `json:"stripped"`
}

// askPeer runs the peer over the documents, or skips the test.
func askPeer(t *testing.T, docs []string) []peerResult {
	t.Helper()
	folder := os.Getenv("MARKED_PEER")
	if folder == "" {
		t.Skip("not compared with marked: set MARKED_PEER to a copy of testdata/peer in which `npm install` was run")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/marked")); err != nil {
		t.Skipf("not compared with marked: MARKED_PEER has no package: %v", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skipf("not compared with marked: %v", err)
	}
	in, err := json.Marshal(docs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/peer/peer.mjs")
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("running the peer: %v", err)
	}
	var results []peerResult
	sc := bufio.NewScanner(bytes.NewReader(out))
	sc.Buffer(nil, len(out)+1)
	for sc.Scan() {
		var r peerResult
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if len(results) != len(docs) {
		t.Fatalf("the peer answered %d of %d documents", len(results), len(docs))
	}
	return results
}

// lexed is what this package makes of a document, in the peer's form.
func lexed(text string) peerResult {
	doc := markdown.Lex(text)
	r := peerResult{Texts: []string{}, HTML: [][2]any{}, Paths: []string{}, Stripped: instructions.StripComments(text)}
	for _, x := range doc.Texts {
		r.Texts = append(r.Texts, x.Value)
	}
	for _, h := range doc.HTML {
		r.HTML = append(r.HTML, [2]any{h.Value, h.Top})
	}
	for _, i := range instructions.ScanImports(text) {
		if i.Verdict == instructions.Imports {
			r.Paths = append(r.Paths, i.Path)
		}
	}
	return r
}

// named tells whether a document shows a difference that the package's doc names.
func named(doc string) bool {
	return strings.Contains(doc, `\😀`) || strings.Contains(doc, "\u2028 ") || strings.Contains(doc, "\u2028\t")
}

// differ compares the two, in order. A path counts where it is first.
func differ(got, want peerResult) string {
	got.Paths, want.Paths = firsts(got.Paths), firsts(want.Paths)
	// marked makes a line feed of a single blank at the very end of a text; the
	// client trims anyway.
	trimmed := cmp.Comparer(func(a, b string) bool { return markdown.Trim(a) == markdown.Trim(b) })
	return cmp.Diff(want, got, trimmed)
}

func firsts(s []string) []string {
	out := []string{}
	for _, x := range s {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func TestGeneratedDocumentsLexAsInMarked(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 2000
	}
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	docs := make([]string, n)
	for i := range docs {
		docs[i] = document(seed*uint64(n) + uint64(i))
	}
	wrong := 0
	for i, want := range askPeer(t, docs) {
		if named(docs[i]) {
			continue
		}
		if d := differ(lexed(docs[i]), want); d != "" {
			if wrong++; wrong <= 5 {
				t.Errorf("document %d %q differs (-marked +here):\n%s", i, docs[i], d)
			}
		}
	}
	t.Logf("%d of %d generated documents differ", wrong, n)
}
