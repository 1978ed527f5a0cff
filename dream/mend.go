package dream

import (
	"context"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/evidence"
	"dormouse/extract"
	"dormouse/trust"
)

// dates makes the relative days of all notes absolute.
func (d *desk) dates() {
	for _, l := range d.leaves {
		if !l.live() || l.fixed || l.at.IsZero() {
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

// stale marks the statements that name what the repository no longer has.
func (d *desk) stale(ctx context.Context) error {
	if d.in.Look == nil {
		return nil
	}
	var texts []evidence.Text
	for _, l := range d.leaves {
		if l.live() && !l.fixed {
			if _, ok := d.looked[l.body()]; !ok {
				d.looked[l.body()] = nil
				texts = append(texts, evidence.Text{Name: l.rel, Body: l.body()})
			}
		}
	}
	if len(texts) > 0 {
		found, err := d.in.Look(ctx, texts)
		if err != nil {
			return err
		}
		for _, f := range found.Findings {
			body := texts[f.Text].Body
			d.looked[body] = append(d.looked[body], f)
		}
	}
	for _, l := range d.leaves {
		if l.live() && !l.fixed {
			d.mark(l, d.looked[l.body()])
		}
	}
	return nil
}

func (d *desk) mark(l *leaf, found []evidence.Finding) {
	body, claims := l.body(), claim.Split(l.body())
	if len(claims) != len(l.cells) {
		return
	}
	type place struct {
		at, cell int
		text     string
	}
	var places []place
	for _, f := range found {
		text := staleMark(f)
		if text == "" {
			continue
		}
		i := slices.IndexFunc(claims, func(c claim.Claim) bool { return c.Start <= f.Ref.Start && f.Ref.End <= c.End })
		if i < 0 {
			continue
		}
		at := f.Ref.End
		for at < claims[i].End && strings.IndexByte("`\"')", body[at]) >= 0 {
			at++
		}
		if strings.HasPrefix(body[at:], " (") && strings.Contains(claims[i].Text, text) {
			continue
		}
		places = append(places, place{at, i, " " + text})
	}
	slices.SortFunc(places, func(a, b place) int { return a.at - b.at })
	var out strings.Builder
	at := 0
	for _, p := range places {
		if p.at < at {
			continue
		}
		out.WriteString(body[at:p.at] + p.text)
		at = p.at
	}
	if len(places) == 0 || !l.setBody(out.String()+body[at:], l.cells) {
		return
	}
	d.touched[l] = true
	d.marks[l] = append(d.marks[l], found...)
	for _, p := range places {
		l.cells[p.cell].row.fate(Stale)
		l.cells[p.cell].row.Why = "it names what the repository no longer has " + strings.TrimSpace(p.text)
	}
}

// staleMark is what is written behind a name that the repository no longer has;
// "" where there is no evidence against it. What somebody wrote into a commit's
// subject is not taken over.
func staleMark(f evidence.Finding) string {
	switch f.State {
	case evidence.Gone:
		if f.Stamp != "" {
			return "(removed in " + f.Stamp + ")"
		}
		return "(removed)"
	case evidence.Moved:
		if plainPath(f.Now) {
			return "(renamed to " + f.Now + ")"
		}
		return "(renamed)"
	case evidence.Differs:
		if plainPath(f.Now) {
			return "(changed since: now " + f.Now + ")"
		}
	}
	return ""
}

// plainPath reports whether a name is made of what names are usually made of, so
// that it can stand in a sentence.
func plainPath(s string) bool {
	const longest = 160 // bytes
	return s != "" && len(s) <= longest && strings.IndexFunc(s, func(r rune) bool {
		return !letterOrDigit(r) && !strings.ContainsRune("._-/+@", r)
	}) < 0
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
	d.touched[l] = true
}

// describe rewrites the descriptions that no longer fit what their notes say.
func (d *desk) describe() {
	for _, l := range d.leaves {
		if !l.live() || l.fixed || !l.note.HasFront || !l.note.Seen || len(l.cells) == 0 {
			continue
		}
		was := l.note.Description()
		now, why := d.days.Absolute(was, l.at), "it named a day, or what is no longer there, as the text did"
		for _, f := range d.marks[l] {
			if mark := staleMark(f); mark != "" && !strings.Contains(now, mark) {
				now = strings.Replace(now, f.Ref.Text, f.Ref.Text+" "+mark, 1)
			}
		}
		if d.unfit(l, now) {
			if g := draft.Guess(l.body()).Description; g != "" {
				now, why = g, "it no longer said what the note says"
			}
		}
		if now == was {
			continue
		}
		before := l.note
		l.set("description", now)
		if ok, _ := d.loads(l); !ok && !l.soft {
			l.note = before
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

func (d *desk) loads(l *leaf) (bool, string) {
	if d.in.Loads == nil {
		return true, ""
	}
	return d.in.Loads(l.note.Bytes(), l.origin)
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
