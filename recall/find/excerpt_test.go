package find

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"dormouse/scan/secrets"
)

func TestTheExcerptIsWhereMostWordsStandTogether(t *testing.T) {
	tests := map[string]struct{ text, query, excerpt, at string }{
		"the only place":            {"One.\nThe zebra sleeps.\nThree.", "zebra", "One. The zebra sleeps. Three.", "zebra"},
		"another form of the word":  {"It listens on 5433.", "listening", "It listens on 5433.", "listens"},
		"both words":                {"A zebra." + strings.Repeat(" Other words.", 30) + " The zebra sleeps well.", "zebra sleeping", "", "zebra sleeps"},
		"no word inside of another": {"Concatenate it. A cat is here.", "cat", "Concatenate it. A cat is here.", "cat is"},
		"a word in capitals":        {"The ZEBRA.", "zebra", "The ZEBRA.", "ZEBRA"},
		"hidden characters":         {"A zebra\u200b\u202e sleeps.", "zebra", "A zebra<U+200B><U+202E> sleeps.", "zebra"},
		"in Ukrainian":              {"Перше речення. База даних слухає порт 5433.", "порту бази", "Перше речення. База даних слухає порт 5433.", "База"},
		"nothing of it":             {"Nothing here.", "zebra", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, at, words := termsOf(tt.query).around(tt.text, 60)
			if tt.at == "" {
				if at >= 0 || len(words) > 0 {
					t.Errorf("found at %d: %q", at, got)
				}
				return
			}
			if at < 0 || !strings.HasPrefix(tt.text[at:], tt.at) || len(words) == 0 {
				t.Errorf("found at %d, %q", at, words)
			}
			if tt.excerpt != "" && got != tt.excerpt {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAnExcerptIsOneLineOfItsLength(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.SampledFrom([]string{"zebra", "zebras", "sleep", "\n", "\t", " ", "x", "слово", "数据库", "\u200b", "a-b_c", "getZebraName", strings.Repeat("y", 100), "<U+200B>"})
		text := strings.Join(rapid.SliceOfN(word, 0, 60).Draw(rt, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(rt, "between"))
		runes := rapid.IntRange(30, 300).Draw(rt, "runes")
		got, at, words := termsOf("zebra sleep 数据").around(text, runes)
		if at < 0 {
			return
		}
		// What is made visible, and the two marks at the ends, come besides.
		if n := utf8.RuneCountInString(strings.NewReplacer("<U+200B>", "z", "<U+003C>", "z", "…", "").Replace(got)); n > runes+1 {
			rt.Fatalf("%d runes instead of %d: %q", n, runes, got)
		}
		if strings.ContainsAny(got, "\n\t\u200b") || at > len(text) || len(words) == 0 {
			rt.Fatalf("%q at %d, %q", got, at, words)
		}
	})
}

func TestMaskingKeepsTheLines(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq2yq2h1s3k5v9m0p4r6t8w1x3z5B7D9F1H3J5L7N9P1R3T\n5V7X9Z1b3d5f7h9j1l3n5p7r9t1v3x5z7B9D1F3H5J7L9N1P3R5T7V9X1Z3b5d7f\n-----END RSA PRIVATE KEY-----"
	got := masked(secrets.New(), "one\n"+key+"\nlast")
	if strings.Contains(got, "MIIE") || lineAt(got, strings.Index(got, "last")) != 6 {
		t.Errorf("got %q", got)
	}
}
