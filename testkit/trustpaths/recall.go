package trustpaths

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"dormouse/internal/hook"
	"dormouse/recall"
	"dormouse/recall/find"
	"dormouse/trust"
)

// Recalled is what recall tells an agent that asks in the words of a text, in every
// way that it is asked: the hooks at a session's start and at a prompt, and whole
// answers, as the MCP server and the search command inside an agent give them. A
// state folder keeps the index between two rounds, so that both a fresh and a kept
// one are asked.
func (p *Place) Recalled(root, text string) (string, error) {
	var told strings.Builder
	now := time.Now()
	for range 2 {
		f := find.Open(find.Config{Stores: []find.Folder{{Store: p.Store, Guard: p.Guard}}, State: filepath.Join(root, "state")})
		for _, ask := range []string{text, "n", firstWords(text)} {
			for _, q := range []find.Question{
				{Certain: true, Quick: true},
				{Conflicts: true, Standing: true},
			} {
				q.Query = recall.Query{Text: ask, Limit: 20, Now: now}
				a, err := f.Find(context.Background(), q)
				if err != nil {
					return "", err
				}
				words, _ := hook.Recalled(trust.NewFence(), a.Hits, now)
				told.WriteString(words)
				told.WriteString(hook.Standing(trust.NewFence(), a.Standing, a.StandingMore, now))
				for i := range a.Hits {
					told.WriteString(a.Hits[i].Title + "\n" + a.Hits[i].Description + "\n" + a.Hits[i].Excerpt + "\n")
				}
			}
		}
	}
	return told.String(), nil
}

func firstWords(text string) string {
	f := strings.Fields(text)
	return strings.Join(f[:min(len(f), 6)], " ")
}
