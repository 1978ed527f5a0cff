package mcpserver

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
	"dormouse/trust"
)

//go:embed search.md
var searchText string

type searchArgs struct {
	Query    string `json:"query,omitempty"`
	Type     string `json:"type,omitempty" jsonschema:"only notes of this type: user, feedback, project or reference"`
	Limit    int    `json:"limit,omitempty" jsonschema:"1 to 50; 10"`
	Sessions bool   `json:"sessions,omitempty" jsonschema:"also what was said in earlier sessions"`
	place
}

const (
	usualHits   = 10
	mostHits    = 50
	longestTerm = 4 << 10 // bytes of a question
)

func (s *Server) addSearch(to *mcp.Server) { add(s, to, "search", reads, searchText, s.search) }

func (s *Server) search(ctx context.Context, w memory.Where, in searchArgs) (answer, error) {
	q := memory.Query{Text: in.Query, Limit: in.Limit, Sessions: in.Sessions}
	if q.Limit == 0 {
		q.Limit = usualHits
	}
	if in.Type != "" {
		q.Types = []string{in.Type}
	}
	switch {
	case q.Limit < 1 || q.Limit > mostHits:
		return answer{}, fmt.Errorf("limit %d: give a number from 1 to %d", in.Limit, mostHits)
	case len(in.Query) > longestTerm:
		return answer{}, fmt.Errorf("the query has %d bytes: ask in at most %d", len(in.Query), longestTerm)
	}
	found, err := s.mem.Search(ctx, w, q)
	if err != nil {
		return answer{}, err
	}
	return answer{text: foundText(found, in.Query)}, nil
}

func foundText(found *memory.Found, query string) string {
	p := newPage()
	for i, h := range found.Hits {
		if !p.quote(fmt.Sprintf("%d. %s", i+1, titleOf(h.Text)), h.Text) {
			continue
		}
		for _, a := range h.Against {
			p.quote("   Against that, "+titleOf(a), a)
		}
	}
	if query != "" && len(found.Hits) == 0 {
		p.say("Nothing is remembered for that question.")
	}
	for _, t := range found.Standing {
		p.quote(titleOf(t), t)
	}
	if query == "" && len(found.Standing) == 0 {
		p.say("There are no notes on the user or on how to work. Give a query to search.")
	}
	if found.More > 0 {
		p.say("And %s on the user and on how to work.", count(found.More, "older note"))
	}
	if p.left > 0 {
		p.say("%s left out for length: ask more narrowly, or use read.", count(p.left, "text"))
	}
	if found.Waiting > 0 {
		p.say("%s left out: waiting for the user's review (dormouse review, at a terminal).", count(found.Waiting, "note"))
	}
	if len(found.Missing) > 0 {
		p.quote("Not searched:", memory.Text{Path: "search", Origin: trust.Outside, Text: strings.Join(found.Missing, "\n")})
	}
	return p.String()
}
