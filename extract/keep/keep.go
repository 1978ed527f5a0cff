// Package keep brings what extraction found into a store: as a note, into one that
// is there, or into the review. What is there already is not written again, so
// that a second run over the same sessions changes nothing.
package keep

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/extract"
	"dormouse/note"
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
	Why    string
	Change int // in the journal; 0: nothing was written
}

// Keeper writes into one store. It is not for use by several goroutines.
type Keeper struct {
	St    *store.Store
	Guard *trust.Guard
	// Dry decides and writes nothing.
	Dry bool

	notes  []draft.Known
	items  map[string]store.Item
	ledger *trust.Ledger
	by     map[string]store.Actor // who wrote what a note holds now
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
	k.ledger = trust.Read(history)
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
	clean, _ := k.Guard.Clean(c.Text)
	if clean != c.Text {
		return Outcome{Candidate: c, Action: Dropped, Why: "a secret stands in it"}, nil
	}
	if c.Kind == extract.Retraction {
		return k.takeBack(c)
	}
	same := draft.Same(c.Text, k.notes)
	older := ""
	for _, m := range same {
		switch said := k.says(m.File, c.Text); {
		case m.Kind == draft.Exact, said:
			return Outcome{Candidate: c, Action: Known, File: m.File, Why: "a note says it already"}, nil
		case m.Kind == draft.Conflict && older == "":
			older = m.File
		}
	}
	if older == "" {
		older = k.saysOtherwise(c.Text)
	}
	if c.Origin != transcript.Person || c.Confidence < extract.Threshold {
		return k.review(c)
	}
	return k.write(c, older, Kept)
}

// saysOtherwise is the first note with a statement that can't hold beside the
// text; "" for none.
func (k *Keeper) saysOtherwise(text string) string {
	words := map[string]bool{}
	for _, t := range claim.Terms(text) {
		words[t] = true
	}
	for _, n := range k.notes {
		for _, cl := range claim.Split(n.Body) {
			if slices.ContainsFunc(claim.Terms(cl.Text), func(t string) bool { return words[t] }) && claim.Compare(cl.Text, text).Kind == claim.Conflict {
				return n.File
			}
		}
	}
	return ""
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

// takeBack forgets the note that extraction had made of what the person takes
// back. A note of another maker is left to the person.
func (k *Keeper) takeBack(c extract.Candidate) (Outcome, error) {
	same := draft.Same(c.Text, k.notes)
	if len(same) == 0 {
		return Outcome{Candidate: c, Action: Dropped, Why: "it takes back what no note says"}, nil
	}
	file := same[0].File
	switch {
	case k.by[file] != store.Extract:
		return Outcome{Candidate: c, Action: Review, File: file, Why: "the person took it back; the note is not of extraction's making, so it is left to them"}, nil
	case k.Dry:
		return Outcome{Candidate: c, Action: Forgotten, File: file, Why: "the person took it back"}, nil
	}
	done, err := k.St.Forget(k.maker(c, trust.UserTurn), file)
	if err != nil {
		return Outcome{}, err
	}
	k.drop(file)
	return Outcome{Candidate: c, Action: Forgotten, File: file, Why: "the person took it back", Change: done.ID}, nil
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
// the same.
func (k *Keeper) review(c extract.Candidate) (Outcome, error) {
	if p, ok := k.pending(c); ok {
		if p.Entry.Session == c.Session || c.Origin != transcript.Person || !k.ledger.Origin(p.Hash).AtLeast(trust.UserTurn) {
			return Outcome{Candidate: c, Action: Waits, File: p.Path, Why: "it waits in the review already"}, nil
		}
		o, err := k.write(c, "", Confirmed)
		o.Why = "a second session says it, after " + p.Entry.Session
		return o, err
	}
	why := "only a tool's result speaks for it"
	if c.Origin == transcript.Person {
		why = "it is not sure enough, and waits for a second session or for you"
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

// write makes a note of a candidate; older is one that says otherwise, "" for
// none.
func (k *Keeper) write(c extract.Candidate, older string, action Action) (Outcome, error) {
	out := Outcome{Candidate: c, Action: action, Why: c.Why}
	if older != "" {
		if why := k.stands(c, older); why != "" {
			o, err := k.review(withLess(c))
			o.File, o.Why = cmp.Or(o.File, older), why
			return o, err
		}
		out.Action, out.Into = Superseded, older
		out.Why = "the person said otherwise before: " + older
	}
	n, err := k.compose(c)
	if err != nil {
		return out, err
	}
	out.File = n.File
	if !k.Dry {
		by := k.maker(c, trust.UserTurn)
		if p, ok := k.pending(c); ok && k.ledger.Origin(p.Hash).AtLeast(trust.UserTurn) {
			by.From = append(by.From, store.Source{Hash: p.Hash}) // so it no longer waits
		}
		done, err := k.St.Add(by, *n, store.MakeRoom)
		if err != nil {
			return out, err
		}
		out.Change = done.ID
		if older != "" {
			if err := k.supersede(c, older, n.File); err != nil {
				return out, err
			}
		}
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

// withLess is a candidate that has to wait.
func withLess(c extract.Candidate) extract.Candidate {
	c.Confidence = min(c.Confidence, extract.Threshold/2)
	return c
}

// stands tells why an older note is not superseded by what the person says now:
// it is of the same day, newer, or the word of a person at the keyboard that
// extraction has no say over.
func (k *Keeper) stands(c extract.Candidate, file string) string {
	it := k.items[file]
	at := it.Mod
	if text, ok := it.Note.Text("modified"); ok {
		if t, err := parseTime(text); err == nil {
			at = t
		}
	}
	was, is := at.UTC().Format(dayForm), c.Time.UTC().Format(dayForm)
	switch {
	case was == is:
		return fmt.Sprintf("%s says otherwise and is of the same day, so neither comes first", file)
	case was > is:
		return fmt.Sprintf("%s says otherwise and is newer", file)
	}
	return ""
}

// supersede marks the older note and takes its line out of the index. Both are in
// the journal, and undo brings them back.
func (k *Keeper) supersede(c extract.Candidate, older, by string) error {
	before, err := k.St.Read(older)
	if err != nil {
		return err
	}
	after := before
	for _, f := range [][2]string{{"superseded_by", strings.TrimSuffix(by, ".md")}, {"invalid_at", c.Time.UTC().Format(dayForm)}} {
		next, err := note.Parse(after).Set(f[0], f[1])
		if err != nil {
			return fmt.Errorf("%s: %w", older, err)
		}
		after = next
	}
	if _, err := k.St.Edit(k.maker(c, trust.UserTurn), older, before, after); err != nil {
		return err
	}
	_, err = k.St.EditLists(k.maker(c, trust.UserTurn), "supersede", func(_ string, text []byte) ([]byte, error) {
		rest, err := note.ReadIndex(text).Remove(older)
		if errors.Is(err, note.ErrNotListed) {
			return text, nil
		}
		return rest, err
	})
	return err
}
