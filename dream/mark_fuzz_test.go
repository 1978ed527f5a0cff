package dream

import (
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/claim"
)

// FuzzMarkAt: wherever a name stands, its mark goes behind it, between two characters,
// never between the signs of a code span, and a second time it is seen to be there.
func FuzzMarkAt(f *testing.F) {
	for _, seed := range []string{
		"The helper is `src/a.py`.", "Run `python src/a.py --all` nightly.", "Run src/a.py --all.", "| run src/a.py --x | y |", "[src/a.py](src/a.py)", "``a `src/a.py` b``",
		"\"src/a.py", "src/a.py:12", "- [x] src/a.py's", "«src/a.py» <src/a.py> [[src/a.py]]",
	} {
		f.Add(seed)
	}
	const name, mark = "src/a.py", "(removed)"
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, mark) {
			return
		}
		for _, c := range claim.Split(text) {
			k := strings.Index(text[c.Start:c.End], name)
			if k < 0 {
				continue
			}
			start, end := c.Start+k, c.Start+k+len(name)
			at := markAt(text[:c.End], c.Start, start, end)
			if at < end || at > c.End || !utf8.ValidString(text[:at]) {
				t.Fatalf("%q: the mark of %d to %d goes to %d", text, start, end, at)
			}
			if stop := codeEnd(text[:c.End], c.Start, start); stop > at {
				t.Fatalf("%q: the mark goes into what ends at %d", text, stop)
			}
			next := text[:at] + " " + mark + text[at:]
			whole := next[:c.End+1+len(mark)]
			if again := markAt(whole, c.Start, start, end); !marked(next, again, mark, whole[c.Start:]) {
				t.Fatalf("%q: the mark is not seen again at %d", next, again)
			}
		}
	})
}
