package trust

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/note"
	"dormouse/scan"
	"dormouse/scan/secrets"
	"dormouse/store"
)

// Policy is what the person has set. A repository can't change it.
type Policy struct {
	// Outside tells what becomes of a note that another program wrote and that
	// asks for nothing: Load or Review.
	Outside Choice
	// Held tells what becomes of the index line of a note that may not load:
	// TakeOut or Report.
	Held Choice
	// NoScan leaves the text unread: then every text counts as one that asks for
	// action.
	NoScan bool
}

// Choice is one setting of a policy.
type Choice string

// The settings; the first of each two is the default.
const (
	Load    Choice = "load"
	Review  Choice = "review"
	TakeOut Choice = "take-out"
	Report  Choice = "report"
)

// ReasonID is the stable name of a reason for which a note is held.
type ReasonID string

// Why a note is held.
const (
	ByOrigin   ReasonID = "origin"   // tool, web, import or sync
	ByAction   ReasonID = "action"   // it asks for action, and no user said so
	ByScan     ReasonID = "scan"     // a finding of the scan
	ByPolicy   ReasonID = "policy"   // the person wants to see what came from outside
	ByRejected ReasonID = "rejected" // the person turned it down
	ByUnread   ReasonID = "unread"   // it can't be judged
)

// Reason is why a note is held, in fixed words: never the note's own.
type Reason struct {
	ID    ReasonID `json:"id"`
	Words string   `json:"words"`
	Line  int      `json:"line,omitempty"` // of the text, 1-based
}

// Verdict is whether a note may reach a session.
type Verdict struct {
	Origin   Origin   `json:"origin"`
	Loads    bool     `json:"loads"`
	Approved bool     `json:"approved,omitempty"`
	Reasons  []Reason `json:"reasons"`
	Worst    bool     `json:"worst,omitempty"` // never decided in bulk
}

// Guard judges texts.
type Guard struct {
	Policy Policy
	// Imported tells that the index is read as an imported file, in which a word
	// like @path brings in another one.
	Imported bool

	scan    *scan.Scanner
	secrets *secrets.Finder
}

// NewGuard makes a guard of a policy.
func NewGuard(p Policy) *Guard {
	return &Guard{Policy: p, scan: scan.New(), secrets: secrets.New()}
}

// Judge decides on a text that a note holds.
func (g *Guard) Judge(l *Ledger, text []byte) Verdict {
	hash := store.HashOf(text)
	v := g.judge(l.Origin(hash), text)
	switch {
	case l.Approved(hash):
		v.Loads, v.Approved, v.Reasons = true, true, nil
	case l.Rejected(hash):
		v.Loads = false
		v.Reasons = append([]Reason{{ID: ByRejected, Words: "it was turned down in a review"}}, v.Reasons...)
	}
	return v
}

// judge decides on a text of an origin, without what a person decided.
func (g *Guard) judge(o Origin, text []byte) Verdict {
	v := Verdict{Origin: o, Reasons: []Reason{}}
	v.Worst = g.findings(text, &v)
	switch {
	case o.AtLeast(UserTurn):
		v.Reasons = v.Reasons[:0]
	case o == Outside && g.Policy.Outside == Review:
		v.add(ByPolicy, "another program wrote it, and you want to see such notes first", 0)
	case o == Agent, o == Outside:
	default:
		v.add(ByOrigin, originWords(o), 0)
	}
	if !o.AtLeast(UserTurn) {
		g.actions(text, &v)
	}
	v.Loads = len(v.Reasons) == 0
	return v
}

func (v *Verdict) add(id ReasonID, words string, line int) {
	for _, r := range v.Reasons {
		if r.ID == id && r.Words == words {
			return
		}
	}
	v.Reasons = append(v.Reasons, Reason{id, words, line})
}

// Has reports whether a reason is among those of the verdict.
func (v Verdict) Has(id ReasonID) bool {
	return slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.ID == id })
}

// Soft reports whether a text is held only until a person has looked at it: it
// asks for action, or the person wants to see what came from outside first.
func (v Verdict) Soft() bool {
	return !v.Loads && len(v.Reasons) > 0 && !v.Worst && !slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.ID != ByAction && r.ID != ByPolicy })
}

func originWords(o Origin) string {
	switch o {
	case Tool:
		return "it came out of a tool's result"
	case Web:
		return "it came out of a web page"
	case Import:
		return "it was imported"
	case Sync:
		return "it came from another machine"
	}
	return "nobody knows where it came from"
}

// findings takes what the scan holds against a text into the verdict, and tells
// whether any of it is of the worst class.
func (g *Guard) findings(text []byte, v *Verdict) (worst bool) {
	if g.Policy.NoScan {
		return false
	}
	for _, f := range g.scan.Scan(string(text), scan.Options{}) {
		if f.Level >= scan.Quarantine && f.Kind != scan.Secret {
			v.add(ByScan, f.Why, f.Line)
		}
		worst = worst || f.Level == scan.Block && f.Kind != scan.Secret
	}
	return worst
}

// actions looks for what a text asks for. Unread, it could ask for anything.
func (g *Guard) actions(text []byte, v *Verdict) {
	if g.Policy.NoScan {
		v.add(ByAction, "it was not looked through, so it may ask for anything", 0)
		return
	}
	for _, a := range g.scan.Actions(string(text)) {
		v.add(ByAction, "it asks for action: "+actionWords(string(a.Kind)), a.Line)
	}
}

func actionWords(kind string) string {
	switch kind {
	case "command":
		return "a command to run"
	case "url":
		return "a web address"
	case "package":
		return "a package"
	case "permission":
		return "a permission or a setting"
	case "outside-path":
		return "a file outside the project"
	case "memory":
		return "upkeep of the memory itself"
	case "secrecy":
		return "to keep something from you"
	case "override":
		return "to set other instructions aside"
	}
	return strings.ReplaceAll(kind, "-", " ")
}

// gate is the guard as a store's gate.
type gate struct {
	g *Guard

	// The ledger of the journal as it was seen last: one change asks about many
	// notes.
	ledger  *Ledger
	entries int
	last    int
}

// Gate is the guard at the door of a store. It is not for use by several
// goroutines at once.
func (g *Guard) Gate() store.Gate { return &gate{g: g} }

func (t *gate) read(history []store.Entry) *Ledger {
	last := 0
	if len(history) > 0 {
		last = history[0].ID
	}
	if t.ledger == nil || t.entries != len(history) || t.last != last {
		t.ledger, t.entries, t.last = Read(history), len(history), last
	}
	return t.ledger
}

// Text takes secrets out of what is written, and refuses what nobody can have
// meant to write.
func (t *gate) Text(p store.Proposal) ([]byte, []string, error) {
	if t.g.Policy.NoScan {
		return p.After, nil, nil
	}
	if err := t.g.unseen(p); err != nil {
		return nil, nil, err
	}
	text, said := t.g.redact(p)
	return text, said, nil
}

// Lists decides whether a session is told of a note.
func (t *gate) Lists(p store.Proposal) (bool, string) {
	l := t.read(p.History())
	v := t.g.Judge(l, p.After)
	hash := store.HashOf(p.After)
	if l.Origin(hash) == Outside && l.Holds(p.File) != hash {
		// It is just being written: the journal does not know it yet.
		v = t.g.judge(l.upcoming(p), p.After)
	}
	if v.Loads {
		return true, ""
	}
	return false, v.Words()
}

// Line decides whether a line that stands for no note may come back.
func (t *gate) Line(_ store.By, line string) (bool, string) {
	v := t.g.judge(Outside, []byte(line))
	if t.ledger != nil && t.ledger.Approved(store.HashOf([]byte(line))) {
		return true, ""
	}
	return v.Loads, v.Words()
}

// Words are the reasons in one line.
func (v Verdict) Words() string {
	words := make([]string, len(v.Reasons))
	for i, r := range v.Reasons {
		words[i] = r.Words
	}
	return strings.Join(words, "; ")
}

// upcoming is the origin that a text will have once it is written.
func (l *Ledger) upcoming(p store.Proposal) Origin {
	var from []string
	if made(p.Op) && p.Before != nil {
		from = append(from, store.HashOf(p.Before))
	}
	for _, f := range p.By.From {
		if f.Hash != "" {
			from = append(from, f.Hash)
		}
	}
	by := writer(store.Entry{Actor: p.By.Actor, Origin: p.By.Origin, Op: p.Op})
	if foreign(p.Op) {
		return by
	}
	return l.lowest(by, from)
}

// redact takes the secrets out of a text that were not in it before: what a
// person or another program put there earlier is for purge.
func (g *Guard) redact(p store.Proposal) ([]byte, []string) {
	text := string(p.After)
	var out strings.Builder
	var said []string
	at := 0
	for _, h := range g.secrets.Find(text) {
		if secret := text[h.Start:h.End]; bytes.Contains(p.Before, []byte(secret)) {
			continue
		}
		out.WriteString(text[at:h.Start] + "[secret: " + strings.TrimPrefix(h.Rule, "secret/") + " removed]")
		at = h.End
		said = append(said, fmt.Sprintf("%s was left out of %s: a secret does not belong into a note", h.Why, p.File))
	}
	if at == 0 {
		return p.After, nil
	}
	return []byte(out.String() + text[at:]), said
}

// Clean takes the secrets out of a text that a person gives, before anything is
// made of it, such as a name.
func (g *Guard) Clean(text string) (string, []string) {
	if g.Policy.NoScan {
		return text, nil
	}
	b, said := g.redact(store.Proposal{File: "the note", After: []byte(text)})
	return string(b), said
}

// unseen refuses characters that a person can't have meant to write.
func (g *Guard) unseen(p store.Proposal) error {
	for _, f := range g.scan.Scan(string(p.After), scan.Options{}) {
		if f.Kind == scan.Hidden && f.Level == scan.Block && !bytes.Contains(p.Before, p.After[f.Start:f.End]) {
			return fmt.Errorf("line %d holds what nobody sees: %s (%s): %w", f.Line, f.Why, f.Shown, ErrHidden)
		}
	}
	return nil
}

// ErrHidden refuses a text with hidden characters; remove them and write it
// again.
var ErrHidden = errors.New("remove it and write it again")

// Claims are the keys by which a note speaks of its own trust. They count for
// nothing.
func Claims(text []byte) []string {
	var out []string
	for _, f := range note.Parse(text).Fields {
		key := strings.TrimPrefix(f.Key, "metadata.")
		switch strings.ToLower(key) {
		case "trust", "trusted", "origin", "approved", "approved_by", "approvedby", "verified", "source_trust":
			out = append(out, key)
		}
	}
	return out
}
