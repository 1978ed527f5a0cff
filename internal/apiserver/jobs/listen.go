package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"dormouse/extract"
	"dormouse/extract/bymodel"
	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/session"
	"dormouse/internal/apiserver/wire"
	"dormouse/model"
	"dormouse/note"
	"dormouse/scan"
)

// listen draws out of the sessions of the input what is worth remembering: by rules,
// and by a model where there is one. What a model adds in words that nobody typed has
// no person's origin, and stays out of the store.
func (r *Runner) listen(ctx context.Context, run *db.Run, s *shelf, m *asked) ([]extract.Candidate, error) {
	rules := extract.New()
	rules.Known = s.known()
	var found []extract.Candidate
	for _, id := range run.Dream.Inputs[1].Sessions {
		bot := bymodel.New()
		err := run.Events(ctx, id, func(e apiserver.Event) error {
			t, err := session.Turn(id, &e)
			if err != nil || t == nil {
				return err
			}
			rules.Turn(t)
			if m != nil {
				bot.Turn(t)
			}
			return ctx.Err()
		})
		if e, ok := errors.AsType[*wire.Error](err); ok && e.Type == wire.NotFound {
			return nil, fail(wire.DreamSessionUnavailable, "an input session was deleted")
		}
		if err != nil {
			return nil, fmt.Errorf("reading the session %s: %w", id, err)
		}
		found = append(found, rules.End().Candidates...)
		if m == nil {
			continue
		}
		res, err := bot.Ask(ctx, kept{m}, s)
		if err := stopsAll(ctx, err); err != nil {
			return nil, err
		}
		found = append(found, res.Candidates...)
	}
	if err := rules.Err(); err != nil {
		return nil, fmt.Errorf("reading the rules of extraction: %w", err)
	}
	return visible(found), nil
}

// stopsAll is an error of a model that ends the dream's work; others only cost their
// answer.
func stopsAll(ctx context.Context, err error) error {
	for _, class := range []error{model.ErrKey, model.ErrLimit, model.ErrServer, model.ErrAnswer, model.ErrRefused, model.ErrBudget} {
		if errors.Is(err, class) {
			return ctx.Err()
		}
	}
	if err == nil {
		return ctx.Err()
	}
	return err
}

// visible leaves out what holds characters that nobody sees: no person typed those.
func visible(in []extract.Candidate) []extract.Candidate {
	scanner := scan.New()
	var out []extract.Candidate
	for _, c := range in {
		hidden := false
		for _, f := range scanner.Scan(c.Text, scan.Options{}) {
			hidden = hidden || f.Kind == scan.Hidden && f.Level == scan.Block
		}
		if !hidden {
			out = append(out, c)
		}
	}
	return out
}

// List names the memories, for a model.
func (s *shelf) List() ([]bymodel.Note, error) {
	out := make([]bymodel.Note, 0, len(s.heads))
	for i := range s.heads {
		h := &s.heads[i]
		out = append(out, bymodel.Note{File: h.Path, Description: note.Parse([]byte(h.Content)).Description()})
	}
	return out, nil
}

// Read returns a memory, for a model.
func (s *shelf) Read(path string) (string, error) {
	for i := range s.heads {
		if s.heads[i].Path == path {
			return s.heads[i].Content, nil
		}
	}
	return "", fs.ErrNotExist
}
