package trust

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/store"
)

// What trust writes into the journal.
const (
	OpRecognise = "recognise" // a note was found in a session's transcript
	OpPropose   = "propose"   // a text of low origin waits, outside the folder
	OpApprove   = "approve"   // a person approved just these bytes
	OpReject    = "reject"    // a person turned them down
	OpHold      = "hold"      // the line of a note was taken out of the index
	OpPull      = "pull"      // notes were brought from a server
	OpRequest   = "request"   // whoever asked over the API changed a note, or its name
)

// Link is one step in how a content came to be.
type Link struct {
	Entry store.Entry
	Path  string
	Hash  string   // what the step made
	From  []string // hashes of what it was made from
	// Sources are what it was made from as it was recorded.
	Sources []store.Source
	// Origin is the lowest of who wrote it and of what it was made from.
	Origin Origin
}

// Ledger is what the journal says of every content: where it came from, and what
// a person decided about it.
type Ledger struct {
	links    map[string][]Link // by the hash of what was made
	origin   map[string]Origin
	decided  map[string]store.Entry // the last decision of a person on a content
	current  map[string]string      // what each file holds
	proposed []Proposal
	taken    map[string]bool // contents that a note was made of
}

// Proposal is a text that waits outside the folder.
type Proposal struct {
	Entry store.Entry
	Path  string // where it would go
	Hash  string
}

// Read makes the ledger from the journal, given as store.History returns it,
// newest first.
func Read(history []store.Entry) *Ledger {
	l := &Ledger{links: map[string][]Link{}, origin: map[string]Origin{}, decided: map[string]store.Entry{}, current: map[string]string{}, taken: map[string]bool{}}
	for _, e := range slices.Backward(history) {
		for _, c := range e.Changes {
			l.change(e, c)
		}
		for _, m := range e.Marks {
			l.mark(e, m)
		}
	}
	return l
}

func (l *Ledger) change(e store.Entry, c store.Change) {
	if c.After == "" {
		delete(l.current, c.Path)
		return
	}
	l.current[c.Path] = c.After
	link := Link{Entry: e, Path: c.Path, Hash: c.After}
	if made(e.Op) && c.Before != "" && c.Path != store.IndexName {
		link.From = append(link.From, c.Before)
	}
	from, base := e.From, writer(e)
	if c.Origin != "" || len(c.From) > 0 {
		own := e
		own.Origin = c.Origin
		from, base = c.From, writer(own)
	}
	link.Sources = from
	for _, f := range from {
		if f.Hash != "" && f.Hash != c.After {
			link.From = append(link.From, f.Hash)
			l.taken[f.Hash] = true
		}
	}
	if _, known := l.origin[c.After]; known && (e.Op == "undo" || e.Op == "rollback") {
		return // it came back, and is what it was
	}
	if link.Origin = l.lowest(base, link.From); foreign(e.Op) {
		link.Origin = base
	}
	l.add(link)
}

// made reports whether an operation makes a text out of the one that was there.
func made(op string) bool { return op != "change" && op != "seen" && !foreign(op) }

// foreign reports whether an operation brings a text from elsewhere. It is of there,
// whatever it takes the place of, is named like, or was merged with: with what nobody is
// known to have written it would else count as that, which may load.
func foreign(op string) bool { return op == OpPull || op == OpRequest }

// writer is the origin of who made an entry, without what it was made from.
func writer(e store.Entry) Origin {
	if e.Origin != "" {
		return Lowest(Origin(e.Origin))
	}
	switch e.Actor {
	case store.Human:
		return Human
	case store.Agent:
		return Agent
	case store.Extract:
		return Tool
	case store.Sync:
		return Sync
	}
	return Outside // a dream says what it was made from
}

func (l *Ledger) lowest(base Origin, from []string) Origin {
	low := base
	for _, hash := range from {
		low = Lowest(low, l.Origin(hash))
	}
	return low
}

// add takes in a step. The same bytes may come from several sides: the best of
// them counts, for they are the same bytes.
func (l *Ledger) add(link Link) {
	l.links[link.Hash] = append(l.links[link.Hash], link)
	if had, ok := l.origin[link.Hash]; !ok || link.Origin.rank() > had.rank() {
		l.origin[link.Hash] = link.Origin
	}
}

func (l *Ledger) mark(e store.Entry, m store.Change) {
	switch e.Op {
	case OpApprove, OpReject:
		if e.Actor == store.Human {
			l.decided[m.After] = e
		}
	case OpRecognise:
		l.add(Link{Entry: e, Path: m.Path, Hash: m.After, Sources: e.From, Origin: Lowest(Origin(e.Origin))})
	case OpPropose:
		link := Link{Entry: e, Path: m.Path, Hash: m.After, Sources: e.From}
		for _, f := range e.From {
			if f.Hash != "" {
				link.From = append(link.From, f.Hash)
			}
		}
		link.Origin = l.lowest(writer(e), link.From)
		l.add(link)
		l.proposed = append(l.proposed, Proposal{e, m.Path, m.After})
	}
}

// Origin is where a content came from; Outside for one that nobody knows.
func (l *Ledger) Origin(hash string) Origin {
	if o, ok := l.origin[hash]; ok {
		return o
	}
	return Outside
}

// Approved reports whether a person approved just these bytes, and did not turn
// them down since.
func (l *Ledger) Approved(hash string) bool {
	e, ok := l.decided[hash]
	return ok && e.Op == OpApprove
}

// Rejected reports whether a person turned these bytes down.
func (l *Ledger) Rejected(hash string) bool {
	e, ok := l.decided[hash]
	return ok && e.Op == OpReject
}

// anyUnknown reports whether any file holds what nobody is known to have written.
func (l *Ledger) anyUnknown() bool {
	for _, hash := range l.current {
		if l.Origin(hash) == Outside {
			return true
		}
	}
	return false
}

// Holds is the hash of what a file holds, as far as the journal knows; "" for no
// file.
func (l *Ledger) Holds(path string) string { return l.current[path] }

// Pending are the proposals on which nobody has decided, and of which no note was
// made since.
func (l *Ledger) Pending() []Proposal {
	var out []Proposal
	seen := map[string]bool{}
	for _, p := range l.proposed {
		if _, done := l.decided[p.Hash]; !done && !seen[p.Hash] && !l.taken[p.Hash] {
			seen[p.Hash] = true
			out = append(out, p)
		}
	}
	return out
}

// Why is how a content came to be, the newest step first: the step that made it
// with the best origin, and then those of what it was made from.
func (l *Ledger) Why(hash string) []Link {
	var out []Link
	seen := map[string]bool{}
	next := []string{hash}
	for len(next) > 0 {
		h := next[0]
		next = next[1:]
		if seen[h] || len(l.links[h]) == 0 {
			continue
		}
		seen[h] = true
		best := l.links[h][0]
		for _, link := range l.links[h][1:] {
			if link.Origin.rank() > best.Origin.rank() {
				best = link
			}
		}
		out = append(out, best)
		next = append(next, best.From...)
	}
	slices.SortStableFunc(out, func(a, b Link) int { return b.Entry.ID - a.Entry.ID })
	return out
}

// Trace is all that was ever made out of what a file held, at any number of
// steps, and that a file holds now or that waits: its path and its hash.
func (l *Ledger) Trace(path string) []Link {
	tainted := map[string]bool{}
	for hash, links := range l.links {
		for _, link := range links {
			if link.Path == path {
				tainted[hash] = true
			}
		}
	}
	for grew := true; grew; {
		grew = false
		for hash, links := range l.links {
			if tainted[hash] {
				continue
			}
			for _, link := range links {
				if slices.ContainsFunc(link.From, func(h string) bool { return tainted[h] }) {
					tainted[hash], grew = true, true
				}
			}
		}
	}
	var out []Link
	for p, hash := range l.current {
		if tainted[hash] && p != store.IndexName {
			out = append(out, Link{Path: p, Hash: hash, Origin: l.Origin(hash)})
		}
	}
	for _, p := range l.Pending() {
		if tainted[p.Hash] {
			out = append(out, Link{Entry: p.Entry, Path: p.Path, Hash: p.Hash, Origin: l.Origin(p.Hash)})
		}
	}
	slices.SortFunc(out, func(a, b Link) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Hash, b.Hash))
	})
	return out
}
