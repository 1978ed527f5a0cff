package doctor

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/note"
	"dormouse/store"
)

// shape looks at how notes are made: front matter that hides them, links to
// nothing, several facts in one.
func (c *check) shape() error {
	names := map[string]bool{}
	for i := range c.items {
		rel := c.items[i].Rel
		names[strings.TrimSuffix(path.Base(rel), ".md")] = true
		names[strings.TrimSuffix(rel, ".md")] = true
		if n := c.items[i].Note; n != nil && n.Name() != "" {
			names[n.Name()] = true
		}
	}
	c.live(func(it *store.Item) {
		c.front(it)
		c.links(names, it)
		c.severalFacts(it)
	})
	for _, d := range c.docs {
		c.docLinks(d)
	}
	return nil
}

// front tells of front matter that the client reads otherwise than it looks.
func (c *check) front(it *store.Item) {
	n := it.Note
	at := Place{Path: c.notePath(it.Rel), Line: 1}
	switch {
	case it.IndexLine > 0 && strings.TrimSpace(string(n.Body())) == "":
		c.add("file-empty", Place{Path: at.Path}, "note", "%s holds nothing but what its index line says", it.Rel).
			relate("lists it", Place{Path: c.indexPath(), Line: it.IndexLine}).
			fix("write the fact into it, or forget it", "edit "+shellWord(it.Rel), false, Plan{})
	case n.HasFront && !n.Seen:
		c.add("note-hidden", at, "", "the front matter of %s is not seen by the client: it ends too far down, or never", it.Rel)
	case len(hiding(n.Problems)) > 0:
		p := hiding(n.Problems)[0]
		at.Line = max(p.Line, 1)
		c.add("note-hidden", at, "", "%s: %s", c.at(at), p.Text)
	case n.HasFront && n.Description() == "":
		c.add("note-hidden", at, "description", "%s has front matter without a description, so an index that the client makes says only its name", it.Rel).level(Info)
	}
}

// hiding are the problems because of which the client reads something else than
// stands there. A line that is no YAML is read on a second attempt.
func hiding(all []note.Problem) []note.Problem {
	return slices.DeleteFunc(slices.Clone(all), func(p note.Problem) bool { return strings.HasPrefix(p.Text, "not YAML (") })
}

// links tells of links of a note that lead to nothing.
func (c *check) links(names map[string]bool, it *store.Item) {
	told := map[string]bool{}
	for _, l := range it.Note.Links() {
		at := Place{Path: c.notePath(it.Rel), Line: l.Line, Column: l.Column, Text: l.Target}
		if told[l.Target] || placeholder(l.Target) {
			continue
		}
		switch {
		case l.Wiki:
			if l.Target == "" || names[strings.TrimSuffix(l.Target, ".md")] || names[strings.TrimSuffix(path.Base(l.Target), ".md")] || exists(c.notePath(l.Target)) {
				continue
			}
		case l.File == "" || !strings.HasSuffix(l.File, ".md"):
			continue
		case exists(filepath.Join(c.dir, filepath.FromSlash(path.Join(path.Dir(it.Rel), l.File)))), exists(c.notePath(l.File)), exists(filepath.Join(c.root, filepath.FromSlash(l.File))):
			continue
		}
		told[l.Target] = true
		c.add("dead-link", at, l.Target, "%s links to %s, and there is no such note", c.at(at), l.Target)
	}
}

// docLinks tells of links of an instruction file to files that are not there.
func (c *check) docLinks(d doc) {
	for _, l := range note.Parse([]byte(d.text)).Links() {
		if l.Wiki || l.File == "" || placeholder(l.Target) || strings.HasPrefix(l.Target, "/") || path.Ext(l.File) == "" {
			continue
		}
		target := filepath.Join(filepath.Dir(d.path), filepath.FromSlash(l.File))
		if exists(target) || exists(filepath.Join(c.root, filepath.FromSlash(l.File))) {
			continue
		}
		at := Place{Path: d.path, Line: l.Line, Column: l.Column, Text: l.Target}
		c.add("dead-link", at, l.Target, "%s links to %s, and there is no such file", c.at(at), l.Target)
	}
}

// placeholder tells a name that stands for others.
func placeholder(s string) bool {
	return strings.ContainsAny(s, "<>*{}$…") || strings.Contains(s, "...") || strings.Contains(s, "path/to")
}

// severalFacts tells of a note of several matters. What has a common subject is
// one fact with its details, however long: only statements under headings of
// their own, or in a list of nothing but different matters, count.
func (c *check) severalFacts(it *store.Item) {
	groups := topics(it.Note.Name()+" "+it.Note.Description(), string(it.Note.Body()))
	if groups < manyTopics {
		return
	}
	c.add("many-facts", Place{Path: c.notePath(it.Rel), Line: it.Note.BodyLine()}, "", "%s holds %d facts that have nothing to do with each other: a change of one hides the others", it.Rel, groups).
		fix("make a note of each", "edit "+shellWord(it.Rel), false, Plan{})
}

// manyTopics is how many unrelated matters a note may not hold.
const manyTopics = 3
