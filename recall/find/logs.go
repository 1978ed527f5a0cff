package find

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dormouse/internal/safefile"
	"dormouse/recall"
	"dormouse/transcript"
)

const (
	sessionKey = "sessions--------" // as long as a hash
	turnEnding = ".turns"
	// endBytes is how much of the end of what was read must be as it was for a log
	// to have only grown.
	endBytes = 4096
)

// logs are the sessions of a project.
type logs struct {
	byKey    map[string]*sessionLog
	list     []*sessionLog
	caches   map[string]*cache // by folder of logs
	problems []error
}

// sessionLog is one of them, up to date.
type sessionLog struct {
	path string
	file *turnFile
}

// logs brings the indexes of the session logs up to date.
func (s *search) logs(ctx context.Context) error {
	l := &logs{byKey: map[string]*sessionLog{}, caches: map[string]*cache{}}
	s.add(sessionKey, l)
	total := int64(0)
	for _, path := range s.f.conf.Logs {
		if info, err := os.Stat(path); err == nil {
			total += info.Size()
		}
	}
	state := s.state
	if total < s.f.manyBytes {
		state = "" // read as fast as its index would be
	}
	for _, path := range s.f.conf.Logs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("searching the sessions: %w", err)
		}
		key := keyOf(path)
		if l.byKey[key] != nil {
			continue
		}
		file, err := s.log(l.cache(s.f, state, filepath.Dir(path)), path)
		if err != nil {
			l.problems = append(l.problems, err)
			continue
		}
		one := &sessionLog{path, file}
		l.byKey[key] = one
		l.list = append(l.list, one)
	}
	l.sweep()
	return nil
}

// cache is where the indexes of one folder's logs are.
func (l *logs) cache(f *Finder, state, dir string) *cache {
	if l.caches[dir] == nil {
		l.caches[dir] = f.cacheOf(state, keyOf(dir))
	}
	return l.caches[dir]
}

// log is one session log, from the cache as far as that holds.
func (s *search) log(c *cache, path string) (*turnFile, error) {
	f, err := openLog(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	now, err := lookOfOpen(f)
	if err != nil {
		return nil, err
	}
	by := s.turnsBy(path)
	had := c.turns(keyOf(path), by)
	if had != nil && had.look == now {
		return had, nil
	}
	unlock, locked := c.lock()
	defer unlock()
	head := turnHead{by: by, look: now}
	if !now.settled(s.now) {
		head.look = now.unsure()
	}
	var old *turnFile
	if had != nil && had.goesOn && had.read <= now.size && had.look.inode == now.inode && endOf(f, had.read) == had.end {
		old, head.read, head.lines = had, had.read, had.lines
	}
	turns, err := s.readLog(f, &head, old)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := recall.NewBuilder()
	for i := range turns {
		b.Add(s.turnDoc(path, i, &turns[i]))
	}
	raw := writeTurns(&head, turns, b.Index())
	if locked {
		if err := c.put(keyOf(path)+turnEnding, raw); err != nil {
			c.failed(err)
		}
	}
	return readTurns(raw)
}

func (s *search) turnDoc(path string, i int, t *turn) recall.Doc {
	return recall.Doc{
		ID: sessionKey + "/" + keyOf(path) + "/" + strconv.Itoa(i), Kind: recall.Turn, Body: t.text, Type: string(t.role), When: t.when,
		Group: t.session, Seq: t.line,
	}
}

// turnsBy names what decides how a log is read: this very program, and its path.
func (s *search) turnsBy(path string) [32]byte {
	return sha256.Sum256(fmt.Append(programStamp(), path))
}

// turns are those of a log in the cache; nil where there are none.
func (c *cache) turns(key string, by [32]byte) *turnFile {
	if c == nil {
		return nil
	}
	b, _, err := c.file(key + turnEnding)
	if err != nil {
		return nil
	}
	f, err := readTurns(b)
	if err != nil || f.by != by {
		return nil
	}
	return f
}

// openLog opens a session log. What is no regular file is refused, and never
// waited for.
func openLog(path string) (*os.File, error) {
	if _, _, err := safefile.Head(path, 0); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// endOf is the hash of what stands before a place in a file.
func endOf(f *os.File, at int64) [32]byte {
	b := make([]byte, min(at, endBytes))
	if _, err := f.ReadAt(b, at-int64(len(b))); err != nil {
		return [32]byte{}
	}
	return sha256.Sum256(b)
}

// readLog reads what was said in a log, from where the old turns end. The head
// then says how far it came: to the end of the last whole line.
func (s *search) readLog(f *os.File, head *turnHead, old *turnFile) ([]turn, error) {
	var turns []turn
	if old != nil {
		for i := range old.len() {
			turns = append(turns, old.turn(i))
		}
	}
	from := head.read
	to, whole, err := endOfLines(f, from)
	if err != nil {
		return nil, err
	}
	stats, err := transcript.Read(io.NewSectionReader(f, from, to-from), nil, func(t *transcript.Turn) error {
		if text := said(t); text != "" {
			turns = append(turns, turn{line: int(head.lines) + t.Line, when: t.Time, role: t.Role, session: t.Session, text: masked(s.f.secrets, clean(text))})
		}
		return nil
	})
	if errors.Is(err, transcript.ErrFormat) && old != nil {
		head.read, head.lines = 0, 0
		return s.readLog(f, head, nil)
	}
	if err != nil {
		return nil, err
	}
	head.read, head.lines = to, head.lines+int64(stats.Lines)
	head.end = endOf(f, to)
	head.goesOn = whole && (stats.Host == linesOfTheirOwn || old != nil)
	return turns, nil
}

// linesOfTheirOwn is the host whose logs can be read from any line on: each holds
// all that its turn needs (package transcript, host Claude Code 2.1.332).
const linesOfTheirOwn = "claude"

// endOfLines is how far a log can be read: to the end of its last whole line,
// while somebody may still write the next one. whole tells that it is one.
func endOfLines(f *os.File, from int64) (to int64, whole bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, false, err
	}
	size := info.Size()
	if !strings.HasSuffix(f.Name(), ".jsonl") {
		return size, false, nil
	}
	buf := make([]byte, 64<<10)
	for at := size; at > from; {
		n := min(int64(len(buf)), at-from)
		if _, err := f.ReadAt(buf[:n], at-n); err != nil {
			return 0, false, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			end := at - n + int64(i) + 1
			if end < size && time.Since(info.ModTime()) > settleTime {
				return size, false, nil // nobody is about to end it
			}
			return end, true, nil
		}
		at -= n
	}
	return size, false, nil
}

// said is what a person or an agent says in a turn: no results of tools, nothing
// that the host put in, no thoughts.
func said(t *transcript.Turn) string {
	want := transcript.Person
	if t.Role == transcript.Assistant {
		want = transcript.Agent
	}
	var out []string
	for _, b := range t.Blocks {
		if b.Kind == transcript.Text && b.Origin == want {
			text, _ := transcript.WithoutPrivate(b.Text)
			out = append(out, text)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

func (l *logs) parts(notesOf) []recall.Part {
	out := make([]recall.Part, len(l.list))
	for i, one := range l.list {
		out[i] = recall.Part{Index: one.file.idx}
	}
	return out
}

func (l *logs) hit(s *search, h recall.Hit) (Hit, bool) {
	one, n := l.turnOf(h.ID)
	if one == nil {
		return Hit{}, false
	}
	t := one.file.turn(n)
	out := Hit{Kind: recall.Turn, Path: one.path, Type: string(t.role), Session: t.session, Date: t.when, Origin: originOf(t.role), Loads: true}
	s.excerpt(&out, t.text, 0)
	out.Line = t.line
	return out, true
}

func (l *logs) standing(*search, int) ([]Hit, int) { return nil, 0 }

func (l *logs) report(a *Answer) {
	a.Problems = append(a.Problems, l.problems...)
	for _, c := range l.caches {
		if c != nil && a.Uncached == nil {
			a.Uncached = c.err
		}
	}
}

func (l *logs) close() {
	for _, c := range l.caches {
		c.close()
	}
}

// sweep removes what is kept of logs that are gone: whoever deletes a session
// means its words.
func (l *logs) sweep() {
	for _, c := range l.caches {
		if c == nil {
			continue
		}
		gone := func(name string) bool {
			key, ok := strings.CutSuffix(name, turnEnding)
			return ok && l.byKey[key] == nil
		}
		entries, err := os.ReadDir(c.dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !gone(e.Name()) {
				continue
			}
			if unlock, ok := c.lock(); ok {
				c.sweep(gone)
				unlock()
			}
			break
		}
	}
}
