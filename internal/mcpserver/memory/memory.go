// Package memory is what the tools of the server ask of a project's notes, and
// what they are answered. It stands apart from the server so that who answers
// need not link it.
package memory

import (
	"time"

	"dormouse/trust"
)

// Where says whose notes are meant.
type Where struct {
	// Project is an absolute folder; "" only where the notes themselves were named
	// when the server was started.
	Project string
	Session string // of the agent; "" where nobody told
}

// Text is a piece of memory, or of what a person wrote for the agent. It is data:
// it goes to a model only within a fence.
type Text struct {
	Path     string // of a note, below its folder with slashes; else absolute
	Line     int    // 1-based line of the file where the text stands; 0: all of it
	Kind     string // a note's type, "instructions", "the user said" or "the agent said"
	Date     time.Time
	Days     int // whole days old
	Origin   trust.Origin
	Approved bool
	Text     string
}

// Query is a question.
type Query struct {
	Text     string // "": no question, only what holds whatever is asked
	Types    []string
	Limit    int
	Sessions bool // look through what was said in sessions as well
}

// Found is what was found. Nothing in it waits for a review.
type Found struct {
	Hits     []Hit
	Standing []Text   // notes on the user and on how to work
	More     int      // further ones of those
	Waiting  int      // notes that would have come up, but wait for a review
	Missing  []string // what was not looked through, and why
}

// Hit is a text, and what says otherwise.
type Hit struct {
	Text
	Against []Text
}

// New is a note to be written. What is "" is guessed.
type New struct {
	Text, Name, Type, Description string
	Second                        bool // even where there is a note on the same matter
}

// Edit puts one text in place of another.
type Edit struct{ Note, Old, New string }

// Written is what became of a write.
type Written struct {
	File   string // of the note
	Did    string // remembered, updated or forgotten; "": nothing was written
	Why    string // nothing was written
	Known  bool   // nothing was written because just that is remembered
	Same   []Text // notes on the same matter
	Waits  string // why the note waits for a review; "": it does not
	Unseen string // why no session will be told of it; "": one will
	Said   []string
	Undo   string // the command that takes it back
}

// Status is what a session here loads.
type Status struct {
	Project, Folder string
	Off             string // why memory is off; "": it is on
	Loaded          []Loaded
	Tokens          int // of all that loads, roughly
	Left            map[string]int
	Notes           int
	Index           string // how full it is, in words
	Waiting         int    // notes and lines that wait for a review
	Review          string // the command for that
	Wrong           []string
	Next            string // what is most worth doing
}

// Loaded is a file that loads at the start of a session.
type Loaded struct {
	Path   string
	Tokens int // roughly
}
