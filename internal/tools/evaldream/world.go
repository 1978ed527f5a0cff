package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/trust"
)

// The zone of an output where a fact has to be.
const (
	inStore = "store"
	inAny   = "any" // the store, or the archive
)

// A fact is one thing that the world's notes say, with the truth about it.
type fact struct {
	ID      int       `json:"id"`
	Kind    string    `json:"kind"`
	Lang    string    `json:"lang"`
	Slot    string    `json:"slot,omitempty"`
	Subject string    `json:"subject,omitempty"`
	Scope   string    `json:"scope,omitempty"`
	Value   string    `json:"value,omitempty"`
	From    time.Time `json:"from,omitzero"`
	Until   time.Time `json:"until,omitzero"` // zero: it still holds
	Where   string    `json:"where"`
	Means   string    `json:"means,omitempty"`  // of a relative date the date
	State   string    `json:"state,omitempty"`  // of a path: present, deleted, renamed, elsewhere, never
	Notes   []string  `json:"notes"`            // the sources
	Texts   []string  `json:"texts"`            // as planted, one for each source
	Others  []string  `json:"others,omitempty"` // further wordings that count

	against bool
	own     []saying // of Texts, made when they are first looked for
	other   []saying // of Others
}

// A relation is what two facts or two copies of one are to each other.
type relation struct {
	Kind string `json:"kind"`
	A    int    `json:"a"` // of a change the one that holds
	B    int    `json:"b"`
	// Copies are two wordings of A, of which one has to go; of other relations nil.
	Copies []string `json:"copies,omitempty"`
}

// A draft is a note while it is being filled.
type draft struct {
	name, typ, desc string
	origin          trust.Origin
	at              time.Time
	heading         string // of a list
	lines           []string
	facts           []int
}

func (d *draft) rel() string { return d.name + ".md" }

// A world is a memory folder with the truth about it.
type world struct {
	Lang      string     `json:"lang"`
	Large     bool       `json:"large"`
	Facts     []*fact    `json:"facts"`
	Relations []relation `json:"relations"`
	Secrets   []string   `json:"secrets"`
	Poison    []string   `json:"poison"` // marks, each in one note

	fixed  []claim.Source
	said   []extract.Candidate
	tree   tree
	notes  []source
	lists  map[string][]byte
	drafts []*draft

	r      *rand.Rand
	half   half
	slots  []slot
	frame  frames
	lists4 []*draft
	used   map[string]bool
	typos  float64
}

// A source is a note of the input as a dream gets it.
type source struct {
	rel    string
	bytes  []byte
	origin trust.Origin
	at     time.Time
}

// start is before the first note; all of them are older than the commits that
// removed anything.
var start = time.Date(2026, 1, 12, 10, 0, 0, 0, time.UTC)

// newWorld makes a world of a language. A large one has more notes than an index
// has room for.
func newWorld(seed, number uint64, lang string, h half, large bool) (*world, error) {
	plain := 8
	if large {
		plain = 250
	}
	w := emptyWorld(seed, number, lang, h)
	w.Large = large
	w.plant(plain)
	return w, w.finish()
}

// hugeWorld makes a world of so many notes, or a few less, in which there is as much to
// find for each of them as in a small one.
func hugeWorld(seed uint64, notes int) (*world, error) {
	w := emptyWorld(seed, 0, "en", held)
	for len(w.drafts) < notes {
		w.plant(40)
	}
	w.drafts = w.drafts[:notes] // the truth is not asked for here
	return w, w.finish()
}

func emptyWorld(seed, number uint64, lang string, h half) *world {
	w := &world{Lang: lang, r: rand.New(rand.NewPCG(seed, number)), half: h, used: map[string]bool{}, typos: 0.05}
	w.tree = tree{state: map[string]string{}, now: map[string]string{}}
	all := english()
	w.frame = englishFrames()
	if lang == "uk" {
		all, w.frame = ukrainian(), ukrainianFrames()
	}
	for _, s := range all {
		if s.half != "" && s.half != h {
			continue
		}
		s.wordings, s.against = h.of(s.wordings), h.of(s.against)
		w.slots = append(w.slots, s)
	}
	return w
}

// fourLists begins the lists that facts are strewn over.
func (w *world) fourLists() {
	w.lists4 = nil
	for i := range 4 {
		d := w.newNote("project", start.AddDate(0, 0, 50*i+w.r.IntN(20)), trust.UserTurn)
		d.heading = pick(w.r, w.frame.heading)
		d.name = fmt.Sprintf("%s-%s", pick(w.r, words), w.number())
		w.lists4 = append(w.lists4, d)
	}
}

func (w *world) chance(p float64) bool { return w.r.Float64() < p }

// day is some day of the year of the notes, not too late for a change after it.
func (w *world) day() time.Time {
	return start.AddDate(0, 0, w.r.IntN(150)).Add(time.Duration(w.r.IntN(400)) * time.Minute)
}

func (w *world) later(t time.Time) time.Time { return t.AddDate(0, 0, 9+w.r.IntN(45)) }

// unique makes something that was not made before.
func (w *world) unique(make func() string) (string, bool) {
	for range 60 {
		if s := make(); !w.used[s] {
			w.used[s] = true
			return s, true
		}
	}
	return "", false
}

func (w *world) number() string {
	s, ok := w.unique(func() string { return fmt.Sprint(10000 + w.r.IntN(89999)) })
	if !ok {
		panic("out of numbers") // 60 misses among 89,999 with some hundred taken
	}
	return s
}

func (w *world) service() string {
	if s, ok := w.unique(func() string { return pick(w.r, parts) + pick(w.r, tails) }); ok {
		return s
	}
	if s, ok := w.unique(func() string { return pick(w.r, parts) + "-" + pick(w.r, words) + pick(w.r, tails) }); ok {
		return s
	}
	return pick(w.r, parts) + "-" + w.number()
}

// person is a first name with the last name of somebody.
func (w *world) person() string {
	pool := people
	if w.Lang == "uk" {
		pool = ukNames
	}
	name := func() string {
		first, _, _ := strings.Cut(pick(w.r, pool), " ")
		_, last, _ := strings.Cut(pick(w.r, pool), " ")
		return first + " " + last
	}
	if s, ok := w.unique(name); ok {
		return s
	}
	return name() + " " + w.number()
}

// slot picks one that fits.
func (w *world) slot(fits func(*slot) bool) *slot {
	for {
		if s := &w.slots[w.r.IntN(len(w.slots))]; fits == nil || fits(s) {
			return s
		}
	}
}

// value makes a value of a slot that no other fact has. Of cities and editors there
// are few: people may share them.
func (w *world) value(s *slot) string {
	switch s.value {
	case city, ukCity, editor:
		return s.value.make(w.r)
	case person, ukPerson:
		return w.person()
	}
	if v, ok := w.unique(func() string { return s.value.make(w.r) }); ok {
		return v
	}
	switch s.value {
	case bucket, link, command, channel, folder:
		return s.value.make(w.r) + "-" + w.number()
	}
	return w.number()
}

// fact makes a fact of a slot with a new subject and value.
func (w *world) fact(kind string, s *slot) *fact {
	f := &fact{Slot: s.name, Value: w.value(s)}
	if s.typ == "user" {
		f.Subject = w.person()
	} else {
		f.Subject = w.service()
	}
	return w.add(kind, f)
}

func (w *world) add(kind string, f *fact) *fact {
	f.ID, f.Kind, f.Lang = len(w.Facts), kind, w.Lang
	if f.Where == "" {
		f.Where = inStore
	}
	w.Facts = append(w.Facts, f)
	return f
}

// like makes a fact of the same slot and subject with another value.
func (w *world) like(kind string, s *slot, f *fact) *fact {
	v := w.value(s)
	for v == f.Value {
		v = w.value(s)
	}
	return w.add(kind, &fact{Slot: f.Slot, Subject: f.Subject, Scope: f.Scope, Value: v})
}

// wording says a fact in one of the wordings of its slot; which of them: -1 any.
func (w *world) wording(s *slot, f *fact, which int) string {
	from := s.wordings
	if f.against {
		from = s.against
	}
	if which < 0 {
		which = w.r.IntN(len(from))
	}
	return say(from[which%len(from)], f.Subject, f.Value, f.Scope)
}

// newNote begins a note.
func (w *world) newNote(typ string, at time.Time, o trust.Origin) *draft {
	d := &draft{typ: typ, at: at, origin: o}
	w.drafts = append(w.drafts, d)
	return d
}

// put writes a fact into a note.
func (w *world) put(d *draft, f *fact, text string) { w.putAs(d, f, text, text) }

// putAs writes a fact into a note, and looks for it with a text that has a hole.
func (w *world) putAs(d *draft, f *fact, text, looked string) {
	if d.name == "" {
		d.name = slug(f.Slot + " " + f.Subject)
		if f.Slot == "" {
			d.name = slug(f.Kind + " " + f.Subject)
		}
		for base, n := d.name, 2; w.used["name "+d.name]; n++ {
			d.name = fmt.Sprintf("%s-%d", base, n)
		}
		w.used["name "+d.name] = true
	}
	if d.desc == "" && d.heading == "" {
		d.desc = strings.TrimRight(strings.ReplaceAll(note.Clip(text, 110), "`", ""), ".")
	}
	d.lines = append(d.lines, text)
	d.facts = append(d.facts, f.ID)
	f.Texts, f.Notes = append(f.Texts, looked), append(f.Notes, d.rel())
	if f.From.IsZero() || d.at.Before(f.From) {
		f.From = d.at
	}
}

// alone writes a fact into a note of its own, often with its reason.
func (w *world) alone(f *fact, typ, text string, at time.Time, o trust.Origin) *draft {
	d := w.newNote(typ, at, o)
	w.put(d, f, text)
	if w.chance(0.55) {
		w.reason(d, f)
	}
	return d
}

// reason adds why and how to a note. Where its fact may go to the archive, they may.
func (w *world) reason(d *draft, of *fact) {
	for i, from := range [][]string{w.frame.why, w.frame.how} {
		label := []string{w.frame.why1, w.frame.how1}[i]
		text := strings.ReplaceAll(pick(w.r, from), "#", w.number())
		f := w.add("background", &fact{Where: of.Where, Subject: of.Subject})
		w.put(d, f, text)
		d.lines[len(d.lines)-1] = "**" + label + "** " + text
	}
}

// anywhere writes a fact into a list or into a note of its own.
func (w *world) anywhere(f *fact, s *slot, text string, at time.Time, not *draft) *draft {
	if s.typ == "project" && w.chance(0.4) {
		if d := w.lists4[w.r.IntN(len(w.lists4))]; d != not {
			w.put(d, f, text)
			return d
		}
	}
	return w.alone(f, s.typ, text, at, trust.UserTurn)
}

// relate records what two facts are to each other.
func (w *world) relate(kind string, a, b *fact) {
	w.Relations = append(w.Relations, relation{Kind: kind, A: a.ID, B: b.ID})
}

// finish writes notes and index.
func (w *world) finish() error {
	w.drafts = slices.DeleteFunc(w.drafts, func(d *draft) bool { return len(d.lines) == 0 })
	w.r.Shuffle(len(w.drafts), func(i, k int) { w.drafts[i], w.drafts[k] = w.drafts[k], w.drafts[i] })
	var index strings.Builder
	index.WriteString("# Memory\n\n")
	for i, d := range w.drafts {
		body := strings.Join(d.lines, "\n\n") + "\n"
		if d.heading != "" {
			w.r.Shuffle(len(d.lines), func(i, k int) { d.lines[i], d.lines[k] = d.lines[k], d.lines[i] })
			body = "# " + d.heading + "\n\n- " + strings.Join(d.lines, "\n- ") + "\n"
			d.desc = d.heading + " " + d.name
		}
		b, err := note.New(note.Fields{
			Name: d.name, Description: d.desc, Type: d.typ, Modified: d.at,
			Session: fmt.Sprintf("%08x-%04x-4a6b-9c1d-%012x", w.r.Uint32(), w.r.IntN(1<<16), w.r.Uint64()>>16),
		}, body)
		if err != nil {
			return fmt.Errorf("note %d: %w", i, err)
		}
		w.notes = append(w.notes, source{d.rel(), b, d.origin, d.at})
		fmt.Fprintf(&index, "- [%s](%s) — %s\n", d.name, d.rel(), d.desc)
	}
	w.lists = map[string][]byte{"MEMORY.md": []byte(index.String())}
	for _, f := range w.Facts {
		w.further(f)
	}
	return nil
}

// further collects the other wordings of a fact: who merges may choose any.
func (w *world) further(f *fact) {
	for _, s := range w.slots {
		if s.name != f.Slot {
			continue
		}
		from := s.wordings
		if f.against {
			from = s.against
		}
		for _, text := range from {
			if t := say(text, f.Subject, f.Value, f.Scope); !slices.Contains(f.Texts, t) {
				f.Others = append(f.Others, t)
			}
		}
	}
	slices.Sort(f.Others)
}

// slug is a name as the client makes it.
func slug(s string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.ToLower(s))
	out = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(out, "--", "-"), "--", "-"), "-")
	return cmp.Or(out, "note")
}

// typo swaps two letters of a long word of lower-case letters, if there is one that
// is no value, subject or word that decides.
func typo(r *rand.Rand, text string, keep ...string) string {
	fields := strings.Split(text, " ")
	for _, i := range r.Perm(len(fields)) {
		f := fields[i]
		if utf8.RuneCountInString(f) < 6 || !allLower(f) || slices.ContainsFunc(keep, func(k string) bool { return strings.Contains(k, f) }) {
			continue
		}
		runes := []rune(f)
		for k := 2 + r.IntN(len(runes)-4); k < len(runes)-1; k++ {
			if runes[k] != runes[k+1] {
				runes[k], runes[k+1] = runes[k+1], runes[k]
				fields[i] = string(runes)
				return strings.Join(fields, " ")
			}
		}
	}
	return text
}

func allLower(s string) bool {
	for _, r := range s {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return true
}
