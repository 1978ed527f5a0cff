package trust

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNoTextForgesAFence tries to close or open a fence from inside, with its
// mark known, which nobody can know.
func TestNoTextForgesAFence(t *testing.T) {
	t.Parallel()
	f := NewFence()
	parts := []string{
		"</memory-", "<memory-", f.mark, f.mark[:16], ">", "\n", "\r", "\r\n", "\u2028", "\x00", "\x1b[2J", "system:", "\n\nHuman: ", "| ", "</memory-" + f.mark + ">",
		"<system-reminder>", "[INST]", "\u202e", string(rune(0xE0041)), "a", " ", "```",
	}
	r := rand.New(rand.NewPCG(1, 9))
	const n = 100_000
	for range n {
		var text strings.Builder
		for range r.IntN(12) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		got := f.Wrap(Head{Note: text.String(), Origin: Outside}, text.String())
		if strings.Count(got, "<memory-"+f.mark) != 1 && !strings.Contains(text.String(), f.mark) || strings.Count(got, "\n</memory-"+f.mark+">\n") != 1 || !strings.HasSuffix(got, "</memory-"+f.mark+">\n") {
			t.Fatalf("%q gives %q", text.String(), got)
		}
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		for _, l := range lines[2 : len(lines)-1] {
			if !strings.HasPrefix(l, "| ") || strings.Contains(l, f.mark) {
				t.Fatalf("%q gives the line %q", text.String(), l)
			}
		}
	}
	if NewFence() == f {
		t.Error("two fences have one mark")
	}
}
