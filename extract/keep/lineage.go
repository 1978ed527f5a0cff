package keep

import (
	"slices"
	"strings"

	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// lineage is what the journal tells of everything that was ever drawn out of a
// session: which note holds it, or why none does any more.
type lineage struct {
	byHash  map[string][]saying // what a content was made of
	holds   map[string][]saying // by file
	lost    map[saying]string   // why
	first   map[saying][]string // contents of the notes that were made of it
	revoked map[saying]bool     // changes that extraction made and a person took back
}

// saying is something that was said in a session.
type saying struct{ session, quote string }

// Operations of the journal.
const (
	opRemember = "remember"
	opUndo     = "undo"
	opRollback = "rollback"
)

// readLineage reads the journal, given newest first.
func readLineage(history []store.Entry) *lineage {
	l := &lineage{byHash: map[string][]saying{}, holds: map[string][]saying{}, lost: map[saying]string{}, first: map[saying][]string{}, revoked: map[saying]bool{}}
	for _, e := range slices.Backward(history) {
		if e.Actor == store.Extract && e.UndoneBy > 0 {
			for _, s := range saidIn(e.From) {
				l.revoked[s] = true
			}
		}
		for _, m := range e.Marks {
			l.mark(e, m)
		}
		for _, c := range e.Changes {
			if c.After != "" {
				l.change(e, c)
			}
		}
		// Only then what went: a dream may have put it into another file.
		for _, c := range e.Changes {
			if c.After == "" {
				delete(l.holds, c.Path)
				l.lose(l.byHash[c.Before], whyLost(e))
			}
		}
	}
	return l
}

func saidIn(from []store.Source) []saying {
	var out []saying
	for _, f := range from {
		if f.Session != "" && f.Quote != "" {
			out = append(out, saying{f.Session, f.Quote})
		}
	}
	return out
}

func (l *lineage) mark(e store.Entry, m store.Change) {
	switch {
	case e.Op == trust.OpPropose && e.Actor == store.Extract:
		l.byHash[m.After] = union(l.byHash[m.After], saidIn(e.From))
	case e.Op == trust.OpReject && e.Actor == store.Human:
		l.lose(l.byHash[m.After], "you turned it down")
	case e.Op == trust.OpApprove && e.Actor == store.Human:
		l.find(l.byHash[m.After])
	}
}

// change follows what a file was made of into what it holds now.
func (l *lineage) change(e store.Entry, c store.Change) {
	of := l.byHash[c.After]
	if back := e.Op == opUndo || e.Op == opRollback; !back || of == nil {
		of = union(of, l.byHash[c.Before])
		for _, f := range slices.Concat(e.From, c.From) {
			if f.Hash != "" && isNote(c.Path) {
				of = union(of, l.byHash[f.Hash])
			}
		}
		if e.Actor == store.Extract && e.Op == opRemember && c.Before == "" && isNote(c.Path) {
			own := saidIn(e.From)
			of = union(of, own)
			for _, s := range own {
				l.first[s] = append(l.first[s], c.After)
			}
		}
	}
	if len(of) == 0 {
		return
	}
	l.byHash[c.After], l.holds[c.Path] = of, of
	l.find(of)
}

func isNote(path string) bool { return path != store.IndexName && path != store.PageName }

func union(a, b []saying) []saying {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (l *lineage) find(list []saying) {
	for _, s := range list {
		delete(l.lost, s)
	}
}

// lose remembers why something is in no note, unless it is in another one.
func (l *lineage) lose(list []saying, why string) {
	for _, s := range list {
		if l.holder(s) == "" {
			l.lost[s] = why
		}
	}
}

func (l *lineage) holder(s saying) string {
	found := ""
	for file, list := range l.holds {
		if slices.Contains(list, s) && (found == "" || file < found) {
			found = file
		}
	}
	return found
}

func whyLost(e store.Entry) string {
	switch {
	case e.Op == opUndo || e.Op == opRollback:
		return "you forgot it: its note was undone"
	case e.Actor == store.Extract:
		return "it was taken back in a later session"
	case e.Actor == store.Dream:
		return "a dream took its note out"
	}
	return "you forgot it"
}

// gone tells why a candidate is in no note though one was made of it once; "" for
// one that is new. Somebody who says a thing anew says it in another place.
func (l *lineage) gone(c extract.Candidate) string {
	if why := l.lost[saying{c.Session, c.Quote}]; why != "" {
		return why
	}
	for s, why := range l.lost {
		if s.session == c.Session && c.Quote != "" && strings.Contains(s.quote, c.Quote) {
			return why
		}
	}
	return ""
}

// undone tells whether a person undid what extraction did for a candidate.
func (l *lineage) undone(c extract.Candidate) bool { return l.revoked[saying{c.Session, c.Quote}] }

// made is the note that was made of a candidate before, and that holds something
// else by now; "" for none. One sentence can give two facts, so its text counts.
func (k *Keeper) made(c extract.Candidate) string {
	s := saying{c.Session, c.Quote}
	file := k.before.holder(s)
	if file == "" {
		return ""
	}
	for _, hash := range k.before.first[s] {
		text, err := k.St.Content(hash)
		if err != nil {
			continue // purged: then nobody can say
		}
		if body := strings.TrimSpace(string(note.Parse(text).Body())); body == strings.TrimSpace(c.Text) {
			return file
		}
	}
	return ""
}

// Fresh leaves out the candidates that were in a note before and are gone by a
// person's will: they forgot the note, undid the change or turned the proposal
// down. history is newest first, as store.History gives it.
func Fresh(history []store.Entry, candidates []extract.Candidate) []extract.Candidate {
	l := readLineage(history)
	return slices.DeleteFunc(slices.Clone(candidates), func(c extract.Candidate) bool { return l.gone(c) != "" })
}
