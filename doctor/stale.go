package doctor

import (
	"fmt"

	"dormouse/evidence"
	"dormouse/store"
)

// references is what the repository says of the texts that speak of it.
type references struct {
	texts []evidence.Text
	lines []int // of each text in its file
	notes int   // the first of them are notes
	found *evidence.Checked
	err   error
}

// lookUp compares what notes and instructions name with what the repository has.
// It only reads, and runs beside the other rules.
func (c *check) lookUp() *references {
	r := &references{}
	if c.repo == nil {
		return r
	}
	c.live(func(it *store.Item) {
		r.texts = append(r.texts, evidence.Text{Name: c.notePath(it.Rel), Body: string(it.Note.Body())})
		r.lines = append(r.lines, it.Note.BodyLine())
		if d := it.Note.Description(); d != "" {
			r.texts = append(r.texts, evidence.Text{Name: c.notePath(it.Rel), Body: d})
			r.lines = append(r.lines, descriptionLine(it.Note))
		}
	})
	r.notes = len(r.texts)
	for _, d := range c.docs {
		if c.within(d.path) {
			r.texts = append(r.texts, evidence.Text{Name: d.path, Body: d.body})
			r.lines = append(r.lines, d.line)
		}
	}
	r.found, r.err = c.repo.Check(c.ctx, r.texts)
	return r
}

// stale tells of what notes and instructions name and the repository no longer
// has.
func (c *check) stale() error {
	r := <-c.looked
	if r.err != nil {
		c.skip("what the notes say of the repository: %v", r.err)
		return c.ctx.Err()
	}
	if r.found == nil {
		return nil
	}
	c.out.Checked.References = r.found.Refs
	if why := r.found.NoHistory; why != "" {
		c.skip("what the repository had once: %s", why)
	}
	told := map[string]bool{}
	for _, f := range r.found.Findings {
		at := Place{Path: r.texts[f.Text].Name, Line: r.lines[f.Text] + f.Ref.Line - 1, Text: f.Ref.Text}
		key := at.Path + "\x00" + string(f.Ref.Kind) + f.Ref.Text
		if told[key] {
			continue // the same thing again in the same file
		}
		told[key] = true
		c.reference(f, at, f.Text < r.notes)
	}
	return nil
}

func (c *check) reference(f evidence.Finding, at Place, inNote bool) {
	switch f.State {
	case evidence.Gone, evidence.Moved, evidence.Differs:
		rule := "stale-" + string(f.Ref.Kind)
		what := fmt.Sprintf("%s names %s, which the repository no longer has", c.at(at), quoted(f.Ref))
		if f.State == evidence.Moved {
			what = fmt.Sprintf("%s names %s, which is %s now", c.at(at), quoted(f.Ref), f.Now)
		}
		if f.State == evidence.Differs {
			what = fmt.Sprintf("%s says %s, and the repository says %s", c.at(at), quoted(f.Ref), f.Now)
		}
		c.add(rule, at, f.Ref.Text, "%s", what).evidence("%s", f.Why).
			fix("say what holds today, or that it is history", "", false, Plan{})
	case evidence.Never:
		if f.Ref.Kind != evidence.Path || !inNote {
			return
		}
		c.add("unknown-path", at, f.Ref.Text, "%s names %s, and the repository never had it", c.at(at), quoted(f.Ref)).evidence("%s", f.Why)
	}
}

func quoted(r evidence.Ref) string { return "`" + r.Text + "`" }
