package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/note"
)

// PageName is the page that takes the lines that have no room in the index. The
// index links to it, so that every note stays one step away.
const PageName = "more-notes.md"

const (
	pageTitle = "More notes"
	pageHook  = "moved out of this index to make room; look there when nothing here fits"
	pageHead  = "# " + pageTitle + "\n\nMoved out of " + IndexName + " to make room.\n\n"
)

// IsPage reports whether a file is that page, or one of those on one topic that a
// dream makes: a note of somebody else's may have such a name.
func IsPage(rel string, b []byte) bool { return isPage(rel, b) }

func isPage(rel string, b []byte) bool {
	if !pageNamed(rel) {
		return false
	}
	head, _, _ := strings.Cut(string(b[:min(len(b), pageHeadMax)]), "\n")
	head = strings.TrimSuffix(head, "\r")
	return head == "# "+pageTitle && rel == PageName || strings.HasPrefix(head, "# "+pageTitle+": ") && rel != PageName
}

const (
	pagePrefix  = "more-notes-" // of a page on one topic
	pageHeadMax = 200           // bytes in which the head of a page ends
)

func pageNamed(rel string) bool {
	return rel == PageName || strings.HasPrefix(rel, pagePrefix) && strings.HasSuffix(rel, noteSuffix) && !strings.Contains(rel, "/")
}

// TopicPage is a page on one topic: its name, and the head of its text, below
// which a list of notes stands.
func TopicPage(slug, topic string) (rel, head string) {
	return pagePrefix + slug + noteSuffix, "# " + pageTitle + ": " + topic + "\n\n"
}

// lists are the files that may list notes: the index first, and then pages. Which
// of the pages are none shows in their text.
func (t *tx) lists() []string {
	out := []string{IndexName, PageName}
	for _, f := range t.files {
		if f.Rel != PageName && pageNamed(f.Rel) {
			out = append(out, f.Rel)
		}
	}
	for _, c := range t.changes {
		if c.rel != PageName && pageNamed(c.rel) && !slices.Contains(out, c.rel) {
			out = append(out, c.rel)
		}
	}
	return out
}

// roomFor moves the least valuable lines out of an index that is over the size
// it should have.
func (t *tx) roomFor(index []byte, fresh []note.Line) ([]byte, error) {
	l := t.s.limits
	if !l.passes(l.size(index), true, 0) {
		return index, nil
	}
	page, err := t.planned(PageName)
	if err != nil {
		return nil, err
	}
	if page != nil && !isPage(PageName, page) {
		return nil, fmt.Errorf("%s: %w, and is no page of an index: rename it, as that is where lines go", PageName, ErrExists)
	}
	if page == nil {
		page = []byte(pageHead)
	}
	if x := note.ReadIndex(index); !x.Has(PageName) {
		if index, err = x.Insert(note.Line{File: PageName, Title: pageTitle, Hook: pageHook}); err != nil {
			return nil, fmt.Errorf("%s: %w", IndexName, err)
		}
	}
	keep := make([]string, len(fresh))
	for i, f := range fresh {
		keep[i] = f.File
	}
	could, err := t.candidates(index, keep)
	if err != nil {
		return nil, err
	}
	for _, c := range could {
		if !l.passes(l.size(index), true, 0) {
			break
		}
		rest, err := note.ReadIndex(index).Remove(c.File)
		if err != nil {
			continue // it shares its line with another note
		}
		index, page = rest, append(page, c.lines...)
		t.done.MovedOut = append(t.done.MovedOut, c)
	}
	return index, t.put(PageName, page)
}

// candidates are the index lines that could go, least valuable first: those that
// name no note, then what the project is and where things are, then how to work,
// then who the user is; the longest unchanged first. Lines of several notes and
// text of other kinds are never among them.
func (t *tx) candidates(index []byte, keep []string) ([]Candidate, error) {
	var out []Candidate
	for _, l := range note.ReadIndex(index).Listed() {
		if !l.Stands || len(l.Files) > 1 || l.Files[0] == PageName || slices.Contains(keep, l.Files[0]) {
			continue
		}
		c := Candidate{File: l.Files[0], Text: l.Text, lines: string(index[l.Start:l.Rest])}
		if !strings.HasSuffix(c.lines, "\n") {
			c.lines += "\n"
		}
		if err := t.judge(&c); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		if a.worth != b.worth {
			return a.worth - b.worth
		}
		return b.days - a.days // of the same age, those further up in the index
	})
	return out, nil
}

// What a line is worth.
const (
	worthNothing = iota
	worthFact
	worthRule
	worthUser
)

// judge tells what a line is worth, and why.
func (t *tx) judge(c *Candidate) error {
	b, err := t.planned(c.File)
	if err != nil || b == nil {
		c.Why = "names no note"
		return nil
	}
	n := note.Parse(b)
	c.worth = worthFact
	switch n.Type() {
	case "user":
		c.worth = worthUser
	case "feedback":
		c.worth = worthRule
	}
	changed := t.s.now()
	if info, err := t.s.folder.Lstat(c.File); err == nil {
		changed = info.ModTime()
	}
	if m, ok := n.Text("modified"); ok {
		if at, err := time.Parse(time.RFC3339, m); err == nil {
			changed = at
		}
	}
	const day = 24 * time.Hour
	c.days = int(max(0, t.s.now().Sub(changed)/day))
	what := "a note without a type"
	if n.Type() != "" {
		what = "a " + n.Type() + " note"
	}
	c.Why = fmt.Sprintf("%s, unchanged for %d days", what, c.days)
	return nil
}

// enough are the first lines that, gone, leave an index that loads whole.
func enough(index []byte, could []Candidate, l Limits) []Candidate {
	for i, c := range could {
		if !l.passes(l.size(index), false, 0) {
			return could[:i]
		}
		if rest, err := note.ReadIndex(index).Remove(c.File); err == nil {
			index = rest
		}
	}
	return could
}
