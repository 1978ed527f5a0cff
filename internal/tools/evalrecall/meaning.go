package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"dormouse/model"
	"dormouse/model/remote"
	"dormouse/recall"
	"dormouse/recall/embed"
)

// meantFrom is how many hits are compared by meaning, as recall/find has it.
const meantFrom = 50

// meaning prints the figures with and without the embedder that EMBED names: a
// path, or openai:NAME@URL. Nothing is printed where none is named.
func meaning(w io.Writer, name string, lo, be []conversation) error {
	if name == "" {
		fmt.Fprintln(w, "\nEmbedder: none named (EMBED=path, or EMBED=openai:NAME@URL)")
		return nil
	}
	m, err := embedder(name)
	if err != nil {
		return err
	}
	for _, set := range []struct {
		title string
		of    []conversation
	}{{"LoCoMo, turns", lo}, {"BEAM 100K, messages", be}} {
		fmt.Fprintf(w, "\n%s, with the embedder %s; the number is its weight beside words\n", set.title, name)
		head(w)
		if err := meantTable(w, m, set.of); err != nil {
			return err
		}
	}
	return nil
}

func embedder(name string) (embed.Model, error) {
	if strings.HasPrefix(name, "openai:") {
		e, err := model.OpenEmbedder(model.Config{Spec: name, Getenv: os.Getenv, Embed: remote.Embed})
		if err != nil {
			return nil, err
		}
		return embed.Server{Name: e.Name(), Ask: e.Embed}, nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return embed.Open(path)
}

func weights() []float64 { return []float64{0, 0.1, 0.3, 1, 3} }

// meantTable asks for the meanings of each question's hits once, and orders them by
// each weight.
func meantTable(w io.Writer, m embed.Model, set []conversation) error {
	folder, err := os.MkdirTemp("", "evalrecall")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	by := map[string]map[float64]*figures{}
	for _, split := range []string{"all", "dev", "test"} {
		by[split] = map[float64]*figures{}
		for _, weight := range weights() {
			by[split][weight] = &figures{}
		}
	}
	for _, c := range set {
		split := "test"
		if c.dev {
			split = "dev"
		}
		r, parts, texts := &embed.Ranker{Model: m, Dir: folder}, index(c.docs), map[string]string{}
		for _, d := range c.docs {
			texts[d.ID] = d.Body
		}
		if err := warm(r, c); err != nil {
			return err
		}
		for _, q := range c.questions {
			hits := recall.Search(recall.Query{Text: q.text, Limit: meantFrom}, parts)
			said := make([]string, len(hits))
			for i, h := range hits {
				said[i] = texts[h.ID]
			}
			near, _, err := r.Near(context.Background(), q.text, said)
			if err != nil {
				return err
			}
			for _, weight := range weights() {
				var ids []string
				order, _ := embed.Fuse(near, weight)
				for _, i := range order {
					ids = append(ids, hits[i].ID)
				}
				by["all"][weight].add(ids, q.gold)
				by[split][weight].add(ids, q.gold)
			}
		}
	}
	for _, split := range []string{"all", "dev", "test"} {
		for _, weight := range weights() {
			by[split][weight].row(w, fmt.Sprintf("%s: weight %g", split, weight))
		}
	}
	return nil
}

// warm makes the vectors of a whole conversation at once: a file of words is read
// through at each look.
func warm(r *embed.Ranker, c conversation) error {
	var all []string
	for _, d := range c.docs {
		all = append(all, d.Body)
	}
	for _, q := range c.questions {
		all = append(all, q.text)
	}
	_, _, err := r.Near(context.Background(), "", all)
	return err
}
