package mcpserver

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
)

//go:embed update.md
var updateText string

type updateArgs struct {
	Note string `json:"note"`
	Old  string `json:"old"`
	New  string `json:"new"`
	place
}

func (s *Server) addUpdate(to *mcp.Server) { add(s, to, "update", changes, updateText, s.update) }

func (s *Server) update(ctx context.Context, w memory.Where, in updateArgs) (answer, error) {
	switch {
	case strings.TrimSpace(in.Note) == "":
		return answer{}, errors.New("note is empty: give a note's file or name")
	case in.Old == "":
		return answer{}, errors.New("old is empty: give the words that new takes the place of, as read shows them without the bars")
	case in.Old == in.New:
		return answer{}, errors.New("old and new are the same: there is nothing to change")
	}
	if err := errors.Join(tooLong("old", in.Old, longestText), tooLong("new", in.New, longestText)); err != nil {
		return answer{}, err
	}
	done, err := s.mem.Update(ctx, w, memory.Edit{Note: in.Note, Old: in.Old, New: in.New})
	if err != nil {
		return answer{}, err
	}
	return writtenAnswer(done), nil
}
