package dream

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
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
}

// A cell is a statement of a note, and what the ledger says of it.
type cell struct {
	row  *Row
	leaf *leaf
	text string // as it stands now
	into *cell  // the statement that says it instead
	gone bool
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

// newLeaf reads a note of the input.
func newLeaf(n Note) *leaf {
	l := &leaf{rel: n.Rel, note: note.Parse(n.Bytes), origin: n.Origin, at: n.At, held: n.Held, soft: n.Soft && n.Held != "", from: n.From, said: n.From != nil}
	if !l.said {
		l.of = []string{n.Rel}
	}
	if day, ok := l.note.Text(fieldAgain); ok {
		if t, err := time.Parse(time.DateOnly, day); err == nil {
			l.again = t
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
	for _, key := range [...]string{"pinned", "read_only"} {
		if f, ok := l.note.Field(key); ok && strings.EqualFold(strings.TrimSpace(fmt.Sprint(f.Value)), "true") {
			return true
		}
		if v, ok := l.note.Text(key); ok && strings.EqualFold(v, "true") {
			return true
		}
	}
	return false
}

// setBody gives the note another text, whose statements are the cells. It changes
// nothing where the text would be taken apart otherwise.
func (l *leaf) setBody(body string, cells []*cell) bool {
	b, err := l.note.SetBody(body)
	if err != nil {
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

// first is the note of the input that it was; "" for one out of a session.
func (l *leaf) first() string {
	if len(l.of) == 0 {
		return ""
	}
	return l.of[0]
}

// set sets a field; one that can't be set stays.
func (l *leaf) set(key, value string) {
	if b, err := l.note.Set(key, value); err == nil {
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
	later := other.last().UTC().Format(time.DateOnly) > l.day()
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
