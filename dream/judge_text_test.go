package dream

import (
	"strings"
	"testing"
)

// TestWhatAModelCallsTheSameHasTheSameWords: "" is of a pair that says the same.
func TestWhatAModelCallsTheSameHasTheSameWords(t *testing.T) {
	for name, c := range map[string][3]string{
		"a rollout is a deploy, and green is passed": {"Deploys to production are done on Tuesday by the platform team after the smoke tests pass.", "The platform team rolls out to production every Tuesday once smoke tests are green.", ""},
		"passive and active are the same":            {"The payment gateway is called by the billing proxy.", "The billing proxy calls the payment gateway.", ""},
		"a rhythm in one word and in two":            {"Reports are printed nightly.", "Reports are printed every night.", ""},
		"another order of a condition":               {"If the build fails, call Olena.", "Call Olena if the build fails.", ""},

		"only admins are not all admins":      {"Усі адміни можуть видаляти проєкти.", "Тільки адміни можуть видаляти проєкти.", "binds"},
		"half is not all":                     {"Half of the invoices are sent at night.", "The invoices are all sent at night.", "binds"},
		"at least is not at most":             {"The import takes at least five minutes.", "The import takes at most five minutes.", "binds"},
		"more than is not less than":          {"The queue holds more than 100 jobs.", "The queue holds less than 100 jobs.", "binds"},
		"some are not most":                   {"Some clients retry.", "Clients mostly retry.", "binds"},
		"every second sprint is no sprint":    {"Every second sprint has a demo.", "Every sprint has a demo.", "binds"},
		"may is not done":                     {"The worker may drop the job.", "The worker drops the job.", "binds"},
		"before is not after":                 {"Перед перевіркою команда викочує сервіс.", "Команда викочує сервіс після перевірки.", "binds"},
		"until is not after":                  {"Keep the flag until the migration.", "Keep the flag after the migration.", "binds"},
		"unless is not if":                    {"Merge it if Olena objects.", "Merge it unless Olena objects.", "binds"},
		"what all is said of is another word": {"All tests of some services run.", "Some tests of all services run.", "binds"},
		"what is denied is another word":      {"Do not deploy, run the tests.", "Deploy, do not run the tests.", "binds"},
		"kept is not deleted":                 {"The nightly job keeps the old reports.", "The nightly job deletes the old reports.", "opposite"},
		"enabled is not disabled":             {"The flag enables the cache.", "The flag disables the cache.", "opposite"},
		"who calls is not who is called":      {"The billing proxy calls the payment gateway.", "The payment gateway calls the billing proxy.", "order"},
		"whose number is whose":               {"The worker gets 4 cores and the proxy 2.", "The worker gets 2 cores and the proxy 4.", "order"},
		"what comes first":                    {"After the tests pass, the team deploys.", "After the team deploys, the tests pass.", "binds"},
		"rotated is not stored":               {"Logs are rotated every day.", "Logs are stored every day.", "only in one"},
		"a habit is not another habit":        {"Every sprint the team pays back technical debt.", "Every sprint the team shows its work.", "only in one"},
	} {
		r := newReader()
		for _, p := range [][2]string{{c[0], c[1]}, {c[1], c[0]}} {
			if why := r.unlike(p[0], p[1]); why != "" && c[2] == "" || !strings.Contains(why, c[2]) {
				t.Errorf("%s: %q and %q: %q, not %q", name, p[0], p[1], why, c[2])
			}
			if got, want := r.contrast(p[0], p[1]), c[2] != ""; got != want {
				t.Errorf("%s: %q and %q contradict each other: %t", name, p[0], p[1], got)
			}
		}
	}
}

func TestATextOfAModelSaysWhatItsStatementsSay(t *testing.T) {
	calls := []string{"The billing proxy calls the payment gateway directly.", "The payment gateway is called by the billing proxy at night."}
	for name, c := range map[string]struct {
		from      []string
		text, why string
	}{
		"all that both say":               {calls, "The billing proxy calls the payment gateway directly at night.", ""},
		"the passive of one":              {calls, "At night the payment gateway is called directly by the billing proxy.", ""},
		"who calls stays who calls":       {calls, "The payment gateway calls the billing proxy directly at night.", "order"},
		"who calls in the passive":        {calls, "The billing proxy is called directly by the payment gateway at night.", "order"},
		"what one only says is not lost":  {calls, "The billing proxy calls the payment gateway directly.", "night"},
		"nothing is added":                {calls, "The billing proxy calls the payment gateway directly at night and retries.", "no statement"},
		"a form of a word is the word":    {[]string{"Ivan maintains the parser.", "Parsers of the team are maintained by Ivan."}, "Ivan maintains the parsers of the team.", ""},
		"a condition goes with its thing": {[]string{"Restart the worker if the queue is full.", "If the queue is full, restart the worker and mail Olena."}, "Mail Olena if the worker is full, and restart the queue.", "binds"},
	} {
		if why := newReader().made(c.from, c.text); why != "" && c.why == "" || !strings.Contains(why, c.why) {
			t.Errorf("%s: %q, not %q", name, why, c.why)
		}
	}
}

func TestOfTwoThingsBothCanHold(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		can  bool // contradict each other
	}{
		"another value":                      {"The owner of billing is Olena Koval.", "The owner of billing is Ivan Bondar.", true},
		"another number":                     {"Logs are kept for 30 days.", "Logs are kept for 14 days.", true},
		"another value in other words":       {"The staging database is Postgres.", "We moved the staging database to MySQL last week.", true},
		"two persons, one town":              {"Olena Koval works in Lviv.", "Ivan Bondar works in Lviv.", false},
		"two persons, two towns":             {"Olena Koval works in Lviv.", "Ivan Bondar works in Odesa.", false},
		"two of one first name, two editors": {"Тарас Савчук редагує код у WebStorm.", "Тарас Юрченко редагує код у Lapce.", false},
		"two services, two numbers":          {"The proxy keeps its logs for 7 days.", "The gateway keeps its logs for 30 days.", false},
		"what one does another never does":   {"Olena deploys on Fridays.", "Ivan never deploys on Fridays.", false},
		"one says more":                      {"Reports are printed on paper.", "Reports are printed on paper and signed.", false},
	} {
		for _, p := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := newReader().contrast(p[0], p[1]); got != c.can {
				t.Errorf("%s: %q and %q: %t", name, p[0], p[1], got)
			}
		}
	}
}

// FuzzReading: a statement says what it says itself, and which of two comes first
// makes no difference.
func FuzzReading(f *testing.F) {
	f.Add("The payment gateway is called by the billing proxy.", "Тільки адміни можуть видаляти проєкти, коли черга повна.")
	f.Add("after before, until `x y` every every", "\x1f, ; — \xff ’s by the by is by")
	f.Add("At least two of 3, at most; only", "")
	r := newReader()
	f.Fuzz(func(t *testing.T, a, b string) {
		if why := r.unlike(a, a); why != "" && len(a) <= maxCompared {
			t.Errorf("%q is not what it is: %s", a, why)
		}
		if r.contrast(a, a) {
			t.Errorf("%q contradicts itself", a)
		}
		if r.contrast(a, b) != r.contrast(b, a) || (r.unlike(a, b) == "") != (r.unlike(b, a) == "") {
			t.Errorf("%q and %q: the order counts", a, b)
		}
		if len(a)+len(b) <= 600 { // longer ones are refused before
			r.made([]string{a, b}, a+" "+b)
		}
	})
}
