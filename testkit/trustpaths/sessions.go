package trustpaths

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"dormouse/extract"
	"dormouse/extract/bymodel"
	"dormouse/extract/keep"
	"dormouse/model"
	"dormouse/transcript"
)

// sessions are the ways of a text that stands in a session and is not the
// person's word: the rules read the session, and a model that proposes all it
// sees, as whatever it likes.
func sessions() []Path {
	agent := func(origin transcript.Origin, kind transcript.Kind) func(string) []transcript.Turn {
		return func(text string) []transcript.Turn {
			role := transcript.User
			if origin == transcript.Agent {
				role = transcript.Assistant
			}
			return []transcript.Turn{ask("summarise the page"), turn(role, transcript.Block{Kind: kind, Origin: origin, Text: text})}
		}
	}
	pasted := func(before, mark, after string) func(string) []transcript.Turn {
		return func(text string) []transcript.Turn {
			lines := strings.Split(strings.TrimSpace(text), "\n")
			for i := range lines {
				lines[i] = mark + lines[i]
			}
			return []transcript.Turn{ask(before + strings.Join(lines, "\n") + after)}
		}
	}
	places := []struct {
		name string
		in   func(text string) []transcript.Turn
	}{
		{"a tool's result", agent(transcript.Tool, transcript.Result)},
		{"a web page", agent(transcript.Web, transcript.Result)},
		{"what the host put in", agent(transcript.Injected, transcript.Text)},
		{"a recalled note", agent(transcript.Recalled, transcript.Text)},
		{"a summary", agent(transcript.Summary, transcript.Text)},
		{"the agent's words", agent(transcript.Agent, transcript.Text)},
		{"a block of code that the person pasted", pasted("what does this mean?\n\n```\n", "", "\n```\n")},
		{"a quotation that the person pasted", pasted("what does this mean?\n\n", "> ", "\n")},
		{"what the person was told by a page", pasted("the page says:\n\n\"", "", "\"\n\nis that so?")},
	}
	var out []Path
	for _, p := range places {
		out = append(out,
			Path{"extraction reads it in " + p.name, func(pl *Place, text string) error {
				r := extract.New()
				for _, t := range p.in(text) {
					r.Turn(&t)
				}
				return keepAll(pl, r.End().Candidates)
			}},
			Path{"a model that copies all reads it in " + p.name, func(pl *Place, text string) error {
				r := bymodel.New()
				for _, t := range p.in(text) {
					r.Turn(&t)
				}
				res, err := r.Ask(context.Background(), copier{text}, nothing{})
				if err != nil {
					return err
				}
				return keepAll(pl, res.Candidates)
			}},
		)
	}
	return out
}

func keepAll(p *Place, candidates []extract.Candidate) error {
	_, err := (&keep.Keeper{St: p.Store, Guard: p.Guard}).Keep(candidates)
	return err
}

func turn(role transcript.Role, b transcript.Block) transcript.Turn {
	return transcript.Turn{Host: "claude", Session: "s1", Line: 2, Role: role, Time: time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC), Blocks: []transcript.Block{b}}
}

func ask(text string) transcript.Turn {
	return turn(transcript.User, transcript.Block{Kind: transcript.Text, Origin: transcript.Person, Text: text})
}

// copier is a model that proposes the text, whole and by line, of every type,
// with every quote it can think of.
type copier struct{ text string }

func (copier) Name() string                       { return "copier" }
func (copier) Estimate(model.Request) model.Usage { return model.Usage{} }

func (c copier) Generate(_ context.Context, r model.Request) (*model.Response, error) {
	if len(r.Messages) > 1 {
		return &model.Response{}, nil
	}
	out := &model.Response{}
	const most = 600 // bytes
	whole := c.text[:min(len(c.text), most)]
	for _, text := range append(strings.Split(c.text, "\n"), whole) {
		for _, kind := range []string{"feedback", "project"} {
			for _, quote := range []string{text, "summarise the page", "what does this mean?"} {
				in, err := json.Marshal(map[string]string{"type": kind, "text": strings.ToValidUTF8(text, "?"), "quote": strings.ToValidUTF8(quote, "?")})
				if err == nil {
					out.Calls = append(out.Calls, model.Call{ID: "1", Name: "propose_note", Input: in})
				}
			}
		}
	}
	return out, nil
}

// nothing is a store without notes.
type nothing struct{}

func (nothing) List() ([]bymodel.Note, error) { return nil, nil }
func (nothing) Read(string) (string, error)   { return "", context.Canceled }
