package extract

import (
	"strings"
	"testing"
)

// opposite are sentences that forbid or take back, and what a note of them may not say
// without a denial.
var opposite = []struct{ name, text, denial string }{
	{"make sure to never", "Make sure to never log tokens.", "never"},
	{"don't ever", "Don't ever commit generated files.", "don't"},
	{"do not ever", "Do not ever push to main.", "not"},
	{"stop always doing it", "Stop always using yarn.", "stop"},
	{"no need to remember it", "There is no need to remember: use yarn.", "no need"},
	{"forget that we do it", "forget that we use yarn, we use pnpm now", "no longer"},
	{"ensure that nobody does", "Make sure you don't ever use eval in this repo.", "don't"},
	{"please never", "From now on please never squash commits.", "never"},
	{"no need to do it any more", "You don't have to always run the tests.", "don't"},
	{"it need not be noted", "You need not remember that we use yarn.", "not"},
	{"permitted, not asked", "You can always push to my fork.", "can"},
	{"not a fan", "I'm not a fan of yarn.", "not"},
	{"не треба пам'ятати", "Не треба запам'ятовувати: використовуй yarn.", "не треба"},
	{"немає потреби", "Немає потреби запам'ятовувати, що ми використовуємо yarn.", "немає"},
	{"перестань завжди", "Перестань завжди писати коментарі.", "перестань"},
	{"ніколи не", "Запам'ятай: ніколи не пуш у main.", "ніколи не"},
	{"жодного разу", "Відтепер жодного разу не комить у main.", "не"},
}

// A note that says the opposite of what the person said is the worst that there is.
func TestADenialIsNeverLeftOut(t *testing.T) {
	for _, c := range opposite {
		t.Run(c.name, func(t *testing.T) {
			got, _ := newTalk(t).person("hi").agent("Done.").person(c.text).end()
			for _, text := range got {
				if !strings.Contains(strings.ToLower(text), c.denial) {
					t.Errorf("of %q it keeps %q", c.text, text)
				}
			}
		})
	}
}

// Every way to lead in a rule, with every way to forbid what follows.
func TestWhateverLeadsInAProhibitionItStaysOne(t *testing.T) {
	kept := 0
	for _, lead := range []string{"", "Remember: ", "Remember to ", "Please ", "From now on ", "Make sure to ", "Make sure you ", "In this repo ", "I want you to ", "You should ", "As a rule, ", "Note: ", "No, ", "Don't forget to ", "Don't forget: "} {
		for _, denial := range []string{"never", "never ever", "don't ever", "do not ever", "don't", "not", "stop always"} {
			text := lead + denial + " push to main in this repo."
			got, _ := newTalk(t).person("hi").agent("Done.").person(text).end()
			for _, note := range got {
				kept++
				low := strings.ToLower(note)
				if !strings.Contains(low, strings.Fields(denial)[0]) && !strings.Contains(low, "never") && !strings.Contains(low, "not") {
					t.Errorf("of %q it keeps %q", text, note)
				}
			}
		}
	}
	if kept < 30 {
		t.Errorf("only %d are kept at all", kept)
	}
}

func TestWhatOnlyLooksLikeADenialIsKept(t *testing.T) {
	for text, want := range map[string]string{
		"Don't forget that we use pnpm here.":   "We use pnpm here.",
		"Make sure to never log tokens.":        "Never log tokens.",
		"Don't ever commit generated files.":    "Don't ever commit generated files.",
		"Do not ever push to main.":             "Do not ever push to main.",
		"Не забудь, що ми використовуємо pnpm.": "Ми використовуємо pnpm.",
	} {
		t.Run(text, func(t *testing.T) { newTalk(t).person(text).want(want) })
	}
}
