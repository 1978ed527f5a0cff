package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/internal/mcpserver/memory"
	"dormouse/recall"
	"dormouse/recall/find"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

// Search answers a question from what may reach a session.
func (d *Desk) Search(ctx context.Context, w memory.Where, q memory.Query) (*memory.Found, error) {
	c := d.at(w)
	for _, t := range q.Types {
		if !slices.Contains(noteTypes(), t) {
			return nil, fmt.Errorf("there is no type %q; there are %s", t, strings.Join(noteTypes(), ", "))
		}
	}
	o := &searchOptions{common: c, types: q.Types, limit: q.Limit, sessions: q.Sessions, query: q.Text}
	p, _, err := o.places()
	if err != nil {
		return nil, c.told(err)
	}
	defer p.close()
	a, err := find.Open(p.conf).Find(ctx, find.Question{
		Query:    recall.Query{Text: q.Text, Limit: q.Limit, Types: q.Types, Now: c.io.Now()},
		Standing: q.Text == "", Conflicts: true,
	})
	if err != nil {
		return nil, c.told(err)
	}
	return c.foundFor(a, p), nil
}

// foundFor is an answer without what waits.
func (c *common) foundFor(a *find.Answer, p *places) *memory.Found {
	now := c.io.Now()
	out := &memory.Found{Waiting: a.Waiting, More: a.StandingMore, Missing: p.skipped}
	for i := range a.Hits {
		if !a.Hits[i].Loads {
			continue
		}
		hit := memory.Hit{Text: hitText(&a.Hits[i], now)}
		for _, other := range a.Hits[i].Conflicts {
			if other.Loads {
				hit.Against = append(hit.Against, hitText(&other.Hit, now))
			}
		}
		out.Hits = append(out.Hits, hit)
	}
	for i := range a.Standing {
		if a.Standing[i].Loads {
			out.Standing = append(out.Standing, hitText(&a.Standing[i], now))
		}
	}
	for _, err := range a.Problems {
		out.Missing = append(out.Missing, c.errorText(err))
	}
	if a.Unread > 0 {
		out.Missing = append(out.Missing, count(a.Unread, "note")+" that can't be read")
	}
	return out
}

func hitText(h *find.Hit, now time.Time) memory.Text {
	t := memory.Text{Path: h.Path, Line: h.Line, Kind: h.Type, Date: h.Date, Origin: h.Origin, Approved: h.Approved}
	switch h.Kind {
	case recall.Note:
		t.Path = h.Rel
	case recall.Instruction:
		t.Kind = "instructions"
	case recall.Turn:
		t.Kind = "the agent said"
		if h.Type == "user" {
			t.Kind = "the user said"
		}
	}
	if !h.Date.IsZero() {
		t.Days = max(0, int(now.Sub(h.Date)/(24*time.Hour)))
	}
	lines := []string{h.Excerpt}
	if about := hitTitle(h); about != "" && !strings.HasPrefix(h.Excerpt, strings.TrimSuffix(about, "…")) {
		lines = []string{about, h.Excerpt}
	}
	t.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	return t
}

// Read tells one note of the project, or of those for all projects.
func (d *Desk) Read(_ context.Context, w memory.Where, name string) (*memory.Text, error) {
	c := d.at(w)
	o, err := c.open(false)
	if err != nil {
		return nil, c.told(err)
	}
	defer o.close()
	rel, b, v, err := o.find(name)
	if errors.Is(err, store.ErrNoNote) {
		if t := o.readGlobal(name); t != nil {
			return t, nil
		}
	}
	if err != nil {
		return nil, c.told(err)
	}
	return o.text(rel, b, v), nil
}

// readGlobal tells a note of those for all projects; nil where there is none of
// that name that may be told.
func (o *opened) readGlobal(name string) *memory.Text {
	t, _, err := o.globalTrusting(o.rep.Mem.Dir)
	if err != nil || t == nil {
		return nil
	}
	defer release(t.st)
	all := &opened{common: t.c, st: t.st, s: t.s, rep: o.rep, guard: t.guard}
	rel, b, v, err := all.find(name)
	if err != nil {
		return nil
	}
	return all.text(rel, b, v)
}

// Status tells what a session in the project loads. With memory off the notes are
// not looked at.
func (d *Desk) Status(_ context.Context, w memory.Where) (*memory.Status, error) {
	c := d.at(w)
	s, err := c.session()
	if err != nil {
		return nil, c.told(err)
	}
	s.Thorough = true
	h, rep, err := c.look(s)
	if err != nil {
		return nil, c.told(err)
	}
	next := c.advise(h, s, rep)
	st := &memory.Status{
		Project: rep.Cwd, Folder: rep.Mem.Dir, Tokens: rep.Tokens(), Notes: rep.Mem.Notes, Left: map[string]int{},
		Index: indexWords(rep.Mem.Index), Review: c.command("review"), Next: next.What,
	}
	if next.How != "" {
		st.Next += " (" + next.How + ")"
	}
	for _, f := range rep.Loaded {
		st.Loaded = append(st.Loaded, memory.Loaded{Path: f.Path, Tokens: f.Tokens})
		if f.Cut != nil {
			st.Wrong = append(st.Wrong, cutWords(f.Cut))
		}
	}
	for _, l := range rep.Left {
		if !isWord(l) {
			st.Left[string(l.Reason)] += max(1, l.Count)
		}
	}
	for _, p := range rep.Problems {
		st.Wrong = append(st.Wrong, p.Path+": "+p.What)
	}
	if !rep.Mem.On && c.store == "" {
		st.Off, st.Notes = oneLine(c.memoryOff(h, s, rep)), 0
		return st, nil
	}
	st.Waiting, err = c.waiting()
	if err != nil {
		st.Wrong = append(st.Wrong, c.errorText(err))
	}
	if st.Waiting > 0 {
		// Notes that wait have no line in the index, and are not to get one here.
		st.Next = "the user's review of what waits"
	}
	return st, nil
}

func indexWords(ix *startup.Index) string {
	switch {
	case ix == nil:
		return "There is no index yet."
	case ix.Generated:
		return fmt.Sprintf("There is no index: the client makes one of %s.", count(ix.Lines, "line"))
	}
	return fmt.Sprintf("The index has %s of %s lines, %s of %s characters.", thousands(ix.Lines), thousands(ix.LinesLimit), thousands(ix.Chars), thousands(ix.CharsLimit))
}

// waiting counts the notes that wait for a review, here and among those for all
// projects. It writes nothing.
func (c *common) waiting() (int, error) {
	o, err := c.open(false)
	if err != nil {
		return 0, err
	}
	defer o.close()
	n, err := undecided(o.st, o.guard)
	if err != nil {
		return 0, err
	}
	all, _, err := c.globalTrusting(o.st.Dir())
	if err != nil || all == nil {
		return n, err
	}
	defer release(all.st)
	more, err := undecided(all.st, all.guard)
	return n + more, err
}

// undecided counts what may not reach a session and nobody has turned down.
func undecided(st *store.Store, g *trust.Guard) (int, error) {
	history, err := st.History("")
	if err != nil {
		return 0, err
	}
	items, err := listNotes(st)
	if err != nil {
		return 0, err
	}
	l := trust.Read(history)
	n := len(l.Pending())
	for _, it := range items {
		if it.Note == nil || store.IsPage(it.Rel, it.Note.Bytes()) {
			continue
		}
		if v := g.Judge(l, it.Note.Bytes()); !v.Loads && !v.Has(trust.ByRejected) {
			n++
		}
	}
	return n, nil
}
