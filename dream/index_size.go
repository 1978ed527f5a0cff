package dream

import (
	"cmp"
	"math"
	"strings"

	"dormouse/note"
	"dormouse/store"
)

// The size that an index is built to where the store has no wish of its own.
const (
	wantLines = 140
	wantUnits = 17_500
)

// aim is the size that the index is built to: what the store wishes, or where text of
// somebody's own takes most of that, what loads.
func (d *desk) aim(own []byte) store.IndexSize {
	to := store.IndexSize{Lines: cmp.Or(d.in.Limits.WantLines, wantLines), Units: cmp.Or(d.in.Limits.WantUnits, wantUnits)}
	if size := d.measure(own); size.Lines > to.Lines/2 || size.Units > to.Units/2 {
		to.Lines, to.Units = max(to.Lines, d.in.Limits.Lines), max(to.Units, d.in.Limits.Units)
	}
	return to
}

func anySize() store.IndexSize { return store.IndexSize{Lines: math.MaxInt, Units: math.MaxInt} }

func smaller(a, b store.IndexSize) bool {
	return a.Lines <= b.Lines && a.Units <= b.Units && a != b
}

func (d *desk) measure(index []byte) store.IndexSize {
	if d.in.Limits.Measure != nil {
		return d.in.Limits.Measure(index)
	}
	text := strings.TrimSpace(string(index))
	if text == "" {
		return store.IndexSize{}
	}
	return store.IndexSize{Lines: strings.Count(text, "\n") + 1, Units: note.Units(text)}
}
