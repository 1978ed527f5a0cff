// Package dream consolidates a memory folder: out of the notes as they are, and of
// what sessions brought, it makes a new set of notes, and an account of what became
// of every statement. It is pure but for the questions it asks of the repository
// and of a model: nothing of the input is touched, and nothing is written.
//
// Rules decide by themselves what they can show: that two statements say the same,
// that one took another's place, which day "yesterday" was. What they can't settle
// stays as it is; a model may propose there, and code checks each proposal.
//
// The order of the notes and their names do not matter to what is decided, and a
// dream on its own result changes nothing.
package dream

import (
	"context"
	"time"

	"dormouse/claim"
	"dormouse/evidence"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// MaxSessions is how many transcripts one dream takes in; more are refused before
// anything runs.
const MaxSessions = 100

// Note is a note of the input.
type Note struct {
	Rel   string // slash path relative to the store
	Bytes []byte
	// Origin is where its text came from; trust's ledger tells.
	Origin trust.Origin
	// At is when what it says was last said: the date recorded in it, else the
	// journal's, else git's, else the file time, see When; zero where nobody knows.
	// AtBy names which.
	At   time.Time
	AtBy string // one of the By constants
	// Held is why no session may be told of it; "" if it may. Soft tells that it is
	// held only until a person has looked at it: it asks for something, and nobody
	// is known to have said so. Such notes are tidied among their like, and decide
	// nothing about others; what is held for another reason stays byte for byte.
	Held string
	Soft bool
	// From are the sources of a note that stands in no file yet, but was drawn out
	// of a session; nil for others.
	From []store.Source
}

// Input is what a dream works on.
type Input struct {
	// Now is the moment of the dream: what is dated later counts as not dated. Zero:
	// any date is believed.
	Now   time.Time
	Notes []Note
	// Lists are the index and the pages behind it, by slash path.
	Lists map[string][]byte
	// Fixed are the instructions that a person wrote; a dream never decides
	// against them, and never changes them.
	Fixed []claim.Source
	// Said are what extraction found in the sessions. What is sure enough becomes
	// a note; the rest is left to the review.
	Said []extract.Candidate
	// Look asks the repository; nil: it can't be asked.
	Look func(context.Context, []evidence.Text) (*evidence.Checked, error)
	// Limits are those of the index. The index is built to Want.
	Limits store.Limits
	// Line is an index line as this folder takes it; nil: as it is.
	Line func(note.Line) note.Line
	// Clean takes the secrets out of a text and says which; nil: there are none.
	Clean func(text string) (clean string, said []string)
	// Loads tells whether a text of an origin may be told to a session; nil: every
	// one may.
	Loads func(text []byte, o trust.Origin) (ok bool, why string)
	// KeepHeld leaves the lines of held notes in the index, as the person wants it.
	KeepHeld bool
	// Judge proposes what rules can't settle; nil: nobody does.
	Judge Judge
	// MaxArchived is the share of the notes, 0 to 1, that a model's proposals may
	// move out of the store in one dream; 0 means a quarter.
	MaxArchived float64
}

// Fate is what became of a statement.
type Fate string

// The fates.
const (
	Kept        Fate = "kept"        // it stands as it did, perhaps in another file
	Merged      Fate = "merged"      // another note says it, and this copy went
	Superseded  Fate = "superseded"  // a newer or better trusted statement took its place; it is in the archive
	Dated       Fate = "dated"       // a relative date in it became absolute
	Stale       Fate = "stale"       // it names what the repository no longer has, and is marked
	Archived    Fate = "archived"    // the person took it back; it is in the archive
	Quarantined Fate = "quarantined" // no session is told of it, or a secret in it was masked
	Rewritten   Fate = "rewritten"   // of a description or a link: made to fit the text
	New         Fate = "new"         // a session brought it
)

// Row is one line of the ledger: what became of one statement of the input.
type Row struct {
	ID    string `json:"id"`              // 12 hexadecimal digits of place and text
	File  string `json:"file"`            // of the input; of a New one the session
	Line  int    `json:"line"`            // 1-based in File; 0 of a field
	Field string `json:"field,omitempty"` // of the front matter; "" of the text
	Claim string `json:"claim"`
	Fate  Fate   `json:"fate"`
	// Also are the other things that were done to it: dated and marked stale, say.
	Also []Fate `json:"also,omitempty"`
	Why  string `json:"why,omitempty"`
	// Now is what it reads now, where that is not Claim.
	Now string `json:"now,omitempty"`
	// To is where it is now: a file of the new store, or of the archive if Gone;
	// ToLine is 1-based, 0 of a field.
	To     string `json:"to"`
	ToLine int    `json:"to_line,omitempty"`
	Gone   bool   `json:"gone,omitempty"`
	// By is the other statement that decided, and where it stands in the input.
	By *Place `json:"by,omitempty"`
}

// Place is a statement in a file of the input, or of the instructions.
type Place struct {
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
	Claim string `json:"claim"`
	// To is where that statement is now, of one that decided and is in another file of
	// the new store, or of the archive.
	To string `json:"to,omitempty"`
}

// File is a file of the new store.
type File struct {
	Rel    string       `json:"rel"`
	Bytes  []byte       `json:"-"`
	Origin trust.Origin `json:"origin,omitempty"` // the lowest of what it was made from; "" of index and pages
	// Of are the notes of the input that it was made from, the one whose place it
	// takes first; none of index, pages and what sessions brought.
	Of []string `json:"of,omitempty"`
	// From are its sources in sessions, of what sessions brought.
	From []store.Source `json:"from,omitempty"`
	List bool           `json:"list,omitempty"` // index or page

	hidden bool   // no session is told of it, so nothing has to lead to it
	masked []byte // what the ledger is about, where that is not Bytes
}

// Archive is a note that is no longer in the store. What of a note went is a note
// of its own here, with the day from which it no longer holds.
type Archive struct {
	Rel   string `json:"rel"` // unique in the archive
	Bytes []byte `json:"-"`
	Of    string `json:"of"`    // the note of the input
	Whole bool   `json:"whole"` // all of that note
}

// Conflict is two statements that can't both hold, between which nobody decided.
type Conflict struct {
	A, B Place  `json:"-"`
	Why  string `json:"why"`
	// Left is why it was not decided: "both are of 2026-03-02", "it is for the
	// person to change CLAUDE.md".
	Left string `json:"left"`
}

// Counts are the ledger in figures.
type Counts struct {
	Notes      int          `json:"notes"`     // of the input
	After      int          `json:"after"`     // of the new store
	Claims     int          `json:"claims"`    // rows of the ledger
	Fates      map[Fate]int `json:"fates"`     // by main fate
	Conflicts  int          `json:"conflicts"` // undecided
	Asked      int          `json:"asked"`     // clusters that a model was asked about
	Refused    int          `json:"refused"`   // proposals of a model that a check refused
	IndexLines int          `json:"index_lines"`
	IndexUnits int          `json:"index_units"`
}

// Result is a dream.
type Result struct {
	Files     []File     `json:"files"` // sorted by Rel
	Archive   []Archive  `json:"archive"`
	Rows      []Row      `json:"-"` // sorted by File, Line and place in the line
	Conflicts []Conflict `json:"conflicts"`
	// Waiting are the candidates from sessions that are not sure enough for a note.
	Waiting []extract.Candidate `json:"-"`
	Refused []string            `json:"refused,omitempty"` // what a check refused of a model's proposals, a sentence each
	Counts  Counts              `json:"counts"`
}

// Judge is asked about what rules can't settle. Whatever it answers is checked
// here, claim by claim; an error, or an answer that fails a check, leaves the
// cluster as it is.
type Judge interface {
	Judge(ctx context.Context, c Cluster) ([]Op, error)
}

// Cluster is a few statements on one matter.
type Cluster struct {
	Key    string      `json:"-"` // names the content, for a cache
	Claims []Statement `json:"claims"`
}

// Statement is one statement as a model sees it.
type Statement struct {
	ID   int    `json:"id"` // 1, 2, … within the cluster
	Text string `json:"text"`
	Day  string `json:"day"`  // 2026-03-02: when it was last said
	Type string `json:"type"` // of its note
}

// Op is what a model proposes for a cluster.
type Op struct {
	// Op is "same" (all of Claims say what Keep says), "merge" (Text says what all
	// of Claims say), "conflict" (Claims are about one matter and can't all hold:
	// which of them holds is decided by code) or "keep".
	Op     string `json:"op"`
	Claims []int  `json:"claims"`
	Keep   int    `json:"keep,omitempty"`
	Text   string `json:"text,omitempty"`
	Why    string `json:"why,omitempty"`
}

// Dream consolidates. It fails where ctx ends, where the input can't be dreamt on
// (more sessions than MaxSessions are for the caller to refuse), and where the
// result does not pass its own checks: then nothing of it is handed out.
func Dream(ctx context.Context, in Input) (*Result, error) { return run(ctx, in) }
