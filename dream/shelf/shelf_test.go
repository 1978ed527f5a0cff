package shelf

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/dream"
	"dormouse/extract"
	"dormouse/store"
	"dormouse/trust"
)

var day = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// sample is a dream in which b goes into the archive, a is rewritten, and c and an
// empty file are made.
func sample() (dream.Input, *dream.Result) {
	in := dream.Input{
		Notes: []dream.Note{{Rel: "a.md", Bytes: []byte("A.\n")}, {Rel: "sub/b.md", Bytes: []byte("B.\n")}, {Rel: "same.md", Bytes: []byte("Same.\n")}},
		Lists: map[string][]byte{store.IndexName: []byte("- [a](a.md) — A\n")},
	}
	res := &dream.Result{
		Files: []dream.File{
			{Rel: store.IndexName, Bytes: []byte("- [c](c.md) — C\n"), List: true},
			{Rel: "a.md", Bytes: []byte("A, and B.\n"), Origin: trust.Agent, Of: []string{"a.md", "sub/b.md"}},
			{Rel: "c.md", Bytes: []byte("C.\n"), Origin: trust.UserTurn, From: []store.Source{{Session: "s1", Line: 3}}},
			{Rel: "empty.md", Bytes: []byte{}, Origin: trust.Agent, Of: []string{"a.md"}},
			{Rel: "same.md", Bytes: []byte("Same.\n"), Of: []string{"same.md"}},
		},
		Archive:   []dream.Archive{{Rel: "sub/b.md", Bytes: []byte("B, until 2026.\n"), Of: "sub/b.md", Whole: true}},
		Rows:      []dream.Row{{ID: "1", File: "sub/b.md", Line: 1, Claim: "B <b>.", Fate: dream.Merged, To: "sub/b.md", Gone: true, By: &dream.Place{File: "a.md", Line: 1, Claim: "A."}}},
		Conflicts: []dream.Conflict{{A: dream.Place{File: "a.md", Claim: "A."}, B: dream.Place{File: "x.md", Claim: "Not A."}, Why: "w", Left: "l"}},
		Waiting:   []extract.Candidate{{Text: "Perhaps.", Session: "s1", Time: day}},
		Counts:    dream.Counts{Notes: 3, Fates: map[dream.Fate]int{dream.Merged: 1}},
	}
	return in, res
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// kept is a shelf with that dream.
func kept(t *testing.T) (*Shelf, *Dream) {
	t.Helper()
	s := At(t.TempDir(), "/the/store")
	in, res := sample()
	d, fresh, err := s.Keep(Made{Store: "/the/store", At: day}, &in, res, true)
	if err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	return s, d
}

func TestWhatIsKeptIsWhatWasDreamt(t *testing.T) {
	t.Parallel()
	s, made := kept(t)
	in, res := sample()
	d, err := s.Find(made.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON(t, made), asJSON(t, d)); diff != "" {
		t.Errorf("what was read is not what was kept:\n%s", diff)
	}
	reps, err := s.Replacements(d)
	if diff := cmp.Diff(res.Diff(&in), reps); err != nil || diff != "" {
		t.Errorf("%v: the changes are others:\n%s", err, diff)
	}
	rows, err := s.Rows(d)
	if diff := cmp.Diff(res.Rows, rows); err != nil || diff != "" {
		t.Errorf("%v: the ledger is another:\n%s", err, diff)
	}
	list, err := s.Candidates(d)
	if diff := cmp.Diff(res.Waiting, list); err != nil || diff != "" {
		t.Errorf("%v: the candidates are others:\n%s", err, diff)
	}
	b, err := s.Archived(d, "sub/b.md")
	if string(b) != "B, until 2026.\n" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if want := []Conflict{{res.Conflicts[0].A, res.Conflicts[0].B, "w", "l"}}; !cmp.Equal(want, d.Conflicts) {
		t.Errorf("%+v", d.Conflicts)
	}
	if !isID(d.ID) || !strings.HasPrefix(d.ID, "20261201-") || d.ID[9:] != d.Content[:6] {
		t.Errorf("its id is %s", d.ID)
	}
}

func TestADreamIsForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	s, _ := kept(t)
	unlock, err := s.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := s.SetRan(Ran{At: day}); err != nil {
		t.Fatal(err)
	}
	n := 0
	err = filepath.WalkDir(s.Dir(), func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if want := map[bool]fs.FileMode{true: dirMode, false: fileMode}[e.IsDir()]; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", p, info.Mode().Perm())
		}
		n++
		return err
	})
	if err != nil || n < 10 {
		t.Errorf("%d files, %v", n, err)
	}
}

func TestTheSameDreamIsKeptOnce(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		status Status // of the one that is there
		again  bool
		fresh  bool
		want   Status
	}{
		{"one waits", Waiting, true, false, Waiting},
		{"it was discarded, and nobody asks for it", Discarded, false, false, Discarded},
		{"it was discarded, and a person asks for it", Discarded, true, true, Waiting},
		{"it was applied, and the notes are as before", Applied, false, true, Waiting},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, d := kept(t)
			if tc.status != Waiting {
				if err := s.Decide(d, tc.status, day, 7, ""); err != nil {
					t.Fatal(err)
				}
			}
			in, res := sample()
			got, fresh, err := s.Keep(Made{Store: "/the/store", At: day.Add(48 * time.Hour)}, &in, res, tc.again)
			if err != nil || fresh != tc.fresh || got.ID != d.ID || got.Status != tc.want {
				t.Fatalf("fresh %v, %+v, %v", fresh, got, err)
			}
			all, damaged := s.List()
			if len(all) != 1 || damaged != nil {
				t.Errorf("%d are kept, %v", len(all), damaged)
			}
			if _, err := s.Replacements(&all[0]); (err == nil) != (tc.want == Waiting) {
				t.Errorf("its texts: %v", err)
			}
		})
	}
}

func TestTheNewestIsTheOneMadeLastWhateverTheClockSays(t *testing.T) {
	t.Parallel()
	s, first := kept(t)
	put := func(text string, at time.Time) *Dream {
		in, res := sample()
		if text != "" {
			res.Files[1].Bytes = []byte(text)
		}
		d, _, err := s.Keep(Made{Store: "/the/store", At: at}, &in, res, true)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	newest := func(want *Dream, name string) {
		if all, damaged := s.List(); len(damaged) > 0 || all[0].ID != want.ID {
			t.Errorf("%s: the newest is %s, not %s", name, all[0].ID, want.ID)
		}
	}
	for _, text := range []string{"One.\n", "Two.\n", "Three.\n"} {
		newest(put(text, day), "of one moment")
	}
	newest(put("Four.\n", day.Add(-time.Hour)), "of a clock that was set back")
	if again := put("", day); again.ID != first.ID {
		t.Fatal("it is another one")
	}
	newest(first, "made once more")
}

func TestADamagedDreamThatIsMadeAgainIsWhole(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"archive/sub/b.md", "out/c.md", "before/a.md", ledgerName, waitingName} {
		s, d := kept(t)
		if err := s.Check(d); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(s.dir, d.ID, name)); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(d); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		in, res := sample()
		again, fresh, err := s.Keep(Made{Store: "/the/store", At: day}, &in, res, true)
		if err != nil || !fresh || again.ID != d.ID || s.Check(again) != nil {
			t.Errorf("%s: fresh %v, %v, %v", name, fresh, err, s.Check(again))
		}
	}
	s, d := kept(t)
	if err := errors.Join(s.Decide(d, Discarded, day, 0, ""), s.Check(d)); err != nil {
		t.Errorf("a discarded one has no texts to miss: %v", err)
	}
}

func TestADreamTellsHowOldWhatItWroteIs(t *testing.T) {
	t.Parallel()
	in, res := sample()
	for i := range in.Notes {
		in.Notes[i].At, in.Notes[i].AtBy = day.AddDate(0, -i, 0), dream.ByGit
	}
	d, _, err := At(t.TempDir(), "/the/store").Keep(Made{Store: "/the/store", At: day}, &in, res, true)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Dated{"a.md": {day, dream.ByGit}, "empty.md": {day, dream.ByGit}} // same.md stays, and c.md is of a session
	if diff := cmp.Diff(want, d.Dates); diff != "" || d.OutputHash("a.md") != store.HashOf([]byte("A, and B.\n")) {
		t.Error(diff)
	}
}

func TestAnotherDreamOfTheDayHasAnotherID(t *testing.T) {
	t.Parallel()
	s, d := kept(t)
	in, res := sample()
	res.Files[1].Bytes = []byte("Something else.\n")
	other, fresh, err := s.Keep(Made{Store: "/the/store", At: day.Add(time.Hour)}, &in, res, true)
	if err != nil || !fresh || other.ID == d.ID {
		t.Fatal(other, fresh, err)
	}
	all, _ := s.List()
	if len(all) != 2 || all[0].ID != other.ID {
		t.Errorf("the newest does not come first: %v", all)
	}
	if got, err := s.Find(d.ID[9:]); err != nil || got.ID != d.ID {
		t.Errorf("by the last part: %v, %v", got, err)
	}
	if _, err := s.Find("20261201"); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), d.ID) {
		t.Errorf("by what both have: %v", err)
	}
	if _, err := s.Find("20261201-000000"); !errors.Is(err, ErrNone) {
		t.Errorf("none of that id: %v", err)
	}
}

func TestNoNameLeadsOutOfADream(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../x.md", "/x.md", "a/../../x.md", "..", ".", "", "a//b.md", "a\x00.md", "../../../../../../tmp/x.md"} {
		for place, put := range map[string]func(*dream.Result){
			"a file":              func(r *dream.Result) { r.Files[2].Rel = name },
			"one of the archive":  func(r *dream.Result) { r.Archive[0].Rel = name },
			"a file that is gone": nil,
		} {
			state := t.TempDir()
			s := At(filepath.Join(state, "state"), "/the/store")
			in, res := sample()
			if put == nil {
				in.Notes = append(in.Notes, dream.Note{Rel: name, Bytes: []byte("x")})
			} else {
				put(res)
			}
			if _, _, err := s.Keep(Made{At: day}, &in, res, true); !errors.Is(err, ErrName) {
				t.Errorf("%s called %q: %v", place, name, err)
			}
			if left, _ := filepath.Glob(filepath.Join(state, "*")); len(left) > 0 {
				t.Errorf("%s called %q left %v", place, name, left)
			}
		}
	}
}

// edit changes a text in dream.json.
func edit(t *testing.T, s *Shelf, d *Dream, from, to string) {
	t.Helper()
	p := filepath.Join(s.dir, d.ID, metaName)
	b, err := os.ReadFile(p)
	if err != nil || !strings.Contains(string(b), from) {
		t.Fatalf("%q is not there: %v", from, err)
	}
	put(t, p, strings.Replace(string(b), from, to, 1))
}

func put(t *testing.T, p, text string) {
	t.Helper()
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedDreamIsToldOfAndPassedOver(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(s *Shelf, d *Dream, dir string){
		"no JSON":               func(_ *Shelf, _ *Dream, dir string) { put(t, filepath.Join(dir, metaName), "{") },
		"no dream.json":         func(_ *Shelf, _ *Dream, dir string) { _ = os.Remove(filepath.Join(dir, metaName)) },
		"another id":            func(s *Shelf, d *Dream, _ string) { edit(t, s, d, `"id": "`+d.ID, `"id": "20200101-abcdef`) },
		"a later format":        func(s *Shelf, d *Dream, _ string) { edit(t, s, d, `"format": 1`, `"format": 2`) },
		"a status of no sense":  func(s *Shelf, d *Dream, _ string) { edit(t, s, d, `"waiting"`, `"perhaps"`) },
		"a name that leads out": func(s *Shelf, d *Dream, _ string) { edit(t, s, d, `"rel": "c.md"`, `"rel": "../../c.md"`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, d := kept(t)
			in, res := sample()
			res.Rows[0].Why = "another one"
			sound, _, err := s.Keep(Made{Store: "/the/store", At: day}, &in, res, true)
			if err != nil {
				t.Fatal(err)
			}
			harm(s, d, filepath.Join(s.dir, d.ID))
			all, damaged := s.List()
			if len(all) != 1 || all[0].ID != sound.ID || len(damaged) != 1 || !errors.Is(damaged[0], ErrDamaged) || !strings.Contains(damaged[0].Error(), d.ID) {
				t.Errorf("%d sound ones, damaged: %v", len(all), damaged)
			}
			if _, err := s.Find(d.ID); !errors.Is(err, ErrDamaged) {
				t.Errorf("by its id: %v", err)
			}
		})
	}
}

func TestATextThatWasChangedIsNotTaken(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"out/c.md", "before/sub/b.md"} {
		s, d := kept(t)
		put(t, filepath.Join(s.dir, d.ID, name), "Obey me.\n")
		if _, err := s.Replacements(d); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, d := kept(t)
	put(t, filepath.Join(s.dir, d.ID, ledgerName), "{}\n")
	if _, err := s.Rows(d); !errors.Is(err, ErrDamaged) {
		t.Errorf("the ledger: %v", err)
	}
	outside := filepath.Join(t.TempDir(), "c.md")
	put(t, outside, "C.\n") // the very bytes, but elsewhere
	link := filepath.Join(s.dir, d.ID, "out/c.md")
	if err := errors.Join(os.Remove(link), os.Symlink(outside, link)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Replacements(d); !errors.Is(err, ErrDamaged) {
		t.Errorf("a link that leads out: %v", err)
	}
}

func TestOnlyOneHasTheLock(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	unlock, err := At(state, "/a").Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := At(state, "/a").Lock(); !errors.Is(err, ErrBusy) {
		t.Errorf("a second one: %v", err)
	}
	other, err := At(state, "/b").Lock()
	if err != nil {
		t.Fatalf("of another store: %v", err)
	}
	other()
	unlock()
	if again, err := At(state, "/a").Lock(); err != nil {
		t.Errorf("given back: %v", err)
	} else {
		again()
	}
}

func TestWhatAKilledDreamLeftIsNoDreamAndGoes(t *testing.T) {
	t.Parallel()
	s, d := kept(t)
	half := filepath.Join(s.dir, halfway+"20261201-ffffff")
	if err := os.MkdirAll(filepath.Join(half, "out"), 0o700); err != nil {
		t.Fatal(err)
	}
	if all, damaged := s.List(); len(all) != 1 || damaged != nil {
		t.Errorf("%d dreams, %v", len(all), damaged)
	}
	in, res := sample()
	res.Rows[0].Why = "another one"
	if _, _, err := s.Keep(Made{At: day}, &in, res, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := s.Find(d.ID); err != nil {
		t.Error(err)
	}
}

func TestADiscardedDreamKeepsItsAccountOnly(t *testing.T) {
	t.Parallel()
	s, d := kept(t)
	if err := s.Decide(d, Discarded, day, 0, ""); err != nil {
		t.Fatal(err)
	}
	got, err := s.Find(d.ID)
	if err != nil || got.Status != Discarded || !got.Closed.Equal(day) {
		t.Fatalf("%+v, %v", got, err)
	}
	if rows, err := s.Rows(got); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
	for _, dir := range []string{"out", "before", "archive"} {
		if _, err := os.Lstat(filepath.Join(s.dir, d.ID, dir)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", dir, err)
		}
	}
}

func TestPurgeRemovesTheDreamsThatHoldAText(t *testing.T) {
	t.Parallel()
	for secret, goes := range map[string]bool{
		"until 2026":   true, // of the archive
		"A.\n":         true, // of what was before
		"B <b>":        true, // of the ledger, where JSON may write it otherwise
		"Perhaps.":     true, // of a candidate
		"nobody's":     false,
		"sub/b.md":     true, // of a name
		"- [a](a.md)":  true, // of the index
		"and B.\nMore": false,
	} {
		s, d := kept(t)
		removed, err := s.Purge([]byte(secret))
		if err != nil || (len(removed) == 1) != goes {
			t.Errorf("%q: %v, %v", secret, removed, err)
		}
		if _, err := s.Find(d.ID); errors.Is(err, ErrNone) != goes {
			t.Errorf("%q: %v", secret, err)
		}
	}
}

func TestTheShelvesOfAStateFolderAreFound(t *testing.T) {
	t.Parallel()
	s, _ := kept(t)
	state := filepath.Dir(filepath.Dir(s.dir))
	if err := os.MkdirAll(filepath.Join(state, "dreams", "answers"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := All(state)
	if err != nil || len(all) != 1 || all[0].Dir() != s.dir {
		t.Errorf("%v, %v", all, err)
	}
	if none, err := All(filepath.Join(state, "nowhere")); none != nil || err != nil {
		t.Errorf("%v, %v", none, err)
	}
}

func TestTheLastDreamIsRememberedThoughNothingIsKept(t *testing.T) {
	t.Parallel()
	s, d := kept(t)
	if got := s.LastRan(); !got.At.Equal(day) || got.ID != d.ID {
		t.Errorf("of the dreams: %+v", got)
	}
	if err := s.SetRan(Ran{At: day.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if got := s.LastRan(); !got.At.Equal(day.Add(time.Hour)) || got.ID != "" {
		t.Errorf("of the record: %+v", got)
	}
	put(t, filepath.Join(s.dir, ranName), "damaged")
	if got := s.LastRan(); !got.At.Equal(day) {
		t.Errorf("of a damaged one: %+v", got)
	}
	if got := At(t.TempDir(), "/x").LastRan(); !got.At.IsZero() {
		t.Errorf("of none: %+v", got)
	}
}

func TestPurgeGoesThroughAllShelvesAndAnswers(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	in, res := sample()
	for _, folder := range []string{"/a", "/b"} {
		if _, _, err := At(state, folder).Keep(Made{Store: folder, At: day}, &in, res, true); err != nil {
			t.Fatal(err)
		}
	}
	other, plain := sample()
	plain.Archive[0].Bytes = []byte("B.\n")
	if _, _, err := At(state, "/c").Keep(Made{Store: "/c", At: day}, &other, plain, true); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(Answers(state), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(Answers(state), "1.json"), `{"text":"\"B\", until 2026."}`)
	put(t, filepath.Join(Answers(state), "2.json"), `{"text":"other"}`)
	removed, err := PurgeAll(state, []byte("until 2026"))
	if err != nil || len(removed) != 3 {
		t.Errorf("%v, %v", removed, err)
	}
	if all, _ := At(state, "/c").List(); len(all) != 1 {
		t.Error("one that does not hold it is gone")
	}
	if _, err := os.Lstat(filepath.Join(Answers(state), "2.json")); err != nil {
		t.Error(err)
	}
	unlock, err := At(state, "/c").Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := PurgeAll(state, []byte("Same.")); !errors.Is(err, ErrBusy) {
		t.Errorf("while a dream runs: %v", err)
	}
}
