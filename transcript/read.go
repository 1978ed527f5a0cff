package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
)

// Stats counts what was read and what was passed over.
type Stats struct {
	Host    string // as in Turn; "" when no line told
	Version string // of the host, as the last line that has it says

	Lines      int // blank ones too
	Turns      int // that were given to visit
	Bad        int // no JSON object, or cut, or with a field that is there twice
	TooLong    int // over MaxLine
	Duplicates int // turns that Seen has had before
	// Unknown counts the kinds of lines that are not known, by name, at most
	// maxUnknown of them; what is beyond is counted under "…".
	Unknown map[string]int
}

// maxUnknown is how many names of unknown kinds are kept, each of at most
// maxUnknownName bytes: a log may hold anything.
const (
	maxUnknown     = 50
	maxUnknownName = 64
)

func (s *Stats) unknown(name string) {
	if s.Unknown == nil {
		s.Unknown = map[string]int{}
	}
	if name = cutName(name); name == "" {
		name = "(none)"
	}
	if _, ok := s.Unknown[name]; !ok && len(s.Unknown) >= maxUnknown {
		name = "…"
	}
	s.Unknown[name]++
}

func cutName(name string) string {
	s, _ := clip([]byte(name), maxUnknownName)
	return s
}

// Seen remembers messages over several logs, so that copies in resumed and forked
// sessions count once, and also those of an exported session that has ids of its
// own: the same words at the same moment in another session. It grows by some 50
// bytes a message. The zero Seen is ready to use; it is not for several goroutines
// at once.
type Seen struct {
	// Hashes, not names: a name costs five times as much. With the seed of the
	// process nobody can make two names meet on purpose, and by chance it is one
	// in 10^12 for a log of a million messages, which would lose one turn.
	ids  map[uint64]struct{}
	said map[uint64]uint64 // what was said and when: the session that said it first
	seed maphash.Seed
}

// had reports whether the message was there before, and remembers it.
func (s *Seen) had(host, id string) bool {
	if s == nil || id == "" {
		return false
	}
	s.ready()
	var h maphash.Hash
	h.SetSeed(s.seed)
	h.WriteString(host)
	h.WriteByte(0)
	h.WriteString(id)
	sum := h.Sum64()
	if _, ok := s.ids[sum]; ok {
		return true
	}
	s.ids[sum] = struct{}{}
	return false
}

func (s *Seen) ready() {
	if s.ids == nil {
		s.ids, s.said, s.seed = map[uint64]struct{}{}, map[uint64]uint64{}, maphash.MakeSeed()
	}
}

// copied reports whether another session has the same turn, of the same moment. A
// turn without a time, or in which nothing is said, is no copy.
func (s *Seen) copied(t *Turn) bool {
	if s == nil || t.Time.IsZero() {
		return false
	}
	s.ready()
	var h maphash.Hash
	h.SetSeed(s.seed)
	empty := true
	for i := range t.Blocks {
		b := &t.Blocks[i]
		for _, part := range [...]string{string(b.Kind), string(b.Origin), b.Tool, b.Text} {
			h.WriteString(part)
			h.WriteByte(0)
		}
		h.Write(b.Input)
		empty = empty && b.Text == "" && len(b.Input) == 0
	}
	if empty {
		return false
	}
	h.WriteString(t.Host)
	h.WriteString(string(t.Role))
	maphash.WriteComparable(&h, t.Time.UnixNano())
	sum, session := h.Sum64(), maphash.String(s.seed, t.Session)
	first, had := s.said[sum]
	if !had {
		s.said[sum] = session
	}
	return had && first != session
}

// sink is where the readers of all formats put what they find.
type sink struct {
	st    Stats
	seen  *Seen
	visit func(*Turn) error
}

// give hands on a turn that has something to say.
func (s *sink) give(t *Turn) error {
	if len(t.Blocks) == 0 && t.Wrote == "" && !t.Compacted {
		return nil
	}
	if s.seen.had(t.Host, t.ID) || s.seen.copied(t) {
		s.st.Duplicates++
		return nil
	}
	s.st.Turns++
	return s.visit(t)
}

// A format reads the lines of one host's logs.
type format interface {
	// line reads one JSON object. It reports whether it was one; err is visit's.
	line(b []byte, no int) (ok bool, err error)
	// flush hands on what was held back for a line that did not come.
	flush() error
}

// Read streams the turns of a session log of any host that is known, found out by
// its first lines. Memory does not grow with the log: one line of at most MaxLine
// is held, and what Seen remembers. seen may be nil; then copies count again. A
// turn may be kept. An error of visit ends it and is returned as it is. What can't
// be read as a turn is counted and passed over; an empty log has no turns. The
// error is ErrFormat for a log of another kind.
func Read(r io.Reader, seen *Seen, visit func(*Turn) error) (Stats, error) {
	s := &sink{seen: seen, visit: visit}
	in := newLines(r)
	head, _ := in.r.Peek(window)
	if packed := compressed(head); packed != "" {
		return s.st, fmt.Errorf("%w: it is compressed (%s)", ErrFormat, packed)
	}
	if isDocument(head) {
		err := readDocument(in.r, s)
		return s.st, err
	}
	err := s.readLines(in, nil)
	return s.st, err
}

// compressed names the compression that a file begins with. Codex compresses old
// rollouts with zstd.
func compressed(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "gzip"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	}
	return ""
}

// undecided is how many lines may go by before it is clear whose log it is.
const undecided = 1000

// readLines reads a log of one JSON object a line; f may be nil, for a log whose
// host is not known yet.
func (s *sink) readLines(in *lines, f format) error {
	var g guess
	for {
		line, long, err := in.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading line %d of a session log: %w", in.no+1, err)
		}
		if line != nil || long {
			s.st.Lines++
			if f == nil && !long {
				f = g.look(line, s)
			}
			if verr := s.readLine(line, long, in.no, f); verr != nil {
				return verr
			}
		}
		if f == nil && (g.lines > undecided || err != nil && (g.lines > 0 || s.st.TooLong > 0)) {
			return g.err()
		}
		if err != nil && f != nil {
			return f.flush()
		}
		if err != nil {
			return nil
		}
	}
}

func (s *sink) readLine(line []byte, long bool, no int, f format) error {
	if long {
		s.st.TooLong++
		return nil
	}
	if len(line) == 0 || len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if f == nil {
		if c := (&cursor{b: line}); c.peek() != '{' || !c.whole() {
			s.st.Bad++
		}
		return nil
	}
	// JSON has no NUL; the cursor would not see one in what it steps over.
	if bytes.IndexByte(line, 0) >= 0 {
		s.st.Bad++
		return nil
	}
	ok, err := f.line(line, no)
	if !ok {
		s.st.Bad++
	}
	return err
}

// whole reports whether the rest is one value and nothing else.
func (c *cursor) whole() bool {
	c.skip()
	return c.end()
}

// guess finds out whose log it is, from its first lines.
type guess struct {
	lines   int    // that were not blank and did not tell
	kind    string // of the first line that is an object
	version string
}

// look gives the format of the host that wrote the line, nil if it does not tell.
func (g *guess) look(line []byte, s *sink) format {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	g.lines++
	c := &cursor{b: line}
	if c.peek() != '{' {
		return nil
	}
	var kind, version string
	has := map[string]byte{} // the first byte of each value
	c.members(func(name []byte) {
		if len(has) < 64 {
			has[string(name)] = c.peek()
		}
		switch string(name) {
		case "type":
			kind = c.short()
		case "version", "cli_version":
			version = c.short()
		}
	})
	if !c.end() {
		return nil
	}
	switch {
	case isCodex(kind, has):
		return newCodex(s)
	case isGemini(kind, has):
		return newGemini(s)
	case isClaude(kind, has):
		return newClaude(s)
	}
	if g.kind == "" {
		g.kind = cutName(kind)
	}
	if g.version == "" {
		g.version = cutName(version)
	}
	return nil
}

// err says what there was instead of a log that is known.
func (g *guess) err() error {
	if g.kind == "" && g.version == "" {
		return fmt.Errorf("%w: none of its first %d lines tells a host", ErrFormat, g.lines)
	}
	return fmt.Errorf("%w: lines of type %q, version %q", ErrFormat, g.kind, g.version)
}
