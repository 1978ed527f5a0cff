// Package keep brings what extraction found into a store: as a note, into one that
// is there, or into the review. What is there already is not written again, so
// that a second run over the same sessions changes nothing.
package keep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/scan/secrets"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

// Action is what became of a candidate.
type Action string

// The actions.
const (
	Kept       Action = "kept"       // it is a note now
	Superseded Action = "superseded" // it is a note now, and an older one that said otherwise left the index
	Confirmed  Action = "confirmed"  // a second session said it, and it is a note now
	Known      Action = "known"      // a note says it already
	Review     Action = "review"     // it waits for a person, or for a second session
	Waits      Action = "waits"      // it waits already
	Forgotten  Action = "forgotten"  // the person took it back, and the note that extraction had made is gone
	Dropped    Action = "dropped"
)

// Outcome is what became of one candidate, and why.
type Outcome struct {
	extract.Candidate
	Action Action
	File   string // the note that it is, or that says it
	Into   string // the older note that it took the place of
	// Against are the notes that say otherwise and stay as they are, since that is
	// not all they say.
	Against  []Place
	Why      string
	Change   int               // in the journal; 0: nothing was written
	MovedOut []store.Candidate // index lines that had to make room
}

// Place is a line of a note.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"` // 1-based, front matter counted
}

func (p Place) String() string { return fmt.Sprintf("%s, line %d", p.File, p.Line) }

// Keeper writes into one store. It is not for use by several goroutines.
type Keeper struct {
	St    *store.Store
	Guard *trust.Guard
	// Dry decides and writes nothing.
	Dry bool
	// Room tells what to do when the index is full: by default the note is refused
	// with a *store.FullError.
	Room store.Room
	// Limits are those of the index, for a Dry keeper; zero: it does not tell when
	// the index would be full.
	Limits store.Limits

	notes  []draft.Known
	items  map[string]store.Item
	ledger *trust.Ledger
	by     map[string]store.Actor // who wrote what a note holds now
	before *lineage
	index  []byte // of a Dry keeper: as it would be
	finder *secrets.Finder
}

// Keep decides on the candidates in the order in which they were said. An error
// ends it; what was written before stands, and is in the outcomes.
func (k *Keeper) Keep(candidates []extract.Candidate) ([]Outcome, error) {
	if err := k.read(); err != nil {
		return nil, err
	}
	list := slices.Clone(candidates)
	slices.SortStableFunc(list, func(a, b extract.Candidate) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Session, b.Session), cmp.Compare(a.Line, b.Line))
	})
	out := make([]Outcome, 0, len(list))
	for _, c := range list {
		o, err := k.one(c)
		if err != nil {
			return out, fmt.Errorf("keeping what line %d of session %s says: %w", c.Line, c.Session, err)
		}
		out = append(out, o)
	}
	return out, nil
}

// read looks at what is there.
func (k *Keeper) read() error {
	items, err := k.St.List()
	if err != nil {
		return err
	}
	history, err := k.St.History("")
	if err != nil {
		return err
	}
	k.notes, k.items, k.by = nil, map[string]store.Item{}, map[string]store.Actor{}
	if k.Dry && k.index == nil {
		k.index, _ = k.St.Read(store.IndexName) // none is an empty one
	}
	k.ledger, k.before = trust.Read(history), readLineage(history)
	for _, e := range slices.Backward(history) {
		for _, c := range e.Changes {
			k.by[c.Path] = e.Actor
		}
	}
	for _, it := range items {
		if it.Note == nil || store.IsPage(it.Rel, it.Note.Bytes()) {
			continue
		}
		if _, gone := it.Note.Text("superseded_by"); gone {
			continue
		}
		k.items[it.Rel] = it
		k.notes = append(k.notes, draft.Known{
			File: it.Rel, Name: it.Note.Name(), Description: it.Note.Description(), Type: it.Note.Type(), Body: string(it.Note.Body()),
		})
	}
	return nil
}

func (k *Keeper) one(c extract.Candidate) (Outcome, error) {
	clean := k.Clean(c.Text)
	secret := clean != c.Text
	c.Text, c.Quote = clean, k.Clean(c.Quote)
	if secret || c.Origin != transcript.Person && strings.Contains(c.Quote, masked) {
		return Outcome{Candidate: c, Action: Dropped, Why: "a secret stands in it"}, nil
	}
	if c.Kind == extract.Retraction {
		return k.takeBack(c)
	}
	for _, m := range draft.Same(c.Text, k.notes) {
		if m.Kind == draft.Exact || k.says(m.File, c.Text) {
			return Outcome{Candidate: c, Action: Known, File: m.File, Why: "a note says it already"}, nil
		}
	}
	if why := k.before.gone(c); why != "" {
		return Outcome{Candidate: c, Action: Dropped, Why: why}, nil
	}
	if file := k.made(c); file != "" {
		return Outcome{Candidate: c, Action: Known, File: file, Why: "it was kept before, and the note was changed since"}, nil
	}
	if c.Origin != transcript.Person || c.Confidence < extract.Threshold {
		return k.review(c, "")
	}
	return k.write(c, Kept)
}

// says reports whether a note says all that the text says.
func (k *Keeper) says(file, text string) bool {
	it := k.items[file]
	if it.Note == nil {
		return false
	}
	for _, cl := range claim.Split(string(it.Note.Body())) {
		r := claim.Compare(cl.Text, text)
		if r.Kind == claim.Exact || r.Kind == claim.Same || r.Kind == claim.Within && r.More == 1 {
			return true
		}
	}
	return false
}

func (k *Keeper) drop(file string) {
	k.notes = slices.DeleteFunc(k.notes, func(n draft.Known) bool { return n.File == file })
	delete(k.items, file)
}

func (k *Keeper) maker(c extract.Candidate, origin trust.Origin) store.By {
	return store.By{
		Actor: store.Extract, Session: c.Session, Origin: string(origin),
		From: []store.Source{{Session: c.Session, Line: c.Line, Quote: c.Quote}},
	}
}

func origin(c extract.Candidate) trust.Origin {
	if c.Origin == transcript.Person {
		return trust.UserTurn
	}
	return trust.Tool
}

// review lets a candidate wait: for a person, or for a second session that says
// the same. With a reason why it can't hold beside a note it waits for a person,
// however often it is said.
func (k *Keeper) review(c extract.Candidate, why string) (Outcome, error) {
	if p, ok := k.pending(c); ok {
		switch {
		case why != "":
			return Outcome{Candidate: c, Action: Waits, File: p.Path, Why: why}, nil
		case p.Entry.Session == c.Session || c.Origin != transcript.Person || !k.ledger.Origin(p.Hash).AtLeast(trust.UserTurn):
			return Outcome{Candidate: c, Action: Waits, File: p.Path, Why: "it waits in the review already"}, nil
		case k.copied(c, p):
			return Outcome{Candidate: c, Action: Waits, File: p.Path, Why: "it waits in the review already, and this session is a copy of " + p.Entry.Session}, nil
		}
		o, err := k.write(c, Confirmed)
		if o.Action == Confirmed {
			o.Why = strings.Join(append([]string{"a second session says it, after " + p.Entry.Session}, asides(o.Against)...), "; ")
		}
		return o, err
	}
	if why == "" {
		why = "only a tool's result speaks for it"
		if c.Origin == transcript.Person {
			why = "it is not sure enough, and waits for a second session or for you"
		}
	}
	out := Outcome{Candidate: c, Action: Review, Why: why}
	if k.Dry {
		return out, nil
	}
	n, err := k.compose(c)
	if err != nil {
		return out, err
	}
	e, err := k.St.Record(k.maker(c, origin(c)), trust.OpPropose, store.Mark{Path: n.File, Bytes: n.Bytes})
	if err != nil {
		return out, err
	}
	out.File, out.Change = n.File, e.ID
	history, err := k.St.History("")
	k.ledger = trust.Read(history)
	return out, err
}

// copied reports whether a candidate is the very thing that waits, out of a copy of
// its session with ids of its own: the same words at the same moment.
func (k *Keeper) copied(c extract.Candidate, p trust.Proposal) bool {
	text, err := k.St.Content(p.Hash)
	if err != nil || c.Time.IsZero() || !slices.ContainsFunc(p.Entry.From, func(s store.Source) bool { return s.Quote == c.Quote }) {
		return false
	}
	at, ok := saidAt(note.Parse(text))
	return ok && at.Equal(c.Time.Truncate(time.Second))
}

// pending is what waits in the review and says the same.
func (k *Keeper) pending(c extract.Candidate) (trust.Proposal, bool) {
	for _, p := range k.ledger.Pending() {
		text, err := k.St.Content(p.Hash)
		if err != nil || p.Entry.Actor != store.Extract {
			continue
		}
		body := strings.TrimSpace(string(note.Parse(text).Body()))
		if r := claim.Compare(body, c.Text); r.Kind == claim.Exact || r.Kind == claim.Same || body == strings.TrimSpace(c.Text) {
			return p, true
		}
	}
	return trust.Proposal{}, false
}

// write makes a note of a candidate. A note that says otherwise and nothing else
// makes place for it; one that says more stays, and the outcome names it.
func (k *Keeper) write(c extract.Candidate, action Action) (Outcome, error) {
	out := Outcome{Candidate: c, Action: action, Why: c.Why}
	against := k.against(c.Text)
	older := ""
	for _, a := range against {
		if why := k.stands(c, a); why != "" {
			o, err := k.review(withLess(c), why)
			o.File = cmp.Or(o.File, a.File)
			return o, err
		}
		if a.alone && older == "" {
			older = a.File
			continue
		}
		out.Against = append(out.Against, a.Place)
	}
	why := asides(out.Against)
	if older != "" {
		out.Action, out.Into = Superseded, older
		why = append([]string{"the person said otherwise before: " + older}, why...)
	}
	if len(why) > 0 {
		out.Why = strings.Join(why, "; ")
	}
	n, err := k.compose(c)
	if err != nil {
		return out, err
	}
	out.File = n.File
	if k.Dry {
		err = k.pretend(n, older)
	} else {
		done, addErr := k.add(c, n, older)
		err = addErr
		if done != nil {
			out.Change, out.MovedOut = done.ID, done.MovedOut
		}
	}
	if err != nil {
		return out, err
	}
	if older != "" {
		k.drop(older)
	}
	parsed := note.Parse(n.Bytes)
	k.items[n.File] = store.Item{Rel: n.File, Note: parsed}
	k.by[n.File] = store.Extract
	k.notes = append(k.notes, draft.Known{File: n.File, Name: parsed.Name(), Description: parsed.Description(), Type: parsed.Type(), Body: string(parsed.Body())})
	return out, nil
}

// add writes a note, and marks the one whose place it takes.
func (k *Keeper) add(c extract.Candidate, n *store.New, older string) (*store.Done, error) {
	by := k.maker(c, trust.UserTurn)
	if p, ok := k.pending(c); ok && k.ledger.Origin(p.Hash).AtLeast(trust.UserTurn) {
		by.From = append(by.From, store.Source{Hash: p.Hash}) // so it no longer waits
	}
	done, err := k.St.Add(by, *n, k.Room)
	if err == nil && older != "" {
		err = k.supersede(c, older, n.File)
	}
	return done, err
}

// pretend adds a note to the index as it would be.
func (k *Keeper) pretend(n *store.New, older string) error {
	x, err := note.ReadIndex(k.index).Insert(n.Line)
	if err != nil {
		return err
	}
	if l := k.Limits; l.Measure != nil && k.Room == store.Refuse {
		if size := l.Measure(x); size.Lines > l.Lines || size.Units > l.Units {
			return &store.FullError{Lines: size.Lines, Units: size.Units, Limits: l}
		}
	}
	if rest, err := note.ReadIndex(x).Remove(older); err == nil {
		x = rest
	}
	k.index = x
	return nil
}

// withLess is a candidate that has to wait.
func withLess(c extract.Candidate) extract.Candidate {
	c.Confidence = min(c.Confidence, extract.Threshold/2)
	return c
}
