package main

// A thing to fill into a slot: how it is written in the several forms that
// templates ask for, and what of it has to stand in the note.
type value struct {
	key   string
	forms map[string]string
}

func one(key string, pairs ...string) value {
	v := value{key: key, forms: map[string]string{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.forms[pairs[i]] = pairs[i+1]
	}
	return v
}

// topics are the values of one language. Values of one topic come with the slots
// that belong together: {use} and {not}, {svc} and {need}. Even ones are of the
// build half, odd ones of the held half.
func topics(lang string) map[string][]value {
	t := map[string][]value{}
	for _, p := range [][2]string{
		{"pnpm", "npm"},
		{"uv", "pip"},
		{"ruff", "flake8"},
		{"podman", "docker"},
		{"vitest", "jest"},
		{"slog", "logrus"},
		{"zod", "joi"},
		{"httpx", "requests"},
		{"sqlc", "gorm"},
		{"bun", "yarn"},
		{"just", "make"},
		{"deno", "node"},
		{"postgres", "mysql"},
		{"valkey", "memcached"},
		{"biome", "prettier"},
		{"playwright", "cypress"},
	} {
		t["use"] = append(t["use"], one(p[0], "use", p[0], "not", p[1]))
	}
	for _, u := range []string{"https://grafana.example.com/d/abc12", "https://wiki.example.org/x/9", "https://jira.example.com/browse/OPS", "https://docs.example.net/runbook", "https://status.example.com", "https://figma.example.com/file/77", "https://sentry.example.io/p/3", "https://board.example.dev/q"} {
		t["url"] = append(t["url"], one(u, "url", u))
	}
	if lang == "uk" {
		ukrainian(t)
	} else {
		english(t)
	}
	return t
}

func list(t map[string][]value, slot string, words ...string) {
	for _, w := range words {
		t[slot] = append(t[slot], one(w, slot, w))
	}
}

func english(t map[string][]value) {
	for _, p := range [][2]string{
		{"the staging database", "sslmode=require"},
		{"the payments API", "an X-Tenant header"},
		{"the search service", "4 GB of heap"},
		{"the e2e suite", "redis on port 6380"},
		{"the importer", "LC_ALL=C.UTF-8"},
		{"the mobile build", "JDK 17"},
		{"the mail worker", "SMTP_HOST"},
		{"the report job", "a read replica"},
		{"the old admin panel", "Node 14"},
		{"the webhook receiver", "HMAC signatures"},
	} {
		t["svc"] = append(t["svc"], one(p[1], "svc", p[0], "need", p[1]))
	}
	for _, p := range [][2]string{
		{"run `make lint` before you commit", "make lint"},
		{"write commit messages in the imperative", "imperative"},
		{"ask before deleting files", "deleting"},
		{"put new endpoints under api/v2", "api/v2"},
		{"add type hints to public functions", "type hints"},
		{"rebase onto main instead of merging", "rebase"},
		{"update CHANGELOG.md", "CHANGELOG"},
		{"wrap errors with the operation's name", "wrap errors"},
		{"run the e2e suite with --headed", "--headed"},
		{"sign off your commits", "sign off"},
		{"keep functions below 40 lines", "40 lines"},
		{"name test files after the package", "name test"},
	} {
		t["do"] = append(t["do"], one(p[1], "do", p[0]))
	}
	for _, p := range [][3]string{
		{"force-push to shared branches", "force-pushing to shared branches", "shared branches"},
		{"commit directly to main", "committing directly to main", "directly to main"},
		{"log email addresses", "logging email addresses", "email addresses"},
		{"edit generated files by hand", "editing generated files by hand", "generated files"},
		{"mock the database in integration tests", "mocking the database in integration tests", "database in integration tests"},
		{"add dependencies without asking", "adding dependencies without asking", "dependencies without asking"},
		{"deploy on Fridays", "deploying on Fridays", "Fridays"},
		{"touch the vendor folder", "touching the vendor folder", "vendor folder"},
		{"skip the pre-commit hooks", "skipping the pre-commit hooks", "pre-commit hooks"},
		{"store tokens in localStorage", "storing tokens in localStorage", "localStorage"},
	} {
		t["ban"] = append(t["ban"], one(p[2], "ban", p[0], "banning", p[1]))
	}
	list(t, "habit", "adding comments to every line", "using emojis in commit messages", "summarizing what you just did", "apologizing all the time",
		"creating markdown files nobody asked for", "reformatting whole files", "asking for permission to read files", "wrapping everything in try/except")
	list(t, "role", "data engineer", "frontend developer", "site reliability engineer", "biologist", "security researcher", "QA engineer", "technical writer", "product manager", "game designer", "embedded developer")
	list(t, "skill", "Rust", "Kubernetes", "Go", "Terraform", "Haskell", "TypeScript", "SQL", "Elixir")
	list(t, "style", "short answers", "diffs instead of whole files", "bullet points", "code before explanations", "detailed explanations", "British spelling", "small pull requests", "tables over prose")
	list(t, "thing", "staging dashboard", "incident runbook", "API documentation", "design board", "on-call schedule", "error tracker", "load test results", "style guide")
	list(t, "place", "the Linear project INGEST", "#ops-alerts", "Notion under Engineering", "the infra wiki", "the docs/adr folder", "Jira project SHOP", "Confluence space PLAT", "the #deploys channel")
	list(t, "person", "Olena", "Marek", "Priya", "Tom", "Anna from platform", "Jonas")
	list(t, "area", "the billing code", "the auth service", "the CI pipelines", "the data warehouse", "the mobile app", "the design system")
	list(t, "event", "release freeze", "v3 launch", "security audit", "client demo", "database migration", "pen test", "load test", "API sunset")
	for _, p := range [][2]string{
		{"main branch", "trunk"},
		{"minimum Node version", "20.11"},
		{"default port", "8087"},
		{"line length limit", "110"},
		{"release branch", "release/2.x"},
		{"test framework", "pytest"},
		{"target Python version", "3.12"},
		{"coverage threshold", "85%"},
		{"deployment region", "eu-central-1"},
		{"log format", "JSON lines"},
	} {
		t["attr"] = append(t["attr"], one(p[1], "attr", p[0], "value", p[1]))
	}
	shared(t)
}

func ukrainian(t map[string][]value) {
	for _, p := range [][2]string{
		{"тестова база", "sslmode=require"},
		{"API платежів", "заголовок X-Tenant"},
		{"сервіс пошуку", "4 ГБ пам'яті"},
		{"імпортер", "LC_ALL=C.UTF-8"},
		{"мобільна збірка", "JDK 17"},
		{"поштовий воркер", "SMTP_HOST"},
	} {
		t["svc"] = append(t["svc"], one(p[1], "svc", p[0], "need", p[1]))
	}
	for _, p := range [][4]string{
		{"запускай `make lint` перед комітом", "запускати `make lint` перед комітом", "запускаємо `make lint` перед комітом", "make lint"},
		{"пиши коментарі українською", "писати коментарі українською", "пишемо коментарі українською", "українською"},
		{"питай перед видаленням файлів", "питати перед видаленням файлів", "питаємо перед видаленням файлів", "видаленням"},
		{"клади нові ендпоінти в api/v2", "класти нові ендпоінти в api/v2", "кладемо нові ендпоінти в api/v2", "api/v2"},
		{"оновлюй CHANGELOG.md", "оновлювати CHANGELOG.md", "оновлюємо CHANGELOG.md", "CHANGELOG"},
		{"додавай типи до публічних функцій", "додавати типи до публічних функцій", "додаємо типи до публічних функцій", "типи"},
	} {
		t["do"] = append(t["do"], one(p[3], "do", p[0], "doinf", p[1], "dowe", p[2]))
	}
	for _, p := range [][4]string{
		{"пуш напряму в main", "пушити напряму в main", "пушимо напряму в main", "напряму в main"},
		{"редагуй згенеровані файли", "редагувати згенеровані файли", "редагуємо згенеровані файли", "згенеровані файли"},
		{"логуй електронні адреси", "логувати електронні адреси", "логуємо електронні адреси", "електронні адреси"},
		{"додавай залежності без дозволу", "додавати залежності без дозволу", "додаємо залежності без дозволу", "залежності"},
		{"деплой у п'ятницю", "деплоїти у п'ятницю", "деплоїмо у п'ятницю", "п'ятницю"},
		{"чіпай теку vendor", "чіпати теку vendor", "чіпаємо теку vendor", "vendor"},
	} {
		t["ban"] = append(t["ban"], one(p[3], "ban", p[0], "baninf", p[1], "banwe", p[2]))
	}
	list(t, "habit", "додавати коментарі до кожного рядка", "ставити емодзі в комітах", "переказувати, що ти зробив", "переформатовувати цілі файли", "створювати зайві файли", "вибачатися щоразу")
	list(t, "role", "тестувальник", "аналітик даних", "бекенд-розробник", "інженер з безпеки", "технічний письменник", "дизайнер ігор")
	list(t, "skill", "Rust", "Kubernetes", "Go", "Terraform", "TypeScript", "SQL")
	list(t, "style", "короткі відповіді", "списки замість абзаців", "детальні пояснення", "маленькі коміти", "приклади коду", "таблиці")
	list(t, "thing", "дашборд стейджингу", "опис API", "графік чергувань", "трекер помилок", "макет", "гайд зі стилю")
	list(t, "place", "Linear, проєкт INGEST", "каналі #ops-alerts", "Notion, розділ Engineering", "теці docs/adr", "Jira, проєкт SHOP", "Confluence, простір PLAT")
	list(t, "person", "Олена", "Марек", "Андрій", "Ірина", "Тарас", "Соломія")
	list(t, "area", "білінг", "авторизацію", "мобільний застосунок", "сховище даних", "CI", "дизайн-систему")
	list(t, "event", "заморозка релізу", "запуск v3", "аудит безпеки", "демо для клієнта", "міграція бази", "навантажувальний тест")
	for _, p := range [][2]string{
		{"основна гілка", "trunk"},
		{"мінімальна версія Node", "20.11"},
		{"порт за замовчуванням", "8087"},
		{"ліміт довжини рядка", "110"},
		{"тестовий фреймворк", "pytest"},
		{"поріг покриття", "85%"},
	} {
		t["attr"] = append(t["attr"], one(p[1], "attr", p[0], "value", p[1]))
	}
	shared(t)
}

// shared are values that only distractors take.
func shared(t map[string][]value) {
	list(t, "file", "server.go", "src/app.ts", "handlers/user.py", "main.rs", "lib/cart.rb", "db/schema.sql")
	list(t, "ident", "parseConfig", "UserService", "retryLoop", "handle_upload", "cacheKey", "fetchOrders")
	list(t, "ident2", "loadConfig", "AccountService", "backoffLoop", "store_upload")
	list(t, "num", "42", "318", "8099", "7001")
}
