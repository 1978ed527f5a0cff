package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/draft"
	"dormouse/internal/mcpserver/memory"
	"dormouse/note"
	"dormouse/store"
)

// Remember writes a note as the agent's, unless there is one on the same matter.
func (d *Desk) Remember(_ context.Context, w memory.Where, in memory.New) (*memory.Written, error) {
	c := d.at(w)
	if err := c.writable(); err != nil {
		return nil, c.told(err)
	}
	o := &rememberOptions{common: c, kind: in.Type, name: in.Name, description: in.Description, again: in.Second}
	guard, err := c.guard()
	if err != nil {
		return nil, c.told(err)
	}
	left, err := o.clean(guard)
	if err == nil {
		err = o.check()
	}
	if err != nil {
		return nil, c.told(err)
	}
	text, err := o.text(nil, []string{in.Text})
	if err != nil {
		return nil, c.told(err)
	}
	text, more := guard.Clean(text)
	p, err := o.open()
	if err != nil {
		return nil, c.told(err)
	}
	defer release(p.st)
	p.guard = guard
	reps, err := o.remember(p, []string{text})
	if _, refused := errors.AsType[errRefused](err); err != nil && !refused {
		return nil, c.told(err)
	}
	if len(reps) == 0 { // the name is taken, or the note too large
		return &memory.Written{Why: c.refusal(p, nil, err)}, nil
	}
	at := &opened{common: c, st: p.st, s: p.session, guard: guard, writes: err == nil}
	done := at.written(reps[0].File, "Remembered", reps[0].Change)
	done.Said = append(once(append(more, left...)), reps[0].Said...)
	for i, said := range done.Said { // an agent has no flags
		if facts, ok := strings.CutSuffix(said, "; --split makes a note of each."); ok {
			done.Said[i] = facts + ": a note for each would be found better."
		}
	}
	if err != nil {
		done.File, done.Did, done.Why = "", "", c.refusal(p, reps[0], err)
		at.addSame(done, reps[0].Same)
	}
	return done, at.seen(done, o, p)
}

// writable refuses where nothing can be written, before anything is.
func (c *common) writable() error {
	o, err := c.open(true)
	if err == nil {
		o.close()
	}
	return err
}

// refusal is why a note was not written, with the tools that help.
func (c *common) refusal(p *place, r *rememberReport, err error) string {
	switch {
	case r == nil:
		why, _ := errors.AsType[errRefused](err)
		text := why.why
		if i := strings.Index(text, "; add to it with"); i >= 0 {
			text = text[:i] + "; change that with update, or give another name"
		}
		return text
	case len(r.Same) > 0 && r.Same[0].Kind == draft.Exact.String():
		return "there is a note that says the same already."
	case len(r.Same) > 0 && r.Same[0].Kind == draft.Conflict.String():
		return "there is a note that says otherwise on the same matter. If that is out of date, change it with update; if both hold, remember this one again with new: true."
	case len(r.Same) > 0:
		return "there is a note on the same matter. Add to it with update, or remember this one again with new: true."
	}
	limits := p.limits()
	return fmt.Sprintf("the index is full: only %d lines and %d characters of it load. Forget what is not needed any more, or have the user make room: %s", limits.Lines, limits.Units, c.command("index --fix"))
}

// addSame tells the notes on the same matter, but for what waits for a review.
func (o *opened) addSame(d *memory.Written, same []sameNote) {
	d.Known = len(same) > 0 && same[0].Kind == draft.Exact.String()
	for _, s := range same {
		_, b, v, err := o.find(s.File)
		if _, held := errors.AsType[heldError](err); held {
			d.Said = append(d.Said, "It waits for the user's review, and is not told: "+o.command("review")+", at a terminal.")
		}
		if err != nil {
			continue
		}
		t := o.text(s.File, b, v)
		t.Line, t.Text = s.Line, note.Clip(string(note.Parse([]byte(t.Text)).Body()), maxSame)
		d.Same = append(d.Same, *t)
	}
}

// maxSame is how much of a note on the same matter is told, in UTF-16 units.
const maxSame = 2000

// written tells of a change that was made.
func (o *opened) written(rel, did string, change int) *memory.Written {
	d := &memory.Written{File: rel, Did: did}
	if change > 0 {
		d.Undo = o.command(fmt.Sprintf("undo %d", change))
	}
	return d
}

// seen fills in whether a session will be told of what was written.
func (o *opened) seen(d *memory.Written, ro *rememberOptions, p *place) error {
	if d.Did == "" {
		return nil
	}
	b, err := o.st.Read(d.File)
	if err != nil {
		return o.common.told(fmt.Errorf("the note is written, but cannot be read again: %w", err))
	}
	v, err := o.judged(d.File, b)
	if err != nil {
		return o.common.told(err)
	}
	if !v.Loads {
		d.Waits = v.Words()
		return nil
	}
	prove, err := ro.prove(p)
	if err != nil {
		return o.common.told(fmt.Errorf("the note is written, but what a session would see cannot be told: %w", err))
	}
	if pr := prove(d.File); !pr.loads && !pr.asked {
		d.Unseen = pr.way
	}
	return nil
}

// Update puts one text of a note in place of another.
func (d *Desk) Update(_ context.Context, w memory.Where, in memory.Edit) (*memory.Written, error) {
	c := d.at(w)
	o, err := c.open(true)
	if err != nil {
		return nil, c.told(err)
	}
	defer o.close()
	rel, before, _, err := o.find(in.Note)
	if err != nil {
		return nil, c.told(err)
	}
	after, err := o.replaced(rel, before, in)
	if err != nil {
		return nil, c.told(err)
	}
	done, err := o.st.Edit(*c.actor, rel, before, after)
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrChanged) {
		err = fmt.Errorf("%w; read it again and give the text as it is now", err)
	}
	if err != nil {
		return nil, c.told(err)
	}
	h, err := c.theHost()
	if err != nil {
		return nil, err
	}
	out := o.written(rel, "Updated", done.ID)
	out.Said = done.Said
	p := &place{c: c, st: o.st, host: h, session: o.s, given: c.store != "", guard: o.guard, global: c.global}
	return out, o.seen(out, &rememberOptions{common: c}, p)
}

// replaced is the note with the new text in it. The old one stands just once in
// what the note says, or else just once in its front matter. A description that
// says the old text as well says the new one from then on, as an index line is made
// of it.
func (o *opened) replaced(rel string, before []byte, in memory.Edit) ([]byte, error) {
	if strings.ContainsRune(in.New, 0) {
		return nil, errors.New("new has a NUL byte in it, which no note can hold")
	}
	old, fresh := in.Old, in.New
	if bytes.Contains(before, []byte("\r\n")) {
		old, fresh = breaks(old), breaks(fresh)
	}
	n := note.Parse(before)
	from := 0
	if body := n.Body(); bytes.HasSuffix(before, body) && bytes.Contains(body, []byte(old)) {
		from = len(before) - len(body)
	}
	switch n := bytes.Count(before[from:], []byte(old)); n {
	case 1:
	case 0:
		return nil, fmt.Errorf("old does not stand in %s: nothing was written; read it, and give its words as they are, without the bars", rel)
	default:
		return nil, fmt.Errorf("old stands in %s %d times: nothing was written; give more of the words around it", rel, n)
	}
	after := slices.Concat(before[:from], bytes.Replace(before[from:], []byte(old), []byte(fresh), 1))
	if bytes.Equal(after, before) {
		return nil, errors.New("with that the note would be as it is: there is nothing to change")
	}
	after, err := o.along(after, from > 0, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rel, err)
	}
	if err := editTrouble(before, after); err != nil {
		return nil, fmt.Errorf("nothing was written: %w", err)
	}
	return after, nil
}

// along is a changed note with what of its front matter goes along: the description,
// and the time that the agent put in.
func (o *opened) along(after []byte, inBody bool, in memory.Edit) ([]byte, error) {
	n := note.Parse(after)
	var err error
	if d := n.Description(); inBody && strings.Contains(d, in.Old) {
		if says := strings.Join(strings.Fields(strings.ReplaceAll(d, in.Old, in.New)), " "); says != "" {
			if after, err = n.Set("description", note.Clip(says, maxDescription)); err != nil {
				return nil, err
			}
		}
	}
	if _, stamped := n.Text("modified"); stamped {
		return note.Parse(after).Set("modified", note.Stamp(o.io.Now()))
	}
	return after, nil
}

// maxDescription bounds a description that goes along, in UTF-16 units: its line in
// the index is no longer either.
const maxDescription = 150

// breaks are line breaks as a file of Windows has them.
func breaks(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// Forget removes a note; the journal keeps it.
func (d *Desk) Forget(_ context.Context, w memory.Where, name string) (*memory.Written, error) {
	c := d.at(w)
	o, err := c.open(true)
	if err != nil {
		return nil, c.told(err)
	}
	defer o.close()
	rel, _, _, err := o.find(name)
	if err != nil {
		return nil, c.told(err)
	}
	done, err := o.st.Forget(*c.actor, rel)
	if err != nil {
		return nil, c.told(err)
	}
	out := o.written(rel, "Forgot", done.ID)
	out.Said = slices.Clone(done.Said)
	if n := len(done.Mentions); n > 0 {
		out.Said = append(out.Said, "Still named in "+count(n, "place")+" of other notes.")
	}
	return out, nil
}
