package mcpserver

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
)

//go:embed forget.md
var forgetText string

type forgetArgs struct {
	Note string `json:"note"`
	place
}

func (s *Server) addForget(to *mcp.Server) { add(s, to, "forget", changes, forgetText, s.forget) }

func (s *Server) forget(ctx context.Context, w memory.Where, in forgetArgs) (answer, error) {
	if strings.TrimSpace(in.Note) == "" {
		return answer{}, errors.New("note is empty: give a note's file or name")
	}
	done, err := s.mem.Forget(ctx, w, in.Note)
	if err != nil {
		return answer{}, err
	}
	return writtenAnswer(done), nil
}
