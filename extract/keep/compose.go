package keep

import (
	"fmt"
	"strings"
	"time"

	"dormouse/draft"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
)

const dayForm = time.DateOnly

// compose makes the note of a candidate: its text, and below what the person
// said, where the text is not just that.
func (k *Keeper) compose(c extract.Candidate) (*store.New, error) {
	d := draft.Guess(c.Text)
	name := k.free(d.Name)
	f := note.Fields{Name: name, Description: d.Description, Type: c.Type, Session: c.Session, Modified: c.Time}
	b, err := note.New(f, strings.TrimSpace(c.Text))
	if err != nil {
		return nil, err
	}
	file := name + ".md"
	line := note.Parse(b).Line(file)
	line.Section = c.Type
	return &store.New{File: file, Bytes: b, Line: line}, nil
}

// free is a name that no note has, whatever its case.
func (k *Keeper) free(name string) string {
	taken := func(n string) bool {
		for file := range k.items {
			if strings.EqualFold(file, n+".md") {
				return true
			}
		}
		if _, err := k.St.Read(n + ".md"); err == nil {
			return true
		}
		return store.ValidName(n+".md") != nil
	}
	if store.ValidName(name+".md") != nil {
		name = "note"
	}
	out := name
	for i := 2; taken(out); i++ {
		out = fmt.Sprintf("%s-%d", name, i)
	}
	return out
}
