package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	xterm "golang.org/x/term"

	"dormouse/note"
	"dormouse/store"
)

// manyNotes is the soft memory limit in bytes of a command that reads every
// note. Under the limit of a look, thousands of them keep the collector busy.
const manyNotes = 256 << 20

// listNotes reads every note of a store.
func listNotes(st *store.Store) ([]store.Item, error) {
	debug.SetMemoryLimit(manyNotes)
	return st.List()
}

// resolve turns what a person calls a note into its path; the index goes by its
// own name. Other files that lie among the notes are none of ours to touch.
func resolve(st *store.Store, name string) (string, error) {
	if name == store.IndexName {
		return name, nil
	}
	rel, err := st.Find(name)
	if err == nil && !isNote(rel) {
		return "", fmt.Errorf("%s: %w: a file of that name is there, but notes end in .md and do not begin with a dot", name, store.ErrNoNote)
	}
	return rel, err
}

// isNote tells whether a path is one of a note, as package store lists them.
func isNote(rel string) bool {
	return strings.HasSuffix(rel, ".md") && path.Base(rel) != store.IndexName && rel[0] != '.' && !strings.Contains(rel, "/.")
}

// resolvePast also finds a note that is gone, by what the journal knows.
func resolvePast(st *store.Store, name string) (string, error) {
	rel, err := resolve(st, name)
	if err == nil || !errors.Is(err, store.ErrNoNote) {
		return rel, err
	}
	entries, _ := st.History("") // the error of the search is the one to tell
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Path == name || c.Path == name+".md" || path.Base(c.Path) == name || path.Base(c.Path) == name+".md" {
				return c.Path, nil
			}
		}
	}
	return "", err
}

// A version is a note as it was after a change of the journal; id 0 is now.
type version struct {
	rel string
	id  int
}

// versionOf reads NOTE or NOTE@ID. A file whose name ends in @ID comes first.
func versionOf(st *store.Store, word string) (version, error) {
	name, id, ok := splitVersion(word)
	if !ok || isFile(st, word) || isFile(st, word+".md") {
		rel, err := resolve(st, word)
		return version{rel, 0}, err
	}
	rel, err := resolvePast(st, name)
	return version{rel, id}, err
}

func isFile(st *store.Store, rel string) bool {
	_, err := st.Read(rel)
	return err == nil
}

func splitVersion(word string) (name string, id int, ok bool) {
	i := strings.LastIndexByte(word, '@')
	if i <= 0 {
		return word, 0, false
	}
	id, ok = changeID(word[i+1:])
	return word[:i], id, ok
}

// changeID reads the number of a change: digits alone, from 1.
func changeID(word string) (int, bool) {
	id, err := strconv.Atoi(word)
	return id, err == nil && id > 0 && word[0] >= '1' && word[0] <= '9'
}

func (v version) String() string {
	if v.id == 0 {
		return v.rel
	}
	return fmt.Sprintf("%s@%d", v.rel, v.id)
}

// age is how old a note is, and by which of the two clocks.
type age struct {
	Days     int       `json:"days"` // whole
	Modified time.Time `json:"modified"`
	From     string    `json:"age_from"` // "metadata.modified" or "file time"
}

// ageOf takes the time that the agent wrote into the note, else the file time,
// which a copy or a clone makes new.
func ageOf(n *note.Note, mod, now time.Time) age {
	a := age{Modified: mod.UTC(), From: "file time"}
	if n != nil {
		if text, ok := n.Text("modified"); ok {
			if t, err := time.Parse(time.RFC3339, text); err == nil {
				a.Modified, a.From = t.UTC(), "metadata.modified"
			}
		}
	}
	a.Days = max(0, int(now.Sub(a.Modified)/(24*time.Hour)))
	return a
}

// onLine names a line for people; 0 is the file as a whole.
func onLine(n int, what string) string {
	if n == 0 {
		return what
	}
	return fmt.Sprintf("line %d: %s", n, what)
}

// stem is a note's file name without folder and ending.
func stem(rel string) string { return strings.TrimSuffix(path.Base(rel), ".md") }

// isTerminal tells whether a person sits at a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// zoneOf names the zone in which people are shown a moment.
func zoneOf(t time.Time) string {
	name, offset := t.Local().Zone()
	if offset == 0 || name == "" || name[0] == '+' || name[0] == '-' { // a zone without a name
		return "UTC" + strings.TrimSuffix(t.Local().Format("-07:00"), "+00:00")
	}
	return name + " (UTC" + t.Local().Format("-07:00") + ")"
}

// localTime prints a moment for people.
func localTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// shortSession is enough of a session's id to tell it from others.
func shortSession(id string) string {
	const enough = 8
	if len(id) <= enough {
		return id
	}
	return id[:enough]
}

// who is the maker of a change for people.
func who(e store.Entry) string {
	actor := string(cmp.Or(e.Actor, "unknown"))
	if e.Session != "" {
		actor += " " + shortSession(e.Session)
	}
	return actor
}
