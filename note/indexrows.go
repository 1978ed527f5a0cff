package note

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/frontmatter"
)

// Index is an index, MEMORY.md, that is to be edited. Its methods return a new
// text and leave the Index as it was.
type Index struct {
	raw    []byte
	text   string // with a line break at its end
	added  string // the line break that the file does not have
	rows   []row
	frozen string // why it can't be edited, "" if it can
}

// row is one line of an index. Most lines of a hostile one are nothing, so what
// only some lines have stands elsewhere.
type row struct {
	mdLine
	indent int // in columns
	level  int // of a heading, 1 to 6; 0: none
	*names     // nil in a line that names no note
}

// names is a line that links to notes.
type names struct {
	files []string
	entry bool // the line stands for the first of them
	table bool // it is a row of a table
	form  form // how it is written; of an entry that is no table row
	hook  span // in the text
	sep   int  // where the text between link and hook begins
}

// isEntry reports whether the line stands for a note.
func (r row) isEntry() bool { return r.names != nil && r.entry }

// form is the way an index line is written around title and hook.
type form struct {
	indent string
	mark   string // the list marker with the blanks behind it
	lead   string // signs before the link, such as **
	kind   linkKind
	sep    string // between link, or its closing signs, and hook; "" where there is no hook
	known  bool   // the link is the first thing in the line
}

// linkKind is what a line shows for its note.
type linkKind uint8

const (
	byTitle linkKind = iota // [Title](file.md)
	byFile                  // [file.md](file.md)
	byStem                  // [file](file.md), as the client's own index has it
	byWiki                  // [[file]]
	byAlias                 // [[file|Title]]
)

// ReadIndex reads an index to edit it. It keeps b, which must not be changed.
func ReadIndex(b []byte) *Index {
	x := &Index{raw: b}
	switch {
	case len(b) > MaxBytes:
		x.frozen = "the index is larger than 1 MiB"
		return x
	case bytes.IndexByte(b, 0) >= 0 || bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")):
		x.frozen = "the index is not a text in UTF-8"
		return x
	}
	x.text = string(b)
	base := bomLen(x.text)
	if len(x.text) > base && !strings.HasSuffix(x.text, "\n") {
		x.added = documentBreak(x.text)
		x.text += x.added
	}
	front := 0
	if block, ok := frontmatter.Split(x.text[base:]); ok {
		front = lineEnd(x.text, base+block.Offset+len(block.Front))
	}
	for _, l := range mdLines(x.text[base:]) {
		l.start, l.end = l.start+base, l.end+base
		if l.start < front {
			l.kind = commentLine
		}
		x.rows = append(x.rows, x.row(l))
	}
	return x
}

func (x *Index) row(l mdLine) row {
	r := row{mdLine: l}
	line := strings.TrimRight(x.text[l.start:l.end], " \t\r\n")
	at := blanks(line)
	r.indent = columns(line[:at])
	if l.kind == blankLine || l.kind == fencedLine || l.kind == commentLine {
		return r
	}
	if r.level, _ = heading(line[at:]); r.level > 0 {
		return r
	}
	for _, f := range findLinks(line, false) {
		switch {
		case f.file == "":
		case r.names == nil:
			r.names = &names{files: []string{f.file}}
			r.read(line, at, f)
		default:
			r.files = append(r.files, f.file)
		}
	}
	if r.names != nil && r.table {
		r.entry = len(r.files) == 1
	}
	return r
}

// heading reads a heading of # signs.
func heading(s string) (int, string) {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0, ""
	}
	return n, strings.Trim(s[n:], " \t#")
}

// read sorts out a line that names a note; at is where its indentation ends.
func (r *row) read(line string, at int, first foundLink) {
	size := bullet(line[at:])
	r.form.indent, r.form.mark = line[:at], line[at:at+size]
	begin := at + size
	lead := len(line[begin:]) - len(strings.TrimLeft(line[begin:], "*_"))
	r.form.known = begin+lead == first.start
	r.entry = size > 0 || r.form.known
	r.table = !r.entry && strings.HasPrefix(line[at:], "|")
	if !r.entry {
		return
	}
	if r.form.known {
		r.form.lead = line[begin:first.start]
	}
	r.form.kind = shown(line, first)
	behind := first.end + len(line[first.end:]) - len(strings.TrimPrefix(line[first.end:], reversed(r.form.lead)))
	sep := separator(line[behind:])
	r.sep = r.start + behind
	r.hook = span{r.start + behind + sep, r.start + len(line)}
	if behind+sep < len(line) {
		r.form.sep = line[behind : behind+sep]
	}
}

func reversed(s string) string {
	b := []byte(s)
	for i, k := 0, len(b)-1; i < k; i, k = i+1, k-1 {
		b[i], b[k] = b[k], b[i]
	}
	return string(b)
}

func shown(line string, f foundLink) linkKind {
	text := line[f.text.start:f.text.end]
	switch {
	case f.wiki && f.text != f.target:
		return byAlias
	case f.wiki:
		return byWiki
	case text == f.file || text == path.Base(f.file):
		return byFile
	case text == stem(f.file):
		return byStem
	}
	return byTitle
}

func stem(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }

// separator returns the length of what stands between a link and its hook.
func separator(s string) int {
	n := blanks(s)
	for _, sign := range []string{"—", "–", "--", "-", "→", "=>", "·", ":", "|"} {
		if rest, ok := strings.CutPrefix(s[n:], sign); ok {
			return n + len(sign) + blanks(rest)
		}
	}
	return n
}

// continued returns the index behind the lines that belong to the item in row i:
// those indented by more than indent, and blank ones between them. With stop
// set, a line that stands for a note ends them.
func (x *Index) continued(i, indent int, stop bool) int {
	end := i + 1
	for k := i + 1; k < len(x.rows); k++ {
		r := x.rows[k]
		switch {
		case r.kind == blankLine:
			continue
		case r.indent <= indent || r.kind == commentLine || r.level > 0 || stop && r.isEntry():
			return end
		}
		end = k + 1
	}
	return end
}

// find returns the rows that stand for the file.
func (x *Index) find(file string) []int {
	var out []int
	for i, r := range x.rows {
		if r.isEntry() && r.files[0] == file {
			out = append(out, i)
		}
	}
	return out
}

// Mentions returns the 1-based lines that link to the file.
func (x *Index) Mentions(file string) []int {
	file = path.Clean(file)
	var out []int
	for i, r := range x.rows {
		if r.names != nil && slices.Contains(r.files, file) {
			out = append(out, i+1)
		}
	}
	return out
}

// Has reports whether a line of the index stands for the file.
func (x *Index) Has(file string) bool { return len(x.find(path.Clean(file))) > 0 }

// goodFile reports whether a path can stand in an index: within the folder, UTF-8,
// no control characters.
func goodFile(file string) bool {
	return file != "" && file != "." && file != ".." && file == path.Clean(file) && !strings.HasPrefix(file, "../") &&
		file[0] != '/' && utf8.ValidString(file) && !strings.ContainsFunc(file, unprintable)
}
