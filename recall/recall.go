// Package recall finds what was written for a question: it ranks documents
// (notes, instruction files, turns of sessions) by their words and by the
// signals that make eval-recall shows to be worth their place. It reads no file;
// recall/find brings what is on disk in.
package recall

import "time"

// Kind is what a document is.
type Kind string

// The kinds.
const (
	Note        Kind = "note"
	Instruction Kind = "instruction"
	Turn        Kind = "turn"
)

// Doc is one thing that can be found.
type Doc struct {
	ID      string // unique in an index: a note's path in its store, a file's path, session and turn
	Kind    Kind
	Title   string // of a note its name
	Summary string // of a note its description
	Body    string
	Type    string    // of a note: user, feedback, project, reference; of a turn: who speaks
	When    time.Time // of a note its file time, of a turn when it was said; zero: not known
	Links   []string  // IDs of documents that it points to
	Group   string    // the session of a turn, the store of a note
	Seq     int       // the place in its group, for turns
}

// Query is a question.
type Query struct {
	Text  string
	Limit int       // hits, 0: 10
	Kinds []Kind    // nil: all
	Types []string  // nil: all
	Now   time.Time // for questions that name a time ("last week"); zero: none do
	// Without leaves signals out, for measuring what they are worth.
	Without Signals
}

// Hit is one document that answers a question.
type Hit struct {
	ID    string
	Score float64 // comparable within one answer only
	// Certain reports whether the document speaks of what was asked beyond
	// doubt: only such hits are shown unasked.
	Certain bool
	Words   []string // of the question that it holds, as they stand there
	Why     []string // the signals that moved it, in fixed words
	// Partner is the ID of the hit that this one was brought in for: the other
	// side of a conflict, or a neighbour; "" for one found by its own words.
	Partner string
}

// What Why may say.
const (
	WhyClose   = "words close together"
	WhySpeaker = "said by the one whom the question is about"
	WhyDate    = "of the days that the question names"
	WhySpelt   = "holds the words under another spelling"
	WhyNear    = "said beside what holds the words"
)
