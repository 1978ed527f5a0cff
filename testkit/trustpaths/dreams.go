package trustpaths

import (
	"context"
	"errors"
	"time"

	"dormouse/dream"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

// dreams are the ways of consolidation: what another program wrote, or a tool
// said, goes through a dream and back into the folder.
func dreams() []Path {
	return []Path{
		{"a dream takes in what another program wrote", func(p *Place, text string) error {
			return errors.Join(p.Outside("n.md", text+"\n"), p.Dream(nil, nil))
		}},
		{"five dreams over it", func(p *Place, text string) error {
			err := errors.Join(p.Add(Human(), "mine", Fact), p.Outside("n.md", text+"\n"))
			for range 5 {
				err = errors.Join(err, p.Dream(nil, nil))
			}
			return err
		}},
		{"a dream takes a note apart that holds it and a person's words", func(p *Place, text string) error {
			return errors.Join(p.Outside("n.md", "- "+Fact+"\n- Deploys happen on Tuesdays after lunch.\n- The mail service is written in Elixir.\n- "+oneLine(text)+"\n"), p.Dream(nil, nil))
		}},
		{"a dream lets a person's note and one with it become one", func(p *Place, text string) error {
			return errors.Join(p.Add(Human(), "mine", Fact), p.Outside("n.md", Fact+"\n\n**Why:** "+oneLine(text)+"\n"), p.Dream(nil, nil))
		}},
		{"a model copies it into a person's note in a dream", func(p *Place, text string) error {
			return errors.Join(p.Add(Human(), "mine", Fact), p.Outside("n.md", Fact+" "+oneLine(text)+"\n"), p.Dream(copies{oneLine(text)}, nil))
		}},
		{"a model says in a dream that it takes the place of a person's note", func(p *Place, text string) error {
			return errors.Join(p.Add(Human(), "mine", Fact), p.Outside("n.md", "Prices are "+oneLine(text)+"\n"), p.Dream(copies{""}, nil))
		}},
		{"a dream draws it out of a tool's result", func(p *Place, text string) error {
			return p.Dream(nil, []extract.Candidate{{
				Kind: extract.Explicit, Type: "feedback", Text: text, Confidence: 1, Quote: text, Origin: transcript.Tool, Session: "s", Line: 3, Time: time.Unix(1_770_000_000, 0),
			}})
		}},
	}
}

// copies is a model that says everything is one matter, and writes what it is
// told to.
type copies struct{ text string }

func (c copies) Judge(_ context.Context, cl dream.Cluster) ([]dream.Op, error) {
	var ids []int
	for _, s := range cl.Claims {
		ids = append(ids, s.ID)
	}
	return []dream.Op{
		{Op: "merge", Claims: ids, Text: c.text},
		{Op: "same", Claims: ids, Keep: len(ids)},
		{Op: "same", Claims: ids, Keep: 1},
		{Op: "conflict", Claims: ids},
	}, nil
}

// Dream runs one dream over the place and brings its result in, as the command
// does.
func (p *Place) Dream(judge dream.Judge, said []extract.Candidate) error {
	standing, err := p.Guard.Look(p.Store)
	if err != nil {
		return err
	}
	if _, err := p.Guard.Hold(p.Store, Human(), standing.Held); err != nil {
		return err
	}
	held := map[string]string{}
	for _, h := range standing.Held {
		if !h.Waiting && h.Path != store.IndexName {
			held[h.Path] = h.Words() + " "
		}
	}
	items, err := p.Store.List()
	if err != nil {
		return err
	}
	in := dream.Input{Lists: map[string][]byte{}, Said: said, Judge: judge, Clean: p.Guard.Clean, MaxArchived: 1}
	if b, err := p.Store.Read(store.IndexName); err == nil {
		in.Lists[store.IndexName] = b
	}
	for _, it := range items {
		switch {
		case it.Note == nil:
		case store.IsPage(it.Rel, it.Note.Bytes()):
			in.Lists[it.Rel] = it.Note.Bytes()
		default:
			in.Notes = append(in.Notes, dreamt(standing.Ledger, it, held[it.Rel]))
		}
	}
	r, err := dream.Dream(context.Background(), in)
	if err != nil {
		return err
	}
	_, err = p.Store.Replace(store.By{Actor: store.Dream}, r.Diff(&in))
	return err
}

func dreamt(l *trust.Ledger, it store.Item, held string) dream.Note {
	at := it.Mod
	if m, ok := it.Note.Text("modified"); ok {
		if t, err := time.Parse(time.RFC3339, m); err == nil {
			at = t
		}
	}
	return dream.Note{Rel: it.Rel, Bytes: note.Parse(it.Note.Bytes()).Bytes(), Origin: l.Origin(store.HashOf(it.Note.Bytes())), At: at, Held: held}
}
