package scan

import (
	"strings"
	"testing"
)

func TestPatternsNameConceptsThatHaveWords(t *testing.T) {
	t.Parallel()
	c := New().get()
	found := map[string]bool{}
	for _, n := range strings.Fields("url unknown ip local email template num outside temp sens agentdir scriptfile file flag pipe redir subst anything redirin") {
		found[n] = true // the lexer finds these
	}
	for name, id := range c.words.ids {
		if c.words.sizes[id] == 0 && !found[name] {
			t.Errorf("no word stands for %q", name)
		}
	}
	if n := len(c.words.ids); n > 64*setWords {
		t.Errorf("%d concepts, room for %d", n, 64*setWords)
	}
	for _, x := range []*index{c.rules, c.actions} {
		for _, p := range x.patterns {
			if len(p.steps) > longest || len(p.steps) == 0 {
				t.Errorf("a pattern of %d steps", len(p.steps))
			}
		}
	}
	if len(c.ruleIDs) > 256 || len(c.actionKinds) > 256 {
		t.Error("more rules than an index counts")
	}
	for _, id := range c.ruleIDs {
		if c.byID[id].ID == "" {
			t.Errorf("rule %s is not documented", id)
		}
	}
}

func TestEachLookalikeHasItsLetter(t *testing.T) {
	t.Parallel()
	for from, to := range map[rune]byte{
		'а': 'a', 'о': 'o', 'р': 'p', 'с': 'c', 'і': 'i', 'ο': 'o', 'υ': 'u', 'ո': 'n', 'Ꮓ': 'Z', 'Χ': 'X', 'q': 0, 'ж': 0,
	} {
		if got := lookalike(from); got != to {
			t.Errorf("lookalike(%c) = %c, want %c", from, got, to)
		}
	}
}
