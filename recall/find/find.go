package find

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"dormouse/recall"
	"dormouse/recall/embed"
	"dormouse/scan/secrets"
	"dormouse/store"
	"dormouse/trust"
)

// Folder is a store to look through, with the guard that judges its notes.
type Folder struct {
	Store *store.Store
	Guard *trust.Guard
}

// Config says where to look.
type Config struct {
	Stores       []Folder
	Instructions []string // files that a person wrote for the agent; absolute
	Logs         []string // session logs; absolute
	State        string   // Dormouse's state folder, absolute; "": nothing is kept
	// Heavy is called before many notes are read and indexed at once; nil: nobody
	// wants to know.
	Heavy func()
	// Embed reorders what was found by words; nil: nobody has named an embedder.
	Embed *embed.Ranker
}

// Question is what is asked, and for whom.
type Question struct {
	recall.Query
	// Held lets notes come up that may not load, each with its reasons: for a
	// person's eyes, never for an agent.
	Held bool
	// Standing asks for the standing preferences besides.
	Standing bool
	// Conflicts brings in what says otherwise than a hit.
	Conflicts bool
	// Certain leaves out hits that may be meant and may not: what is not asked for is
	// shown only where it is sure to be of use.
	Certain bool
	// Quick passes over most files of a large store, for a hook that a person waits
	// for: hits are still read as they are, and files that came, went or were
	// replaced are seen; a note that was written in place may come up a few
	// questions later.
	Quick   bool
	Excerpt int // runes of the words around a hit; 0: 200
}

// Answer is what was found.
type Answer struct {
	Hits []Hit
	// NoTerms tells that the question has no word that says anything.
	NoTerms bool
	// Standing are notes on the user and on how to work, which hold whatever is
	// asked: the newest ones, and how many there are besides.
	Standing     []Hit
	StandingMore int
	// Waiting counts notes that would have come up, but wait for a review. Of
	// certain hits only it is not counted in a large store.
	Waiting int
	Unread  int // notes that could not be read
	// Problems are what kept a part of it from being looked through. The rest
	// stands.
	Problems []error
	// Uncached tells why the index could not be kept; the answer is whole.
	Uncached error
}

// Hit is a note, a section of an instruction file, or a turn of a session.
type Hit struct {
	Kind        recall.Kind
	Store       string // folder of a note
	Path        string // of the file, absolute
	Rel         string // of a note, its path in the store
	Title       string
	Description string
	// Type of a note is user, feedback, project or reference; of a turn it is who
	// speaks: user or assistant.
	Type    string
	Session string // of a turn
	Date    time.Time
	Origin  trust.Origin
	// Loads reports whether it may reach a session; if not, Reasons say why, in
	// fixed words.
	Loads    bool
	Approved bool
	Reasons  []trust.Reason

	Line    int      // 1-based line of the file where the excerpt's words stand
	Excerpt string   // one line, hidden characters visible, secrets masked
	Words   []string // of the question, as they stand in the excerpt
	Score   float64
	Certain bool
	Why     []string
	For     string // path of the hit that it was brought in for
	// Conflicts are what says otherwise.
	Conflicts []Conflict

	id, lead, text string // of the document, and what it says: to compare it
}

// saying is what a document says.
type saying struct {
	kind              recall.Kind
	title, lead, text string
}

// Conflict is the other side of a hit.
type Conflict struct {
	Hit
	Words string // what the two differ in
}

const (
	defaultLimit   = 10
	defaultExcerpt = 200
)

// Finder answers questions. It is not for several goroutines at once; several
// processes may look through the same stores.
type Finder struct {
	conf    Config
	secrets *secrets.Finder

	// For tests: the system's clock, which file times are compared with; from
	// which size on an index is kept; how many segments it has at most, and how many
	// changed notes never have it written anew; and what is called before each step of a
	// write, and before the answer is made.
	clock     func() time.Time
	manyNotes int
	manyBytes int64
	segments  int
	few       int
	step      func(string)
}

// Open makes a finder, and reads nothing yet.
func Open(c Config) *Finder {
	if c.Heavy == nil {
		c.Heavy = func() {}
	}
	return &Finder{conf: c, secrets: secrets.New(), clock: time.Now, manyNotes: manyNotes, manyBytes: manyBytes, segments: maxSegments, few: fewChanged}
}

// Find answers a question from the files as they are. An error tells that nothing
// could be looked through; a question without a term has no hits.
func (f *Finder) Find(ctx context.Context, q Question) (*Answer, error) {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	if q.Excerpt <= 0 {
		q.Excerpt = defaultExcerpt
	}
	a, err := f.guarded(ctx, q, f.conf.State)
	if errors.Is(err, errDamaged) {
		// What the checksums did not show; without the cache it is the same answer.
		a, err = f.guarded(ctx, q, "")
	}
	return a, err
}

var errDamaged = errors.New("the index is damaged")

// guarded is one try. A file of the cache that is cut off while it is mapped
// makes reading it a fault, which must not end the process.
func (f *Finder) guarded(ctx context.Context, q Question, state string) (a *Answer, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if state == "" {
			return
		}
		if r := recover(); r != nil {
			if _, ok := r.(runtime.Error); !ok {
				panic(r)
			}
			a, err = nil, errDamaged
		}
	}()
	s := &search{f: f, q: q, state: state, now: f.clock(), answer: &Answer{}, byKey: map[string]source{}, terms: termsOf(q.Text)}
	defer s.close()
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	if f.step != nil {
		f.step("answer")
	}
	s.answer.NoTerms = len(s.terms) == 0
	return s.answer, s.run(ctx)
}

// source is where the parts of an answer come from.
type source interface {
	parts(which notesOf) []recall.Part
	// hit makes a hit of what an index says. ok is false where the file is gone
	// since. loads may differ from what parts went by: the file may hold something
	// else by now.
	hit(s *search, h recall.Hit) (hit Hit, ok bool)
	// says is what a document says now, without a kind where it is gone. Nothing of
	// it is judged.
	says(id string) saying
	// standing are the preferences, newest first, at most n, and how many there are.
	standing(s *search, n int) (list []Hit, all int)
	report(a *Answer)
	close()
}

// search is one question on its way.
type search struct {
	f      *Finder
	q      Question
	state  string
	now    time.Time // of the system: it is compared with file times
	answer *Answer
	all    []source
	byKey  map[string]source
	terms  terms
}

func (s *search) close() {
	for _, src := range s.all {
		src.close()
	}
}

func (s *search) wants(k recall.Kind) bool {
	return len(s.q.Kinds) == 0 || slices.Contains(s.q.Kinds, k)
}

// open brings all sources up to date.
func (s *search) open(ctx context.Context) error {
	if s.wants(recall.Note) {
		for _, folder := range s.f.conf.Stores {
			key := keyOf(folder.Store.Dir())
			if s.byKey[key] != nil {
				continue
			}
			v := &view{f: s.f, st: folder.Store, guard: folder.Guard, key: key, cache: s.f.cacheOf(s.state, key), now: s.now, quick: s.q.Quick}
			s.add(key, v)
			if err := v.load(); err != nil {
				s.answer.Problems = append(s.answer.Problems, err)
				v.drop()
			}
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("searching: %w", err)
			}
		}
	}
	if s.wants(recall.Instruction) && len(s.f.conf.Instructions) > 0 {
		s.add(instructionKey, s.instructions())
	}
	if s.wants(recall.Turn) && len(s.f.conf.Logs) > 0 {
		if err := s.logs(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) add(key string, src source) {
	s.all = append(s.all, src)
	s.byKey[key] = src
}

// of is the source that an ID names.
func (s *search) of(id string) source {
	if len(id) < keyLen || id[keyLen-1] != '/' {
		return nil
	}
	return s.byKey[id[:keyLen-1]]
}

// keyLen is the length in bytes of a key and the slash behind it.
const keyLen = 17

func (s *search) parts(which notesOf) []recall.Part {
	var out []recall.Part
	for _, src := range s.all {
		out = append(out, src.parts(which)...)
	}
	return out
}

// beyond is how many more hits are asked for than are shown: some may be gone, or
// wait, and the other sides of conflicts are among them.
const beyond = 20

func (s *search) run(ctx context.Context) error {
	which := loadable
	if s.q.Held {
		which = allNotes
	}
	wide := s.q.Query
	wide.Limit += beyond
	if s.anyLazy() {
		wide.Limit += s.f.manyNotes // any of them may turn out to wait
	}
	if s.f.conf.Embed != nil {
		wide.Limit = max(wide.Limit, meantFrom)
	}
	found := s.byMeaning(ctx, recall.Search(wide, s.parts(which)))
	rest := s.take(found)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	if !s.q.Held && !s.q.Certain {
		s.countWaiting()
	}
	if s.q.Conflicts {
		s.conflicts(rest)
	}
	if s.q.Standing {
		s.standing()
	}
	for _, src := range s.all {
		src.report(s.answer)
	}
	return nil
}

func (s *search) anyLazy() bool {
	return slices.ContainsFunc(s.all, func(src source) bool { v, ok := src.(*view); return ok && v.lazy })
}

// take makes hits of what was found until there are enough, and returns the rest.
func (s *search) take(found []recall.Hit) (rest []recall.Hit) {
	held, said := map[string]bool{}, map[string]bool{}
	for i, h := range found {
		if len(s.answer.Hits) == s.q.Limit {
			return found[i:]
		}
		if s.q.Certain && !h.Certain || h.Partner != "" && held[h.Partner] {
			continue // what a held note leads to comes up by itself, or not at all
		}
		hit, ok := s.hit(h)
		moment := ""
		if hit.Kind == recall.Turn {
			moment = hit.Date.String() + hit.Type + hit.Excerpt
		}
		switch {
		case !ok, said[moment]: // a copy in the log of a session that was resumed or forked
		case !hit.Loads && !s.q.Held:
			s.answer.Waiting++
			held[h.ID] = true
		default:
			s.answer.Hits = append(s.answer.Hits, hit)
			if moment != "" {
				said[moment] = true
			}
		}
	}
	return nil
}

func (s *search) hit(h recall.Hit) (Hit, bool) {
	src := s.of(h.ID)
	if src == nil {
		return Hit{}, false
	}
	hit, ok := src.hit(s, h)
	if !ok {
		return hit, false
	}
	hit.id = h.ID
	hit.Score, hit.Certain, hit.Why = h.Score, h.Certain, cloned(h.Why)
	if p := s.of(h.Partner); p != nil {
		hit.For = h.Partner[keyLen:]
	}
	return hit, true
}

// countWaiting counts the notes that were masked, by what is known of them.
func (s *search) countWaiting() {
	any := false
	for _, src := range s.all {
		if v, ok := src.(*view); ok {
			any = any || v.anyHeld
		}
	}
	if !any {
		return
	}
	q := s.q.Query
	for _, h := range recall.Search(q, s.parts(heldOnly)) {
		if h.Partner == "" {
			s.answer.Waiting++
		}
	}
}

// mostStanding is how many preferences are given.
const mostStanding = 20

func (s *search) standing() {
	for _, src := range s.all {
		list, all := src.standing(s, mostStanding)
		s.answer.Standing = append(s.answer.Standing, list...)
		s.answer.StandingMore += all
	}
	slices.SortStableFunc(s.answer.Standing, func(a, b Hit) int { return b.Date.Compare(a.Date) })
	s.answer.Standing = s.answer.Standing[:min(len(s.answer.Standing), mostStanding)]
	s.answer.StandingMore -= len(s.answer.Standing)
}
