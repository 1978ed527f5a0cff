package claim

import "testing"

func TestWhatIsNamedByAnotherDesignatorIsAnotherThing(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, a, b string }{
		{"codes of regions", "The EU cluster has 3 nodes.", "The US cluster has 5 nodes."},
		{"letters behind the noun", "Team A has 3 people.", "Team B has 5 people."},
		{"letters before the noun", "The A environment keeps 3 replicas.", "The B environment keeps 5 replicas."},
		{"versions of an interface", "API v1 has a limit of 100 requests.", "API v2 has a limit of 500 requests."},
		{"numbers behind the noun", "Queue 1 retries 3 times.", "Queue 2 retries 5 times."},
		{"old and new", "The old API has a limit of 100 requests.", "The new API has a limit of 500 requests."},
		{"first and second", "The first region has 3 zones.", "The second region has 5 zones."},
		{"primary and secondary", "The primary database keeps 10 backups.", "The secondary database keeps 3 backups."},
		{"environments", "The dev database runs MySQL.", "The prod database runs Postgres."},
		{"environments the other way round", "The database in dev is MySQL.", "The database in prod is Postgres."},
		{"letters that are written small", "team a has 3 people", "team b has 5 people"},
		{"regions that are written small", "eu cluster has 3 nodes", "us cluster has 5 nodes"},
		{"a number and another word", "Server 1 runs nginx.", "Server 2 runs Redis."},
		{"a number and another port", "Server 1 listens on 8080.", "Server 2 listens on 9090."},
		{"buildings", "Building 1 has 5 floors.", "Building 2 has 7 floors."},
		{"versions behind of", "Rate limit of v1: 100", "Rate limit of v2: 500"},
		{"servers by number", "Server web1 has 8 GB.", "Server web2 has 16 GB."},
		{"servers with a hyphen", "Server web-1 has 8 GB.", "Server web-2 has 16 GB."},
		{"offices of two cities", "The NY office closes at 17:00.", "The LA office closes at 18:00."},
		{"pools", "Node pool A runs Ubuntu.", "Node pool B runs Debian."},
		{"systems of two phones", "The iOS app needs two reviewers.", "The Android app needs three reviewers."},
		{"tiers", "The free plan allows 3 projects.", "The paid plan allows 20 projects."},
		{"internal and external", "The internal API times out after 30 seconds.", "The external API times out after 5 seconds."},
		{"Ukrainian letters", "Команда А має 3 людини.", "Команда Б має 5 людей."},
		{"Ukrainian old and new", "Старий API має ліміт 100 запитів.", "Новий API має ліміт 500 запитів."},
		{"two protocols", "Port 80 is for http.", "Port 443 is for https."},
		{"two protocols as fields", "HTTP port: 80", "HTTPS port: 443"},
		{"unit and integration tests", "Never mock the database in integration tests.", "Unit tests may mock the database; integration tests must not."},
		{"answers and comments", "Always answer in Ukrainian when the user writes Ukrainian.", "Comments in code are in English."},
		{"where and by what", "Use Docker for the tests.", "Тести запускати через pytest."},
		{"there and elsewhere", "Use yarn in the legacy folder.", "Use pnpm elsewhere."},
		{"two pointers", "See [[x]].", "See @docs/api.md."},
		{"two bodies", "body seven", "body nine"},
		{"two stages in one sentence", "Do not run terraform apply on stage without asking; on dev go ahead.", "Terraform apply on dev is fine."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, back := Compare(tt.a, tt.b), Compare(tt.b, tt.a)
			if got.Kind >= Within {
				t.Errorf("%s (%s)", got.Kind, got.Why)
			}
			if back.Kind != got.Kind {
				t.Errorf("%s one way, %s the other", got.Kind, back.Kind)
			}
			if found := Find(tt.a, []Source{{Name: "b.md", Text: tt.b}}); found[0].Kind >= Within {
				t.Errorf("a search says %s (%s)", found[0].Kind, found[0].Why)
			}
		})
	}
}

func TestADesignatorThatBothShareSetsNothingApart(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, a, b string }{
		{"one region", "The EU cluster has 3 nodes.", "The EU cluster has 5 nodes."},
		{"one team", "Team A has 3 people.", "Team A has 5 people."},
		{"one version", "API v1 has a limit of 100 requests.", "API v1 has a limit of 500 requests."},
		{"one queue", "Queue 1 retries 3 times.", "Queue 1 retries 5 times."},
		{"versions as what is said", "We are on Node 18.", "Node version: 20"},
		{"a verb before an article", "Queue a job with 3 retries.", "Queue a job with 5 retries."},
		{"Ukrainian", "Команда А має 3 людини.", "Команда А має 5 людей."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Compare(tt.a, tt.b); got.Kind != Conflict {
				t.Errorf("%s (%s)", got.Kind, got.Why)
			}
		})
	}
}
