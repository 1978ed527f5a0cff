package main

import (
	"math/rand/v2"

	"dormouse/claim"
)

// newThird makes the generator of a third set: it was written at once, before the
// second round of work on the rules began, and only its totals are printed. Who
// wrote it worked on the rules next, so the first figure is the one to trust: of
// the conflicts 73.1 % were found in English and 63.7 % in Ukrainian, and of the
// other pairs 7.6 % and 5.9 % were called one. Beside slots and rules it has whole
// pairs.
func newThird(r *rand.Rand, lang string) *generator {
	g := &generator{r: r, lang: lang, held: true}
	if lang == "uk" {
		g.slots, g.rules, g.loose = thirdUkrainian()
	} else {
		g.slots, g.rules, g.loose = thirdEnglish()
	}
	return g
}

// loosely makes pairs of lines of two statements, parted by "|".
func loosely(lang, class string, ok func(claim.Kind) bool, finding bool, lines ...string) []pair {
	var out []pair
	for _, l := range lines {
		two := list(l)
		out = append(out, pair{class: class, lang: lang, a: two[0], b: two[1], ok: ok, finding: finding})
	}
	return out
}

//nolint:funlen // a table
func thirdEnglish() (slots []slot, rules []rule, loose []pair) {
	slots = []slot{
		{"node version", "", "18|20|22", "We are on Node V.|Node version: V|The app needs Node V.|CI and local both use Node V.|Use Node V.", " for the legacy admin| in the lambda layer", "Node V changed the default of fetch."},
		{"sprint length", "", "one week|two weeks|three weeks", "Sprints are V long.|Sprint length: V|A sprint lasts V.|We plan sprints of V.", "", "The last sprint was planned V late."},
		{"backup retention", "the orders database|the media bucket|the audit table", "14 days|30 days|90 days", "Backups of S are kept for V.|Backup retention for S: V|Keep backups of S for V.|We keep backups of S for V.", "", "S grew a lot in V."},
		{"session", "admin sessions|guest sessions|kiosk sessions", "15 minutes|1 hour|8 hours", "S expire after V.|Lifetime of S: V|S last V.|S end after V.", "", "S took V to debug."},
		{"page size", "the orders API|the search endpoint|the export screen", "20|50|100", "S returns V items per page.|Page size of S: V|S shows V items per page.", "", "S was slow with V users."},
		{"currency", "prices|refunds|wages", "euros|dollars|hryvnias", "Store S in V.|S are stored in V.|Currency of S: V|We keep S in V.", "", "S rose against V in May."},
		{"css", "", "Tailwind|Bootstrap|styled-components", "Style components with V.|Styling: V|We use V for styling.|All new components are styled with V.", " in the old dashboard| in the mail templates", "The V upgrade broke two buttons."},
		{"staging url", "staging|the demo site|the preview", "stage.acme.test|demo.acme.test|next.acme.test", "S runs at V.|S is at V.|URL of S: V", "", "S redirects from V since May."},
		{"python tool", "", "uv|poetry|pip", "Install Python dependencies with V.|Python dependencies: V|Use V to install Python packages.|We manage Python dependencies with V.", " in the notebooks| in the training image", "The V cache fills the disk."},
		{"metrics", "", "Prometheus|Datadog|New Relic", "Metrics go to V.|We send metrics to V.|Monitoring: V|Use V for metrics.", " for the batch jobs| in the pilot", "A V alert woke up Lena."},
		{"on call", "payments|the data platform|mobile", "Lena|Pavlo|Inês", "V is on call for S.|On call for S: V|V takes the alerts of S.|S on-call is V.", "", "V wrote the runbook of S."},
		{"freeze", "", "December 10|December 15|December 20", "The code freeze starts on V.|Code freeze: V|No merges after V, code freeze.|We freeze the code on V.", "", "On V the freeze broke the mobile build."},
		{"branch names", "", "feat/ticket-number|ticket-number-title|name/topic", "Branches are named `V`.|Branch name: `V`|Name branches like `V`.", "", "The hook rejects `V` with a warning."},
		{"tests dir", "e2e tests|contract tests|load tests", "tests/e2e|qa/suites|spec/flows", "S are in `V`.|S live under `V`.|Put S into `V`.|Folder of S: `V`", "", "S were moved out of `V` by mistake."},
		{"pool", "the billing service|the report worker|the gateway", "5|20|50", "S opens at most V connections.|Connection pool of S: V|The connection pool of S has V connections.|S has a pool of V connections.", "", "S had V restarts this week."},
		{"contract retention", "Contract 881|Contract 885|Contract 890", "2 years|5 years|10 years", "S requires logs to be kept for V.|Under S logs are kept for V.|S: logs are kept for V.", "", "S was signed V ago."},
		{"vendors", "Polaris|Vesta|Juno", "3|14|45", "S answers tickets within V days.|S: answers tickets within V days.|Tickets are answered by S within V days.", "", "S sent V tickets back."},
		{"store", "", "Redux|Zustand|MobX", "Keep client state in V.|State management: V|We use V for client state.|Client state lives in V.", " in the editor| in the legacy pages", "V devtools crash in Safari."},
		{"review count", "", "one approval|two approvals|three approvals", "A pull request needs V.|Pull requests need V before merge.|V is required to merge.", " in the docs repo| for hotfixes", "The bot lost V last night."},
		{"ids", "orders|invoices|shipments", "UUIDs|ULIDs|integers", "S have V as primary keys.|Primary keys of S: V|Use V as primary keys for S.", "", "S with V sort badly in the old UI."},
	}
	rules = []rule{
		{"console", "console.log in committed code is fine.|You may leave console.log in committed code.|Leave console.log in committed code.", "No console.log in committed code.|Never leave console.log in committed code.|Don't leave console.log in committed code.|Remove console.log before committing.", "", "", " in scripts| in the CLI"},
		{"rebase", "Rebase shared branches.|Rebasing shared branches is OK.|You can rebase shared branches.", "Never rebase shared branches.|Don't rebase shared branches.|Shared branches must not be rebased.|Avoid rebasing shared branches.", "", "", " before a release| in your fork"},
		{"amend", "Amend pushed commits.|Pushed commits may be amended.", "Never amend pushed commits.|Do not amend commits that are pushed.|Pushed commits are never amended.", "", "", " on a draft branch| in the sandbox"},
		{"barrel", "Use barrel files.|Barrel files are fine.|Barrel files are allowed.", "No barrel files.|Avoid barrel files.|Don't use barrel files.|Barrel files are banned.", "", "", " in the design system| in generated clients"},
		{"strict mode", "Strict mode is on.|Turn strict mode on.|Enable strict mode.", "Strict mode is off.|Turn strict mode off.|Disable strict mode.|Never enable strict mode.", "", "", " in the playground| in tests"},
		{"snapshots", "Write snapshot tests.|Snapshot tests are welcome.|We write snapshot tests.", "Don't write snapshot tests.|No snapshot tests.|Snapshot tests are not allowed.|Never write snapshot tests.", "", "", " for icons| in the storybook"},
		{"db reset", "Reset the staging database after each demo.|The staging database is reset after each demo.", "Never reset the staging database.|Do not reset the staging database.", "", "", ""},
		{"prod console", "Open a console on production.|You may open a console on production.", "Never open a console on production.|Don't open a console on production.|Opening a console on production is forbidden.", "", "", ""},
		{"docstrings", "Write docstrings for public classes.|Public classes have docstrings.", "Don't write docstrings for public classes.|Never write docstrings for public classes.", "Docstrings for public classes are mandatory.|Docstrings for public classes are required.", "Docstrings for public classes are optional.|Docstrings for public classes are not required.", " in prototypes| in the tests"},
		{"seed order", "Seed the database before the e2e tests.|The database is seeded before the e2e tests.", "Seed the database after the e2e tests.|The database is seeded after the e2e tests.", "", "", ""},
		{"print", "Commit the `.env` file.|The `.env` file is committed.|The `.env` file may be committed.", "Never commit the `.env` file.|Do not commit the `.env` file.|The `.env` file must not be committed.|Keep the `.env` file out of git.", "", "", ""},
		{"inline styles", "Use inline styles.|Inline styles are OK.", "Avoid inline styles.|Never use inline styles.|Inline styles are forbidden.|Do not use inline styles.", "", "", " in mail templates| in the PDF view"},
	}
	loose = append(loosely("en", "whole sentences, another value", conflict, true,
		"Only release from the stable branch.|Never release from the stable branch.",
		"Releases are cut from main.|Releases are cut from the stable branch, not from main.",
		"Money is stored as integer cents.|Money is stored as decimals.",
		"Times in the log are in UTC.|Times in the log are in local time.",
		"The e2e tests run against a real payment sandbox.|From now on the e2e tests run against a fake payment sandbox.",
		"Never squash commits.|Squash commits before every merge.",
		"Don't restart the worker.|Restart the worker after every deploy.",
		"IDs in URLs are UUIDs.|IDs in URLs are integers.",
		"The upload limit is 20 MB.|Uploads can be up to 50 MB.",
		"Functions are at most 40 lines.|The limit for functions is 60 lines.",
		"Errors are returned, never thrown.|Errors are thrown.",
		"Write commit messages in the imperative.|Write commit messages in the past tense.",
		"Always ask before you push.|Push without asking.",
		"Standup is at 9:30.|Standup is at 10:15.",
		"Comments are in English.|Write comments in German.",
	), loosely("en", "whole sentences, two things", none, false,
		"Contract 88 allows three seats.|Contract 91 allows twelve seats.",
		"Issue 512 needs the 2.4 release.|Issue 540 needs the 2.6 release.",
		"Memory limit of the crawler pods: 512 MB|Limit of the search vendor: 50 requests a second",
		"Don't mock the clock in tests.|The payment gateway is mocked in tests.",
		"The scheduler sends 40 jobs to the printer.|The printer sends 12 jobs to the scheduler.",
		"`OrderCache` holds 200 entries.|`PriceCache` holds 900 entries.",
		"Berlin closes the books on the 5th.|Warsaw closes the books on the 8th.",
		"See `parseInvoice` in `billing/parse.go`.|See `renderInvoice` in `billing/render.go`.",
		"Rate limit of the map vendor|Rate limit of the map vendor, trial key",
		"Customer 4411 pays in 30 days.|Customer 4810 pays in 60 days.",
		"Room 4 seats six people.|Room 9 seats twenty people.",
		"Never use sudo in the installer.|Use sudo in the recovery script.",
		"The mobile team releases on Mondays.|The desktop team releases on Thursdays.",
		"Version 3 of the API returns 50 rows.|Version 4 of the API returns 100 rows.",
		"The importer reads the feed after the indexer.|The indexer reads the feed of 300 shops.",
		"Kyiv office: 12 desks|Lviv office: 30 desks",
	)...)
	loose = append(loose, loosely("en", "whole sentences, reworded", duplicate, true,
		"Labels must be printed before noon, otherwise the courier leaves without them.|Labels have to be printed before noon, else the courier leaves without them.",
		"Never start the crawler during business hours.|Never start the crawler in business hours.",
		"Support staff may see the last four digits of a card.|Support staff can see a card's last four digits.",
		"The bank drops the whole file when one row is wrong.|If one row is wrong, the bank drops the entire file.",
		"Old feature flags are deleted in the first week of each quarter.|Old feature flags get removed in the first week of every quarter.",
		"Do not touch the legacy importer, it is frozen.|Don't change the legacy importer: it is frozen.",
		"The warehouse scanner only reads code 128.|The warehouse scanner reads nothing but code 128.",
		"Ask Lena before changing the tax tables.|Check with Lena before you change the tax tables.",
		"We deploy only when the on-call person is at their desk.|Deploy only while the on-call person is at their desk.",
		"The nightly job needs about two hours.|The nightly job takes about two hours.",
		"Run the linter before every push.|Before each push, run the linter.",
		"Keep functions short and flat.|Functions should be short and flat.",
	)...)
	return slots, rules, loose
}

func thirdUkrainian() (slots []slot, rules []rule, loose []pair) {
	slots = []slot{
		{"версія вузла", "", "18|20|22", "Працюємо на Node V.|Версія Node: V|Проєкту потрібен Node V.|Використовуємо Node V.", " у старій адмінці| в лямбдах", "У Node V змінили fetch."},
		{"спринт", "", "один тиждень|два тижні|три тижні", "Спринт триває V.|Довжина спринту: V|Спринти — по V.", "", "Спринт запізнився на V."},
		{"копії", "бази замовлень|сховища медіа|журналу аудиту", "14 днів|30 днів|90 днів", "Резервні копії S зберігаються V.|Копії S тримаємо V.|Термін зберігання копій S: V", "", "За V обсяг S подвоївся."},
		{"сесії", "сесії гостей|сесії адмінів|сесії кіоску", "15 хвилин|1 година|8 годин", "S живуть V.|Тривалість S: V|S закінчуються через V.", "", "S ми лагодили V."},
		{"сторінка", "пошук|каталог|звіт", "20|50|100", "S повертає V записів на сторінку.|Розмір сторінки, S: V|S показує V записів на сторінці.", "", "S мав V скарг."},
		{"стилі", "", "Tailwind|Bootstrap|styled-components", "Стилі пишемо на V.|Стилізація: V|Для стилів беремо V.", " у старому кабінеті| у листах", "Оновлення V зламало кнопки."},
		{"чергування", "платежів|мобільного застосунку|аналітики", "Лена|Павло|Ірина", "Чергує для S V.|Черговий для S: V|V чергує для S.", "", "V описала збій S."},
		{"заморозка", "", "10 грудня|15 грудня|20 грудня", "Заморозка коду починається V.|Заморозка коду: V|Код заморожуємо V.", "", "Заморозка V зламала збірку."},
		{"пул", "білінгу|шлюзу|імпорту", "5|20|50", "Пул зʼєднань S: V|Пул зʼєднань S має V зʼєднань.|Для S пул — V зʼєднань.", "", "Пул S перезапускали V разів."},
		{"договір", "договором 881|договором 885|договором 890", "2 роки|5 років|10 років", "За S журнали зберігаємо V.|За S журнали зберігаються V.|За S термін зберігання журналів — V.", "", "Суд за S тривав V."},
		{"метрики", "", "Prometheus|Datadog|New Relic", "Метрики шлемо у V.|Моніторинг: V|Для метрик використовуємо V.", " для пакетних задач", "Сповіщення V розбудило Лену."},
		{"схвалення", "", "одне схвалення|два схвалення|три схвалення", "Пул-реквест потребує V.|Для злиття потрібно V.|Перед злиттям — V.", " у документації| для хотфіксів", "Бот загубив V."},
	}
	rules = []rule{
		{"консоль", "console.log у коді дозволено.|Можна лишати console.log у коді.", "Не лишай console.log у коді.|Ніяких console.log у коді.|console.log у коді заборонено.", "", "", " у скриптах"},
		{"ребейз", "Спільні гілки можна ребейзити.|Ребейзь спільні гілки.", "Ніколи не ребейзь спільні гілки.|Не можна ребейзити спільні гілки.|Ребейзити спільні гілки заборонено.", "", "", " у форку"},
		{"строгий", "Строгий режим увімкнено.|Увімкни строгий режим.", "Строгий режим вимкнено.|Вимкни строгий режим.|Не вмикай строгий режим.", "", "", " у тестах"},
		{"знімки", "Пиши тести зі знімками.|Тести зі знімками дозволено.", "Не пиши тести зі знімками.|Ніяких тестів зі знімками.|Тести зі знімками заборонено.", "", "", " для іконок"},
		{"docstring", "Документуй публічні класи.|Публічні класи документуємо.", "Не документуй публічні класи.", "Документація публічних класів обовʼязкова.", "Документація публічних класів необовʼязкова.", " у прототипах"},
		{"інлайн", "Інлайнові стилі дозволено.|Використовуй інлайнові стилі.", "Уникай інлайнових стилів.|Не використовуй інлайнові стилі.|Інлайнові стилі заборонено.", "", "", " у листах"},
	}
	loose = append(loosely("uk", "whole sentences, another value", conflict, true,
		"Релізимо лише з гілки stable.|Ніколи не релізь з гілки stable.",
		"Час у журналі — UTC.|Час у журналі — місцевий.",
		"Гроші зберігаємо як цілі копійки.|Гроші зберігаємо як десяткові числа.",
		"Стендап о 9:30.|Стендап о 10:15.",
		"Коментарі пишемо українською.|Коментарі пишемо англійською.",
		"Не перезапускай воркер.|Перезапускай воркер після кожного деплою.",
		"Функції — до 40 рядків.|Функції — до 60 рядків.",
		"Завжди питай перед пушем.|Пуш без запитань.",
	), loosely("uk", "whole sentences, two things", none, false,
		"За договором 88 дозволено три місця.|За договором 91 дозволено дванадцять місць.",
		"Задача 512 потребує релізу 2.4.|Задача 540 потребує релізу 2.6.",
		"Ліміт памʼяті подів: 512 МБ|Ліміт постачальника карт: 50 запитів",
		"Не мокай годинник у тестах.|Платіжний шлюз у тестах замокано.",
		"Київський офіс: 12 столів|Львівський офіс: 30 столів",
		"Клієнт 4411 платить за 30 днів.|Клієнт 4810 платить за 60 днів.",
		"Полярис відповідає за 3 дні.|Веста відповідає за 14 днів.",
	)...)
	loose = append(loose, loosely("uk", "whole sentences, reworded", duplicate, true,
		"Етикетки треба надрукувати до полудня, інакше кур'єр поїде без них.|Етикетки мають бути надруковані до полудня, інакше кур'єр поїде без них.",
		"Ніколи не запускай краулер у робочий час.|Не запускай краулер протягом робочого часу.",
		"Не чіпай старий імпорт, він заморожений.|Старий імпорт не чіпай: він заморожений.",
		"Спитай Лену перед зміною податкових таблиць.|Перед зміною податкових таблиць спитай Лену.",
		"Нічна задача триває близько двох годин.|Нічна задача займає близько двох годин.",
		"Запускай лінтер перед кожним пушем.|Перед кожним пушем запускай лінтер.",
	)...)
	return slots, rules, loose
}
