package dream

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/note"
	"dormouse/store"
)

// result writes down what the dream came to.
func (d *desk) result() (*Result, error) {
	r := &Result{Waiting: d.waiting, Refused: d.refused}
	for _, l := range d.leaves {
		if l.out {
			continue
		}
		d.locate(l)
		f := File{Rel: l.rel, Bytes: l.note.Bytes(), Origin: l.origin, Of: l.of, From: l.from, hidden: l.held != ""}
		if l.raw != nil {
			f.Bytes, f.masked = l.raw, f.Bytes
		}
		r.Files = append(r.Files, f)
	}
	order(d.leaves) // by what they hold now
	lists := d.lists()
	d.archiveLines()
	d.asTheyStood()
	r.Files = append(r.Files, lists...)
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	r.Archive = d.archive
	slices.SortFunc(r.Archive, func(a, b Archive) int { return strings.Compare(a.Rel, b.Rel) })
	d.whereabouts()
	d.headings()
	d.deciders()
	for _, row := range d.rows {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%s", row.File, row.Line, row.Field, row.Claim))
		row.ID = hex.EncodeToString(sum[:6])
		r.Rows = append(r.Rows, *row)
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Field, b.Field), strings.Compare(a.Claim, b.Claim))
	})
	for _, c := range d.conflicts {
		r.Conflicts = append(r.Conflicts, c)
	}
	slices.SortFunc(r.Conflicts, func(a, b Conflict) int {
		return cmp.Or(strings.Compare(a.A.File, b.A.File), cmp.Compare(a.A.Line, b.A.Line), strings.Compare(a.B.File, b.B.File), cmp.Compare(a.B.Line, b.B.Line))
	})
	d.counts(r, lists)
	return r, nil
}

// locate tells the rows of a note where in it their statements are.
func (d *desk) locate(l *leaf) {
	claims := claim.Split(l.body())
	for i, c := range l.cells {
		if i >= len(claims) {
			break
		}
		c.row.To, c.row.ToLine = l.rel, claims[i].Line+l.note.BodyLine()-1
		if c.text != c.row.Claim {
			c.row.Now = c.text
		}
	}
	for _, f := range l.fields {
		if f.To == "" {
			f.To = l.rel
		}
	}
}

// whereabouts tells the rows of statements that went where they are now.
func (d *desk) whereabouts() {
	for c, rel := range d.into {
		c.row.To, c.row.Gone = rel, true
	}
	for _, c := range d.cells {
		if !c.gone {
			continue
		}
		if c.row.To == "" { // never was a file: what says it counts
			o := c
			for o.into != nil && o.into != c {
				o = o.into
			}
			c.row.To, c.row.ToLine = o.row.To, o.row.ToLine
			_, c.row.Gone = d.into[o]
			if o.text != c.row.Claim {
				c.row.Now = o.text
			}
			continue
		}
		if c.row.To != "" && c.text != c.row.Claim {
			c.row.Now = c.text
		}
	}
}

// asTheyStood gives the statements in the archive the form that they had: the mark of a
// list, the headings that went with them.
func (d *desk) asTheyStood() {
	was := map[string]string{}
	for c, rel := range d.into {
		if len(c.was) > len(was[rel]) { // that of a statement has what went along with it
			was[rel] = c.was
		}
	}
	for i := range d.archive {
		a := &d.archive[i]
		if text := was[a.Rel]; text != "" && !a.Whole {
			b, err := note.Parse(a.Bytes).SetBody(text + "\n")
			if err != nil {
				b = []byte(text + "\n")
			}
			a.Bytes = b
		}
	}
}

// headings tells of the headings that went with statements.
func (d *desk) headings() {
	for _, l := range d.leaves {
		for _, h := range l.heads {
			of := h.of.row
			if !of.Gone || of.To == "" || l.said {
				continue
			}
			d.rows = append(d.rows, &Row{
				File: of.File, Line: d.lineOf(h.text, of), Claim: h.text, Fate: of.Fate, Why: "nothing is left below the heading", To: of.To, Gone: true, By: of.By,
			})
		}
	}
}

// lineOf is the line of the input on which a heading stands above a statement.
func (d *desk) lineOf(heading string, of *Row) int {
	for i := range d.in.Notes {
		n := &d.in.Notes[i]
		if n.Rel != of.File {
			continue
		}
		lines := strings.Split(string(n.Bytes), "\n")
		for k := min(of.Line, len(lines)) - 1; k >= 0; k-- {
			if strings.TrimSpace(lines[k]) == heading {
				return k + 1
			}
		}
	}
	return of.Line
}

// deciders makes the rows name statements that stand: what decided may have gone itself
// later, and then it is what took its place. Where it is in another file by now, the
// row says in which.
func (d *desk) deciders() {
	at := map[string]*Row{}
	for _, c := range d.cells {
		if k := c.row.place().key(); at[k] == nil || !c.gone {
			at[k] = c.row
		}
	}
	for _, r := range d.rows {
		if r.By == nil {
			continue
		}
		by, seen := *r.By, map[string]bool{r.place().key(): true}
		for {
			next := at[by.key()]
			if seen[by.key()] || next == nil || !next.Gone || next.By == nil || seen[next.By.key()] {
				break
			}
			seen[by.key()] = true
			by = *next.By
		}
		if now := at[by.key()]; now != nil && now.To != by.File {
			by.To = now.To
		}
		r.By = &by
	}
}

// archiveLines keeps what lines of the index said of notes that are not there, or
// not any more.
func (d *desk) archiveLines() {
	if len(d.goneLines) == 0 {
		return
	}
	b, err := note.New(note.Fields{Name: "index-lines", Description: "Lines that the index had of notes that went"}, strings.Join(d.goneLines, "\n"))
	if err != nil {
		b = []byte(strings.Join(d.goneLines, "\n") + "\n")
	}
	d.archive = append(d.archive, Archive{Rel: d.archiveName("index-lines.md"), Bytes: b, Of: store.IndexName})
}

func (d *desk) counts(r *Result, lists []File) {
	c := &r.Counts
	c.Fates = map[Fate]int{}
	for _, row := range r.Rows {
		c.Claims++
		c.Fates[row.Fate]++
	}
	for _, f := range r.Files {
		if !f.List {
			c.After++
		}
	}
	c.Notes, c.Conflicts, c.Asked, c.Refused = len(d.in.Notes), len(r.Conflicts), d.asked, len(r.Refused)
	for _, f := range lists {
		if f.Rel == store.IndexName {
			size := d.measure(f.Bytes)
			c.IndexLines, c.IndexUnits = size.Lines, size.Units
		}
	}
}
