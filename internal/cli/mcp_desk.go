package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"dormouse/host"
	"dormouse/internal/mcpserver/memory"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

// Desk answers an agent's questions about the notes of one project after another.
// Each is answered as a command of its own would: what was switched off or changed
// meanwhile counts. It is for one call at a time.
type Desk struct {
	io                   *IO
	host, project, store string // project and store absolute, or ""
}

// desk is that of the common flags.
func (c *common) desk() (*Desk, error) {
	d := &Desk{io: c.io, host: c.host}
	if c.project == "" && c.store == "" {
		return d, nil
	}
	s, err := c.session()
	if err != nil {
		return nil, err
	}
	d.store = s.Store
	if c.project != "" {
		d.project = s.Cwd
	}
	return d, nil
}

// Project is the folder that was given when the server was started, absolute; ""
// where none was.
func (d *Desk) Project() string { return d.project }

// Store is the folder of notes that was given, absolute; "" where none was.
func (d *Desk) Store() string { return d.store }

// Version is that of this program.
func (d *Desk) Version() string {
	v, _ := builtVersion()
	return v
}

// errWhich keeps the folder that the server was started in from being taken for
// the project.
var errWhich = errors.New("no project was given")

// at is a command line that means a place, given by the agent. What it would print
// goes nowhere.
func (d *Desk) at(w memory.Where) *common {
	streams := *d.io
	streams.In, streams.Out, streams.Err = strings.NewReader(""), io.Discard, io.Discard
	streams.Getwd = func() (string, error) {
		switch {
		case w.Project != "":
			return w.Project, nil
		case d.store != "": // whose notes are meant is said, and no project is
			return filepath.VolumeName(d.store) + string(filepath.Separator), nil
		}
		return "", errWhich
	}
	c := &common{io: &streams, out: &checked{w: io.Discard}, host: d.host, project: w.Project, store: d.store}
	session := w.Session
	if h, err := c.theHost(); err == nil && session == "" {
		if in, ok := h.(host.Insider); ok {
			session, _ = in.Inside(d.io.Env)
		}
	}
	c.actor = &store.By{Actor: store.Agent, Session: session}
	return c
}

// told is an error for the agent: its commands are for the user.
func (c *common) told(err error) error {
	if err == nil {
		return nil
	}
	text := c.errorText(err)
	for _, flag := range []string{"name", "type", "description"} {
		text = strings.ReplaceAll(text, "--"+flag, flag)
	}
	return errors.New(text)
}

// opened is a store at work, with what judges its notes.
type opened struct {
	*common
	st    *store.Store
	s     host.Session
	rep   *startup.Report
	guard *trust.Guard

	writes bool // then the journal may be brought up to date as well
}

// open opens the notes of a place; memory that is off is an error before anything
// is touched.
func (c *common) open(writes bool) (*opened, error) {
	h, err := c.theHost()
	if err != nil {
		return nil, err
	}
	if _, ok := h.(host.Keeper); writes && !ok && c.store == "" {
		return nil, fmt.Errorf("the memory of %s cannot be written from here; start the server with --store DIR for a folder of notes", h.Title())
	}
	o := &opened{common: c, writes: writes}
	open := c.openStore
	if writes {
		open = c.openToWrite
	}
	if o.st, o.s, o.rep, err = open(); err != nil {
		return nil, err
	}
	if o.guard, err = c.guard(); err != nil {
		release(o.st)
		return nil, err
	}
	o.guard.Imported = c.global != nil
	return o, nil
}

func (o *opened) close() { release(o.st) }

// heldError keeps a note that waits for a review from an agent. It holds no words
// of the note, nor the name of its file: only what the agent called it.
type heldError struct{ name, why, review string }

func (e heldError) Error() string {
	return fmt.Sprintf("%s waits for the user's review and is not for you: %s. The user sees it with %s, at a terminal", e.name, e.why, e.review)
}

// noNoteError does without the names that are near: a note may be called anything.
type noNoteError struct{ name string }

func (e noNoteError) Error() string {
	return e.name + ": there is no such note, or more than one: give a file as search shows it"
}

func (e noNoteError) Unwrap() error { return store.ErrNoNote }

// find finds a note that may reach a session, with its bytes.
func (o *opened) find(name string) (rel string, b []byte, v trust.Verdict, err error) {
	if rel, err = resolve(o.st, name); errors.Is(err, store.ErrNoNote) {
		return "", nil, v, noNoteError{name}
	} else if err != nil {
		return "", nil, v, err
	}
	if rel == store.IndexName {
		return "", nil, v, errors.New(rel + " is the index, which sessions load at their start: search finds the notes that it names")
	}
	if b, err = o.st.Read(rel); err != nil {
		return "", nil, v, err
	}
	if store.IsPage(rel, b) {
		return "", nil, v, errors.New(rel + " lists notes, and is none: search finds them")
	}
	if v, err = o.judged(rel, b); err == nil && !v.Loads {
		err = heldError{name, v.Words(), o.command("review")}
	}
	return rel, b, v, err
}

// judged judges one note by what the journal says, and, before a write, by what the
// agent's transcripts say as well: that is taken down, and a look writes nothing.
func (o *opened) judged(rel string, b []byte) (trust.Verdict, error) {
	if o.writes {
		if _, err := o.guard.Recognise(o.st, o.transcripts(o.s)); err != nil {
			return trust.Verdict{}, err
		}
	}
	history, err := o.st.History("")
	if err != nil {
		return trust.Verdict{}, fmt.Errorf("where %s is from cannot be told: %w", rel, err)
	}
	return o.guard.Judge(trust.Read(history), b), nil
}

// text is a note as it is told.
func (o *opened) text(rel string, b []byte, v trust.Verdict) *memory.Text {
	n := note.Parse(b)
	a := ageOf(n, fileTime(filepath.Join(o.st.Dir(), filepath.FromSlash(rel)), o.io.Now()), o.io.Now())
	clean, _ := o.guard.Clean(strings.ToValidUTF8(string(b), "\uFFFD"))
	return &memory.Text{
		Path: rel, Kind: n.Type(), Date: a.Modified, Days: a.Days, Origin: v.Origin, Approved: v.Approved, Text: clean,
	}
}
