package main

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/dream"
	"dormouse/note"
	"dormouse/trust"
)

// trust checks that a note is trusted no more than what it says: of each statement
// that it makes, the best note of the input that made it.
func (c *checker) trust() {
	origins := map[string]trust.Origin{}
	for _, n := range c.w.notes {
		origins[n.rel] = n.origin
	}
	for _, f := range c.o.files {
		if f.List {
			continue
		}
		bad := ""
		for _, of := range f.Of {
			if !origins[of].AtLeast(f.Origin) {
				bad = of + " is of " + string(origins[of])
			}
		}
		body := zone{texts: []string{norm(string(note.Parse(f.Bytes).Body()))}}
		for _, x := range c.w.Facts {
			best, said := trust.Outside, false
			for i, text := range x.sayings() {
				if !body.says(text) {
					continue
				}
				said = true
				if o := c.originOf(x, i, origins); o.AtLeast(best) {
					best = o
				}
			}
			if said && !best.AtLeast(f.Origin) {
				bad = fmt.Sprintf("%v is of %s", x, best)
			}
		}
		c.add(rowTrust, "note", bad != "", func() string { return f.Rel + " is of " + string(f.Origin) + ", but " + bad })
	}
}

// originOf is the origin of one text of a fact: of the note that says it, or of the
// session.
func (c *checker) originOf(f *fact, text int, origins map[string]trust.Origin) trust.Origin {
	best := trust.Outside
	if len(f.Notes) == 0 || strings.HasPrefix(f.Kind, "session") {
		best = trust.UserTurn
	}
	for i, n := range f.Notes {
		if i < len(f.Texts) && f.Texts[i] == f.Texts[text] && origins[n].AtLeast(best) {
			best = origins[n]
		}
	}
	return best
}

// atoms checks that no number, path, address or name in code is in the output that
// is nowhere in the input. Dates that a relative one means are, and what the
// repository answered; the numbers of a list that counts its notes are no facts.
func (c *checker) atoms() {
	var b strings.Builder
	for _, n := range c.w.notes {
		b.WriteString(n.rel + " " + string(n.bytes) + " " + n.at.Format(isoDay) + "\n")
	}
	for _, list := range c.w.lists {
		b.Write(list)
	}
	for _, f := range c.w.fixed {
		b.WriteString(f.Text)
	}
	for _, s := range c.w.said {
		b.WriteString(s.Text + " " + s.Time.Format(isoDay) + "\n")
	}
	for _, f := range c.w.Facts {
		b.WriteString(f.Means + "\n")
	}
	for _, f := range c.o.files {
		b.WriteString(f.Rel + "\n")
	}
	known := strings.ToLower(b.String() + c.r.answers.String())
	check := func(rel, text string, list bool) {
		for _, a := range hardIn(text) {
			if list && len(a) <= 3 {
				continue
			}
			c.add(rowNew, map[bool]string{true: "lists", false: "notes"}[list], !strings.Contains(known, a), func() string { return a + " in " + rel })
		}
	}
	for _, f := range c.o.files {
		n := note.Parse(f.Bytes)
		if f.List {
			check(f.Rel, string(f.Bytes), true)
		} else {
			check(f.Rel, n.Description()+"\n"+string(n.Body()), false)
		}
	}
	for _, a := range c.o.archived {
		check("archive: "+a.Rel, string(note.Parse(a.Bytes).Body()), false)
	}
}

// hardIn are the words of a text in which a wrong letter makes another fact.
func hardIn(text string) []string {
	var out []string
	for _, f := range strings.Fields(strings.ToLower(text)) {
		f = strings.TrimFunc(f, aside)
		if strings.ContainsAny(f, "0123456789/_") && !strings.Contains(f, "](") {
			out = append(out, f)
		}
	}
	return out
}

// stale checks what was marked as naming what is gone.
func (c *checker) stale() {
	dead := func(f *fact) bool { return f.State == isDeleted || f.State == isRenamed }
	marked := map[*fact]bool{}
	for i := range c.o.result.Rows {
		r := &c.o.result.Rows[i]
		if r.Field != "" || r.Fate != dream.Stale && !slices.Contains(r.Also, dream.Stale) {
			continue
		}
		kind, right := "none that was planted", false
		for _, f := range c.w.Facts {
			if f.State != "" && slices.Contains(f.Notes, r.File) && strings.Contains(r.Claim, f.Value) {
				marked[f] = true
				kind, right = f.State, dead(f)
			}
		}
		if kind != isNever {
			c.add(rowPrecision, kind, right, func() string { return fmt.Sprintf("%s:%d %q: %s", r.File, r.Line, r.Claim, r.Why) })
		}
	}
	for _, f := range c.w.Facts {
		switch {
		case dead(f):
			c.add(rowRecall, f.State, marked[f], func() string { return f.String() + c.fate(f) })
		case f.State == isNever:
			c.add(rowNever, f.State, marked[f], func() string { return f.String() + c.fate(f) })
		}
	}
}

// ledger checks that every statement that was planted has a line.
func (c *checker) ledger() {
	for _, f := range c.w.Facts {
		for i, n := range f.Notes {
			if n == "CLAUDE.md" || f.Kind == "secret" || i >= len(f.Texts) {
				continue
			}
			one := fact{ID: f.ID, Notes: []string{n}, Texts: f.Texts[i : i+1]}
			there := slices.ContainsFunc(c.rows[n], func(r ledgerRow) bool { return one.in(r.norm) })
			c.add(rowLedger, kindOf(f.Kind), there, one.String)
		}
	}
}
