package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dormouse/recall/words"
)

// keys returns the words of a text; one that is another reading of a word before it
// has a plus sign.
func keys(text string) string {
	var all []string
	words.Each(text, func(t words.Token) {
		key := string(t.Key)
		if t.Within {
			key = "+" + key
		}
		all = append(all, key)
	})
	return strings.Join(all, " ")
}

func TestTextIsTakenApartIntoWords(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"signs alone", " ?!… — ` ' 👍 ", ""},
		{"small letters", "Deploy The App", "deploy the app"},
		{"a possessive says nothing", "Ann's and Ann’s dogs'", "ann and ann dogs"},
		{"contractions", "I'm, they'll, don't", "i they dont"},
		{"accents", "Café naïve São ŁÓDŹ", "cafe naive sao lodz"},
		{"accents as marks", "Cafe\u0301", "cafe"},
		{"capitals within", "getUserName", "getusername +get +user +name"},
		{"capitals before capitals", "parseHTTPServer", "parsehttpserver +parse +http +server"},
		{"an abbreviation is one", "HTTP", "http"},
		{"underscores", "user_name", "user name +username"},
		{"hyphens", "re-index", "re index +reindex"},
		{"a flag", "--dry-run", "dry run +dryrun"},
		{"a version", "v1.26.0 and 1.26.0", "v1 26 0 +1.26.0 and 1 26 0 +1.26.0"},
		{"a date", "2023-05-08", "2023 05 08 +20230508"},
		{"a path", "cmd/dormouse/main.go", "cmd dormouse main go"},
		{"an address", "a@b.example", "a b example"},
		{"a sentence's end is no sign", "Now.Then", "now then"},
		{"letters and digits are one name", "utf8 UTF-8", "utf8 utf 8 +utf8"},
		{"Ukrainian apostrophes", "п'ять, пʼять, п’ять", "пять пять пять"},
		{"Ukrainian marks", "и\u0306ого і\u0308хній", "його їхній"},
		{"Han by pairs", "使用数据库", "使用 用数 数据 据库"},
		{"one Han character", "用", "用"},
		{"Kana and Latin", "テストOK", "テス スト ok"},
		{"Hangul by pairs", "데이터베이스", "데이 이터 터베 베이 이스"},
		{"wide forms", "ＡＢＣ１２", "abc12"},
		{"bytes that are no text", "ok\xff\xfeok", "ok ok"},
		{"another alphabet", "Ναι Δοκιμή", "ναι δοκιμή"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, keys(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormsOfAWordHaveOneStem(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, forms string }{
		{"English, regular", "deploy deploys deployed deploying"},
		{"English, irregular", "go goes went gone going"},
		{"English, bought", "buy buys bought"},
		{"English, plural", "child children"},
		{"a noun in -а", "таблиця таблиці таблицю таблицею таблиць таблицям таблицями таблицях"},
		{"a consonant that changes", "рука руки руці руку рукою"},
		{"a vowel that is lost", "ринок ринку ринком ринки ринків"},
		{"a vowel that changes", "вибір вибору вибором вибори"},
		{"сервер", "сервер сервера серверу сервером сервери серверів серверам серверах"},
		{"a verb and its noun", "видаляти видалення видалив видалила видаляє видаляють"},
		{"налаштувати", "налаштувати налаштування налаштований налаштовано"},
		{"a quality", "швидкий швидка швидке швидкого швидкість швидкості"},
		{"a reflexive verb", "запускати запускається запускаються"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			forms := strings.Fields(tt.forms)
			want := words.Stem(forms[0])
			for _, f := range forms[1:] {
				if got := words.Stem(f); got != want {
					t.Errorf("%s: %q, but %s: %q", f, got, forms[0], want)
				}
			}
		})
	}
}

func TestOtherWordsHaveOtherStems(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ x, y string }{
		{"cat", "cater"}, {"new", "news"}, {"сервер", "сервіс"}, {"тест", "текст"}, {"код", "кодек"}, {"мова", "мовчати"}, {"порт", "портал"}, {"v1", "v2"},
	} {
		if x, y := words.Stem(tt.x), words.Stem(tt.y); x == y {
			t.Errorf("%s and %s are both %q", tt.x, tt.y, x)
		}
	}
}

func TestAStemNeverGrowsOrVanishes(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "a", "я", "ся", "тест", "ість", "ування", "ться", "бвгджз", "go1.26", "使用", "їїї", "ььььььь"} {
		if got := words.Stem(key); key != "" && got == "" || utf8.RuneCountInString(got) > utf8.RuneCountInString(key)+1 {
			t.Errorf("%q became %q", key, got)
		}
	}
}

func TestWordsThatSayNothingAreStopped(t *testing.T) {
	t.Parallel()
	for _, key := range strings.Fields("the and what did dont i було який де що а") {
		if !words.IsStop([]byte(key)) {
			t.Errorf("%s is looked up", key)
		}
	}
	for _, key := range strings.Fields("sql go rust port th а1 не1 використання verylongwordthatisnostopwordatall") {
		if words.IsStop([]byte(key)) {
			t.Errorf("%s is not looked up", key)
		}
	}
	if words.IsStop(nil) {
		t.Error("what is no word is stopped")
	}
}

func FuzzEachGivesWordsOfTheText(f *testing.F) {
	for _, seed := range []string{"getUserName user_name 1.26.0", "п'ять и\u0306", "使用データベース", "Ann's 'x'", "ＡＢ\xffC", "a-\u0301b", "İSTANBUL ẞ ǅ ﬁ", strings.Repeat("aB", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		words.Each(text, func(k words.Token) {
			switch {
			case len(k.Key) == 0, len(k.Key) > words.MaxKey:
				t.Errorf("a key of %d bytes", len(k.Key))
			case !utf8.Valid(k.Key):
				t.Errorf("key %q is no text", k.Key)
			case k.Start < 0 || k.Start >= k.End || k.End > len(text):
				t.Errorf("%q stands at %d to %d of %d", k.Key, k.Start, k.End, len(text))
			case !k.Within && k.Start < last:
				t.Errorf("%q goes back", k.Key)
			}
			if !k.Within {
				last = k.Start
			}
			if stem := words.Stem(string(k.Key)); stem == "" || !utf8.ValidString(stem) {
				t.Errorf("the stem of %q is %q", k.Key, stem)
			}
		})
	})
}
