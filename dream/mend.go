package dream

import (
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/extract"
	"dormouse/trust"
)

// dates makes the relative days of all notes absolute. Where only the time of the
// file tells how old a note is they stay: a copy has another one, and what it would
// tell as a fact nobody has said.
func (d *desk) dates() {
	for _, l := range d.leaves {
		if !l.live() || l.fixed || l.at.IsZero() || l.atBy == ByFile {
			continue
		}
		body, claims := l.body(), claim.Split(l.body())
		var out strings.Builder
		at := 0
		changed := map[int]bool{}
		for i, c := range claims {
			text := body[c.Start:c.End]
			next := d.days.Absolute(text, l.at)
			if next == text {
				continue
			}
			out.WriteString(body[at:c.Start] + next)
			at = c.End
			changed[i] = true
		}
		if len(changed) == 0 || !l.setBody(out.String()+body[at:], l.cells) {
			continue
		}
		d.touched[l] = true
		for i := range changed {
			l.cells[i].row.fate(Dated)
			l.cells[i].row.Why = "said on " + l.at.UTC().Format("2006-01-02")
		}
	}
}

// takeBack archives what a session's own note says and the person took back.
func (d *desk) takeBack(c extract.Candidate) {
	by := &Row{File: c.Session, Line: c.Line, Claim: c.Text}
	for _, l := range d.leaves {
		if !l.live() || l.last().After(c.Time) {
			continue
		}
		drop := map[int]bool{}
		for i, cl := range l.cells {
			r := claim.Compare(c.Text, cl.text)
			if r.Kind == claim.Exact || r.Kind == claim.Same || r.Kind == claim.Within && r.More == 2 {
				drop[i] = true
			}
		}
		switch {
		case len(drop) == 0:
			continue
		case l.origin != trust.UserTurn || l.fixed:
			for i := range drop {
				d.undecided(l.cells[i], edge{why: "the person took it back", at: by.place()}, "no session's words made the note, so it is left to you")
			}
			continue
		}
		d.retract(l, drop, by)
	}
}

func (d *desk) retract(l *leaf, drop map[int]bool, by *Row) {
	const why = "the person took it back"
	end := func(c *cell) {
		c.end(Archived, why, nil)
		p := by.place()
		c.row.By = &p
	}
	if len(drop) == len(l.cells) || !slices.ContainsFunc(l.cells, func(c *cell) bool { return !drop[slices.Index(l.cells, c)] && !dependent(c.text) }) {
		for _, c := range l.cells {
			end(c)
		}
		d.away(l, [][2]string{{fieldUntil, l.day()}}, nil)
		return
	}
	gone, ok := l.without(drop)
	if !ok {
		return
	}
	for _, c := range gone {
		end(c)
		d.keepPart(l, c, [][2]string{{fieldUntil, l.day()}})
	}
	d.takeAlong()
	d.touched[l] = true
}

// describe rewrites the descriptions that no longer fit what their notes say. Those of
// notes that wait for a review stay: what could be asked for in one is for the person
// to see, and the line that the index has of it would go.
func (d *desk) describe() {
	for _, l := range d.leaves {
		if !l.live() || l.soft || l.fixed || !l.note.HasFront || !l.note.Seen || len(l.cells) == 0 {
			continue
		}
		was := l.note.Description()
		now, why := was, "it named a day, or what is no longer there, as the text did"
		if l.atBy != ByFile && !l.at.IsZero() {
			now = d.days.Absolute(was, l.at)
		}
		for _, f := range d.marks[l] {
			now = markName(now, f)
		}
		if d.unfit(l, now) {
			if g := summary(l); g != "" {
				now, why = g, "it no longer said what the note says"
			}
		}
		if now == was {
			continue
		}
		l.set("description", now)
		if l.note.Description() == was {
			continue
		}
		for _, f := range l.fields {
			if f.Field == "description" {
				f.fate(Rewritten)
				f.Why, f.Now = why, now
			}
		}
	}
}

// summary is a description made of what the note says: of its first statement that
// stands by itself. Code and the heads of tables are none.
func summary(l *leaf) string {
	best := ""
	for _, c := range claim.Split(l.body()) {
		text := c.Text
		if l.body()[c.Start] == '|' {
			text = strings.Join(strings.FieldsFunc(strings.ReplaceAll(text, " | ", ", "), func(r rune) bool { return r == '|' }), ", ")
		}
		g := draft.Guess(text).Description
		if g == "" {
			continue
		}
		if best == "" {
			best = g
		}
		if !dependent(c.Text) && !resumes(c.Text) && !strings.HasSuffix(c.Text, ":") {
			return g
		}
	}
	return best
}

// unfit reports whether a description says what the note does not say: there is
// none, it names something hard that is not in the text, or shares no word with it.
func (d *desk) unfit(l *leaf, description string) bool {
	if strings.TrimSpace(description) == "" {
		return true
	}
	body := l.body()
	for _, gone := range d.lost[l] {
		if says(gone, description) && !says(body, description) {
			return true
		}
	}
	if d.touched[l] {
		have := atoms(body)
		for w, sure := range atoms(description) {
			if _, ok := have[w]; !ok && sure && !mentions(body, w) {
				return true
			}
		}
	}
	words := claim.Terms(description)
	if len(words) == 0 {
		return false
	}
	has := map[string]bool{}
	for _, t := range claim.Terms(body) {
		has[t] = true
	}
	for _, t := range claim.Terms(l.note.Name()) {
		has[t] = true
	}
	for _, t := range words {
		if has[t] {
			return false
		}
	}
	return !strings.Contains(strings.ToLower(body), strings.ToLower(description)) && sameScript(description, body)
}

// sameScript reports whether two texts are of one script: a description in another
// language than the text shares no word with it and may be right.
func sameScript(a, b string) bool {
	cyrillic := func(s string) bool {
		return strings.IndexFunc(s, func(r rune) bool { return r >= 'а' && r <= 'я' || r == 'і' || r == 'ї' || r == 'є' }) >= 0
	}
	return cyrillic(a) == cyrillic(b)
}
