package note

import (
	"fmt"
	"strconv"
	"strings"
)

// LineUnits is the length of the longest line that is written into an index, in
// UTF-16 units, without its line break. The client's own index has lines as long
// (measured on 2.1.332).
const LineUnits = 150

// Line is what an index says of a note.
type Line struct {
	File    string // a slash path relative to the index
	Title   string // "": the file's name without its ending
	Hook    string // what it is about
	Section string // the heading it belongs under, such as the note's type; "" anywhere
}

// Line is the index line for the note in the file: its name (or first heading)
// and description (or first line of text), in the section of its type.
func (n *Note) Line(file string) Line {
	l := Line{File: file, Title: oneLine(n.Name()), Hook: oneLine(n.Description()), Section: n.Type()}
	if l.Title != "" && l.Hook != "" || n.frozen {
		return l
	}
	title, text := n.opening()
	if l.Title == "" {
		l.Title = title
	}
	if l.Hook == "" {
		l.Hook = text
	}
	return l
}

// opening returns the body's first heading and its first other line of text.
func (n *Note) opening() (title, text string) {
	const enough = 4096 // bytes, of which a line of an index shows few
	body := string(n.Body()[:min(len(n.Body()), enough)])
	for _, l := range mdLines(body) {
		line := oneLine(body[l.start:l.end])
		level, head := heading(line)
		switch {
		case l.kind != textLine && l.kind != indentedLine:
		case level > 0 && title == "":
			title = head
		case level == 0 && text == "":
			text = line[bullet(line):]
		}
	}
	return title, text
}

// write puts the line together; the hook is clipped so that it fits.
func (f form) write(l Line) string {
	title := strings.TrimRight(strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(l.Title)), `\`)
	if title == "" {
		title = stem(l.File)
	}
	hook := defused(l.Hook)
	before, after := f.indent+f.mark+f.lead+"[", "]("+encoded(l.File)+")"+reversed(f.lead)
	switch kind := f.kindFor(l.File); kind {
	case byFile, byStem:
		title = strings.NewReplacer("[", "(", "]", ")").Replace(l.File)
		if kind == byStem {
			title = stem(title)
		}
	case byWiki, byAlias:
		before, after = before+"[", "]]"+reversed(f.lead)
		name := strings.TrimSuffix(l.File, ".md")
		if kind == byAlias {
			before += name + "|"
		} else {
			title = name
		}
	default:
		title = Clip(title, max(1, LineUnits-Units(before+after)))
	}
	line := before + title + after
	sep := f.sep
	if !parted(sep, hook) {
		sep = plainSep
	}
	if room := LineUnits - Units(line+sep); hook != "" && room > 0 {
		line += sep + Clip(hook, room)
	}
	return line
}

// parted reports whether sep and hook are told apart again: not where the hook
// itself begins with a sign that parts.
func parted(sep, hook string) bool { return separator(sep+hook) == len(sep) }

// kindFor is the form's kind, if it can name the file.
func (f form) kindFor(file string) linkKind {
	if (f.kind == byWiki || f.kind == byAlias) && (!strings.HasSuffix(file, ".md") || strings.ContainsAny(file, "[]|#") || stem(file) != strings.TrimSpace(stem(file))) {
		return byTitle
	}
	return f.kind
}

// defused is text for a hook: one line that links to nothing, so that a line
// names its own note only.
func defused(s string) string {
	s = oneLine(s)
	for strings.Contains(s, "](") || strings.Contains(s, "[[") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "](", "] ("), "[[", "[ [")
	}
	return s
}

// encoded is a path as a link's target.
func encoded(file string) string {
	if !strings.ContainsAny(file, " ()<>%#:\\\"'") {
		return file
	}
	var b strings.Builder
	for i := range len(file) {
		if c := file[i]; strings.IndexByte(" ()<>%#:\\\"'", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// formIn is the form that most entries from row to row have; the list marker is
// that of the last at the indentation. ok is false where there is no entry.
func (x *Index) formIn(from, to, indent int) (f form, ok bool) {
	type look struct {
		lead string
		kind linkKind
	}
	looks, seps := map[look]int{}, map[string]int{}
	best := look{}
	for _, r := range x.rows[from:to] {
		if !r.isEntry() || r.table || !r.form.known {
			continue
		}
		ok = true
		l := look{r.form.lead, r.form.kind}
		if looks[l]++; looks[l] >= looks[best] {
			best = l
		}
		if r.form.sep != "" {
			if seps[r.form.sep]++; seps[r.form.sep] >= seps[f.sep] {
				f.sep = r.form.sep
			}
		}
		if r.indent == indent {
			f.indent, f.mark = r.form.indent, next(r.form.mark)
		}
	}
	f.lead, f.kind, f.known = best.lead, best.kind, true
	return f, ok
}

// next is the list marker that follows one: the next number, or the same sign.
func next(mark string) string {
	digits := len(mark) - len(strings.TrimLeft(mark, "0123456789"))
	if digits == 0 {
		return mark
	}
	n, err := strconv.Atoi(mark[:digits])
	if err != nil {
		return mark
	}
	return strconv.Itoa(n+1) + mark[digits:]
}

const (
	plainMark = "- "
	plainSep  = " — "
)

// formAt is the form of a new line among the rows from one to another: that of
// the entries there, or else of all, or else the client's.
func (x *Index) formAt(from, to, indent int) form {
	f, ok := x.formIn(from, to, indent)
	if !ok {
		if f, ok = x.formIn(0, len(x.rows), indent); !ok {
			f.mark = plainMark
		} else if f.mark != "" && f.mark[0] >= '0' && f.mark[0] <= '9' {
			f.mark = "1" + strings.TrimLeft(f.mark, "0123456789")
		}
	}
	if f.sep == "" {
		if all, _ := x.formIn(0, len(x.rows), indent); all.sep != "" {
			f.sep = all.sep
		} else {
			f.sep = plainSep
		}
	}
	return f
}
