package doctor

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/evidence"
	"dormouse/host"
	"dormouse/note"
	"dormouse/scan/secrets"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

// Input is what a check-up looks at. Nothing of it is changed.
type Input struct {
	// Startup is a thorough report of the host, with the nested instruction files
	// among its reads (see Nested).
	Startup *startup.Report
	Store   *store.Store  // the notes; nil: there are none to look at
	Ledger  *trust.Ledger // where the notes came from; nil: nobody knows
	Limits  store.Limits
	// Memories are the memory folders of this machine, SameName the host's search
	// for folders that share one; nil: the host can't tell.
	Memories []host.Memory
	SameName func(dir, root string) []string
	// Unsafe is why the memory folder Dir was not opened: others could change it.
	Unsafe error
	Dir    string
	// Skipped is what could not be looked at, a sentence each.
	Skipped []string

	// Loads tells whether a note may have a line in the index, by where its text
	// came from; nil: every one may.
	Loads func(text []byte) (ok bool, why string)

	Repo *evidence.Repo // the project's; nil: it can't be looked at, and Skipped says why

	Build  string // of the program: a report of another one is not taken from the cache
	Getenv func(string) string
	Now    time.Time
}

// Check goes through all rules.
func Check(ctx context.Context, in Input) (*Report, error) {
	c, err := gather(ctx, in)
	if err != nil {
		return nil, err
	}
	// What takes longest goes on beside the other rules.
	c.looked, c.seen = make(chan *references, 1), make(chan []looked, 1)
	go func() { c.looked <- c.lookUp() }()
	go func() { c.seen <- c.scanTexts() }()
	for _, rule := range []func(*check) error{
		(*check).switches, (*check).files, (*check).imports, (*check).rules, (*check).limits, (*check).folder, (*check).stores,
		(*check).statements, (*check).stale, (*check).times, (*check).shape, (*check).safety,
	} {
		if err := rule(c); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	c.rank()
	c.mask()
	return c.out, nil
}

// mask takes secrets out of what is quoted of the texts: lines of theirs stand in
// findings of every rule.
func (c *check) mask() {
	find := secrets.New()
	mask := func(texts ...*string) {
		for _, s := range texts {
			if text, hits := find.Redact(*s); len(hits) > 0 {
				*s = text
			}
		}
	}
	for i := range c.out.Findings {
		f := &c.out.Findings[i]
		mask(&f.Message, &f.Place.Text)
		for j := range f.Related {
			mask(&f.Related[j].Text)
		}
		for j := range f.Evidence {
			mask(&f.Evidence[j])
		}
	}
}

// check is one check-up on its way.
type check struct {
	in    Input
	ctx   context.Context //nolint:containedctx // one check-up is one call
	rep   *startup.Report
	root  string // the checkout, or the start folder
	dir   string // the memory folder, "" without one
	items []store.Item
	index []byte
	docs  []doc // instruction files
	repo  *evidence.Repo
	info  map[string]Rule
	out   *Report

	claims map[string][]claim.Claim // of each note, by its path
	looked chan *references         // what the repository says, see lookUp
	seen   chan []looked            // what the scanner says, see scanTexts

	dates     map[string]time.Time // of the notes, by git
	datesRead bool

	linkedBy map[string]string // a note that links to each name, see linkedFrom
}

// add puts a finding into the report. The key tells it from others of the same
// rule at the same place, and is the same at the next run.
func (c *check) add(rule string, at Place, key, format string, args ...any) *Finding {
	r := c.info[rule]
	at.Text = clip(at.Text)
	f := Finding{Rule: rule, Group: r.Group, Severity: r.Severity, Message: fmt.Sprintf(format, args...), Place: at}
	sum := sha256.Sum256([]byte(strings.Join([]string{rule, c.show(at.Path), key}, "\x00")))
	f.ID = hex.EncodeToString(sum[:6])
	c.out.Findings = append(c.out.Findings, f)
	return &c.out.Findings[len(c.out.Findings)-1]
}

// quoteUnits is how much of a line is quoted, in UTF-16 units.
const quoteUnits = 160

func clip(s string) string { return note.Clip(strings.Join(strings.Fields(s), " "), quoteUnits) }

// show names a file for a person: relative to the memory folder or the project.
func (c *check) show(path string) string {
	for _, base := range []string{c.dir, c.root, c.rep.Cwd} {
		if base == "" {
			continue
		}
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// at names a place for a person.
func (c *check) at(p Place) string {
	if p.Line == 0 {
		return c.show(p.Path)
	}
	return fmt.Sprintf("%s:%d", c.show(p.Path), p.Line)
}

func (f *Finding) evidence(format string, args ...any) *Finding {
	f.Evidence = append(f.Evidence, fmt.Sprintf(format, args...))
	return f
}

func (f *Finding) relate(role string, p Place) *Finding {
	p.Text = clip(p.Text)
	f.Related = append(f.Related, Related{p, role})
	return f
}

func (f *Finding) level(s Severity) *Finding {
	f.Severity = s
	return f
}

// fix sets what would mend the finding; a plan of Kind None is left to a person.
// command is one of ours, without the name of the program.
func (f *Finding) fix(title, command string, safe bool, p Plan) *Finding {
	f.Fix = &Fix{Title: title, Command: command, Safe: safe, Applies: p.Kind != None, plan: p}
	return f
}

// shellWord is one word of a command, quoted for a shell.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./-@", r)
	}
	if s != "" && s[0] != '-' && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// takeOver adds the edits of a finding of the same ID, which is not told: the same
// words once more in the same file.
func (f *Finding) takeOver(g *Finding) {
	if f.Fix == nil || g.Fix == nil || f.Fix.plan.Kind != g.Fix.plan.Kind || f.Fix.plan.Path != g.Fix.plan.Path {
		return
	}
	for _, e := range g.Fix.plan.Edits {
		if !slices.Contains(f.Fix.plan.Edits, e) {
			f.Fix.plan.Edits = append(slices.Clone(f.Fix.plan.Edits), e)
		}
	}
}

// rank puts the worst first, then the order of the rules, then the place. Of two
// findings with one ID the first stays.
func (c *check) rank() {
	order := map[string]int{}
	for i, r := range Rules() {
		order[r.ID] = i
	}
	slices.SortStableFunc(c.out.Findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity.rank(), a.Severity.rank()), cmp.Compare(order[a.Rule], order[b.Rule]),
			strings.Compare(a.Place.Path, b.Place.Path), cmp.Compare(a.Place.Line, b.Place.Line), strings.Compare(a.Message, b.Message),
		)
	})
	kept := map[string]int{}
	for i := range c.out.Findings {
		f := &c.out.Findings[i]
		if first, again := kept[f.ID]; again {
			c.out.Findings[first].takeOver(f)
		} else {
			kept[f.ID] = i
		}
		c.lock(f)
		if f.Fix != nil && f.Fix.Applies && f.Fix.Command == "" {
			f.Fix.Command = "doctor --fix=" + f.ID
		}
	}
	seen := map[string]bool{}
	c.out.Findings = slices.DeleteFunc(c.out.Findings, func(f Finding) bool {
		again := seen[f.ID]
		seen[f.ID] = true
		return again
	})
}
