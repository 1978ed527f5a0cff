package keep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/extract"
	"dormouse/store"
	"dormouse/transcript"
	"dormouse/trust"
)

func newKeeper(t *testing.T) *Keeper {
	t.Helper()
	dir := t.TempDir()
	guard := trust.NewGuard(trust.Policy{})
	folder := filepath.Join(dir, "memory")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Config{Dir: folder, State: filepath.Join(dir, "state"), Gate: guard.Gate()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return &Keeper{St: st, Guard: guard}
}

func said(session, day, text string) extract.Candidate {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return extract.Candidate{
		Kind: extract.Explicit, Type: "project", Text: text, Confidence: 0.95, Quote: text, Origin: transcript.Person, Session: session, Line: 3, Time: at,
	}
}

func unsure(c extract.Candidate) extract.Candidate { c.Confidence = 0.5; return c }

func byTool(c extract.Candidate) extract.Candidate { c.Origin = transcript.Tool; return c }

func taken(c extract.Candidate) extract.Candidate { c.Kind = extract.Retraction; return c }

func index(t *testing.T, k *Keeper) string {
	t.Helper()
	b, _ := k.St.Read(store.IndexName)
	return string(b)
}

func TestWhatBecomesOfCandidates(t *testing.T) {
	const db, memory = "Integration tests use a real database.", "Integration tests use an in-memory database."
	tests := []struct {
		name   string
		first  []extract.Candidate
		then   extract.Candidate
		want   Action
		listed string // the index then has it; "-" nothing more
	}{
		{"a new fact", nil, said("s1", "2026-01-10", db), Kept, "real database"},
		{"the same again", []extract.Candidate{said("s1", "2026-01-10", db)}, said("s2", "2026-02-10", db), Known, "-"},
		{"otherwise, and later", []extract.Candidate{said("s1", "2026-01-10", db)}, said("s2", "2026-02-10", memory), Superseded, "in-memory"},
		{"otherwise, on the same day", []extract.Candidate{said("s1", "2026-01-10", db)}, said("s2", "2026-01-10", memory), Review, "-"},
		{"otherwise, and earlier", []extract.Candidate{said("s2", "2026-02-10", db)}, said("s1", "2026-01-10", memory), Review, "-"},
		{"not sure", nil, unsure(said("s1", "2026-01-10", db)), Review, "-"},
		{"not sure, in the same session again", []extract.Candidate{unsure(said("s1", "2026-01-10", db))}, unsure(said("s1", "2026-01-10", db)), Waits, "-"},
		{"not sure, in a second session", []extract.Candidate{unsure(said("s1", "2026-01-10", db))}, unsure(said("s2", "2026-01-11", db)), Confirmed, "real database"},
		{"a tool's result", nil, byTool(said("s1", "2026-01-10", db)), Review, "-"},
		{"a tool's result, in a second session", []extract.Candidate{byTool(said("s1", "2026-01-10", db))}, byTool(said("s2", "2026-01-10", db)), Waits, "-"},
		{"taken back", []extract.Candidate{said("s1", "2026-01-10", db)}, taken(said("s2", "2026-01-11", db)), Forgotten, "-"},
		{"nothing to take back", nil, taken(said("s2", "2026-01-11", db)), Dropped, "-"},
		{"a secret", nil, said("s1", "2026-01-10", "The token is ghp"+"_aB3xK9mQ2rT7vW4yZ8nC5pL1sD6fG0hJ3kEu."), Dropped, "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeper(t)
			if _, err := k.Keep(tt.first); err != nil {
				t.Fatal(err)
			}
			before := index(t, k)
			out, err := k.Keep([]extract.Candidate{tt.then})
			if err != nil || len(out) != 1 || out[0].Action != tt.want {
				t.Fatalf("%+v, %v; want %s", out, err, tt.want)
			}
			after := index(t, k)
			switch {
			case tt.want == Forgotten:
				if strings.Contains(after, "database") {
					t.Errorf("index\n%s", after)
				}
			case tt.listed == "-":
				if after != before {
					t.Errorf("index\n%s\nwas\n%s", after, before)
				}
			case !strings.Contains(after, tt.listed) || strings.Count(after, "\n") != 1:
				t.Errorf("index\n%s", after)
			}
			again, err := k.Keep([]extract.Candidate{tt.then})
			if err != nil || again[0].Change != 0 {
				t.Errorf("a second run wrote: %+v, %v", again, err)
			}
		})
	}
}

func TestWhatIsConfirmedNoLongerWaits(t *testing.T) {
	k := newKeeper(t)
	for _, c := range []extract.Candidate{unsure(said("s1", "2026-01-10", "Prices are in cents.")), unsure(said("s2", "2026-01-11", "Prices are in cents."))} {
		if _, err := k.Keep([]extract.Candidate{c}); err != nil {
			t.Fatal(err)
		}
	}
	state, err := k.Guard.Look(k.St)
	if err != nil || len(state.Held) != 0 {
		t.Errorf("%+v, %v", state.Held, err)
	}
}

func TestADryKeeperWritesNothing(t *testing.T) {
	k := newKeeper(t)
	k.Dry = true
	out, err := k.Keep([]extract.Candidate{said("s1", "2026-01-10", "Prices are in cents."), unsure(said("s1", "2026-01-10", "The queue keeps its order."))})
	if err != nil || out[0].Action != Kept || out[1].Action != Review {
		t.Errorf("%+v, %v", out, err)
	}
	if k.St.HasJournal() || index(t, k) != "" {
		t.Error("something was written")
	}
}

func TestTheOrderOfSessionsIsThatOfTheirTimes(t *testing.T) {
	k := newKeeper(t)
	out, err := k.Keep([]extract.Candidate{
		said("s2", "2026-02-10", "Integration tests use an in-memory database."),
		said("s1", "2026-01-10", "Integration tests use a real database."),
	})
	if err != nil || len(out) != 2 || out[1].Action != Superseded {
		t.Errorf("%+v, %v", out, err)
	}
}
