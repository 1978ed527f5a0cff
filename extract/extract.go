// Package extract finds in sessions what is worth remembering. Its own rules need
// no model: they read what the person typed, and for commands what tools
// answered, and propose candidates with an exact quote. What they propose is
// decided elsewhere: here nothing is written.
//
// # Languages
//
// Rules are data, one file a language in rules/, or several: en.txt, en_forms.txt.
// They say what the words of the language are (classes), how somebody asks for something to be remembered
// (rules), how a sentence is none of that (drops) and how days are said (dates).
// A language more is a file more. Rules of all languages are tried on every
// sentence: people mix them.
package extract

import (
	"fmt"
	"time"

	"dormouse/claim"
	"dormouse/scan/secrets"
	"dormouse/transcript"
)

// Kind is the family of rules that found a candidate.
type Kind string

// The kinds.
const (
	Explicit   Kind = "explicit"   // "remember that …", "from now on …", "# …"
	Correction Kind = "correction" // of something that the agent had just done or said
	Confirmed  Kind = "confirmed"  // a choice that the agent offered and the person took
	Who        Kind = "who"        // who the person is, what they know and prefer
	Pointer    Kind = "pointer"    // where something outside is to be found
	Deadline   Kind = "deadline"   // a day by or until which something holds
	Fact       Kind = "fact"       // of the project, said by the person
	Fix        Kind = "fix"        // a command that failed, and what made it work
	Command    Kind = "command"    // one that is run again and again, over several sessions
	Retraction Kind = "retraction" // takes back what was remembered before
)

// Threshold is the confidence from which on a candidate needs nobody's look. One
// below it waits until another session says the same.
const Threshold = 0.8

// Candidate is something worth remembering.
type Candidate struct {
	Kind       Kind
	Type       string            // user, feedback, project, reference
	Text       string            // what a note would say: one fact, dates absolute, nothing secret
	Confidence float64           // 0 to 1
	Quote      string            // the person's own words, a substring of the turn's text (white space aside); of Fix and Command the command line; secrets masked
	Why        string            // the rule, in words for a person
	Origin     transcript.Origin // Person, or Tool of Fix and Command
	Session    string
	Line       int // of the log
	Time       time.Time
	Language   string // "en", "uk"; "" of Fix and Command
}

// Dropped is what looked worth remembering and was not.
type Dropped struct {
	Quote   string // masked, clipped; "" of what is private
	Why     string // "one-off", "hypothesis", "quoted", "secret", …
	Session string
	Line    int
}

// Found is what a session gave.
type Found struct {
	Candidates []Candidate
	Dropped    []Dropped
	Turns      int
}

// Reader takes the turns of sessions in, one after the other, and keeps what it
// needs to see repetition over several. It is not for use by several goroutines.
type Reader struct {
	// Known is what instructions and notes say already: a candidate that says no
	// more is dropped.
	Known []claim.Source
	// Zone is where the person is, for "tomorrow"; nil: as the log's times are.
	Zone *time.Location

	languages []*language
	err       error
	finder    *secrets.Finder
	now       sessionState
	waiting   map[string]string // what is under Threshold, by its words: the session
	commands  commandMemory
}

// New makes a reader with the rules of all languages that are there. It reads them
// when the first turn comes.
func New() *Reader {
	return &Reader{finder: secrets.New(), waiting: map[string]string{}, commands: newCommandMemory()}
}

// sessionState is what is remembered within a session.
type sessionState struct {
	found   Found
	acted   bool // the agent did or said something since the person last spoke
	offered map[string]bool
	offer   string          // what the agent asked last
	recent  map[string]bool // words of what the agent did and said since
	person  int             // prompts so far
	prompts []int           // by candidate: in which prompt it was said
	against [][]string      // by candidate: what it turns down
	named   string          // what the person named last: a command, a file
	at      time.Time
	calls   calls
}

// maxCandidates of a session are kept; more than that is not what a person said.
const maxCandidates = 500

// Turn takes in the next turn of a session.
func (r *Reader) Turn(t *transcript.Turn) {
	if t == nil {
		return
	}
	if r.languages == nil && r.err == nil {
		r.languages, r.err = loadLanguages()
	}
	r.now.found.Turns++
	if t.Sidechain {
		return // a subagent's prompts are the agent's words, and what was left is not meant any more
	}
	r.now.at = t.Time
	if r.Zone != nil {
		r.now.at = t.Time.In(r.Zone)
	}
	spoke := false
	for i := range t.Blocks {
		b := &t.Blocks[i]
		switch {
		case b.Kind == transcript.Text && b.Origin == transcript.Person && t.Role == transcript.User:
			if !spoke {
				r.now.person++
			}
			spoke = true
			r.personText(t, b)
		case b.Kind == transcript.Text && b.Origin == transcript.Agent:
			r.agentText(b.Text)
		case b.Kind == transcript.Call:
			r.now.acted = true
			r.noted(string(b.Input))
			r.call(t, b)
		case b.Kind == transcript.Result:
			r.result(t, b)
		}
	}
	if spoke {
		r.now.acted, r.now.offered, r.now.offer, r.now.recent = false, nil, "", nil
	}
}

// End ends the session and returns what it gave. Candidates that say the same are
// one; a retraction takes what it takes back out, and stands for itself where that
// is of an earlier session. The reader is then ready for the next session.
func (r *Reader) End() *Found {
	r.repeated()
	f := r.now.found
	for i := range f.Candidates {
		r.confirm(&f.Candidates[i])
	}
	r.now = sessionState{}
	return &f
}

// Err is the error of the rules' files, of which a test makes sure that there is
// none; a reader with one finds nothing.
func (r *Reader) Err() error {
	if r.err != nil {
		return fmt.Errorf("extract: %w", r.err)
	}
	return nil
}
