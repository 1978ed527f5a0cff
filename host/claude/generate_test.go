package claude

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dormouse/store"
)

func TestNewestAgreesWithAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1000).Draw(t, "notes")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		notes := make([]store.File, n)
		for i := range notes {
			notes[i] = store.File{Rel: fmt.Sprint(i), Mod: time.Unix(int64(r.IntN(50)), 0)} // many of the same time
		}
		want := slices.Clone(notes)
		slices.SortStableFunc(want, func(a, b store.File) int { return b.Mod.Compare(a.Mod) })
		want = want[:min(n, generatedMax)]
		if got := newest(notes); !slices.Equal(got, want) {
			t.Fatalf("of %d notes: %v, want %v", n, got, want)
		}
	})
}

func TestClipCutsAtASpaceInTheSecondHalf(t *testing.T) {
	for _, tc := range []struct {
		in   string
		room int
		want string
	}{
		{"short", 5, "short"},
		{"abcdef", 5, "abcd…"},
		{"abc def", 5, "abc…"},
		{"abc def", 6, "abc d…"},
		{"a bcdefg", 6, "a bcd…"},
		{"🚀🚀🚀🚀", 6, "🚀🚀…"},
		{"ab", 1, ""},
	} {
		if got := clip(tc.in, tc.room); got != tc.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tc.in, tc.room, got, tc.want)
		}
	}
}
