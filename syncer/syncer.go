// Package syncer brings what changed on one side to the other: two stores and what
// they last agreed on become one. What to do is planned from hashes alone; a text
// that changed on both sides is merged line by line, and where that can't be, both
// texts stay. Nothing that stood on either side is lost: an edit beats a deletion,
// and a side that changed since it was looked at is not written over.
package syncer

import (
	"context"
	"errors"
)

// Errors of a side; each comes wrapped with what it is about.
var (
	// ErrChanged refuses a change of what is no longer as it was listed.
	ErrChanged = errors.New("was changed meanwhile; run it again")
	// ErrGone tells that the store itself is not there.
	ErrGone = errors.New("there is no such store")
)

// File is a note on one side.
type File struct {
	Path string // relative, with slashes
	Hash string // SHA-256 of its bytes in hex; "" where they can't be told
	ID   string // what it is called there whatever its path; "" on a side that knows no such name
	// Why tells why it can't go to the other side; "" if it can. Without a Hash
	// it can't be changed from the other side either.
	Why string
}

// Change is what a file of a side is to become.
type Change struct {
	Path string
	Text []byte // nil: no file
	// Was is the file as it was listed, at another path where it is to be moved; the
	// zero File where there must be none at Path.
	Was File
}

// Applied is what came of a change.
type Applied struct {
	File File  // as it is now; the zero File if it was removed
	Err  error // nothing was changed; it may wrap ErrChanged
}

// Side is one of the two stores. It is not for use by several goroutines at once.
type Side interface {
	// List tells which notes there are.
	List(ctx context.Context) ([]File, error)
	// Read reads files of the list, by path. Those that changed or went since are left out.
	Read(ctx context.Context, files []File) (map[string][]byte, error)
	// Holds tells why the side can't have a file of the other one at a path that is new to
	// it; nil if it can.
	Holds(f File) error
	// Apply carries changes out and returns what came of each, in order. One that is
	// carried out twice does nothing the second time.
	Apply(ctx context.Context, changes []Change) []Applied
}

// Agreed is what both sides last knew of a file.
type Agreed struct {
	Hash string `json:"hash"`
	ID   string `json:"id,omitempty"` // of the side that has such names
}

// Base is what both sides last knew, by path.
type Base map[string]Agreed

// Action is what is to be done about a file, seen from the side that is written.
type Action string

// The actions.
const (
	Create   Action = "create"
	Update   Action = "update"
	Remove   Action = "remove"
	Move     Action = "move"     // to another path, with what changed in it
	Merge    Action = "merge"    // both changed it, in different lines
	Conflict Action = "conflict" // both changed the same lines
	Keep     Action = "keep"     // removed there, changed here: it stays
	Restore  Action = "restore"  // removed here, changed there: it comes back
	Agree    Action = "agree"    // both hold the same already
	Waits    Action = "waits"    // changed only on the side that would be written
	Pass     Action = "pass"     // not for the other side, and Why tells why
	Refuse   Action = "refuse"   // it should have gone, and Why tells why not
)

// Item is one line of a plan, and afterwards of the report.
type Item struct {
	Path   string `json:"path"`
	Action Action `json:"action"`
	Moved  string `json:"moved_from,omitempty"` // the path it had
	Copy   string `json:"copy,omitempty"`       // the file that holds the other text of a conflict
	Why    string `json:"why,omitempty"`

	from, to File
	base     Agreed
}

// Open reports whether an item needs a person: its text did not reach the other side
// as it should have.
func (i *Item) Open() bool { return i.Action == Refuse || i.Action == Conflict }

// Writes reports whether an item changes the side that is written.
func (i *Item) Writes() bool {
	switch i.Action {
	case Create, Update, Remove, Move, Merge, Restore:
		return true
	case Conflict:
		return i.Copy != ""
	}
	return false
}
