package recall

import (
	"testing"

	"pgregory.net/rapid"
)

// distance is how many characters must be changed, added, left out or exchanged
// with their neighbour to make one word of another, by the book.
func distance(x, y []rune) int {
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			default:
				cost := 1
				if x[i-1] == y[j-1] {
					cost = 0
				}
				d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
				if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
					d[i][j] = min(d[i][j], d[i-2][j-2]+1)
				}
			}
		}
	}
	return d[len(x)][len(y)]
}

func TestOneOffIsADistanceOfOne(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abжє数")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		x, y := word.Draw(t, "x"), word.Draw(t, "y")
		if got, want := oneOff(x, []byte(y)), distance([]rune(x), []rune(y)) == 1; got != want {
			t.Fatalf("%q and %q: %v, want %v", x, y, got, want)
		}
	})
}
