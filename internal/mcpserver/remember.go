package mcpserver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/internal/mcpserver/memory"
)

//go:embed remember.md
var rememberText string

type rememberArgs struct {
	Text        string `json:"text"`
	Type        string `json:"type,omitempty" jsonschema:"user, feedback, project or reference; guessed"`
	Name        string `json:"name,omitempty" jsonschema:"of the note's file; guessed"`
	Description string `json:"description,omitempty" jsonschema:"its line in the index; guessed"`
	New         bool   `json:"new,omitempty" jsonschema:"a second note on the same matter"`
	place
}

// Sizes in bytes of what is written. One fact is shorter.
const (
	longestText = 64 << 10
	longestWord = 1 << 10 // of a name or a description
)

func (s *Server) addRemember(to *mcp.Server) { add(s, to, "remember", adds, rememberText, s.remember) }

func (s *Server) remember(ctx context.Context, w memory.Where, in rememberArgs) (answer, error) {
	if strings.TrimSpace(in.Text) == "" {
		return answer{}, errors.New("text is blank: give the fact to remember")
	}
	if err := errors.Join(tooLong("text", in.Text, longestText), tooLong("name", in.Name, longestWord), tooLong("description", in.Description, longestWord)); err != nil {
		return answer{}, err
	}
	done, err := s.mem.Remember(ctx, w, memory.New{Text: in.Text, Name: in.Name, Type: in.Type, Description: in.Description, Second: in.New})
	if err != nil {
		return answer{}, err
	}
	return writtenAnswer(done), nil
}

func tooLong(name, text string, most int) error {
	if len(text) <= most {
		return nil
	}
	return fmt.Errorf("%s has %d bytes, and at most %d are taken: a note is one fact; keep the rest in a file and remember where it is", name, len(text), most)
}

// writtenAnswer tells what became of a write.
func writtenAnswer(d *memory.Written) answer {
	p := newPage()
	switch {
	case d.Did == "":
		p.say("Nothing was written: %s", d.Why)
	case d.Waits != "":
		p.say("%s %s, but no session is told of it until the user has approved it: %s. Tell the user: dormouse review, at a terminal.", d.Did, d.File, d.Waits)
	case d.Unseen != "":
		p.say("%s %s, but no session will be told of it: %s", d.Did, d.File, d.Unseen)
	default:
		p.say("%s %s", d.Did, d.File)
	}
	for _, t := range d.Same {
		p.quote(titleOf(t), t)
	}
	for _, line := range d.Said {
		if d.Waits == "" || !strings.Contains(line, d.Waits) { // not the same twice
			p.say("%s", line)
		}
	}
	if d.Undo != "" {
		p.say("The user can take it back: %s", d.Undo)
	}
	return answer{text: p.String(), failed: d.Did == "" && !d.Known}
}
