package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"dormouse/internal/jsonedit"
	"dormouse/internal/safefile"
)

// Added is what came into a file: enough to take it out again so that the file is
// what it was. It holds nothing of the file but Dormouse's own text.
type Added struct {
	Sum    string          `json:"sum"`    // SHA-256 of the file afterwards, in hex
	Spans  []jsonedit.Span `json:"spans"`  // what came in
	Pieces []string        `json:"pieces"` // its text
	Made   [][]string      `json:"made,omitempty"`
	// SHA-256 of the file before the first span and behind the last, and their
	// sizes in bytes: where both are as they were, what changed lies between them.
	Head Part `json:"head"`
	Tail Part `json:"tail"`
}

// A Part is one end of a file.
type Part struct {
	Size int    `json:"size"`
	Sum  string `json:"sum"`
}

func partOf(text []byte) Part { return Part{len(text), sum(text)} }

// An Entry is what one installation did to one file.
type Entry struct {
	Key
	Added    Added    `json:"added"`
	New      bool     `json:"new,omitempty"`     // there was no such file
	Folders  []string `json:"folders,omitempty"` // that were made for it, the innermost first
	Programs []string `json:"programs"`
	// Theirs are the events whose hook a person had written before: it does for
	// ours, and is never taken out.
	Theirs []string `json:"theirs,omitempty"`
}

// A Key says whose entry it is. One file can have several: the user's, and those
// for single projects.
type Key struct {
	Host  string   `json:"host"`
	Path  string   `json:"path"`
	Where []string `json:"where"` // the keys that lead to the servers or hooks
}

// Notes are the entries of all files, as they stand in a file of Dormouse's own.
type Notes struct {
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`
}

const (
	notesVersion = 1
	notesName    = "install.json"
	maxNotes     = 8 << 20 // bytes
	minPiece     = 16      // bytes: a shorter one could be anybody's
)

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

func newAdded(text []byte, spans []jsonedit.Span, made [][]string) Added {
	a := Added{Sum: sum(text), Spans: spans, Made: made}
	for _, s := range spans {
		a.Pieces = append(a.Pieces, string(text[s.Start:s.End]))
	}
	if len(spans) > 0 {
		a.Head, a.Tail = partOf(text[:spans[0].Start]), partOf(text[spans[len(spans)-1].End:])
	}
	return a
}

// fits tells that a text is the one that the spans were noted for.
func (a *Added) fits(text []byte) bool {
	return a.Sum == sum(text) && (len(a.Spans) == 0 || a.Spans[len(a.Spans)-1].End <= len(text))
}

// cutBetween takes out what lies between the ends of the file, if these are as they
// were and all that came in was one piece.
func (a *Added) cutBetween(text []byte) ([]byte, bool) {
	head, tail := a.Head.Size, len(text)-a.Tail.Size
	if len(a.Spans) != 1 || head < 0 || a.Tail.Size < 0 || tail < head || partOf(text[:head]) != a.Head || partOf(text[tail:]) != a.Tail {
		return nil, false
	}
	return jsonedit.Cut(text, []jsonedit.Span{{Start: head, End: tail}}), true
}

// cutPieces takes the pieces out of a text that somebody changed since, if each
// stands in it once.
func (a *Added) cutPieces(text []byte) ([]byte, bool) {
	var spans []jsonedit.Span
	for _, p := range a.Pieces {
		at := bytes.Index(text, []byte(p))
		if len(p) < minPiece || at < 0 || at != bytes.LastIndex(text, []byte(p)) {
			return nil, false
		}
		spans = append(spans, jsonedit.Span{Start: at, End: at + len(p)})
	}
	slices.SortFunc(spans, func(x, y jsonedit.Span) int { return x.Start - y.Start })
	for i := 1; i < len(spans); i++ {
		if spans[i].Start < spans[i-1].End {
			return nil, false
		}
	}
	return jsonedit.Cut(text, spans), len(spans) > 0
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func (k Key) same(other Key) bool {
	return k.Host == other.Host && k.Path == other.Path && slices.Equal(k.Where, other.Where)
}

// find returns the entry of a key, nil without one.
func (n *Notes) find(k Key) *Entry {
	for i := range n.Entries {
		if n.Entries[i].same(k) {
			return &n.Entries[i]
		}
	}
	return nil
}

// with returns the notes after an entry took the place of the one with its key;
// nil takes that away.
func (n *Notes) with(k Key, e *Entry) *Notes {
	out := &Notes{Version: notesVersion, Entries: slices.DeleteFunc(slices.Clone(n.Entries), func(o Entry) bool { return o.same(k) })}
	if e != nil {
		out.Entries = append(out.Entries, *e)
		return out
	}
	if gone := n.find(k); gone != nil {
		out.inherit(gone)
	}
	return out
}

// inherit leaves it to others to remove a file and folders that were made: who goes
// last does it.
func (n *Notes) inherit(gone *Entry) {
	for i := range n.Entries {
		o := &n.Entries[i]
		if gone.New && o.Path == gone.Path {
			o.New = true
		}
		if len(o.Folders) == 0 && filepath.Dir(o.Path) == filepath.Dir(gone.Path) {
			o.Folders = gone.Folders
		}
	}
}

// programs are all that were ever written and not taken away, whatever their name.
func (n *Notes) programs() []string {
	var all []string
	for _, e := range n.Entries {
		all = append(all, e.Programs...)
	}
	return all
}

// LoadNotes reads the notes from Dormouse's state folder; without the file there
// are none. A file that cannot be read is told, and then what was added is found
// by its content.
func LoadNotes(state string) (*Notes, error) {
	path := filepath.Join(state, notesName)
	b, _, err := safefile.Read(path, maxNotes)
	if errors.Is(err, fs.ErrNotExist) {
		return &Notes{Version: notesVersion}, nil
	}
	n := &Notes{}
	if err == nil {
		err = json.Unmarshal(b, n)
	}
	if err == nil && n.Version > notesVersion {
		err = errors.New("a newer Dormouse wrote it")
	}
	if err == nil {
		err = n.check()
	}
	if err != nil {
		return &Notes{Version: notesVersion}, fmt.Errorf("the note of what was installed, %s, cannot be used: %w", path, err)
	}
	return n, nil
}

// check refuses notes whose spans do not fit together: a cut trusts them.
func (n *Notes) check() error {
	for _, e := range n.Entries {
		at := 0
		for _, s := range e.Added.Spans {
			if s.Start < at || s.End < s.Start {
				return fmt.Errorf("the pieces of %s overlap", e.Path)
			}
			at = s.End
		}
		if len(e.Added.Spans) != len(e.Added.Pieces) {
			return fmt.Errorf("the pieces of %s are not complete", e.Path)
		}
	}
	return nil
}

// save writes the notes, or removes their file when there are none.
func (n *Notes) save(state string) error {
	path := filepath.Join(state, notesName)
	if len(n.Entries) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	part := path + ".part"
	if err := os.WriteFile(part, append(encode(n), '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(part, path)
}
