package guard

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// someRule draws a line of a block.
func someRule(t *rapid.T) string {
	return rapid.SampledFrom(strings.Split(manyRules, "\n")).Draw(t, "rule")
}

// someText draws a shell text of parts that rules are about.
func someText(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{
		"git push", "-f", "&&", ";", "|", "sh -c '", "'", `"`, "rm -rf", "*", "migrations/x", ".", "cd", "$X", "$(", ")", "npm", "add", "sudo", "x=-f", "git push $x", "a", "\n", "> y.pb.go", "xargs", "cat .env",
	}), 1, 8).Draw(t, "parts")
	return strings.Join(parts, " ")
}

func TestAFurtherRuleNeverMakesTheLimitsWider(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			lines = append(lines, someRule(t))
		}
		text := someText(t)
		at := rapid.IntRange(0, len(lines)).Draw(t, "at")
		before := parsedRules(lines)
		after := parsedRules(slices.Insert(slices.Clone(lines), at, someRule(t)))
		if b, a := decided(before, text), decided(after, text); a.Action < b.Action {
			t.Fatalf("%q: %s, and with a further rule %s", text, b.Action, a.Action)
		}
	})
}

func TestTheOrderOfRulesDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := strings.Split(manyRules, "\n")
		text := someText(t)
		want := decided(parsedRules(lines), text).Action
		if got := decided(parsedRules(rapid.Permutation(lines).Draw(t, "order")), text).Action; got != want {
			t.Fatalf("%q: %s, and in another order %s", text, want, got)
		}
	})
}

func parsedRules(lines []string) Rules {
	rules, _ := Parse(Source{File: "/p/CLAUDE.md", Base: "/p"}, "```guard\n"+strings.Join(lines, "\n")+"\n```\n")
	return rules
}
