package dream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dormouse/dream"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

func TestWhatStaysOfANoteReadsByItself(t *testing.T) {
	for _, c := range []struct{ name, old, new, hangs, without string }{
		{"the other one", "The API listens on port 8080. This is why the proxy forwards 8080. The other one is on 9000.", "The API listens on port 8081.", "The other one", "8080"},
		{"it, in a quotation", "> The default region is eu-west-1.\n> It was chosen for cost.\n\nThe linter is golangci-lint.", "The default region is us-east-1.", "It was chosen", "eu-west-1"},
		{"point 1", "1. The default language is Go 1.21.\n2. The linter is golangci-lint.\n\nSee point 1 above.", "The default language is Go 1.25.", "See point 1", "1.21"},
		{"its, in a list", "The mail queue has these parts:\n\n- the broker is RabbitMQ 3.12\n- its workers run on host w1\n- the limit is 5 jobs", "The broker is RabbitMQ 3.13.", "its workers", "3.12"},
		{"both", "The pool size is 10.\n\nThe retry limit is 3.\n\nBoth are set in `conf.yaml`.", "The pool size is 20.", "Both are", "size is 10"},
		{"third", "First, the retry limit is 3. Second, the pool size is 10. Third, both are set in `conf.yaml`.", "The pool size is 20.", "Third,", "size is 10"},
		{"therefore", "The staging host is alpha. Clients are slow.\n\nThe gateway timeout is 30 s.\n\nTherefore nobody waits.", "The gateway timeout is 60 s.", "Therefore nobody", "30 s"},
		{"these parts:", "The team is in Kyiv.\n\nThe staging host is one of these:\n\n- the staging host is alpha", "The staging host is beta.", "one of these:", "is alpha"},
		{"вони", "Порт сервера 8080. Вони обрали його торік.\n\nКоманда працює у Києві.", "Порт сервера 8081.", "Вони обрали", "8080"},
	} {
		in := dream.Input{Notes: []dream.Note{n(t, "old", "project", "2026-03-01", "s1", c.old), n(t, "new", "project", "2026-06-01", "s2", c.new)}}
		r := run(t, in)
		for _, f := range r.Files {
			if body := string(note.Parse(f.Bytes).Body()); strings.Contains(body, c.hangs) && !strings.Contains(body, c.without) {
				t.Errorf("%s hangs in the air:\n%s", c.name, body)
			}
		}
	}
}

func TestWhatStandsByItselfStaysBesideWhatGoes(t *testing.T) {
	for _, stays := range []string{
		"This repository is built with make.", "Also, invoices are sent in March.", "Ця команда працює у Києві.", "When TRACE is set, the server prints SQL.", "The linter is golangci-lint.",
	} {
		old := n(t, "old", "project", "2026-03-01", "s1", "The staging host is alpha.\n\n"+stays+"\n\nMarta prefers short answers in reviews.")
		r := run(t, dream.Input{Notes: []dream.Note{old, n(t, "new", "project", "2026-06-01", "s2", "The staging host is beta.")}})
		var all strings.Builder
		for _, f := range r.Files {
			all.Write(f.Bytes)
		}
		if got := all.String(); !strings.Contains(got, stays) || strings.Contains(got, "is alpha") {
			t.Errorf("beside %q:\n%s", stays, got)
		}
	}
}

func TestWhatAPersonTookBackGoesWithItsReason(t *testing.T) {
	said := n(t, "port", "project", "2026-03-01", "s1", "The API listens on port 8080. It was chosen because the proxy wants it.\n\nInvoices are sent on the first of the month.")
	said.Origin = trust.UserTurn
	back := extract.Candidate{Kind: extract.Retraction, Text: "The API listens on port 8080.", Confidence: 1, Origin: transcript.Person, Session: "s2", Line: 3, Time: said.At.AddDate(0, 1, 0)}
	r := run(t, dream.Input{Notes: []dream.Note{said}, Said: []extract.Candidate{back}})
	if got := text(r, "port.md"); strings.Contains(got, "It was chosen") || !strings.Contains(got, "Invoices are sent") {
		t.Errorf("port.md says\n%s", got)
	}
}

func TestANumberedListCountsOnWhereAnItemWent(t *testing.T) {
	for _, c := range [][3]string{
		{"1. The default language is Go 1.21.\n2. The linter is golangci-lint.\n3. The team is in Kyiv.", "The default language is Go 1.25.", "1. The linter is golangci-lint.\n2. The team is in Kyiv."},
		{"# Setup\n\n1. The linter is golangci-lint.\n2. The default language is Go 1.21.\n\n3. The team is in Kyiv.\n   It has nine members.\n4. Invoices are sent in March.\n\nIn 2019 it began.", "The default language is Go 1.25.", "# Setup\n\n1. The linter is golangci-lint.\n\n2. The team is in Kyiv.\n   It has nine members.\n3. Invoices are sent in March.\n\nIn 2019 it began."},
		{"1. The linter is golangci-lint.\n1. The default language is Go 1.21.\n1. The team is in Kyiv.", "The default language is Go 1.25.", "1. The linter is golangci-lint.\n1. The team is in Kyiv."},
		{"7. The default language is Go 1.21.\n8. The team is in Kyiv.\n\n8. The linter is golangci-lint.", "The default language is Go 1.25.", "7. The team is in Kyiv.\n\n8. The linter is golangci-lint."},
	} {
		in := dream.Input{Notes: []dream.Note{n(t, "old", "project", "2026-03-01", "s1", c[0]), n(t, "new", "project", "2026-06-01", "s2", c[1])}}
		if got := strings.TrimSpace(string(note.Parse([]byte(text(run(t, in), "old.md"))).Body())); got != c[2] {
			t.Errorf("%q became\n%s\nwant\n%s", c[0], got, c[2])
		}
	}
}

func TestAHeadingThatGoesIsInTheLedgerAndInTheArchive(t *testing.T) {
	const head = "# Only until the move to Lviv in May"
	old := n(t, "old", "project", "2026-03-01", "s1", "# Billing\n\nThe billing owner is Olena.\n\n# Kept empty\n\n"+head+"\n\n- [x] The staging host is alpha.")
	r := run(t, dream.Input{Notes: []dream.Note{old, n(t, "new", "project", "2026-06-01", "s2", "The staging host is beta.")}})
	if got := text(r, "old.md"); strings.Contains(got, head) || !strings.Contains(got, "# Kept empty") {
		t.Errorf("old.md says\n%s", got)
	}
	var row *dream.Row
	for i := range r.Rows {
		if r.Rows[i].Claim == head {
			row = &r.Rows[i]
		}
	}
	if row == nil || !row.Gone || row.Fate != dream.Superseded || row.By == nil {
		t.Fatalf("the ledger says of the heading: %+v", row)
	}
	if line := strings.Split(string(old.Bytes), "\n")[row.Line-1]; line != head {
		t.Errorf("line %d is %q", row.Line, line)
	}
	i := slices.IndexFunc(r.Archive, func(a dream.Archive) bool { return a.Rel == row.To })
	if i < 0 || !strings.Contains(string(r.Archive[i].Bytes), head+"\n\n- [x] The staging host is alpha.\n") {
		t.Errorf("the archive has not the item as it stood: %v", r.Archive)
	}
}

func TestWhatDecidedStandsOrTheRowSaysWhereItIs(t *testing.T) {
	in := dream.Input{Notes: []dream.Note{
		n(t, "a", "project", "2026-03-01", "s1", "The billing database listens on port 5431."),
		n(t, "b", "project", "2026-04-01", "s1", "The billing database listens on port 5432."),
		n(t, "c", "project", "2026-05-01", "s1", "The billing database listens on port 5433."),
		n(t, "d", "project", "2026-05-01", "s1", "The billing database listens on port 5433!"),
	}}
	r := run(t, in)
	stands := map[string]bool{}
	for _, row := range r.Rows {
		if !row.Gone {
			stands[fmt.Sprint(row.File, row.Line, row.Claim)] = true
		}
	}
	for _, row := range r.Rows {
		if row.By != nil && !stands[fmt.Sprint(row.By.File, row.By.Line, row.By.Claim)] {
			t.Errorf("%s:%d went for %v, which is gone itself", row.File, row.Line, row.By)
		}
	}
}

func TestADescriptionIsMadeOfWhatANoteSaysNotOfItsCode(t *testing.T) {
	for _, c := range [][2]string{
		{"```sh\nmake x\n```\n\nThe release is built on host w1.", "The release is built on host w1"},
		{"| name | port |\n|---|---|\n| billing | 5432 |\n\nAll ports are open inside.", "billing, 5432"},
		{"**Why:** it broke.\n\nThe mail service is written in Elixir.", "The mail service is written in Elixir"},
		{"# Queue\r\n\r\nThe queue has one worker.\r\nIt runs at night.", "The queue has one worker"},
		{"- [x] The cache is warm.", "The cache is warm"},
	} {
		x := described(t, "a", "Zebra giraffe", strings.ReplaceAll(c[0], "\r", ""))
		if strings.Contains(c[0], "\r") {
			x.Bytes = []byte(strings.ReplaceAll(string(x.Bytes), "\n", "\r\n"))
		}
		r := run(t, dream.Input{Notes: []dream.Note{x}})
		if got := note.Parse([]byte(text(r, "a.md"))).Description(); got != c[1] {
			t.Errorf("%q is described as %q, want %q", c[0], got, c[1])
		}
	}
}

// TestASecondDreamIsQuiet on notes of anything that rules work on.
func TestASecondDreamIsQuiet(t *testing.T) {
	facts := []string{
		"Завтра реліз.", "We moved it yesterday.", "Two weeks ago Ivan left the team.", "The demo was last Friday.", "The helper is `src/dead.py`.", "It was fine.", "This is why.",
		"See [the wiki](n3.md) for it.", "Run `npm test` for the backend.", "Tests may be run with the race detector.", "Tests must be run with the race detector.", "The customer wants PDF export.",
		"The timeout is 30 seconds.", "The timeout is 60 seconds.", "Використовуй моки.", "They agreed on 2026-05-05.", "Both are set in conf.yaml.", "Marta prefers short answers in reviews.",
	}
	fact := rapid.SampledFrom(facts)
	part := rapid.Custom(func(t *rapid.T) string {
		some := rapid.SliceOfN(fact, 1, 4).Draw(t, "facts")
		switch rapid.IntRange(0, 6).Draw(t, "form") {
		case 0:
			return strings.Join(some, " ")
		case 1:
			return "- " + strings.Join(some, "\n- ")
		case 2:
			return "1. " + strings.Join(some, "\n2. ")
		case 3:
			return "## Setup\n\n" + some[0]
		case 4:
			return "| a | b |\n|---|---|\n| " + some[0] + " | " + some[len(some)-1] + " |"
		case 5:
			return "```sh\n" + some[0] + "\n```"
		}
		return "> " + strings.Join(some, "\n> ")
	})
	notes := rapid.Custom(func(rt *rapid.T) []dream.Note {
		var out []dream.Note
		for i := range rapid.IntRange(1, 6).Draw(rt, "notes") {
			body := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(rt, "parts"), "\n\n")
			x := described(t, fmt.Sprintf("n%d", i), fact.Draw(rt, "description"), body)
			x.At = x.At.AddDate(0, 0, rapid.IntRange(0, 60).Draw(rt, "day"))
			if rapid.IntRange(0, 9).Draw(rt, "breaks") == 0 {
				x.Bytes = []byte(strings.ReplaceAll(string(x.Bytes), "\n", "\r\n"))
			}
			out = append(out, x)
		}
		return judged(out...)
	})
	for seed := range someSeeds {
		in := dream.Input{Look: dead, Loads: asks, Lists: map[string][]byte{store.IndexName: []byte("# Index\n\n- [n0](n0.md) — x\n")}}
		in.Notes = notes.Example(seed)
		r := run(t, in)
		second := next(in, r)
		for i := range second.Notes { // the day is in no field of theirs
			for _, f := range r.Files {
				for _, x := range in.Notes {
					if f.Rel == second.Notes[i].Rel && len(f.Of) > 0 && x.Rel == f.Of[0] {
						second.Notes[i].At, second.Notes[i].AtBy = x.At, x.AtBy
					}
				}
			}
		}
		for _, d := range run(t, second).Diff(&second) {
			t.Fatalf("seed %d: %s changes again:\n%s\n---\n%s", seed, d.Rel, d.Before, d.After)
		}
	}
}
