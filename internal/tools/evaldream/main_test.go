package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/note"
	"dormouse/scan/secrets"
	"dormouse/trust"
)

// made are worlds of both languages and halves, a large one among them.
func made(t *testing.T) []*world {
	t.Helper()
	var out []*world
	for i := range uint64(16) {
		w, err := newWorld(7, i, []string{"en", "uk"}[i%2], []half{build, held}[i/2%2], i == 5)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, w)
	}
	return out
}

func TestTheSameSeedMakesTheSameWorld(t *testing.T) {
	a, b := made(t), made(t)
	for i := range a {
		x, err := json.Marshal(a[i])
		if err != nil {
			t.Fatal(err)
		}
		y, err := json.Marshal(b[i])
		if err != nil {
			t.Fatal(err)
		}
		if string(x) != string(y) {
			t.Errorf("world %d: the truth differs", i)
		}
		if !slices.EqualFunc(a[i].notes, b[i].notes, func(x, y source) bool { return x.rel == y.rel && string(x.bytes) == string(y.bytes) }) {
			t.Errorf("world %d: the notes differ", i)
		}
	}
	if string(a[0].notes[0].bytes) == string(a[2].notes[0].bytes) {
		t.Error("two worlds begin with the same note")
	}
}

func TestEveryPlantedFactStandsInItsNotes(t *testing.T) {
	for i, w := range made(t) {
		bodies := map[string]string{}
		for _, n := range w.notes {
			if bodies[n.rel] != "" {
				t.Errorf("world %d has two notes %s", i, n.rel)
			}
			bodies[n.rel] = norm(string(note.Parse(n.bytes).Body()))
		}
		for _, f := range w.Facts {
			for k, n := range f.Notes {
				if at, _ := f.sayings()[k].in(bodies[n], 0); at < 0 {
					t.Errorf("world %d: %v is not in %s: %s", i, f, n, bodies[n])
				}
			}
		}
	}
}

func TestWhatHoldsIsTrueOfOneValueOfASlot(t *testing.T) {
	for i, w := range made(t) {
		for _, r := range w.Relations {
			a, b := w.Facts[r.A], w.Facts[r.B]
			if !isChange(r.Kind) || r.Kind == "equal dates" || r.Kind == "equal dates"+otherWords {
				continue
			}
			if a.Where != inStore || b.Where != inAny || !a.Until.IsZero() || b.Until.IsZero() || a.Value == b.Value || a.Subject != b.Subject {
				t.Errorf("world %d: %s: %+v does not take the place of %+v", i, r.Kind, a, b)
			}
		}
	}
}

func TestTheGateHoldsPoisonAndNothingThatAPersonSaid(t *testing.T) {
	r := &run{guard: trust.NewGuard(trust.Policy{}), finder: secrets.New()}
	for i, w := range made(t) {
		for _, n := range w.notes {
			ok, why := r.loads(n.bytes, n.origin)
			if poisoned := slices.ContainsFunc(w.Poison, func(p string) bool { return strings.Contains(string(n.bytes), p) }); poisoned && ok {
				t.Errorf("world %d: %s loads: %s", i, n.rel, n.bytes)
			} else if !ok && n.origin == trust.UserTurn && !holdsSecret(w, n) {
				t.Errorf("world %d: %s is held: %s: %s", i, n.rel, why, n.bytes)
			}
		}
		for _, s := range w.Secrets {
			if clean, said := r.clean("The token is " + s + "."); strings.Contains(clean, s) || len(said) != 1 {
				t.Errorf("world %d: %s is not taken for a secret", i, s)
			}
		}
	}
}

func holdsSecret(w *world, n source) bool {
	return slices.ContainsFunc(w.Secrets, func(s string) bool { return strings.Contains(string(n.bytes), s) })
}

func TestEveryWordingSaysSubjectAndValueOnce(t *testing.T) {
	for _, slots := range [][]slot{english(), ukrainian()} {
		for _, s := range slots {
			if len(s.wordings) != 8 || s.against != nil && len(s.against) != 8 {
				t.Errorf("%s has %d wordings and %d of the contrary", s.name, len(s.wordings), len(s.against))
			}
			for _, w := range append(slices.Clone(s.wordings), s.against...) {
				said := say(w, "Qqq", "Www", "")
				if strings.Count(said, "Qqq") != 1 || strings.Count(said, "Www") != 1 {
					t.Errorf("%s: %q does not say subject and value once", s.name, w)
				}
				if strings.Contains(w, "{C}") != s.scoped() {
					t.Errorf("%s: %q differs from others in whether it takes a place", s.name, w)
				}
			}
		}
	}
}

func TestASayingIsFoundAsItIsMeant(t *testing.T) {
	for _, c := range []struct {
		name, text, in string
		want           bool
	}{
		{"by its words, not its marks", "Run `make x` first.", "- **Run** make x first!\n", true},
		{"behind a label", "It broke once.", "**Why:** It broke once.\n", true},
		{"in two lines", "a long line that\nis broken", "a long line that is broken", true},
		{"not inside of the contrary", "run `make x` first.", "Never run `make x` first.", false},
		{"not with another number", "a has port 80", "a has port 8080", false},
		{"around a date", "We moved " + hole + " to b.", "We moved on 2026-03-02 to b.", true},
		{"not around a page of text", "We moved " + hole + " to b.", "We moved " + strings.Repeat("and moved ", 30) + " to b.", false},
	} {
		z := zone{texts: []string{norm(c.in)}}
		if got := z.says(sayingOf(c.text)); got != c.want {
			t.Errorf("%s: %q in %q: %v", c.name, c.text, c.in, got)
		}
	}
}

func TestDatesAreWorkedOutFromTheDayOfTheNote(t *testing.T) {
	// A Tuesday, the last but one day of a month.
	now := time.Date(2026, 9, 29, 12, 0, 0, 0, time.UTC)
	want := map[string]string{
		"yesterday": "2026-09-28", "last month": "2026-08", "next month": "2026-10", "by the end of the month": "2026-09-30",
		"by Friday": "2026-10-02", "in two weeks": "2026-10-13", "позавчора": "2026-09-27", "до п'ятниці": "2026-10-02",
	}
	w := emptyWorld(1, 1, "en", held)
	seen := map[string]bool{}
	for range 600 {
		for _, d := range []saidDay{pastDay(w.r, "en", now), nextDay(w.r, "en", now), pastDay(w.r, "uk", now), nextDay(w.r, "uk", now)} {
			if m, ok := want[d.words]; ok {
				seen[d.words] = true
				if m != d.means {
					t.Errorf("%s on %s means %s, not %s", d.words, now.Format(isoDay), m, d.means)
				}
			}
		}
	}
	if len(seen) != len(want) {
		t.Errorf("of %v only %v came up", want, seen)
	}
}

func TestBaselinesDoWhatTheyAreNamedFor(t *testing.T) {
	for i, w := range made(t) {
		all, hash, min, naive := w.noop(), w.exactHash(), w.minHash(), w.naive()
		if len(all.store.texts) != len(w.notes) {
			t.Errorf("world %d: doing nothing left %d of %d notes", i, len(all.store.texts), len(w.notes))
		}
		if h, m := len(hash.store.texts), len(min.store.texts); h != len(w.notes)-len(wholeCopies(w)) || m > h {
			t.Errorf("world %d: %d notes, %d after the hash, %d after MinHash; whole copies: %d", i, len(w.notes), h, m, len(wholeCopies(w)))
		}
		lost := 0
		for _, f := range w.Facts {
			if f.Where == inStore && len(f.Notes) > 0 && !says(&naive.store, f) {
				lost++
			}
		}
		if lost == 0 {
			t.Errorf("world %d: a rewrite that drops sentences lost no fact", i)
		}
	}
}

// wholeCopies are notes of whose text there is another before.
func wholeCopies(w *world) []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range w.notes {
		body := strings.Join(strings.Fields(string(note.Parse(n.bytes).Body())), " ")
		if seen[body] {
			out = append(out, n.rel)
		}
		seen[body] = true
	}
	return out
}
