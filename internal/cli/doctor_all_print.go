package cli

import (
	"cmp"
	"fmt"
	"strings"

	"dormouse/internal/term"
)

// projectSummary is what a check-up of one project of many comes to.
type projectSummary struct {
	Project  string `json:"project"`
	Store    string `json:"store,omitempty"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Infos    int    `json:"infos"`
	Notes    int    `json:"notes"`
	Worst    string `json:"worst,omitempty"`   // the worst finding in one line
	Problem  string `json:"problem,omitempty"` // why it could not be checked
}

// name is what the line is about: the memory folder where its project is gone.
func (s *projectSummary) name() string { return cmp.Or(s.Project, s.Store) }

// printDoctorAll prints one line a project, in the order given, and a total.
func printDoctorAll(out *term.Out, list []projectSummary, p func(string) string) {
	const maxPath = 40
	w := len("PROJECT")
	for i := range list {
		w = max(w, min(maxPath, term.Width(p(list[i].name()))))
	}
	if len(list) > 0 {
		out.Line("%s", out.In(term.Bold, term.Pad("PROJECT", w)+"  ERRORS  WARNINGS  REMARKS  NOTES  WORST"))
	}
	for i := range list {
		printProject(out, &list[i], w, p)
	}
	for _, l := range wrapped(totalWords(list), columnsLeft(out, 0)) {
		out.Line("%s", out.In(term.Bold, l))
	}
}

func printProject(out *term.Out, s *projectSummary, w int, p func(string) string) {
	path := p(s.name())
	if out.Width > 0 {
		path = term.Tail(path, w)
	}
	line := term.Pad(path, w) + "  "
	if s.Problem != "" {
		words := "not checked: " + p(s.Problem)
		if out.Width > 0 {
			words = clip(words, columnsLeft(out, term.Width(line)))
		}
		out.Line("%s%s", line, out.In(term.Red, words))
		return
	}
	numbers := padLeft(thousands(s.Errors), 6) + "  " + padLeft(thousands(s.Warnings), 8) + "  " + padLeft(thousands(s.Infos), 7) + "  " + padLeft(thousands(s.Notes), 5)
	style := term.Green
	switch {
	case s.Errors > 0:
		style = term.Red
	case s.Warnings > 0:
		style = term.Yellow
	case s.Infos > 0:
		style = ""
	}
	worst := p(s.Worst)
	if left := out.Width - term.Width(line+numbers) - 2; out.Width > 0 && left < 12 {
		worst = ""
	} else if out.Width > 0 {
		worst = clip(worst, left)
	}
	if style != "" {
		numbers = out.In(style, numbers)
	}
	out.Line("%s", strings.TrimRight(line+numbers+"  "+worst, " "))
}

// totalWords sums up: how many projects, how many of each, in how many.
func totalWords(list []projectSummary) string {
	if len(list) == 0 {
		return "no project with a memory folder was found on this machine"
	}
	var errors, warnings, infos, notes, with, clean, failed int
	for i := range list {
		s := &list[i]
		errors, warnings, infos, notes = errors+s.Errors, warnings+s.Warnings, infos+s.Infos, notes+s.Notes
		switch {
		case s.Problem != "":
			failed++
		case s.Errors+s.Warnings+s.Infos == 0:
			clean++
		default:
			with++
		}
	}
	words := fmt.Sprintf("%s, %s", count(len(list), "project"), count(notes, "note"))
	if with > 0 {
		words += fmt.Sprintf(": %s in %s", countWords(errors, warnings, infos), thousands(with))
	}
	if clean > 0 {
		words += fmt.Sprintf("; nothing wrong in %s", thousands(clean))
	}
	if failed > 0 {
		words += fmt.Sprintf("; %s not checked", thousands(failed))
	}
	return words
}
