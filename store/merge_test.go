package store

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, base, ours, theirs, want string }{
		{"different lines", "1\n2\n3\n", "A\n2\n3\n", "1\n2\nC\n", "A\n2\nC\n"},
		{"lines beside each other", "1\n2\n", "A\n2\n", "1\nB\n", "A\nB\n"},
		{"the same change", "1\n2\n", "A\n2\n", "A\n2\n", "A\n2\n"},
		{"one of several is the same", "1\n2\n3\n", "A\n2\n3\n", "A\n2\nC\n", "A\n2\nC\n"},
		{"the same line", "1\n2\n", "A\n2\n", "B\n2\n", "(conflict)"},
		{"changed and removed", "1\n2\n", "A\n2\n", "2\n", "(conflict)"},
		{"both put lines at one place", "1\n", "1\nA\n", "1\nB\n", "(conflict)"},
		{"a line goes, one comes behind it", "1\n2\n", "1\n", "1\n2\n3\n", "1\n3\n"},
		{"nothing of ours", "1\n", "1\n", "2\n", "2\n"},
		{"without a final line break", "1\n2", "A\n2", "1\n2", "A\n2"},
		{"from nothing", "", "a\n", "", "a\n"},
	} {
		got, ok := merge(tc.base, tc.ours, tc.theirs)
		if !ok {
			got = "(conflict)"
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestMergeLosesNoLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n", "e\n"}), 0, 6).Draw(t, name), "")
		}
		base, ours, theirs := text("base"), text("ours"), text("theirs")
		got, ok := merge(base, ours, theirs)
		back, ok2 := merge(base, theirs, ours)
		if ok != ok2 || got != back {
			t.Fatalf("the order of the two matters: %q %v, %q %v", got, ok, back, ok2)
		}
		if all, ok := merge(base, ours, base); !ok || all != ours {
			t.Fatalf("ours alone: %q", all)
		}
		if !ok {
			return
		}
		// A line that somebody brought in is there, and no other came from nowhere.
		for _, l := range []string{"a\n", "b\n", "c\n", "d\n", "e\n"} {
			n := func(s string) int { return strings.Count(s, l) }
			if n(got) > n(base)+max(0, n(ours)-n(base))+max(0, n(theirs)-n(base)) && !slices.Contains([]string{ours, theirs}, got) {
				t.Fatalf("%q came in: %q", l, got)
			}
		}
	})
}
