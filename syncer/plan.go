package syncer

import (
	"fmt"
	"maps"
	"slices"
)

// plan tells what has to be done so that the side to has what changed on the side
// from. It looks at hashes only: whether two edits can be merged shows later. The
// items come in the order of their paths.
func plan(base Base, from, to []File, holds func(f File) error) []Item {
	p := planner{base: maps.Clone(base), from: byPath(from), to: byPath(to), holds: holds}
	p.moves()
	paths := map[string]bool{}
	for path := range p.base {
		paths[path] = true
	}
	for path := range p.from {
		paths[path] = true
	}
	for path := range p.to {
		paths[path] = true
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		i := Item{Path: path, from: p.from[path], to: p.to[path], base: p.base[path]}
		p.decide(&i)
		if i.Action != "" {
			p.items = append(p.items, i)
		}
	}
	slices.SortStableFunc(p.items, func(a, b Item) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return p.items
}

type planner struct {
	base     Base
	from, to map[string]File
	holds    func(f File) error
	items    []Item
}

func byPath(files []File) map[string]File {
	out := make(map[string]File, len(files))
	for _, f := range files {
		out[f.Path] = f
	}
	return out
}

// decide says what to do about one path, see Action.
func (p *planner) decide(i *Item) {
	b, s, t := i.base.Hash, i.from.Hash, i.to.Hash
	if i.from.Why != "" && s == "" || i.to.Why != "" && t == "" {
		if i.from.Why != "" {
			i.Action, i.Why = Pass, i.from.Why
		} else if s != b {
			i.Action, i.Why = Refuse, i.to.Why
		}
		return
	}
	switch {
	case s == t:
		if b != s || i.to.ID != "" && i.to.ID != i.base.ID || i.from.ID != "" && i.from.ID != i.base.ID {
			i.Action = Agree
		}
		return
	case s == b:
		i.Action = Waits
		return
	case s == "":
		i.Action = Remove
		if t != b {
			i.Action = Keep
		}
		return
	case t == b && t != "":
		i.Action = Update
	case t == "" && b == "":
		i.Action = Create
	case t == "":
		i.Action = Restore
	default:
		i.Action = Merge
	}
	p.allow(i)
}

// allow passes over what must not leave its side, or has no place on the other.
func (p *planner) allow(i *Item) {
	if i.from.Why != "" {
		i.Action, i.Why = Pass, i.from.Why
		return
	}
	if i.to.Hash == "" && i.to.Why == "" && i.Moved == "" {
		if err := p.holds(i.from); err != nil {
			i.Action, i.Why = Pass, err.Error()
		}
	}
}

// moves takes files out of the maps that have another path on the side from: told by
// their id where that side has such names, else by holding just what both agreed on.
func (p *planner) moves() {
	byID, byHash := map[string]string{}, map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(p.from)) {
		if _, known := p.base[path]; known || p.from[path].Why != "" {
			continue
		}
		if _, taken := p.to[path]; taken {
			continue
		}
		f := p.from[path]
		if f.ID != "" {
			byID[f.ID] = path
		} else if _, had := byHash[f.Hash]; !had {
			byHash[f.Hash] = path
		}
	}
	for _, old := range slices.Sorted(maps.Keys(p.base)) {
		b, t := p.base[old], p.to[old]
		if _, still := p.from[old]; still || t.Hash == "" {
			continue
		}
		path, ok := "", false
		if b.ID != "" {
			path, ok = byID[b.ID]
		}
		if !ok && t.Hash == b.Hash {
			path, ok = byHash[b.Hash]
			delete(byHash, b.Hash)
		}
		if !ok {
			continue
		}
		i := Item{Path: path, Action: Move, Moved: old, from: p.from[path], to: t, base: b}
		if err := p.holds(i.from); err != nil {
			i = Item{Path: old, Action: Pass, Why: fmt.Sprintf("it is called %s on the other side, and %s", path, err)}
		}
		p.items = append(p.items, i)
		delete(p.base, old)
		delete(p.to, old)
		delete(p.from, path)
	}
}

// few removals are always carried out: of at most so many, or of a quarter.
const few = 8

// tooMany reports whether a plan would remove so much that a wrong folder or an
// emptied store is the likelier reason.
func tooMany(items []Item, there int) (int, bool) {
	n := 0
	for _, i := range items {
		if i.Action == Remove {
			n++
		}
	}
	return n, n > max(few, there/4) || n > 1 && n == there
}
