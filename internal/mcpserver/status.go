package mcpserver

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
	"dormouse/trust"
)

//go:embed status.md
var statusText string

type statusArgs struct{ place }

func (s *Server) addStatus(to *mcp.Server) { add(s, to, "status", reads, statusText, s.status) }

func (s *Server) status(ctx context.Context, w memory.Where, _ statusArgs) (answer, error) {
	st, err := s.mem.Status(ctx, w)
	if err != nil {
		return answer{}, err
	}
	return answer{text: statusPage(st)}, nil
}

// mostListed bounds a list that is for an overview.
const mostListed = 30

func statusPage(st *memory.Status) string {
	p := newPage()
	p.say("Project %s, notes in %s", st.Project, st.Folder)
	if st.Off != "" {
		p.say("%s", st.Off)
	} else {
		p.say("%s. %s", count(st.Notes, "note"), st.Index)
	}
	if st.Waiting > 0 {
		p.say("%s for the user's review: %s, at a terminal.", count(st.Waiting, "text")+" waiting", st.Review)
	}
	var list strings.Builder
	for _, l := range st.Loaded[:min(len(st.Loaded), mostListed)] {
		fmt.Fprintf(&list, "%s, about %d tokens\n", l.Path, l.Tokens)
	}
	for _, reason := range slices.Sorted(maps.Keys(st.Left)) {
		fmt.Fprintf(&list, "does not load, %s: %d\n", reason, st.Left[reason])
	}
	for _, line := range st.Wrong[:min(len(st.Wrong), mostListed)] {
		fmt.Fprintf(&list, "wrong: %s\n", line)
	}
	fmt.Fprintf(&list, "most worth doing: %s\n", st.Next)
	p.say("Loads at start: %s, about %d tokens in all.", count(len(st.Loaded), "file"), st.Tokens)
	// Names of files are somebody else's words as well.
	p.quote("In detail:", memory.Text{Path: "status", Origin: trust.Outside, Text: list.String()})
	return p.String()
}
