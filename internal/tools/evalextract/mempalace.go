package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/internal/tools/evalkit"
	"dormouse/transcript"
)

// palace is what the rules say of MemPalace's labelled set: diary entries of an
// agent, with what they hold of decisions, preferences, facts, commitments and
// opinions. They are no prompts; an entry counts as typed by a person here.
type palace struct {
	Texts    int            `json:"texts"`
	Labelled int            `json:"labelled"`
	Found    int            `json:"found"` // candidates
	Right    int            `json:"right"` // that share most words with a label of their text
	Hit      int            `json:"hit"`   // labels with such a candidate
	ByType   map[string]int `json:"hit_by_type"`
	OfType   map[string]int `json:"labelled_by_type"`
	Missing  bool           `json:"missing,omitempty"`
}

func (p *palace) String() string {
	if p.Missing {
		return "MemPalace: the set is not there"
	}
	s := fmt.Sprintf("MemPalace: %d texts; labels found %s; candidates right %s; by type:", p.Texts, evalkit.Of(p.Hit, p.Labelled), evalkit.Of(p.Right, p.Found))
	for _, t := range []string{"decision", "preference", "fact", "commitment", "opinion"} {
		s += fmt.Sprintf(" %s %d/%d", t, p.ByType[t], p.OfType[t])
	}
	return s
}

type label struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

func memPalace(dir string) (*palace, error) {
	p := &palace{ByType: map[string]int{}, OfType: map[string]int{}}
	texts, labels := map[string]string{}, map[string][]label{}
	var order []string
	err := lines(filepath.Join(dir, "extraction", "mempalace-memory_extraction-dataset.jsonl"), func(b []byte) error {
		var v struct{ ID, Text string }
		err := json.Unmarshal(b, &v)
		texts[v.ID] = v.Text
		order = append(order, v.ID)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		p.Missing = true
		return p, nil
	}
	if err == nil {
		err = lines(filepath.Join(dir, "extraction", "mempalace-memory_extraction-labels.jsonl"), func(b []byte) error {
			var v struct {
				ID       string
				Memories []label
			}
			err := json.Unmarshal(b, &v)
			labels[v.ID] = v.Memories
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	for _, id := range order {
		p.text(texts[id], labels[id])
	}
	return p, nil
}

func (p *palace) text(text string, labels []label) {
	p.Texts++
	p.Labelled += len(labels)
	r := extract.New()
	r.Turn(&transcript.Turn{
		Session: "palace", Role: transcript.User, Line: 1, Time: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC),
		Blocks: []transcript.Block{{Kind: transcript.Text, Origin: transcript.Person, Text: text}},
	})
	found := r.End().Candidates
	p.Found += len(found)
	right := make([]bool, len(found))
	for _, l := range labels {
		p.OfType[l.Type]++
		hit := false
		for i, c := range found {
			if sharesWords(l.Content, c.Text) {
				hit, right[i] = true, true
			}
		}
		if hit {
			p.Hit++
			p.ByType[l.Type]++
		}
	}
	for _, ok := range right {
		if ok {
			p.Right++
		}
	}
}

// sharesWords tells whether half of the words that name the matter of a label stand in a
// text.
func sharesWords(label, text string) bool {
	in := strings.Join(claim.Terms(text), " ") + " "
	terms := claim.Terms(label)
	n := 0
	for _, t := range terms {
		if strings.Contains(in, t+" ") {
			n++
		}
	}
	return len(terms) > 0 && 2*n >= len(terms)
}

func lines(path string, visit func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if err := visit(s.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return s.Err()
}
