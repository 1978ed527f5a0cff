package dream

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dormouse/draft"
	"dormouse/evidence"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

// A desk is a dream on its way.
type desk struct {
	in        Input
	days      *extract.Days
	leaves    []*leaf
	cells     []*cell // of all notes, those that went included
	rows      []*Row
	archive   []Archive
	into      map[*cell]string // the archive's file that has a statement
	moved     map[string]*leaf // notes that went, and what stands for them
	touched   map[*leaf]bool   // notes whose text was changed
	conflicts map[string]Conflict
	looked    map[string][]evidence.Finding
	waiting   []extract.Candidate
	refused   []string
	asked     int
	archived  int // notes that a model's proposals moved out
	judged    map[string]bool
	goneLines []string                     // of the index
	names     map[string]bool              // of files, in lower case, those that went included
	marks     map[*leaf][]evidence.Finding // what its statements name and the repository no longer has
	lost      map[*leaf][]string           // statements that were taken out of a note that stays
}

func itoa(n int) string { return strconv.Itoa(n) }

// slugOf is what a note is called in a field or a link: its name, else its file's.
func slugOf(l *leaf) string {
	return strings.TrimSuffix(l.rel[strings.LastIndexByte(l.rel, '/')+1:], ".md")
}

func (r *Row) fate(f Fate) {
	switch {
	case r.Fate == f:
		return
	case r.Fate != Kept && r.Fate != New && rank(r.Fate) >= rank(f):
		if !slices.Contains(r.Also, f) {
			r.Also = append(r.Also, f)
		}
		return
	case r.Fate != Kept:
		if !slices.Contains(r.Also, r.Fate) {
			r.Also = append(r.Also, r.Fate)
		}
	}
	r.Fate = f
}

// rank orders fates by how much they change.
func rank(f Fate) int {
	return slices.Index([]Fate{Kept, New, Quarantined, Rewritten, Dated, Stale, Merged, Archived, Superseded}, f)
}

func (r *Row) place() Place { return Place{File: r.File, Line: r.Line, Claim: r.Claim} }

func (p Place) key() string { return fmt.Sprintf("%s\x00%06d\x00%s", p.Claim, p.Line, p.File) }

// open lays the notes out.
func open(in Input) (*desk, error) {
	for rel, b := range in.Lists {
		if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
			return nil, fmt.Errorf("%s is no text that a list can be made of (not UTF-8, or with NUL bytes): mend it first", rel)
		}
	}
	days, err := extract.NewDays()
	if err != nil {
		return nil, err
	}
	d := &desk{
		in: in, days: days, into: map[*cell]string{}, moved: map[string]*leaf{}, touched: map[*leaf]bool{}, conflicts: map[string]Conflict{},
		looked: map[string][]evidence.Finding{}, judged: map[string]bool{}, lost: map[*leaf][]string{}, names: map[string]bool{}, marks: map[*leaf][]evidence.Finding{},
	}
	notes, seen := slices.Clone(in.Notes), map[string]bool{}
	for _, n := range notes {
		if seen[n.Rel] {
			return nil, fmt.Errorf("%s comes twice among the notes", n.Rel)
		}
		seen[n.Rel], d.names[strings.ToLower(n.Rel)] = true, true
	}
	for rel := range in.Lists {
		d.names[strings.ToLower(rel)] = true
	}
	for _, n := range notes {
		d.add(d.mask(n))
	}
	d.hear()
	order(d.leaves)
	return d, nil
}

func (d *desk) add(l *leaf, secret bool) {
	d.leaves = append(d.leaves, l)
	if d.in.Loads != nil {
		l.alike = func(l *leaf, b []byte) bool {
			ok, _ := d.in.Loads(b, l.origin)
			return ok == (l.held == "")
		}
	}
	for _, c := range l.cells {
		d.rows, d.cells = append(d.rows, c.row), append(d.cells, c)
		switch {
		case l.held != "":
			c.row.Fate, c.row.Why = Quarantined, l.held
		case secret && strings.Contains(c.text, secretMark):
			c.row.Fate, c.row.Why = Quarantined, "a secret stood in it and was masked; dormouse purge removes it from the journal too"
		}
	}
	d.rows = append(d.rows, l.fields...)
}

// secretMark is what a masked secret begins with.
const secretMark = "[secret: "

// mask takes the secrets out of a note before anything else reads it.
func (d *desk) mask(n Note) (l *leaf, secret bool) {
	var raw []byte
	if d.in.Clean != nil {
		if clean, said := d.in.Clean(string(n.Bytes)); len(said) > 0 {
			raw, n.Bytes, secret = n.Bytes, []byte(clean), true
		}
	}
	l = newLeaf(n, d.in.Now)
	if secret && l.held != "" && d.in.Loads != nil {
		// What a person turned down is known by its bytes: with others it would load.
		if ok, _ := d.in.Loads(n.Bytes, n.Origin); ok {
			l.raw, l.soft = raw, false
		}
	}
	return l, secret
}

// hear makes notes of what the person said in sessions, and takes back what they
// took back. What is not sure enough waits.
func (d *desk) hear() {
	said := slices.Clone(d.in.Said)
	slices.SortFunc(said, func(a, b extract.Candidate) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Session, b.Session), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	for _, c := range said {
		switch {
		case c.Kind == extract.Retraction:
			d.takeBack(c)
		case c.Origin != transcript.Person || c.Confidence < extract.Threshold:
			d.waiting = append(d.waiting, c)
		default:
			if n, ok := d.fromSession(c); ok {
				d.add(newLeaf(n, d.in.Now), false)
			}
		}
	}
}

func (d *desk) fromSession(c extract.Candidate) (Note, bool) {
	if d.in.Clean != nil {
		if _, said := d.in.Clean(c.Text); len(said) > 0 {
			return Note{}, false
		}
	}
	g := draft.Guess(c.Text)
	name := d.free(g.Name)
	b, err := note.New(note.Fields{Name: name, Description: g.Description, Type: c.Type, Session: c.Session, Modified: c.Time}, strings.TrimSpace(c.Text))
	if err != nil {
		return Note{}, false
	}
	return Note{
		Rel: name + ".md", Bytes: b, Origin: trust.UserTurn, At: c.Time, AtBy: "session",
		From: []store.Source{{Session: c.Session, Line: c.Line, Quote: c.Quote}},
	}, true
}

// free is a file name that no note has or had, whatever its case; it is taken then.
func (d *desk) free(name string) string {
	if store.ValidName(name+".md") != nil {
		name = "note"
	}
	out := name
	for i := 2; d.names[strings.ToLower(out)+".md"] || store.ValidName(out+".md") != nil || strings.HasPrefix(out, "more-notes"); i++ {
		out = name + "-" + itoa(i)
		if i > maxSame {
			name = "note-" + itoa(i)
		}
	}
	d.names[strings.ToLower(out)+".md"] = true
	return out
}

// maxSame is how many notes may have one name with a number behind it.
const maxSame = 10_000

// run dreams.
func run(ctx context.Context, in Input) (*Result, error) {
	d, err := open(in)
	if err != nil {
		return nil, err
	}
	d.dates()
	d.links() // that were dead before
	for range maxRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := d.state()
		d.split()
		w := d.relate()
		d.contradictions(w)
		d.takeAlong()
		d.duplicates(d.relate())
		d.join()
		if err := d.stale(ctx); err != nil {
			return nil, err
		}
		d.links()
		d.describe()
		if d.state() != n {
			order(d.leaves)
			continue
		}
		if done, err := d.judge(ctx, w); done || err != nil {
			if err != nil {
				return nil, err
			}
			break
		}
	}
	r, err := d.result()
	if err != nil {
		return nil, err
	}
	return r, check(&in, d, r)
}

// maxRounds bounds how often what changed is looked at again.
const maxRounds = 8

// state names what all notes say, to see whether a round changed anything.
func (d *desk) state() string {
	h := sha256.New()
	for _, l := range d.leaves {
		if l.out {
			continue
		}
		fmt.Fprintf(h, "%s\x00%d\x00", l.rel, len(l.note.Bytes()))
		h.Write(l.note.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil))
}
