package note

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Errors of index edits; each comes wrapped with what it is about. ErrLocked,
// ErrValue and ErrEntangled are returned too.
var (
	// ErrListed is returned when a note that is to be put in is there already.
	ErrListed = errors.New("is in the index already")
	// ErrNotListed is returned where no line of the index stands for a note.
	ErrNotListed = errors.New("has no line in the index")
	// ErrShared is returned when a line to be removed is also the only one to
	// name another note.
	ErrShared = errors.New("shares its line with another note")
)

// Insert returns the index with a line for a note: behind the last line of the
// list under a heading that has l.Section among its words (singular or plural),
// or else of the last list, or else at the end. It is written as the lines there
// are (list marker, title or file name, sign before the hook, line break) and
// clipped to LineUnits. Title and hook become one line each and lose what would
// be a link.
//
// Removing the line again gives the bytes of before. Errors wrap ErrListed,
// ErrLocked, ErrValue or ErrEntangled.
func (x *Index) Insert(l Line) ([]byte, error) {
	if err := x.editable(&l.File); err != nil {
		return nil, err
	}
	if x.Has(l.File) {
		return nil, fmt.Errorf("%s %w", l.File, ErrListed)
	}
	for _, s := range x.spots(l.Section) {
		f := x.formAt(s.from, s.to, s.indent)
		at, nl := x.offset(s.at), x.breakAt(s.at)
		out := ReadIndex(x.bytes(x.text[:at] + f.write(l) + nl + x.text[at:]))
		if x.grewBy(out, l.File) {
			return out.raw, nil
		}
	}
	return nil, fmt.Errorf("no line for %s: %w", l.File, ErrEntangled)
}

// grewBy reports whether out is x with a line for the file and nothing else, so
// that removing it gives x again.
func (x *Index) grewBy(out *Index, file string) bool {
	got := out.find(file)
	if len(got) != 1 || len(out.rows[got[0]].files) != 1 || out.entries() != x.entries()+1 {
		return false
	}
	back, err := out.Remove(file)
	return err == nil && bytes.Equal(back, x.raw)
}

func (x *Index) editable(file *string) error {
	if x.frozen != "" {
		return fmt.Errorf("%s: %w", x.frozen, ErrLocked)
	}
	*file = path.Clean(*file)
	if !goodFile(*file) {
		return fmt.Errorf("the path %q: %w", *file, ErrValue)
	}
	return nil
}

// bytes is a text as the file's content: without the line break that was added.
func (x *Index) bytes(text string) []byte {
	return []byte(strings.TrimSuffix(text, x.added))
}

func (x *Index) entries() int {
	n := 0
	for _, r := range x.rows {
		if r.isEntry() {
			n++
		}
	}
	return n
}

// spot is where a line can go: before row at, in the form of the entries in the
// rows from one to another.
type spot struct{ at, indent, from, to int }

// spots lists where a new line can go, the best first.
func (x *Index) spots(section string) []spot {
	var out []spot
	bare := -1 // a heading without a list
	title := x.title()
	for i, r := range x.rows {
		if r.level == 0 || section == "" || !about(x.text[r.start:r.end], section) {
			continue
		}
		end := x.sectionEnd(i)
		if s, ok := x.listEnd(i, end); ok {
			return append(out, s)
		}
		if bare < 0 && i != title {
			bare = i
		}
	}
	if bare >= 0 {
		end := x.sectionEnd(bare)
		for end > bare+1 && x.rows[end-1].kind == blankLine {
			end--
		}
		out = append(out, spot{end, 0, bare, end})
	}
	if s, ok := x.listEnd(0, len(x.rows)); ok {
		out = append(out, s)
	}
	end := len(x.rows)
	out = append(out, spot{end, 0, 0, end})
	// What is open at the end of the text swallows a line behind it.
	for end > 0 && (x.rows[end-1].kind == fencedLine || x.rows[end-1].kind == commentLine || x.rows[end-1].kind == blankLine) {
		end--
	}
	return append(out, spot{end, 0, 0, end})
}

// title returns the row of the first heading, if it is the only one of its
// level 1; -1 else. It names the index, not a section.
func (x *Index) title() int {
	first := -1
	for i, r := range x.rows {
		switch {
		case r.level == 1 && first < 0:
			first = i
		case r.level == 1, r.level > 1 && first < 0:
			return -1
		}
	}
	return first
}

// sectionEnd returns the row of the heading that follows row i.
func (x *Index) sectionEnd(i int) int {
	for k := i + 1; k < len(x.rows); k++ {
		if x.rows[k].level > 0 {
			return k
		}
	}
	return len(x.rows)
}

// listEnd is the spot behind the last entry of the rows from one to another, at
// the least indentation that they have.
func (x *Index) listEnd(from, to int) (spot, bool) {
	last, indent := -1, 0
	for i := from; i < to; i++ {
		if r := x.rows[i]; r.isEntry() && !r.table {
			if last < 0 || r.indent < indent {
				indent = r.indent
			}
			last = i
		}
	}
	if last < 0 {
		return spot{}, false
	}
	// The form is that of the list's own section.
	for i := last; i > from; i-- {
		if x.rows[i].level > 0 {
			if s, ok := x.listEnd(i, to); ok {
				return s, true
			}
		}
	}
	return spot{x.continued(last, indent, false), indent, from, to}, true
}

// about reports whether a heading has the section's name among its words, in the
// singular or the plural.
func about(heading, section string) bool {
	section = strings.TrimSuffix(strings.ToLower(section), "s")
	for _, word := range strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return r < 0x80 && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if section != "" && strings.TrimSuffix(word, "s") == section {
			return true
		}
	}
	return false
}

func (x *Index) offset(i int) int {
	if i < len(x.rows) {
		return x.rows[i].start
	}
	return len(x.text)
}

// breakAt is the line break for a new line before row i.
func (x *Index) breakAt(i int) string {
	if i > 0 {
		return lineBreak(x.text[x.rows[i-1].start:x.rows[i-1].end])
	}
	return documentBreak(x.text)
}

// Remove returns the index without the lines that stand for the files, each with
// the lines that continue it. Lines that only mention them stay, see
// [Index.Mentions]. Errors wrap ErrLocked, ErrValue, ErrNotListed or ErrShared.
func (x *Index) Remove(files ...string) ([]byte, error) {
	gone := map[string]bool{}
	cut := map[int]int{} // row to the row behind it
	for _, file := range files {
		if err := x.editable(&file); err != nil {
			return nil, err
		}
		gone[file] = true
		for _, i := range x.find(file) {
			cut[i] = x.continued(i, x.rows[i].indent, true)
		}
	}
	if err := x.removable(gone, cut); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(x.text[:bomLen(x.text)])
	for i := 0; i < len(x.rows); i++ {
		if end, ok := cut[i]; ok {
			i = end - 1
			continue
		}
		b.WriteString(x.text[x.rows[i].start:x.rows[i].end])
	}
	return x.bytes(b.String()), nil
}

// removable checks that each file has a line among those cut, and that no other
// note loses its only one.
func (x *Index) removable(gone map[string]bool, cut map[int]int) error {
	stands, named := map[string]bool{}, map[string]bool{}
	for i, r := range x.rows {
		if r.isEntry() {
			stands[r.files[0]] = true
			if _, ok := cut[i]; ok {
				for _, f := range r.files {
					named[f] = true
				}
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(gone)) {
		if !named[file] {
			return x.notListed(file)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(cut)) {
		for _, f := range x.rows[i].files {
			if !gone[f] && !stands[f] {
				return fmt.Errorf("%s, line %d, with %s: %w", x.rows[i].files[0], i+1, f, ErrShared)
			}
		}
	}
	return nil
}

func (x *Index) notListed(file string) error {
	if lines := x.Mentions(file); len(lines) > 0 {
		return fmt.Errorf("%s is only mentioned (line %d): it %w", file, lines[0], ErrNotListed)
	}
	return fmt.Errorf("%s %w", file, ErrNotListed)
}

// one returns the first row that stands for the file.
func (x *Index) one(file *string) (int, error) {
	if err := x.editable(file); err != nil {
		return 0, err
	}
	found := x.find(*file)
	if len(found) == 0 {
		return 0, x.notListed(*file)
	}
	return found[0], nil
}

// SetHook returns the index with another hook in the line of a note; "" leaves
// only the link. The line is clipped to LineUnits, and lines that continued the
// old hook go. Errors wrap ErrLocked, ErrNotListed or ErrEntangled.
func (x *Index) SetHook(file, hook string) ([]byte, error) {
	i, err := x.one(&file)
	if err != nil {
		return nil, err
	}
	r := x.rows[i]
	if r.table {
		return nil, fmt.Errorf("%s, line %d, stands in a table: %w", file, i+1, ErrEntangled)
	}
	line := x.text[r.start:r.end]
	hook = defused(hook)
	if hook == x.text[r.hook.start:r.hook.end] && x.hookEnd(i) == i+1 {
		return x.raw, nil
	}
	start, end := r.hook.start, r.hook.end
	sep := ""
	switch {
	case hook == "":
		start = r.sep
	case r.form.sep == "":
		start = r.sep
		sep = x.formAt(0, i, r.indent).sep
	}
	if hook != "" && !parted(x.text[r.sep:start]+sep, hook) {
		start, sep = r.sep, plainSep
	}
	if room := LineUnits - Units(x.text[r.start:start]+sep); hook != "" && room > 0 {
		hook = sep + Clip(hook, room)
	} else if hook != "" {
		return nil, fmt.Errorf("%s, line %d, has no room for a hook: %w", file, i+1, ErrEntangled)
	}
	behind := x.text[end : r.start+len(line)]
	if k := x.hookEnd(i); k > i+1 {
		end, behind = x.rows[k-1].end, lineBreak(line)
	} else {
		end = r.end
	}
	out := ReadIndex(x.bytes(x.text[:start] + hook + behind + x.text[end:]))
	if len(out.find(file)) != len(x.find(file)) || out.entries() != x.entries() {
		return nil, fmt.Errorf("%s, line %d: %w", file, i+1, ErrEntangled)
	}
	return out.raw, nil
}

// hookEnd returns the row behind the lines of text that go on with the hook of
// row i.
func (x *Index) hookEnd(i int) int {
	k := i + 1
	for ; k < len(x.rows); k++ {
		r := x.rows[k]
		line := x.text[r.start:r.end]
		if r.kind != textLine || r.indent <= x.rows[i].indent || r.isEntry() || bullet(line[blanks(line):]) > 0 || strings.Trim(line, " \t\r\n") == "" {
			break
		}
	}
	return k
}

// Retarget returns the index with every link to a note, in its own line and in
// others, led to another file. A title that was the file's name changes with it.
// Errors wrap ErrLocked, ErrNotListed, ErrValue, ErrListed or ErrEntangled.
func (x *Index) Retarget(file, to string) ([]byte, error) {
	if _, err := x.one(&file); err != nil {
		return nil, err
	}
	if err := x.editable(&to); err != nil {
		return nil, err
	}
	if file != to && x.Has(to) {
		return nil, fmt.Errorf("%s %w", to, ErrListed)
	}
	var b strings.Builder
	at := 0
	for _, r := range x.rows {
		if r.names == nil || !slices.Contains(r.files, file) {
			continue
		}
		line := strings.TrimRight(x.text[r.start:r.end], " \t\r\n")
		for _, f := range findLinks(line, false) {
			if f.file != file {
				continue
			}
			for _, e := range retarget(line, f, to) {
				b.WriteString(x.text[at:r.start+e.start] + e.text)
				at = r.start + e.end
			}
		}
	}
	b.WriteString(x.text[at:])
	out := ReadIndex(x.bytes(b.String()))
	if len(out.find(to)) != len(x.find(file)) || len(out.Mentions(to)) != len(x.Mentions(file)) || len(out.Mentions(file)) > 0 && file != to {
		return nil, fmt.Errorf("%s: %w", file, ErrEntangled)
	}
	return out.raw, nil
}

// retarget returns the edits in a line that lead a link elsewhere.
func retarget(line string, f foundLink, to string) []edit {
	text := line[f.text.start:f.text.end]
	if f.wiki {
		if line[f.target.start:f.target.end] != f.file {
			to = strings.TrimSuffix(to, ".md")
		}
		return []edit{{f.target.start, f.target.end, to}}
	}
	var out []edit
	switch {
	case f.text.end == f.text.start:
	case text == f.file:
		out = append(out, edit{f.text.start, f.text.end, to})
	case text == path.Base(f.file):
		out = append(out, edit{f.text.start, f.text.end, path.Base(to)})
	case text == stem(f.file):
		out = append(out, edit{f.text.start, f.text.end, stem(to)})
	}
	return append(out, edit{f.target.start, f.target.end, encoded(to)})
}

// Move returns the index with the line of a note, and those that continue it,
// moved before the line of another; before "" it goes to the end of the last
// list. Errors wrap ErrLocked or ErrNotListed.
func (x *Index) Move(file, before string) ([]byte, error) {
	i, err := x.one(&file)
	if err != nil {
		return nil, err
	}
	end := x.continued(i, x.rows[i].indent, true)
	to := len(x.rows)
	if before != "" {
		if to, err = x.one(&before); err != nil {
			return nil, err
		}
	} else if s, ok := x.listEnd(0, len(x.rows)); ok {
		to = s.at
	}
	if to >= i && to <= end {
		return x.raw, nil
	}
	from, behind, at := x.offset(i), x.offset(end), x.offset(to)
	block := x.text[from:behind]
	if at < from {
		return x.bytes(x.text[:at] + block + x.text[at:from] + x.text[behind:]), nil
	}
	return x.bytes(x.text[:from] + x.text[behind:at] + block + x.text[at:]), nil
}
