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
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/internal/safefile"
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
	// Marks are contents that the entry is about and that it put nowhere: one
	// that was approved, one that waits.
	Marks []Change `json:"marks,omitempty"`
	// Origin is where the text came from, and From what it was made of; what
	// they mean is decided above.
	Origin string   `json:"origin,omitempty"`
	From   []Source `json:"from,omitempty"`
	Undoes int      `json:"undoes,omitempty"`
	// Voids is the entry that did not come to pass: another program was faster.
	Voids int `json:"voids,omitempty"`
	// Stubs are the entries that a purge took the text from, Stub the hash of
	// the line that stood there.
	Stubs []int  `json:"stubs,omitempty"`
	Stub  string `json:"stub,omitempty"`
}

// Source is something that a text was made of.
type Source struct {
	Hash    string `json:"hash,omitempty"`    // of a content
	Note    string `json:"note,omitempty"`    // the note that had it, a slash path
	Session string `json:"session,omitempty"` // of the agent
	Line    int    `json:"line,omitempty"`    // of the session's transcript, 1-based
	Place   string `json:"place,omitempty"`   // a web address, a remote, an archive
	Quote   string `json:"quote,omitempty"`   // what the person said there
}

// Change is what happened to one file: the hashes of its content before and
// after, "" for no file.
type Change struct {
	Path   string `json:"path"` // with Quoted as in Go source: the name is not UTF-8
	Before string `json:"before"`
	After  string `json:"after"`
	Quoted bool   `json:"quoted,omitempty"`
	// Origin and From are those of this file, where the entry's are not: an entry
	// of many files tells each one's.
	Origin string   `json:"origin,omitempty"`
	From   []Source `json:"from,omitempty"`
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
	dir  string
	head string // the file that says where the log ends
}

// The files of a journal.
const (
	headsName  = "heads"
	logName    = "journal.jsonl"
	packName   = "contents"
	lockName   = "lock"
	folderName = "folder" // holds the path, for people
	draftsName = "drafts"
	storesName = "stores"
	dirMode    = 0o700
	fileMode   = 0o600
	idBytes    = 8
	newSuffix  = ".new"
	donePrefix = `{"done":`
)

// At is the journal of the folder at path, links resolved, below Dormouse's
// state folder. It touches nothing.
func At(state, path string) *Journal {
	sum := sha256.Sum256([]byte(path))
	id := hex.EncodeToString(sum[:idBytes])
	return &Journal{dir: filepath.Join(state, storesName, id), head: filepath.Join(state, headsName, id)}
}

// Folders lists the folders that have a journal below a state folder. The error
// may tell of a journal whose folder is not known; the others are returned.
func Folders(state string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(state, storesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the journals: %w", err)
	}
	var out, lost []string
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(state, storesName, e.Name(), folderName))
		if folder := strings.TrimSuffix(string(b), "\n"); err == nil && folder != "" {
			out = append(out, folder)
		} else {
			lost = append(lost, filepath.Join(state, storesName, e.Name()))
		}
	}
	slices.Sort(out)
	if len(lost) > 0 {
		return out, fmt.Errorf("of which folder these journals are can't be told: %s", strings.Join(lost, ", "))
	}
	return out, nil
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

// A person's entry of this kind says that they know of damage before it.
const (
	opKnown  = "acknowledge"
	byPerson = "human"
)

// maxLog is the size in bytes of the largest log that is read.
const maxLog = 4 << 30

// Log is the journal as it was read.
type Log struct {
	Entries []Entry
	Done    int // the last entry that is known to have come to its end
	// Broken tells what is wrong with the chain, nil if nothing is.
	Broken error

	head   string   // hash of the last entry's line
	hashes []string // of each entry's line
	size   int64    // of the file, up to the last whole line
	torn   bool     // something follows that is no whole line
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
	b, _, err := safefile.Read(filepath.Join(j.dir, logName), maxLog)
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
		if err := json.Unmarshal(line, &d); err != nil || d.Done != l.Last() || string(line) != fmt.Sprintf("%s%d}", donePrefix, d.Done) {
			l.broken(l.Last(), fmt.Sprintf("line %d can't be read", n))
			return
		}
		l.Done = d.Done
		return
	}
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil || e.ID <= 0 {
		l.broken(l.Last()+1, fmt.Sprintf("line %d can't be read", n))
		return
	}
	if e.Op == opKnown && e.Actor == byPerson && e.Prev == l.head {
		// A person knows of what is wrong above, and went on from there.
		defer func() { l.Broken = nil }()
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
	l.hashes = append(l.hashes, l.head)
	e.Changes, e.Marks = unquoted(e.Changes), unquoted(e.Marks)
	l.Entries = append(l.Entries, e)
}
