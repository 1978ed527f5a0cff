package cli

import (
	"fmt"

	"dormouse/internal/term"
	"dormouse/store"
	"dormouse/trust"
)

// Why a note is kept back, as list, index and hooks say it. Why it waits is for
// verify and review.
const (
	heldWaits    = "waits for your review"
	heldRejected = "was turned down in a review"
)

// heldAs is why a verdict keeps a note back, "" where it does not.
func heldAs(v trust.Verdict) string {
	switch {
	case v.Loads:
		return ""
	case v.Has(trust.ByRejected):
		return heldRejected
	}
	return heldWaits
}

// keptBack are the notes that the guard keeps from loading, among those that it is
// asked of, and why. It writes nothing.
func (c *common) keptBack(st *store.Store, items []store.Item, asked func(*store.Item) bool) (map[string]string, error) {
	var some []*store.Item
	for i := range items {
		it := &items[i]
		if it.Note != nil && asked(it) && !store.IsPage(it.Rel, it.Note.Bytes()) {
			some = append(some, it)
		}
	}
	if len(some) == 0 {
		return nil, nil // the journal need not be read
	}
	g, err := c.guard()
	if err != nil {
		return nil, err
	}
	g.Imported = c.global != nil
	history, err := st.History("")
	if err != nil {
		return nil, err
	}
	l, held := trust.Read(history), map[string]string{}
	for _, it := range some {
		if why := heldAs(g.Judge(l, it.Note.Bytes())); why != "" {
			held[it.Rel] = why
		}
	}
	return held, nil
}

// printKeptBack tells of notes that have no line in the index, and need none.
func (c *common) printKeptBack(out *term.Out, held []indexFlaw) {
	waits := false
	for _, f := range held {
		out.Line("  %s %s", out.In(term.Yellow, term.Safe(f.File)+":"), fmt.Sprintf("%s, so no line of the index leads to it", f.Why))
		waits = waits || f.Why == heldWaits
	}
	if waits {
		out.Line("see what waits, and decide: %s", term.Safe(c.command("review")))
	}
}
