package doctor

import (
	"path"
	"strings"

	"dormouse/note"
	"dormouse/store"
)

// exact tells of two notes with one text. What the index and other notes lead to
// stays, then what says more of itself, then the older one; where both are linked
// to, only a person can let one go.
func (s *sayings) exact(newer, older *store.Item) {
	c := s.c
	at, other := Place{Path: c.notePath(newer.Rel)}, Place{Path: c.notePath(older.Rel)}
	f := c.add("duplicate-exact", at, older.Rel, "%s and %s hold the same text", newer.Rel, older.Rel).relate("holds the same", other)
	gone, kept := newer, older
	if c.worth(newer) > c.worth(older) {
		gone, kept = older, newer
	}
	if from := c.linkedFrom(gone); from != "" {
		f.evidence("%s links to %s", from, gone.Rel)
		f.fix("let the links lead to one of them, and forget the other", "", false, Plan{})
		return
	}
	for _, key := range []string{"description", "type", "modified"} {
		a, b := fieldOf(gone.Note, key), fieldOf(kept.Note, key)
		if a != "" && !strings.EqualFold(clip(a), clip(b)) {
			f.evidence("%s has the %s %q, which goes with it; %s has %q", gone.Rel, key, clip(a), kept.Rel, clip(b))
		}
	}
	f.fix("forget "+shellWord(gone.Rel)+", whose text "+kept.Rel+" keeps", "forget "+shellWord(gone.Rel), false, Plan{Kind: Discard, Path: gone.Rel, Before: gone.Note.Bytes()})
}

// worth orders notes of one text: the links to it, then its line in the index,
// then how many fields it has.
func (c *check) worth(it *store.Item) int {
	n := 0
	if c.linkedFrom(it) != "" {
		n += 1000
	}
	if it.IndexLine > 0 {
		n += 100
	}
	for _, key := range []string{"name", "description", "type", "modified", "originSessionId"} {
		if fieldOf(it.Note, key) != "" {
			n++
		}
	}
	return n
}

func fieldOf(n *note.Note, key string) string {
	switch key {
	case "description":
		return n.Description()
	case "type":
		return n.Type()
	}
	text, _ := n.Text(key)
	return text
}

// linkedFrom is a note that links to this one, "" without one.
func (c *check) linkedFrom(it *store.Item) string {
	if c.linkedBy == nil {
		c.linkedBy = map[string]string{}
		c.notes(func(from *store.Item) {
			for _, l := range from.Note.Links() {
				for _, name := range []string{strings.TrimSuffix(l.Target, ".md"), strings.TrimSuffix(path.Join(path.Dir(from.Rel), l.File), ".md")} {
					if name != strings.TrimSuffix(from.Rel, ".md") && name != from.Note.Name() && c.linkedBy[name] == "" {
						c.linkedBy[name] = from.Rel
					}
				}
			}
		})
	}
	stem := strings.TrimSuffix(it.Rel, ".md")
	for _, name := range []string{stem, path.Base(stem), it.Note.Name()} {
		if from := c.linkedBy[name]; name != "" && from != "" && from != it.Rel {
			return from
		}
	}
	return ""
}

// sameBody tells texts that differ in case and white space only.
func sameBody(a, b *note.Note) bool { return strings.EqualFold(bodyKey(a), bodyKey(b)) }
