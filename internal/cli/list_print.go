package cli

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"dormouse/internal/term"
)

// Columns of the list: the widest that a file name and a page may take.
const (
	maxFileColumn = 48
	maxPageColumn = 24
)

// printList prints one line a note. It is written for thousands of them: one
// pass for the width of the columns, one that fills a buffer.
func printList(o *listOptions, res *listReport, generated bool, show func(string) string) error {
	people := o.people()
	buffer := bufio.NewWriterSize(o.out, 64<<10)
	out := *people
	out.Writer = buffer
	w := columnsOf(res.Notes)
	if len(res.Notes) > 0 {
		out.Line("%s", out.In(term.Bold, strings.Join([]string{
			term.Pad("NOTE", w.file), term.Pad("TYPE", w.kind), "  AGE", "    SIZE", term.Pad("INDEX", w.page), "LOADS", "ABOUT",
		}, "  ")))
	}
	for i := range res.Notes {
		printListed(&out, &res.Notes[i], w)
	}
	out.Line("%s", out.In(term.Faint, listSummary(o, res, generated, show)))
	for _, p := range res.Problems {
		out.Line("%s", out.In(term.Red, fmt.Sprintf("%s: %s", show(p.Path), show(p.What))))
	}
	return buffer.Flush()
}

type listColumns struct{ file, kind, page int }

func columnsOf(notes []listed) listColumns {
	w := listColumns{len("NOTE"), len("TYPE"), len("INDEX")}
	for i := range notes {
		w.file = max(w.file, min(maxFileColumn, term.Width(term.Safe(notes[i].File))))
		w.kind = max(w.kind, min(maxPageColumn, term.Width(term.Safe(notes[i].Type))))
		w.page = max(w.page, min(maxPageColumn, term.Width(term.Safe(indexWord(&notes[i])))))
	}
	return w
}

// indexWord tells how the index leads to a note.
func indexWord(l *listed) string {
	switch {
	case l.Line > 0:
		return strconv.Itoa(l.Line)
	case l.Page != "":
		return "by page " + l.Page
	}
	return "-"
}

func printListed(out *term.Out, l *listed, w listColumns) {
	loads := out.In(term.Green, "yes  ")
	switch {
	case l.Held != "":
		loads = out.In(term.Yellow, "held ")
	case !l.Loads:
		loads = out.In(term.Yellow, "no   ")
	}
	var b strings.Builder
	b.WriteString(term.Pad(term.Safe(l.File), w.file) + "  ")
	b.WriteString(term.Pad(term.Safe(l.Type), w.kind) + "  ")
	b.WriteString(padLeft(strconv.Itoa(l.Days)+"d", 5) + "  " + padLeft(size(l.Size), 8) + "  ")
	b.WriteString(term.Pad(term.Safe(indexWord(l)), w.page) + "  ")
	used := term.Width(b.String()) + 7
	b.WriteString(loads + "  ")
	about, style := aboutWords(l)
	if out.Width > 0 {
		about = clip(about, max(12, out.Width-used))
	}
	if style != "" {
		about = out.In(style, about)
	}
	b.WriteString(about)
	out.Line("%s", strings.TrimRight(b.String(), " "))
}

func aboutWords(l *listed) (string, term.Style) {
	if l.Error != "" {
		return "cannot be read: " + term.Safe(l.Error), term.Red
	}
	if l.Name != "" && l.Name != stem(l.File) {
		return term.Safe(l.Name + ": " + l.Text), ""
	}
	return term.Safe(l.Text), ""
}

func padLeft(s string, n int) string {
	if len(s) >= n {
		return s
	}
	return strings.Repeat(" ", n-len(s)) + s
}

// clip shortens a text to n columns from the right, with "…".
func clip(s string, n int) string {
	if len(s) <= n || term.Width(s) <= n {
		return s
	}
	w := 1 // of the sign
	for i, r := range s {
		if w += term.Width(string(r)); w > n {
			return s[:i] + "…"
		}
	}
	return s
}

func listSummary(o *listOptions, res *listReport, generated bool, show func(string) string) string {
	c := res.Counts
	switch {
	case !res.Exists:
		return fmt.Sprintf("no notes: %s is not there yet", show(res.Store))
	case c.Notes == 0:
		return "no notes in " + show(res.Store)
	}
	words := count(c.Notes, "note")
	if c.Shown != c.Notes {
		words = fmt.Sprintf("%s of %s", thousands(c.Shown), words)
	}
	if generated {
		words += ", no index (the client makes one from the notes)"
	} else {
		words += fmt.Sprintf(", %s in the index", thousands(c.Indexed))
	}
	if res.Unread != "" {
		words += "; " + res.Unread
	} else {
		words += fmt.Sprintf(", a session is told of %s", thousands(c.Loads))
	}
	if c.Held > 0 {
		words += fmt.Sprintf(", %s held (%s)", thousands(c.Held), term.Safe(o.command("verify")))
	}
	if c.Unreadable > 0 {
		words += fmt.Sprintf(", %s could not be read", thousands(c.Unreadable))
	}
	return words
}
