package extract

import (
	"slices"
	"testing"
)

func TestFormsThatPeopleUseInChat(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"comments in english, always", "Comments in english, always."},
		{"run prettier before each commit", "Run prettier before each commit."},
		{"don't even think about pushing to main", "No pushing to main."},
		{"at no point should you log tokens", "Never log tokens."},
		{"put this on record: staging needs a VPN", "Staging needs a VPN."},
		{"I lead the infra team", "The user leads the infra team."},
		{"what I like is short answers", "The user likes short answers."},
		{"design docs? they're in Notion", "Design docs? they're in Notion."},
		{"node 20 is the minimum here", "Node 20 is the minimum here."},
		{"moving off jenkins, github actions from now on", "Moving off jenkins, github actions from now on."},
		{"реліз у четвер, май на увазі", "Реліз у четвер (2026-12-03)."},
		{"без винятків: запускай лінтер", "Запускай лінтер."},
		{"нізащо не пуш у main", "Нізащо не пуш у main."},
		{"щоб ти знав на майбутнє, імпортер потребує JDK 17", "Імпортер потребує JDK 17."},
		{"по професії я тестувальник", "По професії користувач — тестувальник."},
	} {
		t.Run(c.said, func(t *testing.T) { newTalk(t).person(c.said).want(c.want) })
	}
}

func TestTheSameWordsWithinATaskAreNoRule(t *testing.T) {
	for _, said := range []string{
		"tests pass on my machine but never on ci",
		"push to main, but only now because ci is down",
		"I want the loader to always show a spinner here",
		"make sure the cache is always invalidated after the save",
		"if the flag is set, always show the banner",
		"write the release notes for the demo on Friday",
		"put the docs in the docs folder",
		"the logs are in the terminal",
		"saw a tweet saying never deploy on Fridays",
		"this import is no longer needed",
		"the client wants a red button",
		"production is down, look at the logs",
		"хочу, щоб форма завжди показувала помилку",
		"бачив твіт: ніколи не деплой у п'ятницю",
		"напиши нотатки до релізу на п'ятницю",
		"ніколи не повертай null з цієї функції",
		"документація в кінці файлу",
		"я за кавою",
	} {
		t.Run(said, func(t *testing.T) { newTalk(t).agent("Done, I have changed the file.").person(said).want() })
	}
}

func TestACorrectionMayTakeTwoSentences(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"why npm? it's pnpm here", "Use pnpm here."},
		{"nope, pnpm. npm isn't what this repo uses", "Pnpm. npm isn't what this repo uses."},
		{"wrong package manager. It's pnpm", "Use pnpm."},
		{"чому npm? у нас же pnpm", "Використовуй pnpm."},
	} {
		t.Run(c.said, func(t *testing.T) {
			newTalk(t).bash("npm install", false).agent("I set it up with npm.").person(c.said).want(c.want)
		})
	}
}

func TestAHabitMayBeSetRightByAQuestionOrAWish(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"why do you keep adding comments to every line?", "Stop adding comments to every line."},
		{"adding comments again? stop it please", "Stop adding comments."},
		{"I'd rather you didn't keep reformatting whole files", "Stop reformatting whole files."},
		{"було б добре, якби ти перестав ставити емодзі", "Перестань ставити емодзі."},
	} {
		t.Run(c.said, func(t *testing.T) {
			newTalk(t).agent("Done.").person(c.said).want(c.want)
		})
	}
	newTalk(t).agent("Done.").person("why do you use a map here?").want()
}

func TestAWeakRuleGivesWayAndNeverKeepsAtOnce(t *testing.T) {
	languages, err := loadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	weak := 0
	for _, l := range languages {
		for _, rule := range l.rules {
			if rule.weak && rule.conf < Threshold {
				weak++
			} else if rule.weak && rule.conf >= Threshold {
				t.Errorf("%s: %q is weak and kept at once", l.name, rule.why)
			}
		}
	}
	if weak == 0 {
		t.Error("no weak rules")
	}
	k := newTalk(t).agent("Should we use npm or pnpm for this project?")
	_, f := k.person("never use npm in this repo").end()
	if len(f.Candidates) != 1 || f.Candidates[0].Confidence < Threshold {
		t.Errorf("a weak rule came before a plain one: %+v", f.Candidates)
	}
}

func TestFilesOfOneLanguageAreOneLanguage(t *testing.T) {
	all, err := loadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range all {
		names = append(names, l.name)
	}
	if !slices.Equal(names, []string{"en", "uk"}) {
		t.Errorf("languages %q", names)
	}
}
