package dream

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/frontmatter"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// A leaf is a note that is worked on.
type leaf struct {
	rel    string
	note   *note.Note
	origin trust.Origin // the lowest of what it was made from
	at     time.Time
	atBy   string
	again  time.Time // when another note, that went into this one, said the same later
	held   string
	soft   bool     // held until somebody looks, see Note
	of     []string // notes of the input
	from   []store.Source
	cells  []*cell // its statements, in the order of claim.Split
	fields []*Row

	said  bool // drawn out of a session in this dream
	fixed bool // pinned, or can't be edited: it stays as it is, byte for byte
	out   bool // no longer in the store

	// alike tells whether other bytes of the note may reach a session just as it may
	// now: what waits for a review waits on, what loads loads on. nil: it can't be asked.
	alike func(*leaf, []byte) bool
	raw   []byte // what it stays as, where it is read otherwise; nil: as it is read
	heads []head // headings that went with statements
	along []along
}

// An along is a statement that goes with another one, which it explains.
type along struct{ c, with *cell }

// A cell is a statement of a note, and what the ledger says of it.
type cell struct {
	row  *Row
	leaf *leaf
	text string // as it stands now
	into *cell  // the statement that says it instead
	was  string // of one that was taken out of a note: how it stood there, headings included
	gone bool
}

// A head is a heading below which nothing was left when a statement went.
type head struct {
	text string
	of   *cell
}

// tier orders origins by whose word they are: a person's, that of an agent or of
// nobody known, that of something from outside.
func tier(o trust.Origin) int {
	switch {
	case o.AtLeast(trust.UserTurn):
		return 2
	case o == trust.Agent, o == trust.Outside:
		return 1
	}
	return 0
}

// typeRank orders types by what it would cost to lose them.
func typeRank(typ string) int {
	switch typ {
	case "feedback", "user":
		return 1
	}
	return 0
}

func (l *leaf) day() string { return l.last().UTC().Format(time.DateOnly) }

// last is when the note, or one that went into it, last said what it says.
func (l *leaf) last() time.Time {
	if l.again.After(l.at) {
		return l.again
	}
	return l.at
}

func (l *leaf) body() string { return string(l.note.Body()) }

// live reports whether decisions are made about the note.
func (l *leaf) live() bool { return !l.out && (l.held == "" || l.soft) }

// newLeaf reads a note of the input. A day later than now is none that anybody knows.
func newLeaf(n Note, now time.Time) *leaf {
	if m := When(now, Moment{n.At, n.AtBy}); !m.At.Equal(n.At) {
		n.At, n.AtBy = m.At, m.By
	}
	l := &leaf{rel: n.Rel, note: note.Parse(n.Bytes), origin: n.Origin, at: n.At, atBy: n.AtBy, held: n.Held, soft: n.Soft && n.Held != "", from: n.From, said: n.From != nil}
	if !l.said {
		l.of = []string{n.Rel}
	}
	if day, ok := l.note.Text(fieldAgain); ok {
		if t, err := time.Parse(time.DateOnly, day); err == nil {
			l.again = When(now, Moment{At: t}).At
		}
	}
	l.fixed = l.pinned() || len(n.Bytes) > note.MaxBytes
	for _, c := range claim.Split(l.body()) {
		row := &Row{File: n.Rel, Line: c.Line + l.note.BodyLine() - 1, Claim: c.Text, Fate: Kept}
		if l.said {
			row.File, row.Line, row.Fate = n.From[0].Session, n.From[0].Line, New
		}
		l.cells = append(l.cells, &cell{row: row, leaf: l, text: c.Text})
	}
	if l.said {
		return l
	}
	for _, f := range l.note.Fields {
		text := f.Key
		if v, ok := l.note.Text(f.Key); ok {
			text = v
		}
		l.fields = append(l.fields, &Row{File: n.Rel, Line: f.Line, Field: f.Key, Claim: text, Fate: Kept})
	}
	return l
}

// The fields that a dream writes.
const (
	fieldAgain   = "confirmed"     // the day on which another note last said the same
	fieldSources = "sources"       // sessions of notes that went into this one
	fieldUntil   = "invalid_at"    // of an archived note: the day from which it no longer holds
	fieldBy      = "superseded_by" // the note that says otherwise
	fieldInto    = "merged_into"   // the note that says it
	fieldWritten = "rewritten"     // how often a model wrote the text anew
)

func (l *leaf) pinned() bool {
	for _, f := range l.note.Fields {
		switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(strings.TrimPrefix(f.Key, "metadata."))) {
		case "pinned", "readonly":
			if meansYes(f.Value) {
				return true
			}
		}
	}
	return false
}

// meansYes reports whether a value is what people write for yes, with quotation marks
// or without: not all of it is a boolean in YAML.
func meansYes(v frontmatter.Value) bool {
	switch strings.ToLower(strings.TrimSpace(v.Text)) {
	case "true", "yes", "on", "y", "1", "так":
		return true
	}
	return false
}

// setBody gives the note another text, whose statements are the cells. It changes
// nothing where the text would be taken apart otherwise, or the note would be let in
// where it waits, or be held where it loads.
func (l *leaf) setBody(body string, cells []*cell) bool {
	b, err := l.note.SetBody(body)
	if err != nil || !l.stays(b) {
		return false
	}
	n := note.Parse(b)
	claims := claim.Split(string(n.Body()))
	if len(claims) != len(cells) {
		return false
	}
	for i, c := range cells {
		c.text, c.leaf = claims[i].Text, l
	}
	l.note, l.cells = n, cells
	return true
}

// stays reports whether the note with other bytes reaches a session as it does now.
func (l *leaf) stays(b []byte) bool { return l.alike == nil || l.alike(l, b) }

// first is the note of the input that it was; "" for one out of a session.
func (l *leaf) first() string {
	if len(l.of) == 0 {
		return ""
	}
	return l.of[0]
}

// set sets a field; one that can't be set stays, and so does one of which hangs
// whether a session may be told of the note.
func (l *leaf) set(key, value string) {
	if b, err := l.note.Set(key, value); err == nil && l.stays(b) {
		l.note = note.Parse(b)
	}
}

// order sorts notes by what they are, never by where they stand: a person's word
// first, then what costs most to lose, then the newest.
func order(leaves []*leaf) {
	hash := make(map[*leaf]string, len(leaves))
	for _, l := range leaves {
		hash[l] = store.HashOf([]byte(withoutTargets(l.body()) + "\x00" + l.note.Description()))
	}
	slices.SortFunc(leaves, func(a, b *leaf) int {
		return cmp.Or(
			cmp.Compare(tier(b.origin), tier(a.origin)),
			cmp.Compare(typeRank(b.note.Type()), typeRank(a.note.Type())),
			b.last().Compare(a.last()),
			strings.Compare(hash[a], hash[b]),
			strings.Compare(a.rel, b.rel),
		)
	})
}

// withoutTargets is a text without the names of notes that it links to.
func withoutTargets(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "[[")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		if _, text, ok = strings.Cut(rest, "]]"); !ok {
			return out.String() + rest
		}
	}
}

// takeWith takes another note in and gives this one a text of both. Where the text
// can't be, nothing is changed.
func (l *leaf) takeWith(other *leaf, body string, cells []*cell) bool {
	of, origin := slices.Clone(l.of), l.origin
	l.take(other) // first: what the text may do hangs on where it comes from
	if !l.setBody(body, cells) {
		l.of, l.origin = of, origin
		return false
	}
	return true
}

// take lets a note stand for another one that goes into it.
func (l *leaf) take(other *leaf) {
	for _, of := range other.of {
		if !slices.Contains(l.of, of) {
			l.of = append(l.of, of)
		}
	}
	l.origin = trust.Lowest(l.origin, other.origin)
}

// cite notes the sessions and the day of a note that says the same.
func (l *leaf) cite(other *leaf) {
	if l.fixed || tier(l.origin) != tier(other.origin) || other.soft && !l.soft {
		return
	}
	own, _ := l.note.Text("originSessionId")
	had, _ := l.note.Text(fieldSources)
	list := strings.FieldsFunc(had, func(r rune) bool { return r == ',' || r == ' ' })
	theirs, _ := other.note.Text(fieldSources)
	more := strings.FieldsFunc(theirs, func(r rune) bool { return r == ',' || r == ' ' })
	if s, ok := other.note.Text("originSessionId"); ok {
		more = append(more, s)
	}
	n := len(list)
	for _, s := range more {
		if s != own && sessionID(s) && !slices.Contains(list, s) && len(list) < maxSources {
			list = append(list, s)
		}
	}
	// The time of a file is none that a note is confirmed by.
	known := other.atBy != ByFile || other.again.After(other.at)
	later := known && other.last().UTC().Format(time.DateOnly) > l.day()
	if len(list) == n && !later {
		return
	}
	l.take(other)
	if len(list) > n {
		slices.Sort(list)
		l.set(fieldSources, strings.Join(list, ", "))
	}
	if later {
		l.again = other.last()
		l.set(fieldAgain, l.day())
	}
}

const maxSources = 20

// sessionID reports whether a text can be the name of a session: what another
// program wrote there is not copied on.
func sessionID(s string) bool {
	const longest = 64 // bytes
	return s != "" && len(s) <= longest && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	}) < 0
}
