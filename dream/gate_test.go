package dream_test

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/dream"
)

// fate is what becomes of the older of statements that stand in a note each: kept,
// merged or superseded.
func fate(t *testing.T, texts ...string) dream.Fate {
	t.Helper()
	var in dream.Input
	for i, x := range texts {
		in.Notes = append(in.Notes, n(t, fmt.Sprintf("note-%c", 'a'+i), "project", fmt.Sprintf("2026-%02d-1%d", 1+i%9, i/9), "", x))
	}
	out := dream.Kept
	for _, row := range run(t, in).Rows {
		switch {
		case row.Field != "" || strings.HasPrefix(row.File, "MEMORY"):
		case row.Fate == dream.Superseded, row.Fate == dream.Merged && out == dream.Kept:
			out = row.Fate
		}
	}
	return out
}

func TestWhatDiffersDecidesWhetherAStatementGoes(t *testing.T) {
	t.Parallel()
	const k, m, s = dream.Kept, dream.Merged, dream.Superseded
	for _, tt := range []struct {
		older, newer string
		want         dream.Fate
	}{
		// Another word is another matter.
		{"The test suite is slow because of the menu.", "The test suite is slow because of the scanner.", k},
		{"Restart the worker after changing the config.", "Restart the server after changing the config.", k},
		{"If the build fails, clear the cache.", "If the tests fail, clear the cache.", k},
		{"The user asked to keep the old endpoint.", "The user asked to drop the old endpoint.", k},
		{"Add the header X-Trace to all requests.", "Remove the header X-Trace from all requests.", k},
		{"The customer accepted the second proposal.", "The customer declined the second proposal.", k},
		{"Міграція таблиці users завершена.", "Міграція таблиці orders завершена.", k},
		// So are the same words in other roles.
		{"Service A calls service B through the gateway.", "Service B calls service A through the gateway.", k},
		{"Anna reports to Oleh in the platform team.", "Oleh reports to Anna in the platform team.", k},
		{"Merge the feature branch into develop.", "Merge develop into the feature branch.", k},
		{"Staging is cheaper than production.", "Production is cheaper than staging.", k},
		{"Олена підпорядковується Івану.", "Іван підпорядковується Олені.", k},
		{"Спершу читай документацію, потім код.", "Спершу читай код, потім документацію.", k},
		{"Документацію пишемо до коду.", "Документацію пишемо після коду.", k},
		// And other amounts.
		{"All users can delete projects.", "Some users can delete projects.", k},
		{"Only admins can delete projects.", "Admins can delete projects.", k},
		{"The build takes 5 minutes.", "The build takes about 5 minutes.", k},
		{"Do not mock the database.", "Do not mock the database in integration tests.", k},
		// A name that is spelled otherwise is another one; two words are no slip.
		{"Maria and Oleh review the parser.", "Marina and Oleh review the parser.", k},
		{"The report lists sales for each country.", "The report lists sales for each county.", k},
		{"The module paths.go handles patents.", "The module paths.go handles patients.", k},
		{"All deployments need the approval of two engineers.", "All deplyoments need the approval of two engineers.", m},
		// The same of another thing is no contradiction, nor is what happened twice.
		{"The owner of billing is Olena.", "The owner of report is Olena.", k},
		{"Ivan maintains `billing`.", "Ivan maintains `importer`.", k},
		{"За billing відповідає Олена.", "За search відповідає Олена.", k},
		{"Error code 17 means that the disk is full.", "Error code 71 means that the disk is full.", k},
		{"Release 2.3 fixed the memory leak.", "Release 2.4 fixed the memory leak.", k},
		{"Tomas broke the build on 2026-03-01.", "Tomas broke the build on 2026-04-01.", k},
		{"We rejected GraphQL because of caching.", "We rejected gRPC because of caching.", k},
		{"Bump the version in package.json.", "Bump the version in Cargo.toml.", k},
		{"Log files are in /var/log/app.", "Log files are in /var/log/nginx.", k},
		{"Never push to main.", "Never push to main without review.", k},
		// What one can hold alone.
		{"The API listens on port 8080.", "The API listens on port 8081.", s},
		{"Alice owns the billing service.", "Bob owns the billing service.", s},
		{"The default branch is main.", "The default branch is master.", s},
		{"Always run the tests before pushing.", "Never run the tests before pushing.", s},
		{"We set the timeout for parcel-worker to 825 seconds.", "parcel-worker waits 766 seconds before it times out.", s},
		{"The backup of invoice runs at 17:16.", "invoice backups run daily at 10:36.", s},
		{"Changes to `conf/app.yml` of gateway-sync need my approval.", "Never ask before touching `conf/app.yml` in gateway-sync.", s},
		{"Команда тестів survey: `make check`", "Тести survey запускає `make verify`.", s},
		// The same in other words.
		{"Port of billing: 3310", "billing listens on port 3310.", m},
		{"Logs of quarry are kept for 30 days.", "quarry retains logs for 30 days.", m},
		{"Never run the full test suite locally.", "Do not run all tests on this machine.", m},
		{"Backend tests need Docker.", "Backend tests need Docker, and the docs say so.", m},
	} {
		if got := fate(t, tt.older, tt.newer); got != tt.want {
			t.Errorf("%q and then %q: %s, want %s", tt.older, tt.newer, got, tt.want)
		}
	}
}

func TestOneStatementAboutManyThingsIsThatMany(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"The owner of {} is Olena.", "Ivan maintains `{}`.", "За {} відповідає Олена.", "Errors in {} are reported to the on-call engineer by mail.",
		"The {} module was rewritten in Go last year.", "{} sends mail through SES.", "Кеш сервісу {} очищуємо щоночі.",
	} {
		var texts []string
		for x := range strings.FieldsSeq("billing search auth gateway mailer parser") {
			texts = append(texts, strings.ReplaceAll(form, "{}", x))
		}
		if got := fate(t, texts...); got != dream.Kept {
			t.Errorf("%s: %s", form, got)
		}
	}
}

func TestWhatNobodyContradictsStays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ note, newer, stays string }{
		{"Releases are signed by Olena. The signing host is alpha.", "The signing host is beta.", "Releases are signed by Olena."},
		{"- Releases are signed by Olena.\n- The signing host is alpha.", "The signing host is beta.", "Releases are signed by Olena."},
		{"Payments go through Stripe. The payment port is 8080. Refunds are done by hand.", "The payment port is 8081.", "Refunds are done by hand."},
		{"The staging database is PostgreSQL 14. Olena has the password. Backups run at 02:00.", "The staging database is PostgreSQL 16.", "Olena has the password."},
	} {
		r := run(t, dream.Input{Notes: []dream.Note{n(t, "a", "project", "2026-03-01", "", tt.note), n(t, "b", "project", "2026-06-01", "", tt.newer)}})
		gone := 0
		for _, row := range r.Rows {
			switch {
			case row.Field != "":
			case row.Claim == tt.stays && row.Gone:
				t.Errorf("%q: gone, %s by %v", row.Claim, row.Why, row.By)
			case row.Fate == dream.Superseded:
				gone++
			}
		}
		if gone != 1 {
			t.Errorf("%q: %d statements superseded, want 1", tt.note, gone)
		}
	}
}
