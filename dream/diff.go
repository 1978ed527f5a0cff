package dream

import (
	"bytes"
	"cmp"
	"slices"

	"dormouse/store"
)

// Diff is how the new store differs from the input, file by file, as a store
// takes it: what has to be written, and what has to go.
func (r *Result) Diff(in *Input) []store.Replacement {
	before, hashes := map[string][]byte{}, map[string]string{}
	for _, n := range in.Notes {
		if n.From == nil {
			before[n.Rel] = n.Bytes
			hashes[n.Rel] = store.HashOf(n.Bytes)
		}
	}
	for rel, b := range in.Lists {
		before[rel] = b
	}
	var out []store.Replacement
	stays := map[string]bool{}
	for _, f := range r.Files {
		stays[f.Rel] = true
		was, there := before[f.Rel]
		if there && bytes.Equal(was, f.Bytes) {
			continue
		}
		rep := store.Replacement{Rel: f.Rel, Before: was, After: f.Bytes}
		if !f.List {
			rep.Origin = string(f.Origin)
			for _, of := range f.Of {
				rep.From = append(rep.From, store.Source{Hash: hashes[of], Note: of})
			}
			rep.From = append(rep.From, f.From...)
		}
		out = append(out, rep)
	}
	for rel, was := range before {
		if !stays[rel] {
			out = append(out, store.Replacement{Rel: rel, Before: was})
		}
	}
	slices.SortFunc(out, func(a, b store.Replacement) int { return cmp.Compare(a.Rel, b.Rel) })
	return out
}
