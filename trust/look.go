package trust

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
		if it.Note == nil || it.Rel == store.PageName {
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

// lines judges the lines of the index that say more than their note does.
func (g *Guard) lines(st *store.Store, l *Ledger, history []store.Entry, items []store.Item) ([]Held, error) {
	index, err := st.Read(store.IndexName)
	if errors.Is(err, store.ErrNoNote) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	for _, it := range items {
		if it.Note != nil {
			said[it.Rel] = flat(string(it.Note.Bytes()))
		}
	}
	own := map[int]string{} // the hook of each line that stands for a note
	for _, li := range note.ReadIndex(index).Listed() {
		if text, ok := said[li.Files[0]]; ok && li.Stands && len(li.Files) == 1 && strings.Contains(text, flat(strings.TrimSuffix(li.Hook, "…"))) {
			own[li.Line] = li.Hook
		}
	}
	var out []Held
	for _, e := range note.ParseIndex(string(index)) {
		if _, ok := own[e.Line]; ok {
			continue // the note itself was judged
		}
		v := g.judgeLine(st, l, history, e.Text)
		if !v.Loads {
			out = append(out, Held{Path: store.IndexName, Title: note.Clip(e.Text, titleUnits), Hash: store.HashOf([]byte(e.Text)), IndexLine: e.Line, Text: []byte(e.Text), Verdict: v})
		}
	}
	return out, nil
}

// flat is a text without the differences that do not matter in an index line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// judgeLine decides on a line of the index by who brought it in.
func (g *Guard) judgeLine(st *store.Store, l *Ledger, history []store.Entry, line string) Verdict {
	v := g.judge(Outside, []byte(line))
	if v.Loads {
		return v
	}
	hash := store.HashOf([]byte(line))
	if l.Approved(hash) {
		return Verdict{Origin: Outside, Loads: true, Approved: true, Reasons: []Reason{}}
	}
	v = g.judge(introducer(st, l, history, line), []byte(line))
	if l.Rejected(hash) {
		v.Loads = false
		v.add(ByRejected, "it was turned down in a review", 0)
	}
	return v
}

// introducer is the origin of a line of the index: of whoever made the first
// version that has it.
func introducer(st *store.Store, l *Ledger, history []store.Entry, line string) Origin {
	for _, e := range history {
		for _, c := range e.Changes {
			if c.Path != store.IndexName || c.After == "" {
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

// Hold takes the lines that tell a session of held notes out of the index, as one
// change that can be undone. It returns nil where there is nothing to take out, or
// the policy is only to report.
func (g *Guard) Hold(st *store.Store, by store.By, held []Held) (*store.Done, error) {
	if g.Policy.Held == Report || len(held) == 0 {
		return nil, nil
	}
	files, lines := map[string]bool{}, map[string]bool{}
	for _, h := range held {
		switch {
		case h.Waiting:
		case h.Path == store.IndexName:
			lines[string(h.Text)] = true
		default:
			files[h.Path] = true
		}
	}
	if len(files)+len(lines) == 0 {
		return nil, nil
	}
	done, err := st.EditIndex(by, OpHold, func(index []byte) ([]byte, error) { return without(index, files, lines), nil })
	if err != nil {
		return nil, fmt.Errorf("taking held notes out of the index: %w", err)
	}
	return done, nil
}

// without is the index without the lines that name the files, and without the
// lines that read so. A line that names another note as well goes too: it tells
// of the held one.
func without(index []byte, files, lines map[string]bool) []byte {
	type span struct{ from, to int }
	var cut []span
	for _, l := range note.ReadIndex(index).Listed() {
		if slices.ContainsFunc(l.Files, func(f string) bool { return files[f] }) {
			cut = append(cut, span{l.Start, l.Rest})
		}
	}
	for _, e := range note.ParseIndex(string(index)) {
		if lines[e.Text] {
			cut = append(cut, span{e.Start, e.End})
		}
	}
	slices.SortFunc(cut, func(a, b span) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, c := range cut {
		if c.from > at {
			out = append(out, index[at:c.from]...)
		}
		at = max(at, c.to)
	}
	return append(out, index[at:]...)
}
