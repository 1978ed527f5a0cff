package token

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextsAreCutIntoTokens(t *testing.T) {
	t.Parallel()
	kinds := map[Kind]string{Word: "word", Value: "value", Code: "code", ID: "id", Pair: "pair", Comma: ",", Colon: ":", Hard: ";", Stop: "."}
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
			s := Scanner{Text: tt.text}
			var got []string
			for {
				tok := s.Next()
				if tok.Kind == End {
					break
				}
				got = append(got, strings.TrimSpace(kinds[tok.Kind]+" "+string(s.Plain)))
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
			if a, b := string(Stem([]byte(words[0]))), string(Stem([]byte(w))); a != b {
				t.Errorf("%s is %s, %s is %s", words[0], a, w, b)
			}
		}
	}
	for _, pair := range []string{"test text", "bus bug", "status state", "тест текст", "class clash"} {
		a, b, _ := strings.Cut(pair, " ")
		if string(Stem([]byte(a))) == string(Stem([]byte(b))) {
			t.Errorf("%s and %s have one stem", a, b)
		}
	}
}

// A word is held against the endings of its last letter only.
func TestEndingsStandUnderTheirLastLetter(t *testing.T) {
	n := 0
	for _, last := range strings.Split("абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэ", "") {
		for _, end := range strings.Fields(cyrillicEnds(last)) {
			n++
			if !strings.HasSuffix(end, last) {
				t.Errorf("%s is looked for in words that end in %s", end, last)
			}
		}
	}
	if n < 90 {
		t.Errorf("%d endings", n)
	}
}
