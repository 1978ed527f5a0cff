package cli

import (
	"fmt"
	"strings"

	"dormouse/doctor"
	"dormouse/internal/term"
)

// severityCounts counts findings in words: "3 errors, 1 remark".
func severityCounts(list []*doctor.Finding) string {
	n := map[string]int{}
	for _, f := range list {
		n[severityWord(f.Severity)]++
	}
	return countWords(n["error"], n["warning"], n["remark"])
}

func countWords(errors, warnings, remarks int) string {
	var words []string
	for _, c := range []struct {
		n    int
		what string
	}{{errors, "error"}, {warnings, "warning"}, {remarks, "remark"}} {
		if c.n > 0 {
			words = append(words, count(c.n, c.what))
		}
	}
	return strings.Join(words, ", ")
}

// summary is the line that a person looks for: how much, and what to do.
func (d *doctorPrinter) summary() {
	var list []*doctor.Finding
	safe, single := 0, 0
	for i := range d.rep.Findings {
		f := &d.rep.Findings[i]
		list = append(list, f)
		switch {
		case f.Fix == nil || !f.Fix.Applies:
		case f.Fix.Safe:
			safe++
		default:
			single++
		}
	}
	c := &d.rep.Checked
	switch {
	case len(list) == 0 && c.Instructions+c.Notes+c.IndexLines == 0:
		d.row("Result", "there is nothing to check: no instruction file and no note")
		return
	case len(list) == 0:
		d.row("Result", d.out.In(term.Green, "nothing is wrong"))
		return
	}
	words := severityCounts(list)
	if safe > 0 {
		words += fmt.Sprintf("; %s can be mended with %s", thousands(safe), term.Safe(d.command("doctor --fix")))
	}
	if single > 0 {
		words += fmt.Sprintf("; %s one by one, with --fix=ID", thousands(single))
	}
	d.row("Result", words)
}

// checkedWords says what a result rests on. What there was none of is left out.
func checkedWords(c *doctor.Checked) string {
	words := count(c.Rules, "rule")
	sep := " over "
	for _, part := range []struct {
		n    int
		what string
	}{
		{c.Instructions, "instruction file"}, {c.Imports, "import"}, {c.Notes, "note"}, {c.IndexLines, "index line"}, {c.Stores, "memory folder"},
	} {
		if part.n > 0 {
			words += sep + count(part.n, part.what)
			sep = ", "
		}
	}
	if c.Statements > 0 {
		words += "; " + count(c.Statements, "statement") + " compared"
	}
	if c.References > 0 {
		words += "; " + count(c.References, "reference") + " looked up in the repository"
	}
	return words
}

// passedOver tells what the configuration keeps quiet, with the reasons.
func (d *doctorPrinter) passedOver() {
	n := len(d.rep.Suppressed)
	if n == 0 {
		return
	}
	by := map[string]int{}
	var order []string
	for _, s := range d.rep.Suppressed {
		key := s.Rule + " (" + s.Reason + ")"
		if by[key]++; by[key] == 1 {
			order = append(order, key)
		}
	}
	words := thousands(n) + " by the configuration"
	sep := ": "
	for _, key := range order[:min(fewLines, len(order))] {
		words += sep + thousands(by[key]) + " " + term.Safe(key)
		sep = ", "
	}
	if more := len(order) - fewLines; more > 0 {
		words += fmt.Sprintf(", and %s more (--json has all)", thousands(more))
	}
	d.row("Ignored", words)
}

// unusedIgnores tells what of the configuration is of no use any more.
func (d *doctorPrinter) unusedIgnores(unused []ignoreRule) {
	if len(unused) == 0 {
		return
	}
	words := "ignores of the configuration that match nothing here"
	sep := ": "
	for _, u := range unused[:min(fewLines, len(unused))] {
		words += sep + term.Safe(fmt.Sprintf("%s at %s (line %d)", u.Rule, u.Place, u.Line))
		sep = ", "
	}
	if more := len(unused) - fewLines; more > 0 {
		words += fmt.Sprintf(", and %s more", thousands(more))
	}
	d.row("Unused", words)
}

func (d *doctorPrinter) tokens() {
	if len(d.rep.Tokens) == 0 {
		return
	}
	total := 0
	for _, w := range d.rep.Tokens {
		total += w.Tokens
	}
	words := fmt.Sprintf("~%s tokens in each session", thousands(total))
	sep := ": "
	for _, w := range d.rep.Tokens[:min(fewOfFiles, len(d.rep.Tokens))] {
		words += fmt.Sprintf("%s%s ~%s", sep, d.place(doctor.Place{Path: w.Path}), thousands(w.Tokens))
		sep = ", "
	}
	if more := len(d.rep.Tokens) - fewOfFiles; more > 0 {
		words += ", and " + count(more, "more file")
	}
	d.row("Loads", words)
}

func (d *doctorPrinter) oldest() {
	if len(d.rep.Ages) == 0 {
		return
	}
	var words []string
	for _, a := range d.rep.Ages[:min(fewOfAges, len(d.rep.Ages))] {
		words = append(words, fmt.Sprintf("%s (%s, %s)", d.place(doctor.Place{Path: a.Path}), count(a.Days, "day"), term.Safe(a.By)))
	}
	d.row("Oldest", strings.Join(words, ", "))
}

// wrapped breaks a text at its spaces into lines of at most width columns, and
// inside a word that is longer than a line. width <= 0 leaves it whole.
func wrapped(text string, width int) []string {
	if width <= 0 || len(text) <= width || term.Width(text) <= width {
		return []string{text}
	}
	var out []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		w := term.Width(word)
		if used > 0 && used+1+w > width {
			out, line, used = append(out, line), "", 0
		}
		for used == 0 && w > width {
			head := headOf(word, width)
			out = append(out, head)
			word = word[len(head):]
			w = term.Width(word)
		}
		if word == "" {
			continue
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// headOf is as much of a text as fits into width columns, at least one character.
func headOf(s string, width int) string {
	used := 0
	for i, r := range s {
		if used += term.Width(string(r)); used > width && i > 0 {
			return s[:i]
		}
	}
	return s
}
