package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/recall"
	"dormouse/recall/find"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

type searchOptions struct {
	*common
	types        []string
	limit        int
	sessions     bool
	instructions bool
	all          bool
	held         bool
	standing     bool
	query        string
}

func newSearch(c *common) *cobra.Command {
	o := &searchOptions{common: c}
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find notes, instructions and what was said in sessions",
		Long: `Finds what was written for a question, best first: the notes of this project and those for
all projects, and the sections of its instruction files (CLAUDE.md, rules). Each hit has its
date, where it came from, its file and line, and the words around. Where another text says
otherwise than a hit, that is shown with it.

Ask in your own words; files are read as they are now. Notes that wait for a review do not
come up, unless a person at a terminal asks with --held. With --standing the notes on you
and on how to work are listed too: they hold whatever is asked. With --sessions what was
said in this project's sessions is looked through as well: your words and the agent's, no
results of tools.

From 100 notes on an index is kept in Dormouse's state folder. It is a cache: deleting it
is safe. A model of vectors that recall.embedder in config.yaml names (a file, a folder or
openai:NAME@URL) reorders what was found by words; without one nothing of it is looked for.

Exit status: 0 with hits; 1 without, or when nothing could be looked through; 2 for wrong use.`,
		Example: `  dormouse search which port does the database listen on
  dormouse search deploy --type feedback --limit 3
  dormouse search --sessions "what did we decide about retries"
  dormouse search --all --json invoice | jq -r '.hits[].path'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.query = strings.Join(args, " ")
			if err := o.check(args); err != nil {
				return err
			}
			return runSearch(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.types, "type", nil, "only notes of this `type` (repeatable)")
	f.IntVar(&o.limit, "limit", 10, "at most this `number` of hits")
	f.BoolVar(&o.sessions, "sessions", false, "also what was said in sessions of this project")
	f.BoolVar(&o.instructions, "instructions", false, "only instruction files")
	f.BoolVar(&o.all, "all", false, "the notes of all projects on this machine")
	f.BoolVar(&o.held, "held", false, "also notes that wait for a review, marked")
	f.BoolVar(&o.standing, "standing", false, "also list the notes on you and on how to work")
	return cmd
}

// maxHits bounds --limit: past it nobody reads.
const maxHits = 1000

func (o *searchOptions) check(args []string) error {
	switch {
	case len(args) == 0:
		return usageError{errors.New("search for what? (see dormouse search --help)")}
	case o.limit < 1 || o.limit > maxHits:
		return usageError{fmt.Errorf("--limit %d: give a number from 1 to %d", o.limit, maxHits)}
	case o.instructions && (o.sessions || o.all || o.held || o.standing || len(o.types) > 0):
		return usageError{errors.New("--instructions looks through instruction files only, so --sessions, --all, --held, --standing and --type say nothing with it")}
	case o.all && o.store != "":
		return usageError{errors.New("--all and --store exclude each other: give one of them")}
	}
	for _, t := range o.types {
		if !slices.Contains(noteTypes(), t) {
			return usageError{fmt.Errorf("--type: there is no type %q; there are %s", t, strings.Join(noteTypes(), ", "))}
		}
	}
	return nil
}

// places are where a search looks, and what was opened for it.
type places struct {
	conf    find.Config
	opened  []*store.Store
	names   map[string]string // of a store's folder, what it is called
	skipped []string          // what was left out, and why
	// unranked tells why the embedder that the settings name takes no part.
	unranked error
}

func (p *places) close() {
	for _, st := range p.opened {
		release(st)
	}
}

func (p *places) add(st *store.Store, g *trust.Guard, name string) {
	p.opened = append(p.opened, st)
	p.names[st.Dir()] = name
	p.conf.Stores = append(p.conf.Stores, find.Folder{Store: st, Guard: g})
}

func runSearch(ctx context.Context, o *searchOptions) error {
	p, s, err := o.places()
	if err != nil {
		return err
	}
	defer p.close()
	if o.held && o.by(s).Actor != store.Human {
		return errors.New("--held is for a person at a terminal, and this runs inside the agent: notes that wait for a review are not for it")
	}
	q := find.Question{
		Query:    recall.Query{Text: o.query, Limit: o.limit, Types: o.types, Now: o.io.Now()},
		Held:     o.held,
		Standing: o.standing, Conflicts: true,
	}
	a, err := find.Open(p.conf).Find(ctx, q)
	if err != nil {
		return err
	}
	if p.unranked != nil {
		a.Problems = append(a.Problems, p.unranked)
	}
	out := o.people()
	if o.json {
		err = printJSON(o.out, o.reportSearch(a, p, out.Width > 0))
	} else {
		o.printSearch(out, a, p, pathPrinter(s))
	}
	if err != nil {
		return err
	}
	o.tellProblems(a)
	if len(a.Hits) == 0 {
		return errFound
	}
	return nil
}

// tellProblems says on standard error what was not looked through.
func (o *searchOptions) tellProblems(a *find.Answer) {
	warn := func(text string) {
		fmt.Fprintln(o.io.Err, "dormouse: warning:", term.Safe(o.hinted(text))) // nowhere left to say it
	}
	for _, err := range a.Problems {
		warn(o.errorText(err))
	}
	if a.Unread > 0 {
		warn(fmt.Sprintf("%s can't be read: see %s", count(a.Unread, "note"), o.command("list")))
	}
	if a.Uncached != nil {
		warn(fmt.Sprintf("the index can't be kept, so each search reads all notes: %v", a.Uncached))
	}
}

// places opens what the flags name.
func (o *searchOptions) places() (p *places, s host.Session, err error) {
	p = &places{names: map[string]string{}, conf: find.Config{Heavy: func() { debug.SetMemoryLimit(manyNotes) }}}
	if p.conf.State, err = host.StateFolder(o.io.Env); err != nil {
		return nil, s, err
	}
	if s, err = o.session(); err != nil {
		return nil, s, err
	}
	// Without the embedder that the person named the answer by words stands.
	if p.conf.Embed, p.unranked = o.ranker(p.conf.State); p.unranked != nil {
		p.conf.Embed = nil
	}
	s.IndexOnly = true // the notes are looked at by the search itself
	if o.instructions {
		_, rep, err := o.look(s)
		if err != nil {
			return nil, s, err
		}
		p.conf.Instructions = instructionFiles(rep)
		return p, s, nil
	}
	st, s, rep, err := o.openStoreOf(s)
	if _, off := errors.AsType[offError](err); off && o.all {
		p.skipped = append(p.skipped, offHere(rep.Mem.Dir))
		return p, s, o.allPlaces(p, s)
	}
	if err != nil {
		return nil, s, err
	}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	guard, err := o.guard()
	if err != nil {
		release(st)
		return nil, s, err
	}
	guard.Imported = o.global != nil
	p.add(st, guard, "")
	if len(o.types) == 0 && o.store == "" {
		p.conf.Instructions = instructionFiles(rep)
	}
	if o.sessions {
		own := extractOptions{common: o.common}
		p.conf.Logs = own.logsOf(s)
	}
	if err = o.globalPlace(p, rep); err != nil || !o.all {
		return p, s, err
	}
	return p, s, o.allPlaces(p, s)
}

// globalPlace adds the notes for all projects, which load here as well.
func (o *searchOptions) globalPlace(p *places, rep *startup.Report) error {
	t, dir, err := o.globalTrusting(rep.Mem.Dir)
	switch {
	case err != nil:
		p.skipped = append(p.skipped, fmt.Sprintf("%s: %v", dir, err))
	case t != nil:
		p.add(t.st, t.guard, "all projects")
	}
	return nil
}

func offHere(dir string) string { return dir + ": memory is off here" }

// allPlaces adds the notes of every project on this machine, but for those where
// memory is off.
func (o *searchOptions) allPlaces(p *places, s host.Session) error {
	h, err := o.theHost()
	if err != nil {
		return err
	}
	l, ok := h.(host.Lister)
	if !ok {
		return usageError{fmt.Errorf("--all: where %s keeps the memory of other projects is not known; name one with --project DIR", h.Title())}
	}
	memories, err := l.Memories(s)
	if err != nil {
		return err
	}
	for _, mem := range memories {
		if slices.Contains(p.skipped, offHere(mem.Dir)) { // nobody may know whose it is
			continue
		}
		name, own := filepath.Base(filepath.Dir(mem.Dir)), s
		own.Cwd, own.Store = s.Env.Home, "" // whose project isn't known, for that the person's own switch counts
		if roots := projectsOf(mem.Roots); len(roots) > 0 {
			name, own.Cwd = roots[0], roots[0]
		}
		if rep, err := h.Startup(own); err == nil && !rep.Mem.On {
			p.skipped = append(p.skipped, mem.Dir+": memory is off there")
			continue
		}
		st, err := o.openFolder(h, mem.Dir, nil)
		if err != nil {
			p.skipped = append(p.skipped, fmt.Sprintf("%s: %v", mem.Dir, err))
			continue
		}
		if _, had := p.names[st.Dir()]; had {
			p.names[st.Dir()] = name
			release(st)
			continue
		}
		guard, err := o.guard()
		if err != nil {
			release(st)
			return err
		}
		p.add(st, guard, name)
	}
	return nil
}

// instructionFiles are the files that a person wrote for a session here, whether
// they load at its start or when a file that they are about is read.
func instructionFiles(rep *startup.Report) []string {
	var out []string
	for _, list := range [][]startup.File{rep.Loaded, rep.After} {
		for i := range list {
			if list[i].Scope != startup.Memory && list[i].Path != "" {
				out = append(out, list[i].Path)
			}
		}
	}
	for _, l := range rep.Left {
		if l.Reason == startup.NotRuleWaiting {
			out = append(out, l.Path)
		}
	}
	return out
}
