package claim

import "testing"

func TestHowTwoStatementsRelate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, a, b string
		want       Kind
	}{
		{"two package managers", "Use npm for installs.", "Always use pnpm.", Conflict},
		{"an attribute of a thing is no choice of it", "Always use pnpm.", "CI cache key must include the npm version", None},
		{"nor the same thing", "Use npm for installs.", "CI cache key must include the npm version", None},
		{"one rule in other words", "never run the full test suite locally", "do not run all tests on this machine", Same},
		{"as a field", "never run the full test suite locally", "full test suite locally: no", Same},
		{"as a field, the other", "do not run all tests on this machine", "full test suite locally: no", Same},
		{"another place", "never run the full test suite locally", "run the full test suite in CI before merge", Complement},
		{"real or in memory", "integration tests must use a real database", "from now on use the in-memory DB for tests", Conflict},
		{"ports", "The API listens on port 8080", "API port: 9090", Conflict},
		{"ports of two services", "The billing service listens on port 8080", "The search service listens on port 9090", Complement},
		{"a place more", "The database port is 5432", "The staging database port is 5433", Complement},
		{"timeouts in other units", "Requests time out after 30 seconds", "Request timeout: 30s", Same},
		{"timeouts", "Requests time out after 30 seconds", "Request timeout: 1m", Conflict},
		{"indentation", "Indent with tabs", "Use 2 spaces for indentation", Conflict},
		{"owners", "Marta owns billing", "Jonas owns billing", Conflict},
		{"owners as fields", "The billing owner is Marta", "Billing owner: Jonas", Conflict},
		{"what each has of its own", "Castor keeps test data of its own in the sandbox.", "Delphin keeps test data of its own in the sandbox.", None},
		{"owners of two things", "The billing owner is Marta", "The search owner is Jonas", None},
		{"default branch", "The default branch is main", "Default branch: master", Conflict},
		{"deadlines", "Release is due 2026-12-01", "The deadline for the release is 2026-12-15", Conflict},
		{"on and off", "Telemetry is enabled by default", "Disable telemetry", Conflict},
		{"allowed and forbidden", "Force pushes to main are forbidden", "You may force push to main", Conflict},
		{"required and optional", "Signed commits are required", "Signed commits are optional", Conflict},
		{"before and after", "Run the linter before the tests", "Run the linter after the tests", Conflict},
		{"turned round", "Run the linter before the tests", "Run the tests before the linter", Conflict},
		{"the same turned round twice", "Run the linter before the tests", "Run the tests after the linter", Same},
		{"commands", "Run the tests with `make test`", "Tests: npm test", Conflict},
		{"folders", "Migrations live in db/migrations", "Migrations are kept in sql/changes", Conflict},
		{"versions", "We are on Node 18", "Node version: 20", Conflict},
		{"comments in two languages", "Write code comments in English", "Коментарі в коді пишемо українською", Conflict},
		{"X is Y of two kinds", "The parser is fast", "The parser is recursive", None},
		{"word for word", "Use **pnpm**.", "use pnpm", Exact},
		{"not only then", "We previously used npm", "Use pnpm", None},
		{"Ukrainian ports", "API слухає порт 8080", "Порт API: 9090", Conflict},
		{"Ukrainian polarity", "Ніколи не коміть секрети", "Коміть секрети", Conflict},
		{"Ukrainian choice", "Використовуй npm", "Завжди бери pnpm для встановлення пакетів", Conflict},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, back := Compare(tt.a, tt.b), Compare(tt.b, tt.a)
			if got.Kind != tt.want {
				t.Errorf("%q and %q: got %v (%s), want %v", tt.a, tt.b, got.Kind, got.Why, tt.want)
			}
			if back.Kind != got.Kind {
				t.Errorf("%v one way, %v the other (%s)", got.Kind, back.Kind, back.Why)
			}
		})
	}
}
