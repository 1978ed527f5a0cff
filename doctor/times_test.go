package doctor

import (
	"testing"
	"time"
)

func TestWordsThatHeldForAWhile(t *testing.T) {
	w := newTimeWords()
	tests := []struct{ name, text, want string }{
		{"a status at the end", "Release pending.", "release pending"},
		{"a status said of something", "The migration to v2 is still pending", "still pending"},
		{"a review that is waited for", "PR 41 is awaiting review", "awaiting review"},
		{"a relative day", "Yesterday the user moved the tests", "yesterday"},
		{"a relative week", "Marta is away next week", "next week"},
		{"some days ago", "The outage was 3 days ago", "3 days ago"},
		{"by a weekday", "The report must be sent by Friday", "by friday"},
		{"the end of a span", "Freeze until the end of the month", "until the end of the month"},
		{"for now", "Use the old endpoint for now", "for now"},
		{"not yet", "The queue is not yet deployed", "not yet deployed"},
		{"soon", "The v1 API will be removed soon", "will be removed soon"},
		{"work that goes on", "We are migrating to pnpm", "we are migrating"},
		{"a recent change", "The folder was recently renamed to core", "recently renamed"},
		{"Ukrainian: yesterday", "Вчора перенесли базу", "вчора"},
		{"Ukrainian: for now", "Поки що не чіпай міграції", "поки що"},
		{"Ukrainian: next week", "Реліз наступного тижня", "наступного тижня"},
		{"Ukrainian: not yet", "Гілка ще не влита", "ще не влита"},

		{"work in progress", "The importer is WIP", "wip"},
		{"what some commits are called", "Skip the hooks only for WIP commits on a branch of your own", ""},
		{"a queue of what is pending", "The worker retries pending jobs", ""},
		{"a state in code", "Orders begin in state `pending` and end in `done`", ""},
		{"a rule for such times", "When a release is pending, do not merge", ""},
		{"a rule for every week", "The rotation changes every week", ""},
		{"any moment", "Is a prompt loaded at the moment this must fire?", ""},
		{"an age in a rule", "Delete logs that are older than 30 days", ""},
		{"a plural of weekdays", "Releases go out on Fridays", ""},
		{"a dated relative word", "Since today (2026-11-01) the API is at v3", ""},
		{"what somebody says", `The button reads "next week"`, ""},
		{"the last week of any month", "Invoices go out in the last week of a month", ""},
		{"a date function", "The helper returns today's date", ""},
		{"progress that is a noun", "The progress bar hides on error", ""},
		{"a lock that is waited for", "The process waits for the lock", ""},
		{"a way", "There is no other way to start it", ""},
		{"now in a chain", "The parser now returns errors", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := w.bound(tt.text); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestDatesThatArePast(t *testing.T) {
	w := newTimeWords()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	written := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	tests := []struct{ name, text, want string }{
		{"by a day", "Ship the importer by 2026-02-01", "2026-02-01"},
		{"until a day", "Code freeze until March 5, 2026", "march 5, 2026"},
		{"a deadline", "Deadline: 5 March 2026", "5 march 2026"},
		{"due", "The audit report is due 2026-06-30", "2026-06-30"},
		{"will be", "v1 will be switched off on 2026-10-01", "2026-10-01"},
		{"switched off on a day", "The API of the old gateway is switched off on 2026-10-21.", "2026-10-21"},
		{"a day of the written-out month", "The certificate has to be replaced by 1 October 2026.", "1 october 2026"},
		{"an end", "The code freeze ends on October 28, 2026, after that Lisbon merges again.", "october 28, 2026"},
		{"a day in dots", "Customers have until 16.10.2026 to move to the new login.", "16.10.2026"},
		{"Ukrainian month", "Контракт з перевізником діє до 11 жовтня 2026 року.", "11 жовтня 2026"},
		{"Ukrainian", "Дедлайн 2026-03-15", "2026-03-15"},
		{"Ukrainian with dots", "Здати звіт до 15.03.2026", "15.03.2026"},

		{"a date that stands for something", "Valid until: a field of the coupon; 2020-01-01 means no end.", ""},
		{"a day to come", "Ship the importer by 2026-12-24", ""},
		{"today is not past", "Ship the importer by 2026-11-30", ""},
		{"what happened on a day", "Decided on 2026-02-01 to use Postgres", ""},
		{"since a day", "Since 2026-02-01 prices are in cents", ""},
		{"history when it was written", "Before 2024-05-01 the API was v1", ""},
		{"a date in code", "The fixture starts with `due 2026-02-01`", ""},
		{"a version that looks like a date", "Pin the image to 2026-02-01", ""},
		{"no date at all", "Port 20443 must be open", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, _ := w.deadline(tt.text, written, now); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestMattersOfANote(t *testing.T) {
	tests := []struct {
		name, lead, body string
		want             int
	}{
		{"three unrelated facts", "deploy-window When we deploy", "- Deploys happen on Tuesdays.\n- The billing service listens on port 8080.\n- Marta prefers short answers.\n", 3},
		{"one rule with its reason", "no-force-push Never force-push", "Never force-push to main.\n\n**Why:** history was lost once.\n\n**How to apply:** use a new commit.\n", 1},
		{"a list on one subject", "queue The queue keeps its order", "- The queue keeps its order.\n- The queue retries three times.\n- A dead job leaves the queue after a day.\n", 1},
		{"nothing", "x y", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := topics(tt.lead, tt.body); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}
