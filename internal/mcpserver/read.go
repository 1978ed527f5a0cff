package mcpserver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
	"dormouse/startup"
)

//go:embed read.md
var readText string

type readArgs struct {
	Note string `json:"note"`
	Line int    `json:"line,omitempty" jsonschema:"start at this line of a long note"`
	place
}

func (s *Server) addRead(to *mcp.Server) { add(s, to, "read", reads, readText, s.read) }

func (s *Server) read(ctx context.Context, w memory.Where, in readArgs) (answer, error) {
	switch {
	case strings.TrimSpace(in.Note) == "":
		return answer{}, errors.New("note is empty: give a note's file or name")
	case in.Line < 0:
		return answer{}, fmt.Errorf("line %d: lines count from 1", in.Line)
	}
	t, err := s.mem.Read(ctx, w, in.Note)
	if err != nil {
		return answer{}, err
	}
	return readAnswer(*t, max(in.Line, 1))
}

// readAnswer shows as much of a note from a line on as an answer may hold.
func readAnswer(t memory.Text, from int) (answer, error) {
	all := strings.SplitAfter(t.Text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	if from > max(len(all), 1) {
		return answer{}, fmt.Errorf("line %d: %s has %s", from, t.Path, count(len(all), "line"))
	}
	rest := all[min(from-1, len(all)):]
	shown, cut := fitting(rest)
	t.Text = strings.Join(rest[:shown], "") + cut
	if from > 1 {
		t.Line = from
	}
	p := newPage()
	if !p.quote(titleOf(t), t) {
		return answer{}, fmt.Errorf("line %d of %s is too long to be told: open the file itself", from, t.Path)
	}
	switch left := len(rest) - shown; {
	case cut != "":
		p.say("Line %d goes on; the file has it whole. Read on with line: %d.", from, from+1)
	case left > 0:
		p.say("%s more: read on with line: %d.", count(left, "line"), from+shown)
	}
	return answer{text: p.String()}, nil
}

// fitting is how many of some lines fit into an answer, with room for what stands
// around them and the bars. Of a first line that does not fit, cut is what does.
func fitting(lines []string) (n int, cut string) {
	const (
		around  = 400 // tokens
		perLine = 2
	)
	room := mostTokens - around
	for i, l := range lines {
		if room -= startup.Tokens(harmless(l)) + perLine; room < 0 {
			if i > 0 {
				return i, ""
			}
			runes := []rune(l)
			for len(runes) > 0 && startup.Tokens(harmless(string(runes)))+perLine > mostTokens-around {
				runes = runes[:len(runes)/2]
			}
			return 0, string(runes)
		}
	}
	return len(lines), ""
}
