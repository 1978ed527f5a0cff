package keep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/extract"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// byHand writes a note as a person would, of a day.
func byHand(t *testing.T, k *Keeper, name, day, body string) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	b, err := note.New(note.Fields{Name: name, Description: name + " and more", Type: "project", Modified: at}, body)
	if err != nil {
		t.Fatal(err)
	}
	file := name + ".md"
	if _, err := k.St.Add(store.By{Actor: store.Human}, store.New{File: file, Bytes: b, Line: note.Parse(b).Line(file)}, store.Refuse); err != nil {
		t.Fatal(err)
	}
}

// one keeps one candidate.
func one(t *testing.T, k *Keeper, c extract.Candidate) Outcome {
	t.Helper()
	out, err := k.Keep([]extract.Candidate{c})
	if err != nil || len(out) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	return out[0]
}

func TestANoteThatSaysMoreThanWhatIsContradictedStays(t *testing.T) {
	for name, body := range map[string]string{
		"facts in a list":   "- The port is 8080.\n- The database is MySQL.\n- Deploys go out on Mondays.\n- Olha owns billing.",
		"a history below":   "The port is 8080.\n\nHistory: chosen by ops, see ticket 12. Do not change without Olha.",
		"a command below":   "The port is 8080.\n\n```\nmake serve\n```",
		"a reason above":    "Chosen by ops in May.\n\nThe port is 8080.",
		"a quote after it":  "The port is 8080.\n\n> ask Olha first",
		"a link after that": "The port is 8080.\n\nSee [[deploy]].",
	} {
		t.Run(name, func(t *testing.T) {
			k := newKeeper(t)
			byHand(t, k, "ports", "2026-01-10", body)
			before, _ := k.St.Read("ports.md")
			o := one(t, k, said("s1", "2026-02-10", "The port is 9090."))
			if o.Action != Kept || o.Into != "" || len(o.Against) != 1 || o.Against[0].File != "ports.md" {
				t.Fatalf("%+v", o)
			}
			lines := strings.Split(string(before), "\n")
			if line := lines[o.Against[0].Line-1]; !strings.Contains(line, "8080") {
				t.Errorf("line %d is %q", o.Against[0].Line, line)
			}
			if !strings.Contains(o.Why, o.Against[0].String()) {
				t.Errorf("why: %s", o.Why)
			}
			after, _ := k.St.Read("ports.md")
			if string(after) != string(before) {
				t.Errorf("the note is now\n%s", after)
			}
			if x := index(t, k); !strings.Contains(x, "ports.md") || !strings.Contains(x, o.File) {
				t.Errorf("index\n%s", x)
			}
		})
	}
}

func TestANoteThatSaysNothingElseMakesPlace(t *testing.T) {
	for name, body := range map[string]string{"a sentence": "The port is 8080.", "below a heading": "# Ports\n\nThe port is 8080.", "as a list": "1. The port is 8080.\n"} {
		t.Run(name, func(t *testing.T) {
			k := newKeeper(t)
			byHand(t, k, "ports", "2026-01-10", body)
			if o := one(t, k, said("s1", "2026-02-10", "The port is 9090.")); o.Action != Superseded || o.Into != "ports.md" {
				t.Errorf("%+v", o)
			}
		})
	}
}

func TestANewerLineOfALongNoteSendsTheOlderWordToTheReview(t *testing.T) {
	k := newKeeper(t)
	byHand(t, k, "ports", "2026-03-10", "- The port is 8080.\n- The database is MySQL.")
	o := one(t, k, said("s1", "2026-02-10", "The port is 9090."))
	if o.Action != Review || !strings.Contains(o.Why, "ports.md, line ") || !strings.Contains(o.Why, "session s1") {
		t.Errorf("%+v", o)
	}
}

func TestWhatIsSaidOfOneThingSupersedesNothingAboutAnother(t *testing.T) {
	for _, p := range [][2]string{
		{"The auth service listens on port 4000.", "The billing service listens on port 4001."},
		{"Staging runs in eu-central-1.", "Prod runs in us-east-1."},
		{"We use Postgres for orders.", "We use Redis for sessions."},
		{"The timeout for reads is 30 s.", "The timeout for writes is 60 s."},
	} {
		k := newKeeper(t)
		one(t, k, said("s1", "2026-01-10", p[0]))
		if o := one(t, k, said("s2", "2026-02-10", p[1])); o.Action != Kept || o.Into != "" {
			t.Errorf("%s | %s: %+v", p[0], p[1], o)
		}
	}
}

func TestWhatWasForgottenIsNotKeptAgainFromTheSameSession(t *testing.T) {
	human := store.By{Actor: store.Human}
	const fact = "The deploy port is 8080."
	ways := map[string]func(t *testing.T, k *Keeper, o Outcome) error{
		"forgotten": func(_ *testing.T, k *Keeper, o Outcome) error { _, err := k.St.Forget(human, o.File); return err },
		"undone": func(_ *testing.T, k *Keeper, o Outcome) error {
			_, err := k.St.Undo(human, o.Change, store.Refuse)
			return err
		},
		"forgotten after an edit": func(t *testing.T, k *Keeper, o Outcome) error {
			was, err := k.St.Read(o.File)
			if err != nil {
				return err
			}
			if _, err := k.St.Edit(human, o.File, was, append(slices.Clone(was), "\nAsk Olha.\n"...)); err != nil {
				return err
			}
			_, err = k.St.Forget(human, o.File)
			return err
		},
	}
	for name, forget := range ways {
		t.Run(name, func(t *testing.T) {
			k := newKeeper(t)
			c := said("s1", "2026-01-10", fact)
			if err := forget(t, k, one(t, k, c)); err != nil {
				t.Fatal(err)
			}
			if o := one(t, k, c); o.Action != Dropped || !strings.HasPrefix(o.Why, "you forgot it") {
				t.Errorf("from the same session: %+v", o)
			}
			if o := one(t, k, said("s2", "2026-02-10", fact)); o.Action != Kept {
				t.Errorf("said anew: %+v", o)
			}
		})
	}
}

func TestWhatWasForgottenAndBroughtBackIsKnown(t *testing.T) {
	k := newKeeper(t)
	c := said("s1", "2026-01-10", "The deploy port is 8080.")
	o := one(t, k, c)
	gone, err := k.St.Forget(store.By{Actor: store.Human}, o.File)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.St.Undo(store.By{Actor: store.Human}, gone.ID, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if o := one(t, k, c); o.Action != Known {
		t.Errorf("%+v", o)
	}
}

func TestWhatAPersonRewroteIsNotKeptBesideIt(t *testing.T) {
	k := newKeeper(t)
	c := said("s1", "2026-01-10", "Releases are cut on Tuesdays.")
	o := one(t, k, c)
	was, err := k.St.Read(o.File)
	if err != nil {
		t.Fatal(err)
	}
	now := strings.ReplaceAll(string(was), "Releases are cut on Tuesdays.", "Olha decides when a version ships.")
	if _, err := k.St.Edit(store.By{Actor: store.Human}, o.File, was, []byte(now)); err != nil {
		t.Fatal(err)
	}
	if o := one(t, k, c); o.Action != Known || o.Change != 0 {
		t.Errorf("%+v", o)
	}
}

func TestASecondFactOfTheSameSentenceIsKept(t *testing.T) {
	k := newKeeper(t)
	first, second := said("s1", "2026-01-10", "Releases are cut on Tuesdays."), said("s1", "2026-01-10", "Olha owns billing.")
	first.Quote = "releases are cut on Tuesdays and Olha owns billing"
	second.Quote = first.Quote
	one(t, k, first)
	if o := one(t, k, second); o.Action != Kept {
		t.Errorf("%+v", o)
	}
}

func TestADreamIsNotToldWhatWasForgotten(t *testing.T) {
	k := newKeeper(t)
	gone, stays := said("s1", "2026-01-10", "The port is 8080."), said("s1", "2026-01-10", "Olha owns billing.")
	o := one(t, k, gone)
	one(t, k, stays)
	if _, err := k.St.Forget(store.By{Actor: store.Human}, o.File); err != nil {
		t.Fatal(err)
	}
	again := said("s2", "2026-02-10", gone.Text)
	left := Fresh(mustHistory(t, k), []extract.Candidate{gone, stays, again})
	if len(left) != 2 || left[0].Text != stays.Text || left[1].Session != "s2" {
		t.Errorf("%+v", left)
	}
}

func TestWhatWasTurnedDownIsNotProposedAgain(t *testing.T) {
	k := newKeeper(t)
	c := unsure(said("s1", "2026-01-10", "Prices are in cents."))
	one(t, k, c)
	p := trust.Read(mustHistory(t, k)).Pending()
	if len(p) != 1 {
		t.Fatalf("%+v", p)
	}
	if _, err := k.St.Record(store.By{Actor: store.Human}, trust.OpReject, store.Mark{Path: p[0].Path, Hash: p[0].Hash}); err != nil {
		t.Fatal(err)
	}
	if o := one(t, k, c); o.Action != Dropped || o.Why != "you turned it down" {
		t.Errorf("%+v", o)
	}
	if o := one(t, k, unsure(said("s2", "2026-02-10", "Prices are in cents."))); o.Action != Review {
		t.Errorf("said anew: %+v", o)
	}
}

func mustHistory(t *testing.T, k *Keeper) []store.Entry {
	t.Helper()
	h, err := k.St.History("")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// takenBack is a retraction as the rules give one: what they add says that it no
// longer holds.
func takenBack(day, quote, text string) extract.Candidate {
	c := taken(said("s9", day, quote))
	c.Text = text
	return c
}

func TestARetractionTakesBackTheOneNoteAboutItsSubject(t *testing.T) {
	const port, yarn = "The port is 8080.", "We use yarn."
	tests := []struct {
		name  string
		notes []string
		back  extract.Candidate
		want  Action
		why   string
	}{
		{"a subject alone", []string{port, yarn}, takenBack("2026-02-01", "forget about the port", "The port no longer holds."), Forgotten, ""},
		{"a tool", []string{port, yarn}, takenBack("2026-02-01", "scratch that about yarn", "Yarn no longer holds."), Forgotten, ""},
		{"the whole sentence", []string{port, yarn}, takenBack("2026-02-01", "forget that we use yarn", "We use yarn no longer holds."), Forgotten, ""},
		{"its denial", []string{port, yarn}, takenBack("2026-02-01", "the port is not 8080 any more", "The port is not 8080 any more."), Forgotten, ""},
		{"Ukrainian", []string{"Ми використовуємо yarn.", port}, takenBack("2026-02-01", "забудь про yarn", "Yarn — більше не діє."), Forgotten, ""},
		{"a rule by its subject", []string{"Always run the linter.", port}, takenBack("2026-02-01", "forget the linter rule", "The linter rule no longer holds."), Forgotten, ""},
		{"another value", []string{port}, takenBack("2026-02-01", "forget that the port is 9090", "The port is 9090 no longer holds."), Dropped, "no note says"},
		{"more than any note says", []string{port}, takenBack("2026-02-01", "forget about the port of billing", "The port of billing no longer holds."), Dropped, "no note says"},
		{"two notes", []string{"The auth service uses redis.", "The cart service uses redis."}, takenBack("2026-02-01", "forget about redis", "Redis no longer holds."), Review, ".md, "},
		{"what was said later", []string{port}, takenBack("2026-01-01", "forget about the port", "The port no longer holds."), Dropped, "later"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeper(t)
			for i, n := range tt.notes {
				one(t, k, said(fmt.Sprintf("s%d", i), "2026-01-10", n))
			}
			before := index(t, k)
			o := one(t, k, tt.back)
			if o.Action != tt.want || !strings.Contains(o.Why, tt.why) {
				t.Fatalf("%+v", o)
			}
			left := strings.Count(before, "\n") - strings.Count(index(t, k), "\n")
			if want := map[bool]int{true: 1}[tt.want == Forgotten]; left != want {
				t.Errorf("%d lines left the index", left)
			}
		})
	}
}

func TestARetractionLeavesWhatExtractionDidNotMake(t *testing.T) {
	k := newKeeper(t)
	byHand(t, k, "ports", "2026-01-10", "The port is 8080.")
	o := one(t, k, takenBack("2026-02-01", "forget about the port", "The port no longer holds."))
	if o.Action != Review || o.File != "ports.md" || !strings.Contains(index(t, k), "ports.md") {
		t.Errorf("%+v", o)
	}
}

func TestARetractionThatAPersonUndidIsNotRepeated(t *testing.T) {
	k := newKeeper(t)
	one(t, k, said("s1", "2026-01-10", "The port is 8080."))
	back := takenBack("2026-02-01", "forget about the port", "The port no longer holds.")
	o := one(t, k, back)
	if _, err := k.St.Undo(store.By{Actor: store.Human}, o.Change, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if o := one(t, k, back); o.Action != Dropped || o.Why != "you undid it" {
		t.Errorf("%+v", o)
	}
}

func TestACopyOfASessionDoesNotConfirm(t *testing.T) {
	k := newKeeper(t)
	c := unsure(said("s1", "2026-01-10", "Prices are in cents."))
	one(t, k, c)
	again := c
	again.Session = "s1-exported"
	if o := one(t, k, again); o.Action != Waits || !strings.Contains(o.Why, "copy of s1") {
		t.Errorf("%+v", o)
	}
	again.Time = again.Time.Add(time.Hour)
	if o := one(t, k, again); o.Action != Confirmed {
		t.Errorf("said an hour later: %+v", o)
	}
}

func TestWhatIsConfirmedTakesThePlaceOfWhatItContradicts(t *testing.T) {
	k := newKeeper(t)
	one(t, k, said("s1", "2026-01-10", "The port is 8080."))
	one(t, k, unsure(said("s2", "2026-02-10", "The port is 9090.")))
	if o := one(t, k, unsure(said("s3", "2026-03-10", "The port is 9090."))); o.Action != Superseded || strings.Contains(index(t, k), "8080") {
		t.Errorf("%+v\n%s", o, index(t, k))
	}
}

func TestAFullIndexIsRefusedUnlessRoomMayBeMade(t *testing.T) {
	k := newKeeper(t)
	dir := k.St.Dir()
	state := t.TempDir()
	_ = k.St.Close()
	st, err := store.Open(store.Config{Dir: dir, State: state, Gate: k.Guard.Gate(), Limits: store.Limits{Lines: 5, WantLines: 3}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	k.St = st
	for i := range 5 {
		byHand(t, k, fmt.Sprintf("n%d", i), "2026-01-10", fmt.Sprintf("Fact about thing%d.", i))
	}
	before := index(t, k)
	c := said("s1", "2026-02-10", "The deploy port is 8080.")
	_, err = k.Keep([]extract.Candidate{c})
	if _, full := errors.AsType[*store.FullError](err); !full || index(t, k) != before {
		t.Fatalf("%v\n%s", err, index(t, k))
	}
	k.Room = store.MakeRoom
	if o := one(t, k, c); o.Action != Kept || len(o.MovedOut) == 0 {
		t.Errorf("%+v", o)
	}
}

func TestASecretGoesNoFurther(t *testing.T) {
	tests := []struct{ name, text, secret string }{
		{"a flag", "A command that is run again and again here: `./login.sh --user a --pin Kolobok77`.", "Kolobok77"},
		{"a flag with =", "Run `./login --password=Kolobok77 now`.", "Kolobok77"},
		{"a variable", "Run `DB_PASS=Kolobok77 make`.", "Kolobok77"},
		{"a Ukrainian name", "Ключ API: 9f3c7a1b2d4e5f60.", "9f3c7a1b2d4e5f60"},
		{"a name a few words before", "Пароль від стенду QA Kolobok77.", "Kolobok77"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeper(t)
			for _, c := range []extract.Candidate{said("s1", "2026-01-10", tt.text), byTool(said("s1", "2026-01-10", tt.text)), unsure(said("s1", "2026-01-10", tt.text))} {
				o := one(t, k, c)
				if o.Action != Dropped || strings.Contains(fmt.Sprintf("%+v", o), tt.secret) {
					t.Errorf("%+v", o)
				}
			}
			if k.St.HasJournal() {
				t.Error("something was recorded")
			}
			if d := k.CleanDropped([]extract.Dropped{{Quote: tt.text}}); strings.Contains(d[0].Quote, tt.secret) {
				t.Errorf("printed: %s", d[0].Quote)
			}
		})
	}
}

func TestWhatOnlyLooksLikeASecretIsKept(t *testing.T) {
	for _, text := range []string{
		"The API key expires on 2026-11-30.", "The partition key is user_id2.", "Sort with --key=2 always.", "Tokens are signed with HS256.",
		"The SSH key type is ed25519.", "The token service runs in eu-central-1.", "Set TOKEN=$CI_TOKEN before make.", "The primary key of orders is order_id.",
		"The key package is v1.20.3-alpine.", "Код лежить у src/main2.go.", "Pass --token <token> to the script.",
	} {
		k := newKeeper(t)
		if clean := k.Clean(text); clean != text {
			t.Errorf("%q became %q", text, clean)
		}
	}
}
