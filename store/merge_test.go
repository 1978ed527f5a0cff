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

func TestLinesAreNeverGlued(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, base, ours, theirs, want string }{
		{"our end lost its break, theirs got a line", "l1\nl2\n", "l1\nl2", "l1\nl2\nagent\n", "l1\nl2\nagent"},
		{"no breaks at the ends", "a\nb", "a\nb\nc", "x\na\nb", "x\na\nb\nc"},
		{"CRLF", "a\r\nb", "A\r\nb", "a\r\nb\r\nc", "A\r\nb\r\nc"},
	} {
		if got, ok := merge(tc.base, tc.ours, tc.theirs); ok && got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestALineComesBackWhereItStood(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", ""} {
		s := lay(t, map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "c\n", IndexName: "- [a](a.md) — a\n- [b](b.md) — b\n- [c](c.md) — c" + end})
		before := on(t, s.Dir())
		for _, order := range [][]string{{"b", "c"}, {"a", "b", "c"}, {"c", "a", "b"}, {"b", "a"}} {
			var ids []int
			for _, n := range order {
				ids = append(ids, must[*Done](t)(s.Forget(human, n+".md")).ID)
			}
			for _, back := range [][]int{ids, {}} {
				for _, id := range back {
					must[*Done](t)(s.Undo(human, id, Refuse))
				}
			}
			if got := on(t, s.Dir()); strings.TrimSuffix(got[IndexName], "\n") != strings.TrimSuffix(before[IndexName], "\n") {
				t.Errorf("%v, end %q: %q", order, end, got[IndexName])
			}
		}
	}
}
