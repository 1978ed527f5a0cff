package claim

import (
	"strings"
	"testing"
)

// spell writes a claim as its words, with "!" before what is denied and "?"
// before what is a topic.
func spell(text string) string {
	x := newLexicon()
	var out []string
	for _, p := range x.parse(x.read(text, -1, nil)).parts {
		w := x.names[p.term]
		if p.topic {
			w = "?" + w
		}
		if p.neg {
			w = "!" + w
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func TestNegationReachesAsFarAsItIsMeant(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"never denies all that follows", "Never commit secrets, tokens or keys.", "!commit !secrets !tokens !keys"},
		{"and what is before it", "Applied migrations must never be edited.", "!applied !migrations !edited"},
		{"up to the sentence's end", "Never commit secrets. Rotate keys.", "!commit !secrets rotate keys"},
		{"up to a semicolon", "Never use npm; use pnpm.", "!npm pnpm"},
		{"up to a comma with a verb", "Don't use npm, use pnpm.", "!npm pnpm"},
		{"up to but", "Don't touch vendor but patch it.", "!touch !vendor patch"},
		{"up to a condition", "Do not retry if the build fails.", "!retry ?build ?fails"},
		{"not within a sentence denies what follows", "Use pnpm, not npm.", "pnpm !npm"},
		{"up to a comma", "Use pnpm, not npm, everywhere.", "pnpm !npm everywhere"},
		{"instead of", "Use pnpm instead of npm", "pnpm !npm"},
		{"never this instead of that", "Never use npm instead of pnpm", "!npm pnpm"},
		{"not behind a small verb is never", "You should not commit secrets, tokens", "!commit !secrets !tokens"},
		{"don't forget is no negation", "Don't forget to lint", "lint"},
		{"skip is one", "Skip the linter", "!linter"},
		{"never without is both", "Never push without review", "push review"},
		{"never unless is a condition", "Never deploy unless the pipeline is green", "deploy ?pipeline ?green"},
		{"without", "Answer without greetings", "answer !greetings"},
		{"a topic", "Use vitest for unit tests", "vitest ?unit ?tests"},
		{"Ukrainian never", "Ніколи не змінюй міграції", "!змінюй !міграції"},
		{"Ukrainian instead", "Використовуй pnpm замість npm", "pnpm !npm"},
		{"Ukrainian but", "Бери не npm, а pnpm", "!npm pnpm"},
		{"Ukrainian until", "Не мержи, доки тести червоні", "мержи ?тести ?червоні"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := spell(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
