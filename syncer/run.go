package syncer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"dormouse/store"
)

// Config is one run: what changed on the side From comes to the side To.
type Config struct {
	From, To Side
	Base     Base
	// Past returns a text that both sides agreed on, by its hash. An error is no
	// reason to stop: without it two edits can't be merged, and both stay.
	Past func(hash string) ([]byte, error)
	// Keep puts a text of From where Past finds it.
	Keep func(path string, text []byte) error
	// Fit tells why a text may not go from side to side; nil if it may.
	Fit func(path string, text []byte) error
	// Copies lets To have both texts of a conflict, the other one in a file of its own.
	// Without it a conflict is told and nothing is written.
	Copies bool
	// ManyRemovals lets a run remove more than a quarter of what To holds.
	ManyRemovals bool
	// Dry plans and writes nothing.
	Dry bool
}

// Report is what a run did, or with Dry would do.
type Report struct {
	Items []Item
	// Base is what both sides agree on afterwards.
	Base Base
	// Texts are those that To took over from the other side or that were merged, by the
	// path they have there.
	Texts map[string][]byte
}

// Run brings what changed on one side to the other. Errors tell that a side could not
// be listed or read, and then nothing was written; what could not be done about one
// file is in its item.
func Run(ctx context.Context, c Config) (*Report, error) {
	from, err := c.From.List(ctx)
	if err != nil {
		return nil, err
	}
	to, err := c.To.List(ctx)
	if err != nil {
		return nil, err
	}
	r := &run{Config: c, items: plan(c.Base, from, to, c.To.Holds), there: byPath(to), texts: map[string][]byte{}}
	r.brake(len(to))
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	for n := range r.items {
		r.at = n
		r.resolve(&r.items[n])
	}
	out := &Report{Items: r.items, Base: maps.Clone(c.Base), Texts: r.texts}
	if out.Base == nil {
		out.Base = Base{}
	}
	if c.Dry {
		return out, nil
	}
	return out, r.carryOut(ctx, out.Base)
}

type run struct {
	Config
	items        []Item
	there        map[string]File // on the side To
	ours, theirs map[string][]byte
	texts        map[string][]byte

	at      int // the item that is being resolved
	changes []Change
	of      []int // the item of each change
}

// brake keeps a plan from emptying a store.
func (r *run) brake(there int) {
	n, many := tooMany(r.items, there)
	if !many || r.ManyRemovals {
		return
	}
	for i := range r.items {
		if it := &r.items[i]; it.Action == Remove {
			it.Action, it.Why = Refuse, fmt.Sprintf("%d of %d notes would be removed at once, which is more likely a mistake", n, there)
		}
	}
}

// read gets the texts that are needed, each side at one go.
func (r *run) read(ctx context.Context) error {
	var from, to []File
	for _, i := range r.items {
		switch i.Action {
		case Create, Update, Restore:
			from = append(from, i.from)
		case Merge:
			from, to = append(from, i.from), append(to, i.to)
		case Move:
			from = append(from, i.from)
			if i.to.Hash != i.base.Hash {
				to = append(to, i.to)
			}
		}
	}
	var err error
	if r.theirs, err = r.From.Read(ctx, from); err != nil {
		return err
	}
	r.ours, err = r.To.Read(ctx, to)
	return err
}

// resolve turns an item into changes.
func (r *run) resolve(i *Item) {
	if i.Action == Remove {
		r.change(Change{Path: i.Path, Was: i.to})
		return
	}
	if !i.Writes() {
		return
	}
	text, ok := r.theirs[i.from.Path]
	if !ok || store.HashOf(text) != i.from.Hash {
		i.Action, i.Why = Refuse, "it "+ErrChanged.Error()
		return
	}
	if r.Fit != nil {
		if err := r.Fit(i.Path, text); err != nil {
			i.Action, i.Why = Refuse, err.Error()
			return
		}
	}
	if i.Action == Merge || i.Action == Move && i.to.Hash != i.base.Hash {
		r.meet(i, text)
		return
	}
	r.put(i, text)
}

// put is a text on its way into the file of an item.
func (r *run) put(i *Item, text []byte) {
	r.texts[i.Path] = text
	r.change(Change{Path: i.Path, Text: text, Was: i.to})
}

func (r *run) change(c Change) { r.changes, r.of = append(r.changes, c), append(r.of, r.at) }

// meet merges a text that changed on both sides.
func (r *run) meet(i *Item, theirs []byte) {
	ours, ok := r.ours[i.to.Path]
	if !ok || store.HashOf(ours) != i.to.Hash {
		i.Action, i.Why = Refuse, "it "+ErrChanged.Error()
		return
	}
	if i.from.Hash == i.base.Hash {
		r.put(i, ours) // only its path changed there
		return
	}
	if base, err := r.past(i.base.Hash); err == nil {
		if text, ok := mergeText(base, ours, theirs); ok {
			r.put(i, text)
			return
		}
	}
	i.Action, i.Why = Conflict, "both sides changed the same lines"
	if i.base.Hash == "" {
		i.Why = "both sides made a note of this name"
	}
	if r.Copies {
		r.both(i, theirs)
	}
}

func (r *run) past(hash string) ([]byte, error) {
	if hash == "" || r.Past == nil {
		return nil, errors.New("there is none")
	}
	return r.Past(hash)
}

// both keeps the side's own text and puts the other one into a file beside it, named
// after what it holds: the same conflict has the same copy on each machine.
func (r *run) both(i *Item, theirs []byte) {
	if i.Moved != "" { // its own path is free, and that of the other text another one
		i.Copy = i.Path
		r.texts[i.Path] = theirs
		r.change(Change{Path: i.Path, Text: theirs})
		return
	}
	hash := store.HashOf(theirs)
	for n := 0; ; n++ {
		name := copyName(i.Path, hash, n)
		had, taken := r.there[name]
		switch {
		case taken && had.Hash == hash:
			i.Copy = name // from a run that was ended before it could say so
			r.change(Change{Path: name, Text: theirs, Was: had})
			return
		case !taken:
			i.Copy = name
			r.there[name] = File{Path: name, Hash: hash}
			r.texts[name] = theirs
			r.change(Change{Path: name, Text: theirs})
			return
		}
	}
}

const (
	copyHash = 8  // hexadecimal digits that tell two texts of one note apart
	copyStem = 60 // bytes of a name that are kept in that of its copy
)

// copyName is the name of the file for the other text of a note. It is one that every
// folder can hold.
func copyName(rel, hash string, n int) string {
	stem := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}, strings.TrimSuffix(path.Base(rel), ".md"))
	stem = "x" + strings.TrimLeft(stem, "-_.")
	if len(stem) > 1 {
		stem = stem[1:]
	}
	stem = stem[:min(len(stem), copyStem)] + "-conflict-" + hash[:copyHash]
	if n > 0 {
		stem = fmt.Sprintf("%s-%d", stem, n+1)
	}
	return stem + ".md"
}

// carryOut applies the changes and notes what both sides agree on from then on: of each
// file the text of the side From, for that is what To now knows of.
func (r *run) carryOut(ctx context.Context, base Base) error {
	failed := map[int]bool{}
	ids := map[int]string{}
	var applied []Applied
	if len(r.changes) > 0 {
		applied = r.To.Apply(ctx, r.changes)
	}
	for n, a := range applied {
		it := &r.items[r.of[n]]
		if a.Err != nil {
			failed[r.of[n]] = true
			it.Action, it.Copy, it.Why = Refuse, "", a.Err.Error()
			delete(r.texts, r.changes[n].Path)
			continue
		}
		ids[r.of[n]] = a.File.ID
	}
	var errs []error
	for n := range r.items {
		it := &r.items[n]
		if failed[n] || it.Action == Refuse || it.Action == Waits || it.Action == Pass || it.Action == Conflict && it.Copy == "" {
			continue
		}
		if it.Moved != "" {
			delete(base, it.Moved)
		}
		if it.from.Hash == "" {
			delete(base, it.Path)
			continue
		}
		if text, ok := r.theirs[it.from.Path]; ok && r.Keep != nil {
			errs = append(errs, r.Keep(it.Path, text))
		}
		base[it.Path] = Agreed{Hash: it.from.Hash, ID: firstOf(ids[n], it.from.ID, it.to.ID)}
	}
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool { return err == nil })...)
}

func firstOf(ids ...string) string {
	for _, id := range ids {
		if id != "" {
			return id
		}
	}
	return ""
}
