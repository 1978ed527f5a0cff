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
		r.Files = append(r.Files, File{Rel: l.rel, Bytes: l.note.Bytes(), Origin: l.origin, Of: l.of, From: l.from, hidden: l.held != ""})
	}
	order(d.leaves) // by what they hold now
	lists := d.lists()
	d.archiveLines()
	r.Files = append(r.Files, lists...)
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	r.Archive = d.archive
	slices.SortFunc(r.Archive, func(a, b Archive) int { return strings.Compare(a.Rel, b.Rel) })
	d.whereabouts()
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
