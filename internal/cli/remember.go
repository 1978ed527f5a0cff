package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/draft"
	"dormouse/store"
	"dormouse/trust"
)

type rememberOptions struct {
	*common
	kind, name, description string
	update                  string
	replace, again          bool
	split, global           bool
	makeRoom, dryRun        bool

	meanwhile func() // in tests: what another program does before an edit is written
}

func newRemember(c *common) *cobra.Command {
	o := &rememberOptions{common: c}
	cmd := &cobra.Command{
		Use:   "remember [TEXT | -]",
		Short: "Write a note into the agent's memory, and show that a session will see it",
		Long: `Writes TEXT, or what comes in on standard input, as one note of this project's memory
and gives it a line in the index. Type, name and description are guessed by plain rules
and shown. A note that is there on the same matter is named instead of writing a second
one. At the end it looks whether a session started here would see the note, and says so,
or says what is in the way.

Exit status: 0; 1 when nothing was written, or no session would see it; 2 for wrong use.`,
		Example: `  dormouse remember "Prices are integers in cents; rounding happens once, at the end"
  dormouse remember --type feedback --name no-mocks "Never mock the database in tests"
  git log -1 --format=%B | dormouse remember
  dormouse remember --global "I read diffs on a phone: keep them short"
  dormouse remember --update no-mocks "The CI has a Postgres for that"
  dormouse remember --split - < handover.txt
  dormouse remember --dry-run "…"          show what it would write`,
		RunE: func(cmd *cobra.Command, args []string) error { return runRemember(o, cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.kind, "type", "", "the note's `type`: "+strings.Join(noteTypes(), ", "))
	f.StringVar(&o.name, "name", "", "the note's `name`, and that of its file")
	f.StringVar(&o.description, "description", "", "what the index says of it, in one `line`")
	f.StringVar(&o.update, "update", "", "add the text to this `note` as a further paragraph")
	f.BoolVar(&o.replace, "replace", false, "with --update: put the text in place of the note's own")
	f.BoolVar(&o.again, "new", false, "write it even when there is a note on the same matter")
	f.BoolVar(&o.split, "split", false, "make a note of each fact in the text")
	f.BoolVar(&o.global, "global", false, "for all your projects, not only this one")
	f.BoolVar(&o.makeRoom, "make-room", false, "when the index is full, move its least valuable lines out")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would be written, and write nothing")
	return cmd
}

// noteTypes are those that the agent itself gives.
func noteTypes() []string { return []string{"user", "feedback", "project", "reference"} }

func runRemember(o *rememberOptions, cmd *cobra.Command, args []string) error {
	guard, err := o.guard()
	if err != nil {
		return err
	}
	left, err := o.clean(guard) // before anything tells of it
	if err == nil {
		err = o.check()
	}
	if err != nil {
		return err
	}
	text, err := o.text(cmd, args)
	if err != nil {
		return err
	}
	// Before a name or a description is made of it.
	text, more := guard.Clean(text)
	left = once(append(more, left...))
	p, err := o.open()
	if err != nil {
		return err
	}
	p.guard = guard
	defer p.st.Close() //nolint:errcheck // every write is done when it returns
	if o.update != "" {
		rep, err := o.updateNote(p, text)
		if rep != nil {
			rep.Said = append(left, rep.Said...)
		}
		return o.finish(p, []*rememberReport{rep}, err)
	}
	facts := []string{text}
	if o.split {
		if parts := once(draft.Split(text)); len(parts) > 0 {
			facts = parts
		}
	}
	reps, err := o.remember(p, facts)
	if len(reps) > 0 && reps[0] != nil {
		reps[0].Said = append(left, reps[0].Said...)
	}
	return o.finish(p, reps, err)
}

// once leaves out what a text says again in the same words.
func once(facts []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(facts, func(f string) bool {
		again := seen[f]
		seen[f] = true
		return again
	})
}

// clean takes secrets out of the description, and refuses them where a name has
// to stay what it is. They are not told again.
func (o *rememberOptions) clean(guard *trust.Guard) (left []string, err error) {
	for _, f := range []struct{ flag, value string }{{"name", o.name}, {"type", o.kind}, {"update", o.update}} {
		if got, _ := guard.Clean(f.value); got != f.value {
			return nil, usageError{fmt.Errorf("--%s holds a secret, which does not belong into a note, nor into its name", f.flag)}
		}
	}
	o.description, left = guard.Clean(o.description)
	return left, nil
}

// check refuses flags that do not go together.
func (o *rememberOptions) check() error {
	wrong := func(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
	switch {
	case o.kind != "" && !slices.Contains(noteTypes(), o.kind):
		return wrong("--type: there is no type %q; there are %s", o.kind, strings.Join(noteTypes(), ", "))
	case o.global && o.store != "":
		return wrong("--global and --store name two places: give one of them")
	case o.replace && o.update == "":
		return wrong("--replace goes with --update NOTE, the note whose text it replaces")
	case o.update != "" && (o.again || o.split || o.name != "" || o.makeRoom):
		return wrong("--update goes with none of --new, --split, --name and --make-room: it writes no new note")
	case o.split && (o.name != "" || o.description != ""):
		return wrong("--split makes several notes: it goes with neither --name nor --description")
	case strings.ContainsAny(o.description, "\r\n"):
		return wrong("--description is one line")
	case strings.TrimSpace(o.description) == "" && o.description != "":
		return wrong("--description is blank")
	}
	return o.checkName()
}

func (o *rememberOptions) checkName() error {
	if o.name == "" {
		return nil
	}
	o.name = strings.TrimSuffix(o.name, noteEnding)
	err := store.ValidName(o.name + noteEnding)
	if err == nil {
		return nil
	}
	hint := ""
	if slug := draft.Slug(o.name); slug != "" && slug != o.name && store.ValidName(slug+noteEnding) == nil {
		hint = fmt.Sprintf("; --name %s is one", slug)
	}
	return fmt.Errorf("--name: %w%s", err, hint)
}

// errRefused ends a remember that was refused, with the reason. Of several facts
// some may have been written before.
type errRefused struct {
	why          string
	written, all int
}

func (e errRefused) Error() string {
	if e.written > 0 {
		return fmt.Sprintf("%d of %d facts are written; the next was refused: %s", e.written, e.all, e.why)
	}
	return "nothing was written: " + e.why
}

// remember writes each fact as a note, or none when one of them is refused
// before the first is written.
func (o *rememberOptions) remember(p *place, facts []string) ([]*rememberReport, error) {
	if err := p.read(); err != nil {
		return nil, err
	}
	var memos []*memo
	var reps []*rememberReport
	var refused error
	for _, text := range facts {
		m, err := o.plan(p, text)
		if err != nil {
			return nil, err
		}
		if m.rep.Same = p.same(text, o.again); len(m.rep.Same) > 0 && refused == nil {
			refused = sameMatter(p, m.rep.Same)
		}
		memos, reps = append(memos, m), append(reps, m.rep)
	}
	if refused != nil {
		return reps, refused
	}
	if len(memos) == 1 && memos[0].draft.Facts > 1 && !o.split {
		reps[0].say("The text holds %d facts; --split makes a note of each.", memos[0].draft.Facts)
	}
	for i, m := range memos {
		if err := o.write(p, m); err != nil {
			return o.stopped(p, reps, i, err)
		}
	}
	return reps, o.writeImport(p, reps)
}

// stopped ends the writing of several facts at the one that failed. What was
// written before it is to be seen all the same.
func (o *rememberOptions) stopped(p *place, reps []*rememberReport, at int, err error) ([]*rememberReport, error) {
	if refused, ok := errors.AsType[errRefused](err); ok {
		refused.written, refused.all = at, len(reps)
		err = refused
	} else if at == 0 {
		return nil, err
	} else {
		err = fmt.Errorf("%d of %d facts are written, then: %w", at, len(reps), err)
	}
	if at > 0 {
		err = errors.Join(err, o.writeImport(p, reps[:at]))
	}
	return reps, err
}

// sameMatter says what there is already, and the ways on.
func sameMatter(p *place, same []sameNote) error {
	s := same[0]
	says, add := "is on the same matter", fmt.Sprintf("add to it with --update %s, ", shellWord(s.Name))
	switch s.Kind {
	case draft.Exact.String():
		says, add = "says the same already", ""
	case draft.Conflict.String():
		says, add = "says otherwise on the same matter", fmt.Sprintf("put the new text in its place with --update %s --replace, ", shellWord(s.Name))
	}
	return errRefused{why: fmt.Sprintf("%s %s; %schange it with %s, or write a second note with --new",
		s.File, says, add, p.c.command("edit "+shellWord(s.Name)))}
}

// errFull ends a remember that the index has no room for.
func errFull(p *place, full *store.FullError) error {
	return errRefused{why: fmt.Sprintf("with it the index would have %d lines and %d characters, and only %d and %d load; "+
		"--make-room moves the least valuable lines out, or %s makes room",
		full.Lines, full.Units, full.Limits.Lines, full.Limits.Units, p.c.command("forget NOTE"))}
}

// write writes one note and its index line. A guessed name that another program
// took meanwhile is guessed again.
func (o *rememberOptions) write(p *place, m *memo) error {
	if o.dryRun {
		return o.pretend(p, m)
	}
	const tries = 20
	for try := 1; ; try++ {
		done, err := p.st.Add(o.by(p.session), store.New{File: m.rep.File, Bytes: m.bytes, Line: m.line}, store.Room(o.makeRoom))
		if full, ok := errors.AsType[*store.FullError](err); ok {
			m.rep.CouldGo = orEmpty(full.Could)
			return errFull(p, full)
		}
		if err == nil {
			m.rep.done(done)
			return nil
		}
		if !errors.Is(err, store.ErrExists) || o.name != "" || try == tries {
			return err
		}
		if err := o.rename(p, m); err != nil {
			return err
		}
	}
}

// rename plans a note again, with a name that is free now.
func (o *rememberOptions) rename(p *place, m *memo) error {
	took := m.rep.File
	if err := p.read(); err != nil {
		return err
	}
	p.taken[took] = true // it may be no note, and then is not listed
	again, err := o.plan(p, m.text)
	if err != nil {
		return err
	}
	again.rep.Same, again.rep.Said = m.rep.Same, m.rep.Said
	*m.rep = *again.rep
	m.bytes, m.line = again.bytes, again.line
	return nil
}
