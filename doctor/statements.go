package doctor

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/note"
	"dormouse/store"
)

// said is a text whose statements are compared, and where it stands.
type said struct {
	path  string
	line  int // of the text's first line in the file, 1-based
	lead  int // line of what is said beside it
	note  *store.Item
	instr bool
}

// statements compares what notes and instructions say.
func (c *check) statements() error {
	var sources []claim.Source
	var places []said
	c.live(func(it *store.Item) {
		sources = append(sources, claim.Source{Name: it.Rel, Lead: it.Note.Description(), Text: string(it.Note.Body())})
		places = append(places, said{path: c.notePath(it.Rel), line: it.Note.BodyLine(), lead: descriptionLine(it.Note), note: it})
	})
	for _, d := range c.docs {
		sources = append(sources, claim.Source{Name: d.path, Text: d.body, Fixed: true})
		places = append(places, said{path: d.path, line: d.line, instr: true})
	}
	manifests, documents := c.repositoryFiles()
	docSources, docPlaces := c.documentSources(documents)
	sources, places = append(sources, docSources...), append(places, docPlaces...)
	for i := range sources {
		sources[i].Claims = claim.Split(sources[i].Text)
		if it := places[i].note; it != nil {
			c.claims[it.Rel] = sources[i].Claims
		} else if places[i].instr {
			c.claims[places[i].path] = sources[i].Claims
		}
	}
	found := claim.Across(sources)
	c.out.Checked.Statements = found.Claims
	s := &sayings{c: c, sources: sources, places: places, twins: map[[2]int]bool{}}
	for _, t := range found.Twins {
		s.twin(t)
	}
	for _, p := range found.Pairs {
		s.pair(p)
	}
	s.repeated(found)
	c.inInstructions(sources, places)
	c.declared(manifests)
	return nil
}

func (c *check) isDoc(path string) bool {
	return slices.ContainsFunc(c.docs, func(d doc) bool { return d.path == path })
}

func descriptionLine(n *note.Note) int {
	f, _ := n.Field("description")
	return f.Line
}

// sayings turns relations of statements into findings.
type sayings struct {
	c       *check
	sources []claim.Source
	places  []said
	twins   map[[2]int]bool
}

// place is where a statement stands.
func (s *sayings) place(source, in int) Place {
	p := s.places[source]
	if in < 0 {
		return Place{Path: p.path, Line: p.lead, Text: s.sources[source].Lead}
	}
	cl := s.sources[source].Claims[in]
	return Place{Path: p.path, Line: p.line + cl.Line - 1, Text: cl.Text}
}

// twin tells of two notes that say the same as wholes.
func (s *sayings) twin(t claim.Twin) {
	a, b := s.places[t.A].note, s.places[t.B].note
	switch {
	case a == nil && b == nil:
		return
	case a == nil:
		s.twinOfText(t.B, t.A, t.Kind)
		return
	case b == nil:
		s.twinOfText(t.A, t.B, t.Kind)
		return
	}
	s.twins[[2]int{t.A, t.B}] = true
	older, newer := a, b
	if b.Mod.Before(a.Mod) {
		older, newer = b, a
	}
	c := s.c
	at, other := Place{Path: c.notePath(newer.Rel)}, Place{Path: c.notePath(older.Rel)}
	if t.Kind == claim.Exact && sameBody(newer.Note, older.Note) {
		s.exact(newer, older)
		return
	}
	if t.Kind == claim.Exact {
		t.Why = "every sentence is the same, and only headings and marks differ"
	}
	c.add("duplicate-near", at, older.Rel, "%s and %s say the same in other words: %s", newer.Rel, older.Rel, t.Why).relate("says the same", other).
		fix("put what both say into one of them", "edit "+shellWord(older.Rel), false, Plan{})
}

// twinOfText tells of a note whose whole text an instruction file or the
// repository has.
func (s *sayings) twinOfText(a, b int, kind claim.Kind) {
	if kind != claim.Exact && kind != claim.Same && kind != claim.Within || len(s.sources[a].Claims) == 0 {
		return
	}
	other := Place{Path: s.places[b].path, Line: s.places[b].line}
	words := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
	for i, cl := range s.sources[b].Claims {
		if words(cl.Text) == words(s.sources[a].Claims[0].Text) {
			other = s.place(b, i)
			break
		}
	}
	s.said(b, s.place(a, 0), other, "")
}

// said tells of a note that says what the instructions or the repository say.
func (s *sayings) said(b int, at, other Place, key string) {
	rule, why := "duplicate-instructions", "the note can go: the instructions load in every session"
	if !s.places[b].instr {
		rule, why = "repeats-repository", "the note can go: the repository tells it to whoever looks"
	}
	s.c.add(rule, at, key, "%s says what %s says already", s.c.at(at), s.c.at(other)).relate("says it too", other).fix(why, "", false, Plan{})
}

// pair tells of two statements on the same matter.
func (s *sayings) pair(p claim.Pair) {
	a, b := p.A, p.B
	ia, ib := p.InA, p.InB
	if s.places[a].note == nil { // the note comes first
		a, b, ia, ib = b, a, ib, ia
	}
	if s.places[a].note == nil {
		return
	}
	at, other := s.place(a, ia), s.place(b, ib)
	key := s.c.show(other.Path) + "\x00" + at.Text + "\x00" + other.Text
	switch {
	case p.Kind == claim.Conflict && s.places[b].note != nil:
		s.conflict(a, b, at, other, key, p.Why)
	case p.Kind == claim.Conflict && s.places[b].instr:
		s.c.add("conflict-instructions", at, key, "%s says otherwise than %s: %s", s.c.at(at), s.c.at(other), p.Why).
			relate("says otherwise", other).
			evidence("the instructions are a person's word and come first; the note stays as it is until somebody decides").
			fix("change the note, or the instructions", "edit "+shellWord(s.sources[a].Name), false, Plan{})
	case p.Kind == claim.Complement || p.Kind == claim.Conflict || p.Kind == claim.None:
	case s.places[b].note != nil:
		s.same(b, at, other, key, p)
	case ia < 0: // a description repeats the note, and the note is compared itself
	default:
		s.said(b, at, other, key)
	}
}

// conflict tells of two notes that can't both hold, and which one would win.
func (s *sayings) conflict(a, b int, at, other Place, key, why string) {
	f := s.c.add("conflict-notes", at, key, "%s and %s can't both hold: %s", s.c.at(at), s.c.at(other), why).relate("says otherwise", other)
	f.evidence("%s", s.precedence(a, b))
	f.fix("mend the one that no longer holds", "edit "+shellWord(s.sources[a].Name), false, Plan{})
}

// precedence says which of two notes would win: a person's word before an
// agent's, then the newer one; equal dates have no winner.
func (s *sayings) precedence(a, b int) string {
	na, nb := s.places[a].note, s.places[b].note
	if l := s.c.in.Ledger; l != nil {
		oa, ob := l.Origin(store.HashOf(na.Note.Bytes())), l.Origin(store.HashOf(nb.Note.Bytes()))
		switch {
		case oa != ob && oa.AtLeast(ob):
			return fmt.Sprintf("%s comes first: it is %s, the other %s", na.Rel, oa, ob)
		case oa != ob && ob.AtLeast(oa):
			return fmt.Sprintf("%s comes first: it is %s, the other %s", nb.Rel, ob, oa)
		}
	}
	ta, tb := s.c.ageOf(na), s.c.ageOf(nb)
	da, db := ta.At.UTC().Format("2006-01-02"), tb.At.UTC().Format("2006-01-02")
	switch {
	case da > db:
		return fmt.Sprintf("%s is newer (%s, %s) than %s (%s)", na.Rel, da, ta.By, nb.Rel, db)
	case db > da:
		return fmt.Sprintf("%s is newer (%s, %s) than %s (%s)", nb.Rel, db, tb.By, na.Rel, da)
	}
	return fmt.Sprintf("both are of %s, so neither comes first", da)
}

// same tells of two notes that share a statement, unless they are told as wholes.
// Of long notes only a whole sentence in the same words is told: what they have in
// common is seldom what they are about.
func (s *sayings) same(b int, at, other Place, key string, p claim.Pair) {
	if s.twins[[2]int{p.A, p.B}] {
		return
	}
	if p.InA < 0 || p.InB < 0 || s.short(p.A) && s.short(p.B) {
		s.twins[[2]int{p.A, p.B}] = true
		s.c.add("duplicate-near", at, s.c.show(other.Path), "%s and %s say the same: %s", s.c.at(at), s.c.at(other), p.Why).
			relate("says the same", other).
			fix("put what both say into one of them", "edit "+shellWord(s.sources[b].Name), false, Plan{})
		return
	}
	if p.Kind == claim.Within || len(strings.Fields(at.Text)) < wholeSentence {
		return
	}
	s.c.add("duplicate-near", at, key, "%s repeats %s: %s", s.c.at(at), s.c.at(other), p.Why).level(Info).relate("says the same", other)
}

// wholeSentence is how many words a statement has that is worth telling of by
// itself.
const wholeSentence = 6

// short tells a note of few statements: where one of them is another note's too,
// the notes are about the same.
func (s *sayings) short(source int) bool { return len(s.sources[source].Claims) <= 3 }

// repeatedIn is in how many notes a rule has to stand to belong in CLAUDE.md.
const repeatedIn = 2

// repeated tells of a rule that several feedback notes of several sessions hold.
func (s *sayings) repeated(found claim.Found) {
	group := map[int][]int{}
	join := func(a, b int) {
		if s.feedback(a) && s.feedback(b) {
			group[a] = append(group[a], b)
			group[b] = append(group[b], a)
		}
	}
	for _, t := range found.Twins {
		join(t.A, t.B)
	}
	for _, p := range found.Pairs {
		if p.Kind == claim.Same || p.Kind == claim.Exact {
			join(p.A, p.B)
		}
	}
	done := map[int]bool{}
	for i := range s.sources {
		if done[i] || len(group[i]) == 0 {
			continue
		}
		cluster := s.cluster(i, group, done)
		if len(cluster) <= repeatedIn && !s.sessionsDiffer(cluster) {
			continue
		}
		at := Place{Path: s.places[cluster[0]].path, Line: s.places[cluster[0]].line}
		f := s.c.add("belongs-in-instructions", at, "", "a rule that %d feedback notes repeat belongs in CLAUDE.md, where every session reads it", len(cluster))
		for _, k := range cluster[1:] {
			f.relate("says it too", Place{Path: s.places[k].path, Line: s.places[k].line})
		}
	}
}

func (s *sayings) cluster(from int, group map[int][]int, done map[int]bool) []int {
	var out []int
	next := []int{from}
	for len(next) > 0 {
		i := next[0]
		next = next[1:]
		if done[i] {
			continue
		}
		done[i] = true
		out = append(out, i)
		next = append(next, group[i]...)
	}
	slices.Sort(out)
	return out
}

func (s *sayings) feedback(i int) bool {
	n := s.places[i].note
	return n != nil && n.Note.Type() == "feedback"
}

func (s *sayings) sessionsDiffer(cluster []int) bool {
	sessions := map[string]bool{}
	for _, i := range cluster {
		if v, ok := s.places[i].note.Note.Text("originSessionId"); ok && v != "" {
			sessions[v] = true
		}
	}
	return len(sessions) >= repeatedIn
}
