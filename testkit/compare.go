package testkit

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/startup"
)

// Compare tells where a report differs from what the real client sent, one
// line for each difference. Rule files of one folder (with what they import)
// may come in any order: the client takes them as the file system gives them.
func (l *Layout) Compare(want *Want, rep *startup.Report) []string {
	var diffs []string
	diffs = append(diffs, l.compareFiles("loaded", want.Loaded, rep.Loaded)...)
	diffs = append(diffs, l.compareFiles("after reads", want.AfterReads, rep.After)...)
	if len(l.Reads) > 0 {
		diffs = append(diffs, compareAges(want.AgeDays, rep.Ages)...)
	}
	return diffs
}

func (l *Layout) compareFiles(what string, want []Loaded, got []startup.File) []string {
	wanted := make([]Loaded, len(want))
	for i, w := range want {
		w.Path = l.absolute(l.Expand(w.Path))
		w.Text = strings.TrimSpace(l.Expand(w.Text))
		wanted[i] = w
	}
	if len(wanted) != len(got) {
		return []string{fmt.Sprintf("%s: the client gave %d files, we say %d\n  client: %s\n  ours:   %s",
			what, len(wanted), len(got), strings.Join(wantPaths(wanted), " "), strings.Join(gotPaths(got), " "))}
	}
	got = slices.Clone(got)
	sortRuleRuns(wanted, got)
	var diffs []string
	for i, w := range wanted {
		diffs = append(diffs, compareFile(fmt.Sprintf("%s %d", what, i+1), w, got[i])...)
	}
	return diffs
}

func (l *Layout) absolute(p string) string {
	if filepath.IsAbs(p) || strings.HasPrefix(p, "<") {
		return p
	}
	return filepath.Join(l.Root, p)
}

func wantPaths(list []Loaded) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Path)
	}
	return out
}

func gotPaths(list []startup.File) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Path)
	}
	return out
}

// sortRuleRuns sorts both lists by path wherever ours has a run of rules and
// their imports.
func sortRuleRuns(want []Loaded, got []startup.File) {
	for i := 0; i < len(got); i++ {
		if !ofRules(got[i]) {
			continue
		}
		j := i + 1
		for j < len(got) && (ofRules(got[j]) || got[j].Reason == startup.ByImport) {
			j++
		}
		slices.SortFunc(got[i:j], func(a, b startup.File) int { return strings.Compare(a.Path, b.Path) })
		slices.SortFunc(want[i:j], func(a, b Loaded) int { return strings.Compare(a.Path, b.Path) })
		i = j
	}
}

// ofRules is true for a rule and for what a rule imports.
func ofRules(f startup.File) bool {
	const folder = "/.claude/rules/"
	return f.Reason == startup.ByRule || f.Reason == startup.ByRuleMatch ||
		strings.Contains(f.Path, folder) || strings.Contains(f.ImportedBy, folder)
}

func compareFile(what string, w Loaded, g startup.File) []string {
	var diffs []string
	add := func(field string, want, got any) {
		diffs = append(diffs, fmt.Sprintf("%s: %s: the client gave %.300q, we say %.300q", what, field, fmt.Sprint(want), fmt.Sprint(got)))
	}
	if w.Path != g.Path {
		add("path", w.Path, g.Path)
	}
	if w.Scope != "" && w.Scope != string(g.Scope) {
		add("scope of "+w.Path, w.Scope, g.Scope)
	}
	if got := strings.TrimSpace(g.Text); w.Text != got {
		add("text of "+w.Path, w.Text, got)
	}
	switch {
	case (w.Cut == nil) != (g.Cut == nil):
		add("cut of "+w.Path, w.Cut, g.Cut)
	case w.Cut != nil && (w.Cut.FirstCutLine != g.Cut.FirstCutLine || w.Cut.TotalLines != 0 && w.Cut.TotalLines != g.Cut.TotalLines ||
		w.Cut.WithinLine != g.Cut.WithinLine || w.Cut.By != g.Cut.By):
		add("cut of "+w.Path, *w.Cut, *g.Cut)
	}
	return diffs
}

func compareAges(want *int, ages []startup.Age) []string {
	var warned []int
	for _, a := range ages {
		if a.Warn {
			warned = append(warned, a.Days)
		}
	}
	switch {
	case want == nil && len(warned) > 0:
		return []string{fmt.Sprintf("ages: the client states none, we say %v", warned)}
	case want != nil && !slices.Contains(warned, *want):
		return []string{fmt.Sprintf("ages: the client states %d days, we say %v", *want, warned)}
	}
	return nil
}
