package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/recall"
	"dormouse/recall/find"
)

// foundHit is a hit, as JSON.
type foundHit struct {
	Kind        string    `json:"kind"` // note, instruction or turn
	Path        string    `json:"path"` // absolute
	Line        int       `json:"line"` // 1-based
	Store       string    `json:"store,omitempty"`
	File        string    `json:"file,omitempty"` // of a note: its path in the store
	Type        string    `json:"type,omitempty"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Session     string    `json:"session,omitempty"`
	Date        time.Time `json:"date,omitzero"`
	Origin      string    `json:"origin"`
	Loads       bool      `json:"loads"`
	Reasons     []string  `json:"reasons,omitempty"` // why it does not load
	Excerpt     string    `json:"excerpt"`
	Words       []string  `json:"words"`
	Score       float64   `json:"score"`
	Certain     bool      `json:"certain"`
	Why         []string  `json:"why"`
	For         string    `json:"for,omitempty"` // the hit that it was brought in for
	Conflicts   []against `json:"conflicts"`
}

// against is what says otherwise than a hit.
type against struct {
	Path    string    `json:"path"`
	Line    int       `json:"line"`
	Date    time.Time `json:"date,omitzero"`
	Excerpt string    `json:"excerpt"`
	Differ  string    `json:"differ"` // what the two differ in
}

// searchReport is what search --json prints.
type searchReport struct {
	Query        string        `json:"query"`
	Hits         []foundHit    `json:"hits"`
	Waiting      int           `json:"waiting"` // notes that match and wait for a review
	Standing     []foundHit    `json:"standing,omitempty"`
	StandingMore int           `json:"standing_more,omitempty"`
	Stores       []string      `json:"stores"`
	Skipped      []string      `json:"skipped"`
	Unread       int           `json:"unread"`
	Problems     []jsonProblem `json:"problems"`
}

// reportSearch is an answer as JSON. What a held note says is for a person at a
// terminal: out of a pipe an agent may read.
func (o *searchOptions) reportSearch(a *find.Answer, p *places, terminal bool) searchReport {
	r := searchReport{
		Query: o.query, Hits: o.found(a.Hits, terminal), Waiting: a.Waiting, Unread: a.Unread, StandingMore: a.StandingMore,
		Stores: []string{}, Skipped: orEmpty(p.skipped), Problems: o.problemsOf(a.Problems...),
	}
	if o.standing {
		r.Standing = o.found(a.Standing, terminal)
	}
	for _, st := range p.opened {
		r.Stores = append(r.Stores, st.Dir())
	}
	return r
}

func (o *searchOptions) found(hits []find.Hit, terminal bool) []foundHit {
	out := make([]foundHit, 0, len(hits))
	for i := range hits {
		h := withheld(hits[i], terminal)
		f := foundHit{
			Kind: string(h.Kind), Path: h.Path, Line: h.Line, Store: h.Store, File: h.Rel, Type: h.Type, Title: h.Title, Description: h.Description,
			Session: h.Session, Date: h.Date, Origin: string(h.Origin), Loads: h.Loads, Excerpt: h.Excerpt, Words: orEmpty(h.Words), Score: h.Score,
			Certain: h.Certain, Why: orEmpty(h.Why), For: h.For, Conflicts: []against{},
		}
		for _, r := range h.Reasons {
			f.Reasons = append(f.Reasons, r.Words)
		}
		for _, c := range h.Conflicts {
			other := withheld(c.Hit, terminal)
			differ := c.Words
			if !h.Loads || !other.Loads {
				differ = ""
			}
			f.Conflicts = append(f.Conflicts, against{other.Path, other.Line, other.Date, other.Excerpt, differ})
		}
		out = append(out, f)
	}
	return out
}

// withheld is a hit as it may be told.
func withheld(h find.Hit, terminal bool) find.Hit {
	if !h.Loads && !terminal {
		h.Title, h.Description, h.Excerpt, h.Words = h.Rel, "", "", nil
	}
	return h
}

const maxQueryShown = 80 // UTF-16 units

// printSearch prints two or three lines a hit.
func (o *searchOptions) printSearch(out *term.Out, a *find.Answer, p *places, show func(string) string) {
	now := o.io.Now()
	for i := range a.Hits {
		o.printHit(out, withheld(a.Hits[i], out.Width > 0), p, show, now)
	}
	if len(a.Hits) == 0 {
		query := `"` + term.Safe(note.Clip(o.query, maxQueryShown)) + `"`
		if a.NoTerms {
			out.Line("nothing found: there is no word to search for in %s", query)
		} else {
			out.Line("nothing found for %s in %s", query, o.searched(p))
		}
	}
	if o.standing {
		out.Line("%s", out.In(term.Bold, "What holds whatever is asked:"))
		for i := range a.Standing {
			o.printHit(out, a.Standing[i], p, show, now)
		}
		if a.StandingMore > 0 {
			out.Line("%s", out.In(term.Faint, fmt.Sprintf("and %s: see %s", count(a.StandingMore, "older note"), term.Safe(o.command("list --type user --type feedback")))))
		}
	}
	if a.Waiting > 0 {
		wait := "waits"
		if a.Waiting > 1 {
			wait = "wait"
		}
		out.Line("%s", out.In(term.Yellow, fmt.Sprintf("%s more %s for your review: %s", count(a.Waiting, "note"), wait, term.Safe(o.command("review")))))
	}
	for _, s := range p.skipped {
		out.Line("%s", out.In(term.Faint, "not searched: "+show(s)))
	}
}

// searched says what was looked through.
func (o *searchOptions) searched(p *places) string {
	if o.instructions {
		return count(len(p.conf.Instructions), "instruction file")
	}
	words := count(len(p.opened), "memory folder")
	if n := len(p.conf.Instructions); n > 0 {
		words += ", " + count(n, "instruction file")
	}
	if o.sessions {
		words += ", " + count(len(p.conf.Logs), "session")
	}
	return words
}

func (o *searchOptions) printHit(out *term.Out, h find.Hit, p *places, show func(string) string, now time.Time) {
	place := hitPlace(&h, show)
	facts := hitFacts(&h, p, show, now)
	mark := ""
	if !h.Loads {
		mark = out.In(term.Yellow, "  HELD")
	}
	out.Line("%s%s  %s", out.In(term.Bold, place), mark, out.In(term.Faint, facts))
	if about := hitTitle(&h); about != "" {
		out.Line("  %s", term.Safe(about))
	}
	if h.Excerpt != "" && h.Excerpt != h.Description {
		out.Line("  %s", highlighted(out, term.Safe(h.Excerpt), h.Words))
	}
	for _, r := range h.Reasons {
		if !h.Loads {
			out.Line("  %s", out.In(term.Yellow, "it does not load: "+term.Safe(r.Words)))
		}
	}
	for _, c := range h.Conflicts {
		other := withheld(c.Hit, out.Width > 0)
		words := ""
		if c.Words != "" && other.Loads && h.Loads {
			words = " (" + term.Safe(c.Words) + ")"
		}
		out.Line("  %s %s%s: %s", out.In(term.Red, "but"), hitPlace(&other, show), words, term.Safe(other.Excerpt))
	}
}

// hitPlace is where a hit stands, to be opened.
func hitPlace(h *find.Hit, show func(string) string) string {
	path := show(h.Path)
	if h.Kind == recall.Note {
		path = term.Safe(h.Rel)
	}
	return at(path, h.Line)
}

// hitFacts are what tells how far to trust a hit.
func hitFacts(h *find.Hit, p *places, show func(string) string, now time.Time) string {
	var facts []string
	switch h.Kind {
	case recall.Turn:
		speaker := "you said"
		if h.Type != "user" {
			speaker = "the agent said"
		}
		facts = append(facts, speaker)
	case recall.Instruction:
		facts = append(facts, "instructions")
	default:
		facts = append(facts, orElse(h.Type, "note"))
	}
	if !h.Date.IsZero() {
		facts = append(facts, h.Date.Local().Format(time.DateOnly)+", "+ago(now.Sub(h.Date)))
	}
	if h.Kind == recall.Note {
		facts = append(facts, "origin "+string(h.Origin))
		if name := p.names[h.Store]; name != "" {
			facts = append(facts, show(name))
		}
	}
	switch {
	case h.For != "":
		facts = append(facts, "for "+term.Safe(h.For))
	case len(h.Words) == 0 && h.Excerpt != "" && h.Score > 0:
		facts = append(facts, "beside a hit")
	}
	return strings.Join(facts, " · ")
}

func ago(d time.Duration) string {
	const day = 24 * time.Hour
	switch days := int(d / day); {
	case days <= 0:
		return "today"
	default:
		return count(days, "day") + " old"
	}
}

// hitTitle is what a hit is called, where its file does not say so.
func hitTitle(h *find.Hit) string {
	switch {
	case h.Description != "":
		return h.Description
	case h.Kind == recall.Instruction && h.Title != filepath.Base(h.Path):
		return h.Title
	}
	return ""
}

// highlighted marks the words of the question.
func highlighted(out *term.Out, text string, words []string) string {
	if !out.Color || len(words) == 0 {
		return text
	}
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	var b strings.Builder
	for len(text) > 0 {
		i, w := firstOf(text, words)
		if i < 0 {
			break
		}
		b.WriteString(text[:i] + out.In(term.Bold, text[i:i+len(w)]))
		text = text[i+len(w):]
	}
	return b.String() + text
}

// firstOf is where the first of some words stands, and which.
func firstOf(text string, words []string) (at int, word string) {
	at = -1
	for _, w := range words {
		if i := strings.Index(text, w); w != "" && i >= 0 && (at < 0 || i < at) {
			at, word = i, w
		}
	}
	return at, word
}
