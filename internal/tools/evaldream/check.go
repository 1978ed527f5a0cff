package main

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/dream"
	"dormouse/extract"
	"dormouse/note"
)

// A checker compares an output with the truth about its world.
type checker struct {
	*table
	w      *world
	r      *run
	engine string
	o      *output
	rows   map[string][]ledgerRow // by file of the input
}

func (c *checker) all() {
	c.byFile()
	for _, f := range c.w.Facts {
		if c.o.result == nil && len(f.Notes) == 0 {
			continue // only our engines are given sessions
		}
		c.retained(rowRetained, f)
		c.special(f)
	}
	for _, r := range c.w.Relations {
		a, b := c.w.Facts[r.A], c.w.Facts[r.B]
		if c.o.result == nil && strings.HasPrefix(r.Kind, "session") {
			continue
		}
		c.duplicate(r, a)
		c.merged(r.Kind, a, b)
		c.contradiction(r.Kind, a, b)
		c.instructions(r.Kind, a, b)
	}
	c.index()
	c.secrets()
	c.trust()
	c.atoms()
	if c.o.result != nil {
		c.stale()
		c.ledger()
	}
}

func (c *checker) add(r row, kind string, is bool, why func() string) {
	c.count(r, c.engine, kind, c.w.Lang, is, why)
}

// says reports whether a zone states a fact, in its own words or others of its slot.
func says(z *zone, f *fact) bool {
	return slices.ContainsFunc(f.sayings(), z.says) || slices.ContainsFunc(f.other, z.says)
}

// sayings are a fact's own words as they are looked for.
func (f *fact) sayings() []saying {
	if len(f.own) != len(f.Texts) {
		f.own, f.other = nil, nil
		for _, t := range f.Texts {
			f.own = append(f.own, sayingOf(t))
		}
		for _, t := range f.Others {
			f.other = append(f.other, sayingOf(t))
		}
	}
	return f.own
}

func (f *fact) String() string {
	return strings.ReplaceAll(fmt.Sprintf("fact %d %q in %v", f.ID, f.Texts, f.Notes), `\x00`, "[…]")
}

func (c *checker) retained(r row, f *fact) {
	if f.Where != inStore && f.Where != inAny {
		return
	}
	store := says(&c.o.store, f)
	archive := !store && says(&c.o.archive, f)
	kind := kindOf(f.Kind)
	c.add(r, kind, store || archive && f.Where == inAny, func() string {
		return f.String() + " is " + map[bool]string{true: "only in the archive", false: "nowhere"}[archive] + c.fate(f)
	})
	if r == rowRetained && f.Where == inStore && f.Kind != "secret" {
		c.add(rowFalse, kind, archive, func() string { return f.String() + c.fate(f) })
	}
}

// kindOf is a fact's kind without which of a pair it is.
func kindOf(kind string) string {
	for _, end := range []string{", old", ", new", ", now", ", then", ", the longer"} {
		kind = strings.TrimSuffix(kind, end)
	}
	return kind
}

// fate tells what the ledger says of a fact, for whoever mends.
func (c *checker) fate(f *fact) string {
	var b strings.Builder
	for _, file := range slices.Compact(slices.Clone(f.Notes)) {
		for _, r := range c.rows[file] {
			if !f.in(r.norm) {
				continue
			}
			fmt.Fprintf(&b, "\n%s:%d %q: %s %v %s", r.File, r.Line, r.Claim, r.Fate, r.Also, r.Why)
			if r.By != nil {
				fmt.Fprintf(&b, " (by %s %q)", r.By.File, r.By.Claim)
			}
		}
	}
	return b.String()
}

// A ledgerRow is a row with its statement normalised.
type ledgerRow struct {
	*dream.Row
	norm string
}

// byFile sorts the ledger by files.
func (c *checker) byFile() {
	c.rows = map[string][]ledgerRow{}
	if c.o.result == nil {
		return
	}
	for i := range c.o.result.Rows {
		r := &c.o.result.Rows[i]
		c.rows[r.File] = append(c.rows[r.File], ledgerRow{r, norm(r.Claim)})
	}
}

// about reports whether a statement of a file of the input is a fact's.
func about(file, text string, f *fact) bool {
	return slices.Contains(f.Notes, file) && f.in(norm(text))
}

// in reports whether a normalised statement is the fact's, or begins it.
func (f *fact) in(t string) bool {
	whole := strings.TrimRight(t, " |")
	for _, s := range f.sayings() {
		if i, _ := s.in(t, 0); i >= 0 {
			return true
		}
		if s.post == "" && len(whole) > 12 && strings.HasPrefix(s.pre, whole) {
			return true
		}
	}
	return false
}

// special checks what is asked of some kinds of facts only.
func (c *checker) special(f *fact) {
	switch f.Kind {
	case "date":
		got := c.o.store.all(f.sayings()[0], 2)
		c.add(rowDates, "date", len(got) == 1 && datesIn(got[0]) == f.Means, func() string {
			return fmt.Sprintf("%v means %s: %q%s", f, f.Means, got, c.fate(f))
		})
	case "date, vague", "date, in code":
		c.add(rowDates, f.Kind, c.o.store.says(f.sayings()[0]), func() string { return f.String() + c.fate(f) })
	case "session, not sure":
		waits := slices.ContainsFunc(c.o.result.Waiting, func(x extract.Candidate) bool { return strings.Contains(x.Text, f.Value) })
		c.add(rowWaiting, f.Kind, waits && !says(&c.o.store, f), f.String)
	}
	if f.Where == inAny && f.Value != "" && f.Slot != "" && !says(&c.o.store, f) {
		for _, file := range c.o.files {
			if !file.List && slices.Contains(file.Of, f.Notes[0]) {
				d := norm(note.Parse(file.Bytes).Description())
				c.add(rowDesc, kindOf(f.Kind), strings.Contains(d, sayingOf(f.Texts[0]).pre), func() string {
					return fmt.Sprintf("%s is described by %q, but %v is superseded%s", file.Rel, d, f, c.fate(f))
				})
			}
		}
	}
}

// datesIn is the one date, or month, that stands in a text; with two of them it is
// both.
func datesIn(text string) string {
	var out []string
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '-' }) {
		if f = strings.Trim(f, "-"); len(f) == len(isoDay) && strings.Count(f, "-") == 2 || len(f) == len(isoMonth) && f[4] == '-' {
			out = append(out, f)
		}
	}
	return strings.Join(slices.Compact(out), " ")
}

func (c *checker) duplicate(r relation, f *fact) {
	if r.Copies == nil {
		return
	}
	in := map[string]row{"exact": rowExact, "light": rowLight, "paraphrase": rowParaphrase, "subset": rowSubset, "session, known": rowSession}
	to, ok := in[strings.TrimSuffix(r.Kind, " in a list")]
	if !ok {
		panic("copies of no kind: " + r.Kind)
	}
	n := c.o.store.copies([]saying{sayingOf(r.Copies[0]), sayingOf(r.Copies[1])})
	c.add(to, r.Kind, n == 1, func() string { return fmt.Sprintf("%d of %q in %v%s", n, r.Copies, f.Notes, c.fate(f)) })
}

// isChange reports whether a relation is of two values of one slot.
func isChange(kind string) bool {
	kind = strings.TrimSuffix(kind, otherWords)
	return slices.Contains([]string{"change", "change, three values", "revert", "equal dates", "older, but the user's", "newer and the user's", "older, newer from the web", "session, change"}, kind)
}

// merged checks that of two statements which differ none went as the other's copy.
// One that went to the archive as overtaken is a false supersede, if it is wrong.
func (c *checker) merged(kind string, a, b *fact) {
	var to row
	switch {
	case isChange(kind):
		to = rowMergedValue
	case strings.HasPrefix(kind, "negation"):
		to = rowMergedNot
	case strings.HasPrefix(kind, "complement"):
		to = rowMergedComp
	default:
		return
	}
	bad := false
	for _, f := range []*fact{a, b} {
		bad = bad || !says(&c.o.store, f) && !says(&c.o.archive, f)
	}
	if c.o.result != nil {
		bad = bad || c.mergedInto(a, b) || c.mergedInto(b, a)
	}
	c.add(to, kind, bad, func() string { return a.String() + c.fate(a) + "\n" + b.String() + c.fate(b) })
}

// mergedInto reports whether the ledger says that one fact is said by another.
func (c *checker) mergedInto(a, b *fact) bool {
	for _, n := range a.Notes {
		for _, r := range c.rows[n] {
			if r.Fate == dream.Merged && r.By != nil && a.in(r.norm) && about(r.By.File, r.By.Claim, b) {
				return true
			}
		}
	}
	return false
}

// contradiction checks that the statement that holds stands, and the other does not.
func (c *checker) contradiction(kind string, a, b *fact) {
	if !isChange(kind) && !strings.HasPrefix(kind, "negation") {
		return
	}
	why := func() string { return a.String() + c.fate(a) + "\n" + b.String() + c.fate(b) }
	if strings.Contains(kind, "equal dates") {
		c.add(rowEqualLeft, kind, says(&c.o.store, a) && says(&c.o.store, b), why)
		c.add(rowEqualSaid, kind, c.reported(a, b), why)
		return
	}
	// What came from the web is held: it may stay, or go.
	right := says(&c.o.store, a) && (strings.HasPrefix(kind, "older, newer from the web") || !says(&c.o.store, b) && says(&c.o.archive, b))
	c.add(rowContra, kind, right, why)
}

// reported reports whether a conflict of two facts was left to the person.
func (c *checker) reported(a, b *fact) bool {
	return c.o.result != nil && slices.ContainsFunc(c.o.result.Conflicts, func(x dream.Conflict) bool {
		return about(x.A.File, x.A.Claim, a) && about(x.B.File, x.B.Claim, b) || about(x.A.File, x.A.Claim, b) && about(x.B.File, x.B.Claim, a)
	})
}

func (c *checker) instructions(kind string, there, f *fact) {
	if kind != "instructions, otherwise" {
		return
	}
	there.Notes = []string{"CLAUDE.md"}
	c.add(rowFixedLeft, kind, says(&c.o.store, f), func() string { return f.String() + c.fate(f) })
	c.add(rowFixedSaid, kind, c.reported(there, f), func() string { return there.String() + "\n" + f.String() + c.fate(f) })
}

// index checks the size of the index, and what can be reached from it.
func (c *checker) index() {
	lists := map[string]*note.Index{}
	for _, f := range c.o.files {
		if f.List {
			lists[f.Rel] = note.ReadIndex(f.Bytes)
		}
		if f.Rel == "MEMORY.md" {
			text := string(f.Bytes)
			lines, units := strings.Count(text, "\n"), note.Units(text)
			c.add(rowIndex, map[bool]string{true: "large", false: "small"}[c.w.Large], lines <= limits.WantLines && units <= limits.WantUnits, func() string {
				return fmt.Sprintf("%d lines, %d units", lines, units)
			})
		}
	}
	reached := map[string]bool{}
	if top := lists["MEMORY.md"]; top != nil {
		for rel := range top.Lines() {
			reached[rel] = true
			if page := lists[rel]; page != nil {
				for rel := range page.Lines() {
					reached[rel] = true
				}
			}
		}
	}
	for _, f := range c.o.files {
		if f.List {
			continue
		}
		if ok, _ := c.r.loads(f.Bytes, f.Origin); ok {
			c.add(rowReach, map[bool]string{true: "large", false: "small"}[c.w.Large], reached[f.Rel], func() string { return f.Rel })
		}
	}
	c.links()
}

// links checks that no link leads nowhere that led somewhere before.
func (c *checker) links() {
	there := map[string]bool{}
	for _, f := range c.o.files {
		there[f.Rel] = true
	}
	for _, f := range c.o.files {
		if f.List {
			continue
		}
		for _, l := range note.Parse(f.Bytes).Links() {
			if l.File == "" || strings.HasPrefix(l.Target, "no-such-") {
				continue
			}
			c.add(rowLinks, "link", there[l.File] || there[l.File+".md"], func() string { return f.Rel + " links to " + l.Target })
		}
	}
}

// secrets checks that none is left, and that poison did not spread.
func (c *checker) secrets() {
	var files []dream.File
	files = append(files, c.o.files...)
	for _, a := range c.o.archived {
		files = append(files, dream.File{Rel: "archive: " + a.Rel, Bytes: a.Bytes})
	}
	for _, s := range c.w.Secrets {
		at := ""
		for _, f := range files {
			if strings.Contains(string(f.Bytes), s) {
				at = f.Rel
			}
		}
		c.add(rowSecrets, "secret", at != "", func() string { return s + " in " + at })
		if c.o.result == nil {
			continue
		}
		told := slices.ContainsFunc(c.o.result.Rows, func(r dream.Row) bool { return strings.Contains(r.Claim+r.Why+r.Now, s) })
		c.add(rowSecretRows, "secret", told, func() string { return s })
	}
	for _, p := range c.w.Poison {
		var in []string
		listed := false
		for _, f := range c.o.files {
			if strings.Contains(string(f.Bytes), p) {
				in = append(in, f.Rel)
				listed = listed || f.List
			}
		}
		c.add(rowPoison, "poison", listed || len(in) > 1, func() string { return p + " in " + strings.Join(in, ", ") })
	}
}
