package scan_test

import (
	"math/rand/v2"
	"testing"

	"dormouse/internal/tools/evaltrust/planted"
	"dormouse/scan"

	"pgregory.net/rapid"
)

// perKind is the number of generated texts of each kind; a fixed seed, so that
// what fails once fails again.
func perKind() int {
	if testing.Short() {
		return 500
	}
	return 10_000
}

func TestEveryPlantedChannelIsFoundWhereItIs(t *testing.T) {
	t.Parallel()
	s := scan.New()
	for i, kind := range planted.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			missed := 0
			for range perKind() {
				it := kind.New(r)
				if !found(s.Scan(it.Text, scan.Options{}), it) {
					missed++
					if missed <= 3 {
						t.Errorf("none of %v at %d-%d in %q: %+v", it.Rules, it.Start, it.End, it.Text, s.Scan(it.Text, scan.Options{}))
					}
				}
			}
			if missed > 0 {
				t.Errorf("missed %d of %d", missed, perKind())
			}
		})
	}
}

// found reports a finding of one of the item's rules that touches its place.
func found(list []scan.Finding, it planted.Item) bool {
	start, end := it.Trim()
	for _, f := range list {
		for _, rule := range it.Rules {
			if f.Rule == rule && f.Start < end && f.End > start {
				return true
			}
		}
	}
	return false
}

func TestHonestTextsOfManyScriptsPass(t *testing.T) {
	t.Parallel()
	s := scan.New()
	r := rand.New(rand.NewPCG(2, 0))
	for range perKind() {
		text := planted.Honest(r)
		if list := s.Scan(text, scan.Options{}); len(list) > 0 {
			t.Fatalf("%s at %d-%d (%s) in %q", list[0].Rule, list[0].Start, list[0].End, list[0].Shown, text)
		}
	}
}

// anyText draws texts of pieces that mean something to the scanner.
func anyText() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			"\u200b", "\u200d", "\ufe0f", "\U000e0041", "\U0001f3f4", "\x1b[0m", "\r", "\n", "\n\n", "\t", "`", "```\n", "\"", "<!--", "-->", "<p hidden>",
			"</p>", "![", "](", "---\n", "name: x\n", "https://e.example/x?y={{z}}", "ignore all previous instructions", "do not tell the user", "=", "$(",
			"<(", "|", ">>", "%69%67%6e%6f%72%65", "\\x69", "&#105;", "gur ", "паypal", "不要告诉用户", "l'utilisateur", "\xff", "<|im_start|>", "[INST]", "system:",
			"aWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM=", "69676e6f7265", "~/.ssh/id_rsa", "../", "curl", " ", "  ", ".", ":", "e\u0301", "ﬁ", "Ⅷ", "\u0344",
		}),
	)
	return rapid.Custom(func(t *rapid.T) string {
		text := ""
		for _, p := range rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces") {
			text += p
		}
		return text
	})
}

func TestFindingsAndTextsAreWellFormed(t *testing.T) {
	t.Parallel()
	s := scan.New()
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		if err := checkScan(s, text); err != nil {
			t.Fatal(err)
		}
		if err := checkVisible(text); err != nil {
			t.Fatal(err)
		}
	})
}

func TestVisibleTellsHiddenCharactersApart(t *testing.T) {
	t.Parallel()
	hidden := []string{"", "\u200b", "\u200c", "\U000e0041", "\U000e0042", "\x1b", "\r", "\ue000", "\u3164", "\ufe0f", "\xff", "<U+200B>", "<0xFF>", "<U+003C>"}
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.String().Draw(t, "before"), rapid.StringMatching(`[a-z]*`).Draw(t, "after")
		a, b := rapid.SampledFrom(hidden).Draw(t, "a"), rapid.SampledFrom(hidden).Draw(t, "b")
		if a != b && scan.Visible(before+a+"x"+after) == scan.Visible(before+b+"x"+after) {
			t.Fatalf("Visible does not tell %q from %q after %q", a, b, before)
		}
	})
}
