package dream

import (
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/claim/token"
	"dormouse/draft"
	"dormouse/note"
)

// split takes notes of many matters apart. The first matter keeps the file.
func (d *desk) split() {
	var more []*leaf
	for _, l := range d.leaves {
		if !l.live() || l.fixed || l.said {
			continue
		}
		if !flat(l.body()) {
			continue
		}
		parts, matters := draft.Matters(about(l), l.body())
		if matters < manyTopics || len(parts) > maxFlat {
			continue
		}
		more = append(more, d.splitInto(l, parts, matters)...)
	}
	if len(more) > 0 {
		d.leaves = append(d.leaves, more...)
		order(d.leaves)
	}
}

// maxFlat is how many facts a note holds at most that is taken apart: one of more
// is a document.
const maxFlat = 20

// flat reports whether a text is nothing but facts side by side: a list of one
// level, or paragraphs. What has headings, code, tables or lists in lists was made
// to be read as a whole.
func flat(body string) bool {
	for l := range strings.Lines(body) {
		bare := strings.TrimSpace(l)
		switch {
		case bare == "":
		case token.IsHeading(bare), token.Fence(bare) != "", bare[0] == '|', bare[0] == '>':
			return false
		case strings.TrimLeft(l, " \t") != l && token.MarkLen(bare+" ") > 0:
			return false // a list in a list
		case strings.HasSuffix(bare, ":"):
			return false // it leads to what follows
		}
	}
	return true
}

// plainText reports whether a text has no parts that what is added at its end would
// be taken for one of: headings, code, tables.
func plainText(body string) bool {
	for l := range strings.Lines(body) {
		bare := strings.TrimSpace(l)
		if token.IsHeading(bare) || token.Fence(bare) != "" || strings.HasPrefix(bare, "|") {
			return false
		}
	}
	return true
}

// listed reports whether a text is a list of one level, perhaps below a heading.
func listed(body string) bool {
	text := strings.TrimSpace(body)
	if first, rest, ok := strings.Cut(text, "\n"); ok && token.IsHeading(first) {
		text = strings.TrimSpace(rest)
	}
	return flat(text) && token.MarkLen(text+" ") > 0
}

// manyTopics is how many unrelated matters a note may not hold; the check-up
// counts alike.
const manyTopics = 3

// splitInto makes notes of the matters of a note, if each statement of it is found
// again in one of them.
func (d *desk) splitInto(l *leaf, parts []draft.Part, matters int) []*leaf {
	texts, cells := make([]string, matters), make([][]*cell, matters)
	count := make([]int, matters)
	for _, p := range parts {
		if p.Matter < matters {
			count[p.Matter]++
		}
	}
	list := token.MarkLen(strings.TrimSpace(l.body())+" ") > 0
	at := 0
	for _, p := range parts {
		if p.Matter >= matters {
			return nil
		}
		claims := claim.Split(p.Text)
		if at+len(claims) > len(l.cells) {
			return nil
		}
		for k, c := range claims {
			if key(c.Text) != key(l.cells[at+k].text) {
				return nil
			}
		}
		cells[p.Matter] = append(cells[p.Matter], l.cells[at:at+len(claims)]...)
		at += len(claims)
		if list && count[p.Matter] > 1 {
			texts[p.Matter] += "- " + strings.ReplaceAll(p.Text, "\n", "\n  ") + "\n"
			continue
		}
		texts[p.Matter] += "\n" + p.Text + "\n"
	}
	if at != len(l.cells) || slices.ContainsFunc(cells, func(c []*cell) bool { return len(c) == 0 }) {
		return nil
	}
	made := make([]*leaf, 0, matters)
	for i := 1; i < matters; i++ {
		part := d.part(l, strings.TrimSpace(texts[i]))
		if part == nil || !part.fits(cells[i]) {
			return nil
		}
		made = append(made, part)
	}
	first := strings.TrimSpace(texts[0]) + "\n"
	if !l.fitsBody(first, cells[0]) || !l.setBody(first, cells[0]) {
		return nil
	}
	d.touched[l] = true
	for i, p := range made {
		p.setBody(p.body(), cells[i+1])
		for _, c := range p.cells {
			c.row.Why = "the note held several matters"
		}
	}
	return made
}

// fits reports whether the statements of a new note are the cells.
func (l *leaf) fits(cells []*cell) bool { return l.fitsBody(l.body(), cells) }

func (l *leaf) fitsBody(body string, cells []*cell) bool {
	claims := claim.Split(body)
	if len(claims) != len(cells) {
		return false
	}
	for i, c := range cells {
		if key(c.text) != key(claims[i].Text) {
			return false
		}
	}
	return true
}

// part is a new note for one matter of another.
func (d *desk) part(l *leaf, text string) *leaf {
	g := draft.Guess(text)
	typ := l.note.Type()
	if typ == "" {
		typ = g.Type
	}
	session, _ := l.note.Text("originSessionId")
	said := l.at
	if l.atBy == ByFile {
		said = time.Time{} // it would be on record from then on
	}
	b, err := note.New(note.Fields{Name: d.free(g.Name), Description: g.Description, Type: typ, Session: session, Modified: said}, text)
	if err != nil {
		return nil
	}
	// A part that asks for nothing would load where the whole waits, and what follows
	// it would be told to a session: trust would rise.
	if l.soft && l.alike == nil || !l.stays(b) {
		return nil
	}
	n := note.Parse(b)
	return &leaf{
		rel: n.Name() + ".md", note: n, origin: l.origin, at: l.at, atBy: l.atBy, again: l.again,
		held: l.held, soft: l.soft, of: slices.Clone(l.of), alike: l.alike,
	}
}

// join brings notes that only explain another one to it.
func (d *desk) join() {
	byName := map[string]*leaf{}
	for _, l := range d.leaves {
		if l.live() {
			byName[l.note.Name()] = l
		}
	}
	for _, l := range d.leaves {
		if l.live() {
			byName[strings.TrimSuffix(l.rel, ".md")], byName[slugOf(l)] = l, l
		}
	}
	for _, l := range slices.Backward(d.leaves) {
		if !l.live() || l.fixed || l.said || len(l.cells) == 0 || slices.ContainsFunc(l.cells, func(c *cell) bool { return !dependent(c.text) }) {
			continue
		}
		into := d.explained(l, byName)
		if into == nil {
			continue
		}
		claims := claim.Split(l.body())
		if len(residue(l.body(), claims)) > 0 || len(claims) != len(l.cells) {
			continue
		}
		d.joinTo(l, into)
	}
}

func (d *desk) joinTo(l, into *leaf) {
	next := strings.TrimRight(into.body(), "\r\n") + "\n\n" + strings.TrimSpace(l.body()) + "\n"
	own := l.cells
	if len(next) > maxBody || !into.takeWith(l, next, append(slices.Clone(into.cells), own...)) {
		return
	}
	for _, c := range own {
		c.row.Why = "it explains what " + into.rel + " says"
	}
	d.away(l, [][2]string{{fieldInto, slugOf(into)}}, into)
	d.touched[into] = true
}

// explained is the one note that a note of nothing but explanations belongs to:
// the one that it links to, or whose name its own begins with.
func (d *desk) explained(l *leaf, byName map[string]*leaf) *leaf {
	found := map[*leaf]bool{}
	look := func(name string) {
		o := byName[strings.TrimSuffix(name, ".md")]
		if o != nil && o != l && o.live() && !o.fixed && tier(o.origin) == tier(l.origin) && o.soft == l.soft && len(o.cells) > 0 && !dependent(o.cells[0].text) {
			found[o] = true
		}
	}
	for _, k := range l.note.Links() {
		look(k.File)
		if k.Wiki {
			look(k.Target)
		}
	}
	name := slugOf(l)
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '-' || name[i] == '_' {
			look(name[:i])
		}
	}
	if len(found) != 1 {
		return nil
	}
	for o := range found {
		return o
	}
	return nil
}
