package note

import "strings"

// Listed is a line of an index that names notes, with the lines that continue it.
type Listed struct {
	Files  []string // slash paths relative to the index, cleaned; the line stands for the first one if Stands is set
	Stands bool     // the line is the note's own, and not a text that mentions it
	Line   int      // 1-based
	Text   string   // the line without white space around it
	Hook   string   // what stands behind the link; "" in a row of a table

	// Start and End are the place of the line in the file, in bytes, without its
	// line break; Rest is where the lines end that continue it, their line breaks
	// included.
	Start, End, Rest int
}

// Listed returns the lines that name notes, in order. Lines in code and comments
// name none.
func (x *Index) Listed() []Listed {
	var out []Listed
	for i, r := range x.rows {
		if r.names == nil {
			continue
		}
		l := Listed{Files: r.files, Stands: r.entry, Line: i + 1, Start: r.start}
		raw := x.text[r.start:r.end]
		l.End = min(r.start+len(raw)-len(lineBreak(raw)), len(x.raw))
		l.Text = strings.TrimSpace(x.text[l.Start:l.End])
		if r.entry && !r.table {
			l.Hook = x.text[r.hook.start:r.hook.end]
		}
		l.Rest = r.end
		if r.entry {
			l.Rest = x.rows[x.continued(i, r.indent, true)-1].end
		}
		l.Rest = min(l.Rest, len(x.raw))
		out = append(out, l)
	}
	return out
}

// Lines maps each note that a line names to that line, 1-based: the note's own
// line, or else the first that mentions it.
func (x *Index) Lines() map[string]int {
	out := make(map[string]int, len(x.rows))
	for i, r := range x.rows {
		if r.isEntry() {
			if _, ok := out[r.files[0]]; !ok {
				out[r.files[0]] = i + 1
			}
		}
	}
	for i, r := range x.rows {
		if r.names == nil {
			continue
		}
		for _, f := range r.files {
			if _, ok := out[f]; !ok {
				out[f] = i + 1
			}
		}
	}
	return out
}
