package store

import (
	"time"

	"dormouse/note"
)

// Actor tells who made a change.
type Actor string

// The actors of the journal.
const (
	Human   Actor = "human"
	Agent   Actor = "agent"
	Extract Actor = "extract"
	Dream   Actor = "dream"
	Sync    Actor = "sync"
	Outside Actor = "outside" // another program, or a person with an editor
)

// By is who makes a change, and in which session of the agent, if in one. What
// the text came from is recorded as given; package trust says what it means.
type By struct {
	Actor   Actor
	Session string
	Origin  string
	From    []Source
}

// Limits bound the index, in lines and in UTF-16 units as the client counts
// them (blank lines and the last line break of each included). Past Lines or
// Units a write is refused; past WantLines or WantUnits it is done and said.
// Zero is no limit.
type Limits struct {
	Lines, Units         int
	WantLines, WantUnits int
	// Measure tells how large an index is as the client measures it. Without it
	// the text without white space around it counts.
	Measure func(index []byte) IndexSize `json:"-"`
}

// FullError refuses a write that would push the index past what loads.
type FullError struct {
	Lines, Units int // what the index would have
	Limits       Limits
	Could        []Candidate // what could go, least valuable first: enough of them to make room
}

// Candidate is an index line that could go.
type Candidate struct {
	File string `json:"file"`
	Text string `json:"text"` // the line
	Why  string `json:"why"`  // "names no note", "a project note, unchanged for 412 days", …

	lines string // with those that continue it
	worth int
	days  int // unchanged
}

// Item is one note of a store.
type Item struct {
	Rel  string    // slash path relative to the store
	Size int64     // bytes
	Mod  time.Time // file time
	Note *note.Note
	Err  error // why the note could not be read; Note is nil then

	IndexLine int    // 1-based line of MEMORY.md that stands for it; 0: none
	Page      string // another note whose list names it, when MEMORY.md has no line for it; "" none
}

// Done is what a write did.
type Done struct {
	ID       int      // of the change in the journal; 0 when there was nothing to do
	Changes  []Change // note first, then index
	MovedOut []Candidate
	Mentions []Mention // what still names a note that went
	Index    IndexSize // after the write
	Said     []string  // remarks for the person, whole sentences
	Full     bool      // some notes got no line because the index is full
}

// IndexSize is how large an index is, as the client measures it.
type IndexSize struct{ Lines, Units int }

// Mention is a place that names a note.
type Mention struct {
	File string `json:"file"`
	Line int    `json:"line"` // 1-based
	Text string `json:"text"` // the line
}

// Entry is one change in the journal.
type Entry struct {
	ID       int       `json:"id"`
	Time     time.Time `json:"time"`
	Actor    Actor     `json:"actor"`
	Session  string    `json:"session,omitempty"`
	Op       string    `json:"op"` // remember, edit, forget, undo, purge, index, seen (first look), change (from outside)
	Changes  []Change  `json:"changes"`
	Marks    []Change  `json:"marks,omitempty"` // contents that it is about and put nowhere
	Origin   string    `json:"origin,omitempty"`
	From     []Source  `json:"from,omitempty"`
	Undoes   int       `json:"undoes,omitempty"`    // the change that this one took back
	UndoneBy int       `json:"undone_by,omitempty"` // the change that took this one back, if that still holds
	Purged   bool      `json:"purged,omitempty"`    // its text was purged
}

// Change is what one entry did to one file. Hashes are SHA-256 in hex; "" is no
// file.
type Change struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Origin and From are those of this file, where the entry's are not.
	Origin string   `json:"origin,omitempty"`
	From   []Source `json:"from,omitempty"`
}

// New is a note to be written.
type New struct {
	File  string    // its name, see ValidName
	Bytes []byte    // the whole note, as note.New makes it
	Line  note.Line // its index line; File is filled in
}

// Room tells what to do when the index is full.
type Room bool

// What to do with a full index.
const (
	Refuse   Room = false
	MakeRoom Room = true // move the least valuable lines to a page that the index links to
)

// Purged is what a purge found and removed.
type Purged struct {
	Done
	Files   []string // notes and index that held it
	Copies  int      // copies of contents in the journal that held it
	Entries int      // journal lines that held it
	Drafts  int      // kept drafts and temporary files that held it
	// NotReached says, a sentence each, which files of the folder may still hold
	// it.
	NotReached []string
}
