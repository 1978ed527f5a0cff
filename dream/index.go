package dream

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"dormouse/claim/token"
	"dormouse/draft"
	"dormouse/note"
	"dormouse/store"
)

// An entry is a note that the index could show.
type entry struct {
	leaf  *leaf
	value float64
	line  string            // as it stands in a list, with its line break; what continued it included
	had   bool              // the index had it
	own   bool              // the index or a page had it
	key   string            // of its place on a page
	words map[string]string // what its topics could be: stems, and their forms
}

// lists makes the index and its pages: as much of the index as there is stays, and
// what it shows is chosen where not all of it fits.
func (d *desk) lists() []File {
	index := d.in.Lists[store.IndexName]
	shown := d.shown()
	if index == nil && len(shown) == 0 && len(d.in.Lists) == 0 {
		return nil
	}
	stripped, lines := d.strip(index, shown)
	entries := d.entries(index, shown, lines)
	to := d.aim(stripped)
	for fit := len(entries); ; fit-- {
		if fit == len(entries) {
			if text, ok := d.assemble(to, stripped, index, shown, entries, nil); ok {
				return []File{{Rel: store.IndexName, Bytes: text, List: true}}
			}
			fit = min(fit, d.guess(to, stripped, entries)+guessed)
		}
		pages := d.pages(entries[max(fit, 0):])
		text, ok := d.assemble(to, stripped, index, shown, entries[:max(fit, 0)], pages)
		if ok || fit <= 0 {
			if !ok {
				// No page helps where somebody's own text is too long already.
				all, _ := d.assemble(anySize(), stripped, index, shown, entries, nil)
				if !smaller(d.measure(text), d.measure(all)) {
					return []File{{Rel: store.IndexName, Bytes: all, List: true}}
				}
			}
			files := []File{{Rel: store.IndexName, Bytes: text, List: true}}
			for _, p := range pages {
				files = append(files, File{Rel: p.rel, Bytes: []byte(p.text), List: true})
			}
			return files
		}
	}
}

// shown are the notes that lists name: those that a session may be told of, and
// of those that wait for a review the ones that have a line already. To take such
// a line out is not the dream's part.
func (d *desk) shown() map[string]*leaf {
	had := map[string]bool{}
	for _, list := range d.in.Lists {
		for _, part := range parts(list) {
			for rel := range note.ReadIndex(part).Lines() {
				had[rel] = true
			}
		}
	}
	out := map[string]*leaf{}
	for _, l := range d.leaves {
		if !l.out && (l.held == "" || had[l.rel] && (l.soft || d.in.KeepHeld)) {
			out[l.rel] = l
		}
	}
	return out
}

// strip takes the lines of all notes out of the index, and of pages, and returns
// what is left and the lines by note. The lines of notes that are not shown go;
// what they said is kept in the archive.
func (d *desk) strip(index []byte, shown map[string]*leaf) (rest []byte, lines map[string]string) {
	lines = map[string]string{}
	ours := map[string]bool{}
	for _, l := range d.leaves {
		ours[l.rel] = true
	}
	var gone []string
	take := func(list []byte, into bool) []byte {
		var out []byte
		at := 0
		for _, l := range note.ReadIndex(list).Listed() {
			if !l.Stands || len(l.Files) > 1 || l.Start < at {
				continue
			}
			text := string(list[l.Start:l.Rest])
			switch _, ok := shown[l.Files[0]]; {
			case ok && lines[l.Files[0]] == "":
				lines[l.Files[0]] = strings.TrimRight(text, "\r\n") + "\n"
			case ok:
				continue // named twice: the second stays where it is
			case !into || store.IsPage(l.Files[0], d.in.Lists[l.Files[0]]):
			case !ours[l.Files[0]]:
				continue // it leads to what is no note, or to nothing: not the dream's to judge
			default:
				gone = append(gone, strings.TrimSpace(text))
			}
			out = append(out, list[at:l.Start]...)
			at = l.Rest
		}
		return append(out, list[at:]...)
	}
	for _, part := range parts(index) {
		rest = append(rest, take(part, true)...)
	}
	for _, rel := range sortedKeys(d.in.Lists) {
		if rel != store.IndexName {
			take(d.in.Lists[rel], false)
		}
	}
	d.goneLines = gone
	return rest, lines
}

func sortedKeys(m map[string][]byte) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// entries are the notes that are shown, the most valuable first.
func (d *desk) entries(index []byte, shown map[string]*leaf, lines map[string]string) []entry {
	newest := time.Time{}
	links := map[string]int{}
	for _, l := range d.leaves {
		if _, ok := shown[l.rel]; !ok {
			continue
		}
		if l.last().After(newest) {
			newest = l.last()
		}
		for _, k := range l.note.Links() {
			links[k.File]++
			if k.Wiki {
				links[strings.TrimSuffix(k.Target, ".md")+".md"]++
			}
		}
	}
	had := map[string]int{}
	for _, part := range parts(index) {
		maps.Copy(had, note.ReadIndex(part).Lines())
	}
	var out []entry
	for _, l := range d.leaves {
		if shown[l.rel] != l {
			continue
		}
		e := entry{leaf: l, line: d.fresh(l, lines[l.rel]), value: worth(l, newest, links[l.rel])}
		_, listed := had[l.rel]
		e.had = listed && lines[l.rel] != ""
		e.own = lines[l.rel] != ""
		// What is no item of a list is one only where it stands.
		if e.line == "" || !e.had && token.MarkLen(strings.TrimLeft(e.line, " \t")) == 0 {
			e.line, e.own = d.formatted(l), false
		}
		e.key, e.words = strings.ToLower(e.line), topicWords(l)
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(b.value, a.value) })
	return out
}

// worth is what it is worth to see a note at once: what it costs to miss it, whose
// word it is, how old it is for its kind, and how many notes lead to it.
func worth(l *leaf, newest time.Time, links int) float64 {
	if l.pinned() {
		return math.MaxFloat64
	}
	w, half := 0.6, 90.0 // days until it is worth half
	switch l.note.Type() {
	case "feedback":
		w, half = 1, 0
	case "user":
		w, half = 0.95, 0
	case "project":
		w, half = 0.7, 45
	case "reference":
		w, half = 0.5, 180
	}
	w *= [...]float64{0.5, 0.9, 1}[tier(l.origin)]
	if half > 0 {
		days := newest.Sub(l.last()).Hours() / 24
		w *= 0.3 + 0.7*math.Exp2(-max(0, days)/half)
	}
	return w * (1 + 0.1*math.Log1p(float64(links)))
}

// fresh is the line that a note had, with the description of today if it said that
// of before.
func (d *desk) fresh(l *leaf, line string) string {
	if line == "" {
		return ""
	}
	was := ""
	for _, f := range l.fields {
		if f.Field == "description" && f.Now != "" {
			was = f.Claim
		}
	}
	if was == "" {
		return line
	}
	for _, li := range note.ReadIndex([]byte(line)).Listed() {
		start, cutOff := strings.CutSuffix(strings.TrimSpace(li.Hook), "…")
		old := oneLine(was)
		if li.Hook != old && (!cutOff || !strings.HasPrefix(old, strings.TrimSpace(start))) {
			return line // somebody wrote a line of their own
		}
		if b, err := note.ReadIndex([]byte(line)).SetHook(l.rel, d.asLine(l).Hook); err == nil {
			return string(b)
		}
	}
	return line
}

func (d *desk) asLine(l *leaf) note.Line {
	line := l.note.Line(l.rel)
	line.Section = l.note.Type()
	if !strings.ContainsFunc(line.Hook, letterOrDigit) { // a line of dashes is no hook
		line.Hook = ""
	}
	if d.in.Line != nil {
		line = d.in.Line(line)
	}
	return line
}

// formatted is a new line for a note.
func (d *desk) formatted(l *leaf) string {
	b, err := note.ReadIndex(nil).Insert(d.asLine(l))
	if err != nil {
		return fmt.Sprintf("- [%s](%s)\n", strings.NewReplacer("[", "", "]", "").Replace(slugOf(l)), l.rel)
	}
	return string(b)
}

// guessed is by how much a guess may be short: what fits is tried from above, so
// that it does not depend on where the guess came from.
const guessed = 16

// guess is about how many entries fit.
func (d *desk) guess(to store.IndexSize, stripped []byte, entries []entry) int {
	lines, units := to.Lines, to.Units
	size := d.measure(stripped)
	lines -= size.Lines + pageLines(len(entries))
	units -= size.Units + pageLines(len(entries))*note.LineUnits
	n := 0
	for _, e := range entries {
		lines -= strings.Count(e.line, "\n")
		units -= note.Units(e.line)
		if lines < 0 || units < 0 {
			break
		}
		n++
	}
	return n
}

// assemble puts the lines into what is left of the index: those that it had stay
// where they were. ok is false where it is over its size.
func (d *desk) assemble(to store.IndexSize, stripped, index []byte, shown map[string]*leaf, entries []entry, pages []page) ([]byte, bool) {
	keep := map[string]string{}
	for _, e := range entries {
		if e.had {
			keep[e.leaf.rel] = e.line
		}
	}
	out := d.kept(index, keep, shown)
	if len(entries) > 0 && len(keep) == 0 && len(out) == 0 {
		out = stripped
	}
	for _, e := range entries {
		if e.had {
			continue
		}
		if d.measure(out).Units > to.Units || d.measure(out).Lines > to.Lines {
			return out, false
		}
		if e.own {
			out = append(endLine(out), e.line...)
			continue
		}
		if b, err := note.ReadIndex(out).Insert(d.asLine(e.leaf)); err == nil {
			out = b
		} else {
			out = append(endLine(out), e.line...)
		}
	}
	for _, p := range pages {
		if b, err := note.ReadIndex(out).Insert(p.line); err == nil {
			out = b
		}
	}
	out = onTop(out, entries, pages)
	size := d.measure(out)
	return out, size.Lines <= to.Lines && size.Units <= to.Units
}

// onTop puts the lines above the text that could not be put into it: below open
// code or front matter that never ends no line is one.
func onTop(index []byte, entries []entry, pages []page) []byte {
	have := note.ReadIndex(index).Lines()
	var top []byte
	for _, e := range entries {
		if _, ok := have[e.leaf.rel]; !ok {
			top = append(top, e.line...)
		}
	}
	for _, p := range pages {
		if _, ok := have[p.rel]; !ok {
			top = append(top, "- ["+p.line.Title+"]("+p.rel+")\n"...)
		}
	}
	if len(top) == 0 {
		return index
	}
	return append(append(top, '\n'), index...)
}

func endLine(b []byte) []byte {
	if len(b) > 0 && b[len(b)-1] != '\n' {
		return append(slices.Clone(b), '\n')
	}
	return slices.Clone(b)
}

// kept is the index with the lines of the notes that stay in it, each as it is to
// be, and all that is no line of a note.
func (d *desk) kept(index []byte, keep map[string]string, shown map[string]*leaf) []byte {
	var out []byte
	seen, ours := map[string]bool{}, map[string]bool{}
	for _, l := range d.leaves {
		ours[l.rel] = true
	}
	for rel := range d.in.Lists {
		ours[rel] = true
	}
	for _, part := range parts(index) {
		out = append(out, keptOf(part, keep, seen, shown, ours)...)
	}
	return out
}

// parts cuts an index that is larger than what is edited at the ends of lines.
func parts(index []byte) [][]byte {
	var out [][]byte
	for len(index) > note.MaxBytes {
		at := bytes.LastIndexByte(index[:note.MaxBytes/2], '\n') + 1
		if at == 0 {
			at = note.MaxBytes / 2
		}
		out = append(out, index[:at])
		index = index[at:]
	}
	return append(out, index)
}

func keptOf(index []byte, keep map[string]string, seen map[string]bool, shown map[string]*leaf, ours map[string]bool) []byte {
	var out []byte
	at := 0
	for _, l := range note.ReadIndex(index).Listed() {
		if !l.Stands || len(l.Files) > 1 || l.Start < at {
			continue
		}
		rel := l.Files[0]
		line, ok := keep[rel]
		if shown[rel] != nil && seen[rel] || !ours[rel] {
			continue
		}
		seen[rel] = true
		out = append(out, index[at:l.Start]...)
		at = l.Rest
		if ok {
			if strings.TrimRight(string(index[l.Start:l.Rest]), "\r\n") == strings.TrimRight(line, "\n") {
				out = append(out, index[l.Start:l.Rest]...)
				continue
			}
			out = append(out, line...)
		}
	}
	return append(out, index[at:]...)
}

// A page lists the notes of one topic.
type page struct {
	rel, text string
	line      note.Line
}

const (
	perPage  = 120 // notes that a page is made for
	maxPages = 100
	fewNotes = 3 // that share a topic of their own
)

// pageLines is about how many pages so many notes need.
func pageLines(notes int) int { return min(maxPages, 12+notes/perPage) }

// pages lists notes by what most of them are about.
func (d *desk) pages(rest []entry) []page {
	var out []page
	taken := map[string]bool{}
	for _, l := range d.leaves {
		taken[l.rel] = true
	}
	per := max(perPage, len(rest)/(maxPages-20)+1)
	for _, g := range topics(rest, per) {
		for part := 0; part*per < len(g.entries); part++ {
			title := g.topic
			if len(g.entries) > per {
				title += " " + itoa(part+1)
			}
			slug := draft.Slug(title)
			rel, head := store.TopicPage(slug, title)
			for i := 2; taken[rel]; i++ {
				rel, head = store.TopicPage(slug+"-"+itoa(i), title)
			}
			taken[rel] = true
			es := g.entries[part*per : min(len(g.entries), (part+1)*per)]
			var b strings.Builder
			b.WriteString(head)
			for _, e := range es {
				if token.MarkLen(strings.TrimLeft(e.line, " \t")) == 0 {
					e.line = d.formatted(e.leaf)
				}
				b.WriteString(e.line)
			}
			out = append(out, page{rel, b.String(), note.Line{File: rel, Title: "More notes: " + title, Hook: count(len(es)) + " on " + title + "; look there when nothing here fits"}})
		}
	}
	return out
}

func count(n int) string {
	if n == 1 {
		return "1 note"
	}
	return itoa(n) + " notes"
}

// A group is entries on one topic.
type group struct {
	topic   string
	entries []entry
}

// topics groups entries by the words that most of them share, and the rest by
// type. Within a group the order is that of their titles.
func topics(rest []entry, per int) []group {
	words := make([]map[string]string, len(rest)) // stem to form
	for i, e := range rest {
		words[i] = e.words
	}
	left := make([]bool, len(rest))
	for i := range left {
		left[i] = true
	}
	var out []group
	for len(out) < 12 {
		stem, form := mostShared(words, left, per)
		if stem == "" {
			break
		}
		g := group{topic: form}
		for i, e := range rest {
			if left[i] && words[i][stem] != "" {
				left[i] = false
				g.entries = append(g.entries, e)
			}
		}
		out = append(out, g)
	}
	byType := map[string]*group{}
	for i, e := range rest {
		if !left[i] {
			continue
		}
		typ := cmp.Or(e.leaf.note.Type(), "other")
		if strings.ContainsAny(typ, "[]()\n") || len(typ) > 20 {
			typ = "other"
		}
		if byType[typ] == nil {
			byType[typ] = &group{topic: typ}
		}
		byType[typ].entries = append(byType[typ].entries, e)
	}
	types := make([]string, 0, len(byType))
	for t := range byType {
		types = append(types, t)
	}
	slices.Sort(types)
	for _, t := range types {
		out = append(out, *byType[t])
	}
	for i := range out {
		slices.SortStableFunc(out[i].entries, func(a, b entry) int {
			return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.leaf.rel, b.leaf.rel))
		})
	}
	return out
}

// mostShared is the word that most of the entries that are left share, as long as
// those fit on one page; of equals the first in the alphabet.
func mostShared(words []map[string]string, left []bool, per int) (stem, form string) {
	n := map[string]int{}
	forms := map[string]map[string]int{}
	for i, w := range words {
		if !left[i] {
			continue
		}
		for s, f := range w {
			n[s]++
			if forms[s] == nil {
				forms[s] = map[string]int{}
			}
			forms[s][f]++
		}
	}
	for s, k := range n {
		if k < fewNotes || k > per {
			continue
		}
		if stem == "" || k > n[stem] || k == n[stem] && s < stem {
			stem = s
		}
	}
	for f, k := range forms[stem] {
		if form == "" || k > forms[stem][form] || k == forms[stem][form] && f < form {
			form = f
		}
	}
	return stem, form
}

// topicWords are the words of a note's name and description that name something.
func topicWords(l *leaf) map[string]string {
	out := map[string]string{}
	text := strings.NewReplacer("-", " ", "_", " ").Replace(l.note.Name()) + " " + l.note.Description()
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !letterOrDigit(r) }) {
		if r := []rune(w); len(r) >= 4 && !draft.Grammatical(w) && strings.IndexFunc(w, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
			out[claimStem(w)] = w
		}
	}
	return out
}
