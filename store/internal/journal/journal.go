// Package journal keeps what happened to one memory folder: a log of changes,
// each line chained to the one before by its hash, and the contents that the
// changes name. Both are files of their own in Dormouse's state folder; the notes
// can be read without them.
//
// The log is written ahead: an entry is on disk before the first file changes,
// and a line after it tells that all of them did. Between the two a crash can
// leave an entry open; the next writer brings it to an end.
package journal

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
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Errors of a journal; each comes wrapped with the place.
var (
	// ErrBroken tells that the log is not what was written: a line is missing,
	// moved or changed.
	ErrBroken = errors.New("the journal was changed or damaged")
	// ErrBusy tells that another process held the lock all the time.
	ErrBusy = errors.New("is locked by another dormouse")
	// ErrPurged tells that a content was removed on request.
	ErrPurged = errors.New("was purged")
	// ErrNotKept tells that a content was never kept.
	ErrNotKept = errors.New("was too large to be kept")
	// ErrNoContent tells that no content has that hash.
	ErrNoContent = errors.New("is not in the journal")
)

// Entry is one change. Its JSON form is a line of the log.
type Entry struct {
	ID      int       `json:"id"` // 1, 2, …
	Prev    string    `json:"prev"`
	Time    time.Time `json:"time"`
	Actor   string    `json:"actor"`
	Session string    `json:"session,omitempty"`
	Op      string    `json:"op"`
	Changes []Change  `json:"changes,omitempty"`
	Undoes  int       `json:"undoes,omitempty"`
	// Voids is the entry that did not come to pass: another program was faster.
	Voids int `json:"voids,omitempty"`
	// Stubs are the entries that a purge took the text from, Stub the hash of
	// the line that stood there.
	Stubs []int  `json:"stubs,omitempty"`
	Stub  string `json:"stub,omitempty"`
}

// Change is what happened to one file: the hashes of its content before and
// after, "" for no file.
type Change struct {
	Path   string `json:"path"` // with Quoted as in Go source: the name is not UTF-8
	Before string `json:"before"`
	After  string `json:"after"`
	Quoted bool   `json:"quoted,omitempty"`
}

// quoted makes names that are not UTF-8 fit for JSON.
func quoted(changes []Change) []Change {
	changes = slices.Clone(changes)
	for i, c := range changes {
		if !utf8.ValidString(c.Path) {
			changes[i].Path, changes[i].Quoted = strconv.Quote(c.Path), true
		}
	}
	return changes
}

func unquoted(changes []Change) []Change {
	for i, c := range changes {
		if path, err := strconv.Unquote(c.Path); c.Quoted && err == nil {
			changes[i].Path, changes[i].Quoted = path, false
		}
	}
	return changes
}

// Hash names a content: its SHA-256 in hex.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// unkept is how a name begins that stands for a content too large to keep.
const unkept = "unkept-"

// Unkept names a content that is not kept, by what can be told without reading
// it: its size in bytes and its file time.
func Unkept(size int64, mod time.Time) string {
	return unkept + strconv.FormatInt(size, 10) + "-" + strconv.FormatInt(mod.UnixNano(), 36)
}

// Journal is the journal of one folder.
type Journal struct {
	dir string
}

// The files of a journal.
const (
	logName     = "journal.jsonl"
	packName    = "contents"
	lockName    = "lock"
	folderName  = "folder" // holds the path, for people
	draftsName  = "drafts"
	storesName  = "stores"
	dirMode     = 0o700
	fileMode    = 0o600
	idBytes     = 8
	newSuffix   = ".new"
	donePrefix  = `{"done":`
	entryPrefix = `{"id":`
)

// At is the journal of the folder at path, links resolved, below Dormouse's
// state folder. It touches nothing.
func At(state, path string) *Journal {
	sum := sha256.Sum256([]byte(path))
	return &Journal{dir: filepath.Join(state, storesName, hex.EncodeToString(sum[:idBytes]))}
}

// Dir is the journal's own folder.
func (j *Journal) Dir() string { return j.dir }

// Drafts is the folder for texts on their way into a note; it may not exist.
func (j *Journal) Drafts() string { return filepath.Join(j.dir, draftsName) }

// Exists tells whether anything was ever written.
func (j *Journal) Exists() bool {
	_, err := os.Lstat(filepath.Join(j.dir, logName))
	return err == nil
}

// Size is the size of the log in bytes; not ok where there is none.
func (j *Journal) Size() (size int64, ok bool) {
	info, err := os.Lstat(filepath.Join(j.dir, logName))
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}

// Log is the journal as it was read.
type Log struct {
	Entries []Entry
	Done    int // the last entry that is known to have come to its end
	// Broken tells what is wrong with the chain, nil if nothing is.
	Broken error

	head string // hash of the last entry's line
	size int64  // of the file, up to the last whole line
	torn bool   // something follows that is no whole line
}

// Last is the ID of the last entry, 0 without one.
func (l *Log) Last() int {
	if len(l.Entries) == 0 {
		return 0
	}
	return l.Entries[len(l.Entries)-1].ID
}

// Read reads the log. A log that is not there is empty; a last line without its
// end is left out, as it never took effect.
func (j *Journal) Read() (*Log, error) {
	b, err := os.ReadFile(filepath.Join(j.dir, logName))
	if errors.Is(err, fs.ErrNotExist) {
		return &Log{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return parse(b), nil
}

func parse(b []byte) *Log {
	l := &Log{}
	stubs := map[int]bool{} // seen, and not yet explained by a purge
	for n := 1; len(b) > 0; n++ {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			l.torn = true
			break
		}
		l.size += int64(len(line)) + 1
		b = rest
		l.add(n, line, stubs)
	}
	for id := range stubs {
		l.broken(id, "its text is gone, and no purge says why")
	}
	return l
}

func (l *Log) broken(id int, why string) {
	if l.Broken == nil {
		l.Broken = fmt.Errorf("%w: change %d: %s", ErrBroken, id, why)
	}
}

// add takes in the n-th line.
func (l *Log) add(n int, line []byte, stubs map[int]bool) {
	if bytes.HasPrefix(line, []byte(donePrefix)) {
		var d struct {
			Done int `json:"done"`
		}
		if err := json.Unmarshal(line, &d); err == nil {
			l.Done = max(l.Done, d.Done)
		}
		return
	}
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil || e.ID <= 0 {
		l.broken(l.Last()+1, fmt.Sprintf("line %d can't be read", n))
		return
	}
	if e.ID != l.Last()+1 {
		l.broken(e.ID, fmt.Sprintf("it follows change %d", l.Last()))
	}
	if e.Prev != l.head {
		l.broken(e.ID, "it does not continue the line before it")
	}
	l.head = Hash(line)
	if e.Stub != "" {
		l.head = e.Stub
		stubs[e.ID] = true
	}
	for _, id := range e.Stubs {
		delete(stubs, id)
	}
	e.Changes = unquoted(e.Changes)
	l.Entries = append(l.Entries, e)
}
