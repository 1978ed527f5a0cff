package trust

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/instructions"
	"dormouse/note"
	"dormouse/store"
)

// Held is a note that may not load, a line of the index that may not, or a text
// that waits outside the folder.
type Held struct {
	Path string `json:"path"`
	// Title is one line of the note's own words, for a person's eyes only: a
	// program that reads it could be an agent.
	Title     string `json:"-"`
	Hash      string `json:"hash"`
	IndexLine int    `json:"index_line,omitempty"` // that tells a session of it; 0: none any more
	Waiting   bool   `json:"waiting,omitempty"`    // it is not in the folder
	Text      []byte `json:"-"`
	Verdict

	line bool // it is a line of the list Path
}

// Standing is what trust finds in a store.
type Standing struct {
	Held    []Held
	Changed *store.Entry // what other programs had changed since the last look; nil: nothing
	Ledger  *Ledger
	Notes   int // looked at
}

// Look judges every note and every line of the index, and what waits. It records
// what other programs changed, if the store has a journal.
func (g *Guard) Look(st *store.Store) (*Standing, error) {
	changed, err := st.Look()
	if err != nil {
		return nil, err
	}
	history, err := st.History("")
	if err != nil {
		return nil, err
	}
	out := &Standing{Changed: changed, Ledger: Read(history)}
	items, err := st.List()
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		out.Notes++
		if it.Err != nil && it.IndexLine > 0 {
			v := Verdict{Origin: Outside, Reasons: []Reason{{ID: ByUnread, Words: "it can't be judged: it is too large, or no plain file"}}}
			out.Held = append(out.Held, Held{Path: it.Rel, Title: it.Rel, IndexLine: it.IndexLine, Verdict: v})
		}
		if it.Note == nil || store.IsPage(it.Rel, it.Note.Bytes()) {
			continue
		}
		text := it.Note.Bytes()
		if v := g.Judge(out.Ledger, text); !v.Loads {
			out.Held = append(out.Held, Held{
				Path: it.Rel, Title: title(it.Rel, it.Note), Hash: store.HashOf(text), IndexLine: it.IndexLine, Text: text, Verdict: v,
			})
		}
	}
	lines, err := g.lines(st, out.Ledger, history, items)
	if err != nil {
		return nil, err
	}
	out.Held = append(out.Held, lines...)
	return out, g.waiting(st, out)
}

// waiting adds the proposals.
func (g *Guard) waiting(st *store.Store, out *Standing) error {
	for _, p := range out.Ledger.Pending() {
		text, err := st.Content(p.Hash)
		if errors.Is(err, store.ErrPurged) {
			continue
		}
		if err != nil {
			return err
		}
		v := g.Judge(out.Ledger, text)
		if len(v.Reasons) == 0 {
			v.Loads = false
			v.add(ByUnread, "it was taken out, and waits for your decision", 0)
		}
		out.Held = append(out.Held, Held{Path: p.Path, Title: title(p.Path, note.Parse(text)), Hash: p.Hash, Waiting: true, Text: text, Verdict: v})
	}
	return nil
}

const titleUnits = 80

func title(rel string, n *note.Note) string {
	if d := n.Line(rel).Hook; d != "" {
		return note.Clip(d, titleUnits)
	}
	return rel
}

// lines judges the lines of the index, and of the pages behind it, that say more
// than their note does, or lead to what can't be judged.
func (g *Guard) lines(st *store.Store, l *Ledger, history []store.Entry, items []store.Item) ([]Held, error) {
	said := map[string]string{}
	for _, it := range items {
		if it.Note != nil {
			said[it.Rel] = flat(string(it.Note.Bytes()))
		}
	}
	var out []Held
	lists := []string{store.IndexName}
	for _, it := range items {
		if it.Note != nil && store.IsPage(it.Rel, it.Note.Bytes()) {
			lists = append(lists, it.Rel)
		}
	}
	for _, list := range lists {
		b, err := st.Read(list)
		if errors.Is(err, store.ErrNoNote) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, g.linesOf(st, list, b, l, history, said)...)
	}
	return out, nil
}

func (g *Guard) linesOf(st *store.Store, list string, b []byte, l *Ledger, history []store.Entry, said map[string]string) []Held {
	own, blind, imports := map[int]bool{}, map[int]bool{}, map[int]bool{}
	if g.Imported {
		for _, im := range instructions.ScanImports(string(b)) {
			imports[im.Line] = imports[im.Line] || im.Verdict == instructions.Imports
		}
	}
	for _, li := range note.ReadIndex(b).Listed() {
		text, ok := said[li.Files[0]]
		if ok && li.Stands && len(li.Files) == 1 && strings.Contains(text, flat(strings.TrimSuffix(li.Hook, "…"))) {
			// The note itself was judged, and with it the hook; the label of the link,
			// its title and what else stands there were not.
			own[li.Line] = g.judge(Outside, []byte(besides(li, text))).Loads
		}
		for _, f := range li.Files {
			if _, judged := said[f]; !judged && there(st, f) {
				blind[li.Line] = true
			}
		}
	}
	var out []Held
	for _, e := range note.ParseIndex(string(b)) {
		if own[e.Line] && !imports[e.Line] {
			continue
		}
		v := g.judgeLine(st, l, history, list, e.Text)
		if blind[e.Line] && !v.Approved && !introducer(st, l, history, list, e.Text).AtLeast(UserTurn) {
			v.Loads = false
			v.add(ByUnread, "it leads to a file that is no note, so nobody has judged it", 0)
		}
		if imports[e.Line] && !v.Approved && !introducer(st, l, history, list, e.Text).AtLeast(UserTurn) {
			v.Loads = false
			v.add(ByAction, "it imports another file into every session", 0)
		}
		if !v.Loads {
			out = append(out, Held{Path: list, Title: note.Clip(e.Text, titleUnits), Hash: store.HashOf([]byte(e.Text)), IndexLine: e.Line, Text: []byte(e.Text), Verdict: v, line: true})
		}
	}
	return out
}

// besides is what an index line says besides what its note says: without the
// hook, the file's name, and words that stand in the note.
func besides(li note.Listed, text string) string {
	rest := strings.TrimSuffix(li.Text, strings.TrimSpace(li.Hook))
	name := path.Base(li.Files[0])
	for _, known := range []string{li.Files[0], name, strings.TrimSuffix(name, path.Ext(name))} {
		rest = strings.ReplaceAll(rest, known, " ")
	}
	if from, to := strings.IndexByte(rest, '['), strings.IndexByte(rest, ']'); from >= 0 && to > from {
		if label := strings.Trim(rest[from+1:to], "[ "); label != "" && strings.Contains(text, flat(label)) {
			rest = rest[:from] + rest[to:]
		}
	}
	return rest
}

// there reports whether a link of the index leads to anything, in the folder or
// out of it.
func there(st *store.Store, file string) bool {
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(st.Dir(), path)
	}
	_, err := os.Lstat(path)
	return err == nil
}

// flat is a text without the differences that do not matter in an index line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// judgeLine decides on a line of the index by who brought it in.
func (g *Guard) judgeLine(st *store.Store, l *Ledger, history []store.Entry, list, line string) Verdict {
	v := g.judge(Outside, []byte(line))
	if v.Loads {
		return v
	}
	hash := store.HashOf([]byte(line))
	if l.Approved(hash) {
		return Verdict{Origin: Outside, Loads: true, Approved: true, Reasons: []Reason{}}
	}
	v = g.judge(introducer(st, l, history, list, line), []byte(line))
	if l.Rejected(hash) {
		v.Loads = false
		v.add(ByRejected, "it was turned down in a review", 0)
	}
	return v
}

// introducer is the origin of a line of the index: of whoever made the first
// version that has it.
func introducer(st *store.Store, l *Ledger, history []store.Entry, list, line string) Origin {
	for _, e := range history {
		if e.Op == "undo" || e.Op == "rollback" {
			continue // it came back, and is whose it was
		}
		for _, c := range e.Changes {
			if c.Path != list || c.After == "" {
				continue
			}
			before, err1 := contentOf(st, c.Before)
			after, err2 := contentOf(st, c.After)
			if errors.Join(err1, err2) != nil {
				return Outside
			}
			if has(after, line) && !has(before, line) {
				return Lowest(bestOf(l, c.After, writer(e)))
			}
		}
	}
	return Outside
}

// bestOf is what a recognised version is worth, if that is more.
func bestOf(l *Ledger, hash string, o Origin) Origin {
	if known := l.Origin(hash); o == Outside && known.rank() > o.rank() {
		return known
	}
	return o
}

func contentOf(st *store.Store, hash string) (string, error) {
	if hash == "" {
		return "", nil
	}
	b, err := st.Content(hash)
	return string(b), err
}

func has(text, line string) bool {
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// Hold takes the lines that tell a session of held notes out of the index and its
// page, as one change that can be undone. A line that stood for itself waits as a
// proposal from then on. It returns nil where there is nothing to take out, or the
// policy is only to report.
func (g *Guard) Hold(st *store.Store, by store.By, held []Held) (*store.Done, error) {
	if g.Policy.Held == Report || len(held) == 0 {
		return nil, nil
	}
	files, lines := map[string]bool{}, map[string]bool{}
	var waits []store.Mark
	for _, h := range held {
		switch {
		case h.Waiting:
		case h.line:
			lines[string(h.Text)] = true
			if !h.Has(ByRejected) {
				waits = append(waits, store.Mark{Path: store.IndexName, Bytes: h.Text})
			}
		default:
			files[h.Path] = true
		}
	}
	if len(files)+len(lines) == 0 {
		return nil, nil
	}
	done, err := st.EditLists(by, OpHold, func(_ string, text []byte) ([]byte, error) { return without(text, files, lines), nil })
	if err == nil && len(waits) > 0 {
		_, err = st.Record(store.By{Actor: store.Outside}, OpPropose, waits...)
	}
	if err != nil {
		return nil, fmt.Errorf("taking held notes out of the index: %w", err)
	}
	return done, nil
}

// without is the index without the lines that name the files in any way, and
// without the lines that read so. A line that names another note as well goes too:
// it tells of the held one.
func without(index []byte, files, lines map[string]bool) []byte {
	type span struct{ from, to int }
	var cut []span
	for _, l := range note.ReadIndex(index).Listed() {
		if slices.ContainsFunc(l.Files, func(f string) bool { return files[f] }) {
			cut = append(cut, span{l.Start, l.Rest})
		}
	}
	for _, e := range note.ParseIndex(string(index)) {
		if lines[e.Text] || namesAny(e.Text, files) {
			cut = append(cut, span{e.Start, e.End})
		}
	}
	slices.SortFunc(cut, func(a, b span) int { return a.from - b.from })
	out := []byte{}
	at := 0
	for _, c := range cut {
		if c.from > at {
			out = append(out, index[at:c.from]...)
		}
		at = max(at, c.to)
	}
	return append(out, index[at:]...)
}

// namesAny reports whether a line has the name of a file in it, as a word, link or
// not: an agent finds it by that.
func namesAny(line string, files map[string]bool) bool {
	line = strings.ToLower(line)
	for f := range files {
		name := strings.ToLower(path.Base(f))
		for at := 0; ; {
			i := strings.Index(line[at:], name)
			if i < 0 {
				break
			}
			if at += i; at == 0 || !nameByte(line[at-1]) {
				return true
			}
			at += len(name)
		}
	}
	return false
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c >= 0x80
}
