package extract

import (
	"testing"
	"time"
)

func TestRelativeDaysOfANoteBecomeAbsolute(t *testing.T) {
	d, err := NewDays()
	if err != nil {
		t.Fatal(err)
	}
	thursday := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct{ text, want string }{
		{"We moved billing to Stripe yesterday.", "We moved billing to Stripe on 2026-03-04."},
		{"The cutover is tomorrow.", "The cutover is on 2026-03-06."},
		{"The migration must be done by Friday.", "The migration must be done by Friday (2026-03-06)."},
		{"The migration must be done by Friday (2026-03-06).", "The migration must be done by Friday (2026-03-06)."},
		{"Three days ago CI moved to Buildkite.", "On 2026-03-02 CI moved to Buildkite."},
		{"The staging cluster moves to Frankfurt in two weeks.", "The staging cluster moves to Frankfurt on 2026-03-19."},
		{"Redis was upgraded last week.", "Redis was upgraded last week (the week of 2026-02-23)."},
		{"Tokens expire in 30 days.", "Tokens expire in 30 days."},
		{"Never deploy on Friday.", "Never deploy on Friday."},
		{"Every report is due by Friday.", "Every report is due by Friday."},
		{"The release of the mobile app is planned tomorrow.", "The release of the mobile app is planned on 2026-03-06."},
		{"The audit of the ledger has to be closed in 5 days.", "The audit of the ledger has to be closed on 2026-03-10."},
		{"Через два тижні починається заморозка коду.", "2026-03-19 починається заморозка коду."},
		{"Before standup, list what changed yesterday.", "Before standup, list what changed yesterday."},
		{"Never schedule a release for tomorrow after 17:00.", "Never schedule a release for tomorrow after 17:00."},
		{"The user said \"tomorrow\" and meant Monday.", "The user said \"tomorrow\" and meant Monday."},
		{"Write down what you did yesterday before you start.", "Write down what you did yesterday before you start."},
		{"The dashboard shows the orders of last week.", "The dashboard shows the orders of last week."},
		{"Do not touch the payment module until Friday.", "Do not touch the payment module until Friday (2026-03-06)."},
		{"Не чіпай модуль оплати до п'ятниці.", "Не чіпай модуль оплати до п'ятниці (2026-03-06)."},
		{"Перед стендапом перелічи, що змінилося вчора.", "Перед стендапом перелічи, що змінилося вчора."},
		{"Logs are kept for two weeks.", "Logs are kept for two weeks."},
		{"Released on 2026-03-01.", "Released on 2026-03-01."},
		{"Вчора перенесли білінг на Stripe.", "2026-03-04 перенесли білінг на Stripe."},
		{"Запуск через два тижні.", "Запуск 2026-03-19."},
		{"Треба здати звіт до п'ятниці.", "Треба здати звіт до п'ятниці (2026-03-06)."},
		{"Сесія закінчується через 30 днів.", "Сесія закінчується через 30 днів."},
		{"Позавчора вимкнули старий сервер.", "2026-03-03 вимкнули старий сервер."},
		// What is older than that is so each day, and what is done to such things too.
		{"Logs older than 3 days ago are deleted.", "Logs older than 3 days ago are deleted."},
		{"Branches merged two weeks ago are deleted.", "Branches merged two weeks ago are deleted."},
		{"Anna left two weeks ago and is replaced by Bohdan.", "Anna left on 2026-02-19 and is replaced by Bohdan."},
		// A title, a label, a link.
		{"The movie The Day After Tomorrow is the CI theme.", "The movie The Day After Tomorrow is the CI theme."},
		{"The Day After Tomorrow is the CI theme.", "The Day After Tomorrow is the CI theme."},
		{"The project Tomorrow is paused.", "The project Tomorrow is paused."},
		{"The day after tomorrow we ship.", "On 2026-03-07 we ship."},
		{"Deadline: Tomorrow at noon.", "Deadline: on 2026-03-06 at noon."},
		{"The freeze starts TOMORROW.", "The freeze starts on 2026-03-06."},
		{"Today is used as default date in the form.", "Today is used as default date in the form."},
		{"Yesterday is a good word to avoid.", "Yesterday is a good word to avoid."},
		{"The branch is called yesterday.", "The branch is called yesterday."},
		{"See [[tomorrow]] and [what changed yesterday](log.md).", "See [[tomorrow]] and [what changed yesterday](log.md)."},
		{"Сьогодні — значення за замовчуванням.", "Сьогодні — значення за замовчуванням."},
		{"We changed the value yesterday.", "We changed the value on 2026-03-04."},
		// What the sentence is about is named by the day alone.
		{"Tomorrow is the release.", "2026-03-06 is the release."},
		{"The bug appeared the day before yesterday.", "The bug appeared on 2026-03-03."},
		// Two languages, several sentences, and the cells of a row.
		{"Завтра реліз. We moved it yesterday.", "2026-03-06 реліз. We moved it on 2026-03-04."},
		{"| Завтра реліз. | We moved it yesterday. |", "| 2026-03-06 реліз. | We moved it on 2026-03-04. |"},
		{"| Tomorrow we ship. Every report is due by Friday. |", "| On 2026-03-06 we ship. Every report is due by Friday. |"},
	} {
		if got := d.Absolute(c.text, thursday); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		if again := d.Absolute(d.Absolute(c.text, thursday), thursday.AddDate(0, 0, 9)); again != c.want {
			t.Errorf("%q changes again: %q", c.text, again)
		}
	}
}
