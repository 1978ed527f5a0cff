package find

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/recall"
	"dormouse/recall/embed"
)

// meant is an embedder to which texts that hold its word are like the question,
// and all others the opposite. It keeps what it was sent.
type meant struct {
	word string
	sent []string
	err  error
}

func (m *meant) ID() string { return "meant " + m.word }

func (m *meant) Embed(_ context.Context, texts []string) ([][]float32, error) {
	m.sent = append(m.sent, texts...)
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{-1}
		if strings.Contains(t, m.word) || strings.HasPrefix(t, "which port") {
			out[i] = []float32{1}
		}
	}
	return out, m.err
}

func (w *world) meaning(m *meant, weight float64) *Answer {
	w.t.Helper()
	f := w.finder(w.state)
	f.conf.Embed = &embed.Ranker{Model: m, Dir: filepath.Join(w.state, cacheName, "vectors"), Weight: weight}
	a, err := f.Find(w.t.Context(), Question{Query: recall.Query{Text: "which port does the database listen on"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

func portWorld(t testing.TB) *world {
	w := newWorld(t)
	w.note("one.md", "project", "port of the database", "The database listens on port 5432.")
	w.note("two.md", "project", "the port", "A database of staging: port 5433.")
	w.note("three.md", "project", "doors", "In the harbour there is a port.")
	return w
}

func rels(a *Answer) (list []string) {
	for _, h := range a.Hits {
		list = append(list, h.Rel)
	}
	return list
}

func TestAnEmbedderReordersWhatWasFoundByWords(t *testing.T) {
	w := portWorld(t)
	plain := w.ask(Question{Query: recall.Query{Text: "which port does the database listen on"}})
	equal(t, rels(plain), []string{"one.md", "two.md", "three.md"})
	a := w.meaning(&meant{word: "harbour"}, 10)
	equal(t, rels(a), []string{"three.md", "one.md", "two.md"})
	if !slices.Contains(a.Hits[0].Why, WhyMeant) || slices.Contains(a.Hits[1].Why, WhyMeant) {
		t.Errorf("why: %v and %v", a.Hits[0].Why, a.Hits[1].Why)
	}
	equal(t, rels(w.meaning(&meant{word: "harbour"}, 0)), rels(plain))
}

func TestWhatChangedIsComparedAnewAndTheRestIsNot(t *testing.T) {
	w := portWorld(t)
	m := &meant{word: "harbour"}
	w.meaning(m, 10)
	m.sent = nil
	w.meaning(m, 10)
	if len(m.sent) > 0 {
		t.Errorf("asked again for %q", m.sent)
	}
	w.note("three.md", "project", "doors", "There is a port, and no more.")
	w.note("two.md", "project", "the port", "A database of the harbour: port 5433.")
	equal(t, rels(w.meaning(m, 10))[:1], []string{"two.md"})
	if len(m.sent) != 2 {
		t.Errorf("two notes changed, and it was sent %q", m.sent)
	}
}

func TestAnEmbedderThatFailsLeavesTheAnswerByWords(t *testing.T) {
	w := portWorld(t)
	a := w.meaning(&meant{err: errors.New("no connection")}, 10)
	equal(t, rels(a), []string{"one.md", "two.md", "three.md"})
	if len(a.Problems) != 1 || !strings.Contains(a.Problems[0].Error(), "no connection") {
		t.Errorf("problems %v", a.Problems)
	}
}

func TestAnEmbedderIsSentNoSecret(t *testing.T) {
	w := portWorld(t)
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	w.note("four.md", "project", "port", "The port of the database; token "+secret)
	m := &meant{word: "harbour"}
	w.meaning(m, 1)
	if len(m.sent) < 4 || strings.Contains(strings.Join(m.sent, "\n"), secret) {
		t.Errorf("sent %q", m.sent)
	}
}

func TestVectorsGoWithAPurge(t *testing.T) {
	w := portWorld(t)
	w.meaning(&meant{word: "harbour"}, 1)
	dir := filepath.Join(w.state, cacheName, "vectors")
	if n, err := os.ReadDir(dir); err != nil || len(n) != 2 {
		t.Fatal(n, err)
	}
	if _, err := Purge(w.state); err != nil {
		t.Fatal(err)
	}
	if n, err := os.ReadDir(dir); err != nil || len(n) != 1 { // the lock
		t.Error(n, err)
	}
}
