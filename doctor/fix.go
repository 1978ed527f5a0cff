package doctor

import (
	"fmt"
	"io/fs"
	"slices"

	"dormouse/store"
)

// Kind is what a fix works on.
type Kind int

// The kinds of fixes that can be applied.
const (
	None    Kind = iota
	Index        // the index is compared with the notes, as store.FixIndex does
	Note         // a note gets other bytes, through the store
	File         // a file beside the memory gets other bytes: CLAUDE.md, a rule
	Modes        // files or folders get a tighter mode
	Copy         // the notes of another memory folder are copied into this one
	Discard      // a note goes, as another one holds the same text
)

// Plan is what a fix does. Nothing is read again when it is carried out: what was
// planned from bytes that are no longer there is refused.
type Plan struct {
	Kind Kind
	Room store.Room // of an Index plan
	// Of a Note or Discard plan the path below the store, of a File or Copy plan
	// an absolute one.
	Path   string
	Before []byte // of a Note, File or Discard plan
	Edits  []Edit // of a Note or File plan
	To     []Mode // of a Modes plan
}

// Edit replaces some bytes of a file.
type Edit struct {
	Start, End int // bytes of Before
	New        string
}

// After is what the file holds when the plan is carried out.
func (p Plan) After() []byte {
	edits := slices.Clone(p.Edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at {
			continue // it lies in what another one replaces
		}
		out = append(append(out, p.Before[at:e.Start]...), e.New...)
		at = e.End
	}
	return append(out, p.Before[at:]...)
}

// Merge makes one plan of those that work on the same file, in the order in which
// they come first. The index is compared last, when the notes are what they will
// be.
func Merge(plans []Plan) []Plan {
	var out []Plan
	at := map[string]int{}
	for _, p := range plans {
		key := fmt.Sprint(p.Kind, p.Path)
		i, ok := at[key]
		if !ok {
			at[key] = len(out)
			out = append(out, p)
			continue
		}
		have := &out[i]
		have.Room = have.Room || p.Room
		have.Edits = append(slices.Clone(have.Edits), p.Edits...)
		have.To = append(slices.Clone(have.To), p.To...)
	}
	slices.SortStableFunc(out, func(a, b Plan) int {
		last := func(p Plan) int {
			if p.Kind == Index {
				return 1
			}
			return 0
		}
		return last(a) - last(b)
	})
	return out
}

// Plan is what the finding's fix would do; its Kind is None where only a person
// can mend it.
func (f *Finding) Plan() Plan {
	if f.Fix == nil {
		return Plan{}
	}
	return f.Fix.plan
}

// Mode is the mode that a file or folder is to get.
type Mode struct {
	Path        string
	Before, Now fs.FileMode // permission bits
}
