package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dormouse/store/internal/journal"
)

// known is what the journal says that each file holds, and how the file looked
// when it did, so that one that looks the same need not be read again. It stands
// in a file beside the journal, and can be made anew from it.
type known struct {
	state journal.State
	files map[string]mark
}

// mark is one file.
type mark struct {
	hash  string
	stamp stamp
}

// stamp is how a file looks without opening it.
type stamp struct {
	size, mod, change int64 // bytes; nanoseconds
	inode             uint64
}

// unsure is the stamp of a file that has to be read again.
var unsure = stamp{size: -1}

const (
	knownName  = "known"
	knownHead  = "dormouse known 1"
	knownMode  = 0o600
	settleTime = 2 * time.Second
)

// sure returns the stamp if a later change of the file would show in it: file
// times are coarse, so one that was just changed could change again unseen.
func (st stamp) sure(now time.Time) stamp {
	if now.Sub(time.Unix(0, max(st.mod, st.change))) < settleTime {
		return unsure
	}
	return st
}

// set records what a file holds now.
func (k *known) set(s *Store, rel, hash string) {
	if hash == "" {
		delete(k.files, rel)
		return
	}
	k.files[rel] = mark{hash, unsure}
}

func (k *known) path(s *Store) string { return filepath.Join(s.j.Dir(), knownName) }

// loadKnown reads it; what can't be read is as if it were not there.
func loadKnown(s *Store) *known {
	k := &known{files: map[string]mark{}}
	b, err := os.ReadFile(k.path(s))
	if err != nil {
		return k
	}
	head, rest, _ := strings.Cut(string(b), "\n")
	st := parseHead(head)
	lines := strings.Count(rest, "\n")
	k.files = make(map[string]mark, lines)
	for line := range strings.Lines(rest) {
		rel, m, ok := parseMark(line)
		if !ok {
			return &known{files: map[string]mark{}}
		}
		k.files[rel] = m
	}
	k.state = st
	return k
}

// loadHead reads only where the journal's end was.
func loadHead(s *Store) journal.State {
	f, err := os.Open((&known{}).path(s))
	if err != nil {
		return journal.State{}
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 256).ReadSlice('\n')
	if err != nil {
		return journal.State{}
	}
	return parseHead(string(line))
}

// parseHead reads the first line; what is no such line is the state of nothing.
func parseHead(line string) (st journal.State) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), knownHead+" ")
	f := strings.Split(rest, " ")
	if !ok || len(f) != 3 {
		return journal.State{}
	}
	last, err1 := strconv.Atoi(f[0])
	size, err2 := strconv.ParseInt(f[2], 10, 64)
	if errors.Join(err1, err2) != nil {
		return journal.State{}
	}
	return journal.State{Last: last, Head: f[1], Size: size}
}

func parseMark(line string) (rel string, m mark, ok bool) {
	line, ok = strings.CutSuffix(line, "\n")
	var f [5]string
	for i := range f {
		var found bool
		if f[i], line, found = strings.Cut(line, " "); !found {
			return "", m, false
		}
	}
	n := [4]int64{}
	for i := range n {
		v, err := strconv.ParseInt(f[i+1], 10, 64)
		if err != nil {
			return "", m, false
		}
		n[i] = v
	}
	name, err := strconv.Unquote(line)
	return name, mark{f[0], stamp{n[0], n[1], n[2], uint64(n[3])}}, ok && err == nil
}

// save writes it. It is a cache: where it can't be written, the next one that
// needs it makes it anew.
func (k *known) save(s *Store) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %d %s %d\n", knownHead, k.state.Last, k.state.Head, k.state.Size)
	for rel, m := range k.files {
		b.WriteString(m.hash)
		for _, n := range []int64{m.stamp.size, m.stamp.mod, m.stamp.change, int64(m.stamp.inode)} {
			b.WriteByte(' ')
			b.Write(strconv.AppendInt(b.AvailableBuffer(), n, 10))
		}
		b.WriteByte(' ')
		b.Write(strconv.AppendQuote(b.AvailableBuffer(), rel))
		b.WriteByte('\n')
	}
	_ = s.j.SetHead(journal.Head{ID: k.state.Last, Hash: k.state.Head}) // one that is behind is no flaw
	temp := k.path(s) + ".new"
	err := os.WriteFile(temp, b.Bytes(), knownMode)
	if err == nil {
		err = os.Rename(temp, k.path(s))
	}
	if err != nil {
		os.Remove(temp) //nolint:errcheck // it is written anew next time
	}
}

// fold is what the journal says that each file holds.
func fold(entries []journal.Entry) map[string]string {
	files := map[string]string{}
	for _, e := range entries {
		if e.Voids > 0 && e.Voids <= len(entries) && entries[e.Voids-1].ID == e.Voids {
			for _, c := range entries[e.Voids-1].Changes {
				files[c.Path] = c.Before
			}
		}
		for _, c := range e.Changes {
			files[c.Path] = c.After
		}
	}
	return files
}

// catchUp opens the journal to write, and brings to its end what a crash left
// open.
func (s *Store) catchUp() (*known, *journal.Writer, error) {
	if err := s.reopen(); err != nil {
		return nil, nil, err
	}
	k := loadKnown(s)
	w, err := s.j.Writer(k.state)
	if err != nil {
		return nil, nil, err
	}
	if h, err := s.j.Head(); k.state.Size > 0 && k.state == w.State() && err == nil && h.ID == k.state.Last && h.Hash == k.state.Head {
		return k, w, nil
	}
	if err := s.replay(k, w); err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	return k, w, nil
}

// replay takes what the files hold from the journal.
func (s *Store) replay(k *known, w *journal.Writer) error {
	l, err := s.j.Read()
	if err != nil {
		return err
	}
	if err := s.testify(l, w); err != nil {
		return err
	}
	if last := l.Last(); last > 0 && l.Done < last {
		if e := l.Entries[len(l.Entries)-1]; writes(e) {
			if err := s.settle(e, w); err != nil {
				return err
			}
			if l, err = s.j.Read(); err != nil {
				return err
			}
		}
	}
	files := map[string]mark{}
	for rel, hash := range fold(l.Entries) {
		if hash == "" {
			continue
		}
		m := k.files[rel]
		if m.hash != hash {
			m = mark{hash, unsure}
		}
		files[rel] = m
	}
	k.files, k.state = files, w.State()
	return nil
}

// testify puts into a journal that was damaged that it was: what is written from
// here on would hide it.
func (s *Store) testify(l *journal.Log, w *journal.Writer) error {
	h, err := s.j.Head()
	if err = errors.Join(l.Check(h), err); err == nil {
		return nil
	}
	what := err.Error()
	for _, e := range l.Entries {
		if e.Op == opDamaged && len(e.From) > 0 && e.From[0].Place == what {
			return nil
		}
	}
	from := w.State()
	e := journal.Entry{Time: s.now(), Actor: string(Outside), Op: opDamaged, From: []journal.Source{{Place: what}}}
	if _, err := w.Add(e); err != nil {
		return err
	}
	return w.Flush(from)
}

// writes reports whether an entry tells of files that Dormouse itself writes.
func writes(e journal.Entry) bool {
	return e.Voids == 0 && e.Actor != string(Outside)
}
