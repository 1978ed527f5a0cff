package bymodel_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/dream"
	"dormouse/dream/bymodel"
	"dormouse/model"
	"dormouse/testkit/modelserver"
)

// entries are the files of a folder.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// renamed is a model under another name.
type renamed struct{ model.Model }

func (renamed) Name() string { return "another" }

func TestAnAnsweredClusterIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	first := pair("There is room for 50 entries.")
	first.Key = "k"
	change := func(f func(*dream.Cluster)) dream.Cluster {
		c := pair("There is room for 50 entries.")
		c.Key = "k"
		f(&c)
		return c
	}
	tests := []struct {
		name    string
		c       dream.Cluster
		another bool // model
		asked   bool
	}{
		{"the same", first, false, false},
		{"another text", change(func(c *dream.Cluster) { c.Claims[1].Text += "!" }), false, true},
		{"another day", change(func(c *dream.Cluster) { c.Claims[1].Day = "2026-04-10" }), false, true},
		{"another type", change(func(c *dream.Cluster) { c.Claims[1].Type = "user" }), false, true},
		{"another order", change(func(c *dream.Cluster) { c.Claims[0], c.Claims[1] = c.Claims[1], c.Claims[0] }), false, true},
		{"another key", change(func(c *dream.Cluster) { c.Key = "l" }), false, true},
		{"another model", first, true, true},
	}
	for _, step := range []modelserver.Step{says(same()), says()} {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				dir := filepath.Join(t.TempDir(), "a", "b")
				b := newBench(t, modelserver.OpenAI, false, modelserver.Always(step))
				want, err := bymodel.New(b.model, dir).Judge(t.Context(), first)
				if err != nil {
					t.Fatal(err)
				}
				m := b.model
				if tt.another {
					m = renamed{m}
				}
				// A new engine, as after a crash.
				e := bymodel.New(m, dir)
				got, err := e.Judge(t.Context(), tt.c)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("error %v (-want +got):\n%s", err, diff)
				}
				if n := len(b.Requests()); (n == 2) != tt.asked {
					t.Errorf("%d requests", n)
				}
				if r := e.Report(); (r.Asked == 1) != tt.asked || (r.Cached == 1) == tt.asked || r.Cache != nil {
					t.Errorf("%+v", r)
				}
			})
		}
	}
}

func TestWhatWasRefusedOfAnAnswerIsSaidAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	b := newBench(t, modelserver.OpenAI, false, modelserver.Always(modelserver.Step{Text: `{"ops":[{"op":"merge","claims":[1,2],"text":""}]}`}))
	for i := range 2 {
		e := bymodel.New(b.model, dir)
		ops, err := e.Judge(t.Context(), pair("There is room for 50 entries."))
		if r := e.Report(); err != nil || len(ops) > 0 || r.Cached != i || len(r.Refused) != 1 || r.Refused[0] != "merge: the text is empty" {
			t.Errorf("run %d: %+v, %v, %+v", i+1, ops, err, r)
		}
	}
}

func TestWhatIsKeptIsForItsOwnerAndHoldsNoStatement(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "cache")
	b := newBench(t, modelserver.Ollama, false, modelserver.Always(says(same())))
	if _, err := bymodel.New(b.model, dir).Judge(t.Context(), pair("There is room for 50 entries.")); err != nil {
		t.Fatal(err)
	}
	modes := map[string]fs.FileMode{}
	err := filepath.WalkDir(filepath.Dir(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			modes["folder"] |= info.Mode().Perm()
			return nil
		}
		modes["file"] |= info.Mode().Perm()
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "entries") || strings.Contains(string(text), key) {
			t.Errorf("%s", text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]fs.FileMode{"folder": 0o700, "file": 0o600}; runtime.GOOS != "windows" && cmp.Diff(want, modes) != "" {
		t.Errorf("modes %v", modes)
	}
}

func TestADamagedEntryIsAskedAgain(t *testing.T) {
	t.Parallel()
	replace := func(old, by string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, by, 1) }
	}
	for name, damage := range map[string]func(string) string{
		"empty":                     func(string) string { return "" },
		"cut":                       func(s string) string { return s[:len(s)/2] },
		"another statement kept":    replace(`"keep":2`, `"keep":1`),
		"a statement not there":     replace(`[1,2]`, `[1,3]`),
		"another operation":         replace(`"same"`, `"conflict"`),
		"another reason":            replace(`wordings`, `wordlings`),
		"no operations":             replace(`[{`, `[],"was":[{`),
		"the entry of another":      replace(`"key":"`, `"key":"0`),
		"too large":                 func(s string) string { return s + strings.Repeat(" ", 1<<20) },
		"not what Dormouse wrote":   func(string) string { return `{"ops":[]}` },
		"an operation more at last": replace(`}]`, `},{"op":"delete","claims":[1,2]}]`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			b := newBench(t, modelserver.Anthropic, false, modelserver.Always(says(same())))
			c := pair("There is room for 50 entries.")
			want, err := bymodel.New(b.model, dir).Judge(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			file := entries(t, dir)[0]
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			after := damage(string(before))
			if after == string(before) {
				t.Fatalf("nothing was damaged in %s", before)
			}
			if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, err := bymodel.New(b.model, dir).Judge(t.Context(), c)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("error %v (-want +got):\n%s", err, diff)
				}
			}
			if n := len(b.Requests()); n != 2 {
				t.Errorf("%d requests, want one before and one after the damage", n)
			}
			if mended, err := os.ReadFile(file); err != nil || string(mended) != string(before) {
				t.Errorf("the entry is now %s, %v", mended, err)
			}
		})
	}
}

func TestAFolderThatCannotKeepAnswersIsToldOf(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes of folders say nothing on Windows")
	}
	open := t.TempDir()
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"others may write to it": open, "it is a file": file, "it is below a file": filepath.Join(file, "x")} {
		b := newBench(t, modelserver.OpenAI, false, modelserver.Always(says(same())))
		e := bymodel.New(b.model, dir)
		for range 2 {
			if ops, err := e.Judge(t.Context(), pair("There is room for 50 entries.")); err != nil || len(ops) != 1 {
				t.Errorf("%s: %+v, %v", name, ops, err)
			}
		}
		if r := e.Report(); r.Cache == nil || r.Asked != 2 || r.Failed != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if list := entries(t, dir); len(list) > 0 {
			t.Errorf("%s: %v", name, list)
		}
	}
}

func TestAnswersInAFolderThatWasOpenedToOthersAreNotUsed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes of folders say nothing on Windows")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	b := newBench(t, modelserver.OpenAI, false, modelserver.Always(says(same())))
	for i := range 2 {
		e := bymodel.New(b.model, dir)
		if _, err := e.Judge(t.Context(), pair("There is room for 50 entries.")); err != nil {
			t.Fatal(err)
		}
		if len(b.Requests()) != i+1 || (e.Report().Cache != nil) != (i == 1) {
			t.Errorf("%d requests, %+v", len(b.Requests()), e.Report())
		}
		if err := os.Chmod(dir, 0o770); err != nil {
			t.Fatal(err)
		}
	}
}
