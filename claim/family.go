package claim

import (
	"slices"

	"dormouse/claim/token"
)

// seriesLength is how many statements that differ in nothing but a value make a
// series: facts about as many things, whatever they are called. Two or three can
// still be one fact that was told anew.
const seriesLength = 4

// A term that stands for any value in a frame.
const anyValue = 1 << 40

// families reports which statements are of a series. A frame is what they say without values,
// names of code and tickets.
func (c *crowd) families() []bool {
	frames := make([]uint64, len(c.said))
	sizes := make(map[uint64]int, len(c.said))
	for i := range c.said {
		if frames[i] = frameOf(c.said[i].parts); frames[i] != 0 {
			sizes[frames[i]]++
		}
	}
	series := make([]bool, len(c.said))
	for i, f := range frames {
		series[i] = f != 0 && sizes[f] >= seriesLength
	}
	return series
}

// frameOf is a hash of what a statement says without its values, 0 if it has none.
func frameOf(parts []part) uint64 {
	h, values := uint64(0), 0
	for i := range parts {
		switch parts[i].kind {
		case token.Value, token.Code, token.ID:
			values++
			h = mix(h, anyValue)
		default:
			h = mix(h, uint64(parts[i].term)+1)
		}
	}
	if values == 0 || len(parts) == values {
		return 0
	}
	return h
}

// dropSeries takes out the links between statements of one series.
func (c *crowd) dropSeries() {
	series := c.families()
	c.links = slices.DeleteFunc(c.links, func(l link) bool {
		return series[l.u] && series[l.v] && frameOf(c.said[l.u].parts) == frameOf(c.said[l.v].parts) && l.Kind == Conflict
	})
}
