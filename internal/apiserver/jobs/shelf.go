package jobs

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/claim"
	"dormouse/dream"
	"dormouse/extract"
	"dormouse/internal/apiserver/db"
	"dormouse/note"
	"dormouse/scan/secrets"
	"dormouse/store"
	"dormouse/trust"
)

// shelf is what the output store holds, as notes. A memory's path is that of its note
// but for the slash in front, and for an ending .md that notes have.
type shelf struct {
	heads  []db.Head
	rel    map[string]string // of a path
	path   map[string]string // of a note
	index  bool              // there is a MEMORY.md
	matter bool              // some memory has front matter
	finder *secrets.Finder
	mu     sync.Mutex // of the finder: a dream asks from several goroutines
}

func newShelf(heads []db.Head) *shelf {
	s := &shelf{heads: heads, rel: map[string]string{}, path: map[string]string{}, finder: secrets.New()}
	for i := range heads {
		if p := heads[i].Path; strings.HasSuffix(p, ".md") {
			s.name(p, p[1:])
		}
	}
	for i := range heads {
		if p := heads[i].Path; !strings.HasSuffix(p, ".md") {
			rel := p[1:] + ".md"
			for n := 2; s.path[rel] != ""; n++ {
				rel = fmt.Sprintf("%s-%d.md", p[1:], n)
			}
			s.name(p, rel)
		}
		s.matter = s.matter || strings.HasPrefix(heads[i].Content, "---\n")
	}
	s.index = s.path[store.IndexName] == "/"+store.IndexName
	return s
}

func (s *shelf) name(path, rel string) { s.rel[path], s.path[rel] = rel, path }

// pathOf is where a note of the result is.
func (s *shelf) pathOf(rel string) string {
	if p, ok := s.path[rel]; ok {
		return p
	}
	return "/" + rel
}

// known are the memories as something that sessions may say again.
func (s *shelf) known() []claim.Source {
	var out []claim.Source
	for i := range s.heads {
		out = append(out, claim.Source{Name: s.heads[i].Path, Text: s.heads[i].Content})
	}
	return out
}

// input is what is dreamt on. All that a store of the API holds is mounted for agents,
// so nothing is held back here, and nothing can be raised: what other programs and
// agents wrote is an agent's word, whatever it says of itself, and what is made of
// several is the lowest of them.
func (s *shelf) input(now time.Time, said []extract.Candidate) dream.Input {
	in := dream.Input{Now: now, Lists: map[string][]byte{}, Said: said, Clean: s.clean}
	for i := range s.heads {
		h := &s.heads[i]
		rel, text := s.rel[h.Path], []byte(h.Content)
		if rel == store.IndexName || store.IsPage(rel, text) {
			in.Lists[rel] = text
			continue
		}
		n := dream.Note{Rel: rel, Bytes: text, Origin: trust.Agent}
		m := dream.When(now, dream.Moment{At: recorded(text), By: dream.ByRecord}, dream.Moment{At: h.At, By: dream.ByJournal})
		n.At, n.AtBy = m.At.UTC(), m.By
		in.Notes = append(in.Notes, n)
	}
	return in
}

// recorded is when a note says that it was written.
func recorded(text []byte) time.Time {
	n := note.Parse(text)
	for _, key := range []string{"modified", "updated", "date", "created"} {
		if v, ok := n.Text(key); ok {
			for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
				if at, err := time.Parse(layout, strings.TrimSpace(v)); err == nil {
					return at
				}
			}
		}
	}
	return time.Time{}
}

// clean masks secrets in texts, as in folders.
func (s *shelf) clean(text string) (string, []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clean, hits := s.finder.Redact(text)
	said := make([]string, 0, len(hits))
	for _, h := range hits {
		said = append(said, h.Rule)
	}
	return clean, said
}

// plan is how the store becomes what the dream made: first what goes, then the rest,
// so that a path is free when it is taken.
func (s *shelf) plan(in *dream.Input, res *dream.Result) *plan {
	p := &plan{}
	for _, r := range res.Diff(in) {
		op := db.Op{Path: s.pathOf(r.Rel)}
		if r.Before != nil {
			op.Before = db.HashOf(string(r.Before))
		}
		if r.After != nil {
			text := string(r.After)
			if r.Before == nil && !s.matter {
				text = plain(r.After)
			}
			op.After = &text
		}
		list := r.Rel == store.IndexName || r.Before == nil && r.After != nil && store.IsPage(r.Rel, r.After)
		if list && !s.index {
			continue // nothing loads an index here
		}
		if r.Before == nil {
			op.Path = s.free(op.Path)
		}
		p.Ops = append(p.Ops, op)
	}
	slices.SortStableFunc(p.Ops, func(a, b db.Op) int { return boolean(a.After != nil) - boolean(b.After != nil) })
	p.Says = account(res, func(rel string) string {
		if s.path[rel] == "" && !strings.HasSuffix(rel, ".md") {
			return "session " + rel
		}
		return s.pathOf(rel)
	})
	return p
}

// plain is a new note in a store whose memories have no front matter.
func plain(text []byte) string {
	return strings.TrimLeft(string(note.Parse(text).Body()), "\n")
}

// free is a path that neither is a memory nor lies above or below one.
func (s *shelf) free(want string) string {
	taken := func(p string) bool {
		return slices.ContainsFunc(s.heads, func(h db.Head) bool {
			return h.Path == p || strings.HasPrefix(h.Path, p+"/") || strings.HasPrefix(p, h.Path+"/")
		})
	}
	ext := path.Ext(want)
	for p, n := want, 2; ; n++ {
		if !taken(p) {
			return p
		}
		p = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(want, ext), n, ext)
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
