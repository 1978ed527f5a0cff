package dream_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/claim"
	"dormouse/dream"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

// n is a note as the client writes one.
func n(t *testing.T, name, typ, day, session, body string) dream.Note {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	desc, _, _ := strings.Cut(body, "\n")
	b, err := note.New(note.Fields{Name: name, Description: desc, Type: typ, Session: session, Modified: at}, body)
	if err != nil {
		t.Fatal(err)
	}
	return dream.Note{Rel: name + ".md", Bytes: b, Origin: trust.Outside, At: at, AtBy: "recorded"}
}

func run(t *testing.T, in dream.Input) *dream.Result {
	t.Helper()
	r, err := dream.Dream(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// again is the input that the result makes.
func again(in dream.Input, r *dream.Result) dream.Input {
	at := map[string]dream.Note{}
	for _, x := range in.Notes {
		at[x.Rel] = x
	}
	out := in
	out.Notes, out.Said, out.Lists = nil, nil, map[string][]byte{}
	for _, f := range r.Files {
		if f.List {
			out.Lists[f.Rel] = f.Bytes
			continue
		}
		old := dream.Note{}
		if len(f.Of) > 0 {
			old = at[f.Of[0]]
		}
		x := dream.Note{Rel: f.Rel, Bytes: f.Bytes, Origin: f.Origin, At: old.At, AtBy: old.AtBy, Held: old.Held}
		if m, ok := note.Parse(f.Bytes).Text("modified"); ok {
			x.At, _ = time.Parse(time.RFC3339, m)
		}
		out.Notes = append(out.Notes, x)
	}
	return out
}

func files(r *dream.Result) []string {
	var out []string
	for _, f := range r.Files {
		if !f.List {
			out = append(out, f.Rel)
		}
	}
	return out
}

func text(r *dream.Result, rel string) string {
	for _, f := range r.Files {
		if f.Rel == rel {
			return string(f.Bytes)
		}
	}
	return ""
}

func explain(t *testing.T, r *dream.Result) {
	t.Helper()
	for _, f := range r.Files {
		t.Logf("== %s of %v (%s)\n%s", f.Rel, f.Of, f.Origin, f.Bytes)
	}
	for _, row := range r.Rows {
		if row.Field == "" {
			t.Logf("%s:%d %q: %s %v, %s -> %s:%d %v", row.File, row.Line, row.Claim, row.Fate, row.Also, row.Why, row.To, row.ToLine, row.By)
		}
	}
	for _, c := range r.Conflicts {
		t.Logf("conflict %v %v: %s (%s)", c.A, c.B, c.Why, c.Left)
	}
}

func TestU15NearDuplicatesBecomeOneNoteThatCitesAllSessions(t *testing.T) {
	in := dream.Input{Notes: []dream.Note{
		n(t, "no-full-suite", "feedback", "2026-01-10", "s1", "Never run the full test suite locally."),
		n(t, "no-all-tests", "feedback", "2026-01-12", "s2", "Do not run all tests on this machine."),
		n(t, "full-suite", "feedback", "2026-01-15", "s3", "Full test suite locally: no."),
		n(t, "ci-suite", "feedback", "2026-01-11", "s4", "Run the full test suite in CI before merge."),
	}}
	r := run(t, in)
	if got := files(r); len(got) != 2 || !slices.Contains(got, "ci-suite.md") {
		explain(t, r)
		t.Fatalf("notes %v", got)
	}
	if len(r.Archive) != 2 {
		t.Errorf("%d notes in the archive", len(r.Archive))
	}
	for _, f := range r.Files {
		if !f.List && f.Rel != "ci-suite.md" {
			for _, s := range []string{"s1", "s2", "s3"} {
				if !strings.Contains(string(f.Bytes), s) {
					t.Errorf("%s does not cite %s:\n%s", f.Rel, s, f.Bytes)
				}
			}
		}
	}
	if string(in.Notes[3].Bytes) != text(r, "ci-suite.md") {
		t.Error("the note that only looks alike was touched")
	}
}

func TestU16TheNewerOfTwoThatContradictEachOtherStands(t *testing.T) {
	older := n(t, "real-db", "feedback", "2026-01-10", "s1", "Integration tests must use a real database.")
	newer := n(t, "in-memory", "feedback", "2026-03-02", "s2", "Integration tests must use the in-memory database.")
	r := run(t, dream.Input{Notes: []dream.Note{older, newer}})
	if got := files(r); !slices.Equal(got, []string{"in-memory.md"}) {
		explain(t, r)
		t.Fatalf("notes %v", got)
	}
	a := string(r.Archive[0].Bytes)
	if !strings.Contains(a, "invalid_at: 2026-03-02") || !strings.Contains(a, "superseded_by: in-memory") {
		t.Errorf("the archive says\n%s", a)
	}
	t.Run("the user's word beats the agent's, whatever its date", func(t *testing.T) {
		theirs := older
		theirs.Origin = trust.UserTurn
		r := run(t, dream.Input{Notes: []dream.Note{theirs, newer}})
		if got := files(r); !slices.Equal(got, []string{"real-db.md"}) {
			t.Errorf("notes %v", got)
		}
	})
	t.Run("of the same day nobody wins", func(t *testing.T) {
		same := n(t, "in-memory", "feedback", "2026-01-10", "s2", "Integration tests must use the in-memory database.")
		r := run(t, dream.Input{Notes: []dream.Note{older, same}})
		if len(files(r)) != 2 || len(r.Conflicts) != 1 {
			explain(t, r)
			t.Errorf("notes %v, %d conflicts", files(r), len(r.Conflicts))
		}
	})
	t.Run("a conflict with the instructions is told and left", func(t *testing.T) {
		r := run(t, dream.Input{Notes: []dream.Note{older}, Fixed: []claim.Source{{Name: "CLAUDE.md", Text: "Integration tests must use the in-memory database.\n"}}})
		if len(files(r)) != 1 || len(r.Conflicts) != 1 || r.Conflicts[0].B.File != "CLAUDE.md" {
			explain(t, r)
			t.Errorf("notes %v, conflicts %v", files(r), r.Conflicts)
		}
	})
}

func TestADreamOnItsOwnResultChangesNothingAndOrderDoesNotMatter(t *testing.T) {
	in := dream.Input{Notes: []dream.Note{
		n(t, "port", "project", "2026-02-01", "s1", "The billing database listens on port 5432.\n\n**Why:** the old default."),
		n(t, "port-new", "project", "2026-03-01", "s2", "The billing database listens on port 5433."),
		n(t, "moved", "project", "2026-03-05", "s2", "We moved billing to Stripe yesterday. See [[port]]."),
		n(t, "staging", "project", "2026-03-05", "s2", "The staging database listens on port 5440."),
		n(t, "mixed", "project", "2026-03-01", "s3", "- Deploys happen on Tuesdays after lunch.\n- The mail service is written in Elixir.\n- Marta prefers short answers in reviews.\n- Screenshots live in the shared bucket."),
		n(t, "copy", "feedback", "2026-01-01", "s1", "Use pnpm, never npm, for installs."),
		n(t, "copy-2", "feedback", "2026-01-05", "s4", "Use pnpm, never npm, for installs!"),
	}, Lists: map[string][]byte{store.IndexName: []byte("# Memory\n\n- [port](port.md) — The billing database\n- [copy](copy.md) — pnpm\n- [gone](gone.md) — was here\n")}}
	first := run(t, in)
	if t.Failed() || len(files(first)) != 8 {
		explain(t, first)
		t.Fatalf("%v", files(first))
	}
	next := again(in, first)
	second := run(t, next)
	if diff := second.Diff(&next); len(diff) > 0 {
		for _, d := range diff {
			t.Errorf("%s changes again:\n%s\n---\n%s", d.Rel, d.Before, d.After)
		}
	}
	for seed := range uint64(10) {
		shuffled := in
		shuffled.Notes = slices.Clone(in.Notes)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled.Notes), func(i, j int) {
			shuffled.Notes[i], shuffled.Notes[j] = shuffled.Notes[j], shuffled.Notes[i]
		})
		r := run(t, shuffled)
		for i := range r.Files {
			if string(r.Files[i].Bytes) != string(first.Files[i].Bytes) {
				t.Fatalf("seed %d: %s differs", seed, r.Files[i].Rel)
			}
		}
	}
	if !strings.Contains(text(first, "moved.md"), "on 2026-03-04") || !strings.Contains(text(first, "moved.md"), "[[port-new]]") {
		t.Errorf("moved.md says\n%s", text(first, "moved.md"))
	}
}

func TestLinesThatLeadElsewhereAreLeftAlone(t *testing.T) {
	index := "# Memory\n\n- [port](port.md) — The billing database listens on port 5432.\n- [sub/MEMORY.md](sub/MEMORY.md) — another agent's\n- [gone](gone.md) — nothing is there\n"
	in := dream.Input{
		Notes: []dream.Note{n(t, "port", "project", "2026-01-10", "s1", "The billing database listens on port 5432.")},
		Lists: map[string][]byte{store.IndexName: []byte(index)},
	}
	if got := text(run(t, in), store.IndexName); got != index {
		t.Errorf("the index became\n%s", got)
	}
}

func TestAnIndexOverItsSizeBecomesAChoiceAndPages(t *testing.T) {
	var in dream.Input
	in.Lists = map[string][]byte{}
	var index strings.Builder
	index.WriteString("# Notes\n\nRead these first.\n\n")
	words := []string{"billing", "deploy", "search", "mail", "login", "cache", "report", "export", "import", "queue"}
	for i := range 400 {
		w := words[i%len(words)]
		x := n(t, fmt.Sprintf("%s-%03d", w, i), []string{"project", "reference", "feedback", "user"}[i%4], "2026-01-01", "s", fmt.Sprintf("The %s module number %d keeps its state in table t_%d.", w, i, i*7))
		in.Notes = append(in.Notes, x)
		fmt.Fprintf(&index, "- [%s](%s) — entry\n", x.Rel, x.Rel)
	}
	in.Lists[store.IndexName] = []byte(index.String())
	r := run(t, in)
	if r.Counts.IndexLines > 140 || r.Counts.IndexUnits > 17500 || r.Counts.IndexLines < 100 {
		t.Errorf("%d lines, %d units", r.Counts.IndexLines, r.Counts.IndexUnits)
	}
	if r.Counts.After != 400 {
		t.Errorf("%d notes", r.Counts.After)
	}
	if !strings.HasPrefix(text(r, store.IndexName), "# Notes\n\nRead these first.\n") {
		t.Errorf("the text of the index is gone:\n%.200s", text(r, store.IndexName))
	}
	next := again(in, r)
	if diff := run(t, next).Diff(&next); len(diff) > 0 {
		t.Errorf("%d files change again: %s\n%s\n---\n%s", len(diff), diff[0].Rel, diff[0].Before, diff[0].After)
	}
}

func TestWhatASessionSaidIsAccountedFor(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	say := func(text string, day int) extract.Candidate {
		return extract.Candidate{Kind: extract.Explicit, Type: "project", Text: text, Confidence: 1, Quote: text, Origin: transcript.Person, Session: "s9", Line: day, Time: at.AddDate(0, 0, day)}
	}
	theirs := n(t, "mail", "project", "2026-03-20", "s1", "The mail service listens on port 2525.")
	theirs.Origin = trust.UserTurn
	in := dream.Input{
		Notes: []dream.Note{
			n(t, "port", "project", "2026-02-01", "s1", "The billing database listens on port 5432."),
			n(t, "tests", "feedback", "2026-02-01", "s1", "Never run the full test suite locally."),
			theirs,
		},
		Said: []extract.Candidate{
			say("The billing database listens on port 5433.", 1), say("Do not run all tests on this machine.", 2),
			say("The mail service listens on port 25.", 3), say("Screenshots live in the shared bucket.", 4),
		},
	}
	r := run(t, in)
	fates := map[string]dream.Fate{}
	for _, row := range r.Rows {
		if row.File == "s9" {
			fates[row.Claim] = row.Fate
		}
	}
	want := map[string]dream.Fate{
		"The billing database listens on port 5433.": dream.New, "Do not run all tests on this machine.": dream.Merged,
		"The mail service listens on port 25.": dream.Superseded, "Screenshots live in the shared bucket.": dream.New,
	}
	if !maps.Equal(fates, want) {
		explain(t, r)
		t.Errorf("fates %v", fates)
	}
	if len(r.Archive) != 2 { // the old port, and what the session said of the mail service
		t.Errorf("archive %v", r.Archive)
	}
	for _, f := range r.Files {
		if len(f.From) > 0 && f.Origin != trust.UserTurn {
			t.Errorf("%s has the origin %s", f.Rel, f.Origin)
		}
	}
}

func TestWhatOnlyGoesOnWithAStatementGoesWithIt(t *testing.T) {
	in := dream.Input{Notes: []dream.Note{
		n(t, "port", "project", "2026-02-01", "s1", "The API port is 8081. We switched last week.\n\nDeploys of the gateway happen on Tuesdays."),
		n(t, "port-new", "project", "2026-03-01", "s2", "The API port is 8080."),
	}}
	r := run(t, in)
	if got := text(r, "port.md"); strings.Contains(got, "switched") || !strings.Contains(got, "Deploys of the gateway") {
		t.Errorf("port.md says\n%s", got)
	}
	var archive strings.Builder
	for _, a := range r.Archive {
		archive.Write(a.Bytes)
	}
	if !strings.Contains(archive.String(), "We switched last week") || !strings.Contains(archive.String(), "8081") {
		t.Errorf("the archive says\n%s", archive.String())
	}
}

func TestADocumentKeepsItsSentencesThoughANoteSaysOneToo(t *testing.T) {
	doc := n(t, "deploy", "project", "2026-02-01", "s1", "# Deploys\n\nDeploys go through the release pipeline.\n\n- Staging first, then production.\n\n```sh\nmake release\n```")
	in := dream.Input{Notes: []dream.Note{doc, n(t, "deploy-2", "project", "2026-03-01", "s2", "Deploys go through the release pipeline.\n\nOn holidays nobody deploys.")}}
	if got := text(run(t, in), "deploy.md"); got != string(doc.Bytes) {
		t.Errorf("deploy.md says\n%s", got)
	}
}

func TestNothingIsDecidedAgainstTheInstructions(t *testing.T) {
	fixed := []claim.Source{{Name: "CLAUDE.md", Text: "The API server listens on port 8080.\n"}}
	in := dream.Input{Fixed: fixed, Notes: []dream.Note{
		n(t, "port-a", "project", "2026-10-01", "s1", "The API server listens on port 8080."),
		n(t, "port-b", "project", "2026-11-20", "s2", "The API server listens on port 9090."),
	}}
	r := run(t, in)
	if got := files(r); len(got) != 2 || len(r.Conflicts) == 0 {
		explain(t, r)
		t.Errorf("notes %v, %d conflicts", got, len(r.Conflicts))
	}
}

func TestWhatSeveralCanHoldIsNoContradiction(t *testing.T) {
	for _, pair := range [][2]string{
		{"The lead speaks German.", "The lead speaks French."},
		{"Marta reviews migrations of the billing database.", "Marta reviews releases of the billing database."},
		{"The gateway supports HTTP/2.", "The gateway supports WebSockets."},
	} {
		r := run(t, dream.Input{Notes: []dream.Note{n(t, "a", "project", "2026-10-01", "s1", pair[0]), n(t, "b", "project", "2026-11-01", "s2", pair[1])}})
		if len(files(r)) != 2 {
			t.Errorf("%q: %v", pair, files(r))
		}
	}
	r := run(t, dream.Input{Notes: []dream.Note{n(t, "a", "project", "2026-10-01", "s1", "Сервер працює на порту 8080."), n(t, "b", "project", "2026-11-01", "s2", "Сервер працює на порту 9090.")}})
	if got := files(r); len(got) != 1 || got[0] != "b.md" {
		t.Errorf("the newer port does not stand: %v", got)
	}
}
