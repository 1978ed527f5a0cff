package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/doctor"
	"dormouse/internal/term"
)

// How much of a long list is printed; --json has all of it.
const (
	fewOfRule  = 8 // findings of one rule
	fewLines   = 5 // related places and evidence of one finding
	fewOfAges  = 3
	fewOfFiles = 3
)

// doctorPrinter prints one check-up for a person.
type doctorPrinter struct {
	*common
	out *term.Out
	rep *doctor.Report
	p   func(string) string
}

// printDoctor prints a check-up: the findings by group, the worst first, then a
// summary and what it rests on. p shortens paths and makes texts harmless; unused
// are the ignores of the configuration that matched nothing here.
func (c *common) printDoctor(out *term.Out, rep *doctor.Report, p func(string) string, unused []ignoreRule) {
	d := &doctorPrinter{c, out, rep, p}
	d.row("Project", p(rep.Project))
	if rep.Store != "" {
		d.row("Memory", p(rep.Store))
	}
	for _, g := range groupsOf(rep.Findings) {
		d.group(g)
	}
	out.Line("")
	d.summary()
	d.row("Checked", checkedWords(&rep.Checked))
	for _, s := range rep.Skipped {
		d.row("Skipped", p(s))
	}
	d.passedOver()
	d.unusedIgnores(unused)
	d.tokens()
	d.oldest()
}

// row prints a line of the summary, with what does not fit below it.
func (d *doctorPrinter) row(name, text string) {
	lines := wrapped(text, columnsLeft(d.out, label))
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		d.out.Line("%s%s", d.out.In(term.Bold, term.Pad(name, label)), l)
	}
}

// columnsLeft is how many columns are left beside an indent; 0 where that is unknown.
func columnsLeft(out *term.Out, indent int) int {
	if out.Width <= 0 {
		return 0
	}
	return max(20, out.Width-indent)
}

// findingGroup is the part of the findings that belongs to one group.
type findingGroup struct {
	group doctor.Group
	list  []*doctor.Finding // the worst first
}

// groupsOf sorts findings into groups, that with the worst finding first.
func groupsOf(findings []doctor.Finding) []findingGroup {
	var out []findingGroup
	for i := range findings {
		f := &findings[i]
		k := slices.IndexFunc(out, func(g findingGroup) bool { return g.group == f.Group })
		if k < 0 {
			k = len(out)
			out = append(out, findingGroup{group: f.Group})
		}
		out[k].list = append(out[k].list, f)
	}
	for _, g := range out {
		slices.SortStableFunc(g.list, func(a, b *doctor.Finding) int { return worse(a.Severity, b.Severity) })
	}
	order := []doctor.Group{doctor.Forgetting, doctor.Rot, doctor.Safety}
	slices.SortStableFunc(out, func(a, b findingGroup) int {
		return cmp.Or(worse(a.list[0].Severity, b.list[0].Severity), cmp.Compare(slices.Index(order, a.group), slices.Index(order, b.group)))
	})
	return out
}

// worse compares two severities for an order with the worst first.
func worse(a, b doctor.Severity) int {
	switch {
	case a == b:
		return 0
	case a.AtLeast(b):
		return -1
	}
	return 1
}

func groupTitle(g doctor.Group) string {
	switch g {
	case doctor.Forgetting:
		return "Forgetting"
	case doctor.Rot:
		return "Rot"
	case doctor.Safety:
		return "Safety"
	}
	return term.Safe(string(g))
}

func (d *doctorPrinter) group(g findingGroup) {
	d.out.Line("")
	d.out.Line("%s", d.out.In(term.Bold, groupTitle(g.group)+": "+severityCounts(g.list)))
	shown := map[string]int{}
	var order []string
	for _, f := range g.list {
		if shown[f.Rule]++; shown[f.Rule] > fewOfRule {
			if shown[f.Rule] == fewOfRule+1 {
				order = append(order, f.Rule)
			}
			continue
		}
		d.out.Line("")
		d.finding(f)
	}
	if len(order) == 0 {
		return
	}
	var more []string
	for _, rule := range order {
		more = append(more, thousands(shown[rule]-fewOfRule)+" more "+term.Safe(rule))
	}
	d.out.Line("")
	d.lines("", "and "+strings.Join(more, ", ")+" (--json has all)", term.Faint)
}

// lines prints a text that belongs to a finding: the first line behind lead, what
// does not fit under it.
func (d *doctorPrinter) lines(lead, text string, style term.Style) {
	lead = findingIndent + lead
	for _, l := range wrapped(text, columnsLeft(d.out, len(lead))) {
		if style != "" {
			l = d.out.In(style, l)
		}
		d.out.Line("%s%s", lead, l)
		lead = strings.Repeat(" ", len(lead))
	}
}

const findingIndent = "    " // what belongs to a finding stands under it

func (d *doctorPrinter) finding(f *doctor.Finding) {
	mark := severityWord(f.Severity)
	head := term.Pad(mark, 8) + " " + term.Safe(f.Rule)
	where := d.place(f.Place)
	if where != "" {
		head += "  "
		if d.out.Width > 0 {
			where = term.Tail(where, max(12, d.out.Width-term.Width(head)))
		}
	}
	styled := d.out.In(severityStyle(f.Severity), mark) + head[len(mark):]
	d.out.Line("%s%s", styled, d.out.In(term.Cyan, where))
	d.lines("", d.hinted(d.p(f.Message)), "")
	d.quote(f.Place.Text)
	for i := range f.Related[:min(fewLines, len(f.Related))] {
		r := &f.Related[i]
		d.lines("", term.Safe(r.Role)+": "+d.place(r.Place), "")
		d.quote(r.Text)
	}
	d.more(len(f.Related))
	for _, e := range f.Evidence[:min(fewLines, len(f.Evidence))] {
		d.lines("- ", d.p(e), "")
	}
	d.more(len(f.Evidence))
	d.fix(f)
}

// quote shows what stands at a place, on one line.
func (d *doctorPrinter) quote(text string) {
	if text == "" {
		return
	}
	text = term.Safe(text)
	if d.out.Width > 0 {
		text = clip(text, columnsLeft(d.out, len(findingIndent)+2))
	}
	d.out.Line("%s%s", findingIndent, d.out.In(term.Faint, "| "+text))
}

func (d *doctorPrinter) more(n int) {
	if n > fewLines {
		d.out.Line("%s%s", findingIndent, d.out.In(term.Faint, fmt.Sprintf("and %s more (--json has all)", thousands(n-fewLines))))
	}
}

// fix prints what would mend a finding, the command whole: it is there to be
// copied.
func (d *doctorPrinter) fix(f *doctor.Finding) {
	if f.Fix == nil {
		return
	}
	title, command := d.p(f.Fix.Title), term.Safe(d.fixCommand(f))
	const lead = "fix: "
	if command != "" {
		title += ":"
	}
	one := title + " " + command
	if space := columnsLeft(d.out, len(findingIndent)+len(lead)); command != "" && (space == 0 || term.Width(one) <= space) {
		d.out.Line("%s%s%s %s", findingIndent, lead, title, d.out.In(term.Cyan, command))
		return
	}
	d.lines(lead, title, "")
	if command != "" {
		d.out.Line("%s%s", findingIndent+strings.Repeat(" ", len(lead)), d.out.In(term.Cyan, command))
	}
}

// fixCommand is the command line that mends a finding, with the flags that name
// this place; "" where there is none.
func (d *doctorPrinter) fixCommand(f *doctor.Finding) string {
	verb, _, _ := strings.Cut(f.Fix.Command, " ")
	switch {
	case f.Fix.Command == "" && f.Fix.Applies:
		return d.command("doctor --fix=" + f.ID)
	case isCommand(verb):
		return d.command(f.Fix.Command)
	}
	return d.hinted(f.Fix.Command)
}

// place names a place for a person: below the project or the memory folder
// relative to it, and else as p does.
func (d *doctorPrinter) place(pl doctor.Place) string {
	if pl.Path == "" {
		return ""
	}
	for _, base := range []string{cmp.Or(d.rep.Root, d.rep.Project), d.rep.Store} {
		if base == "" {
			continue
		}
		if rel, err := filepath.Rel(base, pl.Path); err == nil && rel != "." && filepath.IsLocal(rel) {
			return term.Safe(at(rel, pl.Line))
		}
	}
	return d.p(at(pl.Path, pl.Line))
}

func severityWord(s doctor.Severity) string {
	switch s {
	case doctor.Error:
		return "error"
	case doctor.Warning:
		return "warning"
	}
	return "remark"
}

func severityStyle(s doctor.Severity) term.Style {
	switch s {
	case doctor.Error:
		return term.Red
	case doctor.Warning:
		return term.Yellow
	}
	return term.Faint
}
