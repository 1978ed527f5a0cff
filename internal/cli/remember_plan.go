package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/draft"
	"dormouse/note"
	"dormouse/store"
)

// memo is one note that is to be written.
type memo struct {
	text  string
	draft draft.Draft
	bytes []byte
	line  note.Line
	rep   *rememberReport
}

// plan makes a note of a text: what was not said is guessed.
func (o *rememberOptions) plan(p *place, text string) (*memo, error) {
	m := &memo{text: text, draft: draft.Guess(text), rep: newRememberReport()}
	d, r := &m.draft, m.rep
	r.Type, r.TypeGuessed, r.TypeWhy = d.Type, true, d.TypeWhy
	if o.kind != "" {
		r.Type, r.TypeGuessed, r.TypeWhy = o.kind, false, "--type"
	}
	r.Description = p.defused(d.Description)
	if o.description != "" {
		r.Description = p.defused(o.description)
	}
	var err error
	if r.Name, err = o.pickName(p, d.Name); err != nil {
		return nil, err
	}
	r.File = r.Name + noteEnding
	p.taken[r.File] = true
	r.Path = filepath.Join(p.st.Dir(), r.File)
	f := note.Fields{Name: r.Name, Description: r.Description, Type: r.Type, Modified: o.io.Now()}
	if by := o.by(p.session); by.Actor == store.Agent {
		f.Session = by.Session
	}
	if m.bytes, err = note.New(f, text); err != nil {
		if head, failed := note.New(f, "x"); failed == nil {
			err = cmp.Or(fits(len(head)+len(text)), err)
		}
		return nil, err
	}
	if err := fits(len(m.bytes)); err != nil {
		return nil, err
	}
	title := p.defused(d.Title)
	// A line has little room: it does not say one sentence twice.
	if strings.HasPrefix(d.Description, strings.TrimRight(d.Title, "…")) {
		title = r.Name
	}
	m.line = note.Line{File: r.File, Title: shortTitle(title, r.File, r.Description), Hook: r.Description, Section: r.Type}
	return m, nil
}

// fits refuses a note that the store would not take, with its front matter.
func fits(size int) error {
	if over := size - note.MaxBytes; over > 0 {
		return errRefused{why: fmt.Sprintf("with its front matter the note would have %d bytes, %d too many: a note is one fact; keep the text in a file and remember where it is", size, over)}
	}
	return nil
}

// shortTitle shortens a title, at a word, to what leaves room for the hook: the
// hook is what the agent goes by.
func shortTitle(title, file, hook string) string {
	const least = 12 // UTF-16 units
	room := max(least, note.LineUnits-note.Units("- []("+file+") — "+hook))
	if note.Units(title) <= room {
		return title
	}
	short := strings.TrimSuffix(note.Clip(title, room), "…")
	if at := strings.LastIndexAny(short, " -_"); at > 0 {
		short = short[:at]
	}
	return short
}

// pickName is the name that was given, which must be free, or the guessed one
// with the first number that is.
func (o *rememberOptions) pickName(p *place, guess string) (string, error) {
	if o.name != "" {
		if p.taken[o.name+noteEnding] {
			return "", errRefused{why: fmt.Sprintf("there is a note %s already; add to it with --update %s, change it with %s, or give another --name",
				o.name+noteEnding, shellWord(o.name), p.c.command("edit "+shellWord(o.name)))}
		}
		return o.name, nil
	}
	if store.ValidName(guess+noteEnding) != nil {
		guess = "note"
	}
	const longest = 70 // leaves room for a number in what ValidName takes
	base := strings.TrimRight(guess[:min(len(guess), longest)], "-._")
	name := guess
	for n := 2; p.taken[name+noteEnding]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name, nil
}

// pretend says what a write would do.
func (o *rememberOptions) pretend(p *place, m *memo) error {
	m.rep.DryRun, m.rep.Note = true, string(m.bytes)
	after, err := note.ReadIndex(p.index).Insert(m.line)
	if err != nil {
		return fmt.Errorf("%s: %w", store.IndexName, err)
	}
	if l := p.limits(); l.Measure != nil {
		size := l.Measure(after)
		m.rep.Index.Lines, m.rep.Index.Units = size.Lines, size.Units
		switch full := size.Lines > l.Lines || size.Units > l.Units; {
		case full && o.makeRoom:
			m.rep.say("Lines would move out of the index, for it would have %d lines and %d characters.", size.Lines, size.Units)
		case full:
			return errFull(p, &store.FullError{Lines: size.Lines, Units: size.Units, Limits: l})
		}
	}
	p.index = after
	m.rep.LoadsLine, m.rep.Line = lineOf(string(after), m.rep.File)
	return nil
}

// updateNote adds a text to a note that is there, or puts it in place of the
// note's own.
func (o *rememberOptions) updateNote(p *place, text string) (*rememberReport, error) {
	r := newRememberReport()
	r.Updated = true
	rel, err := p.st.Find(o.update)
	if err != nil {
		return nil, err
	}
	if rel == store.IndexName {
		return nil, errors.New("--update: " + rel + " is the index: dormouse edit " + rel + " changes it")
	}
	if err := p.readIndex(); err != nil {
		return nil, err
	}
	r.File, r.Path = rel, filepath.Join(p.st.Dir(), filepath.FromSlash(rel))
	const tries = 5 // a further paragraph fits whatever another program writes meanwhile
	for try := 1; ; try++ {
		err := o.updateOnce(p, r, text)
		moved := errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrChanged)
		if moved && !o.replace && try < tries {
			continue
		}
		if err != nil {
			return nil, err
		}
		if o.dryRun {
			return r, nil
		}
		return r, o.writeImport(p, []*rememberReport{r})
	}
}

// updateOnce reads the note and writes it with the text in it.
func (o *rememberOptions) updateOnce(p *place, r *rememberReport, text string) error {
	rel := r.File
	before, err := p.st.Read(rel)
	if err != nil {
		return err
	}
	after, err := o.updated(p, before, text)
	if err != nil {
		return fmt.Errorf("%s: %w", rel, err)
	}
	if err := fits(len(after)); err != nil {
		return err
	}
	n := note.Parse(after)
	r.Name, r.Type, r.Description = n.Name(), n.Type(), n.Description()
	if r.Name == "" {
		r.Name = stem(rel)
	}
	if o.dryRun {
		r.DryRun, r.Note = true, string(after)
		r.LoadsLine, r.Line = lineOf(string(p.rehooked(rel, note.Parse(before), n)), rel)
		return nil
	}
	if o.meanwhile != nil {
		o.meanwhile()
	}
	done, err := p.st.Edit(o.by(p.session), rel, before, after)
	if err != nil {
		return err
	}
	r.done(done)
	return nil
}

// rehooked is the index as the store would write it where the description of a
// note changes: a line that said the old one says the new one.
func (p *place) rehooked(rel string, old, new *note.Note) []byte {
	was, is := old.Line(rel).Hook, p.defused(new.Line(rel).Hook)
	x := note.ReadIndex(p.index)
	for _, l := range x.Listed() {
		if !l.Stands || l.Files[0] != rel || is == "" || l.Hook != was && l.Hook != p.defused(was) {
			continue
		}
		if next, err := x.SetHook(rel, is); err == nil {
			return next
		}
	}
	return p.index
}

// updated is the note with the text in it. The description goes with the text
// that it was made of; the time that the agent put in is kept true.
func (o *rememberOptions) updated(p *place, before []byte, text string) ([]byte, error) {
	n := note.Parse(before)
	body := strings.Trim(text, "\r\n")
	var after []byte
	var err error
	switch {
	case o.replace:
		after, err = n.SetBody(body)
	case len(n.Body()) == 0:
		after, err = n.Append(body)
	default:
		after, err = n.Append("\n" + body)
	}
	description := o.description
	if o.replace && description == "" {
		description = draft.Guess(text).Description
	}
	_, stamped := n.Text("modified")
	for _, f := range []struct {
		key, value string
		set        bool
	}{
		{"description", p.defused(description), description != ""},
		{"type", o.kind, o.kind != ""},
		{"modified", note.Stamp(o.io.Now()), stamped},
	} {
		if err == nil && f.set {
			after, err = note.Parse(after).Set(f.key, f.value)
		}
	}
	return after, err
}
