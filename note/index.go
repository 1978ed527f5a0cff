package note

import "strings"

// Entry is one line of an index that is not blank.
type Entry struct {
	Line  int      // 1-based
	Text  string   // the line, white space around it removed
	Files []string // files it links to: slash paths relative to the index, cleaned; "../…" leads out

	// Start and End are the line's place in the text, in bytes, with its line break.
	Start, End int
}

// ParseIndex splits an index into its lines and finds the notes each names, by
// Markdown links ("[Title](file.md) — hook", "[file.md](file.md): hook") and
// by wiki links ("[[name]]"). Links with a scheme or to a heading are not files.
// A byte order mark in front is no text.
func ParseIndex(text string) []Entry {
	out := make([]Entry, 0, min(1024, strings.Count(text, "\n")+1)) // blank lines by the million are no entries
	n, at := 0, bomLen(text)
	for line := range strings.Lines(text[at:]) {
		n++
		if t := strings.TrimSpace(line); t != "" {
			out = append(out, Entry{Line: n, Text: t, Files: files(t), Start: at, End: at + len(line)})
		}
		at += len(line)
	}
	return out
}

func files(line string) []string {
	var out []string
	eachLink(line, false, func(f foundLink) {
		if f.file != "" {
			out = append(out, f.file)
		}
	})
	return out
}
