package cli

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"dormouse/doctor"
	"dormouse/draft"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// copied is a note of another memory folder on its way into this one.
type copied struct {
	file  string
	bytes []byte
	by    store.By
}

// copies are the notes of another folder whose text no note here has, under names
// that are free. Each keeps the origin that the journal of its folder tells; what
// nobody knows stays so.
func (m *mender) copies(p doctor.Plan) ([]copied, error) {
	from, err := m.o.openFolder(m.v.h, p.Path, nil)
	if err != nil {
		return nil, err
	}
	defer release(from)
	history, err := from.History("")
	if err != nil {
		return nil, err
	}
	ledger := trust.Read(history)
	items, err := from.List()
	if err != nil {
		return nil, err
	}
	taken, have, err := m.here()
	if err != nil {
		return nil, err
	}
	var out []copied
	for i := range items {
		it := &items[i]
		if it.Note == nil || store.IsPage(it.Rel, it.Note.Bytes()) || have[sameText(it.Note)] {
			continue
		}
		have[sameText(it.Note)] = true
		by := m.by
		by.Origin = string(ledger.Origin(store.HashOf(it.Note.Bytes())))
		out = append(out, copied{freeName(it.Rel, taken), it.Note.Bytes(), by})
	}
	return out, nil
}

// here are the names and texts of the notes that are here.
func (m *mender) here() (taken, have map[string]bool, err error) {
	taken, have = map[string]bool{}, map[string]bool{}
	if m.v.st == nil {
		return taken, have, nil
	}
	items, err := m.v.st.List()
	for i := range items {
		taken[strings.ToLower(items[i].Rel)] = true
		if items[i].Note != nil {
			have[sameText(items[i].Note)] = true
		}
	}
	return taken, have, err
}

func sameText(n *note.Note) string { return strings.Join(strings.Fields(string(n.Body())), " ") }

// freeName is a name for a copy: its own where that is one for a new note and
// free.
func freeName(rel string, taken map[string]bool) string {
	stem := strings.TrimSuffix(path.Base(rel), ".md")
	if store.ValidName(stem+".md") != nil {
		stem = draft.Slug(stem)
	}
	name := stem + ".md"
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d.md", stem, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

func (m *mender) copy(p doctor.Plan) error {
	copies, err := m.copies(p)
	if err != nil {
		return err
	}
	st := m.v.st
	if st == nil {
		if st, err = m.o.openFolder(m.v.h, m.v.start.Mem.Dir, nil); err != nil {
			return err
		}
		m.v.st = st
	}
	var errs []error
	for _, c := range copies {
		done, err := st.Add(c.by, store.New{File: c.file, Bytes: c.bytes, Line: note.Parse(c.bytes).Line(c.file)}, store.Refuse)
		if err := m.done("copy", c.file, done, err); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.file, err))
		}
	}
	return errors.Join(errs...)
}
