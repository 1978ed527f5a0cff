package claim

import (
	"fmt"
	"slices"
	"testing"
)

func TestWhatOnlyLooksLikeAnotherValueIsNoConflict(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, a, b string }{
		{"two customers", "Castor reads the audit log within 30 days.", "Delphin reads the audit log within 10 days."},
		{"two contracts", "За угодою 303 чек зберігається 30 днів.", "За угодою 306 чек зберігається 60 днів."},
		{"one number that names the subject", "Contract 303 needs a countersign.", "Contract 306 needs a countersign."},
		{"two limits by their headlines", "Limit of the address vendor", "Memory limit of the pods"},
		{"two types", "`OrderTopic7` reads the object before the cohort of token 559.", "`PriceCache9` reads the cohort before the handler of token 244."},
		{"numbers of a series", "the release ledger of migration 1", "the release ledger of migration 345"},
		{"subject and object exchanged", "The queue keeps 80 cursor items.", "The cursor keeps 20 queue items."},
		{"what is counted differs", "The replica keeps 70 column items per trigger.", "The replica keeps 20 queue items per trigger."},
		{"another object that is mocked", "Don't mock the database in tests.", "The mail server is mocked in tests."},
		{"two pointers", "See `Load` in `a/load.go`.", "See `Save` in `b/save.go`."},
		{"a reason", "**Why:** the table lost a shard once in 2024.", "**Why:** the table lost a shard once in 2025."},
		{"roles exchanged without a value", "The importer waits for the indexer.", "The indexer waits for the importer."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Compare(tt.a, tt.b); got.Kind >= Within {
				t.Errorf("%s (%s)", got.Kind, got.Why)
			}
		})
	}
}

func TestWhatIsOrderedAnotherWayIsAConflict(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, a, b string }{
		{"a real and an in-memory database", "Integration tests use a real Postgres database.", "From now on use an in-memory database for tests."},
		{"the same the other way round", "Tests run against an in-memory database.", "From now on the tests use the real database."},
		{"another place in the place of the one that is denied", "Deploy only from main.", "Deploy from the release branch, not from main."},
		{"only and not", "Only deploy from main.", "Do not deploy from main."},
		{"line length", "Lines are at most 100 characters.", "The line length limit is 120 characters."},
		{"never and after every", "Never force-push.", "Force-push after every rebase."},
		{"two ways to write time", "Timestamps are ISO 8601 strings in UTC.", "Timestamps are Unix seconds."},
		{"enough and needed", "Every change needs two approvals.", "One approval is enough for a change."},
		{"a verb and a noun for what is measured", "The gateway returns 20 items per page.", "Page size of the gateway: 50"},
		{"Ukrainian verb and noun", "Спринт триває два тижні.", "Довжина спринту: три тижні"},
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

func TestLongerStatementsInOtherWordsAreTheSame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"during and in", "Never run the load generator during office hours.", "Never run the load generator in office hours.", true},
		{"otherwise and else", "The export must be finished before 05:30, otherwise the bank drops it.", "The export has to be finished before 05:30, else the bank drops it.", true},
		{"nothing but and only", "The scanner reads nothing but code 128.", "The scanner only reads code 128.", true},
		{
			"another order and two other words", "Every Sunday the staging database gets replaced by the nightly dump and test accounts vanish.",
			"The staging database is restored from the nightly dump each Sunday, so test accounts are lost.", true,
		},
		{
			"the same order and two other words", "The demo database is restored from the weekly dump on Sunday, so demo accounts vanish.",
			"The staging database is restored from the nightly dump on Sunday, so test accounts vanish.", false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Compare(tt.a, tt.b); (got.Kind == Same) != tt.same {
				t.Errorf("%s (%s)", got.Kind, got.Why)
			}
		})
	}
}

// Two notes may tell of one port twice; eight tell of eight ports.
func TestASeriesOfStatementsIsNoConflict(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{2: true, 3: true, seriesLength: false, 8: false} {
		var sources []Source
		for i := range n {
			sources = append(sources, Source{Name: fmt.Sprintf("%d.md", i), Text: fmt.Sprintf("The billing gateway listens on port %d.", 4000+i)})
		}
		got := slices.ContainsFunc(Across(sources).Pairs, func(p Pair) bool { return p.Kind == Conflict })
		if got != want {
			t.Errorf("%d statements: a conflict is told: %v", n, got)
		}
	}
}

func TestHeadlinesAloneMakeNoDuplicate(t *testing.T) {
	t.Parallel()
	got := told([]Source{
		{Name: "a.md", Lead: "Limit of the address vendor", Text: "Ten requests a second."},
		{Name: "b.md", Lead: "Limit of the address vendor, live contract", Text: "The contract was signed by Rui."},
		{Name: "c.md", Lead: "Limit of the address vendor", Text: "Ask Lena."},
	})
	if len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// That a note is all that a rule says must not hide which line of the rule it is.
func TestANoteThatIsAWholeRuleIsPairedWithItsLine(t *testing.T) {
	t.Parallel()
	got := told([]Source{{Name: "house.md", Text: "# House\n\nLabels are sent as pictures.\n", Fixed: true}, {Name: "note.md", Text: "Labels are sent as pictures.\n"}})
	want := []string{`exact: house.md "Labels are sent as pictures.", note.md "Labels are sent as pictures."`, "twins, exact: house.md, note.md"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestALineThatBeginsAnewIsAStatementOfItsOwn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"behind a short line", "See @docs/x.md\nNever use tabs; use two spaces.\n", []string{"1 See @docs/x.md", "2 Never use tabs; use two spaces."}},
		{"not where the first is wrapped", "The gateway is looked after by the team of\nMarta in Lisbon.\n", []string{"1 The gateway is looked after by the team of Marta in Lisbon."}},
		{"not behind a comma", "On Fridays,\nMarta deploys the gateway and the worker.\n", []string{"1 On Fridays, Marta deploys the gateway and the worker."}},
		{"not with a small letter", "See the docs\nbefore you touch the gateway or the worker.\n", []string{"1 See the docs before you touch the gateway or the worker."}},
		{"in Ukrainian", "Див. docs/x.md\nНіколи не коміть секрети в репозиторій.\n", []string{"1 Див. docs/x.md", "2 Ніколи не коміть секрети в репозиторій."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range Split(tt.text) {
				got = append(got, fmt.Sprint(c.Line, " ", c.Text))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q", got)
			}
		})
	}
}
