package draft

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestTextsAreCutIntoTokens(t *testing.T) {
	t.Parallel()
	kinds := map[kind]string{word: "word", value: "value", code: "code", id: "id", pair: "pair", comma: ",", colon: ":", hard: ";", stop: "."}
	tests := []struct{ name, text, want string }{
		{"words and signs", "Don't, he said: (no).", "word dont|,|word he|word said|:|;|word no|;|."},
		{"a hyphen joins two words", "table-driven tests", "word table|word driven|word tests"},
		{"a dash does not", "tests - fast — slow", "word tests|;|word fast|;|word slow"},
		{"paths and names of code", "see docs/api.md, foo_bar and ./x", "word see|code docs/api.md|,|code foo_bar|word and|code ./x"},
		{"links and hosts", "https://a.example.com/x?y=1. db:5432", "code https://a.example.com/x?y=1|.|code db:5432"},
		{"numbers and versions", "v1.26, 30s, 10.5 2026-11-30 10.0.0.1", "value v1.26|,|value 30s|,|value 10.5|value 2026-11-30|value 10.0.0.1"},
		{"names of one of many", "#12 SHOP-318 CVE-2026-12", "id #12|id shop-318|id cve-2026-12"},
		{"C++ and C#", "C++ C#", "word c++|word c#"},
		{"a line that continues", "one\ntwo", "word one|word two"},
		{"a line that does not", "one\n- two\n\nthree", "word one|.|;|word two|.|word three"},
		{"accents and apostrophes go", "Café п’ять м'яч", "word cafe|word пять|word мяч"},
		{"й of two characters", "и\u0306од йод", "word йод|word йод"},
		{"Chinese in pairs", "全部测试。", "pair 全部|pair 部测|pair 测试|pair 试|."},
		{"bytes that are no characters", "a\xffb", "word a|word b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := scanner{text: tt.text}
			var got []string
			for {
				tok := s.next()
				if tok.kind == end {
					break
				}
				got = append(got, strings.TrimSpace(kinds[tok.kind]+" "+string(s.plain)))
			}
			if diff := cmp.Diff(strings.Split(tt.want, "|"), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormsOfAWordMeet(t *testing.T) {
	t.Parallel()
	for _, forms := range []string{
		"test tests tested testing", "plan plans planned planning", "merge merges merged merging", "policy policies", "class classes",
		"local locally", "push pushes pushed", "міграція міграції міграцій міграцію", "писати пиши", "змінюй змінювати", "тест тести тестів тестами",
		"англійська англійською", "рука руці",
	} {
		words := strings.Fields(forms)
		for _, w := range words[1:] {
			if a, b := string(stem([]byte(words[0]))), string(stem([]byte(w))); a != b {
				t.Errorf("%s is %s, %s is %s", words[0], a, w, b)
			}
		}
	}
	for _, pair := range []string{"test text", "bus bug", "status state", "тест текст", "class clash"} {
		a, b, _ := strings.Cut(pair, " ")
		if string(stem([]byte(a))) == string(stem([]byte(b))) {
			t.Errorf("%s and %s have one stem", a, b)
		}
	}
}
